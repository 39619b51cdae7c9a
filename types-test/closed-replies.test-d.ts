// Where a schema says `additionalProperties: false`, a handler returns no field that it does not have.
import espalier, { t, type Closed, type Sent } from 'espalier'
import { expectAssignable, expectError, expectType } from 'tsd'
import { isAny } from './support.js'

declare const flag: boolean
const closed = { additionalProperties: false } as const
const Id = t.Object({ id: t.Integer() }, closed)
const Post = t.Object({ author: t.Ref('user#') }, { $id: 'post' })
const Tree = t.Recursive((This) => t.Object({ children: t.Array(This) }, closed), { $id: 'tree' })
const User = t.Object({ id: t.Integer() }, { $id: 'user', additionalProperties: false })
const app = espalier().addSchema(User).addSchema(Post).addSchema(Tree)
const byId = { schema: { response: { 200: Id, 404: { message: t.String() } } } }

// The builder marks what it closes.
expectAssignable<Closed>(Id)
expectError<Closed>(t.Object({ id: t.Integer() }))
expectError<Closed>(t.Object({ id: t.Integer() }, { additionalProperties: true }))

// Sync and async, as an expression and from a block.
app.get('/a', byId, () => ({ id: 1 }))
app.get('/a', byId, async () => ({ id: 1 }))
expectError(app.get('/a', byId, () => ({ id: 1, password: 'x' })))
expectError(app.get('/a', byId, async () => ({ id: 1, password: 'x' })))
expectError(
  app.get('/a', byId, () => {
    return { id: 1, password: 'x' }
  }),
)
expectError(
  app.get('/a', byId, async function (request) {
    return { id: 1, password: request.id }
  }),
)
expectError(app.get('/a', byId, () => Promise.resolve({ id: 1, password: 'x' })))

// The error names the field; it is what the function returns, so that its parameters keep theirs.
type Extra = { id: number; password: string }
const extra = app.get<'/a', Promise<Extra>, { response: { 200: typeof Id } }>
declare const said: ReturnType<NonNullable<Parameters<typeof extra>[2]>>
expectType<"'password' is not in the response schema">(said)

// Each of several returns counts.
app.get('/b', byId, (request, reply) => {
  if (request.id === 'a') return reply.code(404).send({ message: '' })
  if (request.id === 'b') return { id: 1 }
  return { id: 2 }
})
expectError(
  app.get('/b', byId, async (request, reply) => {
    if (request.id === 'a') return reply.code(404).send({ message: '' })
    if (request.id === 'b') return { id: 1 }
    return { id: 2, password: 'x' }
  }),
)
expectError(app.get('/b', byId, () => (flag ? { id: 1 } : { id: 2, password: 'x' })))

// The handler among the options, and the full form.
app.get('/c', { ...byId, handler: async () => ({ id: 1 }) })
app.route({ method: 'GET', url: '/c', ...byId, handler: () => ({ id: 1 }) })
expectError(app.get('/c', { ...byId, handler: () => ({ id: 1, password: 'x' }) }))
expectError(app.get('/c', { ...byId, handler: async ({ id }) => ({ id: 1, password: id }) }))
expectError(
  app.route({ method: 'GET', url: '/c', ...byId, handler: () => ({ id: 1, password: 'x' }) }),
)
expectError(
  app.route({
    method: ['GET', 'PUT'],
    path: '/c',
    ...byId,
    async handler(request) {
      return { id: 1, password: request.id }
    },
  }),
)

// Nothing becomes `any`.
app.get('/d', byId, function (request, reply) {
  expectType<false>(isAny(this))
  expectType<false>(isAny(request))
  expectType<false>(isAny(reply))
  expectType<string>(request.id)
  expectAssignable<Sent>(reply.send({ id: 1 }))
  expectError(reply.send({ id: 1, password: 'x' }))
  expectError(reply.code(500))
  return { id: 1 }
})
expectError(
  app.get('/d', byId, function (request, reply) {
    expectType<false>(isAny(this))
    expectType<false>(isAny(request))
    expectType<false>(isAny(reply))
    return { id: 1, password: 'x' }
  }),
)

