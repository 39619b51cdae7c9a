import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../../types/objects.ts'
import { itemsOf, resolveReference } from './references.ts'
import type { Direction } from './change.ts'

/** The kinds of values. `number` is those of `integer`, and fractions. */
const kinds = ['array', 'boolean', 'fraction', 'integer', 'null', 'object', 'string'] as const

/** A schema without references, `allOf`, `const` and words. Equal schemas may still be written in
 *  two ways. */
export interface ReadSchema {
  /** The kinds of values that fit, sorted. */
  readonly kinds: readonly string[]
  /** The lists of `anyOf` and `oneOf`. */
  readonly unions: readonly (readonly unknown[])[]
  /** Other keywords. A value that is a schema is as it was written. */
  readonly keywords: JsonObject
  /** How its document writes a member of a union: two that are written the same are compared. */
  readonly source?: string
}

const lower = ['minLength', 'minItems', 'minProperties', 'minContains', 'minimum']
lower.push('exclusiveMinimum')
const upper = ['maxLength', 'maxItems', 'maxProperties', 'maxContains', 'maximum']
upper.push('exclusiveMaximum')
const byName = ['patternProperties', 'dependentSchemas']
const schemas = [
  'items',
  'additionalProperties',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
]
/** Two of one of these have no common value: they are kept as a list. */
const several = ['pattern', 'format', 'contentEncoding', 'contentMediaType', 'multipleOf']
several.push('dependentRequired', 'contains', 'if')
/** These matter to values of all kinds. */
const general = ['not', 'if']

/** Reads the schemas of one document, in one direction. */
export class SchemaReader {
  readonly #document: JsonObject
  readonly #direction: Direction
  readonly #read = new WeakMap<object, ReadSchema>()
  readonly #flat = new WeakMap<object, ReadSchema>()
  readonly #alternatives = new WeakMap<ReadSchema, readonly ReadSchema[]>()
  readonly #unions = new WeakMap<object, object>()
  readonly #joined = new Map<string, object>()
  readonly #ids = new WeakMap<object, number>()
  #count = 0

  constructor(document: JsonObject, direction: Direction) {
    this.#document = document
    this.#direction = direction
  }

  /** The same result for the same schema, so that recursive schemas come to an end.
   *  @throws UsageError for a reference that leads nowhere */
  read(given: unknown): ReadSchema {
    const schema = this.#behind(given)
    if (!isObject(schema)) return schema === false ? nothing : anything
    const known = this.#read.get(schema)
    if (known !== undefined) return known
    const read = this.#withoutHidden(this.#flatten(schema))
    this.#read.set(schema, read)
    return read
  }

  /** The schemas one of which has to fit: the members of a union, each with what stands beside the
   *  union. Null is a member of its own. */
  alternatives(schema: ReadSchema): readonly ReadSchema[] {
    const all = this.#alternatives.get(schema) ?? this.#split(schema, new Set([schema]))
    this.#alternatives.set(schema, all)
    return all
  }

  /** @param above the members found so far beside keywords that ask no more than these here: a
   *  union gains nothing by one of them, nor by itself */
  #split(schema: ReadSchema, above: Set<ReadSchema>): ReadSchema[] {
    const [union, ...others] = schema.unions
    if (union === undefined || others.length > 0) return splitNull(schema)
    const base = { ...schema, unions: [] }
    const { source = '' } = schema
    const met = asksNothing(base) ? above : new Set(above)
    return union.flatMap((written) => {
      const member = this.read(written)
      const whole = { ...this.#join(base, member), source: `${source}${JSON.stringify(written)}` }
      const isNew = whole.kinds.length > 0 && !met.has(member)
      met.add(member)
      return isNew ? this.#split(whole, met) : []
    })
  }

  /** A schema of one union, the same for the same union. */
  ofUnion(members: readonly unknown[]): object {
    const schema = this.#unions.get(members) ?? { anyOf: members }
    this.#unions.set(members, schema)
    return schema
  }

  /** What a reference without other keywords leads to, so that all such references are one. */
  #behind(given: unknown): unknown {
    let schema = given
    for (let steps = 0; isObject(schema) && steps < 32; steps++) {
      const { $ref, description: _1, title: _2, summary: _3, ...others } = schema
      if (typeof $ref !== 'string' || Object.keys(others).length > 0) return schema
      schema = resolveReference(this.#document, $ref)
    }
    return schema
  }

