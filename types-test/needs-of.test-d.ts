// The needs of a plugin that stands behind others, told by those plugins.
import espalier, { adopt, plugin, shared, t, type NeedsOf } from 'espalier'
import type { FastifyPluginAsync } from 'espalier/fastify'
import { expectError, expectType } from 'tsd'

const Problem = t.Object({ message: t.String() })
const db = plugin().shared(async (app) =>
  app
    .decorate('db', { find: (id: number) => ({ id }) })
    .addSchema('user', t.Object({ id: t.Integer() }))
    .addResponses({ 401: Problem }),
)
const auth = plugin<NeedsOf<typeof db>>().shared(async (app) =>
  app
    .decorateReply('ok', () => true)
    .derive('preHandler', ({ server }) => ({ user: server.db.find(1) })),
)

// What several plugins give, by a union of them.
interface Needs extends NeedsOf<typeof db | typeof auth> {}
const profile = plugin<Needs>()(async (app) => {
  app.addHook('onRequest', async (request) => {
    expectError(request.user)
  })
  return app.get('/me', { schema: { response: { 200: t.Ref('user#') } } }, (request, reply) => {
    expectType<{ id: number }>(request.user)
    expectType<boolean>(reply.ok())
    expectError(request.question)
    return request.server.db.find(request.user.id)
  })
})

// A scope meets them behind both.
const app = espalier().register(db).register(auth).register(profile)
app.inject('GET /me').then(({ statusCode }) => {
  expectType<200 | 401>(statusCode)
})
expectError(espalier().register(profile))
expectError(espalier().register(db).register(profile))
expectError(espalier().register(auth))

// A plugin's own needs are among them, so the last of a row tells all.
const last = plugin<NeedsOf<typeof auth>>()(async (app) =>
  app.get('/', (request) => request.server.db.find(request.user.id)),
)
espalier().register(db).register(auth).register(last)
expectError(espalier().register(db).register(last))

// What another plugin gives, of another type, is not it.
const other = plugin().shared(async (app) => app.decorate('db', { find: (id: string) => id }))
expectError(espalier().register(other).register(last))

// Adopted plugins and those of `shared` tell theirs too.
declare const cookie: FastifyPluginAsync<{ secret?: string }>
const cookies = adopt<{ request: { cookies: Record<string, string> } }>()(cookie)
const sized = shared(async (app: ReturnType<typeof espalier>) => app.decorate('size', 1))
const both = plugin<NeedsOf<typeof cookies | typeof sized>>()(async (app) =>
  app.get('/', ({ cookies }) => {
    expectType<Record<string, string>>(cookies)
    expectType<number>(app.size)
    return 1
  }),
)
espalier().register(sized).register(cookies, { secret: 'x' }).register(both)
expectError(espalier().register(cookies).register(both))

// A member that a request may lack stays optional.
const session = plugin().shared(async (app) =>
  app.derive('onRequest', ({ headers }) =>
    headers.cookie === undefined ? undefined : { session: headers.cookie },
  ),
)
plugin<NeedsOf<typeof session>>()(async (app) =>
  app.get('/', (request) => {
    expectType<string | undefined>(request.session)
    return 1
  }),
)

// A plugin with a scope of its own gives its parent nothing.
expectError<NeedsOf<typeof profile>>({})
