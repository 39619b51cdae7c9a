// Functions that declare routes with schemas of their own type parameters.
import espalier, {
  defineRoute,
  t,
  type AnyCtx,
  type Ctx,
  type Output,
  type RouteKey,
  type Server,
} from 'espalier'
import type { TObject, TSchema } from '@sinclair/typebox'
import { expectError, expectType } from 'tsd'
import { z } from 'zod'

interface Store<Schema> {
  get(id: string): unknown
  put(value: Output<Schema>): void
}

/** Declares the routes of a resource. */
function resource<S extends TObject>(app: Server, name: string, schema: S, store: Store<S>) {
  app.post(`/${name}`, { schema: { body: schema } }, (request) => {
    expectType<string>(request.url)
    store.put(request.body as Output<S>)
    return null
  })
  app.put(`/${name}`, { schema: { body: t.Array(schema) } }, async (request) => {
    for (const value of request.body as Output<S>[]) store.put(value)
    return null
  })
  app.get(
    `/${name}/:id`,
    { schema: { params: { id: t.String() }, response: { 200: schema, 404: t.Null() } } },
    (request, reply) => {
      expectType<string>(request.params.id)
      expectError(request.params.name)
      if (request.params.id === '') return reply.code(404).send(null)
      expectError(reply.code(404).send(1))
      expectError(reply.code(400))
      return store.get(request.params.id) as never
    },
  )
  app.route({
    method: 'PATCH',
    url: `/${name}/:id`,
    schema: { body: t.Partial(schema), response: { 200: t.Array(schema) } },
    handler: async (request) => [store.get(request.params.id)] as never,
  })

  // What is wrong whatever the parameter stands for is told as elsewhere.
  expectError(app.get(`/${name}`, { schema: { body: schema } }, () => 1))
  expectError(app.post(`/${name}`, { schema: { body: schema, boddy: schema } }, () => 1))
  expectError(
    app.post(`/${name}`, { schema: { body: schema, params: { x: t.String() } } }, () => 1),
  )
  expectError(app.post(`/${name}`, { schema: { body: t.Ref('none#'), headers: schema } }, () => 1))
  return app
}

/** The same for any schema of one's own. */
function reading<S extends TSchema>(app: Server, schema: S, use: (value: Output<S>) => void) {
  return app.post('/reading', { schema: { body: schema } }, (request) => {
    use(request.body as Output<S>)
    return null
  })
}

const app = espalier()
const User = t.Object({ id: t.Integer(), page: t.Integer({ default: 1 }) })
resource(app, 'users', User, {
  get: (id) => id,
  put(value) {
    expectType<{ id: number; page: number }>(value)
  },
})
reading(app, t.Array(t.Integer()), (list) => expectType<number[]>(list))

// The path may be known at run time only: nothing is said of its parameters then.
function put<S extends TObject>(app: Server, path: string, schema: S) {
  app.put(path, { schema: { params: t.Object({ id: t.Integer() }), body: schema } }, (request) => {
    expectType<number>(request.params.id)
    return null
  })
  app.route({
    method: 'PATCH',
    url: path,
    schema: { params: { id: t.Integer() }, body: schema, response: { 200: schema } },
    handler: (request) => request.body as never,
  })
}
put(app, '/users/:id', User)

// The path of a route may be a type parameter, under each of its names.
const atUrl = <P extends string>(url: P) => app.route({ method: 'GET', url, handler: () => 1 })
const atPath = <P extends string>(path: P) => app.route({ method: 'GET', path, handler: () => 1 })
const below = <P extends string>(path: P) =>
  defineRoute({ method: 'GET', path: `/v1/${path}`, handler: () => 1 })
expectType<'GET /x'>({} as RouteKey<ReturnType<typeof atUrl<'/x'>>>)
expectType<'GET /x'>({} as RouteKey<ReturnType<typeof atPath<'/x'>>>)
const under = app.route(below('users'))
expectType<'GET /v1/users'>({} as RouteKey<typeof under>)
expectError(<P extends string>(url: P) =>
  app.route({ method: 'GET', url, path: url, handler: () => 1 }),
)

