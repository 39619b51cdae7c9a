import type { Bundle } from '../schema/bundle.ts'
import { describe, isObject, isPlainObject, toPointer, type JsonObject } from '../schema/values.ts'
import { resolve, writtenType } from './written-types.ts'

/** Asks of a payload whether each field that its schema does not name can be written as the schema has such fields. To TypeScript
 *  they may also be what a named field, or one of another pattern, is, which would be written as if it were their own: null as `{}`.
 *  What one of several alternatives holds is asked for where that is chosen; what a condition adds is not.
 *  @returns undefined for a schema that leaves no such doubt; else a check that throws, with the place of the field */
export function checkOtherFields({ schema }: Bundle): ((payload: unknown) => void) | undefined {
  const walk = new Walk(schema['definitions'])
  if (!walk.isNeeded(schema)) return undefined
  return (payload) => {
    const fault = walk.find(schema, payload, false)
    if (fault === undefined) return
    const where = `'${toPointer(fault.path)}' of the payload is ${describe(fault.value)}`
    throw new TypeError(`${where}, which the schema of such fields does not take`)
  }
}

interface Fault {
  readonly path: string[]
  readonly value: unknown
}

/** A schema as a walk reads it, many times. */
interface Place {
  readonly takes: Test
  readonly items: readonly unknown[]
  /** The schema of items behind those. */
  readonly moreItems: unknown
  /** The schemas of fields, several where those that hold together name one each. */
  readonly named: ReadonlyMap<string, readonly unknown[]>
  readonly patterns: readonly (readonly [RegExp, schemas: readonly unknown[]])[]
  readonly others: readonly unknown[]
  /** Whether a walk comes by something in doubt. Found when it is asked for. */
  isWalked?: boolean
}

/** Walks payloads along their schema. */
class Walk {
  readonly #definitions: unknown
  readonly #places = new Map<unknown, Place>()

  constructor(definitions: unknown) {
    this.#definitions = definitions
  }

  /** Whether a field may be taken for another, in a schema or inside of it. */
  isNeeded(given: unknown, seen = new Set<unknown>()): boolean {
    if (!isPlainObject(given) || seen.has(given)) return false
    seen.add(given)
    const { items, moreItems, named, patterns, others } = this.#placeOf(given)
    const unnamed = patterns.length + others.length
    if (unnamed > 0 && unnamed + named.size > 1) return true
    const fields = [...named.values(), ...patterns.map(([, schemas]) => schemas), others].flat()
    return [...items, moreItems, ...fields].some((each) => this.isNeeded(each, seen))
  }

  /** @param isOther whether the value stands in a field that has no name */
  find(given: unknown, payload: unknown, isOther: boolean): Fault | undefined {
    // What has no schema is left out, or may be anything.
    if (!isPlainObject(given)) return undefined
    const place = this.#placeOf(given)
    if (!isOther && !(place.isWalked ??= this.isNeeded(given))) return undefined
    const value = isObject(payload) && 'toJSON' in payload ? jsonOf(payload) : payload
    if (isOther && !place.takes(value)) return { path: [], value }
    if (Array.isArray(value)) return this.#findInItems(place, value, isOther)
    return isObject(value) ? this.#findInFields(place, value, isOther) : undefined
  }

  #findInItems(
    { items, moreItems }: Place,
    list: readonly unknown[],
    isOther: boolean,
  ): Fault | undefined {
    for (const [index, item] of list.entries()) {
      const fault = this.find(items[index] ?? moreItems, item, isOther)
      if (fault !== undefined) return below(String(index), fault)
    }
    return undefined
  }

  #findInFields(place: Place, object: JsonObject, isOther: boolean): Fault | undefined {
    for (const name of Object.keys(object)) {
      const named = place.named.get(name)
      const matched = named ?? place.patterns.find(([pattern]) => pattern.test(name))?.[1]
      for (const schema of matched ?? place.others) {
        const value = object[name]
        if (!isWritten(value)) continue
        const fault = this.find(schema, value, isOther || named === undefined)
        if (fault !== undefined) return below(name, fault)
      }
    }
    return undefined
  }

  #placeOf(given: JsonObject): Place {
    const known = this.#places.get(given)
    if (known !== undefined) return known
    const schema = resolve(given, this.#definitions)
    const parts = this.#partsOf(schema)
    const entries = (keyword: string) =>
      parts.flatMap((part) => Object.entries(mapOf(part[keyword])))
    const { items, additionalItems } = schema
    const place: Place = {
      takes: testOf(parts, given['nullable'] === true),
      items: Array.isArray(items) ? items : [],
      moreItems: Array.isArray(items) ? additionalItems : items,
      named: grouped(entries('properties')),
      patterns: entries('patternProperties').map(([text, each]) => [new RegExp(text), [each]]),
      others: parts.map((part) => part['additionalProperties']).filter(isPlainObject),
    }
    this.#places.set(given, place)
    return place
  }

  /** The schemas that hold of an object together. */
  #partsOf(schema: JsonObject): readonly JsonObject[] {
    const { allOf } = schema
    if (!Array.isArray(allOf)) return [schema]
    return [schema, ...allOf.flatMap((part) => this.#partsOf(resolve(part, this.#definitions)))]
  }
}

function below(name: string, fault: Fault): Fault {
  fault.path.unshift(name)
  return fault
}

const mapOf = (value: unknown): JsonObject => (isPlainObject(value) ? value : {})

function grouped(entries: readonly (readonly [string, unknown])[]): Map<string, unknown[]> {
  const groups = new Map<string, unknown[]>()
  for (const [name, value] of entries) groups.set(name, [...(groups.get(name) ?? []), value])
  return groups
}

function jsonOf(value: JsonObject): unknown {
  const { toJSON } = value
  return value instanceof Date || typeof toJSON !== 'function' ? value : toJSON.call(value)
}

/** Whether a field leaves that has such a value. */
const isWritten: Test = (value) =>
  value !== undefined && typeof value !== 'function' && typeof value !== 'symbol'

type Test = (value: unknown) => boolean

/** Whether schemas that hold together take a value, as far as their own types say; what is one of several asks itself.
 *  @param isNullable whether a reference to them says that null may stand in their place */
function testOf(parts: readonly JsonObject[], isNullable: boolean): Test {
  const tests = parts.map(ownTestOf)
  return (value) => (isNullable && value === null) || tests.every((test) => test(value))
}

function ownTestOf(schema: JsonObject): Test {
  const types = [schema['type'] ?? writtenType(schema)].flat()
  if (schema['nullable'] === true) types.push('null')
  const tests = types.map((name) => typeTests.get(name) ?? isAnything)
  return (value) => tests.some((test) => test(value))
}

/** What can be written as each type. Of text, numbers and truth values the serializer makes one another, in fields of any schema, and
 *  text of instances of classes, as dates and ids are. */
const typeTests: ReadonlyMap<unknown, Test> = new Map<unknown, Test>([
  ['null', (value) => value === null],
  ['boolean', isScalar],
  ['integer', isScalar],
  ['number', isScalar],
  ['string', isScalar],
  ['array', Array.isArray],
  ['object', (value) => isObject(value) && !(value instanceof Date)],
])

const isAnything: Test = () => true

function isScalar(value: unknown): boolean {
  return value !== null && !Array.isArray(value) && !isPlainObject(value)
}
