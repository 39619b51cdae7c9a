import { Readable } from 'node:stream'
import type { InjectPayload } from 'light-my-request'
import type { RouteCall } from '../../http/route-call.ts'
import { isBytes, isStream, isWebStream, toBytes, toReadable } from '../../http/payload-kind.ts'

/** What light-my-request sends as it is: it makes JSON of all but text, Buffers, streams of Node and FormData. */
interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: InjectPayload
}

/** The body of a call as light-my-request takes it, with the headers that `fetch` sends with it unless the call says them. */
export function toPayload({ headers, body, kind }: RouteCall): Sent {
  if (body === undefined || body === null) return { headers }
  if (kind === 'FormData') return { headers, payload: body }
  if (isBytes(body)) {
    const { buffer, byteOffset, byteLength } = toBytes(body)
    return { headers, payload: Buffer.from(buffer, byteOffset, byteLength) }
  }
  if (isBlob(body, kind)) {
    const own = { 'content-length': text(body.size), 'content-type': body.type }
    return { headers: { ...own, ...headers }, payload: toReadable(body.stream()) }
  }
  if (isStream(body) || isWebStream(body)) {
    return { headers: { 'transfer-encoding': 'chunked', ...headers }, payload: toReadable(body) }
  }
  const own = kind === 'URLSearchParams' && { 'content-type': formType }
  return { headers: { ...own, ...headers }, payload: text(body) }
}

const formType = 'application/x-www-form-urlencoded;charset=UTF-8'

/** Streams of old libraries, which `fetch` does not take, as one of Node. */
export function toSendable(body: unknown): unknown {
  if (!isStream(body) || Reflect.has(body, Symbol.asyncIterator)) return body
  const readable = new Readable({ objectMode: true }).wrap(body)
  // Some begin only then.
  if (Reflect.has(body, 'resume')) body.resume()
  return readable
}

const isBlob = (_body: object, kind: RouteCall['kind']): _body is Blob => kind === 'Blob'

const text = (value: unknown) => String(value)
