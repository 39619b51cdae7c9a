import { bigIntKeyword, isBigInt } from '../schema/big-int.ts'
import { subschemasOf, type Bundle } from '../schema/bundle.ts'
import { isPlainObject, type JsonObject, mapItems, mapValues } from '../types/objects.ts'
import { partsOf } from '../validation/strict-schema.ts'
import { isChoice } from './written-types.ts'

/** How fast-json-stringify writes a bigint. With the format its option `objectMechanism: 'native'`
 *  does not round it. */
const integer = { type: 'integer', format: 'int64' }

/** Makes fast-json-stringify write each `t.BigInt`. As an integer it writes a bigint, but never
 *  chooses one: so where there are alternatives, the keyword is the only one of its value.
 *  @param isComplete whether it writes all that a schema says; else each is an integer for it
 *  @throws Error for one in a tuple, whose items it compares by type */
export function writeBigInts(bundle: Bundle, isComplete: boolean): void {
  const subschemas = subschemasOf(bundle)
  const found = subschemas.filter(({ schema }) => isBigInt(schema))
  if (found.length === 0) return
  for (const { schema, place } of isComplete ? subschemas : []) {
    const items: readonly unknown[] = Array.isArray(schema['items']) ? schema['items'] : []
    if (!items.some((item) => partsOf(item, bundle.schema['definitions']).some(isBigInt))) continue
    const remedy = 'Use an object, or strict mode'
    throw new Error(
      `the tuple at ${place} has a t.BigInt, which cannot be written there. ${remedy}`,
    )
  }
  const hasChoice = isComplete && subschemas.some(isChoice)
  for (const { schema, testedBy } of found) {
    if (hasChoice && testedBy !== undefined) continue
    const own = { [bigIntKeyword]: schema[bigIntKeyword] }
    Reflect.deleteProperty(schema, bigIntKeyword)
    Object.assign(schema, hasChoice ? { anyOf: [own] } : integer)
  }
}

/** A copy of a bundle that has integers in the place of each `t.BigInt`. */
export function asIntegers(bundle: Bundle): Bundle {
  const copy = (value: unknown): unknown => {
    if (!isPlainObject(value)) return mapItems(value, copy)
    const { [bigIntKeyword]: rules, ...others } = value
    return isPlainObject(rules) ? { ...others, ...integer } : mapValues(value, copy)
  }
  // cast: a copy of an object is one
  return { ...bundle, schema: copy(bundle.schema) as JsonObject }
}
