import { isDeepStrictEqual } from 'node:util'
import { isPlainObject, type JsonObject } from '../types/objects.ts'
import type { SchemaObject } from './types.ts'

/** Rewrites a schema of draft 2020-12 for OpenAPI 3.0. The result takes all values that the schema
 *  takes, and others where version 3.0 cannot tell them apart. Keywords that version 3.0 lacks are
 *  kept as `x-…`.
 *  @param components the schemas that references lead to, as they are in draft 2020-12
 *  @example toSchema30({ type: ['string', 'null'] }, {}) // { type: 'string', nullable: true } */
export function toSchema30(
  schema: unknown,
  components: Readonly<Record<string, SchemaObject>>,
): JsonObject {
  return new SchemaRewriter(components).rewrite(schema)
}

/** Keywords that mean the same in version 3.0 (OpenAPI 3.0.4, 4.7.24). */
const same = new Set([
  ...['title', 'description', 'default', 'example', 'deprecated', 'readOnly', 'writeOnly', 'xml'],
  ...['externalDocs', 'discriminator', 'format', 'pattern', 'minLength', 'maxLength', 'multipleOf'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
])

/** Keywords that speak of values of one type. */
const keywordsOf: Readonly<Record<string, readonly string[]>> = {
  string: ['format', 'pattern', 'minLength', 'maxLength'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
}

/** Keywords that narrow what a schema takes, and which version 3.0 lacks or has in a wider form. */
const widened = new Set([
  ...['contains', 'minContains', 'maxContains', 'propertyNames', 'patternProperties', 'if'],
  ...['unevaluatedProperties', 'unevaluatedItems', 'dependentRequired', 'dependentSchemas'],
  ...['prefixItems', '$dynamicRef'],
])

/** Version 3.0 has no type for null: it stands beside another one. */
const onlyNull: JsonObject = { type: 'string', nullable: true, enum: [null] }
const nothing: JsonObject = { not: {} }

/** What some keywords become. */
type Part = Record<string, unknown>

class SchemaRewriter {
  readonly #components: Readonly<Record<string, SchemaObject>>

  constructor(components: Readonly<Record<string, SchemaObject>>) {
    this.#components = components
  }

  rewrite(schema: unknown): JsonObject {
    if (schema === false) return nothing
    if (!isPlainObject(schema)) return {}
    const { $ref, ...others } = schema
    if ($ref === undefined) return this.#rewriteKeywords(schema)
    if (Object.keys(others).length === 0) return { $ref }
    // Beside a reference, version 3.0 reads no other keyword.
    const { allOf = [], ...rest } = this.#rewriteKeywords(others)
    return { ...rest, allOf: [{ $ref }, ...[allOf].flat()] }
  }

  #rewriteKeywords(schema: JsonObject): JsonObject {
    const made: Part = {}
    for (const [keyword, value] of Object.entries(schema)) {
      Object.assign(made, this.#keyword(keyword, value, schema))
    }
    Object.assign(made, this.#combined(schema), this.#list(schema), this.#fields(schema))
    return withTypes({ ...made, ...limits(schema), ...content(schema) }, schema)
  }

  /** A keyword that stands for itself. Those that depend on others are not read here. */
  #keyword(keyword: string, value: unknown, { enum: values, example }: JsonObject): Part {
    if (same.has(keyword) || keyword.startsWith('x-')) return { [keyword]: value }
    if (dependent.has(keyword)) return {}
    if (keyword === 'const') return value === null ? { ...onlyNull } : { enum: [value] }
    if (keyword === 'enum') return isFilled(values) ? { enum: values } : {}
    if (keyword === 'examples') {
      const first: unknown = Array.isArray(value) ? value[0] : undefined
      return example === undefined && first !== undefined ? { example: first } : {}
    }
    return { [`x-${keyword.replace(/^\$/, '')}`]: value }
  }

  /** Schemas that are combined. A wider schema may not stand in `not`, nor among the members of
   *  `oneOf`, of which only one may take a value. */
  #combined(schema: JsonObject): Part {
    const { allOf, anyOf, oneOf, not, enum: values } = schema
    const made: Part = {}
    const all = this.#members(allOf)
    if (Array.isArray(anyOf)) {
      const members = withNullable(this.#members(anyOf))
      const only = members.length === 1 ? (members[0] ?? {}) : undefined
      const isAlone = only !== undefined && Object.keys(only).every((key) => !(key in schema))
      Object.assign(made, isAlone ? only : { anyOf: members })
    }
    if (Array.isArray(oneOf)) {
      const members = withNullable(this.#members(oneOf))
      if (oneOf.every((member) => this.#isExact(member))) made['oneOf'] = members
      else if (anyOf === undefined) made['anyOf'] = members
      else all.push({ anyOf: members })
    }
    if (not !== undefined) {
      if (this.#isExact(not)) made['not'] = this.rewrite(not)
      else made['x-not'] = not
    }
    if (Array.isArray(values) && values.length === 0) made['not'] = {}
    return all.length > 0 ? { ...made, allOf: all } : made
  }

  #members(schemas: unknown): JsonObject[] {
    return Array.isArray(schemas) ? schemas.map((each) => this.rewrite(each)) : []
  }

  /** The items of an array. Version 3.0 has one schema for all of them. */
  #list({ type, items, prefixItems, maxItems }: JsonObject): Part {
    if (!Array.isArray(prefixItems)) {
      const isNone = items === false
      // An array has to tell its items.
      const isArray = [type].flat().includes('array')
      if (items === undefined && !isArray) return {}
      return { items: isNone ? {} : this.rewrite(items), ...(isNone && { maxItems: 0 }) }
    }
    const isOpen = items === undefined || items === true
    const first: readonly unknown[] = prefixItems
    const given = items === false ? first : [...first, items]
    const length = Math.min(first.length, Number(maxItems ?? Infinity))
    return {
      items: isOpen ? {} : anyOf(this.#members(given)),
      ...(items === false && { maxItems: length }),
    }
  }

  /** The properties of an object. Version 3.0 has one schema for all that are not listed. */
  #fields(schema: JsonObject): Part {
    const { properties, required, additionalProperties: rest, patternProperties: patterns } = schema
    const made: Part = {}
    if (isPlainObject(properties)) made['properties'] = this.#map(properties)
    if (isFilled(required)) made['required'] = required
    if (isPlainObject(patterns)) made['x-patternProperties'] = patterns
    if (rest === undefined || !isPlainObject(patterns)) {
      if (rest !== undefined) {
        made['additionalProperties'] = typeof rest === 'boolean' ? rest : this.rewrite(rest)
      }
      return made
    }
    const others = rest === false ? [] : [rest]
    const members = this.#members([...Object.values(patterns), ...others])
    made['additionalProperties'] = rest !== true && (members.length > 0 ? anyOf(members) : false)
    if (rest === true) delete made['additionalProperties']
    return made
  }

  #map(schemas: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(schemas).map(([name, each]) => [name, this.rewrite(each)]),
    )
  }

  /** Whether a schema takes the same values in version 3.0. It looks at all keys of all objects, so
   *  that a property named `if` counts as the keyword: then more is taken than need be. */
  #isExact(value: unknown, seen = new Set<unknown>()): boolean {
    if (typeof value !== 'object' || value === null || seen.has(value)) return true
    seen.add(value)
    if (Array.isArray(value)) return value.every((each) => this.#isExact(each, seen))
    return Object.entries(value).every(([key, each]) => {
      if (widened.has(key)) return false
      const name = key === '$ref' ? componentOf(each) : undefined
      return this.#isExact(name === undefined ? each : this.#components[name], seen)
    })
  }
}

/** Keywords whose form in version 3.0 depends on others, or which are read with others. */
const dependent = new Set([
  ...['type', 'nullable', 'allOf', 'anyOf', 'oneOf', 'not', 'items', 'prefixItems', 'properties'],
  ...['required', 'additionalProperties', 'patternProperties', 'contentMediaType'],
  ...['contentEncoding', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
])

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}

function componentOf(reference: unknown): string | undefined {
  return /^#\/components\/schemas\/([^/]+)$/.exec(String(reference))?.[1]
}

/** What one of these schemas takes. */
function anyOf(schemas: readonly JsonObject[]): JsonObject {
  const different = schemas.filter(
    (each, index) => schemas.findIndex((other) => isDeepStrictEqual(each, other)) === index,
  )
  const [first] = different
  return different.length === 1 && first !== undefined ? first : { anyOf: different }
}

/** Says by `nullable` that null is taken, where that says the same as a member for null alone. */
function withNullable(members: readonly JsonObject[]): JsonObject[] {
  const others = members.filter((member) => !isDeepStrictEqual(member, onlyNull))
  if (others.length === members.length) return [...members]
  const [first, ...more] = others
  const takesNull = first !== undefined && first['type'] !== undefined && !('enum' in first)
  if (!takesNull || 'allOf' in first || 'not' in first) return [...members]
  if ('anyOf' in first || 'oneOf' in first) return [...members]
  return [{ ...first, nullable: true }, ...more]
}

/** Says the types. Version 3.0 has one type for a schema, and null only beside it. */
function withTypes(made: Part, { type, const: constant, enum: values }: JsonObject): JsonObject {
  if (type === undefined) return made
  const types = [...new Set<unknown>([type].flat())]
  const others = types.filter((each) => each !== 'null').map(String)
  const listed: readonly unknown[] | undefined =
    constant !== undefined ? [constant] : Array.isArray(values) ? values : undefined
  const takesNull = types.includes('null') && (listed === undefined || listed.includes(null))
  if (others.length === 0) return takesNull ? { ...made, ...onlyNull } : nothing
  const nullable = takesNull && { nullable: true }
  if (others.length === 1) return { type: others[0], ...nullable, ...made }
  // Each type gets the keywords that speak of it.
  const moved = new Set(others.flatMap((each) => keywordsOf[each] ?? []))
  const members = others.map((each) => ({
    type: each,
    ...nullable,
    ...pick(made, (keyword) => keywordsOf[each]?.includes(keyword) === true),
  }))
  const rest = pick(made, (keyword) => !moved.has(keyword))
  if (!('anyOf' in rest)) return { ...rest, anyOf: members }
  return { ...rest, allOf: [...[rest['allOf'] ?? []].flat(), { anyOf: members }] }
}

function pick(part: Part, takes: (keyword: string) => boolean): Part {
  return Object.fromEntries(Object.entries(part).filter(([keyword]) => takes(keyword)))
}

/** The limits of a number. In version 3.0, `exclusiveMinimum` tells of `minimum`. */
function limits(schema: JsonObject): Part {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema
  const isAbove = typeof above === 'number' && !(Number(minimum) > above)
  const isBelow = typeof below === 'number' && !(Number(maximum) < below)
  return {
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(isAbove && { minimum: above, exclusiveMinimum: true }),
    ...(isBelow && { maximum: below, exclusiveMaximum: true }),
  }
}

/** What a text holds. Version 3.0 has formats for bytes. */
function content(schema: JsonObject): Part {
  const { contentMediaType: mediaType, contentEncoding: encoding, format } = schema
  const isBytes = mediaType === 'application/octet-stream' && encoding === undefined
  const known = isBytes ? 'binary' : encoding === 'base64' ? 'byte' : undefined
  return {
    ...(known !== undefined && format === undefined && { format: known }),
    ...(mediaType !== undefined && !isBytes && { 'x-contentMediaType': mediaType }),
    ...(encoding !== undefined && { 'x-contentEncoding': encoding }),
  }
}
