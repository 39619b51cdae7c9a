import assert from 'node:assert/strict'
import { test } from 'node:test'
import bearerAuth from '@fastify/bearer-auth'
import fp from 'fastify-plugin'
import espalier, { adopt } from '../../src/index.ts'

type Loose = any
interface Tenant {
  readonly request: { tenant: string }
}

async function tenants(server: Loose, options: { name?: string }) {
  server.decorateRequest('tenant', options.name ?? 'none')
}

test('what an adopted plugin adds is seen where it was registered, and in its children', async () => {
  const app = espalier()
    .register(adopt<Tenant>(tenants), { name: 'one' })
    .get('/', (request) => request.tenant)
    .register(async (child) => child.get('/child', (request) => request.tenant))
  assert.equal((await app.inject('GET /')).body, 'one')
  assert.equal((await app.inject('GET /child')).body, 'one')
})

test('what a child adopts is not seen beside it', async () => {
  const app = espalier()
    .register(async (child) =>
      child.register(adopt<Tenant>(tenants)).get('/inside', (request) => request.tenant),
    )
    .get('/beside', (request) => String('tenant' in request))
  assert.equal((await app.inject('GET /inside')).body, 'none')
  assert.equal((await app.inject('GET /beside')).body, 'false')
})

test('a plugin that is marked shared already is adopted as it is', () => {
  const marked = fp(async (server: Loose) => void server.decorate('a', 1), { name: 'a' })
  assert.equal(adopt(marked), marked)
  assert.equal(adopt<Tenant>()(marked), marked)
})

test('one that is not is left as it was', async () => {
  assert.notEqual(adopt(tenants), tenants)
  const app = espalier()
    .register(tenants)
    .get('/', (request) => String('tenant' in request))
  assert.equal((await app.inject('GET /')).body, 'false')
})

test('a plugin of the ecosystem is adopted with its options', async () => {
  const app = espalier()
    .register(adopt(bearerAuth as Loose), { keys: ['k'] })
    .get('/', () => 'x')
  const authorization = { authorization: 'Bearer k' }
  assert.equal((await app.inject({ url: '/', headers: authorization })).body, 'x')
  assert.equal((await app.inject('GET /')).statusCode, 401)
})

test('what is no plugin cannot be adopted', () => {
  const code = { code: 'ESP_ERR_PLUGIN_NOT_VALID' }
  assert.throws(() => adopt(1 as Loose), code)
  assert.throws(() => adopt()({} as Loose), code)
  const mistaken = async (_server: Loose, _options: object, _done: Loose) => undefined
  assert.throws(() => adopt(mistaken), { code: 'ESP_ERR_PLUGIN_INVALID_ASYNC_HANDLER' })
})
