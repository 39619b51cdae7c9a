// Specification 2.1, 9.1: every form of a plugin has a context of its own, unless it is shared.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fp from 'fastify-plugin'
import espalier, { shared } from '../../src/index.ts'
import { untyped, type UntypedServer } from '../support/untyped.ts'

type Done = (error?: unknown) => void
type Plugin = (server: UntypedServer, options: object, done: Done) => unknown

/** What every form of a plugin below does: it registers one thing of each kind, and a route. */
function fill(server: UntypedServer): void {
  server
    .decorateRequest('bar', 'bar')
    .addSchema({ $id: 'note', type: 'string' })
    .addHook('onRequest', async (_request, reply) => void reply.header('hook', 'ran'))
    .get('/inside', read)
}

const read = (request: { bar: unknown; server: UntypedServer }) => ({
  bar: request.bar,
  schemas: Object.keys(request.server.getSchemas()),
})

/** Made anew for each test, since a sharing wrapper may mark the function that it is given. */
const forms: Readonly<Record<string, () => Plugin>> = {
  'an async plugin': () => async (server: UntypedServer) => {
    fill(server)
  },
  'an async plugin that waits': () => async (server: UntypedServer) => {
    await new Promise((resolve) => setImmediate(resolve))
    fill(server)
  },
  'a sync plugin': () => (server: UntypedServer) => {
    fill(server)
  },
  'a callback plugin': () => (server, _options, done) => {
    fill(server)
    done()
  },
  'a callback plugin that calls done later': () => (server, _options, done) => {
    setImmediate(() => {
      fill(server)
      done()
    })
  },
}

/** What a route of the parent sees, which is declared before the plugin, and whether its hook ran. */
async function outside(plugin: Plugin) {
  const app = untyped()
    .get('/', read)
    .register(plugin as never)
  const [inside, around] = [await app.inject('/inside'), await app.inject('/')]
  await app.close()
  assert.deepEqual(inside.json(), { bar: 'bar', schemas: ['note'] })
  assert.equal(inside.headers['hook'], 'ran')
  return { ...around.json<object>(), hook: around.headers['hook'] }
}

for (const [form, make] of Object.entries(forms)) {
  test(`${form} keeps to itself what it registers`, async () => {
    assert.deepEqual(await outside(make()), { schemas: [], hook: undefined })
  })

  for (const [name, wrap] of [
    ['shared()', (plugin: Plugin) => shared(plugin as never) as unknown as Plugin],
    ["fastify-plugin's fp()", (plugin: Plugin) => fp(plugin as never) as unknown as Plugin],
  ] as const) {
    test(`${form} in ${name} registers in the context around it`, async () => {
      const seen = { bar: 'bar', schemas: ['note'], hook: 'ran' }
      assert.deepEqual(await outside(wrap(make())), seen)
    })
  }
}

test('the version of a server is that of the Fastify whose plugins it runs', async () => {
  const app = espalier()
  assert.match(app.version, /^5\.\d+\.\d+$/)
  let inside = ''
  app.register(async (child) => void (inside = child.version))
  await app.ready()
  assert.equal(inside, app.version)
  await app.close()
})

for (const wanted of ['4.x', '5.x', '>=4.24.0']) {
  test(`a plugin that asks for Fastify ${wanted} runs`, async () => {
    const app = untyped()
    const decorate = (server: UntypedServer) => server.decorateRequest('bar', 'bar')
    app.register(fp(async (server: unknown) => void decorate(server as UntypedServer), wanted))
    app.get('/', read)
    assert.equal((await app.inject('/')).json<{ bar: string }>().bar, 'bar')
    await app.close()
  })
}
