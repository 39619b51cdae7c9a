import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { HeaderValue } from '../http/headers.ts'
import type { ReplySerializer } from '../typed/reply.ts'
import type { CompiledRoute, HookDone, HookStep } from './compiled-route.ts'
import type { Deadline } from './deadline.ts'
import type { Phase, Reply, ReplyExchange } from './reply.ts'
import type { Request } from './request.ts'
import type { Trailers } from './trailers.ts'

/** One request and its reply, from the socket to the last byte: the route that answers, what may
 *  still happen, and what the lifecycle remembers on the way. */
export abstract class Exchange implements ReplyExchange {
  /** The route that answers. `callNotFound` replaces it. */
  route: CompiledRoute
  readonly request: Request
  readonly reply: Reply
  readonly response: ServerResponse
  phase: Phase = 'hooks'
  readonly startedAt: number = performance.now()
  headers: Record<string, HeaderValue> | undefined = undefined
  trailers: Trailers | undefined = undefined
  serializer: ReplySerializer | undefined = undefined
  abort: AbortController | undefined = undefined
  /** Undefined for a route that may take any time. */
  deadline: Deadline | undefined = undefined
  /** The body as the preParsing hooks have left it; undefined where none put another in its place. */
  bodyStream: Readable | undefined = undefined
  /** The payload that was accepted. One that is sent again is not destroyed. */
  payload: unknown = undefined
  /** The phase in which that payload was accepted. */
  sentIn: Phase = 'hooks'
  isRefused = false
  /** Whether the server cut the connection, rather than the client. */
  isCut = false
  /** Whether the handler runs now, so that what `send` throws comes back to it. */
  isInHandler = false
  /** Raised when the answer passes on: to an error handler, to the not-found handler, or because the
   *  time is up. What was begun in an earlier turn does not answer any more. */
  turn = 0
  /** Whether the onError hooks have run: they do once for a request. */
  hasRunOnError = false
  /** How many error handlers of the route have had their turn, the nearest first. */
  errorHandlersUsed = 0
  /** The status that the last error set, unless the handler had set one. */
  errorStatus: number | undefined = undefined
  /** Whether the message of the last error is meant for the client. */
  isForeseen = false

  // eslint-disable-next-line max-params -- an object of arguments would be made for every request
  constructor(
    route: CompiledRoute,
    raw: IncomingMessage,
    response: ServerResponse,
    params: unknown,
    query: unknown,
  ) {
    this.route = route
    this.response = response
    this.request = new route.Request(this, raw, params, query)
    this.reply = new route.Reply(this, this.request)
  }

  abstract send(payload: unknown): void
  abstract serialize(payload: unknown): string | Uint8Array
  abstract callNotFound(): void
  abstract sendNotFound(): void
}

/** A stage of a request. It throws, returns a `StageFailure`, or returns a promise when it is not done
 *  yet; one with `start` calls back. */
export interface Stage {
  (exchange: Exchange): unknown
  readonly start?: (exchange: Exchange, done: HookDone) => unknown
}

/** What a stage returns when it failed. Throwing would cost a refused request as much again as all
 *  the rest of it, and a client can ask for that as often as it likes. */
export class StageFailure {
  readonly error: unknown
  constructor(error: unknown) {
    this.error = error
  }
}

/** The stage that runs a hook. */
export function hookStage(hook: HookStep): Stage {
  const { start } = hook
  const stage: Stage = ({ request, reply }) => hook(request, reply)
  if (start === undefined) return stage
  return Object.assign(stage, {
    start: ({ request, reply }: Exchange, done: HookDone) => start(done, request, reply),
  })
}

/** Whether the stages have nothing more to do: the reply was sent, or an error is being answered. */
export function isDone({ phase, reply }: Exchange): boolean {
  return (phase !== 'hooks' && phase !== 'handler') || reply.sent
}
