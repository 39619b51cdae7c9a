// References resolve against the schemas that a scope sees; one that names nothing is an error.
import espalier, { t, type Output } from 'espalier'
import { expectAssignable, expectError, expectType } from 'tsd'
import { isAny, type Equal, type Flat } from './support.js'

const Address = t.Object({ street: t.String() }, { $id: 'address' })
const User = t.Object(
  {
    id: t.Integer(),
    home: t.Ref('address#'),
    tag: t.Ref('#/definitions/tag'),
    nick: t.Ref('#nick'),
  },
  { $id: 'user', definitions: { tag: t.Literal('a'), nick: t.String({ $id: '#nick' }) } },
)
const app = espalier().addSchema(Address).addSchema(User)

interface UserType {
  id: number
  home: { street: string }
  tag: 'a'
  nick: string
}

// Form 1: `id#`, a whole shared schema, whose own references are resolved too.
app.post('/whole', { schema: { body: t.Ref('user#') } }, ({ body }) => {
  expectType<false>(isAny(body))
  expectType<Equal<typeof body, UserType>>(true)
  expectError(body.name)
  return 1
})
expectError(app.post('/whole', { schema: { body: t.Ref('usr#') } }, () => 1))

// Form 2: `id`, the same.
app.post('/bare', { schema: { body: t.Ref('user') } }, ({ body }) => {
  expectType<Equal<typeof body, UserType>>(true)
  return 1
})
expectError(app.post('/bare', { schema: { body: t.Ref('usr') } }, () => 1))

// Form 3: `id#/pointer`, a part of a shared schema.
app.post('/pointer', { schema: { body: t.Ref('user#/definitions/tag') } }, ({ body }) => {
  expectType<'a'>(body)
  return 1
})
app.post('/pointer', { schema: { body: t.Ref('user#/properties/home') } }, ({ body }) => {
  expectType<{ street: string }>(body)
  return 1
})
expectError(app.post('/pointer', { schema: { body: t.Ref('user#/definitions/nope') } }, () => 1))
expectError(app.post('/pointer', { schema: { body: t.Ref('user#/properties/nope') } }, () => 1))

// Form 4: `id#name`, the part of a shared schema whose $id is `#name`.
app.post('/named', { schema: { body: t.Ref('user#nick') } }, ({ body }) => {
  expectType<string>(body)
  return 1
})
expectError(app.post('/named', { schema: { body: t.Ref('user#nickname') } }, () => 1))

// Form 5: `#/pointer`, a part of the schema itself.
const inner = { x: t.Integer() }
app.post(
  '/own-pointer',
  { schema: { body: t.Object({ x: t.Ref('#/definitions/x') }, { definitions: inner }) } },
  ({ body }) => {
    expectType<{ x: number }>(body)
    expectError(body.y)
    return 1
  },
)
expectError(
  app.post(
    '/own-pointer',
    { schema: { body: t.Object({ x: t.Ref('#/definitions/y') }, { definitions: inner }) } },
    () => 1,
  ),
)

// Form 6: `#name`, the part of the schema itself with that $id; also among `$defs`.
app.post(
  '/own-name',
  { schema: { body: t.Object({ y: t.Ref('#y') }, { $defs: { y: t.Boolean({ $id: '#y' }) } }) } },
  ({ body }) => {
    expectType<{ y: boolean }>(body)
    expectError(body.x)
    return 1
  },
)
expectError(app.post('/own-name', { schema: { body: t.Object({ y: t.Ref('#y') }) } }, () => 1))

// `#` is the schema itself.
const Chain = t.Object({ value: t.Number(), next: t.Optional(t.Ref('#')) }, { $id: 'chain' })
app.addSchema(Chain).post('/chain', { schema: { body: t.Ref('chain#') } }, ({ body }) => {
  expectType<number | undefined>(body.next?.next?.next?.value)
  expectError(body.next?.next?.previous)
  return 1
})

// A schema may refer to itself by its id.
const Tree = t.Object({ value: t.Number(), children: t.Array(t.Ref('tree#')) }, { $id: 'tree' })
app.addSchema(Tree).post('/tree', { schema: { body: t.Ref('tree#') } }, ({ body }) => {
  expectType<number>(body.children[0]!.children[0]!.value)
  expectError(body.children[0]!.parent)
  return 1
})

