import { errorCodes } from '../errors/codes.ts'

/** A JSON Schema as the compilers see it: an object whose keywords are read one by one. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is an object that is no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is an object literal or has no prototype: no array, function or class
 *  instance. */
export function isPlainObject(value: unknown): value is JsonObject {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** A property of any value; undefined if its getter throws. */
export function readSafely(value: unknown, key: string): unknown {
  try {
    return isObject(value) ? value[key] : undefined
  } catch {
    return undefined
  }
}

/** An object without its falsy properties; any other value as it is. */
export function withoutFalsy(value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, each]) => Boolean(each)))
}

/** Whether a value can be awaited. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && typeof value['then'] === 'function'
}

/** Handles the rejection of a promise that nothing awaits, which would end the process. */
export function ignoreRejection(value: unknown): void {
  if (isThenable(value)) value.then(undefined, () => undefined)
}

/** The result of a user's function that has to be synchronous.
 *  @throws ESP_ERR_PROMISE_RETURNED for a promise, whose rejection is then ignored */
export function atOnce<Value>(name: string, value: Value): Value {
  if (!isThenable(value)) return value
  ignoreRejection(value)
  throw new errorCodes.ESP_ERR_PROMISE_RETURNED(name)
}

/** The JSON pointer (RFC 6901) of these keys. */
export function toPointer(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** A value for an error message: its type, or the start of its text. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'string') return `'${value.slice(0, 60)}'`
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** The JSON Schema of a schema of fluent-json-schema; any other value as it is. */
export function readFluent(given: unknown): unknown {
  if (!isObject(given)) return given
  const isFluent = given['isFluentJSONSchema'] === true || given['isFluentSchema'] === true
  return isFluent ? given.valueOf() : given
}

/** Whether an error was given to a callback: any value but undefined and null. */
export function isGivenError(error: unknown): error is NonNullable<unknown> {
  return error !== undefined && error !== null
}

/** Makes a value at its first use. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
