// Schemas of TypeBox 1.x (the package `typebox`), in their four views, in routes, and as shared schemas. Their types forget
// all options but those that `Type.With` adds.
import Type from 'typebox'
import espalier, { t, type Input, type Output, type Payload, type Received } from 'espalier'
import { expectError, expectType } from 'tsd'
import { isAny, type Equal, type Flat } from './support.js'

/** A value that a handler may give the serializer. */
declare function reply<const Schema>(schema: Schema, payload: NoInfer<Payload<Schema>>): void
declare function read<const Schema>(schema: Schema): Output<Schema>
declare function send<const Schema>(schema: Schema, input: NoInfer<Input<Schema>>): void

const app = espalier()

// One schema, four views. What is optional may be left out; what is readonly is plain, as with `t`.
const Event = Type.Object({
  id: Type.Integer(),
  at: Type.With(Type.String(), { format: 'date-time' }),
  size: Type.With(Type.Integer(), { default: 1 }),
  tag: Type.Optional(Type.String()),
  fixed: Type.Readonly(Type.Boolean()),
})
type Plain = { id: number; at: string; size: number; fixed: boolean; tag?: string }
type Left = { id: number; at: string; size?: number; fixed: boolean; tag?: string }
expectType<true>({} as Equal<Input<typeof Event>, Left>)
expectType<true>({} as Equal<Output<typeof Event>, Plain>)
expectType<true>({} as Equal<Received<typeof Event>, Plain>)
reply(Event, { id: 1, at: new Date(), fixed: true })
reply(Event, { toJSON: () => ({ id: 1, at: '', fixed: true }) })
expectError(reply(Event, { id: 1, at: 1, fixed: true }))
expectError(reply(Event, { id: 1, at: '' }))
expectError(reply(Event, { id: 1, at: '', fixed: true, tga: '' }))
expectError(read(Event).tga)
expectError<number>(read(Event).tag)

// Scalars.
expectType<string>(read(Type.String()))
expectType<number>(read(Type.Number()))
expectType<number>(read(Type.Integer()))
expectType<boolean>(read(Type.Boolean()))
expectType<null>(read(Type.Null()))
expectType<'x'>(read(Type.Literal('x')))
expectType<'a' | 'b'>(read(Type.Enum(['a', 'b'])))
expectType<'a' | 1>(read(Type.Enum({ A: 'a', B: 1 } as const)))
expectType<string>(read(Type.TemplateLiteral('a${string}')))
expectType<string>(read(Type.Refine(Type.String(), (text) => text !== '')))
expectError<string>(read(Type.Integer()))
expectError<'y'>(read(Type.Literal('x')))
expectError<'a'>(read(Type.Enum(['a', 'b'])))

// What may be anything, and what nothing can be.
expectType<true>(isAny(read(Type.Any())))
expectType<unknown>(read(Type.Unknown()))
expectType<true>({} as Equal<Output<ReturnType<typeof Type.Unknown>>, unknown>)
expectType<never>(read(Type.Never()))
expectError<string>(read(Type.Unknown()))

// Lists, tuples, unions, intersections, records.
expectType<string[]>(read(Type.Array(Type.String())))
expectType<string[]>(read(Type.Immutable(Type.Array(Type.String()))))
expectType<[string, number]>(read(Type.Tuple([Type.String(), Type.Number()])))
expectType<string | null>(read(Type.Union([Type.String(), Type.Null()])))
const Both = Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Number() })])
expectType<true>({} as Equal<Flat<Output<typeof Both>>, { a: string; b: number }>)
expectType<{ [key: string]: number }>(read(Type.Record(Type.String(), Type.Number())))
const keys = Type.Union([Type.Literal('a'), Type.Literal('b')])
expectType<{ a: number; b: number }>(read(Type.Record(keys, Type.Number())))
expectType<{ a?: string }>(read(Type.Partial(Type.Object({ a: Type.String() }))))
expectType<{ a: string; b?: number }>(read(Type.Script('{ a: string, b?: number }')))
expectError<number[]>(read(Type.Array(Type.String())))
expectError<[string]>(read(Type.Tuple([Type.String(), Type.Number()])))
expectError<{ [key: string]: string }>(read(Type.Record(Type.String(), Type.Number())))

// Inside of a union the serializer takes neither toJSON nor what lacks a default.
const Either = Type.Union([
  Type.Null(),
  Type.Object({ n: Type.With(Type.Integer(), { default: 1 }) }),
])
reply(Either, { n: 1 })
expectError(reply(Either, {}))

// The type of an Unsafe is taken as it is; that of a Codec is by the side.
expectType<Map<1, 2>>(read(Type.Unsafe<Map<1, 2>>({ type: 'object' })))
const When = Type.Codec(Type.String())
  .Decode((text) => new Date(text))
  .Encode((date) => date.toISOString())
const Dated = Type.Object({ when: Type.Optional(When), day: When })
expectType<true>({} as Equal<Input<typeof Dated>, { when?: string; day: string }>)
expectType<true>({} as Equal<Output<typeof Dated>, { when?: Date; day: Date }>)
expectType<true>({} as Equal<Received<typeof Dated>, { when?: string; day: string }>)
reply(Dated, { day: new Date() })
expectError(reply(Dated, { day: '' }))
expectError(send(Dated, { day: new Date() }))

