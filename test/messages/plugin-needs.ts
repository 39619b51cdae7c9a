// A plugin is registered in a scope that lacks what it needs.
import espalier, { defineRoute, plugin, shared, type Server } from 'espalier'
import { app, Db, type User } from './scope.js'

const users = plugin<{ server: { db: Db } }>()(async (scope) => scope.get('/users', () => 1))
const session = plugin<{ request: { session: string } }>().shared(async (scope) =>
  scope.decorateRequest('expired', false),
)
const profiles = plugin<{ schemas: { profile: typeof User } }>()(async (scope) =>
  scope.get('/profiles', () => 1),
)
const counting = plugin<{ request: { answer: string } }>()((scope) => scope.get('/n', () => 1))
const greedy = plugin<{ server: { redis: Db; mailer: Db }; reply: { view: () => string } }>()(
  async (scope) => scope.get('/all', () => 1),
)
const sized = plugin<{ server: { redis: Db } }, { size: number }>()(async (scope) =>
  scope.get('/size', () => 1),
)
const byId = defineRoute<{ server: { db: Db } }>()({ method: 'GET', url: '/:id', handler: () => 1 })
const health = defineRoute({ method: 'GET', url: '/health', handler: () => 1 })
const bare = { method: 'GET', url: '/bare', handler: () => 1 } as const
const rooted = async (scope: Server) => scope.get('/root', () => 1)
const written = shared(async (scope: typeof app) => scope.decorate('more', 1))

plugin<{ server: { db: Db } }>(async () => 1) // <- plugin<Needs>() is called first, and then with the plugin
espalier().register(users) // <- needs the server decorator 'db'
app.register(session) // <- needs the request decorator 'session'
app.register(profiles, { prefix: '/v1' }) // <- needs the shared schema 'profile'
app.register(counting) // <- needs the request decorator 'answer' with another type
app.register(greedy) // <- The plugin needs the
app.register(sized, { size: 1 }) // <- needs the server decorator 'redis'
app.register(async (child) => {
  return child.register(users).register(session) // <- needs the request decorator 'session'
})
espalier().register(written) // <- The shared plugin was written for another scope
espalier().register(rooted, { prefix: '/v1' }) // <- The plugin names another server than that of its scope
app.register(rooted) // <- The plugin names another server than that of its scope
espalier().addRoutes([health, byId]) // <- The route needs the server decorator 'db', which this scope lacks
app.addRoutes([health, bare]) // <- is missing the following properties from type 'DefinedRoute<
