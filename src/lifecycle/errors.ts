import { EspalierError } from '../errors/espalier-error.ts'
import { errorCodes } from '../errors/codes.ts'
import { connectionHeaders, hasHead, type HeaderValue } from '../http/headers.ts'
import { destroyPayload, isError } from '../http/payload-kind.ts'
import { phraseOf } from '../http/status.ts'
import { isObject, readSafely, type JsonObject } from '../types/objects.ts'
import { isThenable } from '../types/promises.ts'
import { traceError } from './channels.ts'
import type { CompiledRoute } from './compiled-route.ts'
import { hasLeft, type Exchange } from './exchange.ts'
import { report, runAll } from './hooks.ts'
import { logAnswered, logFailure } from './log/lines.ts'
import { type Body, errorText } from './payload.ts'
import { announcesBody } from './read-body.ts'
import type { Reply } from './reply.ts'
import { sendBody, writeReply } from './write.ts'

const json = 'application/json; charset=utf-8'

/** The headers that describe a payload (RFC 9110, 8 and 14.4; RFC 9530; RFC 6266). */
const representationHeaders: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'content-language',
  'content-location',
  'content-range',
  'content-disposition',
  'content-digest',
  'repr-digest',
  'content-md5',
  'digest',
  'etag',
  'last-modified',
  'declared',
])

/** A `content-range` without a range describes the refusal of status 416 (RFC 9110, 15.5.17). */
const noRange = /^\S+ \*\//

/** Whether a header describes a payload. It does not hold for the answer to an error. */
function isOfPayload(name: string, value: unknown): boolean {
  if (!representationHeaders.has(name)) return false
  return name !== 'content-range' || !noRange.test(String(value))
}

/** How an error came: it was thrown or rejected, given to `done` by a hook, or given to `send`. */
export type Origin = 'thrown' | 'done' | 'sent'

/** Answers an error. All errors of a request come here.
 *
 *  The onError hooks run first, once for a request. Then the error handlers of the route's
 *  context and its ancestors are called, the nearest first, each when the one before it throws.
 *  The default answer comes last. While an error is being answered, another is only reported.
 *  After a reply was sent, an error is reported, and a response that somebody has begun on `raw`
 *  is cut. */
export function fail(exchange: Exchange, error: unknown, origin: Origin = 'thrown'): void {
  const { phase, reply } = exchange
  if (reply.sent) reportAfterReply(exchange, error, phase === 'sending')
  else if (phase === 'onError' || phase === 'failing') report(exchange, error)
  else answer(exchange, error, origin)
}

/** Answers an error in place of the answer that is under way. A reply that was hijacked, or has
 *  begun to be written, stays. */
export function failInstead(exchange: Exchange, error: unknown, origin: Origin = 'thrown'): void {
  const isWritten = hasHead(exchange.response)
  if (exchange.phase === 'hijacked' || isWritten) reportAfterReply(exchange, error, false)
  else answer(exchange, error, origin)
}

/** Answers an error of a stage. Once the request has left the route for the not-found handler,
 *  the error is only reported. */
export function failStage(
  exchange: Exchange,
  route: CompiledRoute,
  error: unknown,
  origin: Origin = 'thrown',
): void {
  if (hasLeft(exchange, route)) report(exchange, error, 'error', route)
  else fail(exchange, error, origin)
}

function answer(exchange: Exchange, given: unknown, origin: Origin): void {
  const { route, reply } = exchange
  const { errors } = route.dialect
  const thrown = errors.show(given)
  const error = errors.keepsStatus ? thrown : (thrown ?? nothingThrown(route, thrown))
  exchange.phase = 'failing'
  if (!errors.keepsStatus) {
    const isSent = origin === 'sent' || (origin === 'done' && ownStatus(error) === undefined)
    setErrorStatus(exchange, error, isSent)
    setHeadersOf(error, reply)
  }
  closeBehindLong(reply)
  dropRepresentation(exchange)
  traceError(exchange, error)
  runErrorHooks(exchange, error)
}

