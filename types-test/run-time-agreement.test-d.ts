// What the compiler says of a route is what happens at run time: test/behaviour/agreement.test.ts asks
// the same of a server.
import { expectAssignable, expectError, expectNotAssignable, expectType } from 'tsd'
import espalier, { plugin, shared, t } from 'espalier'
import type { Input, Output, Payload, Received } from 'espalier'
import * as z from 'zod'
import type { Equal } from './support.ts'

const app = espalier().addSchema(t.Object({ street: t.String() }, { $id: 'address' }))

// A pointer to what a schema of `t` does not have is an unknown reference, not `any`.
app.post('/a', { schema: { body: t.Ref('address#/properties/street') } }, ({ body }) => {
  expectType<string>(body)
  return 1
})
expectError(app.post('/a', { schema: { body: t.Ref('address#/definitions/y') } }, () => 1))
expectError(app.post('/a', { schema: { body: t.Ref('address#/properties/street/x') } }, () => 1))

// In the short form, properties of plain JSON Schema are optional, unless they have a default.
app.get(
  '/b',
  {
    schema: {
      querystring: {
        a: { type: 'integer' },
        b: { type: 'integer', default: 1 },
        c: t.Integer(),
        d: t.Optional(t.Integer()),
      },
    },
  },
  ({ query }) => {
    expectType<Equal<typeof query, { a?: number; b: number; c: number; d?: number }>>(true)
    return 1
  },
)

// The parameters of a prefix are parameters of the routes below it, also of a portable plugin's.
const users = app.register(
  plugin()((child) => child.get('/x/:id', () => 1)),
  { prefix: '/u/:user' },
)
void users.inject('GET /u/:user/x/:id', { params: { user: 'a', id: 1 } })
expectError(users.inject('GET /u/:user/x/:id', { params: { id: 1 } }))

// What a portable shared plugin adds stands below the prefix of the scope that registers it.
const session = plugin().shared((child) => child.get('/session', () => 1))
const versioned = app.register((v1) => v1.register(session), { prefix: '/v1' })
void versioned.inject('GET /v1/session')
expectError(versioned.inject('GET /session'))

// All parameters of a path are asked for, those without a schema too; optional ones are not.
const posts = app.get('/:user/:post', { schema: { params: { post: t.Integer() } } }, () => 1)
void posts.inject('GET /:user/:post', { params: { post: 1, user: 'a' } })
expectError(posts.inject('GET /:user/:post', { params: { post: 1 } }))
void app.get('/o/:id?', () => 1).inject('GET /o/:id?')

// A parameter is one text, of which ajv makes a list of one, and null: a call gives neither, as a query may.
const OneOf = { ids: t.Array(t.Integer()), tag: t.Union([t.Literal('a'), t.Null()]) }
const listed = app
  .get('/t/:ids/:tag', { schema: { params: OneOf, querystring: OneOf } }, ({ params }) => {
    expectType<Equal<typeof params, { ids: number[]; tag: 'a' | null }>>(true)
    return 1
  })
  .get(
    '/z/:id',
    { schema: { params: z.object({ id: z.union([z.string(), z.string().array()]) }) } },
    () => 1,
  )
const query = { ids: [5, 6], tag: null }
void listed.inject('GET /t/:ids/:tag', { params: { ids: 5, tag: 'a' }, query })
void listed.inject('GET /t/:ids/:tag', { params: { ids: '5', tag: '' }, query })
expectError(listed.inject('GET /t/:ids/:tag', { params: { ids: [5], tag: 'a' }, query }))
expectError(listed.inject('GET /t/:ids/:tag', { params: { ids: 5, tag: null }, query }))
void listed.inject('GET /z/:id', { params: { id: 'a' } })
expectError(listed.inject('GET /z/:id', { params: { id: ['a'] } }))

// A handler that answers through the reply alone says what it sends.
const byReply = app.get('/c', (_request, reply) => reply.send({ a: 1 }))
expectType<{ a: number }>((await byReply.inject('GET /c')).json())
expectError<number>((await byReply.inject('GET /c')).json())

// Options may be a function of the server that registers the plugin.
app.register(
  (child, { size }: { size: number }) => {
    expectType<''>(child.prefix)
    return child.get('/', () => size)
  },
  (parent) => {
    expectType<''>(parent.prefix)
    return { size: 1 }
  },
)
expectError(
  app.register(
    (child, { size }: { size: number }) => child.get('/', () => size),
    () => ({ size: 'x' }),
  ),
)

// A prefix is a value, since the plugin's routes are typed by it.
expectError(
  app.register(
    (child) => child.get('/', () => 1),
    () => ({ prefix: '/p' }),
  ),
)

// A plugin with options of its own, none of them required, can do without them all.
declare const foreign: (server: object, options: { verbose?: boolean }, done: () => void) => void
app.register(foreign)
app.register(foreign, { verbose: true, prefix: '/f' })
expectError(app.register(foreign, { verbose: 'x' }))