// What sends by hand, and what has no type of its own, stays right.
declare const anything: ReturnType<typeof JSON.parse>
app.get('/e', byId, (_request, reply) => reply)
app.get('/e', byId, async (_request, reply) => reply)
app.get('/e', byId, (_request, reply) => void reply.send({ id: 1 }))
app.get('/e', byId, (_request, reply) => (flag ? reply : undefined))
app.get('/e', byId, () => anything)
app.get('/e', byId, async () => anything)
app.get('/e', byId, () => ({ id: anything }))
app.get('/e', byId, () => {
  throw new Error()
})
expectError(app.get('/e', byId, async () => {}))
expectError(app.get('/e', byId, () => ({ id: 'x' })))
expectError(app.get('/e', byId, () => ({ id: anything, password: anything })))

// A wider variable is refused; `reply.send` takes it.
const row = { id: 1, password: 'x' }
const exact = { id: 1 }
app.get('/f', byId, () => exact)
app.get('/f', byId, () => ({ ...exact }))
app.get('/f', byId, (_request, reply) => reply.send(row))
expectError(app.get('/f', byId, () => row))
expectError(app.get('/f', byId, () => ({ ...row })))
expectError(app.get('/f', byId, async () => (flag ? row : { id: 1 })))

// Of two variables whose types differ in that alone the compiler itself keeps the narrower type.
app.get('/f', byId, () => (flag ? row : exact))

// Literals keep their types, what is optional or has a default may be left out, a date may be one.
const Member = t.Object(
  {
    roles: t.Array(t.Union([t.Literal('admin'), t.Literal('member')])),
    since: t.Optional(t.String({ format: 'date-time' })),
    level: t.Integer({ default: 1 }),
  },
  closed,
)
const byMember = { schema: { response: { 200: Member } } }
app.get('/g', byMember, () => ({ roles: flag ? ['admin'] : ['member'] }))
app.get('/g', byMember, async () => ({ roles: flag ? ['admin'] : ['member'], since: new Date() }))
app.get('/g', byMember, async ({ id }) => {
  if (id === 'a') return { roles: [] }
  return { roles: ['admin', 'member'], since: '', level: 2 }
})
expectError(app.get('/g', byMember, () => ({ roles: ['root'] })))
expectError(app.get('/g', byMember, () => ({ roles: [], since: new Date(), until: new Date() })))

// The entry that serves 200: by class, by `default`, by media type.
app.get('/h', { schema: { response: { '2xx': Id } } }, () => ({ id: 1 }))
app.get('/h', { schema: { response: { default: Id } } }, () => ({ id: 1 }))
expectError(app.get('/h', { schema: { response: { '2xx': Id } } }, () => row))
expectError(app.get('/h', { schema: { response: { '2XX': Id } } }, () => row))
expectError(app.get('/h', { schema: { response: { default: Id } } }, () => row))
const content = { 'application/json': { schema: Id }, 'text/plain': { schema: t.String() } }
app.get('/h', { schema: { response: { 200: { content } } } }, () => (flag ? { id: 1 } : ''))
expectError(app.get('/h', { schema: { response: { 200: { content } } } }, () => row))

// An entry that does not serve 200 says nothing of it.
app.get('/i', { schema: { response: { 200: t.Object({ a: t.Null() }), '2xx': Id } } }, () => {
  return { a: null, b: 1 }
})
app.get('/i', { schema: { response: { 404: Id } } }, (_request, reply) => reply.code(404).send(row))

// Shared schemas, whole ones and those that refer on.
app.get('/j', { schema: { response: { 200: t.Ref('user#') } } }, () => ({ id: 1 }))
app.get('/j', { schema: { response: { 200: t.Ref('post#') } } }, () => ({ author: exact, x: 1 }))
expectError(app.get('/j', { schema: { response: { 200: t.Ref('user#') } } }, () => row))
expectError(app.get('/j', { schema: { response: { 200: { $ref: 'user#' } } } }, () => row))
expectError(app.get('/j', { schema: { response: { 200: t.Array(t.Ref('user')) } } }, () => [row]))
expectError(
  app.get('/j', { schema: { response: { 200: t.Ref('post#') } } }, () => ({ author: row })),
)

