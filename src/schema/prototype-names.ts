import { subschemasOf, type Bundle } from './bundle.ts'
import { isPlainObject } from './values.ts'

/** Whether a schema names a property that every object inherits, as `constructor` and `toString`. ajv
 *  and fast-json-stringify would take the inherited one for that of a value. */
export function namesInherited(bundle: Bundle): boolean {
  return subschemasOf(bundle).some(({ schema: { properties, required } }) => {
    const names: readonly unknown[] = Array.isArray(required) ? required : []
    const named = isPlainObject(properties) ? Object.keys(properties) : []
    return [...named, ...names].some((name) => String(name) in Object.prototype)
  })
}

/** Takes the prototype from all plain objects in a value that was parsed, so that a property that is
 *  absent is undefined. */
export function dropPrototypes(value: unknown): void {
  const found = new Set([value])
  // The set grows on the way: a recursion would end where the stack does.
  for (const each of found) {
    if (!isContainer(each)) continue
    if (!Array.isArray(each)) Reflect.setPrototypeOf(each, null)
    for (const inner of Object.values(each)) found.add(inner)
  }
}

/** Copies a payload, whose objects are the handler's, so that its plain objects have no prototype. */
export function withoutPrototypes(
  value: unknown,
  copies: Map<object, object> = new Map(),
): unknown {
  if (!isContainer(value)) return value
  const known = copies.get(value)
  if (known !== undefined) return known
  const copy: object = Array.isArray(value) ? [] : (Object.create(null) as object)
  copies.set(value, copy)
  for (const [key, each] of Object.entries(value)) {
    Reflect.set(copy, key, withoutPrototypes(each, copies))
  }
  return copy
}

function isContainer(value: unknown): value is object {
  return Array.isArray(value) || isPlainObject(value)
}