// Required options are required, of shared plugins too.
const sized = shared((same: typeof app, { size }: { size: number }) => same.decorate('size', size))
app.register(sized, { size: 1 })
expectError(app.register(sized))

// Header names are in lower case at run time, and so they are in the type.
app.get('/d', { schema: { headers: { 'X-Count': t.Integer() } } }, ({ headers }) => {
  expectType<number>(headers['x-count'])
  expectType<number | string | string[] | undefined>(headers['X-Count'])
  return 1
})

// A decorator with a getter alone cannot be assigned; one with a setter can, and so can a value.
espalier()
  .decorateRequest('now', { getter: () => 1 })
  .decorateRequest('user', { getter: (): string => 'a', setter: (_user: string) => {} })
  .decorateRequest('seen', 0)
  .get('/now', (request) => {
    expectError((request.now = 2))
    request.user = 'b'
    request.seen = 1
    return request.now
  })

// What is nullable may be null.
app.post(
  '/nullable',
  {
    schema: {
      body: t.Object({
        a: t.String({ nullable: true }),
        b: t.Optional(t.Object({ c: t.Integer() }, { nullable: true })),
        d: t.String({ nullable: false }),
      }),
    },
  },
  ({ body }) => {
    expectType<string | null>(body.a)
    expectType<Equal<typeof body.b, { c: number } | null | undefined>>(true)
    expectType<string>(body.d)
    return 1
  },
)

// A field without a name in the schema is written as its own schema says, which asks nothing of what is listed. So it takes
// nothing that is neither of that nor of a named field: a number is no object, though all fields of that may be left out.
declare function reply<const Schema>(schema: Schema, payload: NoInfer<Payload<Schema>>): void
const Size = { type: 'object', properties: { wide: { type: 'boolean', default: false } } } as const
const Named = { id: { type: 'integer' }, size: Size } as const
const Listed = { enum: ['y'] } as const
const Open = {
  type: 'object',
  properties: Named,
  required: ['id'],
  additionalProperties: Listed,
} as const
const counted = { id: 1, other: true }
const named = { id: 1, size: {}, other: 'y' } as const
reply(Open, named)
reply(Open, { id: 1, other: 'y' })
expectError(reply(Open, counted))
expectAssignable<Input<typeof Open>>(named)
expectNotAssignable<Input<typeof Open>>(counted)
expectNotAssignable<Output<typeof Open>>(counted)
expectNotAssignable<Received<typeof Open>>(counted)
expectType<true>(
  {} as Equal<
    Output<typeof Open>,
    {
      [name: string]: number | { wide: boolean } | 'y' | undefined
      id: number
      size?: { wide: boolean }
    }
  >,
)
// So it is by patterns, deeper inside, and beside a required field that is not described.
const byPattern = { '^o': Listed, '^s': Size } as const
const Patterns = {
  type: 'object',
  properties: { id: { type: 'integer' } },
  patternProperties: byPattern,
  additionalProperties: false,
} as const
reply(Patterns, named)
expectError(reply(Patterns, counted))
const Requiring = {
  type: 'object',
  required: ['id'],
  patternProperties: byPattern,
  additionalProperties: { type: 'integer' },
} as const
reply(Requiring, named)
expectError(reply(Requiring, counted))
const Undescribed = { ...Open, properties: { size: Size } } as const
reply(Undescribed, { size: {}, id: 'y' })
expectError(reply(Undescribed, { ...named, id: true as boolean }))
const inside = <const Schema>(schema: Schema) =>
  ({ type: 'object', properties: { value: schema }, required: ['value'] }) as const
const Deep = { ...Open, properties: { ...Named, deep: inside(Size) } } as const
reply({ ...Deep, additionalProperties: inside(Listed) }, { id: 1, other: { value: 'y' } } as const)
const deepCounted = { id: 1, other: { value: 1 } }
expectError(reply({ ...Deep, additionalProperties: inside(Listed) }, deepCounted))
// And where several schemas hold together.
const Stamp = { type: 'object', properties: { at: { type: 'string' } } } as const
const Joined = { allOf: [Stamp, Open] } as const
reply(Joined, named)
expectError(reply(Joined, counted))
expectNotAssignable<Input<typeof Joined>>(counted)
const Beside = { ...Open, anyOf: [{ required: ['size'] }, { required: ['other'] }] } as const
reply(Beside, named)
expectError(reply(Beside, counted))
const Branches = { ...Open, if: { required: ['size'] }, then: Stamp, else: Stamp } as const
reply(Branches, named)
expectError(reply(Branches, counted))

// What a list contains is only asked: its items are of their own type.
app.post(
  '/contains',
  {
    schema: {
      body: { type: 'array', items: { type: 'string' }, contains: { type: 'integer' } },
      querystring: { tags: t.Array(t.String(), { contains: t.Integer() }) },
    },
  },
  ({ body, query }) => {
    expectType<string[]>(body)
    expectType<string[]>(query.tags)
    expectError<number | undefined>(body[0])
    return 1
  },
)
