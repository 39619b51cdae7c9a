import type { Logger } from '../../http/logger.ts'
import type { NeedOf } from '../../plugin/plugin-types.ts'

/** What a handler or a hook that is written apart from any scope sees of its server: what is needed of it, and
 *  what servers of all scopes have. */
export type ServerFor<Needed> = HandlerServer & NeedOf<Needed, 'server'>

/** The part of a server that says what it is. Its routes and its context are those of a scope. */
export interface HandlerServer {
  readonly log: Logger
  readonly prefix: string
  readonly version: string
  readonly pluginName: string
  readonly listeningOrigin: string
  readonly supportedMethods: string[]
  hasDecorator(name: string | symbol): boolean
  hasRequestDecorator(name: string | symbol): boolean
  hasReplyDecorator(name: string | symbol): boolean
  hasPlugin(name: string): boolean
}
