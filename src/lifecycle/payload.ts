import { errorCodes } from '../errors/codes.ts'
import { isJson, mediaTypeOf } from '../http/media-type.ts'
import { describe } from '../schema/values.ts'
import { stateOf, type Reply } from '../exchange/reply.ts'
import type { CompiledRoute } from '../route/compiled-route.ts'

/** What is written to the socket. */
export type Bytes = string | Uint8Array | undefined

const json = 'application/json; charset=utf-8'

/** Turns a payload into what is written, and sets the content type that it has.
 *
 *  A string is sent as it is: as text, or where a type is set, as that. Bytes are sent as they are.
 *  All else is serialized with the reply's serializer, else with the route's schema for the status
 *  (specification 2.5), else as JSON.
 *  @throws ESP_ERR_REPLY_PAYLOAD, and what a serializer throws */
export function serializePayload(route: CompiledRoute, reply: Reply, payload: unknown): Bytes {
  if (payload === undefined) return undefined
  const { serializer, headers } = stateOf(reply)
  const contentType = headers?.['content-type']
  const type = contentType === undefined ? undefined : String(contentType)
  if (serializer !== undefined) {
    if (type === undefined) reply.header('content-type', json)
    return assertText(route, serializer(payload))
  }
  if (typeof payload === 'string') {
    if (type === undefined) reply.header('content-type', 'text/plain; charset=utf-8')
    return payload
  }
  const bytes = toBytes(payload)
  if (bytes !== undefined) {
    if (type === undefined) reply.header('content-type', 'application/octet-stream')
    return bytes
  }
  return serializeObject(route, reply, payload, type)
}

function serializeObject(
  route: CompiledRoute,
  reply: Reply,
  payload: unknown,
  given: string | undefined,
): string {
  const { serializers } = route
  const { statusCode } = reply
  const type = given ?? serializers?.onlyType(statusCode) ?? json
  const serialize = serializers?.choose(statusCode, type)
  if (serialize === undefined) {
    assertJson(route, type, payload)
    // Without a schema every field would leave.
    if (serializers?.declares(statusCode) === true) {
      const what = `status ${statusCode} declares no content of type ${type}`
      throw new errorCodes.ESP_ERR_REPLY_PAYLOAD(route.name, what)
    }
  }
  if (given === undefined) reply.header('content-type', type)
  return serialize === undefined ? toJson(route, payload) : assertText(route, serialize(payload))
}

/** A serializer is the user's own code, or wraps it: what it returns need not be text. */
function assertText(route: CompiledRoute, text: unknown): string {
  if (typeof text === 'string') return text
  const what = `its serializer returned ${describe(text)}, not a string`
  throw new errorCodes.ESP_ERR_REPLY_PAYLOAD(route.name, what)
}

function toBytes(payload: unknown): Uint8Array | undefined {
  if (payload instanceof Uint8Array) return payload
  if (payload instanceof ArrayBuffer) return new Uint8Array(payload)
  if (!ArrayBuffer.isView(payload)) return undefined
  return new Uint8Array(payload.buffer, payload.byteOffset, payload.byteLength)
}

/** Without a schema for the reply's type, an object can be sent as JSON only. */
function assertJson(route: CompiledRoute, type: string, payload: unknown): void {
  const isStream = typeof payload === 'object' && payload !== null && 'pipe' in payload
  if (isStream) {
    throw new errorCodes.ESP_ERR_REPLY_PAYLOAD(route.name, 'streams are not supported')
  }
  if (isJson(mediaTypeOf(type) ?? '')) return
  const what = `its type is ${type}, but its payload is ${describe(payload)}`
  throw new errorCodes.ESP_ERR_REPLY_PAYLOAD(route.name, `${what}. Serialize it, or leave the type`)
}

function toJson(route: CompiledRoute, payload: unknown): string {
  // JSON.stringify is typed as if it always returned text.
  const text = JSON.stringify(payload) as string | undefined
  if (text !== undefined) return text
  throw new errorCodes.ESP_ERR_REPLY_PAYLOAD(route.name, `${describe(payload)} has no JSON`)
}
