import {
  type Channel,
  channel,
  tracingChannel,
  type TracingChannel,
} from 'node:diagnostics_channel'
import type { Reply } from './reply.ts'
import type { Request } from './request.ts'
import type { HookReply } from '../typed/reply.ts'
import type { HookRequest } from '../typed/request.ts'
import { isGivenError } from '../errors/given-error.ts'
import { isThenable } from '../types/promises.ts'
import type { CompiledRoute, HookDone, HookStart, HookStep } from './compiled-route.ts'
import type { Exchange } from './exchange.ts'

/** A route in a message: its path with its prefix, undefined if no route was found. */
interface ChannelRoute {
  readonly url: string | undefined
  readonly method: string | readonly string[]
  /** Gives a URL of the route without sensitive values. Undefined for a route that has none. */
  readonly redactUrl?: (url: string) => string
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

/** A message of the channels of hooks: both messages of one call are the same object. */
export interface HookMessage<Req = HookRequest<unknown>, Rep = HookReply> extends RequestMessage<
  Req,
  Rep
> {
  /** Which hook it is: `onRequest`. */
  readonly hook: string
  /** The name of the function; empty for a function without a name. */
  readonly name: string
}

/** Messages as the framework makes them. */
export type HandlerCall = HandlerMessage<Request, Reply>
type HookCall = HookMessage<Request, Reply>

/** The channel of handler calls, by the name that instrumentation of Fastify uses. */
export const handlerChannel: TracingChannel<object, HandlerCall> = asInNode(
  tracingChannel('fastify.request.handler'),
)

const created = open('fastify.initialization')
/** The channels of requests. */
export const started: Channel = open('espalier.request.start')
export const ended: Channel = open('espalier.request.end')
export const failed: Channel = open('espalier.request.error')

const hookStarted = open('espalier.hook.start')
const hookEnded = open('espalier.hook.end')

function open(name: string): Channel {
  return asInNode(channel(name))
}

/** Gives a channel the getter `hasSubscribers` of Node. In workerd it is a method, which would
 *  always count as true. In Bun a tracing channel lacks it. */
function asInNode<Given extends Channel | TracingChannel<object, HandlerCall>>(
  given: Given,
): Given {
  const has: unknown = given.hasSubscribers
  if (typeof has === 'boolean') return given
  const parts: readonly Channel[] = 'error' in given ? Object.values(given) : []
  const ask = typeof has === 'function' ? has : () => parts.some((part) => part.hasSubscribers)
  const get = (): unknown => Reflect.apply(ask, given, [])
  return Object.defineProperty(given, 'hasSubscribers', { get })
}

/** Publishes that a server was made. */
export function announceServer(server: object): void {
  if (created.hasSubscribers) created.publish({ fastify: server })
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
  const message: RequestMessage<Request, Reply> = { request, reply, route: routeOf(route), error }
  failed.publish(message)
}

/** A hook whose calls are published, if the channels of hooks have subscribers now, at boot. */
export function traceHook(step: HookStep, hook: string, name: string): HookStep {
  if (!hookStarted.hasSubscribers && !hookEnded.hasSubscribers) return step
  const traced: HookStep = (request, reply, value) => {
    const end = beginHook({ request, reply, route: request.routeOptions, hook, name })
    const result = callHook(() => step(request, reply, value), reply, end)
    if (result === reply || !isThenable(result)) end()
    return result
  }
  const { start } = step
  if (start === undefined) return traced
  const startTraced: HookStart = (done, request, reply, value) => {
    const end = beginHook({ request, reply, route: request.routeOptions, hook, name })
    const call: HookDone = (error, later) => {
      end(error)
      done(error, later)
    }
    return callHook(() => start(call, request, reply, value), reply, end)
  }
  return Object.assign(traced, { start: startTraced })
}

/** Publishes the start of a hook, and gives a function that publishes its end, once. */
function beginHook(given: HookCall): (error?: unknown) => void {
  const { url, method } = given.route
  const message: HookCall = { ...given, route: { url, method } }
  let isOver = false
  hookStarted.publish(message)
  return (error) => {
    if (isOver) return
    isOver = true
    if (isGivenError(error)) message.error = error
    hookEnded.publish(message)
  }
}

/** Calls a hook that ends when it throws, and when its promise settles. */
function callHook(call: () => unknown, reply: Reply, end: (error?: unknown) => void): unknown {
  try {
    const result = call()
    // The reply is thenable too, but it resolves when the request ends.
    if (result !== reply && isThenable(result))
      result.then(() => {
        end()
      }, end)
    return result
  } catch (error) {
    end(error)
    throw error
  }
}

export function routeOf({ routeOptions, redaction }: CompiledRoute): ChannelRoute {
  const { url, method } = routeOptions
  if (redaction === undefined) return { url, method }
  return { url, method, redactUrl: (given) => redaction.url(given) }
}