// A cyclic schema refers to its own definitions; so do those of a module, and `This` to the schema it stands in.
const Tree = Type.Cyclic(
  {
    Node: Type.Object({
      id: Type.String(),
      leaf: Type.Ref('Leaf'),
      kids: Type.Array(Type.Ref('Node')),
    }),
    Leaf: Type.Object({ back: Type.Optional(Type.Ref('Node')) }),
  },
  'Node',
)
expectType<string | undefined>(read(Tree).kids[0]?.kids[0]?.leaf.back?.id)
expectError(read(Tree).kids[0]?.leaf.id)
const Nest = Type.Cyclic(
  { Nest: Type.Union([Type.String(), Type.Array(Type.Ref('Nest'))]) },
  'Nest',
)
send(Nest, ['a', ['b', ['c']]])
expectError(send(Nest, ['a', ['b', [1]]]))
const { User } = Type.Module({
  User: Type.Object({ name: Type.Ref('Name'), boss: Type.Optional(Type.Ref('User')) }),
  Name: Type.String(),
})
expectType<string | undefined>(read(User).boss?.boss?.name)
expectError<number>(read(User).name)
const Self = Type.Object({ kids: Type.Array(Type.This()) })
expectType<Output<typeof Self> | undefined>(read(Self).kids[0]?.kids[0])
expectError(read(Self).kids[0]?.kdis)

// In every part of a route, alone or in a short form, where what is not optional is there.
const routes = app
  .addSchema('user', Type.Object({ id: Type.Integer(), name: Type.String() }, { $id: 'user' }))
  .addSchema(Type.With(Type.Object({ tag: Type.String() }), { $id: 'tag' }))
  .post(
    '/:id',
    {
      schema: {
        params: { id: Type.Integer() },
        querystring: {
          page: Type.With(Type.Integer(), { default: 1 }),
          q: Type.Optional(Type.String()),
        },
        headers: Type.Object({ 'x-n': Type.Integer() }),
        body: Type.Object({ user: Type.Ref('user'), tags: Type.Array(Type.Ref('tag#')) }),
        response: { 200: Type.Ref('user'), 404: { message: Type.String() } },
      },
    },
    (request, reply) => {
      expectType<true>({} as Equal<typeof request.params, { id: number }>)
      expectType<true>({} as Equal<typeof request.query, { page: number; q?: string }>)
      expectType<number>(request.headers['x-n'])
      expectType<number>(request.body.user.id)
      expectType<string | undefined>(request.body.tags[0]?.tag)
      expectType<false>(isAny(request.body))
      expectError(request.body.usr)
      expectError(reply.code(404).send({ massage: '' }))
      if (request.query.page > 9) return reply.code(404).send({ message: '' })
      return { id: 1, name: '' }
    },
  )
void routes.inject('POST /:id', {
  params: { id: '1' },
  headers: { 'x-n': 1 },
  body: { user: { id: 1, name: '' }, tags: [{ tag: '' }] },
})
expectError(
  routes.inject('POST /:id', {
    params: { id: 1 },
    headers: { 'x-n': 1 },
    body: { user: { id: 1 }, tags: [] },
  }),
)
const shared = app.addSchema('user', Type.Object({ id: Type.Integer() }))
shared.get('/', { schema: { response: { 200: Type.Array(Type.Ref('user')) } } }, () => [{ id: 1 }])
expectError(
  shared.get('/', { schema: { response: { 200: Type.Array(Type.Ref('user')) } } }, () => [
    { id: '' },
  ]),
)

// A `t` schema may refer to one of TypeBox 1.x, and the other way round.
shared.post('/', { schema: { body: t.Object({ user: t.Ref('user#') }) } }, ({ body }) => {
  expectType<number>(body.user.id)
  expectError(body.user.name)
  return 1
})
app.addSchema(t.Object({ a: t.Integer() }, { $id: 'a' })).post(
  '/',
  {
    schema: {
      body: Type.Object({ a: Type.Ref('a#') }),
      querystring: { n: t.Integer(), m: Type.Integer() },
    },
  },
  ({ body, query }) => {
    expectType<number>(body.a.a)
    expectType<true>({} as Equal<typeof query, { n: number; m: number }>)
    expectError(body.a.b)
    return 1
  },
)

// A reference that names nothing is an error at the route, at any depth, and so is an unknown path parameter.
expectError(app.post('/', { schema: { body: Type.Ref('usr') } }, () => 1))
expectError(
  app.post('/', { schema: { body: Type.Object({ a: Type.Array(Type.Ref('usr')) }) } }, () => 1),
)
expectError(
  app.post(
    '/',
    { schema: { body: Type.Cyclic({ A: Type.Object({ b: Type.Ref('B') }) }, 'A') } },
    () => 1,
  ),
)
expectError(app.get('/:id', { schema: { params: Type.Object({ ix: Type.String() }) } }, () => 1))
app.post('/', { schema: { body: Tree } }, () => 1)
app.post('/', { schema: { body: Type.Unsafe<{ $ref: 'usr' }>({}) } }, () => 1)

// Without an id in its type a schema is shared by name.
expectError(app.addSchema(Type.Object({ id: Type.Integer() }, { $id: 'user' })))

// Where `Type.With` says that nothing else may be there, returning it is an error.
const Closed = Type.With(Type.Object({ id: Type.Integer() }), { additionalProperties: false })
const row = { id: 1, secret: '' }
app.get('/', { schema: { response: { 200: Type.Object({ id: Type.Integer() }) } } }, () => row)
app.get('/', { schema: { response: { 200: Closed } } }, () => ({ id: 1 }))
expectError(app.get('/', { schema: { response: { 200: Closed } } }, () => row))

// A record says nothing of keys of another kind than its own.
expectType<{ [key: string]: string }>(read(Type.Record(Type.String(), Type.String())))
expectType<{ [key: number]: string }>(read(Type.Record(Type.Integer(), Type.String())))
expectType<{ [key: number]: string }>(read(Type.Record(Type.Number(), Type.String())))
expectError<{ a: string }>(read(Type.Record(Type.Integer(), Type.String())))
expectType<{ [key: string]: unknown }>(
  read(Type.Record(Type.TemplateLiteral('x-${string}'), Type.String())),
)
