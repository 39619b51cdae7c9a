// Random schemas: plain JSON Schema of all types, with the keywords that ajv and the builder `t` have. Left out is what is refused
// at boot: defaults where ajv fills in none, in alternatives and conditions.
import type { Random } from './random.ts'

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
export type SchemaMap = Record<string, any>

/** Where a schema stands. */
interface Place {
  readonly depth: number
  /** The shared schemas that may be referred to. */
  readonly ids: readonly string[]
  /** Whether ajv would fill in no default here. */
  readonly isTested: boolean
}

export const names = ['a', 'b', 'c', 'kind', 'x-1', 'constructor', '__proto__'] as const
const usualNames = ['a', 'b', 'c'] as const

/** The schemas that the scope of a case has, by id. Some refer to themselves, and some to those before. */
export function sharedSchemas(random: Random): Record<string, SchemaMap> {
  const shared: Record<string, SchemaMap> = {}
  const place = { depth: 2, ids: [] as string[], isTested: true }
  shared['flat'] = objectSchema(random, { ...place, depth: 1 })
  shared['leaf'] = leaf(random)
  shared['any'] = schemaOf(random, { ...place, ids: ['flat', 'leaf'] })
  const tree = objectSchema(random, { ...place, ids: ['flat', 'leaf'] })
  const self = { $ref: 'tree#' }
  const kids = random.pick<SchemaMap>([
    { type: 'array', items: self },
    { anyOf: [self, { type: 'null' }] },
    { type: 'object', additionalProperties: self },
  ])
  shared['tree'] = { ...tree, properties: { ...tree['properties'], kids } }
  return shared
}

/** The schema of a body, or of a reply. */
export function rootSchema(random: Random): SchemaMap {
  const place = { depth: 3, ids: ['flat', 'leaf', 'any', 'tree'], isTested: false }
  return random.once(5) ? schemaOf(random, place) : holder(random, place)
}

/** The schema of a part that is text: an object of fields without objects. */
export function textSchema(random: Random): SchemaMap {
  const fields = (of: readonly string[]): SchemaMap => {
    const chosen = random.some(of, 1)
    const properties = Object.fromEntries(
      chosen.map((name) => {
        const inner = textField(random)
        const value = random.once(5) && isPlain(inner) ? validOf(random, inner) : undefined
        return [name, value === undefined ? inner : { ...inner, default: value }]
      }),
    )
    return { type: 'object', properties, ...(random.once(2) && { required: random.some(chosen) }) }
  }
  const base = fields(random.once(4) ? names.slice(0, 5) : usualNames)
  switch (random.below(8)) {
    case 0:
      return { ...base, additionalProperties: random.pick([true, false]) }
    case 1:
      return { ...base, additionalProperties: textField(random) }
    case 2:
      return { ...base, patternProperties: { '^y': textField(random) } }
    case 3:
      return {
        type: 'object',
        allOf: [
          fields(['a', 'b']),
          { ...fields(['c', 'd']), ...random.pick([{}, { additionalProperties: false }]) },
        ],
      }
    default:
      return base
  }
}

const isPlain = ({ type, anyOf, $ref }: SchemaMap): boolean =>
  type !== undefined && anyOf === undefined && $ref === undefined

/** A schema of what a query, a header or a field of a form can hold. */
function textField(random: Random): SchemaMap {
  switch (random.below(9)) {
    case 0:
      return {
        type: 'array',
        items: leaf(random),
        ...random.pick([{}, { minItems: 1 }, { maxItems: 2 }, { uniqueItems: true }]),
      }
    case 1:
      return { anyOf: random.list(2, 3, () => typedLeaf(random)) }
    case 2:
      return { $ref: 'leaf#' }
    case 3:
      return { anyOf: [typedLeaf(random), { type: 'array', items: typedLeaf(random) }] }
    default:
      return leaf(random)
  }
}

/** A literal without a type is decoded from text outside of alternatives alone. */
function typedLeaf(random: Random): SchemaMap {
  const made = leaf(random)
  return made['type'] === undefined ? { type: 'string' } : made
}

function leaf(random: Random): SchemaMap {
  const made = random.pick<() => SchemaMap>([
    () => ({
      type: 'integer',
      ...random.pick([
        {},
        {},
        { minimum: 0 },
        { maximum: 5 },
        { multipleOf: 2 },
        { exclusiveMinimum: 1 },
      ]),
    }),
    () => ({ type: 'integer' }),
    () => ({ type: 'number', ...random.pick([{}, {}, { minimum: 0.5 }, { exclusiveMaximum: 5 }]) }),
    () => ({
      type: 'string',
      ...random.pick([{}, {}, { minLength: 1 }, { maxLength: 3 }, { pattern: '^[a-z]*$' }]),
    }),
    () => ({ type: 'string', format: random.pick(['date', 'date-time', 'email', 'uuid']) }),
    () => ({ type: 'boolean' }),
    () => ({ type: 'null' }),
    () => ({ const: random.pick<Json>(['x', '1', 'true', 1, 0, true, null]) }),
    () => ({ type: 'string', const: random.pick(['x', 'y']) }),
    () => ({
      enum: random.pick<Json[]>([
        ['x', 'y'],
        [1, 2],
        ['x', 1, null],
        [true, 'y', 2],
        ['1', 1],
      ]),
    }),
    () => ({ type: 'string', enum: ['x', 'y'] }),
    () => ({ type: random.some(['string', 'integer', 'number', 'boolean', 'null'], 2) }),
  ])()
  const { type } = made
  return random.once(8) &&
    typeof type === 'string' &&
    type !== 'null' &&
    !('enum' in made) &&
    !('const' in made)
    ? { ...made, nullable: true }
    : made
}

