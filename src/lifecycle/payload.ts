import * as zlib from 'node:zlib'
import type { Readable } from 'node:stream'
import { errorCodes } from '../errors/codes.ts'
import { connectionHeaders } from '../http/headers.ts'
import { isJson, mediaTypeOf } from '../http/media-type.ts'
import { describe, ignoreRejection, isObject } from '../schema/values.ts'
import { stateOf, type Reply } from '../exchange/reply.ts'
import {
  isBytes,
  isResponse,
  isStream,
  isStructured,
  isWebStream,
  toBytes,
  toReadable,
} from '../exchange/sendable.ts'
import type { CompiledRoute } from '../route/compiled-route.ts'

/** What is written to the socket. */
export type Body = string | Uint8Array | Readable | undefined

const json = 'application/json; charset=utf-8'

/** What is sent as it is has these types, where none was set and the schema does not say one. */
const ownTypes = { text: 'text/plain; charset=utf-8', bytes: 'application/octet-stream' } as const

/** Turns a payload into what is written, and sets the content type that it has: the one that was set,
 *  else the only one that the schema has for the status, else one by what the payload is.
 *
 *  Bytes, streams and the body of a `Response` are sent as they are, and so are strings, unless a Standard Schema makes
 *  something of what a handler sends. All else is serialized with the reply's serializer, else with its scope's, else
 *  with the route's schema for the status (specification 2.5), else as JSON.
 *  @throws ESP_ERR_REP_INVALID_PAYLOAD_TYPE, ESP_ERR_REP_READABLE_STREAM_LOCKED,
 *  ESP_ERR_REP_RESPONSE_BODY_CONSUMED, and what a serializer throws */
export function serializePayload(route: CompiledRoute, reply: Reply, payload: unknown): Body {
  if (payload === undefined) return undefined
  if (payload === null && route.serializers?.isBare(reply.statusCode) === true) return undefined
  if (typeof payload === 'string' && stateOf(reply).serializer === undefined) {
    return readText(route, reply, payload)
  }
  if (isStructured(payload) || payload === null || typeof payload === 'string') {
    const type = typeFor(route, reply)
    const text = serializeAs(route, reply, payload, type)
    setType(reply, type)
    return text
  }
  return readAsIs(route, reply, payload)
}

function readText(route: CompiledRoute, reply: Reply, text: string): string {
  const made = route.serializers?.readsText === true ? outputOfText(route, reply, text) : text
  if (typeof made === 'string') {
    setOwnType(route, reply, 'text')
    return made
  }
  const body = toJson(route, made)
  setType(reply, typeFor(route, reply))
  return body
}

/** What the route's schema makes of text. That of hooks and of error handlers is theirs, and what a hook made of a payload
 *  is serialized already. */
function outputOfText(route: CompiledRoute, reply: Reply, text: string): unknown {
  const { isFailing, isHandled, payload } = stateOf(reply)
  if (!isHandled || isFailing || payload !== text || route.replySerializer) return text
  const type = reply.getHeader('content-type')
  const given = type === undefined ? undefined : String(type)
  return route.serializers?.readText(reply.statusCode, given, text)
}

/** The text of a payload as it would be sent now. */
export function serializeNow(
  route: CompiledRoute,
  reply: Reply,
  payload: unknown,
): string | Uint8Array {
  return serializeAs(route, reply, payload, typeFor(route, reply))
}

function readAsIs(route: CompiledRoute, reply: Reply, payload: unknown): Body {
  const isTyped = route.dialect.reply.typesStreams ? !isResponse(payload) : isBytes(payload)
  if (isTyped) setOwnType(route, reply, 'bytes')
  return readSendable(route, reply, payload)
}

/** The body that bytes, a stream or a `Response` are written as. */
export function readSendable(route: CompiledRoute, reply: Reply, payload: unknown): Body {
  if (isResponse(payload)) return takeOver(route, reply, payload)
  if (isBytes(payload)) return toBytes(payload)
  if (isStream(payload)) return toReadable(payload)
  if (!isWebStream(payload)) return undefined
  if (payload.locked) throw new errorCodes.ESP_ERR_REP_READABLE_STREAM_LOCKED(route.name)
  return toReadable(payload)
}

/** The codings that `fetch` takes off a body, whose headers it leaves as they were. */
const decoded =
  'createZstdDecompress' in zlib ? /^((x-)?gzip|deflate|br|zstd)$/ : /^((x-)?gzip|deflate|br)$/

/** The headers of a `Response` that hold for the reply: not those of the connection that it came by. One that was
 *  fetched is no longer encoded, nor as long as it was. */
