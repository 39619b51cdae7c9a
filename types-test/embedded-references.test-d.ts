// A reference may name a schema that is embedded by value, and be relative to the schema around it, as at run time
// (test/behaviour/references.test.ts). Each of these was refused as unknown, or of type unknown.
import Type from 'typebox'
import espalier, { t } from 'espalier'
import { expectError, expectType } from 'tsd'
import { isAny, type Equal } from './support.js'

const app = espalier()
const User = t.Object({ id: t.Integer() }, { $id: 'user' })

// What is embedded is referred to by its `$id`, beside it and below it.
app.post('/', { schema: { body: t.Object({ a: User, b: t.Ref('user#') }) } }, ({ body }) => {
  expectType<Equal<typeof body, { a: { id: number }; b: { id: number } }>>(true)
  expectError(body.b.name)
  return 1
})
app.post('/', { schema: { body: { a: t.Array(User), b: t.Ref('user') } } }, ({ body }) => {
  expectType<{ id: number }>(body.b)
  return 1
})
app.post(
  '/',
  { schema: { body: t.Object({ a: t.Optional(User), b: t.Ref('user#/properties/id') }) } },
  ({ body }) => {
    expectType<number>(body.b)
    return 1
  },
)
const deep = t.Object({ a: t.Object({ a: t.Array(t.Union([t.Null(), t.Ref('user#')])) }) })
app.post('/', { schema: { body: t.Tuple([deep, t.Object({ a: User })]) } }, ({ body }) => {
  expectType<{ id: number } | null | undefined>(body[0].a.a[0])
  return 1
})
app.get('/', { schema: { response: { 200: t.Object({ a: User, b: t.Ref('user#') }) } } }, () => ({
  a: { id: 1 },
  b: { id: 2 },
}))
expectError(
  app.get('/', { schema: { response: { 200: t.Object({ a: User, b: t.Ref('user#') }) } } }, () => ({
    a: { id: 1 },
    b: { id: '2' },
  })),
)

// What names none of them is still unknown, and so is a part that it does not have.
expectError(app.post('/', { schema: { body: t.Object({ a: User, b: t.Ref('usr#') }) } }, () => 1))
expectError(
  app.post(
    '/',
    { schema: { body: t.Object({ a: User, b: t.Ref('user#/properties/no') }) } },
    () => 1,
  ),
)
expectError(
  app.post('/', { schema: { body: t.Object({ a: User, b: t.Ref('user#id') }) } }, () => 1),
)

// Each part of a route is a document of its own.
expectError(
  app.post('/', { schema: { headers: { a: User }, body: { b: t.Ref('user#') } } }, () => 1),
)

// A transform is the schema that it was made of.
const Dated = t
  .Transform(t.Object({ at: t.String() }, { $id: 'dated' }))
  .Decode(({ at }) => new Date(at))
  .Encode((date) => ({ at: date.toISOString() }))
app.post('/', { schema: { body: { a: Dated, b: t.Ref('dated#/properties/at') } } }, ({ body }) => {
  expectType<Equal<typeof body, { a: Date; b: string }>>(true)
  return 1
})

// What is embedded may refer to what is embedded beside it, and to itself.
const Post = t.Object({ by: t.Ref('user#'), next: t.Optional(t.Ref('#')) }, { $id: 'post' })
app.post('/', { schema: { body: t.Object({ user: User, posts: t.Array(Post) }) } }, ({ body }) => {
  expectType<false>(isAny(body.posts[0]!.next?.next?.next))
  expectType<number | undefined>(body.posts[0]!.next?.next?.next?.by.id)
  return 1
})
expectError(app.post('/', { schema: { body: t.Object({ posts: t.Array(Post) }) } }, () => 1))

// A bundled document has its parts among its definitions, under URIs that may be relative to one another.
const site = 'https://x.org'
const bundle = {
  $id: `${site}/orders/order.json`,
  type: 'object',
  properties: { ship: { $ref: '../address.json' }, bill: { $ref: `${site}/address.json#` } },
  required: ['ship', 'bill'],
  definitions: {
    address: {
      $id: '/address.json',
      type: 'object',
      properties: { zip: { type: 'integer' }, land: { $ref: './lands/land.json' } },
      required: ['zip', 'land'],
    },
    land: { $id: `${site}/lands/land.json`, enum: ['ch', 'fr'] },
  },
} as const
app.post('/', { schema: { body: bundle } }, ({ body }) => {
  expectType<{ zip: number; land: 'ch' | 'fr' }>(body.ship)
  expectType<{ zip: number; land: 'ch' | 'fr' }>(body.bill)
  expectError(body.ship.street)
  return 1
})
expectError(
  app.post(
    '/',
    { schema: { body: { ...bundle, properties: { ship: { $ref: 'address.json' } } } } },
    () => 1,
  ),
)

