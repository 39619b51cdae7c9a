// `addResponses` declares what may be answered in a scope and below: types equal scope.
import espalier, {
  defineRoute,
  plugin,
  shared,
  t,
  type ErrorHandlerFor,
  type Handler,
  type HookFor,
  type RootCtx,
  type Server,
} from 'espalier'
import { client, type Contract, type ResponseOf } from 'espalier/client'
import { expectError, expectNotAssignable, expectType } from 'tsd'
import type { Equal } from './support.js'

const Problem = t.Object({ title: t.String(), detail: t.Optional(t.String()) })
const Denied = t.Object({ scope: t.String() })
const User = t.Object({ id: t.Integer() })

const app = espalier().addResponses({ 401: Problem, '5xx': Problem })

// Hooks and error handlers: the declared statuses are typed, others take anything.
app.addHook('onRequest', async (_request, reply) => reply.code(401).send({ title: 'no token' }))
expectError(
  app.addHook('onRequest', async (_request, reply) => reply.code(401).send({ titel: '' })),
)
expectError(app.addHook('onRequest', async (_request, reply) => reply.code(401).send({ title: 1 })))
expectError(app.addHook('onRequest', async (_request, reply) => reply.code(401).send()))
app.addHook('onRequest', async (_request, reply) => reply.code(418).send({ any: 'thing' }))
app.addHook('onRequest', async (_request, reply) => reply.code(418).send())
app.setErrorHandler((_error, _request, reply) => reply.code(503).send({ title: 'later' }))
expectError(
  app.setErrorHandler((_error, _request, reply) => reply.code(503).send({ name: 'later' })),
)
app.setNotFoundHandler((_request, reply) => reply.code(404).send({ any: 'thing' }))
app.derive('onRequest', (request, reply) =>
  request.headers.authorization === undefined
    ? reply.code(401).send({ title: 'no token' })
    : { user: { id: 1 } },
)
expectError(app.derive('onRequest', (_request, reply) => reply.code(401).send({ no: 'title' })))

// Handlers with responses of their own send those of the scope too.
const routed = app
  .get('/me', { schema: { response: { 200: User } } }, async (_request, reply) => {
    if (Math.random() > 0.5) return reply.code(401).send({ title: 'gone' })
    return { id: 1 }
  })
  .get('/open', async (_request, reply) => {
    if (Math.random() > 0.5) return reply.code(401).send({ title: 'gone' })
    if (Math.random() > 0.5) return reply.code(404).send('what it likes')
    return { id: 1 }
  })
expectError(
  app.get('/me', { schema: { response: { 200: User } } }, async (_request, reply) =>
    reply.code(401).send({ id: 1 }),
  ),
)
expectError(
  app.get('/me', { schema: { response: { 200: User } } }, async (_request, reply) =>
    reply.code(404).send({ title: 'not declared anywhere' }),
  ),
)
expectError(app.get('/open', async (_request, reply) => reply.code(401).send({ id: 1 })))

// The own entry of a route takes precedence, in any spelling.
app.get('/own', { schema: { response: { 200: User, 401: Denied } } }, async (_request, reply) =>
  reply.code(401).send({ scope: 'admin' }),
)
app.get('/own', { schema: { response: { 200: User, '401': Denied } } }, async (_request, reply) =>
  reply.code(401).send({ scope: 'admin' }),
)
app.get('/own', { schema: { response: { 200: User, '5XX': Denied } } }, async (_request, reply) =>
  reply.code(500).send({ scope: 'admin' }),
)
expectError(
  app.get('/own', { schema: { response: { 200: User, 401: Denied } } }, async (_request, reply) =>
    reply.code(401).send({ title: 'of the scope' }),
  ),
)

// Clients and `inject` see them.
const api = client<typeof routed>('')
const me = await api('GET /me')
if (me.statusCode === 401) expectType<string>(me.json().title)
else if (me.statusCode === 200) expectType<{ id: number }>(me.json())
else expectType<string | undefined>(me.json().detail)
expectType<false>({} as 404 extends typeof me.statusCode ? true : false)
const injected = await routed.inject('GET /me')
if (injected.statusCode === 401) expectType<string>(injected.json().title)

