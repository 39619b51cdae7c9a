// The four views of a schema: what a client may send (Input), what a handler reads (Output), what a
// handler may reply (Payload), what a client parses of a reply (Received).
import espalier, { t, type Input, type Output, type Payload, type Received } from 'espalier'
import { expectAssignable, expectError, expectNotAssignable, expectType } from 'tsd'
import type { Equal } from './support.js'

/** A value that a handler may give the serializer. */
declare function reply<const Schema>(schema: Schema, payload: NoInfer<Payload<Schema>>): void
/** A value as a client parses it. */
declare function received<const Schema>(schema: Schema): Received<Schema>

// One schema, four views.
const Event = t.Object({
  id: t.Integer(),
  at: t.String({ format: 'date-time' }),
  size: t.Integer({ default: 1 }),
  note: t.Optional(t.String({ default: '' })),
  tag: t.Optional(t.String()),
})
type Plain = { id: number; at: string; size: number; note: string; tag?: string }
type Left = { id: number; at: string; size?: number; note?: string; tag?: string }
expectType<true>({} as Equal<Input<typeof Event>, Left>)
expectType<true>({} as Equal<Output<typeof Event>, Plain>)
expectType<true>({} as Equal<Received<typeof Event>, Plain>)
reply(Event, { id: 1, at: new Date() })
reply(Event, { id: 1, at: '', size: 1, note: '', tag: '' })
expectError(reply(Event, { id: 1 }))
expectError(reply(Event, { id: '1', at: '' }))
expectError(reply(Event, { id: 1, at: 1 }))
expectError(reply(Event, { id: 1, at: '', nmae: '' }))
expectError<Date>(received(Event).at)

// The serializer writes a Date where the format is one of three, and nowhere else.
reply(t.String({ format: 'date-time' }), new Date())
reply(t.String({ format: 'date' }), new Date())
reply(t.String({ format: 'time' }), new Date())
reply({ type: 'string', format: 'time' }, new Date())
reply({ type: ['string', 'null'], format: 'date' }, new Date())
reply(t.String({ format: 'date', nullable: true }), new Date())
reply(t.String({ format: 'date', nullable: true }), null)
expectError(reply(t.String({ nullable: true }), new Date()))
expectError(reply(t.String(), new Date()))
expectError(reply(t.String({ format: 'email' }), new Date()))
expectError(reply({ type: 'string' }, new Date()))
expectType<string>(received(t.String({ format: 'time' })))

// At any depth.
const day = t.String({ format: 'date' })
reply(t.Array(day), [new Date(), ''])
reply(t.Tuple([day]), [new Date()])
reply(t.Record(t.String(), day), { a: new Date() })
reply(t.Union([day, t.Null()]), new Date())
reply(t.Intersect([t.Object({ a: day }), t.Object({ b: day })]), { a: new Date(), b: new Date() })
expectError(reply(t.Array(t.String()), [new Date()]))
expectError(reply(t.Union([t.String(), t.Null()]), new Date()))

