import { type Bundle, subschemasOf } from '../schema/bundle.ts'
import { definitionOf } from '../schema/transform/transforms.ts'
import { isPlainObject, type JsonObject, mapItems, mapValues } from '../types/objects.ts'

/** What strict mode adds to schemas that say which fields an object has. */
export interface Closing {
  /** Added for whole objects. */
  readonly whole: Added
  /** Added for whole objects that may have other fields. */
  readonly open: JsonObject
  /** Added for alternatives that are closed by themselves. */
  readonly alternative: Added
  /** Added to each schema with `properties`. */
  readonly named: JsonObject
  /** Whether the whole value stays open, as the headers of a request. */
  readonly leavesRoot: boolean
  /** Whether an integer has to be one that JavaScript holds exactly. */
  readonly exactIntegers: boolean
}

interface Added {
  /** Added where the object names all its fields in one place, or in schemas that hold together. */
  readonly plain: JsonObject
  /** Added where alternatives or conditions decide which fields are named. */
  readonly chosen: JsonObject
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

/** Whether it depends on a value which fields are named in a bundle. */
export function hasChoice(bundle: Bundle): boolean {
  return subschemasOf(bundle).some(({ schema }) => {
    const members = unions.flatMap((keyword): unknown[] => [schema[keyword]].flat())
    const isUnion = members.filter((each) => takes(each, ['object', 'array'])).length > 1
    return isUnion || conditions.some((keyword) => keyword in schema)
  })
}

/** Whether alternatives or conditions decide which fields of an object are named. */
function isChosen(schema: JsonObject, definitions: unknown): boolean {
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

/** The schemas that one schema has for a field. */
export function schemasOf(part: JsonObject, name: string): readonly unknown[] {
  const { properties, patternProperties = {}, additionalProperties = false } = part
  const own = isPlainObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : []
  const matched = Object.entries(patternProperties as JsonObject)
    .filter(([pattern]) => compilePattern(pattern).test(name))
    .map(([, schema]) => schema)
  const all = [...own, ...matched]
  return all.length > 0 || additionalProperties === false ? all : [additionalProperties]
}

/** The patterns of schemas, which are compiled once. */
const patterns = new Map<string, RegExp>()

function compilePattern(text: string): RegExp {
  const pattern = patterns.get(text) ?? new RegExp(text, 'u')
  patterns.set(text, pattern)
  return pattern
}

/** The schema that one schema has for an item. */
export function itemOf({ items, additionalItems }: JsonObject, index: number): unknown {
  if (!Array.isArray(items)) return items
  const listed: readonly unknown[] = items
  return index < listed.length ? listed[index] : additionalItems
}

/** Whether a schema says which fields an object has. */
export const isNaming = (schema: JsonObject): boolean => naming.some((keyword) => keyword in schema)

const unions = ['anyOf', 'oneOf'] as const
const lists = ['allOf', ...unions] as const
const branches = ['then', 'else'] as const
const dependencies = ['dependencies', 'dependentSchemas'] as const
const conditions = ['if', ...dependencies] as const
const choosing = [...unions, ...conditions] as const
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
    // The copy says too that it has no other fields than these.
    else if (additionalProperties === false) copy['properties'] ??= {}
    if (this.#closing.exactIntegers) boundIntegers(copy)
    if ('properties' in given) Object.assign(copy, this.#closing.named)
    if (isWhole && this.#names(given)) {
      const isOpen = additionalProperties === true || isPlainObject(additionalProperties)
      const { whole, open } = this.#closing
      Object.assign(copy, isOpen ? open : this.#added(given, whole))
    }
    return copy
  }

  #added(schema: JsonObject, { plain, chosen }: Added): JsonObject {
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
    change(['allOf'], (members) => mapItems(members, part))
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
    return mapItems(members, (member) => {
      const isFree = !isRefining && takes(member, ['object']) && !this.#names(member)
      const copy = this.copy(member, false)
      if (isFree) return { ...(isPlainObject(copy) ? copy : {}), additionalProperties: true }
      if (!isPlainObject(copy) || !this.#isClosed(member)) return copy
      return { ...copy, ...this.#added(member, this.#closing.alternative) }
    })
  }

  #isClosed(schema: unknown, seen: ReadonlySet<unknown> = new Set()): schema is JsonObject {
    if (!isPlainObject(schema) || seen.has(schema)) return false
    if (schema['additionalProperties'] === false) return true
    const target = this.#target(schema)
    return target !== undefined && this.#isClosed(target, new Set([...seen, schema]))
  }

  #names(schema: unknown): boolean {
    return partsOf(schema, this.#definitions).some(isNaming)
  }

  #target({ $ref }: JsonObject): unknown {
    const name = definitionOf($ref)
    if (!isPlainObject(this.#definitions) || name === undefined) return undefined
    return this.#definitions[name]
  }
}

/** Whether the fields of an object are named in several schemas. */
const isJoined = (schema: JsonObject): boolean => 'allOf' in schema || '$ref' in schema

/** Whether a schema may take a value of one of the types. */
function takes(schema: unknown, types: readonly unknown[]): boolean {
  if (schema === true) return true
  if (!isPlainObject(schema)) return false
  const { type = types } = schema
  const values = 'const' in schema ? [schema['const']] : [schema['enum'] ?? {}].flat()
  const isHolder = values.some((each) => typeof each === 'object' && each !== null)
  return isHolder && [type].flat().some((each) => types.includes(each))
}

/** Refuses integers that JavaScript would have rounded. */
function boundIntegers(schema: Record<string, unknown>): void {
  const { type, minimum = -largest, maximum = largest } = schema
  if (![type].flat().includes('integer')) return
  if (typeof minimum === 'number') schema['minimum'] = Math.max(minimum, -largest)
  if (typeof maximum === 'number') schema['maximum'] = Math.min(maximum, largest)
}