// A plugin may be generic in its scope, and be registered where that is generic.
const anywhere = async <C extends AnyCtx>(app: Server<C>) => app.get('/anywhere', () => 1)
const ofRoot = async <S, D>(app: Server<Ctx<'', S, D>>) => app.get('/root', () => 1)
const onlyRoot = async (app: Server) => app.get('/only', () => 1)
const withStore = espalier().decorate('store', 1)
withStore.register(anywhere)
withStore.register(anywhere, { prefix: '/v1' })
withStore.register(ofRoot)
espalier().register(onlyRoot)
expectError(withStore.register(onlyRoot))
expectError(espalier().register(onlyRoot, { prefix: '/v1' }))
export const mounted = <D>(app: Server<Ctx<'', D>>) =>
  app.register(async (child) => child.get('/x', () => 1), { prefix: '/v1' })

// What such a function returns of a type parameter is taken where its constraint fits, however it is told of what does not.
const one = { schema: { response: { 200: t.Object({ id: t.Integer() }) } } }
const some = { schema: { response: { 200: t.Array(t.Object({ id: t.Integer() })) } } }
export function returning<Row extends { id: number }>(
  find: () => Promise<Row>,
  row: Row,
  rows: Row[],
) {
  const server = espalier()
  server.get('/found', one, () => find())
  server.get('/given', one, async () => row)
  server.get('/either', one, async (request, reply) => (request.id ? row : reply.send(row)))
  server.get('/rows', some, () => rows)
  server.get('/copies', some, async () => rows.map((each) => ({ ...each })))
  expectError(server.get('/list', one, () => rows))
  expectError(server.get('/one', some, async () => row))
}
export function counting<Id extends number>(id: Id) {
  espalier().get('/sync', one, () => ({ id }))
  espalier().get('/async', one, async () => ({ id }))
  expectError(espalier().get('/text', one, async () => ({ id: `${id}` })))
}

// One part may be of a type parameter, and another not of `t`.
const Named = z.object({ name: z.string() })
const named = { type: 'object', properties: { name: { type: 'string' } } } as const
function mixing<S extends TSchema>(schema: S) {
  app.post('/a', { schema: { body: schema, response: { 200: Named } } }, () => ({ name: '' }))
  app.post('/a', { schema: { body: Named, response: { 200: schema } } }, () => null as never)
  app.post('/a', { schema: { body: schema, querystring: Named } }, ({ query }) => {
    expectType<{ name: string }>(query)
    expectError(query.nme)
    return 1
  })
  app.put('/a', { schema: { body: t.Array(schema), querystring: named } }, ({ query }) => {
    expectType<{ name?: string }>(query)
    return 1
  })
  app.route({
    method: 'POST',
    url: '/a',
    schema: {
      headers: { a: schema },
      response: { 200: { content: { 'a/b': { schema: Named } } } },
    },
    handler: () => ({ name: '' }),
  })

  // What is wrong beside it is told as elsewhere.
  const response = { 200: Named }
  const get = () => ({ name: '' })
  expectError(app.post('/a', { schema: { body: schema, response } }, () => ({ nme: '' })))
  expectError(app.get('/a', { schema: { body: schema, response } }, get))
  expectError(app.post('/a', { schema: { boddy: schema, response } }, get))
  expectError(app.post('/a', { schema: { query: schema, querystring: schema, response } }, get))
  expectError(app.post('/a', { schema: { params: t.Object({ x: schema }), response } }, get))
  expectError(
    app.post('/a', { schema: { body: t.Object({ a: schema, b: t.Ref('none#') }), response } }, get),
  )
  expectError(app.post('/a', { schema: { body: { a: schema, b: 'string' }, response } }, get))
  expectError(app.post('/a', { schema: { body: schema, headers: t.Ref('none#') } }, () => 1))
  expectError(
    app.post('/a', { schema: { body: schema, querystring: z.object({ n: z.number() }) } }, () => 1),
  )
}
mixing(User)
