import type { Bundle } from '../schema/bundle.ts'
import { definitionOf } from '../schema/transform/transforms.ts'
import { isPlainObject, type JsonObject } from '../types/objects.ts'

/** What strict mode adds to the schema of a whole object. */
export interface Closing {
  /** Added where the object names all its fields in one place, or in schemas that hold together. */
  readonly plain: JsonObject
  /** Added where alternatives or conditions decide which fields are named. */
  readonly chosen: JsonObject
  /** Whether the whole value stays open, as the headers of a request. */
  readonly leavesRoot: boolean
  /** Whether an integer has to be one that JavaScript holds exactly. */
  readonly exactIntegers: boolean
}

/** A copy of a bundle as strict mode compiles it. Each object is closed as a whole: a field that no
 *  schema of it names is not valid. An object stays open where a schema has `additionalProperties`
 *  of its own, and where none says anything about fields.
 *
 *  `additionalProperties: false` would close each member of an `allOf` by itself, so it goes to the
 *  whole object. A closed alternative of a union stays closed. */
export function closeBundle(bundle: Bundle, closing: Closing): Bundle {
  const { definitions } = bundle.schema
  const closer = new Closer(definitions, closing)
  const root = closer.copy(bundle.schema, !closing.leavesRoot)
  const copies = isPlainObject(definitions) && {
    definitions: mapValues(definitions, (each) => closer.copy(each, false)),
  }
  // cast: a copy of an object is one
  return { ...bundle, schema: { ...(root as JsonObject), ...copies } }
}

/** Whether alternatives or conditions decide which fields of an object are named. */
export function isChosen(schema: JsonObject, definitions: unknown): boolean {
  return partsOf(schema, definitions).some((part) => choosing.some((keyword) => keyword in part))
}

/** A schema, and all that hold for the same value or may hold for it. */
export function partsOf(
  given: unknown,
  definitions: unknown,
  found: Set<JsonObject> = new Set(),
): readonly JsonObject[] {
  if (!isPlainObject(given) || found.has(given)) return [...found]
  found.add(given)
  const name = definitionOf(given['$ref'])
  const target = isPlainObject(definitions) && name !== undefined ? definitions[name] : undefined
  const inner: unknown[] = [...lists, ...branches].flatMap((keyword) => given[keyword])
  const dependent = dependencies.flatMap((keyword): unknown[] =>
    Object.values(given[keyword] ?? {}),
  )
  for (const each of [target, ...inner, ...dependent]) partsOf(each, definitions, found)
  return [...found]
}

const unions = ['anyOf', 'oneOf'] as const
const lists = ['allOf', ...unions] as const
const branches = ['then', 'else'] as const
const dependencies = ['dependencies', 'dependentSchemas'] as const
const choosing = [...unions, 'if', ...dependencies] as const
const naming = ['properties', 'patternProperties', 'additionalProperties'] as const

/** The largest integer that JavaScript holds exactly. */
const { MAX_SAFE_INTEGER: largest } = Number

class Closer {
  readonly #definitions: unknown
  readonly #closing: Closing

  constructor(definitions: unknown, closing: Closing) {
    this.#definitions = definitions
    this.#closing = closing
  }

  /** @param isWhole whether the schema is that of a whole value, not of a part of one */
  copy(given: unknown, isWhole: boolean): unknown {
    if (!isPlainObject(given)) return given
    const { definitions: _own, additionalProperties, ...schema } = given
    const copy: Record<string, unknown> = { ...schema, ...this.#inner(given) }
    if (isPlainObject(additionalProperties))
      copy['additionalProperties'] = this.copy(additionalProperties, true)
    else if (additionalProperties === true) copy['additionalProperties'] = true
    if (this.#closing.exactIntegers) boundIntegers(copy)
    const isClosed = isWhole && additionalProperties !== true && this.#names(given)
    if (isClosed && !isPlainObject(additionalProperties)) Object.assign(copy, this.#close(given))
    return copy
  }

  #close(schema: JsonObject): JsonObject {
    const { plain, chosen } = this.#closing
    return isChosen(schema, this.#definitions) || isJoined(schema) ? chosen : plain
  }

  /** The schemas inside of one. Those of conditions and of `not` test values, and stay. */
  #inner(schema: JsonObject): JsonObject {
    const copies: Record<string, unknown> = {}
    const whole = (each: unknown): unknown => this.copy(each, true)
    const part = (each: unknown): unknown => this.copy(each, false)
    const change = (keywords: readonly string[], copy: (value: unknown) => unknown): void => {
      for (const keyword of keywords) if (keyword in schema) copies[keyword] = copy(schema[keyword])
    }
    change(['properties', 'patternProperties'], (map) => mapValues(map, whole))
    change(['items', 'additionalItems'], (items) =>
      Array.isArray(items) ? items.map(whole) : whole(items),
    )
    change(['allOf'], (members) => mapList(members, part))
    change(unions, (members) => this.#alternatives(members, schema))
    change(branches, part)
    change(dependencies, (map) => mapValues(map, part))
    return copies
  }

  /** An alternative that is closed by itself stays so. One that says nothing about fields takes any
   *  object, unless the schema around it names fields. */
  #alternatives(
    members: unknown,
    { anyOf: _anyOf, oneOf: _oneOf, ...around }: JsonObject,
  ): unknown {
    const isRefining = this.#names(around)
    return mapList(members, (member) => {
      const isFree = !isRefining && takesObjects(member) && !this.#names(member)
      if (isFree) return { ...(isPlainObject(member) ? member : {}), additionalProperties: true }
      return this.copy(member, this.#isClosed(member))
    })
  }

  #isClosed(schema: unknown, seen: ReadonlySet<unknown> = new Set()): boolean {
    if (!isPlainObject(schema) || seen.has(schema)) return false
    if (schema['additionalProperties'] === false) return true
    const target = this.#target(schema)
    return target !== undefined && this.#isClosed(target, new Set([...seen, schema]))
  }

  /** Whether a schema says which fields an object has. */
  #names(schema: unknown): boolean {
    const parts = partsOf(schema, this.#definitions)
    return parts.some((part) => naming.some((keyword) => keyword in part))
  }

  #target({ $ref }: JsonObject): unknown {
    const name = definitionOf($ref)
    if (!isPlainObject(this.#definitions) || name === undefined) return undefined
    return this.#definitions[name]
  }
}

/** Whether the fields of an object are named in several schemas. */
const isJoined = (schema: JsonObject): boolean => 'allOf' in schema || '$ref' in schema

function takesObjects(schema: unknown): boolean {
  if (schema === true) return true
  if (!isPlainObject(schema) || 'const' in schema || 'enum' in schema) return false
  const { type = 'object' } = schema
  return [type].flat().includes('object')
}

/** `t.BigInt` has a format that says that its values are no numbers of JavaScript. */
function boundIntegers(schema: Record<string, unknown>): void {
  const { type, minimum = -largest, maximum = largest } = schema
  if (![type].flat().includes('integer')) return
  if (typeof minimum === 'number') schema['minimum'] = Math.max(minimum, -largest)
  if (typeof maximum === 'number') schema['maximum'] = Math.min(maximum, largest)
}

function mapValues(map: unknown, change: (value: unknown) => unknown): unknown {
  if (!isPlainObject(map)) return map
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]))
}

function mapList(list: unknown, change: (value: unknown) => unknown): unknown {
  return Array.isArray(list) ? list.map(change) : list
}
