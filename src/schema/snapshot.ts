import { isStandardSchema } from './standard-schema.ts'
import { isPlainObject } from './values.ts'

/** A copy of a schema as it is now: a later change of the schema does not reach it. An object that
 *  stands in the schema twice, or inside of itself, does so in the copy too. Marks stay: symbols, and
 *  properties that are not enumerable. Functions, Standard Schemas and instances of classes are not
 *  copied. */
export function snapshot<Value>(value: Value, copies?: Map<unknown, unknown>): Value
export function snapshot(value: unknown, copies = new Map<unknown, unknown>()): unknown {
  if (!(Array.isArray(value) || isPlainObject(value)) || isStandardSchema(value)) return value
  if (copies.has(value)) return copies.get(value)
  const copy: object = Array.isArray(value) ? [] : {}
  copies.set(value, copy)
  for (const key of Reflect.ownKeys(value)) {
    if (key === 'length' && Array.isArray(value)) continue
    Object.defineProperty(copy, key, {
      value: snapshot<unknown>(Reflect.get(value, key), copies),
      enumerable: Object.prototype.propertyIsEnumerable.call(value, key),
      configurable: true,
      writable: true,
    })
  }
  return copy
}
