/** An object whose properties are read one by one, such as a JSON Schema. */
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

/** A copy of a plain object with changed values. Anything else stays as it is. */
export function mapValues(map: unknown, change: (value: unknown) => unknown): unknown {
  if (!isPlainObject(map)) return map
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]))
}

/** A copy of a list with changed items. Anything else stays as it is. */
export function mapItems(list: unknown, change: (item: unknown) => unknown): unknown {
  return Array.isArray(list) ? list.map(change) : list
}
