// A list of defined routes is typed as its routes are one by one.
import espalier, { defineRoute, plugin, t, type AnyRoute, type Server } from 'espalier'
import { client } from 'espalier/client'
import { expectAssignable, expectError, expectType } from 'tsd'

const User = t.Object({ id: t.Integer(), name: t.String() }, { $id: 'user' })
type Needs = { server: { db: Map<number, string> }; schemas: { user: typeof User } }
const scope = espalier().addSchema(User).decorate('db', new Map<number, string>())

const byId = defineRoute<Needs>()({
  method: 'GET',
  url: '/users/:id',
  schema: {
    params: { id: t.Integer() },
    response: { 200: t.Ref('user#'), 404: { message: t.String() } },
  },
  handler(request, reply) {
    const name = this.db.get(request.params.id)
    if (name === undefined) return reply.code(404).send({ message: 'no such user' })
    return { id: request.params.id, name }
  },
})
const several = defineRoute({
  method: ['POST', 'put'],
  path: '/several',
  schema: { body: { n: t.Integer({ default: 1 }) } },
  handler: async (request) => ({ method: request.method, at: new Date() }),
})
const slash = defineRoute({
  method: 'GET',
  url: '/',
  prefixTrailingSlash: 'slash',
  handler: () => 1,
})

// Their keys, inputs and responses are those of as many calls of `route`, at once and below a prefix.
const listed = scope
  .addRoutes([byId, several, slash])
  .register(
    plugin<Needs>()(async (app) => app.addRoutes([byId, several, slash])),
    { prefix: '/a' },
  )
  .register(async (app) => app.addRoutes([byId, several, slash]), { prefix: '/b' })
const single = scope
  .route(byId)
  .route(several)
  .route(slash)
  .register(
    plugin<Needs>()(async (app) => app.route(byId).route(several).route(slash)),
    {
      prefix: '/a',
    },
  )
  .register(async (app) => app.route(byId).route(several).route(slash), { prefix: '/b' })
const calls = client<typeof listed>('')
type Key = Parameters<typeof calls>[0]
const singleCalls = client<typeof single>('')
expectType<Parameters<typeof singleCalls>[0]>({} as Key)
expectAssignable<Key>('GET /b/')
expectError<Key>('GET /a/several')

const found = await calls('GET /a/users/:id', { params: { id: 1 } })
expectType<200 | 404>(found.statusCode)
if (found.statusCode === 200) expectType<{ id: number; name: string }>(found.json())
else expectType<{ message: string }>(found.json())
expectError(calls('GET /a/users/:id'))
expectError(calls('GET /a/users/:id', { params: { id: 'x' } }))
const put = await listed.inject('PUT /b/several', { body: { n: 2 } })
if (put.ok) expectType<{ method: string; at: string }>(put.json())
expectError(listed.inject('POST /several', { body: { n: 'x' } }))
const beside = await scope
  .addRoutes([byId])
  .get('/more', () => ({ more: true }))
  .inject('GET /more')
expectType<{ more: boolean }>(beside.json())

// Lists that stand elsewhere, one that is written in place, and none.
const routes = [byId, several] as const
const wide = [byId, several]
await scope.addRoutes(routes).inject('GET /users/:id', { params: { id: 1 } })
await scope.addRoutes(wide).inject('GET /users/:id', { params: { id: 1 } })
const inPlace = scope.addRoutes([
  defineRoute({ method: 'GET', url: '/here', handler: (request) => ({ at: request.url }) }),
  several,
])
expectType<{ at: string }>((await inPlace.inject('GET /here')).json())
expectError(
  scope.addRoutes([
    defineRoute({ method: 'GET', url: '/here', handler: (request) => request.question }),
    several,
  ]),
)
expectType<never>({} as keyof ReturnType<typeof none>['~context']['routes'])
function none() {
  return espalier().addRoutes([])
}

