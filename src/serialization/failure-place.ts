import type { Serializer } from '../schema/compiler-types.ts'
import { toExactJson } from '../schema/exact-json.ts'
import { toPointer } from '../schema/json-pointer.ts'

/** Makes a serializer say at which place a payload does not fit, as a JSON pointer behind the
 *  message of its error. A payload that fits costs nothing. */
export function withPlace(write: Serializer): Serializer {
  return (payload) => {
    try {
      return write(payload)
    } catch (error) {
      if (isPlain(error)) addPlace(error, write, payload)
      throw error
    }
  }
}

/** Writes a payload without a schema, and refuses numbers that JSON does not have. */
// cast: what has no JSON is refused by what calls serializers
export const writeExactJson: Serializer = withPlace(toExactJson as Serializer)

/** Whether an error may be one of a serializer. One that the payload's own code throws may have a
 *  status, and a message for the client. */
function isPlain(error: unknown): error is Error {
  if (!(error instanceof Error) || Object.keys(error).length > 0) return false
  return ['Error', 'TypeError'].includes(error.constructor.name)
}

function addPlace(error: Error, write: Serializer, payload: unknown): void {
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
