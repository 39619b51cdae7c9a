import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { readDecorator } from '../context/decorators.ts'
import { errorCodes } from '../errors/codes.ts'
import { createHeaders, hasHead, type HeaderValue } from '../http/headers.ts'
import type { Logger } from '../http/logger.ts'
import { withCharset } from '../http/media-type.ts'
import { isStatus } from '../http/status.ts'
import type { Serializer } from '../schema/compiler-types.ts'
import { writeOrPlace } from '../serialization/failure-place.ts'
import { describe } from '../errors/describe.ts'
import type { ReplySerializer, SerializerSource, TrailerFunction } from '../typed/reply.ts'
import type { RouteOptionsFacts } from '../typed/request.ts'
import type { Deadline } from './deadline.ts'
import type { Request, RequestExchange } from './request.ts'
import { findSerializer } from './schema-functions.ts'
import { readTrailer, type Trailers } from './trailers.ts'

/** What may still happen to a reply:
 *
 *  - `hooks`: the hooks in front of the handler run, and may reply;
 *  - `handler`: the handler has begun, and may reply;
 *  - `onError`: the onError hooks run, and nobody may reply;
 *  - `failing`: an error is being answered; error handlers run, and the first reply is sent;
 *  - `sending`: a payload was accepted; another follows only if sending it fails;
 *  - `hijacked`: whoever called `hijack` answers with `raw`. */
export type Phase = 'hooks' | 'handler' | 'onError' | 'failing' | 'sending' | 'hijacked'

/** The part of an exchange that its reply reads, sets and calls. */
export interface ReplyExchange extends RequestExchange {
  phase: Phase
  /** Whether the last payload was refused: nothing will be written for it. */
  isRefused: boolean
  /** When the request arrived, on the clock of `performance.now()`. */
  readonly startedAt: number
  readonly deadline: Deadline | undefined
  serializer: ReplySerializer | undefined
  /** The headers that were set on the reply, by name in lower case. */
  headers: Record<string, HeaderValue> | undefined
  trailers: Trailers | undefined
}

/** The exchange of a reply, which handlers do not see. */
export let exchangeOf: (reply: Reply) => ReplyExchange

/** One reply, as hooks and handlers see it, but for what sends it: `SendingReply` has that. Each
 *  context has a subclass whose prototype carries the context's reply decorators. */
export class Reply {
  /** Node's own response. */
  readonly raw: ServerResponse
  readonly request: Request
  readonly #exchange: ReplyExchange

  static {
    exchangeOf = (reply) => reply.#exchange
  }

  constructor(exchange: ReplyExchange, request: Request) {
    this.#exchange = exchange
    this.raw = exchange.response
    this.request = request
  }

  get server(): object {
    return this.#exchange.route.server
  }

  /** The logger of the request. */
  get log(): Logger {
    return this.request.log
  }

  set log(log: Logger) {
    this.request.log = log
  }

  get routeOptions(): RouteOptionsFacts {
    return this.#exchange.route.routeOptions
  }

  /** The time since the request arrived, in milliseconds. */
  get elapsedTime(): number {
    return performance.now() - this.#exchange.startedAt
  }

  /** The same as `elapsedTime`, as Fastify 4 calls it. */
  getResponseTime(): number {
    this.#exchange.route.dialect.errors.deprecate('ESP_DEP_RESPONSE_TIME')
    return this.elapsedTime
  }

  /** The name of Fastify 4 for a part of `routeOptions`. Deprecated. */
  get context(): Pick<RouteOptionsFacts, 'config'> {
    this.#exchange.route.dialect.errors.deprecate('ESP_DEP_REPLY_CONTEXT')
    return this.routeOptions
  }

  /** Whether a payload was given to `send`, or returned by the handler, or the reply was
   *  hijacked. */
  get sent(): boolean {
    const { phase } = this.#exchange
    return phase === 'sending' || phase === 'hijacked' || hasHead(this.raw)
  }

  /** Older plugins set this to hijack the reply. Deprecated. */
  set sent(isSent: boolean) {
    this.#exchange.route.dialect.errors.deprecate('ESP_DEP_REPLY_SENT')
    if (isSent) this.hijack()
  }

  get statusCode(): number {
    return this.raw.statusCode
  }

  set statusCode(status: number) {
    this.code(status)
  }

  /** Sets the status.
   *  @throws ESP_ERR_BAD_STATUS_CODE unless it is an integer from 100 to 599 */
  code(status: number): this {
    const given: unknown = typeof status === 'string' ? Number(status) : status
    const { truncatesStatus } = this.#exchange.route.dialect.reply
    const code = truncatesStatus && typeof given === 'number' ? Math.trunc(given) : given
    if (!isStatus(code)) throw new errorCodes.ESP_ERR_BAD_STATUS_CODE(String(status))
    this.raw.statusCode = code
    return this
  }

  /** The same as `code`. */
  status(status: number): this {
    return this.code(status)
  }

