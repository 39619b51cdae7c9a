// Schemas with the keywords that the generator of the types' soundness leaves out, and with references inside of themselves.
import fc from 'fast-check'
import { edge } from '../soundness/instances.ts'
import type { Json, JsonMap } from '../soundness/sketch.ts'

export interface Extra {
  readonly schema: object
  readonly values: readonly Json[]
}

const names = ['a', 'b', 'c'] as const
const name = fc.constantFrom(...names)

const small = fc.constantFrom<object>(
  ...[{ type: 'integer' }, { type: 'string' }, { type: 'string', maxLength: 2 }],
  ...[{ type: 'boolean' }, { type: ['integer', 'null'] }, { const: 'x' }, {}],
  ...[
    { type: 'integer', nullable: true },
    { type: 'number', minimum: 1 },
  ],
  ...[{ type: 'array', items: { type: 'integer' } }, { $ref: '#/definitions/named' }],
  ...[{ $ref: '#anchored' }, { $ref: '#/definitions/named', maximum: 5 }],
  { type: 'string', enum: ['x', 'ab'], nullable: true },
  { anyOf: [{ const: 1 }, { const: 2 }], type: 'integer' },
  { anyOf: [{ const: 'x' }, { const: 'ab' }], maxLength: 1 },
  { anyOf: [{ const: 'x' }, { const: 'y' }], enum: ['y', 'z'] },
)

const withDefault = fc.constantFrom<object>(
  { type: 'integer', default: 3 },
  { type: 'string', default: 'x' },
  { $ref: '#/definitions/named', default: 2 },
)

const definitions = {
  named: { type: 'integer' },
  anchor: { $id: '#anchored', type: ['string', 'boolean'] },
}

const optional = <Value>(value: fc.Arbitrary<Value>) =>
  fc.option(value, { freq: 2, nil: undefined })

const seldom = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

/** A schema that is no list of fields: `{}` would be an empty one. */
const named = small.filter((each) => Object.keys(each).length > 0)

/** A pattern matches no field that is named: ajv refuses it. */
const patterns = fc.oneof<fc.Arbitrary<object>[]>(
  small.map((each) => ({ patternProperties: { '^l': each } })),
  fc
    .tuple(fc.constantFrom('^.*$', '^(.*)$'), small)
    .map(([key, each]) => ({ properties: undefined, patternProperties: { [key]: each } })),
)

/** An object's keywords. */
const objectKeywords = fc
  .record({
    properties: fc.dictionary(name, fc.oneof({ weight: 4, arbitrary: small }, withDefault), {
      minKeys: 1,
    }),
    required: optional(fc.subarray([...names])),
    dependencies: seldom(fc.constantFrom({ a: ['b'] }, { a: { required: ['c'] }, b: ['c'] })),
    propertyNames: seldom(fc.constantFrom({ maxLength: 1 }, { pattern: '^[a-c]' })),
    minProperties: seldom(fc.constantFrom(1, 2)),
    maxProperties: seldom(fc.constantFrom(1, 2)),
    additionalProperties: seldom(fc.oneof(fc.boolean(), small)),
  })
  // What a closed object asks for without describing it is removed, before or after it is asked for.
  .filter(({ properties, required = [], dependencies, additionalProperties }) => {
    const asked = dependencies === undefined ? ['a', ...required] : names
    return additionalProperties !== false || asked.every((each) => each in properties)
  })
  .map((keywords) => {
    const { minProperties: _least, maxProperties: _most, dependencies, ...others } = keywords
    // ajv counts fields, and asks what depends on them, after it has filled in defaults. It counts before it removes.
    const fills = Object.values(keywords.properties).some((each) => 'default' in each)
    if (fills) return others
    return keywords.additionalProperties === false ? { ...others, dependencies } : keywords
  })
  .chain((keywords) => seldom(patterns).map((more) => ({ ...keywords, ...more })))

const object = fc.tuple(objectKeywords, fc.nat(5)).map(([keywords, dice]) => ({
  type: 'object',
  ...keywords,
  ...(dice === 0 && { nullable: true }),
}))

// For a tuple ajv takes an empty list, whatever it shall contain.
const items = fc.oneof<fc.Arbitrary<object>[]>(
  fc.record({ items: small, contains: optional(small) }),
  fc.record({
    items: fc.array(small, { minLength: 1, maxLength: 2 }),
    additionalItems: optional(fc.oneof(fc.boolean(), small)),
  }),
)

const listKeywords = fc.record({
  uniqueItems: optional(fc.constant(true)),
  minItems: optional(fc.constantFrom(1, 2)),
})

const list = fc
  .tuple(items, listKeywords)
  .map(([one, other]) => ({ type: 'array', ...one, ...other }))

/** Leaves out the keywords without a value, and adds what references lead to. */
function closed(schema: object): object {
  const entries = Object.entries(schema).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(entries), definitions }
}

const scalars = fc.constantFrom<Json>(
  ...['x', 'ab', 'y', '1', '2', '', 'true', 1, 2, 7, 0.5, true, false],
)

const map: fc.Arbitrary<JsonMap> = fc.dictionary(
  fc.constantFrom('a', 'a', 'b', 'b', 'c', 'c', 'long', 'bb'),
  fc.oneof({ weight: 5, arbitrary: scalars }, fc.array(scalars, { maxLength: 2 }), edge),
  { maxKeys: 4 },
)

const values = (value: fc.Arbitrary<Json>) => fc.array(value, { minLength: 8, maxLength: 8 })

/** The schema of a body. */
export const extraBody: fc.Arbitrary<Extra> = fc
  .oneof({ weight: 3, arbitrary: object.map(closed) }, list.map(closed), named.map(closed))
  .chain((schema) =>
    fc.record({
      schema: fc.constant(schema),
      values: values(fc.oneof(map, map, fc.array(scalars, { maxLength: 3 }), scalars, edge)),
    }),
  )

/** The schema of a query. */
export const extraQuery: fc.Arbitrary<Extra & { readonly values: readonly JsonMap[] }> = fc
  .tuple(objectKeywords, fc.constantFrom('plain', 'all', 'reference'))
  .map(([keywords, shape]) => {
    const schema = closed({ type: 'object', ...keywords })
    if (shape === 'all') {
      const { definitions: _definitions, ...one }: Record<string, unknown> = { ...schema }
      const other = { type: 'object', properties: { d: { type: 'integer' } }, required: ['a'] }
      return closed({ type: 'object', allOf: [one, other] })
    }
    if (shape === 'reference') {
      const { definitions: _definitions, ...defined }: Record<string, unknown> = { ...schema }
      return {
        $ref: '#/definitions/whole',
        required: ['a'],
        definitions: { ...definitions, whole: { type: 'object', ...defined } },
      }
    }
    return schema
  })
  .chain((schema) =>
    fc.record({
      schema: fc.constant(schema),
      values: fc.array(map, { minLength: 8, maxLength: 8 }),
    }),
  )
