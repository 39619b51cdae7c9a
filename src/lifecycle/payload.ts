import zlib from 'node:zlib'
import type { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { errorCodes } from '../errors/codes.ts'
import { connectionHeaders, createHeaders } from '../http/headers.ts'
import { isJson, mediaTypeOf } from '../http/media-type.ts'
import type { Serializer } from '../schema/compiler-types.ts'
import { describe } from '../errors/describe.ts'
import { ignoreRejection } from '../types/promises.ts'
import { addPlace, writeOrPlace } from '../serialization/failure-place.ts'
import { UnfitPayload } from '../serialization/projection.ts'
import type { ItemFormat } from '../serialization/item-format.ts'
import { problemJson } from '../http/problem-details.ts'
import { readSafely } from '../types/objects.ts'
import { json, jsonWriter, type StatusResponses } from '../serialization/responses.ts'
import {
  type AnyIterable,
  isBytes,
  isError,
  isResponse,
  isStream,
  isStructured,
  isWebStream,
  type PayloadKind,
  toBytes,
  toReadable,
} from '../http/payload-kind.ts'
import type { Exchange } from './exchange.ts'
import { ItemStream } from './item-stream.ts'
import { logFailure } from './log/lines.ts'
import type { Reply } from './reply.ts'
import { isEncrypted } from './request.ts'

/** What is written to the socket. */
export type Body = string | Uint8Array | Readable | undefined

/** The content types of payloads that are sent as they are, if none was set or declared. */
const ownTypes = { text: 'text/plain; charset=utf-8', bytes: 'application/octet-stream' } as const

/** Turns a payload into a body, and sets its content type: the one that was set, else the only
 *  one that the schema has for the status, else one by the kind of the payload.
 *
 *  Bytes, streams and the body of a `Response` are sent as they are. So are strings, unless a
 *  Standard Schema or a transform changes them. An async iterable is sent item by item, unless the
 *  reply has a serializer of its own. Any other value is serialized with the reply's serializer,
 *  else its scope's, else the route's schema for the status (specification 2.5), else as JSON.
 *  @throws ESP_ERR_REP_INVALID_PAYLOAD_TYPE, ESP_ERR_REP_READABLE_STREAM_LOCKED,
 *  ESP_ERR_REP_RESPONSE_BODY_CONSUMED, and what a serializer throws */
export function serializePayload(
  exchange: Exchange,
  payload: unknown,
  kind: PayloadKind,
  responses: StatusResponses,
): Body {
  switch (kind) {
    case 'nothing':
      return undefined
    case 'text':
      if (exchange.serializer === undefined) return readText(exchange, payload as string, responses)
      break
    case 'null':
      if (responses.isBare) return undefined
      break
    case 'items':
      if (sendsItems(exchange)) return streamOf(exchange, payload as AnyIterable, responses)
      break
    case 'sendable': {
      const { typesStreams } = exchange.route.dialect.reply
      if (typesStreams ? !isResponse(payload) : isBytes(payload))
        setOwnType(exchange, 'bytes', responses)
      return readSendable(exchange, payload)
    }
  }
  return write(exchange, payload, responses)
}

/** Whether an iterable is sent item by item. */
function sendsItems({ route, serializer }: Exchange): boolean {
  return route.dialect.reply.streamsIterables && serializer === undefined
}

/** Whether a payload is sent through a serializer as a whole. */
export function isWhole(exchange: Exchange, kind: PayloadKind): boolean {
  if (kind === 'items') return !sendsItems(exchange)
  return kind === 'plain' || kind === 'value' || kind === 'error'
}

/** Writes a payload by a serializer, and sets the content type if nobody has. */
function write(
  exchange: Exchange,
  payload: unknown,
  responses: StatusResponses,
): string | Uint8Array {
  const given = typeOf(exchange)
  const text = textOf(exchange, payload, responses, given)
  // A serializer of the user may have set a type.
  if (given === undefined && exchange.headers?.['content-type'] === undefined)
    (exchange.headers ??= createHeaders())['content-type'] = usualType(exchange, responses)
  return text
}

/** The content type that was set on a reply. */
function typeOf({ reply }: Exchange): string | undefined {
  const type = reply.getHeader('content-type')
  return type === undefined ? undefined : String(type)
}

/** The content type of what is serialized, if none was set: the only one that the schema has for
 *  the status, else JSON. A serializer of the reply or of its scope may make JSON whatever is
 *  declared. */
function usualType({ route, serializer }: Exchange, { usual }: StatusResponses): string {
  const isOwn = (serializer ?? route.replySerializer) !== undefined
  return isOwn && !route.dialect.reply.refusesUndeclared ? json : usual.type
}

/** A stream of what an iterable gives: of items, if the type that was set or declared has an
 *  `itemSchema`, else of text and bytes. */
function streamOf(exchange: Exchange, iterable: AnyIterable, responses: StatusResponses): Readable {
  const { route, reply } = exchange
  const format = responses.chooseItems(typeOf(exchange))
  if (format === undefined) setOwnType(exchange, 'bytes', responses)
  else setItemHeaders(reply, format)
  const stream = new ItemStream(iterable, {
    write: format?.write ?? chunkWriter(exchange),
    streams: route.itemStreams,
    response: exchange.response,
    isEvents: format?.isEvents === true,
    route: route.name,
    abort: () => {
      exchange.abort ??= new AbortController()
      exchange.abort.abort()
    },
    cut: (error) => {
      cut(exchange, error)
    },
    report: (error) => {
      if (!isAbort(exchange, error)) logFailure(exchange, 'streamError', error)
    },
  })
  return toReadable(stream)
}

/** Cuts the connection, since nothing else tells the client that its body is not whole. To a client
 *  of HTTP/1.0, such as nginx, the end of a connection is the end of the body, so it is reset. */
export function cut(exchange: Exchange, error: unknown): void {
  const { request, response } = exchange
  const { socket } = response
  logFailure(exchange, 'streamError', error)
  exchange.isCut = true
  // Node resets connections of plain TCP only.
  const isPlain = socket?.localPort !== undefined && !isEncrypted(socket)
  if (isPlain && request.raw.httpVersion === '1.0') socket.resetAndDestroy()
  response.destroy()
}

/** Whether an error says only that `request.signal` was aborted. */
function isAbort({ abort }: Exchange, error: unknown): boolean {
  return (isError(error) && error.name === 'AbortError') || error === abort?.signal.reason
}

/** The headers of a stream of items. Proxies must not keep items back, and caches not the events
 *  (WHATWG HTML, 9.2.7). */
function setItemHeaders(reply: Reply, { contentType, isEvents }: ItemFormat): void {
  setType(reply, contentType)
  if (isEvents && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache')
  if (!reply.hasHeader('x-accel-buffering')) reply.header('x-accel-buffering', 'no')
}

/** Writes text and bytes as they are. A generator may set another status, but too late. */
function chunkWriter(exchange: Exchange): (chunk: unknown) => string | Uint8Array {
  const { statusCode } = exchange.reply
  return (chunk) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) return chunk
    const what = `its iterable gave ${describe(chunk)}, not text or bytes`
    const remedy = "content: { 'text/event-stream': { itemSchema } }"
    throw refusal(exchange, `${what}. Declare its items under status ${statusCode}: ${remedy}`)
  }
}

