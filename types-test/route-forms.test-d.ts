// Every way to declare a route gives its handler, its hooks and its clients the same types.
import espalier, {
  defineRoute,
  t,
  type HandledError,
  type RouteSchema,
  type SentPayload,
  type TInteger,
  type TObject,
} from 'espalier'
import { expectAssignable, expectError, expectType } from 'tsd'
import { isAny } from './support.js'

const app = espalier().decorate('db', 1).decorateRequest('answer', 42)
const query = { querystring: { page: t.Integer() } }

// Shortcuts of each method: with a handler, with options, with options that hold the handler.
const short = app
  .get('/:id', ({ params }) => params.id)
  .head('/:id', { schema: query }, ({ query }) => query.page)
  .post('/:id', { schema: query, handler: ({ query }) => query.page })
  .put('/:id', {}, ({ answer }) => answer)
  .patch('/:id', { config: {} }, async ({ params }) => params)
  .delete('/:id', { handler: async ({ params }) => params })
  .options('/:id', function () {
    return this.db
  })
const params = { id: 'x' }
expectType<string>((await short.inject('GET /:id', { params })).json())
expectType<null | ''>((await short.inject('HEAD /:id', { params, query: { page: 1 } })).json())
expectType<number>((await short.inject('POST /:id', { params, query: { page: 1 } })).json())
expectType<number>((await short.inject('PUT /:id', { params })).json())
expectType<{ id: string }>((await short.inject('PATCH /:id', { params })).json())
expectType<{ id: string }>((await short.inject('DELETE /:id', { params })).json())
expectType<number>((await short.inject('OPTIONS /:id', { params })).json())
expectError(short.inject('HEAD /:id', { params }))
expectError(short.inject('POST /:id', { params, query: { page: 'x' } }))
expectError(app.put('/:id', {}, ({ query }) => query['page']?.x))
expectError(app.get('/:id', ({ params }) => params.name))
expectError(app.get('/:id', {}, {}))

// `all` is a route of each method, and so is each of the list of `route`.
const every = app.all('/all', { schema: query }, ({ query, method }) => {
  expectType<string>(method)
  expectType<{ page: number }>(query)
  expectError(query.size)
  return query.page
})
expectType<number>((await every.inject('GET /all', { query: { page: 1 } })).json())
expectType<number>((await every.inject('OPTIONS /all', { query: { page: 1 } })).json())
expectError(every.inject('GET /all'))
expectError(every.inject('TRACE /all', { query: { page: 1 } }))
const both = app.route({
  method: ['GET', 'HEAD'],
  url: '/both',
  schema: query,
  handler(request) {
    expectType<false>(isAny(this))
    expectType<false>(isAny(request))
    expectType<number>(this.db)
    expectType<{ page: number }>(request.query)
    expectError(request.query.size)
    return request.query.page
  },
})
expectType<number>((await both.inject('GET /both', { query: { page: 1 } })).json())
expectType<null | ''>((await both.inject('HEAD /both', { query: { page: 1 } })).json())
expectError(both.inject('POST /both', { query: { page: 1 } }))
expectError(app.route({ method: ['GET', 1], url: '/x', handler: () => 1 }))
expectError(
  app.route({ method: ['GET', 'HEAD'], url: '/x', schema: { body: t.Null() }, handler: () => 1 }),
)

// Methods in a constant, as a list or one of several.
const methods = ['GET', 'POST'] as const
const listed = app.route({ method: methods, path: '/listed', handler: () => 1 })
expectType<number>((await listed.inject('POST /listed')).json())
expectError(listed.inject('PUT /listed'))
declare const method: 'PUT' | 'PATCH'
const oneOf = app.route({
  method,
  path: '/one',
  schema: { body: { n: t.Integer() } },
  handler({ body }) {
    expectType<{ n: number }>(body)
    return 1
  },
})
expectType<number>((await oneOf.inject('PUT /one', { body: { n: 1 } })).json())
expectError(oneOf.inject('PUT /one'))

