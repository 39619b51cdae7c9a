import { STATUS_CODES } from 'node:http'
import { EspalierError } from '../errors/espalier-error.ts'
import { errorCodes } from '../errors/codes.ts'
import { connectionHeaders, hasHead, type HeaderValue } from '../http/headers.ts'
import { problemJson, toProblem } from '../http/problem-details.ts'
import { isObject, readSafely, type JsonObject } from '../types/objects.ts'
import type { CompiledRoute } from './compiled-route.ts'
import type { Exchange } from './exchange.ts'
import { type AnyHttpError, HttpError } from '../schema/http-error.ts'
import { json } from '../serialization/responses.ts'
import { ValidationFailed } from '../validation/validation-error.ts'
import { logFailure } from './log/lines.ts'
import { type Body, errorText, nameReply } from './payload.ts'
import { announcesBody } from './unread-body.ts'
import type { Reply } from './reply.ts'
import { setJsonType, writeReply } from './write.ts'

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

/** The error for undefined or null that was thrown. */
export function nothingThrown({ name, dialect }: CompiledRoute, thrown: unknown): Error {
  return dialect.errors.show(new errorCodes.ESP_ERR_SEND_UNDEFINED_ERR(name, String(thrown)))
}

/** A thrown error is answered with its own status, else 500. An error that was given to `send` is
 *  answered with the status that was set before, if that is 400 or more. */
export function setErrorStatus(
  exchange: Exchange,
  error: unknown,
  own: number | undefined,
  isSent: boolean,
): void {
  const { statusCode } = exchange.response
  exchange.isForeseen = isSent && statusCode >= 400 && statusCode !== exchange.errorStatus
  if (!exchange.isForeseen) {
    exchange.errorStatus = own ?? 500
    // The framework's own errors of status 500 are meant for the developer.
    exchange.isForeseen = own !== undefined && !(error instanceof EspalierError && own === 500)
    exchange.response.statusCode = exchange.errorStatus
  }
}

/** Closes a connection behind the answer to a request whose body was not read to its end. Node
 *  reads the rest, which may be long. */
export function closeBehindLong(reply: Reply): void {
  const { raw, routeOptions } = reply.request
  const length = Number(raw.headers['content-length'] ?? Infinity)
  const isLong = announcesBody(raw) && length > routeOptions.bodyLimit
  if (isLong && raw.httpVersionMajor < 2) reply.header('connection', 'close')
}

/** Sets the headers of an error that has a status of its own, such as `www-authenticate`, or
 *  `upgrade` with status 426. Headers of a payload or of a connection are left out: they may come
 *  from another server's answer. */
