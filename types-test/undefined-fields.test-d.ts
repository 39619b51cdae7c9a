// A field that may be left out may be undefined in replies and in the bodies of calls, which JSON leaves out. The compiler asks
// of that under `exactOptionalPropertyTypes` alone, with which these claims are checked on every TypeScript (`matrix.mjs`).
import espalier, { defineRoute, t, type Input, type Output, type Payload } from 'espalier'
import type { Received } from 'espalier'
import { client } from 'espalier/client'
import Type from 'typebox'
import { expectError, expectType } from 'tsd'
import type { Equal } from './support.js'

const text = 'x' as string | undefined
const count = 1 as number | undefined
const flag = Math.random() > 1

/** A value that a handler may give the serializer. */
declare function reply<const Schema>(schema: Schema, payload: NoInfer<Payload<Schema>>): void

// Optional fields, those with a default, and those of objects inside.
const User = t.Object({
  id: t.Integer(),
  nick: t.Optional(t.String()),
  size: t.Integer({ default: 1 }),
  home: t.Optional(t.Object({ street: t.Optional(t.String()) })),
})
reply(User, { id: 1, nick: text, size: count, home: flag ? { street: text } : undefined })
reply(User, { id: 1, nick: undefined, size: undefined, home: undefined })
expectError(reply(User, { id: undefined }))
expectError(reply(User, { id: count }))
expectError(reply(User, { id: 1, nick: flag ? null : undefined }))
expectError(reply(User, { id: 1, nick: flag ? 1 : undefined }))

// What is read, and what a client parses, has no such fields.
type Home = { street?: string }
type Read = { id: number; nick?: string; size: number; home?: Home }
expectType<true>({} as Equal<Output<typeof User>, Read>)
expectType<true>({} as Equal<Received<typeof User>, Read>)
// Nor has what a client may send: it is what JSON has.
expectType<true>(
  {} as Equal<Input<typeof User>, { id: number; nick?: string; size?: number; home?: Home }>,
)

// At any depth, and in all that makes objects.
reply(t.Array(User), [{ id: 1, nick: text }])
reply(t.Tuple([User]), [{ id: 1, nick: text }])
reply(t.Record(t.String(), User), { a: { id: 1, nick: text } })
reply(t.Intersect([User, t.Object({ tag: t.Optional(t.String()) })]), {
  id: 1,
  nick: text,
  tag: text,
})
reply(t.Partial(User), { id: count, nick: text })
reply({ user: t.Optional(User), nick: t.Optional(t.String()) }, { user: undefined, nick: text })
expectError(reply(t.Array(t.String()), [text]))
expectError(reply(t.Record(t.String(), t.String()), { a: text }))
expectError(reply(t.Intersect([User, t.Object({ nick: t.String() })]), { id: 1, nick: text }))

const When = t
  .Transform(t.String({ format: 'date-time' }))
  .Decode((given) => new Date(given))
  .Encode((date) => date.toISOString())
const day = new Date() as Date | undefined
const Event = t.Object({ at: t.Optional(When), day: t.Optional(t.String({ format: 'date' })) })
reply(Event, { at: day, day })
expectError(reply(t.Object({ at: When }), { at: day }))

// Members of a union are told apart as before; what has a default is certain there.
const Shape = t.Union([
  t.Object({ kind: t.Literal('circle'), radius: t.Optional(t.Number()) }),
  t.Object({ kind: t.Literal('square'), side: t.Number(), name: t.String({ default: '' }) }),
])
reply(Shape, { kind: 'circle', radius: count })
reply(Shape, { kind: 'square', side: 1, name: '' })
expectError(reply(Shape, { kind: 'square', side: count, name: '' }))
expectError(reply(Shape, { kind: 'square', side: 1, name: text }))