// Two schemas may refer to one another, whichever was added first.
const Egg = t.Object({ laidBy: t.Optional(t.Ref('hen#')) }, { $id: 'egg' })
const Hen = t.Object({ eggs: t.Array(t.Ref('egg#')) }, { $id: 'hen' })
espalier()
  .addSchema(Egg)
  .addSchema(Hen)
  .post('/hen', { schema: { body: t.Ref('hen#') } }, ({ body }) => {
    expectType<false>(isAny(body.eggs[0]!.laidBy?.eggs))
    expectError(body.eggs[0]!.laidBy?.feathers)
    return 1
  })

// `t.Recursive` may hold references besides itself.
const Family = t.Recursive((This) => t.Object({ home: t.Ref('address#'), children: t.Array(This) }))
app.post('/family', { schema: { body: Family } }, ({ body }) => {
  expectType<string>(body.children[0]!.children[0]!.home.street)
  expectError(body.children[0]!.parents)
  return 1
})
expectError(
  app.post(
    '/family',
    { schema: { body: t.Recursive((This) => t.Object({ a: t.Ref('usr#'), b: t.Array(This) })) } },
    () => 1,
  ),
)

// A `t.Recursive` with an id can be shared.
const Menu = t.Recursive((This) => t.Object({ entries: t.Array(This) }), { $id: 'menu' })
app.addSchema(Menu).post('/menu', { schema: { body: { menu: t.Ref('menu#') } } }, ({ body }) => {
  expectType<false>(isAny(body.menu.entries[0]!.entries))
  expectError(body.menu.entries[0]!.items)
  return 1
})

// References are found wherever a schema can stand.
app.post(
  '/deep',
  {
    schema: {
      body: t.Object({
        list: t.Array(t.Union([t.Ref('address#'), t.Null()])),
        pair: t.Tuple([t.Ref('address#'), t.Integer()]),
        map: t.Record(t.String(), t.Ref('address#')),
        both: t.Intersect([t.Ref('address#'), t.Object({ n: t.Integer() })]),
        maybe: t.Optional(t.Ref('address#')),
        part: t.Partial(t.Object({ home: t.Ref('address#') })),
      }),
    },
  },
  ({ body }) => {
    expectType<({ street: string } | null)[]>(body.list)
    expectType<[{ street: string }, number]>(body.pair)
    expectType<{ [key: string]: { street: string } }>(body.map)
    expectType<Equal<Flat<typeof body.both>, { street: string; n: number }>>(true)
    expectType<{ street: string } | undefined>(body.maybe)
    expectType<{ home?: { street: string } }>(body.part)
    expectError(body.list[0]?.town)
    return 1
  },
)

// And so are those that name nothing.
expectError(app.post('/x', { schema: { body: t.Array(t.Ref('usr#')) } }, () => 1))
expectError(app.post('/x', { schema: { body: t.Union([t.Null(), t.Ref('usr#')]) } }, () => 1))
expectError(app.post('/x', { schema: { body: t.Tuple([t.Integer(), t.Ref('usr#')]) } }, () => 1))
expectError(app.post('/x', { schema: { body: t.Record(t.String(), t.Ref('usr#')) } }, () => 1))
expectError(
  app.post(
    '/x',
    { schema: { body: t.Intersect([t.Object({}), t.Object({ a: t.Ref('usr#') })]) } },
    () => 1,
  ),
)
expectError(
  app.post('/x', { schema: { body: t.Object({ a: t.Optional(t.Ref('usr#')) }) } }, () => 1),
)