// A schema that is built elsewhere: in a constant, with `as const`, with `satisfies`, or both.
const built = { querystring: t.Object({ q: t.String() }), response: { 200: t.Integer() } }
const frozen = {
  summary: 'words',
  tags: ['a', 'b'],
  querystring: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
  response: { 200: { type: 'integer' } },
} as const
const checked = {
  querystring: { q: t.String() },
  response: { 200: t.Integer() },
} satisfies RouteSchema
const sealed = {
  querystring: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
  response: { 200: { type: 'integer' } },
} as const satisfies RouteSchema
app.get('/built', { schema: built }, ({ query }) => (expectType<{ q: string }>(query), 1))
app.get('/frozen', { schema: frozen }, ({ query }) => (expectType<{ q: string }>(query), 1))
app.get('/checked', { schema: checked }, ({ query }) => (expectType<{ q: string }>(query), 1))
app.get('/sealed', { schema: sealed }, ({ query }) => (expectType<{ q: string }>(query), 1))
app.route({ method: 'GET', url: '/sealed', schema: sealed, handler: () => 1 })
expectError(app.get('/built', { schema: built }, () => 'x'))
expectError(app.get('/frozen', { schema: frozen }, () => 'x'))
expectError(app.get('/checked', { schema: checked }, () => 'x'))
expectError(app.get('/sealed', { schema: sealed }, () => 'x'))
expectError(app.get('/sealed', { schema: sealed }, ({ query }) => query.p))
expectError(app.get('/wrong', { schema: { ...sealed, body: t.Null() } }, () => 1))
expectError({ querystring: 'q' } satisfies RouteSchema)

// Its parts may be kept apart, and put together where the route is.
const Page = t.Object({ page: t.Integer({ default: 1 }) })
const parts = { ...built, querystring: t.Intersect([built.querystring, Page]) }
app.get('/parts', { schema: parts }, ({ query }) => {
  expectType<string>(query.q)
  return query.page
})
expectError(app.get('/parts', { schema: parts }, ({ query }) => query.size))

// Whole options may be a constant, with their handler or without.
const options = { schema: built, config: { a: 1 }, bodyLimit: 10 }
const whole = { method: 'GET', url: '/whole/:id', schema: built, handler: () => 1 } as const
app.get('/options', options, ({ query }) => (expectType<{ q: string }>(query), 1))
const wholly = app.route(whole)
expectType<number>((await wholly.inject('GET /whole/:id', { params, query: { q: '' } })).json())
expectError(wholly.inject('GET /whole/:id', { params }))
expectError(app.get('/options', options, () => 'x'))
expectError(app.route({ ...whole, handler: () => 'x' }))
expectError(app.route({ ...whole, url: '/whole', schema: { params: { id: t.Integer() } } }))

// All hooks stand beside the handler, one or a list, each with what there is at its phase.
const hooked = {
  onRequest: [async () => {}, async () => {}],
  preHandler: async () => {},
}
app.post('/hooked', hooked, () => 1)
app.post('/hooked/:id', {
  schema: { body: { n: t.Integer() } },
  onRequest(request, reply, done) {
    expectType<false>(isAny(this))
    expectType<number>(this.db)
    expectType<undefined>(request.body)
    expectType<number>(request.answer)
    expectError(request.question)
    expectError(reply.fail())
    done()
  },
  preParsing: [(_request, _reply, payload, done) => done(null, payload), async () => {}],
  preValidation: [async (request) => expectType<unknown>(request.body)],
  preHandler: [
    async (request) => {
      expectType<{ n: number }>(request.body)
      expectType<{ id: string }>(request.params)
      expectError(request.body.m)
    },
    (request, _reply, done) => {
      expectType<{ n: number }>(request.body)
      done()
    },
  ],
  preSerialization: [async (_request, _reply, payload) => payload],
  onSend: [async (_request, _reply, payload) => expectType<SentPayload>(payload)],
  onResponse: [async (_request, reply) => expectType<number>(reply.elapsedTime)],
  onError: [async (_request, _reply, error) => expectType<HandledError>(error)],
  onTimeout: [async (request) => expectType<number>(request.answer)],
  onRequestAbort: [async (request) => expectType<number>(request.answer)],
  errorHandler: (error, _request, reply) => reply.send({ message: error.message }),
  handler({ body, params }) {
    expectType<{ n: number }>(body)
    expectType<{ id: string }>(params)
    return body.n
  },
})
expectError(app.post('/hooked', { preHandler: [1] }, () => 1))
expectError(app.post('/hooked', { preHandler: [async () => {}, 'x'] }, () => 1))
expectError(app.post('/hooked', { preHandlers: [async () => {}] }, () => 1))
expectError(app.post('/hooked', { onSend: [async () => ({ a: 1 })] }, () => 1))
expectError(app.route({ method: 'GET', url: '/x', onError: 1, handler: () => 1 }))

