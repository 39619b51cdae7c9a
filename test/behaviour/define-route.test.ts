// Routes, handlers and hooks in files of their own behave as those that are written in place.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier, {
  defineRoute,
  plugin,
  t,
  type Handler,
  type HookFor,
  type Sent,
} from '../../src/index.ts'
import { untyped } from '../support/untyped.ts'

const User = t.Object({ id: t.Integer(), name: t.String() }, { $id: 'user' })
const users = new Map([[1, { id: 1, name: 'Ada', password: 'x' }]])

const getUser = defineRoute<{
  server: { users: typeof users }
  request: { answer: number }
  schemas: { user: typeof User }
}>()({
  method: 'GET',
  url: '/users/:id',
  schema: {
    params: { id: t.Integer() },
    response: { 200: t.Ref('user#'), 404: { message: t.String() } },
  },
  preHandler: async (request, reply) => {
    reply.header('x-answer', request.answer)
  },
  handler(request, reply) {
    const user = this.users.get(request.params.id)
    return user ?? reply.code(404).send({ message: 'no such user' })
  },
})
const scope = () =>
  espalier().addSchema(User).decorate('users', users).decorateRequest('answer', 42)

test('a defined route is declared with its schema, its hooks and the server as this', async () => {
  const app = scope().route(getUser)
  const found = await app.inject('GET /users/:id', { params: { id: 1 } })
  assert.equal(found.body, '{"id":1,"name":"Ada"}')
  assert.equal(found.headers['x-answer'], '42')
  const missing = await app.inject('GET /users/:id', { params: { id: 2 } })
  assert.deepEqual([missing.statusCode, missing.body], [404, '{"message":"no such user"}'])
  assert.equal((await app.inject('/users/x')).statusCode, 400)
})

test('a defined route is declared in several scopes, below the prefix of each', async () => {
  const child = plugin<{
    server: { users: typeof users }
    request: { answer: number }
    schemas: { user: typeof User }
  }>()(async (app) => app.route(getUser))
  const app = scope().register(child, { prefix: '/a' }).register(child, { prefix: '/b' })
  for (const url of ['/a/users/1', '/b/users/1'] as const) {
    assert.equal((await app.inject(url)).body, '{"id":1,"name":"Ada"}')
  }
  assert.equal((await app.inject('/users/1')).statusCode, 404)
})

test('a defined route that is declared twice in one scope is refused', () => {
  assert.throws(() => untyped().addSchema(User).route(getUser).route(getUser), {
    code: 'ESP_ERR_DUPLICATED_ROUTE',
  })
})

test('a defined route is a value that nobody changes, and that can be copied', async () => {
  assert.ok(Object.isFrozen(getUser))
  const options = { method: 'GET', path: '/a', handler: () => 'a' } as const
  const route = defineRoute(options)
  assert.deepEqual(route, { method: 'GET', url: '/a', schema: {}, handler: options.handler })
  const app = espalier()
    .route(route)
    .route({ ...route, url: '/b' })
  assert.equal((await app.inject('/a')).body, 'a')
  assert.equal((await app.inject('/b')).body, 'a')
})

test('a defined route of several methods is a route of each', async () => {
  const route = defineRoute({
    method: ['POST', 'put'],
    url: '/',
    handler: (request) => request.method,
  })
  const app = espalier().route(route)
  assert.equal((await app.inject('POST /')).body, 'POST')
  assert.equal((await app.inject('PUT /')).body, 'PUT')
})

test('what is no route is refused where it is defined, a wrong option where it is declared', () => {
  const define = defineRoute as unknown as (given: unknown) => object
  for (const [given, name] of [
    [null, 'null'],
    [[], 'an array'],
    ['/x', "'/x'"],
    [undefined, 'undefined'],
  ] as const) {
    const message = `defineRoute takes the options of a route, but was given ${name}`
    assert.throws(() => define(given), { code: 'ESP_ERR_ROUTE_DEFINITION', message })
  }
  const wrong = define({ method: 'GET', url: '/', handler: () => 1, bodyLimit: 'x' })
  assert.throws(() => untyped().route(wrong), { code: 'ESP_ERR_ROUTE_OPTION' })
  assert.throws(() => untyped().route(define({ method: 'GET', path: 1 })), {
    code: 'ESP_ERR_INVALID_URL',
  })
})

test('a handler that is written apart runs as one that is written in place', async () => {
  const options = { schema: { body: { name: t.String() }, response: { 201: t.Ref('user#') } } }
  type Needed = { server: { users: typeof users }; schemas: { user: typeof User } }
  const create: Handler<typeof options, Needed> = function (request, reply) {
    const id = this.users.size + 1
    return reply.code(201).send({ id, name: request.body.name })
  }
  const app = scope().post('/users', options, create)
  const response = await app.inject('POST /users', { body: { name: 'Bob' } })
  assert.deepEqual([response.statusCode, response.body], [201, '{"id":2,"name":"Bob"}'])
})

test('the reply and the server of such a handler are those of its scope', async () => {
  type Needed = { server: { name: string }; reply: { fail: (why: string) => Sent } }
  const options = { schema: { response: { 404: { why: t.String() } } } }
  const failing: Handler<typeof options, Needed> = function (request, reply) {
    this.log.info(request.server.prefix)
    request.server.log.info(reply.server.name)
    return reply.code(404).header('x-by', this.name).fail(reply.code(404).server.prefix)
  }
  const moving: Handler<{}, Needed> = (_request, reply) =>
    reply.type('text/csv').status(201).getHeader('content-type') === 'text/csv; charset=utf-8'
      ? reply.code(302).redirect('/v1')
      : 'no type'
  const app = espalier()
    .decorate('name', 'x')
    .decorateReply('fail', function (why: string): Sent {
      return this.send({ why })
    })
    .register(async (child) => child.get('/', options, failing).get('/moved', moving), {
      prefix: '/v1',
    })
  const response = await app.inject('/v1')
  assert.deepEqual([response.statusCode, response.body], [404, '{"why":"/v1"}'])
  assert.equal(response.headers['x-by'], 'x')
  const moved = await app.inject('/v1/moved')
  assert.deepEqual([moved.statusCode, moved.headers.location], [302, '/v1'])
})

test('a hook that is written apart runs for a scope and for a route', async () => {
  const mark: HookFor<'onRequest', { server: { name: string } }> = async function (_, reply) {
    reply.header('x-by', this.name)
  }
  const upper: HookFor<'onSend'> = async (_request, _reply, payload) =>
    typeof payload === 'string' ? payload.toUpperCase() : payload
  const app = espalier()
    .decorate('name', 'x')
    .addHook('onRequest', mark)
    .get('/', { onSend: [upper] }, () => 'text')
  const response = await app.inject('/')
  assert.deepEqual([response.body, response.headers['x-by']], ['TEXT', 'x'])
})
