// A shared plugin loads later than the line that registers it. Reading what it decorates on the next line is an error, since the
// types say that it is there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { format, inspect } from 'node:util'
import fp from 'fastify-plugin'
import espalier, { adopt, plugin, shared } from '../../src/index.ts'
import fastify from '../../src/fastify/index.ts'

type Loose = any

const openDb = plugin().shared(async (app) => app.decorate('db', 'open'), { name: 'db' })
const openCache = plugin().shared(async (app) => app.decorate('cache', 'warm'), { name: 'cache' })

/** Matches the error of an early read. */
const early = (place: string, name: string, waiting: string) => ({
  code: 'ESP_ERR_DEC_TOO_EARLY',
  message: `The server in ${place} has no '${name}' while plugins that were registered there have not loaded: ${waiting}. Read it after 'await app.after()', in a plugin that is registered later, or in a hook or handler. To ask whether it is there, call hasDecorator`,
})

test('a decorator of a shared plugin cannot be read on the next line', () => {
  const app = espalier().register(openDb).register(openCache)
  const expected = early('root', 'db', "'db', 'cache'")
  assert.throws(() => app.db, expected)
  assert.throws(() => app.getDecorator('db'), expected)
  assert.throws(() => Reflect.get(Object.create(app) as object, 'db'), expected)
})

test('it is there after the remedies that the message has', async () => {
  const app = espalier().register(openDb)
  const seen: Record<string, string> = {}
  app.register(async (later) => {
    seen['plugin'] = later.db
  })
  app.after(() => {
    seen['after'] = app.db
  })
  app.addHook('onReady', () => {
    seen['hook'] = app.db
  })
  app.get('/', { schema: { response: { 200: { type: 'string' } } } }, () => app.db)
  await app.after()
  assert.equal(app.db, 'open')
  assert.equal((await app.inject('/')).body, 'open')
  assert.deepEqual(seen, { plugin: 'open', after: 'open', hook: 'open' })
})

test('to ask for it is no error', () => {
  const app: Loose = espalier().register(openDb)
  assert.equal(app.hasDecorator('db'), false)
  assert.equal('db' in app, false)
})

test('the same in a plugin that registers another one', async () => {
  const seen: unknown[] = []
  const app = espalier().register(
    async function users(child) {
      const within = child.register(openDb)
      assert.throws(() => within.db, early('root > users', 'db', "'db'"))
      await within.after()
      seen.push(within.db)
    },
    { prefix: '/users' },
  )
  await app.ready()
  assert.deepEqual(seen, ['open'])
})

test('a plugin may ask for what others add later, and a shared one for what it adds itself', async () => {
  const seen: unknown[] = []
  const once = shared(async (same) => {
    seen.push((same as Loose).store)
    return (same as Loose).store === undefined ? same.decorate('store', 1) : same
  })
  const app = espalier()
    .register(async (child: Loose) => {
      seen.push(child.db)
    })
    .register(once)
    .register(openDb)
  await app.ready()
  assert.deepEqual(seen, [undefined, undefined])
})

test('an adopted plugin, and one that is imported, count too', async () => {
  const store = adopt<{ server: { store: number } }>(async (server: Loose) => {
    server.decorate('store', 1)
  })
  const app = espalier().register(store)
  assert.throws(() => app.store, { code: 'ESP_ERR_DEC_TOO_EARLY' })
  const other: Loose = espalier()
  other.register(Promise.resolve({ default: openDb }))
  assert.throws(() => other.db, { code: 'ESP_ERR_DEC_TOO_EARLY' })
  await other.after()
  assert.equal(other.db, 'open')
})

test('a plugin that fastify-plugin has wrapped may ask for what nobody adds, and so may its own plugins', async () => {
  const seen: unknown[] = []
  const inner = fp(async (server: Loose) => void server.decorate('inner', 1), { name: 'inner' })
  const outer = fp(
    async (server: Loose) => {
      server.register(inner)
      seen.push(server.swagger)
      server.register(async (child: Loose) => {
        child.register(fp(async () => undefined))
        seen.push(child.swagger, child.inner)
      })
    },
    { name: 'outer' },
  )
  const app: Loose = espalier().register(outer).register(openDb)
  assert.throws(() => app.db, early('root', 'db', "'outer', 'db'"))
  await app.ready()
  assert.deepEqual(seen, [undefined, undefined, 1])
})

test('a name that a server lacks is undefined if no plugin waits, after the boot, and after one that failed', async () => {
  const app: Loose = espalier()
  app.register(async (child: Loose) => {
    assert.equal(child.nothing, undefined)
  })
  assert.equal(app.nothing, undefined)
  await app.register(openDb).ready()
  assert.equal(app.nothing, undefined)
  const failed: Loose = espalier()
  failed.register(() => {
    throw new Error('no')
  })
  failed.register(openDb)
  await assert.rejects(failed.ready())
  assert.equal(failed.db, undefined)
})

test('a server can be printed, copied, awaited and written to meanwhile', async () => {
  const app: Loose = espalier()
  app.register(openDb)
  const all = format('%s %o %j', app, app, app)
  for (const text of [all, inspect(app), String(app), JSON.stringify(app)]) {
    assert.equal(typeof text, 'string')
  }
  assert.deepEqual({ ...app }, {})
  assert.equal(app.constructor, espalier().constructor)
  assert.equal(app[Symbol('a')], undefined)
  // Test runners read these to compare and to print.
  for (const name of ['asymmetricMatch', '$$typeof', 'nodeType', '@@__IMMUTABLE_ITERABLE__@@']) {
    assert.equal(app[name], undefined)
  }
  app.own = 1
  assert.equal(app.own, 1)
  assert.equal(await Promise.resolve(app), app)
})

test('a server of Fastify’s dialect gives undefined, as Fastify does', async () => {
  const app: Loose = fastify()
  app.register(openDb)
  assert.equal(app.db, undefined)
  await app.ready()
  assert.equal(app.db, 'open')
})