export function setHeaders(headers: object, reply: Reply): void {
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

/** What the answer to an error takes from it. */
interface ErrorFacts {
  /** From 400 to 599. Undefined where it has none: it is answered with 500. */
  readonly status: number | undefined
  readonly code: string | undefined
  readonly message: string | undefined
  readonly headers: object | null
  /** The error itself, if it is one of `httpError` that nothing declares. */
  readonly undeclared: AnyHttpError | undefined
}

type ErrorLike = Readonly<Record<string, unknown>>

/** Whether neither the scope nor the route declares an error. Replies of Fastify's dialect need not
 *  be declared. */
function isUndeclared({ responses, dialect }: CompiledRoute, error: AnyHttpError): boolean {
  const { statusCode, code } = error
  return dialect.reply.refusesUndeclared && !responses.declaresError(statusCode, code)
}

/** The error that says how to declare another. */
export function undeclaredError({ name, place }: CompiledRoute, error: AnyHttpError): Error {
  const { name: thrown } = error.constructor
  const details = [thrown, name, thrown, place, error.statusCode, thrown, error]
  return new errorCodes.ESP_ERR_HTTP_ERROR_UNDECLARED(...details)
}

/** Reads an error, which may be any value, and have getters that throw.
 *  @param route in which an error of `httpError` may be undeclared */
export function factsOf(error: unknown, route?: CompiledRoute): ErrorFacts {
  try {
    const { statusCode, status = 0, code, message, headers } = error as ErrorLike
    const given = Number.isInteger(statusCode ?? status) ? Number(statusCode ?? status) : 0
    // The status of another server's answer says nothing of this request.
    const isOther = typeof code === 'string' && code.startsWith('ESP_ERR_CLIENT_')
    const undeclared =
      route !== undefined && error instanceof HttpError && isUndeclared(route, error)
        ? error
        : undefined
    const isOwn = given >= 400 && given <= 599 && !isOther && undeclared === undefined
    return {
      status: isOwn ? given : undefined,
      undeclared,
      code: typeof code === 'string' ? code : undefined,
      message: typeof message === 'string' ? message : undefined,
      headers: typeof headers === 'object' && !Array.isArray(headers) ? headers : null,
    }
  } catch {
    const names = ['statusCode', 'status', 'code', 'message', 'headers']
    return factsOf(Object.fromEntries(names.map((name) => [name, readSafely(error, name)])))
  }
}

/** The default body of an answer to an error. Sets its content type. */
export function bodyOf(exchange: Exchange, error: unknown): string | Uint8Array {
  const { statusCode } = exchange.response
  const hides = statusCode >= 500 && !exchange.isForeseen && !exchange.route.exposeErrors
  const phrase = STATUS_CODES[statusCode] ?? 'Unknown'
  const { code, message = phrase } = factsOf(error)
  const payload = {
    statusCode,
    ...(code !== undefined && !hides && { code }),
    error: phrase,
    message: hides ? phrase : message,
  }
  if (!exchange.route.problemDetails) {
    setJsonType(exchange, json)
    return serializeError(exchange, payload, hides ? {} : error)
  }
  const facts = hides ? {} : { detail: factsOf(error).message, code, issues: issuesOf(error) }
  const problem = toProblem(statusCode, facts)
  const { ofError, ofProblem } = exchange.route.responses.at(statusCode)
  const isOther = ofError !== undefined && ofProblem === undefined
  setJsonType(exchange, isOther ? json : problemJson)
  const given = isOther ? { ...problem, ...payload } : problem
  const text = serializeError(exchange, given, hides ? {} : error)
  if (!isOther || exchange.declaredStatus !== undefined) return text
  // The error does not fit what is declared.
  setJsonType(exchange, problemJson)
  return JSON.stringify(problem)
}

/** The issues of a failed validation. Another error may have a field of that name. */
function issuesOf(error: unknown): unknown {
  return readSafely(error, 'validation') === undefined ? undefined : readSafely(error, 'issues')
}

/** Serializes an error payload by the response schema, which may name more fields of the error.
 *  If the payload does not fit, it is written as JSON, or the failure itself is (Fastify's
 *  dialect). */
function serializeError(
  exchange: Exchange,
  payload: { readonly code?: string | undefined },
  error: unknown,
): string | Uint8Array {
  const { route, reply, response } = exchange
  const { statusCode } = response
  const responses = route.responses.at(statusCode)
  const { errors, ofError, ofProblem } = responses
  const ofCode = errors === undefined ? ofError : errors.get(payload.code ?? '')
  const written = (route.problemDetails ? ofProblem : undefined) ?? ofCode
  exchange.declaredStatus = undefined
  if (written === undefined) {
    // The types of such a route have the payload that is no problem for a failed validation.
    const isTyped = route.responses.infersSuccess && !responses.isDeclared && !route.problemDetails
    if (isTyped && statusCode === 400 && route.validators.length > 0) exchange.declaredStatus = 400
    return JSON.stringify(payload)
  }
  try {
    const { serialize, named } = written
    const given = isObject(error) ? withNamed(named, error, payload) : payload
    const text = errorText(exchange, serialize, given)
    exchange.declaredStatus = statusCode
    return text
  } catch (failure) {
    logFailure(exchange, 'serializerError', nameReply(exchange, failure))
    const isAnswered = route.dialect.errors.answersFailedSerializer && route.exposeErrors
    if (!isAnswered) return JSON.stringify(payload)
    reply.code(500)
    const coded = asCoded(failure, String(readSafely(payload, 'message')))
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
  const fields = named.filter((name) => Object.hasOwn(error, name) || isIssues(error, name))
  return { ...Object.fromEntries(fields.map((name) => [name, error[name]])), ...payload }
}

/** Whether a name is that of the issues of a failed validation, which its class gives. */
function isIssues(error: JsonObject, name: string): boolean {
  return name === 'issues' && error instanceof ValidationFailed
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
export function writeBare(exchange: Exchange, body: Body, type: HeaderValue): void {
  const { response, reply } = exchange
  // Trailers may need time, and this is the last answer.
  exchange.trailers = undefined
  for (let attempt = 0; attempt < 2 && !hasHead(response); attempt++) {
    try {
      dropRepresentation(reply)
      reply.header('content-type', type)
      writeReply(exchange, body)
    } catch (error) {
      logFailure(exchange, 'writeHeadError', error)
    }
  }
  // A hook wrote to `raw`.
  if (!response.writableEnded) response.destroy()
}

/** Removes the headers of a payload that is not sent (RFC 9110, 8). */
export function dropRepresentation(reply: Reply): void {
  for (const name of representationHeaders) {
    if (isOfPayload(name, reply.getHeader(name))) reply.removeHeader(name)
  }
}
