// Routes with every form of schema that the framework takes.
import { type as ark } from 'arktype'
import Joi from 'joi'
import Type from 'typebox'
import * as v from 'valibot'
import { z } from 'zod'
import { t } from '../../src/index.ts'
import type { UntypedServer } from '../support/untyped.ts'
import { echo, route } from './calling.ts'

const Address = t.Object(
  {
    street: t.String(),
    zip: t.String({ $id: '#zip', pattern: '^[0-9]{5}$' }),
    country: t.Ref('#/definitions/country'),
  },
  { $id: 'address', definitions: { country: t.Union([t.Literal('DE'), t.Literal('FR')]) } },
)
const Person = t.Object(
  { name: t.String({ minLength: 1 }), home: t.Ref('address#'), friends: t.Array(t.Ref('person#')) },
  { $id: 'person' },
)
const home = { street: 'Rue A', zip: '10115', country: 'FR' }
const ada = { name: 'Ada', home, friends: [{ name: 'Bo', home, friends: [] }] }

const Cat = t.Object({ kind: t.Literal('cat'), lives: t.Integer() }, { $id: 'Cat' })
const Dog = t.Object({ kind: t.Literal('dog'), tricks: t.Array(t.String()) }, { $id: 'Dog' })

/** All kinds of schemas that `t` makes. */
export function kinds(app: UntypedServer): void {
  const Size = t.Union([t.Literal('s'), t.Literal('m'), t.Literal('l')])
  const Point = t.Object({ x: t.Number(), y: t.Number(), label: t.Optional(t.String()) })
  const plain = {
    any: t.Any(),
    unknown: t.Unknown(),
    nothing: t.Null(),
    flag: t.Boolean(),
    count: t.Integer({ minimum: 0, exclusiveMaximum: 100 }),
    share: t.Number({ exclusiveMinimum: 0, maximum: 1 }),
    name: t.String({ minLength: 1, examples: ['Ada', 'Bo'] }),
    literal: t.Literal('one'),
    listed: t.Enum({ A: 'a', B: 'b' }),
    numbers: t.Enum({ One: 1, Two: 2 }),
    size: Size,
    list: t.Array(t.String(), { minItems: 1, uniqueItems: true }),
    pair: t.Tuple([t.String(), t.Integer()]),
    none: t.Tuple([]),
    record: t.Record(t.String(), t.Integer()),
    keyed: t.Record(t.String({ pattern: '^k[0-9]$' }), t.Integer()),
    sizes: t.Record(Size, t.Boolean()),
    nested: t.Object({ deep: t.Object({ at: t.String({ format: 'date-time' }) }) }),
    never: t.Optional(t.Never()),
    not: t.Not(t.String()),
    unsafe: t.Unsafe<string>({ type: 'string', contentEncoding: 'base64' }),
    constant: t.Const({ a: 1 } as const),
    template: t.TemplateLiteral('on-${0|1}'),
  }
  echo(app, '/kinds/plain', t.Object(plain), {
    any: { a: 1 },
    unknown: [1],
    nothing: null,
    flag: true,
    count: 3,
    share: 0.5,
    name: 'Ada',
    literal: 'one',
    listed: 'b',
    numbers: 2,
    size: 'm',
    list: ['a'],
    pair: ['a', 1],
    none: [],
    record: { a: 1 },
    keyed: { k1: 1 },
    sizes: { s: true, m: false, l: true },
    nested: { deep: { at: '2026-01-01T00:00:00Z' } },
    not: 5,
    unsafe: 'YQ==',
    constant: { a: 1 },
    template: 'on-1',
  })
  const computed = {
    both: t.Composite([t.Object({ a: t.String() }), t.Object({ b: t.Integer() })]),
    either: t.Intersect([t.Object({ a: t.String() }), t.Object({ b: t.Integer() })]),
    partial: t.Partial(Point),
    required: t.Required(Point),
    pick: t.Pick(Point, ['x']),
    omit: t.Omit(Point, ['x']),
    key: t.KeyOf(t.Object({ a: t.String(), b: t.String() })),
    index: t.Index(Point, ['x']),
    exclude: t.Exclude(Size, t.Literal('s')),
    extract: t.Extract(Size, t.Literal('s')),
    mapped: t.Mapped(t.Union([t.Literal('p'), t.Literal('q')]), () => t.Boolean()),
    upper: t.Uppercase(t.Literal('a')),
    lower: t.Lowercase(t.Literal('A')),
    capital: t.Capitalize(t.Literal('ab')),
    small: t.Uncapitalize(t.Literal('Ab')),
    fixed: t.Readonly(t.String()),
    maybe: t.ReadonlyOptional(t.String()),
  }
  echo(app, '/kinds/computed', t.Object(computed, { additionalProperties: false }), {
    both: { a: 'a', b: 1 },
    either: { a: 'a', b: 1 },
    partial: { x: 1 },
    required: { x: 1, y: 2, label: 'l' },
    pick: { x: 1 },
    omit: { y: 2 },
    key: 'a',
    index: 1,
    exclude: 'm',
    extract: 's',
    mapped: { p: true, q: false },
    upper: 'A',
    lower: 'a',
    capital: 'Ab',
    small: 'ab',
    fixed: 'f',
  })
  const Tree = t.Recursive((self) => t.Object({ value: t.Integer(), below: t.Array(self) }))
  const Named = t.Recursive((self) => t.Object({ value: t.Integer(), next: t.Optional(self) }), {
    $id: 'Chain',
  })
  echo(app, '/kinds/recursive', Tree, { value: 1, below: [{ value: 2, below: [] }] })
  echo(app, '/kinds/chain', Named, { value: 1, next: { value: 2 } })
  const Books = t.Module({
    Author: t.Object({ name: t.String(), wrote: t.Array(t.Ref('Book')) }),
    Book: t.Object({ title: t.String(), by: t.Optional(t.Ref('Author')) }),
    Short: t.Pick(t.Ref('Book'), ['title']),
  })
  const book = { title: 'Notes', by: { name: 'Ada', wrote: [{ title: 'Letters' }] } }
  echo(app, '/kinds/module', Books.Import('Book'), book)
  echo(app, '/kinds/computed-in-module', Books.Import('Short'), { title: 'Notes' })
  const When = t
    .Transform(t.String({ format: 'date-time' }))
    .Decode((text) => new Date(text))
    .Encode((date) => date.toISOString())
  echo(app, '/kinds/transform', t.Object({ at: When }), { at: '2026-01-01T00:00:00.000Z' })
  const Box = t.Object({ label: t.String({ default: 'none' }), wide: t.Integer() }, { $id: 'Box' })
  echo(app, '/kinds/defaults', Box, { wide: 1 }, { label: 'none', wide: 1 })
  const nullable = {
    word: t.String({ nullable: true }),
    number: t.Union([t.Integer(), t.Null()]),
    mixed: t.Union([t.Integer(), t.String({ minLength: 2 }), t.Null()]),
    crate: t.Union([t.Object({ wide: t.Integer() }, { $id: 'Crate' }), t.Null()]),
    listed: t.Union([t.Literal('a'), t.Literal('b'), t.Null()]),
  }
  const none = { word: null, number: null, mixed: 'ab', crate: null, listed: null }
  echo(app, '/kinds/nullable', t.Object(nullable), none)
}

