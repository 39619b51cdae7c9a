// Routes that were made with `defineRoute` are declared as a list.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier, { defineRoute, plugin, t, type AnyRoute } from '../../src/index.ts'
import { untyped } from '../support/untyped.ts'

type Needs = { server: { names: Map<number, string> } }

const byId = defineRoute<Needs>()({
  method: 'GET',
  url: '/:id',
  schema: { params: { id: t.Integer() }, response: { 200: { name: t.String() }, 404: t.Null() } },
  handler(request, reply) {
    const name = this.names.get(request.params.id)
    return name === undefined ? reply.code(404).send() : { name }
  },
})
const both = defineRoute({
  method: ['POST', 'PUT'],
  path: '/both',
  schema: { body: { n: t.Integer() } },
  handler: (request) => ({ method: request.method, n: request.body.n }),
})
const health = defineRoute({ method: 'GET', url: '/health', handler: () => 'ok' })
const names = new Map([[1, 'Ada']])

test('the routes of a list are declared in their order, each with its schema and the server as this', async () => {
  const seen: string[] = []
  const app = espalier()
    .decorate('names', names)
    .addHook('onRoute', ({ method, path }) => void seen.push(`${method} ${path}`))
    .addRoutes([byId, both])
  assert.deepEqual(seen, ['GET /:id', 'HEAD /:id', 'POST,PUT /both'])
  const found = await app.inject('GET /:id', { params: { id: 1 } })
  assert.equal(found.body, '{"name":"Ada"}')
  assert.equal((await app.inject('GET /:id', { params: { id: 2 } })).statusCode, 404)
  assert.equal((await app.inject('/x')).statusCode, 400)
  assert.deepEqual((await app.inject('PUT /both', { body: { n: 2 } })).json(), {
    method: 'PUT',
    n: 2,
  })
})

test('a list is declared in several scopes, below the prefix of each, beside routes in place', async () => {
  const routes = [byId, health] as const
  const child = plugin<Needs>()(async (app) =>
    app.addRoutes(routes).get('/more', () => ({ more: true })),
  )
  const app = espalier()
    .decorate('names', names)
    .register(child, { prefix: '/a' })
    .register(async (scope) => scope.addRoutes(routes), { prefix: '/b' })
  for (const url of ['/a/1', '/b/1']) {
    assert.equal((await app.inject(url)).body, '{"name":"Ada"}')
  }
  assert.equal((await app.inject('GET /b/health')).body, 'ok')
  assert.equal((await app.inject('GET /a/more')).json().more, true)
  assert.equal((await app.inject('/1')).statusCode, 404)
})

test('lists that are empty, or of routes that are known at run time only, are lists', async () => {
  const routes: AnyRoute[] = [both, health]
  const app = espalier().addRoutes([]).addRoutes(routes)
  assert.equal((await app.inject('/health')).body, 'ok')
  assert.equal((await app.inject({ method: 'POST', url: '/both', body: {} })).statusCode, 400)
})

test('routes of one path whose constraints differ stand in one list', async () => {
  const versions = (['1.0.0', '2.0.0'] as const).map((version) =>
    defineRoute({
      method: 'GET',
      url: '/v',
      constraints: { version },
      handler: () => ({ version }),
    }),
  )
  const app = espalier().addRoutes(versions)
  const response = await app.inject('GET /v', { headers: { 'accept-version': '2.0.0' } })
  assert.deepEqual(response.json(), { version: '2.0.0' })
})

test('what is no list of routes is refused with the scope, a wrong route in it as by itself', () => {
  const wrong: readonly (readonly [unknown, string, string])[] = [
    [health, 'ESP_ERR_ROUTE_LIST', 'addRoutes in root takes a list of routes, but was given'],
    [undefined, 'ESP_ERR_ROUTE_LIST', 'but was given undefined'],
    ['/x', 'ESP_ERR_ROUTE_LIST', "but was given '/x'"],
    [[health, health], 'ESP_ERR_DUPLICATED_ROUTE', "'GET /health' is declared twice"],
    [[{ method: 'GET', url: '/x' }], 'ESP_ERR_ROUTE_MISSING_HANDLER', "'GET /x'"],
  ]
  for (const [routes, code, text] of wrong) {
    assert.throws(
      () => untyped().addRoutes(routes),
      (error: Error & { code: string }) => {
        assert.equal(error.code, code)
        assert.ok(error.message.includes(text), error.message)
        return true
      },
    )
  }
})

test('routes are not added once the server is ready', async () => {
  const app = await espalier().ready()
  assert.throws(() => app.addRoutes([health]), { code: 'ESP_ERR_INSTANCE_ALREADY_LISTENING' })
})
