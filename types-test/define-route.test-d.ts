// A route, a handler or a hook in a file of its own keeps its types, and says what it needs.
import espalier, {
  defineRoute,
  plugin,
  t,
  type AnyRoute,
  type DefinedRoute,
  type Handler,
  type HeaderValue,
  type HookFor,
  type Sent,
} from 'espalier'
import { expectAssignable, expectError, expectType } from 'tsd'
import { isAny } from './support.js'

class Db {
  find(id: number): { id: number; name: string } {
    return { id, name: '' }
  }
}
const User = t.Object({ id: t.Integer(), name: t.String() }, { $id: 'user' })
const scope = espalier()
  .addSchema(User)
  .decorate('db', new Db())
  .decorateRequest('answer', 42)
  .decorateReply('fail', (message: string) => message !== '')

// A route as a value: its handler is typed where it is written.
const ping = defineRoute({
  method: 'POST',
  url: '/ping/:id',
  schema: {
    querystring: { q: t.String() },
    body: { n: t.Integer() },
    response: { 200: t.Object({ pong: t.Integer() }), 404: { message: t.String() } },
  },
  handler(request, reply) {
    expectType<false>(isAny(this))
    expectType<false>(isAny(request))
    expectType<false>(isAny(reply))
    expectType<{ id: string }>(request.params)
    expectType<{ q: string }>(request.query)
    expectType<{ n: number }>(request.body)
    expectError(request.answer)
    expectError(reply.code(500))
    if (request.body.n === 0) return reply.code(404).send({ message: '' })
    return { pong: request.body.n }
  },
})
expectType<'POST'>(ping.method)
expectType<'/ping/:id'>(ping.url)
expectAssignable<{ readonly body: object }>(ping.schema)
expectError((ping.url = '/x'))

// It is declared in any scope, as often as one likes; a client finds it below the prefix.
const pinged = espalier()
  .route(ping)
  .register((child) => child.route(ping), { prefix: '/v1' })
const pong = await pinged.inject('POST /ping/:id', {
  params: { id: 'x' },
  query: { q: '' },
  body: { n: 1 },
})
expectType<200 | 404>(pong.statusCode)
if (pong.statusCode === 200) expectType<{ pong: number }>(pong.json())
expectAssignable<object>(
  pinged.inject('POST /v1/ping/:id', { params: { id: '' }, query: { q: '' }, body: { n: 1 } }),
)
expectError(pinged.inject('POST /v1/ping/:id', { params: { id: '' }, query: { q: '' } }))
expectError(pinged.inject('GET /ping/:id', { params: { id: 'x' } }))
expectError(espalier().get('/other', ping))

// What it returns, without a response schema, and its methods, are there too.
const several = defineRoute({
  method: ['GET', 'put'],
  path: '/several',
  handler: async (request) => ({ method: request.method, at: new Date() }),
})
expectType<readonly ['GET', 'put']>(several.method)
const one = await scope.route(several).inject('PUT /several')
expectType<{ method: string; at: string }>(one.json())
expectError(scope.route(several).inject('POST /several'))

// What is wrong with it is said where it is written.
expectError(defineRoute({ method: 'GET', url: '/x' }))
expectError(defineRoute({ url: '/x', handler: () => 1 }))
expectError(defineRoute({ method: 'GET', handler: () => 1 }))
expectError(defineRoute({ method: 'GET', url: '/x', shema: {}, handler: () => 1 }))
expectError(
  defineRoute({ method: 'GET', url: '/x', schema: { body: { n: t.Null() } }, handler: () => 1 }),
)
expectError(
  defineRoute({
    method: 'GET',
    url: '/x',
    schema: { response: { 200: t.Object({ n: t.Integer() }) } },
    handler: () => ({ n: 'x' }),
  }),
)
expectError(
  defineRoute({
    method: 'GET',
    url: '/x',
    schema: { response: { 200: t.Object({ n: t.Integer() }, { additionalProperties: false }) } },
    handler: () => ({ n: 1, password: '' }),
  }),
)
expectError(
  defineRoute({
    method: 'GET',
    url: '/x',
    schema: { querystring: t.Ref('user#') },
    handler: () => 1,
  }),
)

// A key of the reply that may be left out is left out.
defineRoute({
  method: 'GET',
  url: '/x',
  schema: { response: { 200: t.Object({ n: t.Integer(), m: t.Optional(t.String()) }) } },
  handler: async () => ({ n: 1 }),
})

