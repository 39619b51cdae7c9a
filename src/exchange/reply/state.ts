import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { HeaderValue } from '../../http/headers.ts'
import { bindResponse, type Request } from '../request.ts'
import type { RouteFacts } from '../route-facts.ts'

/** Turns a payload into what is written: text, or bytes. */
export type ReplySerializer = (payload: unknown) => string | Uint8Array

/** The functions that make trailers, by name in lower case. */
export type Trailers = Record<string, (...args: never[]) => unknown>

/** What the lifecycle keeps on a reply, out of the reach of handlers. */
export interface ReplyState<Self> {
  route: RouteFacts<Self>
  /** Whether a payload was accepted, so that no other can be. */
  sending: boolean
  /** The payload that was accepted: one that is sent again is not discarded. */
  payload: unknown
  /** Whether the handler took `raw` over, and answers by itself. */
  isHijacked: boolean
  /** Whether the answer was left to the not-found handler. */
  isRerouted: boolean
  /** Whether the last payload was refused: there is nothing to wait for then. */
  isRefused: boolean
  /** Whether the server cut the connection, rather than the client. */
  isCut: boolean
  /** The onError hooks run once for a request, before the first error handler. */
  onError: 'waiting' | 'running' | 'done'
  /** Whether an error is being answered: only error handlers may reply then. */
  isFailing: boolean
  /** The body as the preParsing hooks have left it. */
  bodyStream: Readable | undefined
  readonly startedAt: number
  /** How many error handlers have had their turn, the nearest first. */
  errorHandlersUsed: number
  /** The status that the last error set, unless the handler had set one. */
  errorStatus: number | undefined
  /** Whether what was thrown, which is no error, was sent as it is. */
  isThrownSent: boolean
  /** Whether the handler is running now, so that what `send` throws comes back to it. */
  isInHandler: boolean
  /** Whether the handler has begun: what was sent before is a hook's. */
  isHandled: boolean
  /** Whether the message of the last error is meant for the client. */
  isForeseen: boolean
  serializer: ReplySerializer | undefined
  headers: Record<string, HeaderValue> | undefined
  trailers: Trailers | undefined
}

let readState: <Self>(reply: ReplyCore<Self>) => ReplyState<Self>

/** What every reply has: Node's response, its request, and what the lifecycle keeps.
 *  @template Self the class that is made of it */
export class ReplyCore<Self> {
  /** Node's own response. */
  readonly raw: ServerResponse
  readonly request: Request
  readonly #state: ReplyState<Self>

  static {
    readState = (reply) => reply.#state
  }

  constructor(raw: ServerResponse, request: Request, route: RouteFacts<Self>) {
    this.raw = raw
    this.request = request
    bindResponse(request, raw)
    this.#state = {
      route,
      sending: false,
      payload: undefined,
      isHijacked: false,
      isRerouted: false,
      isRefused: false,
      isCut: false,
      onError: 'waiting',
      isFailing: false,
      bodyStream: undefined,
      startedAt: performance.now(),
      errorHandlersUsed: 0,
      errorStatus: undefined,
      isThrownSent: false,
      isInHandler: false,
      isHandled: false,
      isForeseen: false,
      serializer: undefined,
      headers: undefined,
      trailers: undefined,
    }
  }
}

/** What the lifecycle keeps on a reply. */
export function stateOf<Self>(reply: ReplyCore<Self>): ReplyState<Self> {
  return readState(reply)
}