// An object may be what its toJSON gives.
declare const json: <Value>(value: Value) => { toJSON(): Value }
const User = t.Object({ id: t.Integer() }, { $id: 'user' })
reply(User, json({ id: 1 }))
reply(t.Array(User), [json({ id: 1 })])
reply(t.Tuple([User]), [json({ id: 1 })])
reply(t.Object({ user: User }), { user: json({ id: 1 }) })
reply(t.Object({ user: User }), json({ user: json({ id: 1 }) }))
reply(
  { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  json({ id: 1 }),
)
reply(t.Intersect([User, t.Object({ a: t.Integer() })]), json({ id: 1, a: 1 }))
expectError(reply(User, json({ id: '1' })))
expectError(reply(User, json(1)))
expectType<number>(received(User).id)

// No other value may, though some of them would be text.
expectError(reply(t.Array(User), json([{ id: 1 }])))
expectError(reply(t.String(), json('x')))
expectError(reply(t.Integer(), json(1)))
expectError(reply(t.Boolean(), json(true)))

// Nor may one inside of a union, whose members are validated before.
const Either = t.Union([t.Object({ a: t.Integer({ default: 1 }), b: t.Optional(User) }), t.Null()])
reply(Either, { a: 1 })
reply(Either, { a: 1, b: { id: 1 } })
reply(Either, null)
expectError(reply(Either, {}))
expectError(reply(Either, json({ a: 1 })))
expectError(reply(Either, { a: 1, b: json({ id: 1 }) }))

// Behind the items that a list names, what lacks a default is sent as it is.
const numbered = { type: 'object', properties: { n: { type: 'integer', default: 1 } } } as const
const named = { type: 'array', items: [numbered], minItems: 1, additionalItems: numbered } as const
reply(named, [{}, {}])
expectType<number>(received(named)[0].n)
expectType<number | undefined>(received(named)[1]?.n)
expectError<number>(received(named)[1]!.n)

// A transformed value is given decoded, and received encoded.
const Cents = t
  .Transform(t.Integer())
  .Decode((cents) => ({ euros: cents / 100 }))
  .Encode(({ euros }) => euros * 100)
const Price = t.Object({ price: Cents, old: t.Optional(Cents) })
expectType<true>({} as Equal<Input<typeof Price>, { price: number; old?: number }>)
expectType<true>({} as Equal<Received<typeof Price>, { price: number; old?: number }>)
expectType<{ euros: number }>({} as Output<typeof Price>['price'])
reply(Price, { price: { euros: 1 } })
expectError(reply(Price, { price: 100 }))

// What is said of the schema holds for the transform of it: a default, that it is optional, its id.
const Late = t
  .Transform(t.String({ format: 'date-time', default: '2020-01-01T00:00:00Z' }))
  .Decode((text) => new Date(text))
  .Encode((date) => date.toISOString())
const MayBe = t
  .Transform(t.Optional(t.String()))
  .Decode((text) => text.length)
  .Encode((length) => 'x'.repeat(length))
const Times = t.Object({ late: Late, maybe: MayBe })
expectType<true>({} as Equal<Input<typeof Times>, { late?: string; maybe?: string }>)
expectType<true>({} as Equal<Output<typeof Times>, { late: Date; maybe?: number }>)
expectType<true>({} as Equal<Received<typeof Times>, { late: string; maybe?: string }>)
reply(Times, {})
reply(Times, { late: new Date(), maybe: 1 })
expectError(reply(Times, { late: '2020-01-01T00:00:00Z' }))
expectError(reply(Times, { maybe: 'x' }))
const Point = t
  .Transform(t.Object({ x: t.Integer() }, { $id: 'point' }))
  .Decode(({ x }) => x)
  .Encode((x) => ({ x }))
espalier()
  .addSchema(Point)
  .post('/point', { schema: { body: t.Ref('point#') } }, ({ body }) => {
    expectType<number>(body)
    return null
  })

// References resolve in the schemas that are given.
type Shared = { user: typeof User }
const ByReference = t.Array(t.Ref('user#'))
expectType<{ id: number }[]>({} as Output<typeof ByReference, Shared>)
expectType<{ id: number }[]>({} as Input<typeof ByReference, Shared>)
expectType<{ id: number }[]>({} as Received<typeof ByReference, Shared>)
expectAssignable<Payload<typeof ByReference, Shared>>([{ id: 1 }, json({ id: 2 })])
expectNotAssignable<Payload<typeof ByReference, Shared>>([{ id: '1' }])
expectNotAssignable<{ id: number }[]>({} as Output<typeof ByReference>)

// The views of a route are the views of its schema.
const app = espalier()
  .addSchema(User)
  .get('/user', { schema: { response: { 200: t.Ref('user#') } } }, () => json({ id: 1 }))
  .get(
    '/closed',
    {
      schema: {
        response: { 200: t.Object({ id: t.Integer() }, { additionalProperties: false }) },
      },
    },
    async () => json({ id: 1 }),
  )
  .get(
    '/price/:price',
    { schema: { params: { price: Cents }, response: { 200: Price } } },
    (request) => {
      expectType<{ euros: number }>(request.params.price)
      return { price: request.params.price }
    },
  )
expectType<{ id: number }>((await app.inject('GET /user')).json())
expectType<number>((await app.inject('GET /price/:price', { params: { price: 5 } })).json().price)
expectError(app.get('/x', { schema: { response: { 200: User } } }, () => json({ id: '1' })))
expectError(
  app.get(
    '/x',
    {
      schema: { response: { 200: t.Object({ id: t.Integer() }, { additionalProperties: false }) } },
    },
    () => json({ id: 1, extra: 1 }),
  ),
)
expectError(app.inject('GET /price/:price', { params: { price: { euros: 1 } } }))

// In a query string, values may be written as text, and a list as its only item.
const search = espalier().get(
  '/:id/:on',
  {
    schema: {
      params: { id: t.Integer(), on: t.Boolean() },
      querystring: {
        n: t.Optional(t.Number()),
        on: t.Optional(t.Boolean()),
        none: t.Optional(t.Null()),
        text: t.Optional(t.String()),
        list: t.Optional(t.Array(t.Integer())),
        one: t.Optional(t.Literal(1)),
        yes: t.Optional(t.Literal(true)),
        few: t.Optional(t.Array(t.Union([t.Literal(1), t.Literal(2)]))),
        kind: t.Optional(t.Union([t.Literal('a'), t.Literal('b')])),
        either: t.Optional(t.Union([t.Integer(), t.Null()])),
        cents: t.Optional(Cents),
        plain: { type: 'array', items: { enum: ['x', 'y'] } },
      },
    },
  },
  ({ query }) => {
    expectType<number | undefined>(query.n)
    expectType<number[] | undefined>(query.list)
    return 1
  },
)
const params = { id: '5', on: 'true' } as const
void search.inject('GET /:id/:on', { params })
void search.inject('GET /:id/:on', { params: { id: 5, on: false } })
void search.inject('GET /:id/:on', {
  params,
  query: { n: '1.5', on: 'false', none: '', list: '1' },
})
void search.inject('GET /:id/:on', { params, query: { n: 1.5, on: true, none: null, list: [1] } })
void search.inject('GET /:id/:on', { params, query: { list: ['1', 2], one: 1, kind: 'a' } })
void search.inject('GET /:id/:on', { params, query: { either: '', cents: '150', plain: 'x' } })
void search.inject('GET /:id/:on', { params, query: { either: 2, cents: 150, plain: ['x', 'y'] } })
expectError(search.inject('GET /:id/:on', { params: { id: 'x', on: true } }))
expectError(search.inject('GET /:id/:on', { params: { id: 1, on: 'yes' } }))
expectError(search.inject('GET /:id/:on', { params, query: { n: 'x' } }))
expectError(search.inject('GET /:id/:on', { params, query: { on: 1 } }))
expectError(search.inject('GET /:id/:on', { params, query: { none: 'null' } }))
expectError(search.inject('GET /:id/:on', { params, query: { text: 1 } }))
expectError(search.inject('GET /:id/:on', { params, query: { list: 'x' } }))
void search.inject('GET /:id/:on', { params, query: { one: '1', yes: 'true', few: '2' } })
void search.inject('GET /:id/:on', { params, query: { yes: true, few: [1, '2'] } })
expectError(search.inject('GET /:id/:on', { params, query: { one: '2' } }))
expectError(search.inject('GET /:id/:on', { params, query: { yes: 'false' } }))
expectError(search.inject('GET /:id/:on', { params, query: { few: ['3'] } }))
expectError(search.inject('GET /:id/:on', { params, query: { kind: 'c' } }))
expectError(search.inject('GET /:id/:on', { params, query: { either: 'x' } }))
expectError(search.inject('GET /:id/:on', { params, query: { plain: 'z' } }))

// A body is JSON, and is typed as such.
const typed = espalier().post('/', { schema: { body: { n: t.Integer() } } }, () => 1)
void typed.inject('POST /', { body: { n: 1 } })
expectError(typed.inject('POST /', { body: { n: '1' } }))

// A reply is only read: its lists are readonly, those that are received are not.
const Lists = t.Object({ list: t.Array(t.Integer()), pair: t.Tuple([t.Integer(), t.String()]) })
const fixed = { list: [1], pair: [1, ''] } as const
reply(Lists, fixed)
reply(t.Union([Lists, t.Null()]), fixed)
reply({ type: 'array', items: { type: 'integer' } }, fixed.list)
reply({ type: 'array' }, fixed.list)
reply({ type: 'array', items: [{ type: 'integer' }, { type: 'string' }] }, fixed.pair)
expectError(reply(Lists, { list: ['x'] as const, pair: fixed.pair }))
expectError(reply({ type: 'array', items: { type: 'integer' } }, ['x'] as const))
expectType<number[]>(received(Lists).list)
expectType<[number, string]>(received(Lists).pair)
expectType<true>({} as Equal<Output<typeof Lists>, { list: number[]; pair: [number, string] }>)
expectType<true>({} as Equal<Received<typeof Lists>, { list: number[]; pair: [number, string] }>)

// What lists its values is null only where it lists that, whatever else it says.
const listed = t.Object({
  one: t.String({ enum: ['a'], nullable: true }),
  other: t.String({ enum: ['a', null], nullable: true }),
  constant: t.String({ const: 'a', nullable: true }),
})
expectType<{ one: string; other: string | null; constant: string }>({} as Output<typeof listed>)
// A serializer does not look at the list: who receives a reply may find null all the same.
expectType<1 | null>({} as Received<{ type: 'number'; enum: [1]; nullable: true }>)
expectType<1>({} as Output<{ type: 'number'; enum: [1]; nullable: true }>)

// A schema of which nothing is known says nothing of its field, which is asked for.
const Loose = t.Object({ a: JSON.parse('{}') })
expectError<Input<typeof Loose>>({})
expectAssignable<Input<typeof Loose>>({ a: 1 })
