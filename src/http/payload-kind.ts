import { PassThrough, Readable } from 'node:stream'
import { types } from 'node:util'
import type { ReadableStream as WebStream } from 'node:stream/web'
import type { Bytes } from '../types/fetch-body.ts'

/** A payload that is sent without a serializer: bytes, a stream, or a `Response`. */
export type Sendable = Bytes | Readable | WebStream | Response

/** Whether a value is a Buffer, a typed array, a DataView or an ArrayBuffer. */
export function isBytes(value: unknown): value is Bytes {
  return ArrayBuffer.isView(value) || types.isArrayBuffer(value)
}

export function toBytes(bytes: Bytes): Uint8Array {
  if (bytes instanceof Uint8Array) return bytes
  if (!ArrayBuffer.isView(bytes)) return new Uint8Array(bytes)
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Whether a value is an error, of any realm. A proxy that throws is none. */
export function isError(value: unknown): value is Error {
  try {
    // A fast path: Node's check is slow.
    const isNone: boolean = typeof value !== 'object' || isPlain(value)
    return !isNone && (value instanceof Error || types.isNativeError(value))
  } catch {
    return false
  }
}

/** Whether a value is a stream of Node, or a stream of a library that can be piped in the same way.
 *  A value whose getters throw is none. */
export function isStream(value: unknown): value is Readable {
  try {
    return value instanceof Readable || (hasMethod(value, 'pipe') && hasMethod(value, 'on'))
  } catch {
    return false
  }
}

/** A stream that can be paused and destroyed, which streams of old libraries cannot. It has a
 *  listener for errors, so an error before it is read does not end the process. */
export function toReadable(stream: Readable | WebStream): Readable {
  if (isWebStream(stream)) {
    return toReadable(isOfNode(stream) ? Readable.fromWeb(stream) : Readable.from(chunksOf(stream)))
  }
  stream.on('error', () => undefined)
  if (stream instanceof Readable || '_readableState' in stream) return stream
  return toReadable(pipeOld(stream))
}

const isOfNode = (stream: WebStream): boolean => stream instanceof ReadableStream

/** The chunks of a web stream of another make, as servers of GraphQL send them: Node reads only
 *  streams of its own class. */
async function* chunksOf(stream: WebStream): AsyncGenerator<unknown, void> {
  const reader = stream.getReader()
  let isOver = false
  try {
    for (;;) {
      const next: { readonly done: boolean; readonly value?: unknown } = await reader.read()
      isOver = next.done
      if (isOver) return
      yield next.value
    }
  } finally {
    // The client has left.
    if (!isOver) await reader.cancel()
  }
}

/** Some streams of old libraries start only when they are piped. */
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

/** Whether a value is a `Response` of the Fetch standard, of any implementation. */
export function isResponse(value: unknown): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]'
}

/** An async iterable, or a generator that is not async. */
export type AnyIterable =
  { [Symbol.asyncIterator](): AnyIterator } | ({ [Symbol.iterator](): AnyIterator } & AnyIterator)

export interface AnyIterator {
  next(): IteratorResult<unknown, unknown> | PromiseLike<IteratorResult<unknown, unknown>>
  return?(): unknown
}

/** Whether a payload gives its items one by one: an async iterable, or an iterator such as a
 *  generator. Streams are none, and neither are lists and what says its own JSON. */
export function isIterable(value: unknown): value is AnyIterable {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const isAsync = Symbol.asyncIterator in value
  if (!isAsync && !(Symbol.iterator in value && hasMethod(value, 'next'))) return false
  return !('toJSON' in value) && !isStream(value) && !isWebStream(value)
}

export function iteratorOf(iterable: AnyIterable): AnyIterator {
  return Symbol.asyncIterator in iterable
    ? iterable[Symbol.asyncIterator]()
    : iterable[Symbol.iterator]()
}

/** How a payload is sent:
 *
 *  - `nothing`: it is undefined;
 *  - `null`: as JSON, unless the status is declared to have no payload;
 *  - `text`: as it is;
 *  - `plain`: an object or a list that is certainly none of the others, through a serializer;
 *  - `value`: any other value that is sent through a serializer;
 *  - `items`: item by item;
 *  - `sendable`: bytes, a stream or a `Response`, as it is;
 *  - `error`: as the answer to an error. */
export type PayloadKind =
  'nothing' | 'null' | 'text' | 'plain' | 'value' | 'items' | 'sendable' | 'error'

export function kindOf(payload: unknown): PayloadKind {
  if (typeof payload === 'string') return 'text'
  if (payload === undefined) return 'nothing'
  if (payload === null) return 'null'
  if (typeof payload !== 'object') return 'value'
  try {
    // Nearly all payloads are plain.
    if (isPlain(payload)) return isTagged(payload) ? kindOfTagged(payload) : 'plain'
    return isError(payload) ? 'error' : kindOfTagged(payload)
  } catch {
    // A getter throws. It throws once more, for the serializer.
    return 'value'
  }
}

/** Whether a plain object may be a stream, a `Response`, an iterable or a promise. */
const isTagged = (value: object): boolean =>
  'pipe' in value ||
  'then' in value ||
  'getReader' in value ||
  Symbol.toStringTag in value ||
  Symbol.asyncIterator in value ||
  'next' in value

function kindOfTagged(value: object): PayloadKind {
  if (isBytes(value) || isStream(value) || isWebStream(value) || isResponse(value))
    return 'sendable'
  return isIterable(value) ? 'items' : 'value'
}

/** Whether a payload is sent through a serializer. */
export function isStructured(payload: unknown): boolean {
  return ['plain', 'value', 'items', 'error'].includes(kindOf(payload))
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}

/** Destroys a payload that is not sent. Its errors are ignored. */
export function destroyPayload(payload: unknown): void {
  try {
    destroyStream(payload)
  } catch {
    // A getter of the payload threw: it is no stream.
  }
}

function destroyStream(payload: unknown): void {
  if (isStream(payload)) {
    payload.on('error', () => undefined)
    // Streams of libraries may have another name for the method.
    const name = ['destroy', 'close', 'abort'].find((each) => hasMethod(payload, each))
    if (name !== undefined) Reflect.apply(Reflect.get(payload, name) as () => void, payload, [])
  } else if (isWebStream(payload)) {
    if (!payload.locked) payload.cancel().catch(() => undefined)
  } else if (isResponse(payload) && !payload.bodyUsed) destroyStream(payload.body)
  else if (isIterable(payload) && 'next' in payload) {
    Promise.resolve(payload.return?.()).catch(() => undefined)
  }
}

function hasMethod(value: unknown, name: string): boolean {
  return (
    typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'
  )
}