/** The text of a payload as it would be sent now. */
export function serializeNow(exchange: Exchange, payload: unknown): string | Uint8Array {
  const responses = exchange.route.responses.at(exchange.response.statusCode)
  return textOf(exchange, payload, responses, typeOf(exchange))
}

function readText(exchange: Exchange, text: string, responses: StatusResponses): Body {
  const { readsText } = exchange.route.responses
  const made = readsText ? outputOfText(exchange, text, responses) : text
  if (typeof made === 'string') {
    setOwnType(exchange, 'text', responses)
    return made
  }
  const body = toJson(exchange, made)
  if (typeOf(exchange) === undefined)
    exchange.reply.header('content-type', usualType(exchange, responses))
  return body
}

/** The output of a Standard Schema or a transform for text that a handler sends. Text of hooks and
 *  error handlers is sent as it is, but in strict mode. */
function outputOfText(exchange: Exchange, text: string, responses: StatusResponses): unknown {
  const { sentIn, payload, route } = exchange
  const { isStrict } = route.responses
  if ((sentIn !== 'handler' && !isStrict) || payload !== text || route.replySerializer) return text
  if (responses.isRefused)
    throw refusal(exchange, `its response declares no status ${responses.status}`)
  try {
    return responses.readText(typeOf(exchange), text)
  } catch (error) {
    throw nameReply(exchange, error)
  }
}