// With needs it sees what it needs, and nothing else.
const getUser = defineRoute<{
  server: { db: Db }
  request: { answer: number }
  reply: { fail: (message: string) => boolean }
  schemas: { user: typeof User }
}>()({
  method: 'GET',
  url: '/users/:id',
  schema: { params: { id: t.Integer() }, response: { 200: t.Ref('user#') } },
  preHandler: async (request) => {
    expectType<number>(request.answer)
    expectType<{ id: number }>(request.params)
  },
  handler(request, reply) {
    expectType<false>(isAny(this))
    expectType<Db>(this.db)
    expectType<Db>(request.server.db)
    expectType<number>(request.answer)
    expectType<boolean>(reply.fail('x'))
    expectError(request.question)
    expectError(this.redis)
    return this.db.find(request.params.id)
  },
})
const app = scope.route(getUser)
const user = await app.inject('GET /users/:id', { params: { id: 1 } })
expectType<{ id: number; name: string }>(user.json())
expectError(app.inject('GET /users/:id', { params: { id: 'x' } }))

// A scope that lacks something does not take it.
const has = espalier().addSchema(User).decorate('db', new Db()).decorateRequest('answer', 42)
expectError(espalier().route(getUser))
expectError(has.route(getUser))
has.decorateReply('fail', (message: string) => message !== '').route(getUser)
expectError(has.decorateReply('fail', 1).route(getUser))
const needsDb = defineRoute<{ server: { db: Db } }>()({
  method: 'GET',
  url: '/db',
  handler: (request) => request.server.db.find(1),
})
expectError(espalier().route(needsDb))
expectError(espalier().decorate('db', 1).route(needsDb))
expectError(
  espalier()
    .register((child) => child.decorate('db', new Db()))
    .route(needsDb),
)
has.register((child) => child.register((grandchild) => grandchild.route(needsDb)))
const needsSchema = defineRoute<{ schemas: { user: typeof User } }>()({
  method: 'PUT',
  url: '/u',
  schema: { body: t.Ref('user#') },
  handler: ({ body }) => body.name,
})
expectError(espalier().route(needsSchema))
expectError(
  espalier()
    .addSchema(t.Object({ id: t.String() }, { $id: 'user' }))
    .route(needsSchema),
)

// The error names what is lacking.
const bare = espalier()
const lacking = bare.route<'GET', '/db', object, {}, false, { server: { db: Db } }>
const unfit = espalier().decorate('db', 1).route<'GET', '/', 1, {}, false, { server: { db: Db } }>
declare const takenBare: Parameters<typeof lacking>[0]
declare const takenUnfit: Parameters<typeof unfit>[0]
expectAssignable<"The route needs the server decorator 'db', which this scope lacks">(takenBare)
expectAssignable<"The route needs the server decorator 'db' with another type">(takenUnfit)

// It is one type, which declarations can name.
expectAssignable<DefinedRoute<{ server: { db: Db } }, 'GET', '/db', {}, { id: number }>>(needsDb)

// A plugin has to need what its routes do.
plugin<{ server: { db: Db } }>()((child) => {
  expectError(child.route(getUser))
  return child.route(needsDb)
})

// Needs have four kinds, as those of plugins.
expectError(defineRoute<{ servers: { db: Db } }>())

// A copy with another path is a route of its own.
const copy = scope.route({ ...getUser, url: '/people/:id' })
const person = await copy.inject('GET /people/:id', { params: { id: 1 } })
expectType<{ id: number; name: string }>(person.json())
expectError(espalier().route({ ...getUser, url: '/people/:id' }))

// A handler of its own, with the options of its route.
const options = {
  schema: {
    params: { id: t.Integer() },
    body: t.Object({ name: t.String() }),
    response: { 200: t.Ref('user#'), 201: t.Ref('user#'), 404: { message: t.String() } },
  },
}
const put: Handler<
  typeof options,
  { server: { db: Db }; request: { answer: number }; schemas: { user: typeof User } }
> = function (request, reply) {
  expectType<false>(isAny(this))
  expectType<false>(isAny(request))
  expectType<false>(isAny(reply))
  expectType<Db>(this.db)
  expectType<Db>(request.server.db)
  expectType<{ id: number }>(request.params)
  expectType<{ name: string }>(request.body)
  expectType<number>(request.answer)
  expectError(request.question)
  expectError(request.body.nmae)
  expectError(reply.fail('x'))
  expectError(reply.code(500))
  expectError(reply.code(404).send({ id: 1, name: '' }))
  expectError(reply.send({ message: '' }))
  if (request.params.id === 0) return reply.code(404).header('x-a', 1).send({ message: '' })
  return { id: request.params.id, name: request.body.name }
}
scope.put('/users/:id', options, put)
scope.patch('/users/:id', { ...options, handler: put })
scope.route({ method: 'POST', url: '/users/:id', ...options, handler: put })
scope.register((child) => child.put('/users/:id', options, put), { prefix: '/v1' })

