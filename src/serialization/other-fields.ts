import { subschemasOf, type Bundle } from '../schema/bundle.ts'
import { describe, isObject, isPlainObject, toPointer, type JsonObject } from '../schema/values.ts'
import { keywordType, resolve } from './alternatives.ts'

/** Asks of a payload whether each field that its schema does not name is of the type that the schema has for such fields. To TypeScript
 *  they may also be what a named field, or one of another pattern, is, which would be written as if it were their own: null as `{}`.
 *  What one of several alternatives holds is asked for where that is chosen.
 *  @returns undefined for a schema that leaves no such doubt; else a check that throws, with the place of the field */
export function checkOtherFields(bundle: Bundle): ((payload: unknown) => void) | undefined {
  const schemas = subschemasOf(bundle).map(({ schema }) => schema)
  const isJoined = schemas.some((schema) => 'allOf' in schema)
  if (!schemas.some((schema) => isDoubtful(schema, isJoined))) return undefined
  const walk = new Walk(bundle.schema['definitions'])
  return (payload) => {
    const fault = walk.find(bundle.schema, payload, false)
    if (fault === undefined) return
    const where = `'${toPointer(fault.path)}' of the payload is ${describe(fault.value)}`
    throw new TypeError(`${where}, which the schema of such fields does not take`)
  }
}

/** Whether a field may be taken for another: one that has no name, beside named ones, or those of a pattern. */
function isDoubtful(schema: JsonObject, isJoined: boolean): boolean {
  const patterns = Object.keys(mapOf(schema['patternProperties'])).length
  const others = patterns + (isPlainObject(schema['additionalProperties']) ? 1 : 0)
  if (others === 0) return false
  return isJoined || others + Object.keys(mapOf(schema['properties'])).length > 1
}

interface Fault {
  readonly path: string[]
  readonly value: unknown
}

/** A schema as a walk reads it, many times. */
interface Place {
  readonly schema: JsonObject
  readonly takes: Test
  readonly named: ReadonlyMap<string, unknown>
  readonly patterns: readonly (readonly [RegExp, schema: unknown])[]
  readonly others: unknown
}

/** Walks payloads along their schema. */
class Walk {
  readonly #definitions: unknown
  readonly #places = new Map<unknown, Place>()

  constructor(definitions: unknown) {
    this.#definitions = definitions
  }

  /** @param isOther whether the value stands in a field that has no name */
  find(given: unknown, payload: unknown, isOther: boolean): Fault | undefined {
    // What has no schema is left out, or may be anything.
    if (!isPlainObject(given)) return undefined
    const place = this.#placeOf(given)
    const value = isObject(payload) && 'toJSON' in payload ? jsonOf(payload) : payload
    if (isOther && !place.takes(value)) return { path: [], value }
    if (Array.isArray(value)) return this.#findInItems(place.schema, value, isOther)
    return isObject(value) ? this.#findInFields(place, value, isOther) : undefined
  }

  #findInItems(
    { items, additionalItems }: JsonObject,
    list: readonly unknown[],
    isOther: boolean,
  ): Fault | undefined {
    for (const [index, item] of list.entries()) {
      const own: unknown = Array.isArray(items) ? (items[index] ?? additionalItems) : items
      const fault = this.find(own, item, isOther)
      if (fault !== undefined) return below(String(index), fault)
    }
    return undefined
  }

  #findInFields(place: Place, object: JsonObject, isOther: boolean): Fault | undefined {
    const { named, patterns, others } = place
    for (const name of Object.keys(object)) {
      const value = object[name]
      if (value === undefined) continue
      const isNamed = named.has(name)
      const own = isNamed
        ? named.get(name)
        : (patterns.find(([pattern]) => pattern.test(name))?.[1] ?? others)
      const fault = this.find(own, value, isOther || !isNamed)
      if (fault !== undefined) return below(name, fault)
    }
    return undefined
  }

  #placeOf(given: unknown): Place {
    const known = this.#places.get(given)
    if (known !== undefined) return known
    const schema = resolve(given, this.#definitions)
    const parts = this.#partsOf(schema)
    const entries = (keyword: string) =>
      parts.flatMap((part) => Object.entries(mapOf(part[keyword])))
    const place: Place = {
      schema,
      takes: testOf(schema),
      named: new Map(entries('properties')),
      patterns: entries('patternProperties').map(([text, each]) => [new RegExp(text), each]),
      others: parts.map((part) => part['additionalProperties']).find((each) => each !== undefined),
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

function jsonOf(value: JsonObject): unknown {
  const { toJSON } = value
  return value instanceof Date || typeof toJSON !== 'function' ? value : toJSON.call(value)
}

type Test = (value: unknown) => boolean

/** Whether a schema takes a value, as far as its own keywords say; what is one of several asks itself. */
function testOf(schema: JsonObject): Test {
  const { type, nullable, enum: listed } = schema
  const values = 'const' in schema ? [schema['const']] : listed
  const types = [type ?? keywordType(schema)].flat()
  const tests = types.map((name) => typeTests.get(name) ?? isAnything)
  const takes: Test =
    Array.isArray(values) && values.every(isScalar)
      ? (value) => values.includes(value)
      : (value) => tests.some((test) => test(value))
  return nullable === true ? (value) => value === null || takes(value) : takes
}

/** What is written as each type. */
const typeTests: ReadonlyMap<unknown, Test> = new Map<unknown, Test>([
  ['null', (value) => value === null],
  ['boolean', (value) => typeof value === 'boolean'],
  ['integer', isNumber],
  ['number', isNumber],
  ['string', (value) => typeof value === 'string' || value instanceof Date],
  ['array', Array.isArray],
  ['object', (value) => isObject(value) && !(value instanceof Date)],
])

const isAnything: Test = () => true

const isScalar: Test = (value) => typeof value !== 'object' || value === null

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint'
}
