import type { Bundle } from '../schema/bundle.ts'
import { describe } from '../errors/describe.ts'
import { isObject, isPlainObject, type JsonObject } from '../types/objects.ts'
import { toPointer } from '../schema/json-pointer.ts'
import { mapOf, resolve, writtenType } from './written-types.ts'

/** Checks the fields of a payload that its schema does not name, by `patternProperties` and
 *  `additionalProperties`. To TypeScript such a field may also have the type of a named field, or
 *  of another pattern. fast-json-stringify would still write it by its own schema: null as `{}`.
 *  Values by alternatives are tested where ajv chooses one; what a condition adds is not tested.
 *  @returns undefined where a schema needs no check; else a function that throws TypeError, with
 *  the place of the field */
export function checkAdditionalProperties({
  schema,
}: Bundle): ((payload: unknown) => void) | undefined {
  const walk = new Walk(schema['definitions'])
  if (!walk.isNeeded(schema)) return undefined
  return (payload) => walk.check(schema, payload, false, [])
}

/** What a walk needs of a schema, with all schemas of its `allOf`. It is computed once. */
interface Place {
  /** The types of each of these schemas, where undefined stands for any type. */
  readonly types: readonly (readonly unknown[])[]
  readonly items: readonly unknown[]
  /** The schema of all further items. */
  readonly moreItems: unknown
  /** The schemas of each named field: several schemas of an `allOf` may name it. */
  readonly named: ReadonlyMap<string, readonly unknown[]>
  readonly patterns: readonly (readonly [pattern: RegExp, schemas: readonly unknown[]])[]
  /** The schemas of `additionalProperties`. */
  readonly others: readonly unknown[]
  /** Whether there is something to check in the schema. Computed when a walk first needs it. */
  isChecked?: boolean
}

/** Compares payloads with their schema. */
class Walk {
  readonly #definitions: unknown
  readonly #places = new Map<unknown, Place>()

  constructor(definitions: unknown) {
    this.#definitions = definitions
  }

  /** Whether a field may be confused with another, in a schema or inside of it. */
  isNeeded(given: unknown, seen = new Set<unknown>()): boolean {
    if (!isPlainObject(given) || seen.has(given)) return false
    seen.add(given)
    const { items, moreItems, named, patterns, others } = this.#placeOf(given)
    const unnamed = patterns.length + others.length
    if (unnamed > 0 && unnamed + named.size > 1) return true
    const fields = [...named.values(), ...patterns.map(([, schemas]) => schemas), others].flat()
    return [...items, moreItems, ...fields].some((each) => this.isNeeded(each, seen))
  }

  /** @param isUnnamed whether the value stands in a field without a name
   *  @param path the keys that lead to the value
   *  @throws TypeError for a value that cannot be written */
  check(given: unknown, payload: unknown, isUnnamed: boolean, path: unknown[]): void {
    // A value without a schema is not written, or may be anything.
    if (!isPlainObject(given)) return
    const place = this.#placeOf(given)
    if (!isUnnamed && !(place.isChecked ??= this.isNeeded(given))) return
    const value = isObject(payload) && 'toJSON' in payload ? toJson(payload) : payload
    const isNull = given['nullable'] === true && value === null
    if (isUnnamed && !isNull && !isTaken(value, place)) {
      const where = `'${toPointer(path.map(String))}' of the payload is ${describe(value)}`
      throw new TypeError(`${where}, which the schema of such fields does not take`)
    }
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        path.push(index)
        this.check(place.items[index] ?? place.moreItems, item, isUnnamed, path)
        path.pop()
      }
    } else if (isObject(value)) this.#checkFields(place, value, isUnnamed, path)
  }

  #checkFields(place: Place, object: JsonObject, isUnnamed: boolean, path: unknown[]): void {
    for (const name of Object.keys(object)) {
      const named = place.named.get(name)
      const matched = named ?? place.patterns.find(([pattern]) => pattern.test(name))?.[1]
      path.push(name)
      for (const schema of matched ?? place.others) {
        const value = object[name]
        // JSON has no such values: the field is left out.
        if (value === undefined || typeof value === 'function' || typeof value === 'symbol')
          continue
        this.check(schema, value, isUnnamed || named === undefined, path)
      }
      path.pop()
    }
  }

  #placeOf(given: JsonObject): Place {
    const known = this.#places.get(given)
    if (known !== undefined) return known
    const schema = resolve(given, this.#definitions)
    const parts = this.#partsOf(schema)
    const entries = (keyword: string) =>
      parts.flatMap((part) => Object.entries(mapOf(part[keyword])))
    const named = new Map<string, unknown[]>()
    for (const [name, each] of entries('properties')) {
      named.set(name, [...(named.get(name) ?? []), each])
    }
    const { items, additionalItems } = schema
    const place: Place = {
      types: parts.map(typesOf),
      items: Array.isArray(items) ? items : [],
      moreItems: Array.isArray(items) ? additionalItems : items,
      named,
      patterns: entries('patternProperties').map(([text, each]) => [new RegExp(text), [each]]),
      others: parts.map((part) => part['additionalProperties']).filter(isPlainObject),
    }
    this.#places.set(given, place)
    return place
  }

  /** A schema and those of its `allOf`. */
  #partsOf(schema: JsonObject): readonly JsonObject[] {
    const { allOf } = schema
    if (!Array.isArray(allOf)) return [schema]
    return [schema, ...allOf.flatMap((part) => this.#partsOf(resolve(part, this.#definitions)))]
  }
}

function toJson(value: JsonObject): unknown {
  const { toJSON } = value
  return value instanceof Date || typeof toJSON !== 'function' ? value : toJSON.call(value)
}

function typesOf(schema: JsonObject): readonly unknown[] {
  const types = [schema['type'] ?? writtenType(schema)].flat()
  return schema['nullable'] === true ? [...types, 'null'] : types
}

function isTaken(value: unknown, { types }: Place): boolean {
  return types.every((each) => each.some((type) => isWritableAs(type, value)))
}

/** Whether fast-json-stringify can write a value as a type. It converts texts, numbers and booleans
 *  into one another, and writes instances of classes, such as dates and ids, as text. */
function isWritableAs(type: unknown, value: unknown): boolean {
  if (type === undefined) return true
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value) && !(value instanceof Date)
  return value !== null && !Array.isArray(value) && !isPlainObject(value)
}