  /** A schema and all that it has to fit besides, read once: many may share a part. */
  #flatten(schema: JsonObject): ReadSchema {
    const known = this.#flat.get(schema)
    if (known !== undefined) return known
    // One that leads to itself without a property or an item between asks nothing more by it.
    this.#flat.set(schema, anything)
    const { $ref, allOf, nullable, ...own } = schema
    const read = (part: unknown): ReadSchema =>
      isObject(part) ? this.#flatten(part) : this.read(part)
    const parts = itemsOf(allOf).map(read)
    if (typeof $ref === 'string') parts.unshift(read(resolveReference(this.#document, $ref)))
    const all = [...new Set([...parts, readOwn(own)])]
    const joined = all.reduce((left, right) => this.#join(left, right))
    const whole = nullable === true ? withNull(joined) : joined
    this.#flat.set(schema, whole)
    return whole
  }

  /** What fits both. */
  #join(left: ReadSchema, right: ReadSchema): ReadSchema {
    const keywords: Record<string, unknown> = { ...left.keywords }
    for (const [key, value] of Object.entries(right.keywords)) {
      keywords[key] = key in keywords ? this.#both(key, keywords[key], value) : value
    }
    return fitting({
      kinds: left.kinds.filter((kind) => right.kinds.includes(kind)),
      unions: [...new Set([...left.unions, ...right.unions])],
      keywords: { ...keywords, ...this.#inside(left.keywords, right.keywords) },
    })
  }

  /** The named properties and the first items of what fits both. One that only one side names has
   *  to fit what the other says of all others. */
  #inside(left: JsonObject, right: JsonObject): JsonObject {
    const names = [left, right].flatMap(({ properties }) => Object.keys(objectOf(properties)))
    const properties = [...new Set(names)].map((name) => [
      name,
      this.#pair('allOf', propertyIn(left, name), propertyIn(right, name)),
    ])
    const firsts = [left, right].map(({ prefixItems }) => itemsOf(prefixItems).length)
    const items = Array.from({ length: Math.max(...firsts) }, (_, index) =>
      this.#pair('allOf', itemIn(left, index), itemIn(right, index)),
    )
    return {
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(items.length > 0 && { prefixItems: items }),
    }
  }

  #both(key: string, left: unknown, right: unknown): unknown {
    if (left === undefined || right === undefined) return left ?? right
    if (lower.includes(key)) return Math.max(Number(left), Number(right))
    if (upper.includes(key)) return Math.min(Number(left), Number(right))
    if (schemas.includes(key)) return this.#pair('allOf', left, right)
    if (key === 'not') return this.#pair('anyOf', left, right)
    if (key === 'uniqueItems') return left === true || right
    if (several.includes(key)) return isDeepStrictEqual(left, right) ? left : bothOf(left, right)
    if (byName.includes(key) && isObject(left) && isObject(right)) {
      const shared = Object.keys(right).filter((name) => Object.hasOwn(left, name))
      const both = shared.map((name) => [name, this.#pair('allOf', left[name], right[name])])
      return { ...left, ...right, ...Object.fromEntries(both) }
    }
    if (key === 'required') return [...new Set([...itemsOf(left), ...itemsOf(right)])]
    if (key !== 'enum' || !Array.isArray(left) || !Array.isArray(right)) return right
    const texts = right.map((value) => JSON.stringify(value))
    return left.filter((value) => texts.includes(JSON.stringify(value)))
  }

  /** A schema of two, the same for the same two. Undefined is the schema that all values fit. */
  #pair(word: 'allOf' | 'anyOf', left: unknown, right: unknown): unknown {
    const [neutral, other] = word === 'allOf' ? [true, false] : [false, true]
    if (left === right || (right ?? true) === neutral) return left
    if ((left ?? true) === neutral) return right
    if (!isObject(left) || !isObject(right)) return other
    const key = `${word} ${this.#id(left)} ${this.#id(right)}`
    const joined = this.#joined.get(key) ?? { [word]: [left, right] }
    this.#joined.set(key, joined)
    return joined
  }

  #id(schema: object): number {
    const id = this.#ids.get(schema) ?? this.#count++
    this.#ids.set(schema, id)
    return id
  }

  /** Without the properties that only the other direction has. */
  #withoutHidden(schema: ReadSchema): ReadSchema {
    const { properties, required } = schema.keywords
    if (!isObject(properties)) return schema
    const hiding = this.#direction === 'request' ? 'readOnly' : 'writeOnly'
    const isHidden = (value: unknown): boolean =>
      isObject(value) && (value[hiding] === true || this.#refersTo(value, hiding))
    const hidden = Object.keys(properties).filter((name) => isHidden(properties[name]))
    if (hidden.length === 0) return schema
    const left = Object.entries(properties).filter(([name]) => !hidden.includes(name))
    const names = Array.isArray(required) ? required : []
    const needed: unknown[] = names.filter((name) => !hidden.includes(String(name)))
    const keywords = { ...schema.keywords, properties: Object.fromEntries(left), required: needed }
    return { ...schema, keywords }
  }

  #refersTo({ $ref }: JsonObject, flag: string): boolean {
    if (typeof $ref !== 'string') return false
    const target = resolveReference(this.#document, $ref)
    return isObject(target) && target[flag] === true
  }
}

const bothOf = (left: unknown, right: unknown): unknown[] => [...new Set([left, right].flat())]

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** What keywords say of a property; undefined where they say nothing. A pattern that its name fits
 *  is left to `patternProperties`. */
export function propertyIn(keywords: JsonObject, name: string): unknown {
  const { properties, patternProperties: patterns, additionalProperties: others } = keywords
  const named = objectOf(properties)
  if (Object.hasOwn(named, name)) return named[name]
  return Object.keys(objectOf(patterns)).some((pattern) => fits(pattern, name)) ? undefined : others
}

function fits(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name)
  } catch {
    return false
  }
}

