import { PassThrough, Readable } from 'node:stream'
import { types } from 'node:util'
import type { ReadableStream as WebStream } from 'node:stream/web'
import type { Bytes } from '../types/fetch-body.ts'

/** What is sent as it is, without a serializer: bytes, streams of both kinds, and a `Response`. */
export type Sendable = Bytes | Readable | WebStream | Response

/** Whether a payload is bytes: a Buffer, a typed array, a DataView or an ArrayBuffer. */
export function isBytes(value: unknown): value is Bytes {
  return ArrayBuffer.isView(value) || types.isArrayBuffer(value)
}

export function toBytes(bytes: Bytes): Uint8Array {
  if (bytes instanceof Uint8Array) return bytes
  if (!ArrayBuffer.isView(bytes)) return new Uint8Array(bytes)
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Whether a value is an error, of whichever realm. A proxy may throw when it is asked. */
export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error || types.isNativeError(value)
  } catch {
    return false
  }
}

/** Whether a value is a stream of Node, or one of another library that can be piped as those can.
 *  What cannot be asked is none. */
export function isStream(value: unknown): value is Readable {
  try {
    return value instanceof Readable || (hasMethod(value, 'pipe') && hasMethod(value, 'on'))
  } catch {
    return false
  }
}

/** A stream that can be paused and destroyed, which those of old libraries cannot. Its errors are
 *  waited for by whoever reads it: until then they must not end the process. */
export function toReadable(stream: Readable | WebStream): Readable {
  if (isWebStream(stream)) return toReadable(Readable.fromWeb(stream))
  stream.on('error', () => undefined)
  if (stream instanceof Readable || '_readableState' in stream) return stream
  return pipeOld(stream)
}

/** Some streams of old libraries begin when they are piped, and not before. */
function pipeOld(old: Readable): Readable {
  const through = new PassThrough({
    objectMode: true,
    destroy(error, done) {
      if (hasMethod(old, 'destroy')) old.destroy()
      done(error)
    },
  })
  old.on('error', (error) => through.destroy(error))
  old.on('close', () => {
    if (!through.writableEnded) through.destroy()
  })
  old.pipe(through)
  return through
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
  // Nearly all payloads are plain, and need not be asked for more.
  if (isPlain(payload) && !('pipe' in payload) && !('getReader' in payload)) return true
  return !isBytes(payload) && !isStream(payload) && !isWebStream(payload) && !isResponse(payload)
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}

/** Lets go of a payload that is not sent. That it fails meanwhile is of no interest. */
export function discard(payload: unknown): void {
  try {
    letGo(payload)
  } catch {
    // A getter of the payload threw: it is no stream.
  }
}

function letGo(payload: unknown): void {
  if (isStream(payload)) {
    payload.on('error', () => undefined)
    // Streams of other libraries may have another name for it.
    const name = ['destroy', 'close', 'abort'].find((each) => hasMethod(payload, each))
    if (name !== undefined) Reflect.apply(Reflect.get(payload, name) as () => void, payload, [])
  } else if (isWebStream(payload)) {
    if (!payload.locked) payload.cancel().catch(() => undefined)
  } else if (isResponse(payload)) letGo(payload.bodyUsed ? undefined : payload.body)
}

function hasMethod(value: unknown, name: string): boolean {
  return (
    typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'
  )
}
