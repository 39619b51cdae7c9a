import { subschemasOf, type Bundle } from './bundle.ts'
import { isPlainObject } from '../types/objects.ts'

/** Whether a schema names a property that every object inherits, such as `constructor`. ajv and
 *  fast-json-stringify would read the inherited property of a value. */
export function namesInherited(bundle: Bundle): boolean {
  return subschemasOf(bundle).some(({ schema: { properties, required } }) => {
    const names: readonly unknown[] = Array.isArray(required) ? required : []
    const named = isPlainObject(properties) ? Object.keys(properties) : []
    return [...named, ...names].some((name) => String(name) in Object.prototype)
  })
}

/** Moves such properties to `patternProperties`, where ajv and fast-json-stringify read own
 *  properties only. ajv does not check a property `__proto__`, and fast-json-stringify loses the
 *  others in `allOf`. A property with a default is not moved, since patterns have no defaults.
 *  @param names the properties to move */
export function nameByPatterns(bundle: Bundle, names: readonly string[]): void {
  for (const { schema } of subschemasOf(bundle)) {
    const { properties, patternProperties } = schema
    if (!isPlainObject(properties)) continue
    const patterns: [string, unknown][] = []
    for (const name of names) {
      const named = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (named === undefined || (isPlainObject(named) && 'default' in named)) continue
      patterns.push([`^${name}$`, named])
      Reflect.deleteProperty(properties, name)
    }
    if (patterns.length === 0) continue
    Object.assign(schema, {
      patternProperties: { ...(patternProperties ?? {}), ...Object.fromEntries(patterns) },
    })
  }
}

/** The properties that every object inherits. */
export const inheritedNames: readonly string[] = Object.getOwnPropertyNames(Object.prototype)

/** Removes the prototype of all plain objects in a parsed value, so that absent properties are
 *  undefined. */
export function dropPrototypes(value: unknown): void {
  const found = new Set([value])
  // The set grows in the loop: a recursion could overflow the stack.
  for (const each of found) {
    if (!isContainer(each)) continue
    if (!Array.isArray(each)) Reflect.setPrototypeOf(each, null)
    for (const inner of Object.values(each)) found.add(inner)
  }
}

/** Copies a payload without the prototypes of its plain objects. The originals are the
 *  handler's. */
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
    // Undefined fields are not sent.
    if (each !== undefined || Array.isArray(value)) {
      Reflect.set(copy, key, withoutPrototypes(each, copies))
    }
  }
  return copy
}

function isContainer(value: unknown): value is object {
  return Array.isArray(value) || isPlainObject(value)
}