// Plain JSON Schema, and that of TypeBox 1.
const plain = {
  type: 'object',
  required: ['id', 'size'],
  properties: {
    id: { type: 'integer' },
    nick: { type: 'string' },
    size: { type: 'integer', default: 1 },
    home: { type: 'object', properties: { street: { type: 'string' } } },
  },
} as const
reply(plain, { id: 1, nick: text, size: count, home: { street: text } })
expectError(reply(plain, { id: count }))
expectType<true>({} as Equal<Output<typeof plain>, Read>)
reply({ anyOf: [plain, { type: 'null' }] }, { id: 1, size: 1, nick: text })
expectError(reply({ anyOf: [plain, { type: 'null' }] }, { id: 1, size: count }))
reply({ ...plain, patternProperties: { '^x-': { type: 'string' } } }, { id: 1, nick: text })
const One = Type.Object({ id: Type.Integer(), nick: Type.Optional(Type.String()) })
reply(One, { id: 1, nick: text })
expectError(reply(One, { id: count, nick: text }))

// In routes: what is returned, what is sent, and what is closed.
const Closed = t.Object(
  { id: t.Integer(), nick: t.Optional(t.String()) },
  { additionalProperties: false },
)
const Told = t.Union([
  t.Object({ is: t.Literal('a'), a: t.Optional(t.String()) }, { additionalProperties: false }),
  t.Object({ is: t.Literal('b'), b: t.Optional(t.String()) }, { additionalProperties: false }),
])
const app = espalier()
  .post('/users', { schema: { body: User, response: { 200: User } } }, () => ({
    id: 1,
    nick: text,
  }))
  .post('/later', { schema: { body: plain, response: { 200: plain } } }, async () => ({
    id: 1,
    nick: text,
  }))
  .post('/sent', { schema: { body: Shape, response: { 201: User } } }, (_request, reply) =>
    reply.code(201).send({ id: 1, nick: text }),
  )
  .post('/closed', { schema: { body: Closed, response: { 200: Closed } } }, () => ({
    id: 1,
    nick: text,
  }))
  .post('/told', { schema: { body: Told, response: { 200: Told } } }, () =>
    flag ? { is: 'a', a: text } : { is: 'b', b: text },
  )
  .post(
    '/content',
    {
      schema: {
        body: { content: { 'application/json': { schema: User } } },
        response: { 200: { content: { 'application/json': { schema: User } } } },
      },
    },
    () => ({ id: 1, nick: text }),
  )
  .route(
    defineRoute({
      method: 'POST',
      url: '/apart',
      schema: { body: { nick: t.Optional(t.String()) }, response: { 200: User } },
      handler: () => ({ id: 1, nick: text }),
    }),
  )
const users = { schema: { response: { 200: User } } }
expectError(app.get('/a', users, () => ({ id: count, nick: text })))
expectError(app.get('/b', users, async () => ({ id: count })))
expectError(
  app.get('/c', { schema: { response: { 200: Closed } } }, () => ({ id: 1, nick: text, extra: 1 })),
)

// In calls.
const call = client<typeof app>('http://localhost')
void app.inject('POST /users', { body: { id: 1, nick: text, size: count, home: { street: text } } })
void app.inject('POST /later', { body: { id: 1, nick: text, home: { street: text } } })
void app.inject('POST /sent', { body: { kind: 'circle', radius: count } })
void app.inject('POST /closed', { body: { id: 1, nick: text } })
void app.inject('POST /content', { body: { id: 1, nick: text } })
void call('POST /users', { body: { id: 1, nick: text, size: count, home: { street: text } } })
void call('POST /told', { body: { is: 'a', a: text } })
void call('POST /apart', { body: { nick: text } })
expectError(app.inject('POST /users', { body: { id: count } }))
expectError(call('POST /users', { body: { id: count } }))
expectError(call('POST /sent', { body: { kind: 'square', side: count } }))
expectError(call('POST /users', { body: { id: 1, nick: flag ? null : undefined } }))

// A function around a call passes on what it was given.
const create = (user: Input<typeof User>) => call('POST /users', { body: user })
void create({ id: 1 })
const answer = (): Payload<typeof User> => ({ id: 1, nick: text })
app.get('/d', users, answer)