// Routes of one key, which constraints tell apart: a call may get the response of either.
const one = defineRoute({
  method: 'GET',
  url: '/v',
  constraints: { version: '1.0.0' },
  handler: () => ({ one: true }),
})
const two = defineRoute({
  method: 'GET',
  url: '/v',
  constraints: { version: '2.0.0' },
  handler: () => ({ two: true }),
})
const version = await espalier().addRoutes([one, two]).inject('GET /v')
expectType<{ one: true } | { two: true }>(version.json())

// Of routes that are known at run time only nothing is known, but what they need.
const known: AnyRoute[] = [several, slash]
const needing: AnyRoute<Needs>[] = [...known, byId]
scope.addRoutes(needing)
espalier().addRoutes(known)
expectError(espalier().addRoutes(needing))

// Nothing of a list that has anything in it, whose other routes are no more than it.
declare const anything: any
expectType<unknown>((await espalier().addRoutes([anything, several]).inject('GET /s')).json())
expectType<unknown>((await espalier().addRoutes(anything).inject('GET /s')).json())

// A scope that is a type parameter.
const health = <App extends Server>(app: App) => app.addRoutes([slash])
await health(espalier()).inject('GET /')
expectError((<App extends Server>(app: App) => app.addRoutes([byId]))(espalier()))

// What a scope lacks, and what is no route that was defined.
expectError(espalier().addRoutes([several, byId]))
expectError(espalier().addRoutes(routes))
expectError(espalier().addSchema(User).decorate('db', 1).addRoutes([byId]))
expectError(plugin<{ server: { other: 1 } }>()(async (app) => app.addRoutes([byId])))
expectError(scope.addRoutes([{ method: 'GET', url: '/x', handler: () => 1 }]))
expectError(scope.addRoutes([plugin()(async (app) => app)]))
expectError(scope.addRoutes(several))
expectError(scope.addRoutes())
// Each route is asked for its own needs: those of another say nothing of when it reads what is derived, and two that exclude each
// other are not met for that.
const early = defineRoute<{ request: { user: string }; derived: { user: 'onRequest' } }>()({
  method: 'GET',
  url: '/early',
  handler: (request) => request.user,
})
const late = defineRoute<{ request: { user: string }; derived: { user: 'preHandler' } }>()({
  method: 'GET',
  url: '/late',
  handler: (request) => request.user,
})
const withUser = espalier().derive('preHandler', async () => ({ user: '' }))
withUser.addRoutes([late])
expectError(withUser.addRoutes([late, early]))
const hasty = defineRoute<{ request: { user: string } }>()({
  method: 'GET',
  url: '/hasty',
  onRequest: async (request) => void request.user.length,
  handler: () => 1,
})
expectError(withUser.addRoutes([hasty]))
expectError(withUser.addRoutes([late, hasty]))
espalier()
  .derive('onRequest', async () => ({ user: '' }))
  .addRoutes([late, early])
const on = defineRoute<{ server: { mode: 'on' } }>()({
  method: 'GET',
  url: '/on',
  handler: () => 1,
})
const off = defineRoute<{ server: { mode: 'off' } }>()({
  method: 'GET',
  url: '/off',
  handler: () => 1,
})
expectError(espalier().addRoutes([on, off]))
expectError(
  espalier()
    .decorate('mode', 'on' as const)
    .addRoutes([on, off]),
)
espalier()
  .decorate('mode', 'on' as const)
  .addRoutes([on])
// A copy of a route may change it, to what is a route.
await scope
  .addRoutes([{ ...byId, url: '/copy/:id' }])
  .inject('GET /copy/:id', { params: { id: 1 } })
expectError(scope.addRoutes([{ ...several, handler: 'x' }]))
expectError(scope.addRoutes([{ ...several, handler: (request: { id: number }) => request.id }]))
// Its type arguments are inferred.
expectError(scope.addRoutes<[typeof several]>([several]))
