import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import crypto from 'node:crypto'
import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { test, type TestContext } from 'node:test'
import espalier, { shared } from '../../src/index.ts'
import { createFastify } from '../../src/server/factory.ts'

/** What a runtime of workers refuses outside of a request, or does not have: I/O, timers, random numbers, and a server
 *  of Node. */
function watch(t: TestContext) {
  const found: string[] = []
  // A tick and a promise are neither. The runner makes tests.
  const harmless = ['PROMISE', 'TickObject', 'Microtask', 'Test']
  const hook = createHook({
    init: (_id, type) => void (harmless.includes(type) || found.push(type)),
  }).enable()
  const note = (name: string) => () => {
    found.push(name)
    throw new Error(`${name} was called`)
  }
  for (const name of ['randomBytes', 'randomFillSync', 'randomInt', 'randomUUID'] as const) {
    t.mock.method(crypto, name, note(name))
  }
  t.mock.method(http, 'createServer', note('createServer'))
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.reset()
    syncBuiltinESMExports()
  })
  return { found, end: () => hook.disable() }
}

for (const [name, make] of Object.entries({ espalier, fastify: createFastify })) {
  test(`${name}: a server, its plugins and its routes start nothing before they are asked`, async (t) => {
    const watched = watch(t)
    const app = make({ pluginTimeout: 50, requestTimeout: 100, connectionTimeout: 100 })
    const declared = app
      .register(shared((each) => void each.decorate('limit', 1)))
      .register(async (each) => void each.get('/plugin', () => 'from a plugin'), { prefix: '/a' })
    declared.addHook('onClose', () => undefined)
    declared.get('/', { handlerTimeout: 10 }, () => 'from the root')
    // Until what was queued for the next turn has run.
    await new Promise(process.nextTick)
    watched.end()
    assert.deepEqual(watched.found, [])
    assert.equal((await app.inject('/a/plugin')).body, 'from a plugin')
    await app.close()
  })
}

test('a server of Node is made once, when it is asked for, and tells of errors of clients', async () => {
  const app = espalier({ clientErrorHandler: () => undefined })
  await app.ready()
  assert.deepEqual([app.listeningOrigin, app.addresses()], ['', []])
  const { server } = app
  assert.equal(server, app.server)
  assert.equal(server.listenerCount('clientError'), 1)
  await app.close()
  const closed = espalier()
  await closed.close()
  assert.equal(closed.server.listening, false)
})

test('options of Node are refused where they are given', () => {
  const https = { minVersion: 'TLSv9' as 'TLSv1.3' }
  assert.throws(() => espalier({ https }), { code: 'ERR_TLS_INVALID_PROTOCOL_VERSION' })
  assert.throws(() => espalier({ http: { maxHeaderSize: 'large' as unknown as number } }), {
    code: 'ERR_INVALID_ARG_TYPE',
  })
})