// The scope may have more than what is needed, and other schemas.
const Other = t.Object({ id: t.Integer() }, { $id: 'other' })
scope.addSchema(Other).decorateReply('more', 1).put('/users/:id', options, put)

// A wrong return is an error where it is written.
expectError<Handler<typeof options, { schemas: { user: typeof User } }>>(() => ({ id: 'x' }))
expectError<Handler<typeof options, { schemas: { user: typeof User } }>>(async () => {})
expectError<Handler<typeof options, { schemas: { user: typeof User } }>>((_request, reply) =>
  reply.code(200),
)

// What a defined route needs, a handler of it needs; what it says itself comes first.
const needing = defineRoute<{ server: { db: { size: number } }; request: { user: string } }>()({
  method: 'GET',
  url: '/sizes/:id',
  schema: { params: { id: t.Integer() }, response: { 200: { size: t.Integer(), by: t.String() } } },
  handler: (request) => ({ size: request.server.db.size, by: request.user }),
})
const sized: Handler<typeof needing> = function (request) {
  expectType<number>(request.params.id)
  expectType<number>(this.db.size)
  expectError(request.server.cache)
  return { size: this.db.size, by: request.user }
}
const lesser: Handler<typeof needing, {}> = (request) => {
  expectError(request.user)
  return { size: request.params.id, by: '' }
}
const sizing = espalier().decorate('db', new Set<string>())
sizing.decorateRequest('user', '').get('/sizes/:id', { schema: needing.schema }, sized)
sizing.get('/sizes/:id', { schema: needing.schema }, lesser)
expectError(sizing.get('/sizes/:id', { schema: needing.schema }, sized))

// The schema alone says nothing of a route: its parts stand in the options.
expectError<Handler<typeof options.schema>>(() => ({ id: 1, name: 'x' }))

// Without the options that it was written for, nothing would keep from the client what they do not declare.
const counting = { schema: { response: { 200: { count: t.Integer() } } } }
declare const row: { count: number; secret: string }
const count: Handler<typeof counting> = () => row
const countLater: Handler<typeof counting> = async () => row
espalier().get('/count', counting, count).get('/later', counting, countLater)
espalier().get('/count', { ...counting, handler: count })
expectError(espalier().get('/count', count))
expectError(espalier().get('/count', countLater))
expectError(espalier().get('/count', { handler: count }))
expectError(espalier().route({ method: 'GET', url: '/count', handler: count }))
const free: Handler<{}> = () => row
espalier().get('/free', free)

// It fits a scope that has what it needs, and a route with that schema.
has.put('/:id', options, put)
expectError(espalier().addSchema(User).decorateRequest('answer', 42).put('/:id', options, put))
expectError(espalier().addSchema(User).decorate('db', new Db()).put('/:id', options, put))
expectError(scope.put('/:id', { schema: { ...options.schema, body: { n: t.Null() } } }, put))
expectError(
  scope.put('/:id', { schema: { ...options.schema, response: { 200: t.Integer() } } }, put),
)
const { 404: _, ...always } = options.schema.response
expectError(scope.put('/:id', { schema: { ...options.schema, response: always } }, put))
expectError(scope.put('/:id', put))
expectError(scope.delete('/:id', options, put))

// Of a whole route the path and the method are known; its own result is kept with `satisfies`.
const list = { method: 'GET', url: '/lists/:name' } as const
const getList = ((request, reply) => {
  expectType<{ name: string }>(request.params)
  expectType<unknown>(request.body)
  expectAssignable<Sent>(reply.code(299).send({ any: 'thing' }))
  return { name: request.params.name }
}) satisfies Handler<typeof list>
const lists = espalier().route({ ...list, handler: getList })
const listed = await lists.inject('GET /lists/:name', { params: { name: 'x' } })
expectType<{ name: string }>(listed.json())
expectError(espalier().route({ ...list, url: '/lists/:id', handler: getList }))