/** What keywords say of an item; undefined where they say nothing. */
export function itemIn({ prefixItems, items }: JsonObject, index: number): unknown {
  const firsts = itemsOf(prefixItems)
  return index < firsts.length ? firsts[index] : items
}

const anything: ReadSchema = { kinds, unions: [], keywords: {} }
const nothing: ReadSchema = { ...anything, kinds: [] }

const words = ['title', 'description', 'default', 'examples', 'discriminator', 'deprecated']

/** Whether all values fit a schema, apart from its unions. */
function asksNothing({ kinds: own, keywords }: ReadSchema): boolean {
  const asked = Object.keys(keywords).filter((key) => keywords[key] !== undefined)
  return own.length === kinds.length && asked.every((key) => words.includes(key))
}

/** A schema with no reference and no `allOf`. */
function readOwn(schema: JsonObject): ReadSchema {
  const { type, anyOf, oneOf, const: only, exclusiveMinimum, exclusiveMaximum, ...others } = schema
  const { then: _then, else: _else, ...rest } = others
  const keywords: Record<string, unknown> = { ...rest }
  if ('const' in schema) {
    const isListed = itemsOf(schema['enum'] ?? [only]).some((value) =>
      isDeepStrictEqual(value, only),
    )
    keywords['enum'] = isListed ? [only] : []
  }
  keywords['if'] = conditionOf(schema)
  readExclusive(keywords, 'exclusiveMinimum', exclusiveMinimum)
  readExclusive(keywords, 'exclusiveMaximum', exclusiveMaximum)
  // Without `contains` its limits say nothing. With it, one item has to fit.
  const contains = 'contains' in schema ? (schema['minContains'] ?? 1) : undefined
  keywords['minContains'] = contains
  if (contains === undefined) keywords['maxContains'] = undefined
  const unions = [anyOf, oneOf].filter((list) => Array.isArray(list))
  return fitting({ kinds: kindsOf(type), unions, keywords })
}

/** A condition with its consequences; undefined where it has none. */
function conditionOf({ if: condition, then, else: otherwise }: JsonObject): unknown {
  const hasEffect = then !== undefined || otherwise !== undefined
  return condition === undefined || !hasEffect ? undefined : { if: condition, then, otherwise }
}

/** A schema whose values are of its kinds, and whose kinds have values. */
function fitting(schema: ReadSchema): ReadSchema {
  const { enum: all } = schema.keywords
  if (!Array.isArray(all)) return schema
  const values = all.filter((value) => schema.kinds.includes(kindOf(value)))
  const kinds = new Set(values.map(kindOf))
  return {
    ...schema,
    kinds: schema.kinds.filter((kind) => kinds.has(kind)),
    keywords: { ...schema.keywords, enum: values },
  }
}

/** Version 3.0 says by a boolean whether the limit itself is outside. */
function readExclusive(keywords: Record<string, unknown>, key: string, value: unknown): void {
  const limit = key === 'exclusiveMinimum' ? 'minimum' : 'maximum'
  if (value === true) {
    keywords[key] = keywords[limit]
    keywords[limit] = undefined
  } else if (typeof value === 'number') keywords[key] = value
}

function kindsOf(type: unknown): readonly string[] {
  if (type === undefined) return kinds
  const names = [type]
    .flat()
    .flatMap((name) => (name === 'number' ? ['integer', 'fraction'] : [name]))
  return kinds.filter((kind) => names.includes(kind))
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value !== 'number') return typeof value
  return Number.isInteger(value) ? 'integer' : 'fraction'
}

function withNull(schema: ReadSchema): ReadSchema {
  if (schema.unions.length === 0) {
    const values = schema.keywords['enum']
    const nulled = values !== undefined && { enum: [...new Set([...itemsOf(values), null])] }
    const all = kinds.filter((kind) => kind === 'null' || schema.kinds.includes(kind))
    return { ...schema, kinds: all, keywords: { ...schema.keywords, ...nulled } }
  }
  const [union = [], ...others] = schema.unions
  return { ...schema, unions: [[...union, { type: 'null' }], ...others] }
}

function splitNull(schema: ReadSchema): ReadSchema[] {
  const values = schema.keywords['enum']
  if (!schema.kinds.includes('null') || schema.kinds.length === 1) return [schema]
  const isEnum = Array.isArray(values)
  const others = isEnum && { enum: values.filter((value) => value !== null) }
  const rest: ReadSchema = {
    source: 'all but null',
    ...schema,
    kinds: schema.kinds.filter((kind) => kind !== 'null'),
    keywords: { ...schema.keywords, ...others },
  }
  const kept = Object.entries(schema.keywords).filter(([key]) => general.includes(key))
  const nullOnly: ReadSchema = {
    ...anything,
    kinds: ['null'],
    keywords: Object.fromEntries(kept),
    source: `null ${schema.source ?? ''}`,
  }
  return isEnum && !values.includes(null) ? [rest] : [rest, nullOnly]
}