/** Lets the error of a payload that strict mode refuses say for which reply it was. */
export function nameReply({ route, response }: Exchange, error: unknown): unknown {
  if (!(error instanceof UnfitPayload)) return error
  const details = [response.statusCode, route.name, error.message]
  return new errorCodes.ESP_ERR_REP_NOT_VALID(...details)
}

/** The body that bytes, a stream or a `Response` are written as. */
export function readSendable(exchange: Exchange, payload: unknown): Body {
  if (isResponse(payload)) return takeOver(exchange, payload)
  if (isBytes(payload)) return toBytes(payload)
  if (isStream(payload)) return toReadable(payload)
  return isWebStream(payload) ? readWebStream(exchange, payload) : undefined
}

function readWebStream({ route }: Exchange, stream: WebStream): Readable {
  if (stream.locked) throw new errorCodes.ESP_ERR_REP_READABLE_STREAM_LOCKED(route.name)
  return toReadable(stream)
}

/** The content codings that `fetch` decodes. It leaves the headers as they were. */
const decoded =
  'createZstdDecompress' in zlib ? /^((x-)?gzip|deflate|br|zstd)$/ : /^((x-)?gzip|deflate|br)$/

/** The headers of a `Response` that are valid for the reply, without those of its connection. A
 *  fetched body is decoded, so its coding and length are dropped. */
function headersOf({ headers, body, url }: Response): [name: string, value: string][] {
  const codings = tokensOf(headers.get('content-encoding'))
  const isDecoded = url !== '' && body !== null && codings.length > 0
  const changed =
    isDecoded && codings.every((coding) => decoded.test(coding))
      ? ['content-encoding', 'content-length']
      : []
  const dropped = [...tokensOf(headers.get('connection')), ...changed]
  return [...headers].filter(([name]) => !connectionHeaders.has(name) && !dropped.includes(name))
}

const tokensOf = (list: string | null): string[] =>
  list === null ? [] : list.split(',').map((token) => token.trim().toLowerCase())

/** Takes the status, the headers and the body of a `Response` of the Fetch standard. */
function takeOver(exchange: Exchange, response: Response): Body {
  const { route, reply } = exchange
  const { bodyUsed, status } = response
  if (bodyUsed) throw new errorCodes.ESP_ERR_REP_RESPONSE_BODY_CONSUMED(route.name)
  reply.code(status)
  // In Bun, headers that are read behind the body have no content type.
  for (const [name, value] of headersOf(response)) reply.header(name, value)
  const { body } = response
  return body === null ? undefined : readWebStream(exchange, body)
}

function setOwnType(
  { reply }: Exchange,
  kind: keyof typeof ownTypes,
  responses: StatusResponses,
): void {
  if (reply.hasHeader('content-type')) return
  reply.header('content-type', responses.onlyType(kind) ?? ownTypes[kind])
}

function setType(reply: Reply, type: string): void {
  if (!reply.hasHeader('content-type')) reply.header('content-type', type)
}

/** @param given the content type that was set, if one was */
function textOf(
  exchange: Exchange,
  payload: unknown,
  responses: StatusResponses,
  given: string | undefined,
): string | Uint8Array {
  const { route, serializer, ownPayload } = exchange
  if (serializer !== undefined) return assertText(exchange, serializer(payload))
  const { replySerializer } = route
  if (replySerializer !== undefined)
    return assertText(exchange, replySerializer(payload, responses.status))
  if (ownPayload !== undefined && payload === ownPayload)
    return ownText(exchange, ownPayload, responses)
  const { type, write, isSchemaless } = responses.way(given)
  if (write === undefined) throw refusal(exchange, whyRefused(responses, type, payload))
  let text: unknown
  try {
    text = write(payload)
  } catch (error) {
    addPlace(error, write, payload)
    throw responses.isBodyless ? noContent(exchange, payload) : nameReply(exchange, error)
  }
  if (typeof text === 'string') return text
  return isSchemaless ? withoutJson(exchange, payload) : assertText(exchange, text)
}