// What a request shows of its route.
app.get('/facts', { config: { a: 1 } }, ({ routeOptions }, reply) => {
  expectType<false>(isAny(routeOptions.config))
  expectType<unknown>(routeOptions.config['a'])
  expectType<string | undefined>(routeOptions.url)
  expectType<number>(routeOptions.bodyLimit)
  expectAssignable<typeof routeOptions>(reply.routeOptions)
  expectError((routeOptions.config = {}))
  expectError((routeOptions.handler = () => 1))
  return 1
})
expectError(app.get('/facts', { config: 1 }, () => 1))

// A path that is not known: parameters are a record, and no key of a client is.
declare const path: string
app.get(path, { schema: query }, ({ params, query }) => {
  expectType<{ [name: string]: string }>(params)
  expectType<{ page: number }>(query)
  return 1
})
expectError(app.get(path, { schema: query }, ({ query }) => query.size))

// Options of the wrong type are refused.
app.get('/constrained', { constraints: { host: 'a' } }, () => 1)
expectError(app.get('/x', { constraints: 'a' }, () => 1))
expectError(app.get('/x', { logLevel: 30 }, () => 1))

// The routes so far are those of the server that a shortcut is called on: it is nothing without one.
const { get } = app
expectError(get('/x', () => 1))
declare const first: boolean
const either = first ? app.get('/a', () => 1) : app.get('/b', () => 'x')
const ofEither = either.get('/c', () => 3)
expectType<number>((await ofEither.inject('GET /c')).json())
expectError(ofEither.inject('GET /a'))

// What is no schema is told so where it stands.
expectError(app.get('/x', { schema: 5 }, () => 1))
expectError(app.get('/x', { schema: null }, () => 1))
expectError(app.get('/x', { schema: [] }, () => 1))
expectError(app.get('/x', { schema: { params: 5 } }, () => 1))
expectError(app.get('/x', { schema: { response: 'x' } }, () => 1))
expectError(app.route({ method: 'GET', url: '/x', schema: { querystring: 'x' }, handler: () => 1 }))

// Nor is one whose keys are not known: its parts would have no types.
declare const open: RouteSchema
declare const byName: Record<string, TObject>
declare const partly: { readonly body: TObject; readonly [key: string]: unknown }
expectError(app.post('/x', { schema: open }, () => 1))
expectError(app.post('/x', { schema: byName }, () => 1))
expectError(app.post('/x', { schema: partly }, () => 1))

// Type arguments are inferred: written ones could say another schema than the one that is given.
const text = { body: t.String() }
app.post('/x', { schema: text }, ({ body }) => body.length)
expectError(app.post<'/x', number, { body: TInteger }>('/x', { schema: text }, () => 1))
expectError(app.post<'/x', number>('/x', () => 1))