/** The six forms of references, and unions of what they lead to. */
export function references(app: UntypedServer): void {
  app.addSchema(Address).addSchema(Person).addSchema(Cat).addSchema(Dog)
  const querystring = {
    country: t.Ref('address#/definitions/country'),
    zip: t.Ref('address#zip'),
    street: t.Optional(t.Ref('address#/properties/street')),
    code: t.Optional(t.Ref('#code')),
    last: t.Optional(t.String({ $id: '#code', minLength: 2 })),
  }
  const query = { country: 'DE', zip: '10115', street: 'Rue A', code: 'ab' }
  const given = { schema: { querystring, response: { 200: t.Object(querystring) } } }
  route(app, 'GET /references/lookup', { query, reply: query }, given)
  const created = { schema: { body: t.Ref('person#'), response: { 201: t.Ref('person#') } } }
  route(app, 'POST /references/people', { body: ada, status: 201 }, created)
  const inside = t.Object(
    { by: t.Ref('#/$defs/writer') },
    { $defs: { writer: t.Object({ name: t.String() }) } },
  )
  echo(app, '/references/own', inside, { by: { name: 'Ada' } })
  echo(
    app,
    '/references/described',
    t.Object({ home: t.Ref('address#', { description: 'Where' }) }),
    { home },
  )
  const Pet = t.Union([t.Ref('Cat#'), t.Ref('Dog#')])
  echo(app, '/references/pets', t.Array(Pet), [
    { kind: 'cat', lives: 9 },
    { kind: 'dog', tricks: ['sit'] },
  ])
  const chosen = {
    type: 'object',
    discriminator: { propertyName: 'kind' },
    required: ['kind'],
    oneOf: [Cat, Dog],
  }
  echo(app, '/references/discriminated', chosen, { kind: 'cat', lives: 9 })
  echo(app, '/references/maybe', t.Object({ pet: t.Union([t.Ref('Cat#'), t.Null()]) }), {
    pet: null,
  })
  // Siblings that have different schemas of one name.
  for (const [scope, schema, body] of [
    ['first', t.String(), 'a'],
    ['second', t.Integer(), 1],
  ] as const) {
    const plugin = async (inside: UntypedServer): Promise<void> => {
      inside.addSchema(t.Object({ note: schema }, { $id: 'note' }))
      echo(inside, '/notes', t.Ref('note#'), { note: body })
    }
    app.register(Object.defineProperty(plugin, 'name', { value: scope }), { prefix: `/${scope}` })
  }
}