// Recursive schemas, and recursive values.
interface Node {
  children: Node[]
}
interface Named extends Node {
  children: Named[]
  name: string
}
declare const node: Node
declare const named: Named
app.get('/k', { schema: { response: { 200: t.Ref('tree#') } } }, () => node)
app.get('/k', { schema: { response: { 200: Tree } } }, () => ({ children: [{ children: [] }] }))
expectError(app.get('/k', { schema: { response: { 200: t.Ref('tree#') } } }, () => named))
expectError(app.get('/k', { schema: { response: { 200: Tree } } }, () => ({ children: [named] })))

// Plain JSON Schema.
const json = {
  type: 'object',
  properties: { id: { type: 'integer' }, tag: { $ref: '#/definitions/tag' } },
  required: ['id'],
  additionalProperties: false,
  definitions: { tag: { type: 'object', properties: { a: {} }, additionalProperties: false } },
} as const
app.get('/l', { schema: { response: { 200: json } } }, () => ({ id: 1 }))
app.get('/l', { schema: { response: { 200: json } } }, () => ({ id: 1, tag: { a: 1 } }))
expectError(app.get('/l', { schema: { response: { 200: json } } }, () => row))
expectError(
  app.get('/l', { schema: { response: { 200: json } } }, () => ({ id: 1, tag: { a: 1, b: 1 } })),
)
expectError(
  app.get('/l', { schema: { response: { 200: { type: 'array', items: json } } } }, () => [row]),
)

// Closed objects in open ones: only there are further fields an error.
const Nest = t.Object({ one: t.Optional(Id), all: t.Array(t.Union([Id, t.Null()])) })
const byNest = { schema: { response: { 200: Nest } } }
app.get('/m', byNest, () => ({ one: { id: 1 }, all: [null, { id: 2 }], more: { x: 1 } }))
expectError(app.get('/m', byNest, () => ({ one: { id: 1, password: 'x' }, all: [] })))
expectError(app.get('/m', byNest, () => ({ all: [null, { id: 2, password: 'x' }] })))
app.get('/m', { schema: { response: { 200: { one: Id } } } }, () => ({ one: exact, more: 1 }))
expectError(app.get('/m', { schema: { response: { 200: { one: Id } } } }, () => ({ one: row })))
expectError(
  app.get('/m', { schema: { response: { 200: t.Record(t.String(), Id) } } }, () => ({ a: row })),
)
expectError(
  app.get('/m', { schema: { response: { 200: t.Tuple([t.Null(), Id]) } } }, () => [null, row]),
)

// Open objects in closed ones.
const Meta = t.Object({ meta: t.Object({ a: t.Integer() }), any: t.Optional(t.Any()) }, closed)
const byMeta = { schema: { response: { 200: Meta } } }
app.get('/n', byMeta, () => ({ meta: { a: 1, b: 2 }, any: { c: 3 } }))
expectError(app.get('/n', byMeta, () => ({ meta: { a: 1 }, other: 1 })))

// Of a union, one member must have all the fields; of an intersection, all members together.
const Cat = t.Object({ kind: t.Literal('cat'), lives: t.Integer() }, closed)
const Dog = t.Object({ kind: t.Literal('dog'), name: t.String() }, closed)
const byPet = { schema: { response: { 200: t.Union([Cat, Dog]) } } }
app.get('/o', byPet, () => (flag ? { kind: 'cat', lives: 9 } : { kind: 'dog', name: '' }))
expectError(app.get('/o', byPet, () => ({ kind: 'cat', lives: 9, name: '' })))
const Both = t.Intersect([Id, t.Object({ name: t.String() })])
app.get('/o', { schema: { response: { 200: Both } } }, () => ({ id: 1, name: '' }))
expectError(
  app.get('/o', { schema: { response: { 200: Both } } }, () => ({ id: 1, name: '', more: 1 })),
)