// Its reply knows status, type and headers, in either order, as long as they are set once.
const text = { 'text/plain': { schema: t.String() }, 'text/csv': { schema: t.Integer() } }
const replies = {
  schema: {
    response: {
      200: { headers: { 'x-n': t.Integer() }, content: text },
      404: { content: { 'text/plain': { schema: t.Null() } } },
      '4xx': { message: t.String() },
      default: t.Boolean(),
    },
  },
}
declare const flag: boolean
const answer: Handler<typeof replies, { reply: { ok: boolean } }> = (_request, reply) => {
  expectAssignable<Sent>(reply.type('text/csv').header('x-n', 1).send(1))
  expectAssignable<Sent>(reply.type('text/csv; header=present').send(1))
  expectAssignable<Sent>(reply.code(200).type('text/plain').send('x'))
  expectAssignable<Sent>(reply.type('text/plain').code(200).headers({ 'x-n': 1 }).send('x'))
  expectAssignable<Sent>(reply.code(404).send())
  expectAssignable<Sent>(reply.status(422).header('x-n', 'free').send({ message: '' }))
  expectAssignable<Sent>(reply.code(flag ? 422 : 400).send({ message: '' }))
  expectAssignable<Sent>(reply.code(500).send(true))
  expectType<boolean>(reply.header('x-n', 1).ok)
  expectError(reply.code(flag ? 404 : 400).send({ message: '' }))
  expectError(reply.type('text/csv').send('x'))
  expectError(reply.code(200).type('text/csv').send('x'))
  expectError(reply.type('text/csv').code(200).send('x'))
  expectError(reply.code(200).header('x-n', 'x'))
  expectError(reply.header('x-n', 'x'))
  expectError(reply.code(404).send({ message: '' }))
  expectError(reply.code(422).send(true))
  expectError(reply.code(500).send({ message: '' }))
  return 'x'
}
const answering = espalier().decorateReply('ok', true)
answering.get('/answer', replies, answer)
expectError(espalier().get('/answer', replies, answer))

// After each step it still has what is needed and what any reply has; so has its server.
type Failing = { server: { key: string }; reply: { fail: (why: string) => Sent } }
const stepped: Handler<typeof replies, Failing> = function (request, reply) {
  expectType<false>(isAny(this.log))
  this.log.info(this.prefix)
  request.server.log.info(request.server.key)
  reply.server.log.info(reply.request.server.key)
  expectType<boolean>(this.hasDecorator('key'))
  expectError(this.lgo)
  expectError(this.get('/x', () => 1))
  expectType<Sent>(reply.code(404).fail('x'))
  expectType<Sent>(reply.header('x-n', 1).type('text/csv').fail('x'))
  expectType<Sent>(reply.type('text/csv').status(200).header('x-n', 1).fail('x'))
  expectAssignable<Sent>(reply.type('text/csv').status(200).send(1))
  expectAssignable<Sent>(reply.code(404).redirect('/x'))
  expectType<string>(reply.code(200).server.key)
  expectType<number>(reply.code(200).type('text/csv').statusCode)
  expectType<HeaderValue | undefined>(reply.code(200).getHeader('x-n'))
  reply
    .type('text/csv')
    .trailer('x-sum', async () => 'x')
    .removeTrailer('x-sum')
  expectError(reply.code(404).fial('x'))
  expectError(reply.code(404).fail(1))
  expectError(reply.type('text/csv').status(200).send('x'))
  return reply.code(500).send(true)
}
const failing = espalier()
  .decorate('key', 'x')
  .decorateReply('fail', (why: string): Sent => ({}) as never)
failing.get('/stepped', replies, stepped)
failing.decorateReply('more', 1).addSchema(Other).get('/stepped', replies, stepped)
failing.register((child) => child.decorate('own', 1).get('/stepped', replies, stepped))
expectError(espalier().decorate('key', 'x').get('/stepped', replies, stepped))
expectError(failing.get('/stepped', { schema: { response: { 200: t.Null() } } }, stepped))
const typedOnce: Handler<{}, Failing> = (_request, reply) => {
  expectAssignable<Sent>(reply.code(299).type('text/x').fail('x'))
  expectAssignable<Sent>(reply.type('text/x').status(299).send({ any: 'thing' }))
}
failing.get('/typed-once', typedOnce)
const logging: HookFor<'onRequest', Failing> = async function (request) {
  this.log.info(request.server.key)
  request.server.log.info(this.key)
  expectError(this.lgo)
}
failing.addHook('onRequest', logging)
expectError(espalier().addHook('onRequest', logging))

