import { isLarge, markNumbers, unmark } from '../http/exact-json.ts'
import { isBigInt } from '../schema/big-int.ts'
import { isObject, type JsonObject } from '../types/objects.ts'
import { itemOf, partsOf, schemasOf } from './strict-schema.ts'

/** Parses the JSON of a body by a parser, which is called twice for a text with such numbers. */
export type ReadNumbers = (json: string, parse: (json: string) => unknown) => unknown

/** A number that a double may round to a whole one: one of many digits, or of a small exponent. */
const mayRound = /[\d.]{16}|\de-\d{3}/i

/** Makes a function that reads numbers from the text of a body. At the places of a `t.BigInt` whole
 *  numbers beyond ±(2^53 - 1) become a bigint, and NaN stands for a number that JSON.parse would
 *  round to a whole one. At all other places numbers are what JSON.parse makes of them.
 *  @param bundles the schemas that the body may have */
export function createNumberReader(bundles: readonly JsonObject[]): ReadNumbers {
  const places = new Places()
  const roots = bundles.flatMap((schema) => places.partsOf(schema, schema['definitions']))
  return (json, parse) => {
    const value = parse(json)
    if (!mayRound.test(json)) return value
    const marked = markNumbers(json, isExact)
    return marked === json ? value : read(parse(marked), roots, places)
  }
}

/** Whether JSON.parse keeps a number, or leaves one that is not whole. */
function isExact(number: string): boolean {
  const isWhole = /^-?\d+(\.0+)?$/.test(number)
  if (isWhole) return !isLarge(number)
  return !(mayRound.test(number) && Number.isInteger(Number(number)))
}

/** A number of a `t.BigInt`. */
const readLarge = (number: string): unknown => (isLarge(number) ? BigInt(number) : NaN)

/** What a list of them has: its value, and the schemas that hold for it or may hold. */
interface Holder {
  readonly value: object
  readonly parts: readonly Part[]
}

/** Replaces what was marked. A recursion could overflow the stack, so there is a list. */
function read(marked: unknown, roots: readonly Part[], places: Places): unknown {
  const open: Holder[] = []
  const enter = (value: unknown, parts: readonly Part[]): unknown => {
    if (typeof value === 'object' && value !== null) open.push({ value, parts })
    const isTaken = parts.some(({ schema }) => isBigInt(schema))
    return unmark(value, isTaken ? readLarge : Number)
  }
  const root = enter(marked, roots)
  for (const { value, parts } of open) {
    for (const key of Object.keys(value)) {
      const found = parts.flatMap((part) => places.below(part, value, key))
      const field: unknown = Reflect.get(value, key)
      const made = enter(field, found)
      if (made !== field) Reflect.set(value, key, made)
    }
  }
  return root
}

/** A schema, and the definitions of its bundle. */
interface Part {
  readonly schema: JsonObject
  readonly definitions: unknown
}

class Places {
  readonly #known = new WeakMap<object, readonly Part[]>()

  /** All schemas that hold for the value of a schema, or may hold. */
  partsOf(schema: unknown, definitions: unknown): readonly Part[] {
    if (!isObject(schema)) return []
    const known = this.#known.get(schema)
    if (known !== undefined) return known
    const parts = partsOf(schema, definitions).map((part) => ({ schema: part, definitions }))
    this.#known.set(schema, parts)
    return parts
  }

  /** The schemas of a field or an item of a value. */
  below({ schema, definitions }: Part, value: object, key: string): readonly Part[] {
    const isList = Array.isArray(value)
    const below = isList ? [itemOf(schema, Number(key))] : schemasOf(schema, key)
    return below.flatMap((each) => this.partsOf(each, definitions))
  }
}
