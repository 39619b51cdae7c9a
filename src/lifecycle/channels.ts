import { channel, tracingChannel, type TracingChannel } from 'node:diagnostics_channel'
import type { Reply } from './reply.ts'
import type { Request } from './request.ts'
import type { HookReply } from '../typed/reply.ts'
import type { HookRequest } from '../typed/request.ts'
import type { CompiledRoute } from './compiled-route.ts'
import type { Exchange } from './exchange.ts'

/** A route in a message: its path with its prefix, undefined if no route was found. */
interface ChannelRoute {
  readonly url: string | undefined
  readonly method: string | readonly string[]
}

/** A message of the channels of requests. `request` tells which messages belong together. */
export interface RequestMessage<Req = HookRequest<unknown>, Rep = HookReply> {
  readonly request: Req
  readonly reply: Rep
  readonly route: ChannelRoute
  error?: unknown
}

/** A message of the channels of handlers: all messages of one call are the same object. */
export interface HandlerMessage<Req = HookRequest<unknown>, Rep = HookReply> extends RequestMessage<
  Req,
  Rep
> {
  /** Whether the handler returned a promise. */
  async: boolean
  /** What the handler returned, or its promise resolved to. */
  result?: unknown
}

/** A message as the framework makes it. */
export type HandlerCall = HandlerMessage<Request, Reply>

/** The channel of handler calls, by the name that instrumentation of Fastify uses. */
export const handlerChannel: TracingChannel<object, HandlerCall> =
  tracingChannel('fastify.request.handler')

const created = channel('fastify.initialization')
const started = channel('espalier.request.start')
const ended = channel('espalier.request.end')
const failed = channel('espalier.request.error')

/** Publishes that a server was made. */
export function announceServer(server: object): void {
  if (created.hasSubscribers) created.publish({ fastify: server })
}

/** Whether the channels of requests have subscribers. */
export function hasListeners(): boolean {
  return started.hasSubscribers || ended.hasSubscribers
}

/** Publishes the start of a request, runs it, and publishes its end: the response has left, or
 *  the connection is gone. Stores that are bound to the start are active for the whole request. */
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

/** Publishes an error that is about to be answered. Its status is set. */
export function traceError({ route, request, reply }: Exchange, error: unknown): void {
  if (!failed.hasSubscribers) return
  const message: RequestMessage<Request, Reply> = { request, reply, route: routeOf(route), error }
  failed.publish(message)
}

export function routeOf({ routeOptions: { url, method } }: CompiledRoute): ChannelRoute {
  return { url, method }
}