/** JSON Schema without a builder, and TypeBox 1. */
export function plainSchemas(app: UntypedServer): void {
  app.addSchema({
    $id: 'http://example.com/schemas/deep.json',
    type: 'object',
    definitions: { part: { type: 'object', properties: { size: { type: 'integer' } } } },
    properties: {
      part: { $ref: '#/definitions/part' },
      parts: { type: 'array', items: { $ref: '#/definitions/part' } },
    },
  })
  echo(
    app,
    '/plain/deep',
    { $ref: 'http://example.com/schemas/deep.json#' },
    { part: { size: 1 }, parts: [{ size: 2 }] },
  )
  const body = {
    type: 'object',
    description: 'What a shop sells',
    required: ['kind', 'place'],
    properties: {
      kind: { enum: ['tea', 'cup', null] },
      place: {
        type: 'array',
        items: [{ type: 'string' }, { type: 'number' }],
        additionalItems: false,
        minItems: 2,
      },
      open: {
        type: 'array',
        items: [{ type: 'string' }],
        minItems: 1,
        additionalItems: { type: 'integer' },
      },
      card: { type: ['string', 'integer', 'null'], minLength: 2 },
      code: { type: 'string' },
      price: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.5, default: 1 },
      odd: { type: 'array', contains: { type: 'integer' } },
      names: { type: 'object', propertyNames: { pattern: '^[a-z]+$' } },
    },
    patternProperties: { '^x-': { type: 'string' } },
    additionalProperties: false,
    dependencies: {
      card: ['code'],
      code: { properties: { code: { type: 'string', minLength: 2 } } },
    },
    if: { properties: { kind: { const: 'cup' } } },
    then: { required: ['code'] },
    else: { properties: { place: { type: 'array', maxItems: 2 } } },
  }
  const sold = {
    kind: 'tea',
    place: ['a', 1],
    open: ['a', 1, 2],
    card: 'ab',
    code: 'cd',
    odd: [1],
    names: { a: 1 },
    'x-note': 'n',
  }
  route(app, 'POST /plain/shop', { body: sold, reply: { ...sold, price: 1 } }, { schema: { body } })
  const oneOf = [
    { type: 'string', minLength: 3 },
    { type: 'object', patternProperties: { '^a': { type: 'integer' } } },
  ]
  const not = { type: 'object', required: ['b'] }
  route(
    app,
    'POST /plain/one-of',
    { body: { in: { a: 1 } } },
    { schema: { body: { in: { oneOf, not } } } },
  )
  const short = { id: { type: 'integer' }, name: t.String() }
  route(
    app,
    'POST /plain/short',
    { body: { id: 1, name: 'Ada' } },
    { schema: { body: short, response: { 200: short } } },
  )
  const Link = Type.Object({
    url: Type.String({ format: 'uri' }),
    rank: Type.Optional(Type.Integer()),
  })
  const Node = Type.Cyclic(
    { Node: Type.Object({ id: Type.String(), next: Type.Optional(Type.Ref('Node')) }) },
    'Node',
  )
  echo(app, '/typebox/link', Link, { url: 'http://a.example', rank: 1 })
  echo(app, '/typebox/cyclic', Node, { id: 'a', next: { id: 'b' } })
  app.addSchema('stored', Type.Object({ id: Type.String() }))
  echo(app, '/typebox/stored', Type.Object({ one: Type.Ref('stored') }), { one: { id: 'a' } })
}

/** Schemas of validation libraries. */
export function libraries(app: UntypedServer): void {
  const item = { id: 1, tag: 'a' }
  const zod = z.object({
    id: z.int(),
    tag: z.string().default('none'),
    when: z.iso.datetime().optional(),
  })
  const tree = z
    .object({
      name: z.string(),
      get below() {
        return z.array(tree)
      },
    })
    .meta({ id: 'ZodTree' })
  echo(app, '/libraries/zod', zod, { id: 1 }, { id: 1, tag: 'none' })
  echo(app, '/libraries/zod-tree', tree, { name: 'a', below: [{ name: 'b', below: [] }] })
  const pet = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('cat'), lives: z.int() }),
    z.object({ kind: z.literal('dog'), pair: z.tuple([z.string(), z.int()]).nullable() }),
  ])
  echo(app, '/libraries/zod-union', pet, { kind: 'dog', pair: ['a', 1] })
  const querystring = z.object({ page: z.coerce.number().default(1), sort: z.enum(['up', 'down']) })
  const paged = { query: { page: 2, sort: 'up' }, reply: { page: 2, sort: 'up' } }
  route(app, 'GET /libraries/zod', paged, { schema: { querystring } }, (request) => request.query)
  echo(
    app,
    '/libraries/valibot',
    v.object({ id: v.pipe(v.number(), v.integer()), tag: v.optional(v.string(), 'none') }),
    item,
  )
  echo(app, '/libraries/arktype', ark({ id: 'number.integer', 'tag?': 'string' }), item)
  echo(
    app,
    '/libraries/joi',
    Joi.object({ id: Joi.number().integer().required(), tag: Joi.string() }),
    item,
  )
}