// A reference in a shared schema is relative to that one.
const Person = {
  $id: 'https://x.org/person.json',
  type: 'object',
  properties: { age: { type: 'integer' } },
  required: ['age'],
} as const
app
  .addSchema(Person)
  .addSchema({
    $id: 'https://x.org/team.json',
    type: 'object',
    properties: { lead: { $ref: 'person.json#' }, none: { $ref: 'nobody.json#' } },
    required: ['lead', 'none'],
  })
  .post('/', { schema: { body: { $ref: 'https://x.org/team.json#' } } }, ({ body }) => {
    expectType<{ age: number }>(body.lead)
    expectType<unknown>(body.none)
    return 1
  })

// An `$id` may end with `#`, which a reference need not say.
const hashed = app.addSchema({ ...Person, $id: 'https://x.org/person.json#' })
hashed.post('/', { schema: { body: { $ref: 'https://x.org/person.json' } } }, ({ body }) => {
  expectType<{ age: number }>(body)
  return 1
})
hashed.post(
  '/age',
  { schema: { body: { $ref: 'https://x.org/person.json#/properties/age' } } },
  ({ body }) => {
    expectType<number>(body)
    return 1
  },
)
expectError(hashed.post('/', { schema: { body: { $ref: 'https://x.org/persons.json' } } }, () => 1))
// Nor one that is relative.
const Pair = { $id: 'https://x.org/pairs/pair.json', type: 'object', required: ['a', 'b'] } as const
const properties = {
  a: { $ref: '../person.json#' },
  b: { $ref: '../person.json#/properties/age' },
} as const
hashed.post('/pair', { schema: { body: { ...Pair, properties } } }, ({ body }) => {
  expectType<Equal<typeof body, { a: { age: number }; b: number }>>(true)
  return 1
})
hashed.post(
  '/t',
  { schema: { body: t.Object({ a: t.Ref('person.json') }, { $id: 'https://x.org/pair.json' }) } },
  ({ body }) => {
    expectType<{ age: number }>(body.a)
    return 1
  },
)
const wrong = { ...properties, b: { $ref: 'person.json#' } } as const
expectError(hashed.post('/a', { schema: { body: { ...Pair, properties: wrong } } }, () => 1))

// An anchor is found under each keyword that holds schemas, and by `$anchor`.
app.post(
  '/',
  {
    schema: {
      body: {
        type: 'object',
        properties: { a: { $ref: '#name' }, b: { $ref: '#size' } },
        required: ['a', 'b'],
        additionalProperties: { $id: '#name', type: 'string' },
        definitions: { size: { $anchor: 'size', type: 'integer' } },
      },
    },
  },
  ({ body }) => {
    expectType<string>(body.a)
    expectType<number>(body.b)
    return 1
  },
)
expectError(
  app.post(
    '/',
    {
      schema: {
        body: { type: 'array', items: { $ref: '#sizes' }, definitions: { a: { $anchor: 'size' } } },
      },
    },
    () => 1,
  ),
)

// Where types cannot tell, run time does: beside an `$id` that may be any text, and inside of recursions.
declare const foreign: { $id: string; type: 'object' }
app.post('/', { schema: { body: { a: foreign, b: t.Ref('user#') } } }, ({ body }) => {
  expectType<unknown>(body.b)
  return 1
})
const Tree = t.Recursive((Self) => t.Object({ owner: t.Ref('user#'), kids: t.Array(Self) }))
app.post('/', { schema: { body: t.Object({ a: User, tree: Tree }) } }, ({ body }) => {
  expectType<unknown>(body.tree.kids[0]!.owner)
  return 1
})
expectError(app.post('/', { schema: { body: t.Object({ tree: Tree }) } }, () => 1))

const Named = Type.With(Type.Object({ id: Type.Integer() }), { $id: 'named' })
const Cyclic = Type.Cyclic(
  { Node: Type.Object({ owner: Type.Ref('named'), kids: Type.Array(Type.Ref('Node')) }) },
  'Node',
)
app.post(
  '/',
  { schema: { body: Type.Object({ a: Named, b: Type.Ref('named'), c: Cyclic }) } },
  ({ body }) => {
    expectType<number>(body.b.id)
    expectType<unknown>(body.c.owner)
    return 1
  },
)
expectError(app.post('/', { schema: { body: Type.Object({ c: Cyclic }) } }, () => 1))