// A handler among the options may have no parameters: its literals are those of the schema all the same. (The compiler
// types it before the schema, and took `{ role: 'admin' }` for a role of any text.)
const Role = t.Union([t.Literal('admin'), t.Literal('member')])
const roles = {
  response: {
    200: t.Object({
      role: Role,
      also: t.Optional(t.Array(Role)),
      at: t.Optional(t.Tuple([t.Number(), t.Number()])),
    }),
    404: t.Null(),
  },
}
app.get('/role', { schema: roles, handler: () => ({ role: 'admin' }) })
app.get('/role', {
  schema: roles,
  handler: async () => ({ role: 'admin', also: ['member'], at: [1, 2] }),
})
app.get('/role', {
  handler: () => ({ role: Date.now() ? 'admin' : 'member', also: [] }),
  schema: roles,
})
app.get('/role', { ...{ bodyLimit: 1 }, schema: roles, handler: () => ({ role: 'admin' }) })
app.get('/role', {
  schema: { response: { 200: t.Object({ role: Role, level: t.Literal(1), on: t.Literal(true) }) } },
  handler: () => ({ role: 'admin', level: 1, on: true }),
})
app.get('/role', { schema: { response: { 200: Role } }, handler: () => 'admin' })
app.get('/role', { schema: { response: { 200: t.Array(Role) } }, handler: async () => ['admin'] })
app.route({ method: 'GET', url: '/role', schema: roles, handler: () => ({ role: 'admin' }) })
app.route({ method: 'GET', url: '/role', schema: roles, handler: async () => ({ role: 'admin' }) })
app.route(
  defineRoute({ method: 'GET', url: '/role', schema: roles, handler: () => ({ role: 'admin' }) }),
)
expectError(app.get('/role', { schema: roles, handler: () => ({ role: 'root' }) }))
expectError(app.get('/role', { schema: roles, handler: async () => ({ role: 'root' }) }))
expectError(app.get('/role', { schema: roles, handler: () => ({ role: 'admin', at: [1] }) }))
expectError(app.get('/role', { schema: roles, handler: () => ({}) }))
expectError(
  app.route({ method: 'GET', url: '/role', schema: roles, handler: () => ({ role: 'root' }) }),
)
const anyText: string = 'admin'
expectError(app.get('/role', { schema: roles, handler: () => ({ role: anyText }) }))

// Without a schema, what such a handler returns is its type.
const plain = app
  .get('/a', { handler: () => ({ hello: 'world', since: new Date(), big: anyText }) })
  .get('/b', { handler: async () => ({ yes: Date.now() > 1, count: Date.now() }) })
  .get('/c', { handler: (request, reply) => reply.send({ hello: 'world' }) })
expectType<{ hello: 'world'; since: string; big: string }>((await plain.inject('GET /a')).json())
expectType<{ yes: boolean; count: number }>((await plain.inject('GET /b')).json())
expectType<{ hello: string }>((await plain.inject('GET /c')).json())

// Whoever writes neither options nor a handler is told what was expected.
expectError(app.get('/wrong', 5))
expectError(app.get('/wrong', Date, () => 1))

// A schema that is one of several is typed as any of them.
const ByName = t.Object({ name: t.String() })
const BySize = t.Object({ size: t.Integer() })
declare const named: boolean
app.get('/either', { schema: { querystring: named ? ByName : BySize } }, ({ query }) => {
  expectType<{ name: string } | { size: number }>(query)
  return 1
})
const oneOfTwo = named ? { querystring: ByName } : { querystring: BySize }
app.get('/either', { schema: oneOfTwo }, ({ query }) => {
  expectType<{ name: string } | { size: number }>(query)
  expectError(query.name)
  return 1
})
const definedOnce = defineRoute({ method: 'GET', url: '/e', schema: oneOfTwo, handler: () => 1 })
app.route(definedOnce)

// Plugins add options by a declaration; others are unknown, and a part of a schema is no option.
declare module 'espalier' {
  interface AddedRouteOptions {
    readonly websocket?: boolean
  }
}
const added = espalier()
  .get('/socket', { websocket: true }, () => 1)
  .route({ method: 'GET', url: '/other', websocket: false, handler: () => 2 })
expectType<number>((await added.inject('GET /socket')).json())
expectError(added.get('/a', { websocket: 1 }, () => 1))
expectError(added.get('/a', { websockets: true }, () => 1))
expectError(added.post('/a', { body: { type: 'object' } }, () => 1))
const beside = { body: { type: 'object' } } as const
expectError(added.post('/a', beside, () => 1))
expectError(added.route({ method: 'GET', url: '/a', params: {}, handler: () => 1 }))