function runErrorHooks(exchange: Exchange, error: unknown): void {
  const { onError } = exchange.route.hooks
  if (onError.length === 0 || exchange.hasRunOnError) {
    handleError(exchange, error)
    return
  }
  exchange.hasRunOnError = true
  exchange.phase = 'onError'
  void runAll(onError, exchange, error).then(() => {
    if (exchange.phase === 'hijacked') report(exchange, error)
    // A timeout may have been answered meanwhile.
    if (exchange.phase !== 'onError') return
    exchange.phase = 'failing'
    handleError(exchange, error)
  })
}

/** Reports an error that comes after the reply. If somebody has begun to write to `raw`, the
 *  response is incomplete: the connection is cut.
 *  @param isWhole whether a payload is being sent, which goes on */
function reportAfterReply(exchange: Exchange, error: unknown, isWhole: boolean): void {
  const { phase, response } = exchange
  report(exchange, error, isExpected(exchange) ? 'info' : 'error')
  if (!hasHead(response) || response.writableEnded) return
  if (isWhole || phase === 'hijacked') return
  exchange.isCut = true
  response.destroy()
}

/** Whether an error is expected: Fastify logs one that comes after `hijack` as info. */
export function isExpected({ route, phase }: Exchange): boolean {
  return route.dialect.errors.hijackEndsErrors && phase === 'hijacked'
}

/** The error for undefined or null that was thrown. */
export function nothingThrown({ name, dialect }: CompiledRoute, thrown: unknown): Error {
  return dialect.errors.show(new errorCodes.ESP_ERR_SEND_UNDEFINED_ERR(name, String(thrown)))
}

function handleError(exchange: Exchange, error: unknown): void {
  const { route, request, reply } = exchange
  const handler = route.errorHandlers[exchange.errorHandlersUsed]
  exchange.errorHandlersUsed += 1
  exchange.turn += 1
  if (handler === undefined) {
    answerByDefault(exchange, error)
    return
  }
  const call = new ErrorHandlerCall(exchange, error)
  try {
    const result = handler(error, request, reply)
    if (result === reply) return
    if (isThenable(result)) call.follow(result)
    else if (result !== undefined) call.send(result)
  } catch (thrown) {
    call.fail(thrown)
  }
}

/** One call of an error handler. Its turn ends when the handler has replied, or when the next error
 *  handler or the not-found handler takes over. Later results of the handler are ignored. */
class ErrorHandlerCall {
  readonly #exchange: Exchange
  readonly #error: unknown
  readonly #number: number

  constructor(exchange: Exchange, error: unknown) {
    this.#exchange = exchange
    this.#error = error
    this.#number = exchange.turn
  }

  follow(result: PromiseLike<unknown>): void {
    result.then(
      (payload) => {
        if (payload === undefined) this.#end()
        else this.send(payload)
      },
      (thrown: unknown) => {
        this.fail(thrown)
      },
    )
  }