  /** Sets a header, in place of one that was set before, here or on `raw`. A `set-cookie` is
   *  added to the others. A header that is set on `raw` later replaces this one. */
  header(name: string, value: HeaderValue = ''): this {
    const key = name.toLowerCase()
    const headers = (this.#exchange.headers ??= createHeaders())
    const present = key === 'set-cookie' ? this.getHeader(key) : undefined
    removeFromRaw(this.raw, key)
    if (present !== undefined) {
      headers[key] = [present, value].flat().map(String)
    } else {
      // A copy, so that later changes of the list do not reach the reply.
      headers[key] = isList(value) ? [...value] : value
    }
    return this
  }

  headers(headers: Readonly<Record<string, HeaderValue | undefined>>): this {
    for (const [name, value] of Object.entries(headers)) this.header(name, value)
    return this
  }

  /** The value of a header that was set here or on `raw`: the later one, or all cookies. */
  getHeader(name: string): HeaderValue | undefined {
    const key = name.toLowerCase()
    const own = this.#exchange.headers?.[key]
    // `header` removes the name from `raw`. A value there was set later.
    const later = this.raw.getHeader(key)
    if (later === undefined) return own
    if (own === undefined || key !== 'set-cookie') return later
    return [...new Set([own, later].flat().map(String))]
  }

  getHeaders(): OutgoingHttpHeaders {
    const all = Object.assign(createHeaders(), this.#exchange.headers)
    for (const name of this.raw.getHeaderNames()) all[name] = this.getHeader(name) ?? ''
    // A copy, so that changes of a list do not reach the reply.
    return structuredClone(all) as OutgoingHttpHeaders
  }

  hasHeader(name: string): boolean {
    return this.getHeader(name) !== undefined
  }

  removeHeader(name: string): this {
    const key = name.toLowerCase()
    delete this.#exchange.headers?.[key]
    removeFromRaw(this.raw, key)
    return this
  }

  /** Sets the content type. Text types get `charset=utf-8` unless another is given. */
  type(contentType: string): this {
    return this.header(
      'content-type',
      withCharset(contentType, this.#exchange.route.dialect.reply.withCharset),
    )
  }

  /** Sends a field after the body, which is sent in chunks then. The function gets the body as it
   *  was written, or null for a stream. It returns the value, a promise of it, or calls back. If
   *  it fails, the field is left out.
   *  @throws ESP_ERR_BAD_TRAILER_NAME, ESP_ERR_BAD_TRAILER_VALUE */
  trailer(name: string, value: TrailerFunction<this>): this {
    const [key, checked] = readTrailer(name, value)
    const state = this.#exchange
    state.trailers = { ...state.trailers, [key]: checked }
    return this
  }

  hasTrailer(name: string): boolean {
    return this.#exchange.trailers?.[name.toLowerCase()] !== undefined
  }

  removeTrailer(name: string): this {
    const state = this.#exchange
    const { [name.toLowerCase()]: _removed, ...others } = state.trailers ?? {}
    state.trailers = Object.keys(others).length === 0 ? undefined : others
    return this
  }

  /** Sends headers before the reply itself (status 103).
   *  @param callback called when they are written */
  writeEarlyHints(hints: Readonly<Record<string, string | string[]>>, callback?: () => void): this {
    this.raw.writeEarlyHints(hints, callback)
    return this
  }

  /** Sets the serializer of this reply only, whatever the route's schema says. Bytes and streams
   *  are not serialized. @throws ESP_ERR_FUNCTION_EXPECTED */
  serializer(serializer: ReplySerializer): this {
    const given: unknown = serializer
    if (typeof given !== 'function') {
      const { schemas } = this.#exchange.route
      throw new errorCodes.ESP_ERR_FUNCTION_EXPECTED('serializer', schemas.route, describe(given))
    }
    this.#exchange.serializer = serializer
    return this
  }

  /** The serializer of a status of the route's schema, or of a schema that was compiled before.
   *  Undefined where there is none. */
  getSerializationFunction(source: SerializerSource, contentType?: string): Serializer | undefined {
    return this.#exchange.route.schemas.serializer(source, contentType)
  }

  /** Compiles a schema with the route's own compiler, once for each schema object.
   *  @throws ESP_ERR_SCH_SERIALIZATION_BUILD, ESP_ERR_SCH_MISSING_REF */
  compileSerializationSchema(
    schema: object,
    httpStatus?: number | string,
    contentType?: string,
  ): Serializer {
    return this.#exchange.route.schemas.compileSerializer(schema, httpStatus, contentType)
  }

  /** Serializes a value with a schema, `(input, schema)`, or with the route's own schema of a
   *  status, `(input, status, contentType?)`.
   *  @throws ESP_ERR_MISSING_SERIALIZATION_FN, ESP_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN, and
   *  what compiling throws */
  serializeInput(
    input: unknown,
    source: SerializerSource,
    ...details: readonly (number | string | undefined)[]
  ): string {
    return writeOrPlace(findSerializer(this.#exchange.route.schemas, source, details), input)
  }

  /** Takes the reply over: the caller answers with `raw`. Only the hooks onResponse, onTimeout
   *  and onRequestAbort run afterwards. The `handlerTimeout` ends. */
  hijack(): this {
    this.#exchange.phase = 'hijacked'
    this.#exchange.deadline?.clear()
    return this
  }

  /** The value of a reply decorator; a function is bound to this reply.
   *  @throws ESP_ERR_DEC_UNDECLARED */
  getDecorator(name: PropertyKey): unknown {
    return readDecorator(this, 'reply', name)
  }

  /** Makes a reply awaitable. It resolves to undefined when the response is finished, since a
   *  promise cannot resolve to a value that can itself be awaited. */
  then(fulfilled?: (() => unknown) | null, rejected?: ((error: unknown) => unknown) | null): void {
    const { raw } = this
    const { isRefused } = this.#exchange
    this.#exchange.isRefused = false
    // A hook that awaits a refused `send` would wait for a response that waits for the hook.
    if (isRefused || raw.writableEnded || raw.destroyed) {
      fulfilled?.()
      return
    }
    raw.once('close', () => {
      if (raw.errored && rejected) rejected(raw.errored)
      else fulfilled?.()
    })
  }
}

/** Properties that every reply has from its constructor. */
export const replyProperties: ReadonlySet<string> = new Set(['raw', 'request'])

function removeFromRaw(raw: ServerResponse, name: string): void {
  if (raw.hasHeader(name) && !hasHead(raw)) raw.removeHeader(name)
}

function isList(value: HeaderValue): value is readonly string[] {
  return Array.isArray(value)
}