function headersOf({ body, headers, url }: Response): [name: string, value: string][] {
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

/** A `Response` of the Fetch standard brings its status and its headers along. */
function takeOver(route: CompiledRoute, reply: Reply, response: Response): Body {
  const { body, bodyUsed, status } = response
  if (bodyUsed) throw new errorCodes.ESP_ERR_REP_RESPONSE_BODY_CONSUMED(route.name)
  reply.code(status)
  for (const [name, value] of headersOf(response)) reply.header(name, value)
  if (body === null) return undefined
  if (body.locked) throw new errorCodes.ESP_ERR_REP_READABLE_STREAM_LOCKED(route.name)
  return toReadable(body)
}

/** The content type of what is serialized: the one that was set, else the only one that the schema
 *  has for the status, else JSON. What a serializer of the reply or of its scope makes may be JSON whatever is declared. */
function typeFor(route: CompiledRoute, reply: Reply): string {
  const given = reply.getHeader('content-type')
  if (given !== undefined) return String(given)
  const { serializer } = stateOf(reply)
  const { dialect, replySerializer, serializers } = route
  if (!dialect.reply.refusesUndeclared && (serializer ?? replySerializer) !== undefined) return json
  return serializers?.onlyType(reply.statusCode, 'serialized') ?? json
}

function setOwnType(route: CompiledRoute, reply: Reply, way: keyof typeof ownTypes): void {
  if (reply.hasHeader('content-type')) return
  const type = route.serializers?.onlyType(reply.statusCode, way)
  reply.header('content-type', type ?? ownTypes[way])
}

function setType(reply: Reply, type: string): void {
  if (!reply.hasHeader('content-type')) reply.header('content-type', type)
}

function serializeAs(
  route: CompiledRoute,
  reply: Reply,
  payload: unknown,
  type: string,
): string | Uint8Array {
  const { statusCode } = reply
  const { serializer } = stateOf(reply)
  if (serializer !== undefined) return assertText(route, serializer(payload))
  const { replySerializer, serializers } = route
  if (replySerializer !== undefined) return assertText(route, replySerializer(payload, statusCode))
  const serialize = serializers?.choose(statusCode, type)
  if (serialize !== undefined)
    return assertSaid(route, payload, assertText(route, serialize(payload)))
  assertJson(route, type, payload)
  // Without a schema every field would leave.
  if (route.dialect.reply.refusesUndeclared && serializers?.declares(statusCode) === true) {
    const what = `status ${statusCode} declares no content of type ${type}`
    throw new errorCodes.ESP_ERR_REP_INVALID_PAYLOAD_TYPE(route.name, what)
  }
  return assertSaid(route, payload, toJson(route, payload))
}

/** What an async generator gives is no JSON of it: it would leave as `{}`. So only what leaves as that is looked at. */
function assertSaid<Text>(route: CompiledRoute, payload: unknown, text: Text): Text {
  if (text !== '{}' || !route.dialect.reply.refusesUndeclared || !isObject(payload)) return text
  if (!(Symbol.asyncIterator in payload) || 'toJSON' in payload) return text
  const what = 'its payload is an async iterable, which JSON does not read'
  const remedy = 'Send Readable.from(…) of it, or the list of what it gives'
  throw new errorCodes.ESP_ERR_REP_INVALID_PAYLOAD_TYPE(route.name, `${what}. ${remedy}`)
}

/** A serializer is the user's own code, or wraps it: what it returns need not be text. */
export function assertText(route: CompiledRoute, text: unknown): string | Uint8Array {
  if (typeof text === 'string' || text instanceof Uint8Array) return text
  ignoreRejection(text)
  const what = `its serializer returned ${describe(text)}, not a string or bytes`
  throw new errorCodes.ESP_ERR_REP_INVALID_PAYLOAD_TYPE(route.name, what)
}

/** Without a schema for the reply's type, an object can be sent as JSON only. */
function assertJson(route: CompiledRoute, type: string, payload: unknown): void {
  if (isJson(mediaTypeOf(type) ?? '')) return
  const what = `its type is ${type}, but its payload is ${describe(payload)}`
  const remedy = 'Serialize it, or leave the type'
  throw new errorCodes.ESP_ERR_REP_INVALID_PAYLOAD_TYPE(route.name, `${what}. ${remedy}`)
}

function toJson(route: CompiledRoute, payload: unknown): string {
  // JSON.stringify is typed as if it always returned text.
  const text = JSON.stringify(payload) as string | undefined
  if (text !== undefined) return text
  throw new errorCodes.ESP_ERR_REP_INVALID_PAYLOAD_TYPE(
    route.name,
    `${describe(payload)} has no JSON`,
  )
}