// A scope sees its own and those above, never those of its siblings or children.
const tree = espalier()
  .addResponses({ 401: Problem })
  .register(
    async (admin) =>
      admin
        .addResponses({ 403: Denied })
        .get('/', { schema: { response: { 200: User } } }, async (_request, reply) =>
          Math.random() > 0.5 ? reply.code(403).send({ scope: 'admin' }) : { id: 1 },
        ),
    { prefix: '/admin' },
  )
  .register(
    async (users) =>
      users.get('/', { schema: { response: { 200: User } } }, async (_request, reply) =>
        Math.random() > 0.5 ? reply.code(401).send({ title: '' }) : { id: 1 },
      ),
    { prefix: '/users' },
  )
type Codes<Key extends 'GET /admin' | 'GET /users'> = ResponseOf<typeof tree, Key>['statusCode']
expectType<true>({} as Equal<Codes<'GET /admin'>, 200 | 401 | 403>)
expectType<true>({} as Equal<Codes<'GET /users'>, 200 | 401>)
expectError(
  tree.get('/', { schema: { response: { 200: User } } }, async (_request, reply) =>
    reply.code(403).send({ scope: 'of a child' }),
  ),
)

// A shared plugin contributes its responses to the scope that registers it.
const auth = shared(async (server) =>
  server.addResponses({ 401: Problem }).derive('onRequest', (_request, reply) => {
    if (Math.random() > 0.5) return reply.code(401).send({ title: 'no' })
    return { user: { id: 1 } }
  }),
)
const guarded = espalier()
  .register(auth)
  .get('/me', { schema: { response: { 200: User } } }, async ({ user }) => user)
type OfGuarded = ResponseOf<typeof guarded, 'GET /me'>
expectType<true>({} as Equal<OfGuarded['statusCode'], 200 | 401>)

const portable = plugin().shared(async (server) => server.addResponses({ 401: Problem }))
const above = espalier().addSchema('user', User).register(portable)
above.get('/', (_request, reply) => reply.code(401).send({ title: '' }))
expectError(above.get('/', (_request, reply) => reply.code(401).send({ title: 1 })))
expectType<'user'>({} as keyof ReturnType<typeof above.getSchemas>)

// Plugins and routes can need responses.
const routes = plugin<{ responses: { 401: typeof Problem } }>()(async (server) =>
  server.get('/need', { schema: { response: { 200: User } } }, async (_request, reply) =>
    Math.random() > 0.5 ? reply.code(401).send({ title: '' }) : { id: 1 },
  ),
)
const needing = espalier().addResponses({ 401: Problem }).register(routes)
type OfNeeding = ResponseOf<typeof needing, 'GET /need'>
expectType<true>({} as Equal<OfNeeding['statusCode'], 200 | 401>)
expectError(espalier().register(routes))
expectError(espalier().addResponses({ 401: Denied }).register(routes))
expectError(espalier().addResponses({ 403: Problem }).register(routes))

const route = defineRoute<{ responses: { 401: typeof Problem } }>()({
  method: 'GET',
  url: '/defined',
  schema: { response: { 200: User } },
  handler: async (_request, reply) =>
    Math.random() > 0.5 ? reply.code(401).send({ title: '' }) : { id: 1 },
})
const defined = espalier().addResponses({ 401: Problem }).route(route)
type OfDefined = ResponseOf<typeof defined, 'GET /defined'>
expectType<true>({} as Equal<OfDefined['statusCode'], 200 | 401>)
expectError(espalier().route(route))
interface Routes {
  'GET /defined': typeof route
}
defined satisfies Contract<Routes, { 401: typeof Problem }>
type OfContract = ResponseOf<Contract<Routes>, 'GET /defined'>
expectType<true>({} as Equal<OfContract['statusCode'], 200 | 401>)
const options = { schema: { response: { 200: User } } } as const
const handler: Handler<typeof options, { responses: { 401: typeof Problem } }> = (
  _request,
  reply,
) => reply.code(401).send({ title: '' })
const withHandler = espalier().addResponses({ 401: Problem })
withHandler.get('/standalone', options, handler)
expectError(espalier().get('/standalone', options, handler))
const untyped: Handler<{}, { responses: { 401: typeof Problem } }> = (_request, reply) =>
  reply.code(401).send({ title: '' })
withHandler.get('/untyped', untyped)
expectError<Handler<{}, { responses: { 401: typeof Problem } }>>((_request, reply) =>
  reply.code(401).send({ titel: '' }),
)