function schemaOf(random: Random, place: Place): SchemaMap {
  if (random.once(8) && place.ids.length > 0) return { $ref: `${random.pick(place.ids)}#` }
  if (random.once(20)) return {}
  return place.depth <= 0 || random.once(3) ? leaf(random) : holder(random, place)
}

const below = (place: Place): Place => ({ ...place, depth: place.depth - 1 })
const tested = (place: Place): Place => ({ ...place, depth: place.depth - 1, isTested: true })

function holder(random: Random, place: Place): SchemaMap {
  const inner = below(place)
  const alternatives = (): SchemaMap[] => random.list(2, 3, () => schemaOf(random, tested(place)))
  const objects = (): SchemaMap[] => random.list(2, 3, () => objectSchema(random, tested(place)))
  const union = (members: SchemaMap[]): SchemaMap => ({
    [random.once(3) ? 'oneOf' : 'anyOf']: members,
  })
  return random.pick<() => SchemaMap>([
    () => objectSchema(random, place),
    () => objectSchema(random, place),
    () => objectSchema(random, place),
    () => ({
      type: 'array',
      items: schemaOf(random, inner),
      ...random.pick([
        {},
        {},
        { minItems: 1 },
        { maxItems: 2 },
        { uniqueItems: true },
        { contains: { type: 'integer' } },
      ]),
    }),
    () => {
      const items = random.list(1, 3, () => schemaOf(random, inner))
      const { length } = items
      return {
        type: 'array',
        items,
        ...random.pick([
          {},
          { additionalItems: false },
          { additionalItems: schemaOf(random, inner) },
          { minItems: length, maxItems: length, additionalItems: false },
        ]),
      }
    },
    () => ({ type: 'object', additionalProperties: schemaOf(random, inner) }),
    () => ({ type: 'object', patternProperties: { '^(.*)$': schemaOf(random, inner) } }),
    () => union(alternatives()),
    () => union(objects()),
    () => union(discriminated(random, place)),
    () => ({ ...objectSchema(random, place), ...union(objects()) }),
    () => ({
      allOf: random.list(2, 3, () =>
        random.once(4) ? union(objects()) : objectSchema(random, inner),
      ),
    }),
    () => ({ ...objectSchema(random, place), allOf: [objectSchema(random, inner)] }),
    () => ({ type: 'object', allOf: [{ $ref: 'flat#' }, objectSchema(random, inner)] }),
    () => ({ ...objectSchema(random, place), $ref: 'flat#' }),
    () => ({
      ...objectSchema(random, place),
      if: { properties: { kind: { const: 'x' } }, required: ['kind'] },
      then: objectSchema(random, tested(place)),
      ...(random.once(2) && { else: objectSchema(random, tested(place)) }),
    }),
    () => ({
      ...schemaOf(random, tested(place)),
      not: random.pick([
        { type: 'null' },
        { required: ['c'] },
        { properties: { a: { const: 'x' } }, required: ['a'] },
      ]),
    }),
    () => ({
      ...objectSchema(random, place),
      dependencies: { a: random.pick<any>([['b'], objectSchema(random, tested(place))]) },
    }),
    () => ({
      ...objectSchema(random, place),
      ...random.pick<SchemaMap>([
        { minProperties: 1 },
        { maxProperties: 2 },
        { propertyNames: { pattern: '^[a-z]*$' } },
      ]),
    }),
    () => ({ type: ['object', 'null'], properties: fieldsOf(random, place, usualNames) }),
    () => ({ anyOf: [objectSchema(random, tested(place)), { type: 'null' }] }),
    () => ({ anyOf: [objectSchema(random, tested(place)), { type: 'object' }] }),
    () => ({ anyOf: [objectSchema(random, tested(place)), { const: { a: 'x', q: 1 } }] }),
  ])()
}

function discriminated(random: Random, place: Place): SchemaMap[] {
  return ['x', 'y', 'z'].slice(0, 2 + random.below(2)).map((value) => {
    const base = objectSchema(random, tested(place))
    return {
      ...base,
      properties: { kind: { const: value }, ...base['properties'] },
      required: ['kind', ...(base['required'] ?? []).filter((name: string) => name !== 'kind')],
    }
  })
}

function objectSchema(random: Random, place: Place): SchemaMap {
  const properties = fieldsOf(random, place, random.once(6) ? names : usualNames)
  const required = random.some(Object.keys(properties))
  return {
    ...(!random.once(12) && { type: 'object' }),
    properties,
    ...(required.length > 0 && { required }),
    ...(random.once(12) && { nullable: true, type: 'object' }),
    ...random.pick<SchemaMap>([
      {},
      {},
      {},
      { additionalProperties: false },
      { additionalProperties: false },
      { additionalProperties: true },
      { additionalProperties: schemaOf(random, below(place)) },
      { patternProperties: { '^y-': schemaOf(random, below(place)) } },
    ]),
  }
}

function fieldsOf(random: Random, place: Place, of: readonly string[]): SchemaMap {
  const properties: SchemaMap = {}
  for (const name of random.some(of, 1)) {
    const inner = schemaOf(random, below(place))
    const value =
      !place.isTested && name !== '__proto__' && random.once(6) && isPlain(inner)
        ? validOf(random, inner)
        : undefined
    Object.defineProperty(properties, name, {
      value: value === undefined ? inner : { ...inner, default: value },
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return properties
}

/** A default that a leaf's schema takes. */
function validOf(random: Random, { type, minimum, ...others }: SchemaMap): Json | undefined {
  if (Object.keys(others).length > 0 || minimum !== undefined) return undefined
  if (type === 'integer') return random.pick([1, 7])
  if (type === 'number') return 1.5
  if (type === 'string') return random.pick(['x', ''])
  return type === 'boolean' ? random.once(2) : undefined
}