// In every part of a route.
app.post(
  '/:home',
  {
    schema: {
      params: { home: t.Ref('user#nick') },
      querystring: { tag: t.Ref('user#/definitions/tag') },
      headers: { 'x-tag': t.Ref('user#/definitions/tag') },
      body: { home: t.Ref('address#') },
      response: { 200: t.Ref('address#') },
    },
  },
  ({ params, query, headers, body }) => {
    expectType<{ home: string }>(params)
    expectType<{ tag: 'a' }>(query)
    expectType<'a'>(headers['x-tag'])
    expectType<{ home: { street: string } }>(body)
    expectError(body.work)
    return body.home
  },
)
expectError(app.get('/:a', { schema: { params: { a: t.Ref('usr#') } } }, () => 1))
expectError(app.get('/x', { schema: { querystring: { a: t.Ref('usr#') } } }, () => 1))
expectError(app.get('/x', { schema: { query: { a: t.Ref('usr#') } } }, () => 1))
expectError(app.get('/x', { schema: { headers: { a: t.Ref('usr#') } } }, () => 1))
expectError(app.post('/x', { schema: { body: { a: t.Ref('usr#') } } }, () => 1))
expectError(app.get('/x', { schema: { response: { 200: t.Ref('usr#') } } }, () => 1))
expectError(
  app.get(
    '/x',
    { schema: { response: { '4xx': { a: t.Ref('usr#') } } } },
    (_request, reply) => reply,
  ),
)
expectError(
  app.get(
    '/x',
    {
      schema: { response: { 200: { content: { 'application/json': { schema: t.Ref('usr#') } } } } },
    },
    (_request, reply) => reply,
  ),
)

// One wrong reference among right ones is enough.
expectError(app.post('/x', { schema: { body: { a: t.Ref('user#'), b: t.Ref('usr#') } } }, () => 1))

// Each response entry is a document of its own.
app.get(
  '/entry',
  {
    schema: {
      response: { 200: t.Object({ x: t.Ref('#/definitions/x') }, { definitions: inner }) },
    },
  },
  () => ({ x: 1 }),
)
expectError(
  app.get(
    '/entry',
    {
      schema: {
        response: {
          200: t.Object({ x: t.Ref('#/definitions/x') }, { definitions: inner }),
          404: t.Object({ x: t.Ref('#/definitions/x') }, { definitions: { y: t.Integer() } }),
        },
      },
    },
    () => ({ x: 1 }),
  ),
)

// A schema with an id that is embedded is a document of its own.
const Embedded = t.Object(
  { v: t.Ref('#/definitions/d') },
  { $id: 'embedded', definitions: { d: t.Boolean() } },
)
app.post(
  '/embedded',
  {
    schema: {
      body: t.Object(
        { inside: Embedded, outside: t.Ref('#/definitions/d') },
        { definitions: { d: t.String() } },
      ),
    },
  },
  ({ body }) => {
    expectType<{ inside: { v: boolean }; outside: string }>(body)
    expectError(body.inside.w)
    return 1
  },
)

// References in plain JSON Schema have the same six forms.
const json = app.addSchema({
  $id: 'place',
  type: 'object',
  properties: { street: { type: 'string' }, zip: { $ref: '#/definitions/zip' } },
  required: ['street', 'zip'],
  definitions: { zip: { $id: '#zip', type: 'integer' } },
})
json.post(
  '/json',
  {
    schema: {
      body: {
        type: 'object',
        required: ['whole', 'bare', 'pointer', 'named', 'own', 'ownNamed'],
        properties: {
          whole: { $ref: 'place#' },
          bare: { $ref: 'place' },
          pointer: { $ref: 'place#/definitions/zip' },
          named: { $ref: 'place#zip' },
          own: { $ref: '#/definitions/own' },
          ownNamed: { $ref: '#own' },
        },
        definitions: { own: { $id: '#own', type: 'boolean' } },
      },
    },
  },
  ({ body }) => {
    expectType<false>(isAny(body))
    expectType<{ street: string; zip: number }>(body.whole)
    expectType<{ street: string; zip: number }>(body.bare)
    expectType<number>(body.pointer)
    expectType<number>(body.named)
    expectType<boolean>(body.own)
    expectType<boolean>(body.ownNamed)
    expectError(body.other)
    return 1
  },
)

