import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { errorCodes } from '../errors/codes.ts'
import { readDecorator } from '../context/decorated.ts'
import { createHeaders, type HeaderValue } from '../http/headers.ts'
import type { Logger } from '../http/logger.ts'
import { isStatus } from '../http/status.ts'
import { describe } from '../schema/values.ts'
import type { Serializer } from '../schema/compiler-types.ts'
import type { Request } from './request.ts'
import type { RouteFacts, RouteOptionsFacts } from './route-facts.ts'
import { findSerializer, type SerializerSource } from './schema-functions.ts'

/** Turns a payload into what is written: text, or bytes. */
export type ReplySerializer = (payload: unknown) => string | Uint8Array

/** What the lifecycle keeps on a reply, out of the reach of handlers. */
export interface ReplyState {
  route: RouteFacts<Reply>
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
  /** Whether the message of the last error is meant for the client. */
  isForeseen: boolean
  serializer: ReplySerializer | undefined
  headers: Record<string, HeaderValue> | undefined
}

let readState: (reply: Reply) => ReplyState

/** One reply, as hooks and handlers see it. Each context has a subclass whose prototype carries the
 *  context's reply decorators. */
export class Reply {
  /** Node's own response. */
  readonly raw: ServerResponse
  readonly request: Request
  readonly #state: ReplyState

  static {
    readState = (reply) => reply.#state
  }