// What is nullable is closed still; what has patterns has fields that no type can name.
const Maybe = t.Object({ id: t.Integer() }, { ...closed, nullable: true })
app.get('/p', { schema: { response: { 200: Maybe } } }, () => (flag ? null : { id: 1 }))
expectError(app.get('/p', { schema: { response: { 200: Maybe } } }, () => (flag ? null : row)))
const Headed = t.Object({ id: t.Integer() }, { ...closed, patternProperties: { '^x-': Id } })
app.get('/p', { schema: { response: { 200: Headed } } }, () => ({ id: 1, 'x-a': { id: 1 } }))

// Without `additionalProperties: false`, further fields are let through, as the serializer drops them.
const Open = t.Object({ id: t.Integer() })
app.get('/q', { schema: { response: { 200: Open } } }, () => row)
app.get('/q', { schema: { response: { 200: { id: t.Integer() } } } }, () => row)
app.get('/q', { schema: { response: { 200: { type: 'object', properties: {} } } } }, () => row)

// Readonly lists are looked into like others.
const ClosedList = t.Array(t.Object({ id: t.Integer() }, { additionalProperties: false }))
declare const fixed: readonly { id: number }[]
declare const more: readonly { id: number; extra: number }[]
espalier().get('/readonly', { schema: { response: { 200: ClosedList } } }, () => fixed)
expectError(espalier().get('/readonly', { schema: { response: { 200: ClosedList } } }, () => more))

// What does not fit is refused, be it deep inside; what fits is not, whatever was inferred of it.
const Kinds = t.Object({
  kind: t.Literal('x'),
  on: t.Literal(true),
  list: t.Array(t.Union([t.Literal(1), t.Literal(2)])),
})
const kinds = { schema: { response: { 200: Kinds } } }
app.get('/kinds', kinds, async () => ({ kind: 'x', on: true, list: [1, 2] }))
app.get('/kinds', kinds, (request) =>
  request.id ? { kind: 'x', on: true, list: [] } : { kind: 'x', on: true, list: [2] },
)
app.get('/kinds', kinds, (request) => {
  const later = Promise.resolve({ kind: 'x' as const, on: true as const, list: [] })
  return request.id ? later : { kind: 'x', on: true, list: [] }
})
app.get('/kinds', kinds, () => JSON.parse('{}'))
app.get('/kinds', kinds, () => {
  throw new Error('x')
})
expectError(app.get('/kinds', kinds, async () => ({ kind: 'y', on: true, list: [] })))
expectError(app.get('/kinds', kinds, async () => ({ kind: 'x', on: true, list: ['1'] })))
expectError(app.get('/kinds', kinds, async () => ({ kind: 'x', on: true })))
expectError(
  app.get('/kinds', kinds, async () => ({ kind: 'x' as string | undefined, on: true, list: [] })),
)
expectError(
  app.get('/kinds', kinds, (request) =>
    request.id ? { kind: 'x', on: true, list: [] } : { kind: 'x' },
  ),
)
expectError(app.get('/kinds', kinds, async () => [{ kind: 'x', on: true, list: [] }]))

// An instance with a tag is an object of fields too; a list or a map is none.
class Tagged {
  id = 1
  secret = 's'
  get [Symbol.toStringTag](): string {
    return 'Tagged'
  }
}
const Tag = t.Object({ id: t.Integer() }, { additionalProperties: false })
const tagged = { schema: { response: { 200: Tag } } }
expectError(espalier().get('/', tagged, () => new Tagged()))
expectError(espalier().get('/', tagged, () => [{ id: 1 }]))
expectError(espalier().get('/', tagged, () => new Map([['id', 1]])))
expectError(
  espalier().get('/', { schema: { response: { 200: t.Array(Tag) } } }, () => [new Tagged()]),
)