// Unknown ones are errors there too, at any depth and under any keyword.
expectError(json.post('/x', { schema: { body: { $ref: 'plaice#' } } }, () => 1))
expectError(
  json.post(
    '/x',
    { schema: { body: { type: 'object', properties: { a: { $ref: 'plaice#' } } } } },
    () => 1,
  ),
)
expectError(
  json.post('/x', { schema: { body: { type: 'array', items: { $ref: 'plaice#' } } } }, () => 1),
)
expectError(
  json.post(
    '/x',
    { schema: { body: { anyOf: [{ type: 'null' }, { $ref: 'plaice#' }] } } },
    () => 1,
  ),
)
expectError(
  json.post(
    '/x',
    { schema: { body: { type: 'object', additionalProperties: { $ref: 'plaice#' } } } },
    () => 1,
  ),
)
expectError(json.post('/x', { schema: { body: { $ref: 'place#/definitions/zap' } } }, () => 1))
expectError(json.post('/x', { schema: { body: { $ref: 'place#zap' } } }, () => 1))
expectError(json.post('/x', { schema: { body: { $ref: '#/definitions/own' } } }, () => 1))

// A `$ref` in data is no reference.
json.post(
  '/data',
  { schema: { body: { type: 'object', properties: {}, default: { $ref: 'plaice#' } } } },
  ({ body }) => {
    expectType<{}>(body)
    expectError(body.street)
    return 1
  },
)

// Either sort of schema may refer to the other.
json.post(
  '/mixed',
  { schema: { body: { place: t.Ref('place#'), user: { $ref: 'user#/properties/id' } } } },
  ({ body }) => {
    expectType<{ street: string; zip: number }>(body.place)
    expectAssignable<number | undefined>(body.user)
    expectError(body.other)
    return 1
  },
)

// References in a short form are to the properties that it lists.
app.post(
  '/short',
  { schema: { body: { one: t.Integer(), other: t.Ref('#/properties/one') } } },
  ({ body }) => {
    expectType<{ one: number; other: number }>(body)
    expectError(body.third)
    return 1
  },
)

// Every kind of schema can be shared.
const kinds = espalier()
  .addSchema(t.String({ $id: 'string' }))
  .addSchema(t.Integer({ $id: 'integer' }))
  .addSchema(t.Null({ $id: 'null' }))
  .addSchema(t.Literal('x', { $id: 'literal' }))
  .addSchema(t.Enum({ A: 'a', B: 'b' } as const, { $id: 'enum' }))
  .addSchema(t.Array(t.Integer(), { $id: 'array' }))
  .addSchema(t.Tuple([t.Integer()], { $id: 'tuple' }))
  .addSchema(t.Record(t.String(), t.Integer(), { $id: 'record' }))
  .addSchema(t.Union([t.Integer(), t.Null()], { $id: 'union' }))
  .addSchema(t.Intersect([t.Object({ a: t.Integer() })], { $id: 'intersect' }))
  .addSchema(t.Unknown({ $id: 'unknown' }))
kinds.post(
  '/kinds',
  {
    schema: {
      body: {
        aString: t.Ref('string#'),
        aInteger: t.Ref('integer#'),
        aNull: t.Ref('null#'),
        aLiteral: t.Ref('literal#'),
        aEnum: t.Ref('enum#'),
        aArray: t.Ref('array#'),
        aTuple: t.Ref('tuple#'),
        aRecord: t.Ref('record#'),
        aUnion: t.Ref('union#'),
        aIntersect: t.Ref('intersect#'),
        aUnknown: t.Ref('unknown#'),
      },
    },
  },
  ({ body }) => {
    expectType<string>(body.aString)
    expectType<number>(body.aInteger)
    expectType<null>(body.aNull)
    expectType<'x'>(body.aLiteral)
    expectType<'a' | 'b'>(body.aEnum)
    expectType<number[]>(body.aArray)
    expectType<[number]>(body.aTuple)
    expectType<{ [key: string]: number }>(body.aRecord)
    expectType<number | null>(body.aUnion)
    expectType<number>(body.aIntersect.a)
    expectType<unknown>(body.aUnknown)
    expectError(body.other)
    return 1
  },
)

// A schema whose type does not say its id is shared under a name.
declare const foreign: { type: 'string'; $id: string }
espalier()
  .addSchema('foreign', foreign)
  .post('/foreign', { schema: { body: { a: t.Ref('foreign#') } } }, ({ body }) => {
    expectType<{ a: string }>(body)
    expectError(body.b)
    return 1
  })
