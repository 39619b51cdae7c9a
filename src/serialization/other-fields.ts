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
    walk.check(bundle.schema, payload, { path: [], isOther: false })
  }
}

/** Whether a field may be taken for another: one that has no name, beside named ones, or those of a pattern. */
function isDoubtful(schema: JsonObject, isJoined: boolean): boolean {
  const patterns = Object.keys(mapOf(schema['patternProperties'])).length
  const others = patterns + (isPlainObject(schema['additionalProperties']) ? 1 : 0)
  if (others === 0) return false
  return isJoined || others + Object.keys(mapOf(schema['properties'])).length > 1
}

interface Seat {
  readonly path: readonly string[]
  /** Whether it stands in a field that has no name. */
  readonly isOther: boolean
}

class Walk {
  readonly #definitions: unknown
  readonly #patterns = new Map<string, RegExp>()

  constructor(definitions: unknown) {
    this.#definitions = definitions
  }

  check(given: unknown, payload: unknown, seat: Seat): void {
    const schema = resolve(given, this.#definitions)
    const value = isObject(payload) && 'toJSON' in payload ? jsonOf(payload) : payload
    if (seat.isOther && !takes(schema, value)) {
      const where = `'${toPointer(seat.path)}' of the payload is ${describe(value)}`
      throw new TypeError(`${where}, which the schema of such fields does not take`)
    }
    if (Array.isArray(value)) this.#checkItems(schema, value, seat)
    else if (isObject(value)) this.#checkFields(schema, value, seat)
  }

  #checkItems({ items, additionalItems }: JsonObject, list: readonly unknown[], seat: Seat): void {
    for (const [index, item] of list.entries()) {
      const own: unknown = Array.isArray(items) ? (items[index] ?? additionalItems) : items
      this.check(own, item, { ...seat, path: [...seat.path, String(index)] })
    }
  }

  #checkFields(schema: JsonObject, object: JsonObject, { path, isOther }: Seat): void {
    const parts = this.#partsOf(schema)
    for (const [name, value] of Object.entries(object)) {
      if (value === undefined) continue
      const named = parts.find((part) => Object.hasOwn(mapOf(part['properties']), name))
      const own = named ? mapOf(named['properties'])[name] : this.#otherField(parts, name)
      this.check(own, value, { path: [...path, name], isOther: isOther || named === undefined })
    }
  }

  /** The schemas that hold of an object together. */
  #partsOf(schema: JsonObject): readonly JsonObject[] {
    const { allOf } = schema
    if (!Array.isArray(allOf)) return [schema]
    const parts = allOf.flatMap((part) => this.#partsOf(resolve(part, this.#definitions)))
    return [schema, ...parts]
  }

  #otherField(parts: readonly JsonObject[], name: string): unknown {
    for (const part of parts) {
      for (const [pattern, schema] of Object.entries(mapOf(part['patternProperties']))) {
        if (this.#patternOf(pattern).test(name)) return schema
      }
    }
    return parts.find((part) => part['additionalProperties'] !== undefined)?.[
      'additionalProperties'
    ]
  }

  #patternOf(text: string): RegExp {
    const known = this.#patterns.get(text)
    if (known !== undefined) return known
    const pattern = new RegExp(text)
    this.#patterns.set(text, pattern)
    return pattern
  }
}

const mapOf = (value: unknown): JsonObject => (isPlainObject(value) ? value : {})

function jsonOf(value: JsonObject): unknown {
  const { toJSON } = value
  return value instanceof Date || typeof toJSON !== 'function' ? value : toJSON.call(value)
}

/** Whether a schema takes a value, as far as its own keywords say; what is one of several asks itself. */
function takes(schema: JsonObject, value: unknown): boolean {
  const { type, nullable, enum: listed } = schema
  if (value === null && nullable === true) return true
  const values = 'const' in schema ? [schema['const']] : listed
  if (Array.isArray(values) && !values.some(isObject)) return values.includes(value)
  const types = [type ?? keywordType(schema)].flat()
  return types.some((name) => isOf.get(name)?.(value) ?? true)
}

/** What is written as each type. */
const isOf: ReadonlyMap<unknown, (value: unknown) => boolean> = new Map([
  ['null', (value: unknown) => value === null],
  ['boolean', (value: unknown) => typeof value === 'boolean'],
  ['integer', isNumber],
  ['number', isNumber],
  ['string', (value: unknown) => typeof value === 'string' || value instanceof Date],
  ['array', Array.isArray],
  ['object', (value: unknown) => isObject(value) && !(value instanceof Date)],
])

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint'
}