// A contract states the responses of the server, so that its clients know them all.
const plain = defineRoute({
  method: 'GET',
  url: '/plain',
  schema: { response: { 200: User } },
  handler: () => ({ id: 1 }),
})
interface Plain {
  'GET /plain': typeof plain
}
const serving = espalier().addResponses({ 401: Problem }).route(plain)
serving satisfies Contract<Plain, { 401: typeof Problem }>
expectNotAssignable<Contract<Plain>>(serving)
expectNotAssignable<Contract<Plain, { 401: typeof Denied }>>(serving)
expectNotAssignable<Contract<Plain, { 401: typeof Problem }>>(espalier().route(plain))
espalier().route(plain) satisfies Contract<Plain>
type OfPlain = ResponseOf<Contract<Plain, { 401: typeof Problem }>, 'GET /plain'>
expectType<true>({} as Equal<OfPlain['statusCode'], 200 | 401>)
const below = espalier().register(async (child) =>
  child.addResponses({ 401: Problem }).route(plain),
)
expectNotAssignable<Contract<Plain>>(below)
espalier().register(async (child) =>
  child.addSchema('user', User).route(plain),
) satisfies Contract<Plain>

// A plugin that says its needs does not know the responses of its scope. Its callers do.
const unknowing = plugin()(async (server) => server.route(plain))
const inScope = espalier()
  .addResponses({ 401: Problem })
  .register(async (child) => child.addResponses({ 403: Denied }).register(unknowing))
type OfUnknowing = ResponseOf<typeof inScope, 'GET /plain'>
expectType<true>({} as Equal<OfUnknowing['statusCode'], 200 | 401 | 403>)

// Wrong responses are refused: successes, no statuses, no schemas, unknown references.
expectError(espalier().addResponses({ 200: User }))
expectError(espalier().addResponses({ '2xx': User }))
expectError(espalier().addResponses({ default: User }))
expectError(espalier().addResponses({ 600: User }))
expectError(espalier().addResponses({ unauthorized: User }))
expectError(espalier().addResponses({ 401: 'no schema' }))
expectError(espalier().addResponses({ 401: t.Ref('problem#') }))
expectError(espalier().addResponses(Problem))
const referring = espalier()
  .addSchema('problem', Problem)
  .addResponses({ 401: t.Ref('problem#') })
referring.get('/', (_request, reply) => reply.code(401).send({ title: '' }))
expectError(referring.get('/', (_request, reply) => reply.code(401).send({ name: '' })))

// A status may be declared again with the same schema.
app.addResponses({ 401: Problem })
expectError(app.addResponses({ 401: Denied }))

// JSON Schema, media types and headers, as in a route.
const json = espalier().addResponses({
  429: {
    headers: { 'retry-after': t.Integer() },
    content: { 'application/problem+json': { schema: Problem } },
  },
})
json.get('/', (_request, reply) => reply.code(429).send({ title: 'slow down' }))
expectError(json.get('/', (_request, reply) => reply.code(429).send({ title: 1 })))

// A server with responses is no server without.
expectNotAssignable<Server<RootCtx>>(app)

// A standalone hook or error handler knows the responses that it needs.
const failed: ErrorHandlerFor = (_error, _request, reply) => reply.code(401).send({ title: '' })
app.setErrorHandler(failed)
interface NeedsProblem {
  responses: { 401: typeof Problem; '5xx': typeof Problem }
}
const guard: HookFor<'onRequest', NeedsProblem> = async (_request, reply) =>
  reply.code(401).header('www-authenticate', 'Bearer').send({ title: 'no token' })
app.addHook('onRequest', guard)
app.get('/guarded', { onRequest: guard }, () => 1)
expectError(espalier().addResponses({ 401: Denied }).addHook('onRequest', guard))
expectError<HookFor<'onRequest', NeedsProblem>>(async (_request, reply) =>
  reply.code(401).send({ titel: '' }),
)
const others: HookFor<'preHandler', NeedsProblem> = async (_request, reply) =>
  reply.code(418).send({ any: 'thing' })
app.addHook('preHandler', others)
const answering: ErrorHandlerFor<NeedsProblem> = (_error, _request, reply) =>
  reply.status(503).send({ title: 'later' })
app.setErrorHandler(answering)
expectError<ErrorHandlerFor<NeedsProblem>>((_error, _request, reply) =>
  reply.status(503).send({ name: 'later' }),
)
