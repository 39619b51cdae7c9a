import type { Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PoisoningAction, TextParser } from '../../context/content/default-parsers.ts'
import type { ChildLoggerFactory, Logger } from '../../http/logger.ts'
import type { SerializerCompiler, ValidatorCompiler } from '../../schema/compiler-types.ts'
import type { ListenOptions } from '../transport/listen.ts'

/** The part of a server that depends on no context. */
export interface ServerTools {
  /** Node's own server. */
  readonly server: HttpServer
  /** The version of Fastify whose plugins this host runs. */
  readonly version: string
  /** The logger of the server. Without the option `logger` it writes nothing. */
  readonly log: Logger
  /** What makes the loggers of this scope's requests. */
  readonly childLoggerFactory: ChildLoggerFactory
  /** The plugin that this scope was opened for, and the shared plugins that ran in it, as
   *  `users -> auth`; it begins with `fastify` at the root. */
  readonly pluginName: string
  /** The validator compiler of this scope; undefined until all plugins have loaded, unless one is set. */
  readonly validatorCompiler: ValidatorCompiler | undefined
  /** The serializer compiler of this scope, in the same way. */
  readonly serializerCompiler: SerializerCompiler | undefined
  /** Listens, booting first where that has not been done.
   *  @throws ESP_ERR_REOPENED_SERVER, and Node's errors (EADDRINUSE…) */
  listen(options?: ListenOptions): Promise<string>
  listen(options: ListenOptions, callback: (error: Error | null, address: string) => void): void
  /** Stops listening, lets requests in flight finish, then runs the onClose hooks. */
  close(): Promise<void>
  close(callback: (error?: Error) => void): void
  /** The addresses that the server listens on. */
  addresses(): AddressInfo[]
  /** The routes as text. */
  printRoutes(): string
  /** The tree of contexts as text. */
  printContexts(): string
  hasRoute(route: { readonly method: string; readonly url: string }): boolean
  /** The plugins as text, with the time that each took to load. */
  printPlugins(): string
  /** Whether a plugin of this name was registered here or above. */
  hasPlugin(name: string): boolean
  /** Whether content of this very type has a parser here. @throws ESP_ERR_CTP_INVALID_TYPE */
  hasContentTypeParser(type: string | RegExp): boolean
  /** Makes a parser as the built-in one for JSON, for other types, or with other actions on poisoned
   *  keys. @default 'error', 'error' */
  getDefaultJsonParser(
    onProtoPoisoning?: PoisoningAction,
    onConstructorPoisoning?: PoisoningAction,
  ): TextParser
  /** The built-in parser for text. */
  readonly defaultTextParser: TextParser
  hasDecorator(name: string | symbol): boolean
  hasRequestDecorator(name: string | symbol): boolean
  hasReplyDecorator(name: string | symbol): boolean
}