  constructor(raw: ServerResponse, request: Request, route: RouteFacts<Reply>) {
    this.raw = raw
    this.request = request
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
      isForeseen: false,
      serializer: undefined,
      headers: undefined,
    }
  }

  get server(): object {
    return this.#state.route.server
  }

  /** That of the request. */
  get log(): Logger {
    return this.request.log
  }

  set log(log: Logger) {
    this.request.log = log
  }

  get routeOptions(): RouteOptionsFacts {
    return this.#state.route.routeOptions
  }

  /** The time since the request arrived, in milliseconds. */
  get elapsedTime(): number {
    return performance.now() - this.#state.startedAt
  }

  get statusCode(): number {
    return this.raw.statusCode
  }

  set statusCode(status: number) {
    this.code(status)
  }

  /** Whether a payload was given to `send`, or returned by the handler, or the reply was hijacked. */
  get sent(): boolean {
    const { sending, isHijacked } = this.#state
    return sending || isHijacked || this.raw.headersSent
  }

  /** Sets the status.
   *  @throws ESP_ERR_BAD_STATUS_CODE unless it is an integer from 100 to 599 */
  code(status: number): this {
    const code: unknown = typeof status === 'string' ? Number(status) : status
    if (!isStatus(code)) throw new errorCodes.ESP_ERR_BAD_STATUS_CODE(String(status))
    this.raw.statusCode = code
    return this
  }

  /** The same as `code`. */
  status(status: number): this {
    return this.code(status)
  }

  /** Sets a header. `set-cookie` is added to what is there; any other replaces it. */
  header(name: string, value: HeaderValue = ''): this {
    const key = name.toLowerCase()
    const headers = (this.#state.headers ??= createHeaders())
    const present = headers[key]
    if (key === 'set-cookie' && present !== undefined) {
      headers[key] = [present, value].flat().map(String)
    } else {
      // A copy: what is done to the list later must not reach the reply, nor another that has it.
      headers[key] = isList(value) ? [...value] : value
    }
    return this
  }

  headers(headers: Readonly<Record<string, HeaderValue | undefined>>): this {
    for (const [name, value] of Object.entries(headers)) this.header(name, value)
    return this
  }

  getHeader(name: string): HeaderValue | undefined {
    const key = name.toLowerCase()
    return this.#state.headers?.[key] ?? this.raw.getHeader(key)
  }

  getHeaders(): OutgoingHttpHeaders {
    // A copy: what a caller does to the list of a header must not reach the reply.
    return structuredClone({
      ...this.raw.getHeaders(),
      ...this.#state.headers,
    }) as OutgoingHttpHeaders
  }

  hasHeader(name: string): boolean {
    return this.getHeader(name) !== undefined
  }

  removeHeader(name: string): this {
    delete this.#state.headers?.[name.toLowerCase()]
    return this
  }

  /** Sets the content type. Text types get `charset=utf-8` unless another is given. */
  type(contentType: string): this {
    const isText = /^(text\/|application\/json\b)/i.test(contentType)
    const needsCharset = isText && !/;\s*charset\s*=/i.test(contentType)
    return this.header('content-type', needsCharset ? `${contentType}; charset=utf-8` : contentType)
  }

  /** Sets the serializer of this reply only, whatever the route's schema says. Bytes and streams are
   *  not serialized. @throws ESP_ERR_FUNCTION_EXPECTED */
  serializer(serializer: ReplySerializer): this {
    const given: unknown = serializer
    if (typeof given !== 'function') {
      const { schemas } = this.#state.route
      throw new errorCodes.ESP_ERR_FUNCTION_EXPECTED('serializer', schemas.route, describe(given))
    }
    this.#state.serializer = serializer
    return this
  }

  /** The text of a payload as `send` would write it now: with the reply's serializer, the scope's, or
   *  the route's schema for the status and the type. @throws what the serializer throws */
  serialize(payload: unknown): string | Uint8Array {
    return this.#state.route.serialize(this, payload)
  }

  /** The serializer of a status of the route's schema, or of a schema that was compiled before.
   *  Undefined where there is none. */
  getSerializationFunction(source: SerializerSource, contentType?: string): Serializer | undefined {
    return this.#state.route.schemas.serializer(source, contentType)
  }

  /** Compiles a schema with the route's own compiler, once for each schema object.
   *  @throws ESP_ERR_SCH_SERIALIZATION_BUILD, ESP_ERR_SCH_MISSING_REF */
  compileSerializationSchema(
    schema: object,
    httpStatus?: number | string,
    contentType?: string,
  ): Serializer {
    return this.#state.route.schemas.compileSerializer(schema, httpStatus, contentType)
  }

  /** The text of a value by a schema: `(input, schema)`; or by the route's own schema of a status:
   *  `(input, status, contentType?)`.
   *  @throws ESP_ERR_MISSING_SERIALIZATION_FN, ESP_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN, and what
   *  compiling throws */
  serializeInput(
    input: unknown,
    source: SerializerSource,
    ...details: readonly (number | string | undefined)[]
  ): string {
    return findSerializer(this.#state.route.schemas, source, details)(input)
  }

  /** Sends a payload: an Error is answered as an error; strings, bytes, streams and a `Response` are
   *  sent as they are; all else is serialized with the route's schema for the status, or as JSON. */
  send(payload?: unknown): this {
    this.#state.route.deliver(this, payload)
    return this
  }

  /** Leaves the answer to the not-found handler of this context, with the preHandler hooks that
   *  `setNotFoundHandler` was given. */
  callNotFound(): this {
    this.#state.route.callNotFound(this)
    return this
  }

  /** Takes the reply out of the framework's hands: whoever calls it answers with `raw`. Only the
   *  hooks that watch its end (onResponse, onTimeout, onRequestAbort) run afterwards. */
  hijack(): this {
    this.#state.isHijacked = true
    return this
  }

  /** The value of a reply decorator; a function is bound to this reply.
   *  @throws ESP_ERR_DEC_UNDECLARED */
  getDecorator(name: PropertyKey): unknown {
    return readDecorator(this, 'reply', name)
  }

  /** Answers with a `location`, and status 302 unless another is given or set. */
  redirect(url: string, status?: number): this {
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
    const { isRefused } = this.#state
    this.#state.isRefused = false
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

function isList(value: HeaderValue): value is readonly string[] {
  return Array.isArray(value)
}

/** What the lifecycle keeps on a reply. */
export function stateOf(reply: Reply): ReplyState {
  return readState(reply)
}

/** Properties that every reply has from its constructor. */
export const replyProperties: ReadonlySet<string> = new Set(['raw', 'request'])