expectError(espalier().addSchema(foreign))
expectError(espalier().addSchema(t.Object({})))

// An id is taken where the scope has it already.
expectError(app.addSchema(User))
expectError(app.addSchema('user', t.Integer()))
expectError(app.register((child) => child.addSchema(t.String({ $id: 'address' }))))

// A shared schema can be read back as it was added.
expectType<Equal<ReturnType<typeof app.getSchema<'user'>>, typeof User>>(true)
expectType<typeof User>(app.getSchema('user'))
expectType<typeof Address>(app.getSchemas().address)
expectError(app.getSchema('usr'))
expectError(app.getSchemas().usr)

// Outside of a route, `Output` resolves references against the schemas it is given.
declare const resolved: Output<typeof User, { address: typeof Address }>
expectType<Equal<typeof resolved, UserType>>(true)
expectError(resolved.name)

// A pointer with escapes is left to run time.
const escaped = {
  type: 'object',
  properties: { a: { $ref: '#/definitions/a~1b' }, b: { $ref: '#/definitions/a%20b' } },
  required: ['a', 'b'],
  definitions: { 'a/b': { type: 'integer' }, 'a b': { type: 'string' } },
} as const
espalier().post('/escaped', { schema: { body: escaped } }, ({ body }) => {
  expectType<unknown>(body.a)
  expectType<unknown>(body.b)
  expectError(body.c)
  return 1
})
expectError(
  espalier().post(
    '/escaped',
    { schema: { body: { type: 'object', properties: { a: { $ref: '#/definitions/ab' } } } } },
    () => 1,
  ),
)

// What may be null, and what has a transform, is the schema that it was made of: a pointer goes into it.
const Nullable = t.Object(
  { id: t.Integer(), at: t.Object({ day: t.String() }) },
  { $id: 'nullable', nullable: true },
)
const Decoded = t
  .Transform(t.Object({ n: t.Integer() }, { $id: 'decoded', definitions: { tag: t.String() } }))
  .Decode(({ n }) => n)
  .Encode((n) => ({ n }))
const insides = espalier().addSchema(Nullable).addSchema(Decoded)
const parts = {
  id: t.Ref('nullable#/properties/id'),
  day: t.Ref('nullable#/properties/at/properties/day'),
  n: t.Ref('decoded#/properties/n'),
  tag: t.Ref('decoded#/definitions/tag'),
}
insides.post('/parts', { schema: { body: t.Object(parts) } }, ({ body }) => {
  expectType<{ id: number; day: string; n: number; tag: string }>(body)
  return 1
})
expectError(
  insides.post(
    '/',
    { schema: { body: t.Object({ a: t.Ref('nullable#/properties/no') }) } },
    () => 1,
  ),
)
expectError(
  insides.post('/', { schema: { body: t.Object({ a: t.Ref('decoded#/properties/m') }) } }, () => 1),
)

// A schema may refer to itself by its own `$id`, without being shared.
espalier()
  .post(
    '/',
    {
      schema: { body: t.Object({ n: t.Integer(), kids: t.Array(t.Ref('own#')) }, { $id: 'own' }) },
    },
    ({ body }) => {
      expectType<number>(body.kids[0]!.kids[0]!.n)
      expectError(body.kids[0]!.other)
      return 1
    },
  )
  .post(
    '/plain',
    {
      schema: {
        body: {
          $id: 'plain',
          type: 'object',
          required: ['n'],
          properties: {
            n: { type: 'integer' },
            kids: { type: 'array', items: { $ref: 'plain' } },
            first: { $ref: 'plain#/properties/n' },
          },
        },
      },
    },
    ({ body }) => {
      expectType<number | undefined>(body.kids?.[0]?.first)
      expectError(body.kids?.[0]?.other)
      return 1
    },
  )
expectError(
  espalier().post(
    '/',
    { schema: { body: t.Object({ kids: t.Array(t.Ref('others#')) }, { $id: 'own' }) } },
    () => 1,
  ),
)
