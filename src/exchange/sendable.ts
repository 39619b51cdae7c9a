import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'

/** What is sent as it is, without a serializer: bytes, streams of both kinds, and a `Response`. */
export type Sendable = ArrayBuffer | ArrayBufferView | Readable | WebStream | Response

/** Whether a payload is bytes: a Buffer, a typed array, a DataView or an ArrayBuffer. */
export function isBytes(value: unknown): value is ArrayBuffer | ArrayBufferView {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer
}

export function toBytes(bytes: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (bytes instanceof Uint8Array) return bytes
  if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes)
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Whether a value is a stream of Node, or one of another library that can be piped as those can. */
export function isStream(value: unknown): value is Readable {
  if (value instanceof Readable) return true
  return hasMethod(value, 'pipe')
}

/** A stream that can be paused and destroyed, which those of old libraries cannot. */
export function toReadable(stream: Readable): Readable {
  if (stream instanceof Readable) return stream
  const isWhole = hasMethod(stream, 'destroy') && hasMethod(stream, 'resume')
  return isWhole ? stream : new Readable().wrap(stream)
}

export function isWebStream(value: unknown): value is WebStream {
  return hasMethod(value, 'getReader')
}

/** Whether a value is a `Response` of the Fetch standard, of whichever implementation. */
export function isResponse(value: unknown): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]'
}

/** Whether a payload is serialized, rather than sent as it is. */
export function isStructured(payload: unknown): boolean {
  if (payload === undefined || payload === null || typeof payload === 'string') return false
  return !isBytes(payload) && !isStream(payload) && !isWebStream(payload) && !isResponse(payload)
}

/** Lets go of a payload that is not sent. That a stream fails meanwhile is of no interest. */
export function discard(payload: unknown): void {
  if (isStream(payload)) {
    const stream = toReadable(payload)
    stream.on('error', () => undefined)
    stream.destroy()
  } else if (isWebStream(payload)) {
    if (!payload.locked) payload.cancel().catch(() => undefined)
  } else if (isResponse(payload)) discard(payload.bodyUsed ? undefined : payload.body)
}

function hasMethod(value: unknown, name: string): boolean {
  return (
    typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'
  )
}
