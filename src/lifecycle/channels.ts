import { channel, tracingChannel, type TracingChannel } from 'node:diagnostics_channel'
import type { Reply } from './reply.ts'
import type { Request } from './request.ts'
import type { HookReply } from '../typed/reply.ts'
import type { HookRequest } from '../typed/request.ts'
import type { CompiledRoute } from './compiled-route.ts'
import type { Exchange } from './exchange.ts'

/** What channels tell of a route: its path with its prefix, undefined where no route was found. */
interface ChannelRoute {
  readonly url: string | undefined
  readonly method: string | readonly string[]
}

/** A message of the channels of requests. Those of one request are told by `request`. */
export interface RequestMessage<Asked = HookRequest<unknown>, Answer = HookReply> {
  readonly request: Asked
  readonly reply: Answer
  readonly route: ChannelRoute
  error?: unknown
}

/** A message of the channels of handlers: all messages of one call are the same object. */
export interface HandlerMessage<
  Asked = HookRequest<unknown>,
  Answer = HookReply,
> extends RequestMessage<Asked, Answer> {
  /** Whether the handler returned a promise. */
  async: boolean
  /** What the handler returned, or its promise has given. */
  result?: unknown
}

/** The same, as the framework makes it. */
export type Handled = HandlerMessage<Request, Reply>

/** The call of a handler, under the name that instrumentation of Fastify listens to. */
export const handlerChannel: TracingChannel<object, Handled> =
  tracingChannel('fastify.request.handler')

const created = channel('fastify.initialization')
const started = channel('espalier.request.start')
const ended = channel('espalier.request.end')
const failed = channel('espalier.request.error')

/** Tells of a server that was made. */
export function announceServer(server: object): void {
  if (created.hasSubscribers) created.publish({ fastify: server })
}

/** Whether anybody listens to requests. */
export function hasListeners(): boolean {
  return started.hasSubscribers || ended.hasSubscribers
}

/** Tells of a request that comes, runs it, and tells of its end: that its response has left, or that its
 *  connection is gone. Stores that are bound to the start are those of the whole request. */
export function traceRequest({ route, request, reply }: Exchange, run: () => void): void {
  const { raw } = reply
  const message: RequestMessage<Request, Reply> = { request, reply, route: routeOf(route) }
  const end = (): void => {
    raw.off('finish', end).off('close', end)
    ended.publish(message)
  }
  raw.on('finish', end).on('close', end)
  started.runStores(message, run)
}

/** Tells of an error that is about to be answered; its status is set. */
export function traceError({ route, request, reply }: Exchange, error: unknown): void {
  if (!failed.hasSubscribers) return
  const message: RequestMessage<Request, Reply> = { request, reply, route: routeOf(route), error }
  failed.publish(message)
}

export function routeOf({ routeOptions: { url, method } }: CompiledRoute): ChannelRoute {
  return { url, method }
}