  send(payload: unknown): void {
    if (this.#mayReply) this.#exchange.reply.send(payload)
    else destroyPayload(payload)
  }

  fail(thrown: unknown): void {
    if (this.#mayReply) failInstead(this.#exchange, thrown)
    else if (this.#isCurrent) fail(this.#exchange, thrown)
    else report(this.#exchange, thrown)
  }

  /** The handler has ended without a reply. The new error has the old one as its cause. */
  #end(): void {
    const { route, reply } = this.#exchange
    if (!this.#mayReply) return
    if (route.dialect.reply.allowsNothing) reply.send()
    else {
      const { name } = route
      const error = this.#error
      this.fail(new errorCodes.ESP_ERR_PROMISE_NOT_FULFILLED('error handler', name, error))
    }
  }

  /** Whether nobody else has taken over. */
  get #isCurrent(): boolean {
    return this.#exchange.turn === this.#number
  }

  get #mayReply(): boolean {
    return this.#isCurrent && !this.#exchange.reply.sent
  }
}

/** A thrown error is answered with its own status, else 500. An error that was given to `send` is
 *  answered with the status that was set before, if that is 400 or more. */
function setErrorStatus(exchange: Exchange, error: unknown, isSent: boolean): void {
  const { reply } = exchange
  const { statusCode } = reply
  exchange.isForeseen = isSent && statusCode >= 400 && statusCode !== exchange.errorStatus
  if (!exchange.isForeseen) {
    const own = ownStatus(error)
    exchange.errorStatus = statusOf(error)
    // The framework's own errors of status 500 are meant for the developer.
    exchange.isForeseen = own !== undefined && !(error instanceof EspalierError && own === 500)
    reply.code(exchange.errorStatus)
  }
}

function closeBehindLong(reply: Reply): void {
  // Node reads the rest of a body. If that may be long, the connection is closed.
  const { raw, routeOptions } = reply.request
  const length = Number(raw.headers['content-length'] ?? Infinity)
  const isLong = announcesBody(raw) && length > routeOptions.bodyLimit
  if (isLong && !raw.complete && raw.httpVersionMajor < 2) reply.header('connection', 'close')
}

/** Sets the headers of an error that has a status, such as `www-authenticate`, or `upgrade` with
 *  status 426. Headers of a payload or of a connection are left out: they may come from another
 *  server's answer. */
function setHeadersOf(error: unknown, reply: Reply): void {
  const headers = readSafely(error, 'headers')
  if (ownStatus(error) === undefined || !isObject(headers)) return
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase()
    const isForeign = connectionHeaders.has(key) && key !== 'upgrade'
    if (isForeign || isOfPayload(key, value) || !isHeaderValue(value)) continue
    reply.header(name, value)
  }
}

function isHeaderValue(value: unknown): value is HeaderValue {
  return ['string', 'number'].includes(typeof value) || Array.isArray(value)
}

/** The status with which a thrown error is answered. */
export function statusOf(error: unknown): number {
  return ownStatus(error) ?? 500
}

function ownStatus(error: unknown): number | undefined {
  // The status of another server's answer says nothing of this request.
  if (String(readSafely(error, 'code')).startsWith('ESP_ERR_CLIENT_')) return undefined
  const status = readSafely(error, 'statusCode') ?? readSafely(error, 'status')
  const isError = Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599
  return isError ? Number(status) : undefined
}

/** Answers `{ statusCode, code, error, message }`. The message of an unforeseen error is only
 *  logged: it may say what the client must not know. */
function answerByDefault(exchange: Exchange, thrown: unknown): void {
  const { route, reply } = exchange
  const error = thrown ?? nothingThrown(route, thrown)
  const { keepsStatus } = route.dialect.errors
  if (keepsStatus) {
    setErrorStatus(exchange, error, reply.statusCode !== 200)
    setHeadersOf(error, reply)
  }
  // An onError hook may have set another status.
  if (reply.statusCode < 400) reply.code(statusOf(error))
  const { statusCode } = reply
  logAnswered(exchange, error)
  // A value that is no Error is sent as it is, but once: its serializer may throw another.
  const isFirst = exchange.errorHandlersUsed === route.errorHandlers.length + 1
  if (route.exposeErrors && !isError(error) && isFirst) {
    reply.send(error)
    return
  }
  exchange.phase = 'sending'
  const body = bodyOf(exchange, error)
  reply.header('content-type', json)
  sendBody(exchange, body, (_exchange, cause) => {
    const failure = cause ?? nothingThrown(route, cause)
    logFailure(exchange, 'writeHeadError', failure)
    // The failed hook may have set another status. Fastify answers its error with that.
    if (!keepsStatus) reply.code(statusCode)
    else if (reply.statusCode < 400) reply.code(statusOf(failure))
    writeBare(exchange, keepsStatus ? bodyOf(exchange, failure) : body)
  })
}

/** The default body of an answer to an error. */
function bodyOf(exchange: Exchange, error: unknown): string | Uint8Array {
  const { statusCode } = exchange.reply
  const hides = statusCode >= 500 && !exchange.isForeseen && !exchange.route.exposeErrors
  const phrase = phraseOf(statusCode)
  const [code, message] = [readSafely(error, 'code'), readSafely(error, 'message')]
  const payload = {
    statusCode,
    ...(typeof code === 'string' && !hides && { code }),
    error: phrase,
    message: hides || typeof message !== 'string' ? phrase : message,
  }
  return serializeError(exchange, payload, hides ? {} : error)
}

/** Serializes an error payload by the response schema, which may name more fields of the error.
 *  If the payload does not fit, it is written as JSON, or the failure itself is (Fastify's
 *  dialect). */
function serializeError(
  exchange: Exchange,
  payload: { readonly statusCode: number; readonly message: string },
  error: unknown,
): string | Uint8Array {
  const { route, reply } = exchange
  const written = route.serializers?.chooseForError(payload.statusCode)
  exchange.declaredStatus = undefined
  if (written === undefined) {
    // The types of such a route have this payload for a failed validation.
    const isTyped = route.infersSuccess && !route.serializers?.declares(400)
    if (isTyped && payload.statusCode === 400 && route.validators.length > 0)
      exchange.declaredStatus = 400
    return JSON.stringify(payload)
  }
  try {
    const { serialize, named } = written
    const given = isObject(error) ? withNamed(named, error, payload) : payload
    const text = errorText(exchange, serialize, given)
    exchange.declaredStatus = payload.statusCode
    return text
  } catch (failure) {
    logFailure(exchange, 'serializerError', failure)
    const isAnswered = route.dialect.errors.answersFailedSerializer && route.exposeErrors
    if (!isAnswered) return JSON.stringify(payload)
    reply.code(500)
    const coded = asCoded(failure, payload.message)
    const { statusCode, code, message } = route.dialect.errors.show(coded)
    return JSON.stringify({ statusCode, code, message })
  }
}

/** A payload with those fields of an error that the schema names. An error may have other fields
 *  that are not for clients, such as another server's answer.
 *  @param named undefined if the names are not known */
function withNamed(
  named: readonly string[] | undefined,
  error: JsonObject,
  payload: object,
): object {
  if (named === undefined) return withHidden(error, payload)
  const fields = named.filter((name) => Object.hasOwn(error, name))
  return { ...Object.fromEntries(fields.map((name) => [name, error[name]])), ...payload }
}

/** A payload that has a field of an error only once the serializer has read it by its name. So a
 *  serializer that copies all fields does not copy it. */
function withHidden(error: JsonObject, payload: object): object {
  const hidden: object = {}
  const shown: object = { __proto__: hidden, ...payload }
  for (const [name, value] of Object.entries(error)) {
    if (Object.hasOwn(payload, name) || typeof value === 'function') continue
    const get = (): unknown => {
      Object.defineProperty(shown, name, { value, enumerable: true })
      return value
    }
    Object.defineProperty(hidden, name, { get })
  }
  return shown
}

function asCoded(failure: unknown, message: string): EspalierError {
  if (failure instanceof EspalierError) return failure
  const what = readSafely(failure, 'message') ?? failure
  return new errorCodes.ESP_ERR_FAILED_ERROR_SERIALIZATION(String(what), message)
}

/** Writes an answer without hooks: a hook failed again, or Node refused headers. The second
 *  attempt is for headers that are refused after a hook failed. */
export function writeBare(exchange: Exchange, body: Body): void {
  const { response, reply } = exchange
  // Trailers may need time, and this is the last answer.
  exchange.trailers = undefined
  for (let attempt = 0; attempt < 2 && !hasHead(response); attempt++) {
    try {
      dropRepresentation(exchange)
      reply.header('content-type', json)
      writeReply(exchange, body)
    } catch (error) {
      logFailure(exchange, 'writeHeadError', error)
    }
  }
  // A hook wrote to `raw`.
  if (!response.writableEnded) response.destroy()
}

/** Removes the headers of a payload that is not sent (RFC 9110, 8). */
function dropRepresentation({ headers, reply }: Exchange): void {
  if (headers === undefined && reply.raw.getHeaderNames().length === 0) return
  for (const name of representationHeaders) {
    if (isOfPayload(name, reply.getHeader(name))) reply.removeHeader(name)
  }
}
