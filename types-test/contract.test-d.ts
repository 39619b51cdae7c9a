// What a client may call of a server that it knows by a contract is what that server serves.
import espalier, { defineRoute, plugin, t, type Contract } from 'espalier'
import type { InputOf, InjectArguments, ResponseOf } from 'espalier'
import { client, type CallArguments, type RouteKey } from 'espalier/client'
import { expectAssignable, expectError, expectNotAssignable, expectType } from 'tsd'

const User = t.Object({ id: t.Integer(), name: t.String() }, { $id: 'user' })
type Needs = { schemas: { user: typeof User } }

const byId = defineRoute<Needs>()({
  method: 'GET',
  url: '/users/:id',
  schema: {
    params: { id: t.Integer() },
    response: { 200: t.Ref('user#'), 404: { message: t.String() } },
  },
  handler: (request, reply) =>
    request.params.id > 9
      ? reply.code(404).send({ message: 'no such user' })
      : { id: request.params.id, name: '' },
})
const several = defineRoute({
  method: ['POST', 'put'],
  path: '/several',
  schema: { body: { n: t.Integer({ default: 1 }) } },
  handler: async (request) => ({ n: request.body.n, at: new Date() }),
})
const top = defineRoute({ method: 'GET', url: '/', handler: () => 'top' as const })

interface Routes {
  'GET /a/users/:id': typeof byId
  'POST /a/several': typeof several
  'PUT /a/several': typeof several
  'GET /a': typeof top
}
interface Api extends Contract<Routes> {}

// Its keys, inputs and responses are those of the routes themselves.
const api = client<Api>('')
expectType<RouteKey<Api>>({} as keyof Routes)
const found = await api('GET /a/users/:id', { params: { id: 1 } })
expectType<200 | 404>(found.statusCode)
if (found.statusCode === 200) expectType<{ id: number; name: string }>(found.json())
else expectType<{ message: string }>(found.json())
const answered = await api('PUT /a/several', { body: {} })
if (answered.ok) expectType<{ n: number; at: string }>(answered.json())
else expectType<400>(answered.statusCode)
expectType<'top'>((await api('GET /a')).json())
expectError(api('GET /a/users'))
expectError(api('GET /a/users/:id'))
expectError(api('GET /a/users/:id', { params: { id: 'x' } }))
expectError(api('POST /a/several', { body: { n: 'x' } }))
expectError(api('DELETE /a/several', { body: {} }))

const served = espalier()
  .addSchema(User)
  .register(
    plugin<Needs>()(async (app) => app.addRoutes([byId, several, top])),
    { prefix: '/a' },
  )
type Served = typeof served
expectType<InputOf<Api, 'GET /a/users/:id'>>({} as InputOf<Served, 'GET /a/users/:id'>)
expectType<ResponseOf<Api, 'GET /a/users/:id'>>({} as ResponseOf<Served, 'GET /a/users/:id'>)
expectAssignable<InjectArguments<Served, 'GET /a'>>({} as InjectArguments<Api, 'GET /a'>)
const call = <Key extends RouteKey<Api>>(key: Key, ...input: CallArguments<Api, Key>) =>
  api(key, ...input)
expectType<'top'>((await call('GET /a')).json())

// A server serves it, however its routes were declared; it may have others, too.
const own = t.Object({ x: t.Integer() }, { $id: 'own' })
const scope = espalier().addSchema(User)
const prefix = '/a'
served satisfies Contract<Routes>
served.get('/more', () => 1) satisfies Api
scope.register(async (app) => app.addRoutes([byId, several, top]), { prefix }) satisfies Api
scope.register(async (app) => app.addSchema(own).addRoutes([byId, several, top]), {
  prefix,
}) satisfies Api
espalier().register(async (app) => app.addSchema(User).addRoutes([byId, several, top]), {
  prefix,
}) satisfies Api
scope.register(
  async (app) =>
    app.register(
      plugin<Needs>()(async (below) => below.route(byId)),
      { prefix: '/b' },
    ),
  { prefix },
) satisfies Contract<{ 'GET /a/b/users/:id': typeof byId }>
scope.route(byId) satisfies Contract<{ 'GET /users/:id': typeof byId }>
const old = defineRoute({ method: 'GET', url: '/', handler: () => ({ old: true }) })
const versions = scope.route({ ...top, constraints: { version: '2.0.0' } }).route(old)
versions satisfies Contract<{ 'GET /': typeof top }>
versions satisfies Contract<{ 'GET /': typeof old }>
expectAssignable<Api>(served)

