import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { hasHead, type HeaderValue } from '../http/headers.ts'
import type { ReplySerializer } from '../typed/reply.ts'
import type { CompiledRoute, HookDone, HookStep } from './compiled-route.ts'
import type { Deadline } from './deadline.ts'
import { exchangeOf as partOf, type Phase, type Reply, type ReplyExchange } from './reply.ts'
import type { Request } from './request.ts'
import type { Trailers } from './trailers.ts'

/** One request and its reply, from the socket to the last byte: the route that answers, the
 *  phase, and the state of the lifecycle. */
export class Exchange implements ReplyExchange {
  /** The route that answers. `callNotFound` replaces it. */
  route: CompiledRoute
  /** The lifecycle of the route, until `callNotFound` hands the request over. Undefined where no
   *  route answers. */
  lifecycle: { readonly handover: Handover | undefined } | undefined
  readonly request: Request
  readonly reply: Reply
  readonly response: ServerResponse
  phase: Phase = 'hooks'
  readonly startedAt: number = performance.now()
  headers: Record<string, HeaderValue> | undefined = undefined
  trailers: Trailers | undefined = undefined
  serializer: ReplySerializer | undefined = undefined
  abort: AbortController | undefined = undefined
  /** Undefined for a route without `handlerTimeout`. */
  deadline: Deadline | undefined = undefined
  /** The stream that a preParsing hook has put in place of the body, if one did. */
  bodyStream: Readable | undefined = undefined
  /** The payload that was accepted. If the same one is sent again, it is not destroyed. */
  payload: unknown = undefined
  /** The phase in which that payload was accepted. */
  sentIn: Phase = 'hooks'
  /** The payload of the default answer to a request without a route, if its scope declares 404. */
  ownPayload: object | undefined = undefined
  isRefused = false
  /** The status, 300 or more, whose payload is the one that the route declares for it. */
  declaredStatus: number | undefined = undefined
  /** Whether the server cut the connection, rather than the client. */
  isCut = false
  /** Whether the handler runs now. Then `send` may throw to it. */
  isInHandler = false
  /** Raised when an error handler, the not-found handler or the timeout takes over. Returned
   *  values and pending hooks of an earlier turn are ignored. A later call of `send` is not: the
   *  first payload is sent. */
  turn = 0
  /** Whether the onError hooks have run. They run once for a request. */
  hasRunOnError = false
  /** How many error handlers of the route have been called. The nearest comes first. */
  errorHandlersUsed = 0
  /** The status that the last error set, unless the handler had set one. */
  errorStatus: number | undefined = undefined
  /** Whether the message of the last error is meant for the client. */
  isForeseen = false

  // eslint-disable-next-line max-params -- an object of arguments would be made for every request
  constructor(
    route: CompiledRoute,
    lifecycle: Exchange['lifecycle'],
    raw: IncomingMessage,
    response: ServerResponse,
    params: unknown,
    query: unknown,
  ) {
    this.route = route
    this.lifecycle = lifecycle
    this.response = response
    this.request = new route.Request(this, raw, params, query)
    this.reply = new route.Reply(this, this.request)
  }
}

/** Hands a request over from its route to a not-found handler. */
export interface Handover {
  run(exchange: Exchange): void
}

/** A stage of a request. It may return a promise or a `StageFailure`, or throw. A stage with
 *  `start` calls back instead. */
export interface Stage {
  (exchange: Exchange): unknown
  readonly start?: (exchange: Exchange, done: HookDone) => unknown
}

/** Returned by a stage that failed. To throw would double the cost of a refused request, and
 *  clients can send as many of those as they like. */
export class StageFailure {
  readonly error: unknown
  constructor(error: unknown) {
    this.error = error
  }
}

const hookStages = new WeakMap<HookStep, Stage>()

/** The stage that runs a hook. The routes of a context share it. */
export function hookStage(hook: HookStep): Stage {
  const known = hookStages.get(hook)
  if (known !== undefined) return known
  const { start } = hook
  const stage: Stage = ({ request, reply }) => hook(request, reply)
  if (start !== undefined) {
    const begin: Stage['start'] = ({ request, reply }, done) => start(done, request, reply)
    Object.assign(stage, { start: begin })
  }
  hookStages.set(hook, stage)
  return stage
}

/** The exchange of a reply, which handlers do not see. */
// cast: a reply is made by an exchange, of which its class knows a part
export const exchangeOf = partOf as (reply: Reply) => Exchange

/** Whether the stages of a route have nothing more to do: the reply was sent, an error is being
 *  answered, or the request has left the route for the not-found handler. */
export function isOver({ phase, response, route }: Exchange, own: CompiledRoute): boolean {
  return route !== own || (phase !== 'hooks' && phase !== 'handler') || hasHead(response)
}

/** Whether a request has left a route for the not-found handler. */
export function hasLeft(exchange: Exchange, route: CompiledRoute): boolean {
  return exchange.route !== route
}