/** Without a schema for the content type, an object can be sent as JSON only. And without a schema,
 *  every field would be sent. */
function whyRefused(responses: StatusResponses, type: string, payload: unknown): string {
  const { status } = responses
  if (type === json || isJson(mediaTypeOf(type) ?? ''))
    return `status ${status} declares no content of type ${type}`
  const isStream = responses.chooseItems(type) !== undefined
  const remedy = isStream
    ? 'Send its items: an async iterable, such as what an async generator function returns'
    : 'Serialize it, or leave the type'
  return `its type is ${type}, but its payload is ${describe(payload)}. ${remedy}`
}

/** A serializer does not know the status, so a payload where there is no content is explained. */
function noContent(exchange: Exchange, payload: unknown): Error {
  const { statusCode } = exchange.reply
  const what = `status ${statusCode} has no content, but its payload is ${describe(payload)}`
  return refusal(exchange, `${what}. Send nothing, or another status`)
}

/** The text of a payload of a hook or an error handler that does not fit the route's own entry for
 *  the status. Both are typed by the entry of the scope, which is used then. Undefined if it does
 *  not fit either, or if the payload is one of the handler. */
export function textByScope(exchange: Exchange, payload: unknown): string | Uint8Array | undefined {
  const { route, reply, serializer, sentIn } = exchange
  const isOwn = sentIn === 'handler' || (serializer ?? route.replySerializer) !== undefined
  if (isOwn || !isStructured(payload)) return undefined
  const type = typeOf(exchange) ?? json
  const serialize = route.responses.at(reply.statusCode).chooseReplaced(type)
  try {
    const text = serialize && assertText(exchange, serialize(payload))
    if (text !== undefined) setType(reply, type)
    return text
  } catch {
    return undefined
  }
}

/** The text of the framework's own payload by the schema of the status, or as it is if it does not
 *  fit. */
function ownText(
  exchange: Exchange,
  payload: object,
  { ofError, ofProblem }: StatusResponses,
): string | Uint8Array {
  const { problemDetails, dialect } = exchange.route
  const isProblem = problemDetails && (ofProblem !== undefined || ofError === undefined)
  const written = isProblem ? ofProblem : ofError
  exchange.reply.header('content-type', isProblem ? problemJson : json)
  try {
    if (written !== undefined) {
      const detail = String(readSafely(payload, 'detail'))
      const other = problemDetails && !isProblem ? dialect.errors.notFound(detail) : {}
      return errorText(exchange, written.serialize, { ...payload, ...other })
    }
  } catch {
    // It does not fit.
    exchange.reply.header('content-type', problemDetails ? problemJson : json)
  }
  return JSON.stringify(payload)
}

/** The text of an error's payload by a schema. @throws if it does not fit */
export function errorText(
  exchange: Exchange,
  serialize: Serializer,
  payload: object,
): string | Uint8Array {
  const text = assertText(exchange, writeOrPlace(serialize, payload))
  const { answersFailedSerializer } = exchange.route.dialect.errors
  if (!answersFailedSerializer && text === '"[object Object]"')
    throw new TypeError('the response schema is one of texts, and the error is an object')
  return text
}

/** Checks the result of a serializer, which may be the user's own code. */
export function assertText(exchange: Exchange, text: unknown): string | Uint8Array {
  if (typeof text === 'string' || text instanceof Uint8Array) return text
  ignoreRejection(text)
  throw refusal(exchange, `its serializer returned ${describe(text)}, not a string or bytes`)
}

function toJson(exchange: Exchange, payload: unknown): string {
  const text: unknown = jsonWriter(exchange.route.dialect.reply)(payload)
  return typeof text === 'string' ? text : withoutJson(exchange, payload)
}

/** JSON has no functions and no symbols. */
function withoutJson(exchange: Exchange, payload: unknown): string {
  if (exchange.route.dialect.reply.allowsNothing) return ''
  throw refusal(exchange, `${describe(payload)} has no JSON`)
}

/** The error of a payload that cannot be sent. */
export function refusal({ route }: Exchange, what: string): Error {
  return new errorCodes.ESP_ERR_REP_INVALID_PAYLOAD_TYPE(route.name, what)
}