// It does not serve what it lacks, or has elsewhere, or of another schema: not of a wider one, nor of a narrower.
expectNotAssignable<Contract<{ 'GET /users/:id': typeof byId }>>(served)
expectNotAssignable<Api>(scope.route(byId))
const wide = defineRoute({
  method: 'GET',
  url: '/x',
  schema: { response: { 200: { a: t.Integer() } } },
  handler: () => ({ a: 1 }),
})
const wider = defineRoute({
  method: 'GET',
  url: '/x',
  schema: { response: { 200: { a: t.Integer() }, 404: t.Null() } },
  handler: () => ({ a: 1 }),
})
const free = defineRoute({ method: 'GET', url: '/y', handler: () => 1 })
const asked = defineRoute({
  method: 'GET',
  url: '/y',
  schema: { querystring: { q: t.String() } },
  handler: () => 1,
})
const text = defineRoute({ method: 'GET', url: '/y', handler: () => '' })
const first = espalier().route(wide).route(free)
const second = espalier().register(async (app) => app.route(wider).route(asked))
const third = espalier().register(plugin()(async (app) => app.route(wider).route(asked)))
const fourth = espalier().register(async (app) => app.addSchema(own).route(wider).route(asked))
expectAssignable<Contract<{ 'GET /x': typeof wide; 'GET /y': typeof free }>>(first)
expectNotAssignable<Contract<{ 'GET /x': typeof wider }>>(first)
expectNotAssignable<Contract<{ 'GET /y': typeof asked }>>(first)
expectNotAssignable<Contract<{ 'GET /y': typeof text }>>(first)
expectAssignable<Contract<{ 'GET /x': typeof wider; 'GET /y': typeof asked }>>(second)
expectNotAssignable<Contract<{ 'GET /x': typeof wide }>>(second)
expectNotAssignable<Contract<{ 'GET /y': typeof free }>>(second)
expectAssignable<Contract<{ 'GET /x': typeof wider; 'GET /y': typeof asked }>>(third)
expectNotAssignable<Contract<{ 'GET /x': typeof wide }>>(third)
expectNotAssignable<Contract<{ 'GET /y': typeof free }>>(third)
expectAssignable<Contract<{ 'GET /x': typeof wider; 'GET /y': typeof asked }>>(fourth)
expectNotAssignable<Contract<{ 'GET /x': typeof wide }>>(fourth)
expectNotAssignable<Contract<{ 'GET /y': typeof free }>>(fourth)

// A key is that of its route, behind any prefix, and a value is a route: else nobody serves it, and nobody can call it.
expectAssignable<Contract<{ 'GET /x/': typeof top }>>(
  {} as Contract<{ 'GET /x/': typeof top; 'POST /v1/:org/several': typeof several }>,
)
interface Wrong {
  'GET /a/users/:no': typeof byId
  'POST /a/users/:id': typeof byId
  'PATCH /a/several': typeof several
  'GET /a/several': () => 'top'
  '/a': typeof top
}
interface Misspelt extends Contract<Wrong> {}
const wrong = client<Misspelt>('')
expectError(wrong('GET /a/users/:no', { params: { no: 1 } }))
expectError(wrong('POST /a/users/:id', { params: { id: 1 } }))
expectError(wrong('PATCH /a/several', { body: {} }))
expectError(wrong('GET /a/several', {}))
expectError(wrong('GET /a/several'))
expectError(wrong('/a', {}))
expectNotAssignable<Contract<Pick<Wrong, '/a'>>>(served)
expectNotAssignable<Contract<{ 'GET /a': () => 'top' }>>(served)
const posted = served.post('/a/users/:id', () => 1)
expectNotAssignable<Contract<Pick<Wrong, 'POST /a/users/:id'>>>(posted)
expectError(client<Routes>(''))
