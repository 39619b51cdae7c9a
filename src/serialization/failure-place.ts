import type { Serializer } from '../schema/compiler-types.ts'
import { settled } from '../schema/compilation.ts'
import { toExactJson } from '../schema/exact-json.ts'
import { toPointer } from '../schema/json-pointer.ts'

/** The serializers whose errors have a place, with what is run again to find it. One of a user is
 *  none of them: it may not run twice. */
const traceable = new WeakMap<Serializer, Serializer>()

/** Lets errors of a serializer have a place.
 *  @param write the part of it that is run again */
export function allowPlace(serializer: Serializer, write: Serializer): Serializer {
  traceable.set(serializer, write)
  return serializer
}

/** Makes an error of a serializer say at which place the payload does not fit, as a JSON pointer
 *  behind its message. */
export function addPlace(error: unknown, serializer: Serializer, payload: unknown): void {
  const write = traceable.get(serializer)
  if (write !== undefined && isPlain(error)) placeOf(error, write, payload)
}

/** Writes a payload. An error says its place. */
export function writeOrPlace(serializer: Serializer, payload: unknown): string {
  const write = settled(serializer)
  try {
    return write(payload)
  } catch (error) {
    addPlace(error, write, payload)
    throw error
  }
}

/** A serializer whose errors say their place, for those who call it by themselves. */
export function withPlace(write: Serializer): Serializer {
  return (payload) => writeOrPlace(write, payload)
}

/** Writes a payload without a schema, and refuses numbers that JSON does not have. */
// cast: what has no JSON is refused by what calls serializers
export const writeExactJson = toExactJson as Serializer
allowPlace(writeExactJson, writeExactJson)

/** Whether an error may be one of a serializer. One that the payload's own code throws may have a
 *  status, and a message for the client. */
function isPlain(error: unknown): error is Error {
  if (!(error instanceof Error) || Object.keys(error).length > 0) return false
  return ['Error', 'TypeError'].includes(error.constructor.name)
}

function placeOf(error: Error, write: Serializer, payload: unknown): void {
  const { message, stack = '' } = error
  const found = trace(write, payload)
  if (found.message !== message) return
  const place = message.endsWith(unfit) ? unionAbove(found.place, message) : found.place
  if (place === '') return
  error.message = `${message} Place in the value: ${place}`
  error.stack = stack.replace(message, () => error.message)

  /** What chooses among alternatives has read inside of a value that fits none. No other value fits
   *  either, so the place is the first above where the same error comes for a value of no type. */
  function unionAbove(last: string, expected: string): string {
    const ends = [...last.matchAll(/\/|$/g)].map(({ index }) => last.slice(0, index))
    return ends.find((end) => trace(write, payload, end).message === expected) ?? last
  }
}

const unfit = 'does not match schema definition.'

interface Trace {
  /** The place that was read last. */
  readonly place: string
  /** The message of the error. Undefined where there was none. */
  readonly message: string | undefined
}

/** Serializes a payload that notes what is read of it.
 *  @param replaced a place where there is a value of no type instead */
function trace(write: Serializer, payload: unknown, replaced?: string): Trace {
  let place = ''
  const watch = (value: unknown, path: string): unknown => {
    if (path === replaced) return Symbol('of no type')
    if (typeof value !== 'object' || value === null || value instanceof Date) return value
    // A proxy of what is frozen may not give other values.
    const target = Object.isFrozen(value) ? thaw(value) : value
    return new Proxy(target, {
      get(_target, key) {
        const inner: unknown = Reflect.get(value, key)
        if (typeof key === 'symbol' || (key === 'length' && Array.isArray(value))) return inner
        if (key === 'toJSON') {
          return typeof inner === 'function' ? () => watch(inner.call(value), path) : inner
        }
        if (typeof inner === 'function' && !Object.hasOwn(value, key)) return inner
        place = path + toPointer([key])
        return watch(inner, place)
      },
    })
  }
  try {
    write(watch(payload, ''))
  } catch (error) {
    return { place, message: error instanceof Error ? error.message : undefined }
  }
  return { place, message: undefined }
}

function thaw(value: object): object {
  if (Array.isArray(value)) return [...(value as unknown[])]
  return Object.assign(Object.create(Object.getPrototypeOf(value) as object) as object, value)
}
