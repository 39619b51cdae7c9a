// Verbs as values, one of two scopes, and plugins that are generic in what they add.
import espalier, { plugin, t, type Server } from 'espalier'
import type { TSchema } from '@sinclair/typebox'
import { expectError, expectType } from 'tsd'

const app = espalier()

// In a loop, and by a type parameter.
for (const method of ['get', 'post', 'delete'] as const) {
  app[method]('/loop', () => method)
  app[method]('/:id', { schema: { params: { id: t.Integer() } } }, (request) => {
    expectType<number>(request.params.id)
    return request.params.id
  })
  expectError(
    app[method]('/:id', { schema: { params: { id: t.Integer() } } }, ({ params }) => params.no),
  )
}
export function declare<Method extends 'get' | 'post'>(method: Method) {
  return app[method]('/x', ({ url }) => url)
}
export function declareOn<Method extends 'get' | 'put'>(server: Server, method: Method) {
  server[method]('/x', () => 1)
}

// Bound, kept in an object, and by their parameters.
const get = app.get.bind(app)
get('/bound', (request) => {
  expectType<string>(request.url)
  return 1
})
const verbs = { read: app.get, write: app.post }
export const read = verbs.read.bind(app)
export type Arguments = Parameters<typeof app.get>
export type Options = Parameters<typeof app.route>[0]
expectType<string>(undefined as unknown as Arguments[0])
export type Declared = ReturnType<typeof app.get>

// One of two scopes has what both have.
const flag = Boolean(process.env['FLAG'])
const docs = plugin().shared(async (scope) => scope.decorate('docs', true))
const asked = plugin().shared(async (scope) => scope.decorateRequest('asked', 1))
const user = plugin().shared(async (scope) =>
  scope.derive('onRequest', async () => ({ user: 'a' })),
)
const size = plugin().shared(async (scope) => scope.addSchema(t.Integer({ $id: 'size' })))
for (const either of [
  flag ? app.register(docs) : app,
  flag ? app.register(asked) : app,
  flag ? app.register(user) : app,
  flag ? app.register(size) : app,
]) {
  either.get('/', (request) => {
    expectType<string>(request.url)
    return 1
  })
}
const withDocs = flag ? app.register(docs) : app
withDocs
  .get('/', () => 1)
  .post('/:id', { schema: { params: { id: t.Integer() } } }, (request) => {
    expectType<number>(request.params.id)
    return 1
  })
expectError(withDocs.docs)
const withUser = flag ? app.register(user) : app
expectError(withUser.get('/', (request) => request.user))
const both = flag ? app.register(docs).register(user) : app.register(docs)
expectType<boolean>(both.docs)
both.get('/', function () {
  expectType<boolean>(this.docs)
  return 1
})

// A plugin that is generic in the name that it decorates with, and in the value.
const service = <const Name extends string, Value>(name: Name, value: Value) =>
  plugin().shared(async (scope) => scope.decorate(name, value))
const clocked = espalier()
  .register(service('clock', { now: (): number => 1 }))
  .register(service('name', 'x'))
expectType<number>(clocked.clock.now())
expectType<string>(clocked.name)
expectError(clocked.other)
clocked.get('/', function () {
  expectType<number>(this.clock.now())
  return 1
})
const counted = <const Name extends string>(name: Name) =>
  plugin().shared(async (scope) => scope.decorateRequest(name, 0))
espalier()
  .register(counted('visits'))
  .get('/', (request) => {
    expectType<number>(request.visits)
    return 1
  })
const derived = <Result extends object>(make: () => Result) =>
  plugin().shared(async (scope) => scope.derive('preHandler', async () => make()))
espalier()
  .register(derived(() => ({ tenant: 'a' })))
  .get('/', (request) => {
    expectType<string>(request.tenant)
    return 1
  })
const answered = <const Name extends string>(name: Name) =>
  plugin().shared(async (scope) => scope.decorateReply(name, (): number => 1))
espalier()
  .register(answered('view'))
  .get('/', (_request, reply) => {
    expectType<number>(reply.view())
    return 1
  })
const kept = <const Id extends string, Schema extends TSchema>(id: Id, schema: Schema) =>
  plugin().shared(async (scope) => scope.addSchema(id, schema))
espalier()
  .register(kept('word', t.String()))
  .post('/', { schema: { body: { word: t.Ref('word#') } } }, (request) => {
    expectType<string>(request.body.word)
    return 1
  })

// A name that is taken is an error where it is known, and for whoever registers.
expectError(espalier().decorate('clock', 1).decorate('clock', 2))
expectError(espalier().decorate('get', 1))
expectError(espalier().decorateReply('then', 1))