// With `attachValidation` it is told what was refused.
const attached = { attachValidation: true, schema: { body: { n: t.Integer() } } } as const
const either: Handler<typeof attached> = (request) => {
  expectError(request.body.n)
  if (request.validationError) return request.validationError.validationContext
  expectType<{ n: number }>(request.body)
  return request.body.n
}
espalier().post('/attached', attached, either)
expectError(espalier().post('/attached', { ...attached, schema: {} }, either))
const attachedTo = { ...attached, url: '/attached/:id' } as const
const sent: Handler<typeof attachedTo> = ({ params, query, headers }) => {
  expectType<{ id: string }>(params)
  expectType<string | string[] | undefined>(query['q'])
  expectType<string | string[] | undefined>(headers['x-request-id'])
  expectError(params.name)
}
espalier().route({ ...attachedTo, method: 'POST', handler: sent })

// Where nothing is said of the path, its parameters may be missing.
const open: Handler<{}> = ({ params, query, body }) => {
  expectType<string | undefined>(params['id'])
  expectType<string | string[] | undefined>(query['q'])
  expectType<unknown>(body)
}
espalier().get('/open/:id', open).post('/open', open)

// A handler for a defined route, of its type.
const again: Handler<
  typeof getUser,
  { server: { db: Db }; schemas: { user: typeof User } }
> = async ({ params, server }) => server.db.find(params.id)
scope.route({ ...getUser, url: '/again/:id', handler: again })

// A hook of its own.
type Session = { user: { name: string } | null }
const auth: HookFor<'onRequest', { request: Session }> = async (request, reply) => {
  expectType<false>(isAny(request))
  expectType<false>(isAny(reply))
  expectType<undefined>(request.body)
  expectType<{ name: string } | null>(request.user)
  expectError(request.answer)
  if (request.user === null) return reply.code(401).send()
  return undefined
}
const sign: HookFor<'onSend', { server: { key: string } }> = async function (_req, reply, payload) {
  expectType<string>(this.key)
  reply.header('x-signed', this.key)
  return payload
}
const check: HookFor<'preHandler', { reply: { ok: boolean } }> = (request, reply, done) => {
  expectType<unknown>(request.params)
  expectType<boolean>(reply.ok)
  done()
}
declare const session: Session['user']
const signed = espalier()
  .decorateRequest('user', session)
  .decorateReply('ok', true)
  .decorate('key', 'x')
  .decorate('other', 1)
signed.addHook('onRequest', auth).addHook('onSend', sign).addHook('preHandler', check)
signed.get('/x', { onRequest: [auth], onSend: sign, preHandler: [check] }, () => 1)
expectError(espalier().addHook('onRequest', auth))
expectError(espalier().addHook('onSend', sign))
expectError(espalier().addHook('preHandler', check))
expectError(espalier().get('/x', { onRequest: auth }, () => 1))
expectError(espalier().decorateRequest('user', 1).addHook('onRequest', auth))
expectError<HookFor<'onReqest'>>(auth)

// Where it is declared at once, a route is inferred by itself.
const declared = espalier().route(
  defineRoute({ method: 'GET', url: '/at-once', handler: () => 'x' }),
)
expectType<'x'>((await declared.inject('GET /at-once')).json())
expectError(
  espalier().route(
    defineRoute<{ server: { key: string } }>()({
      method: 'GET',
      url: '/at-once',
      handler: () => 'x',
    }),
  ),
)

// A list of routes holds those that need no more than it says, and is declared where all of that is.
const counted = defineRoute({ method: 'GET', url: '/one', handler: () => 1 })
const changed = defineRoute({
  method: ['PUT', 'PATCH'],
  url: '/two/:id',
  schema: { params: { id: t.Integer() }, body: { name: t.String() }, response: { 200: t.Any() } },
  handler: (request) => request.params.id,
})
const keyed = defineRoute<{ server: { key: string } }>()({
  method: 'GET',
  url: '/keyed',
  handler: (request) => request.server.key,
})
const routes: AnyRoute[] = [counted, changed]
const keyedRoutes: AnyRoute<{ server: { key: string } }>[] = [...routes, keyed]
expectError<AnyRoute[]>([counted, keyed])
expectError<AnyRoute<{ server: { key: number } }>[]>([keyed])
for (const route of routes) expectType<false>(isAny(app.route(route)))
for (const route of keyedRoutes) {
  espalier().decorate('key', 'x').route(route)
  expectError(espalier().route(route))
  expectError(espalier().decorate('key', 1).route(route))
}
for (const route of [counted, keyed]) {
  expectError(espalier().route(route))
}
