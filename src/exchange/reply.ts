import { hasHead } from '../http/headers.ts'
import { readDecorator } from '../context/decorated.ts'
import type { Logger } from '../http/logger.ts'
import { ReplySerialization } from './reply/serialization.ts'
import { stateOf, type ReplySerializer, type ReplyState } from './reply/state.ts'
import { deadlineOf } from './end/deadline.ts'
import type { RouteOptionsFacts } from './route-facts.ts'

/** One reply, as hooks and handlers see it. Each context has a subclass whose prototype carries the
 *  context's reply decorators. */
export class Reply extends ReplySerialization<Reply> {
  get server(): object {
    return stateOf(this).route.server
  }

  /** That of the request. */
  get log(): Logger {
    return this.request.log
  }

  set log(log: Logger) {
    this.request.log = log
  }

  get routeOptions(): RouteOptionsFacts {
    return stateOf(this).route.routeOptions
  }

  /** The time since the request arrived, in milliseconds. */
  get elapsedTime(): number {
    return performance.now() - stateOf(this).startedAt
  }

  /** The same as `elapsedTime`, as Fastify 4 calls it. */
  getResponseTime(): number {
    stateOf(this).route.dialect.errors.deprecate('ESP_DEP_RESPONSE_TIME')
    return this.elapsedTime
  }

  /** What Fastify 4 shows of a route. */
  get context(): Pick<RouteOptionsFacts, 'config'> {
    stateOf(this).route.dialect.errors.deprecate('ESP_DEP_REPLY_CONTEXT')
    return this.routeOptions
  }

  /** Whether a payload was given to `send`, or returned by the handler, or the reply was hijacked. */
  get sent(): boolean {
    const { sending, isHijacked } = stateOf(this)
    return sending || isHijacked || hasHead(this.raw)
  }

  /** What `hijack` does, as older plugins say it. */
  set sent(isSent: boolean) {
    stateOf(this).route.dialect.errors.deprecate('ESP_DEP_REPLY_SENT')
    if (isSent) this.hijack()
  }

  /** The text of a payload as `send` would write it now: with the reply's serializer, the scope's, or
   *  the route's schema for the status and the type. @throws what the serializer throws */
  serialize(payload: unknown): string | Uint8Array {
    return stateOf(this).route.serialize(this, payload)
  }

  /** Sends a payload: an Error is answered as an error; strings, bytes, streams and a `Response` are
   *  sent as they are; all else is serialized with the route's schema for the status, or as JSON. */
  send(payload?: unknown): this {
    stateOf(this).route.deliver(this, payload)
    return this
  }

  /** Leaves the answer to the not-found handler of this context, with the preHandler hooks that
   *  `setNotFoundHandler` was given. */
  callNotFound(): this {
    stateOf(this).route.callNotFound(this)
    return this
  }

  /** Takes the reply out of the framework's hands: whoever calls it answers with `raw`. Only the
   *  hooks that watch its end (onResponse, onTimeout, onRequestAbort) run afterwards, and there is no
   *  `handlerTimeout` any more. */
  hijack(): this {
    stateOf(this).isHijacked = true
    deadlineOf(this.request)?.clear()
    return this
  }

  /** The value of a reply decorator; a function is bound to this reply.
   *  @throws ESP_ERR_DEC_UNDECLARED */
  getDecorator(name: PropertyKey): unknown {
    return readDecorator(this, 'reply', name)
  }

  /** Answers with a `location`, and status 302 unless another is given or set: `(url, status?)`, or
   *  in the order of Fastify 4, `(status, url)`. */
  redirect(...[first, second]: readonly [string, number?] | readonly [number, string]): this {
    if (typeof first === 'number') stateOf(this).route.dialect.errors.deprecate('ESP_DEP_REDIRECT')
    const [url, status] =
      typeof first === 'number' ? [second as string, first] : [first, second as number | undefined]
    const { statusCode } = this
    const isRedirect = statusCode >= 300 && statusCode <= 399
    return this.header('location', url)
      .code(status ?? (isRedirect ? statusCode : 302))
      .send()
  }

  /** Makes a reply awaitable: it resolves when the response is finished, to nothing, since a promise
   *  cannot resolve to what is itself awaitable. */
  then(fulfilled: () => unknown, rejected?: (error: unknown) => unknown): void {
    const { raw } = this
    const { isRefused } = stateOf(this)
    stateOf(this).isRefused = false
    // A hook that returns what it sends must not wait for the response that waits for it.
    if (isRefused || raw.writableEnded || raw.destroyed) {
      fulfilled()
      return
    }
    raw.once('close', () => {
      if (raw.errored && rejected !== undefined) rejected(raw.errored)
      else fulfilled()
    })
  }
}

export { stateOf }
export type { ReplySerializer, ReplyState }

/** Properties that every reply has from its constructor. */
export const replyProperties: ReadonlySet<string> = new Set(['raw', 'request'])
