import assert from 'node:assert/strict'
import { test } from 'node:test'
import { espalier, fastify, shared } from '../../src/index.ts'

// What a server is in types matters to none of these tests.
type Loose = any

const adding = (name: string): Loose => shared(async (app: Loose) => app.decorate(name, 1))

test('a server of the factory fastify is awaited: what was registered has loaded then', async () => {
  const app: Loose = fastify()
  app.register(adding('first'))
  assert.equal(await app, app)
  assert.equal(app.first, 1)
  app.register(adding('second'))
  assert.equal(app.second, undefined)
  await app
  assert.equal(app.second, 1)
})

test('an async function may return a server of the factory fastify', async () => {
  const build = async (): Promise<Loose> => {
    const app: Loose = fastify()
    app.register(adding('late'))
    return app
  }
  assert.equal((await build()).late, 1)
})

test('a server without plugins, one that is ready and one that is closed can be awaited', async () => {
  const app: Loose = fastify()
  assert.equal(await app, app)
  await app.ready()
  assert.equal(app.then, undefined)
  assert.equal(await app, app)
  await app.close()
  assert.equal(await app, app)
})

test('a plugin may await its server, and return it', async () => {
  const seen: unknown[] = []
  const app: Loose = fastify()
  app.register(async (child: Loose) => {
    child.register(adding('inner'))
    assert.equal(await child, child)
    seen.push(child.inner)
    child.register(async () => seen.push('late'))
    return child
  })
  app.register((child: Loose) => child.get('/', () => 'here'))
  app.register(async () => seen.push('last'))
  await app.ready()
  assert.deepEqual(seen, [1, 'late', 'last'])
  assert.equal((await app.inject('/')).body, 'here')
})

test('awaiting a server fails with what a plugin throws', async () => {
  const failing = (): Loose => {
    const app: Loose = fastify()
    app.register(() => Promise.reject(new Error('kaboom')))
    return app
  }
  await assert.rejects(async () => {
    await failing()
  }, /kaboom/)
  const told = await failing().then(
    () => 'loaded',
    (error: Error) => error.message,
  )
  assert.match(told, /kaboom/)
})

test('then of a server calls back with it, and without a callback gives nothing', async () => {
  const app: Loose = fastify()
  assert.equal(await app.then((server: Loose) => (server === app ? 'same' : 'other')), 'same')
  assert.equal(await app.then(undefined, () => 'failed'), undefined)
  assert.equal(await app.then((server: Loose) => server), app)
})

test('register and after of the factory fastify return the server itself', async () => {
  const app: Loose = fastify()
  assert.equal(
    app.register(async () => undefined),
    app,
  )
  assert.equal(
    app.after(() => undefined),
    app,
  )
  await app.ready()
})

test('hooks may return the server, and several servers are awaited at once', async () => {
  const [first, second] = [fastify(), fastify()] as Loose[]
  first.addHook('onReady', async function (this: Loose) {
    return this
  })
  first.addHook('onClose', async (server: Loose) => server)
  assert.deepEqual(await Promise.all([first, second]), [first, second])
  await first.ready()
  await first.close()
})

test('no server has a decorator then', async () => {
  const app: Loose = fastify()
  assert.throws(() => app.decorate('then', 1), { code: 'FST_ERR_DEC_ALREADY_PRESENT' })
  app.register(async (child: Loose) => child.decorate('then', 1))
  await assert.rejects(app.ready(), { code: 'FST_ERR_DEC_ALREADY_PRESENT' })
})

test('a server of the factory espalier is no promise, but what register returns is', async () => {
  const app: Loose = espalier()
  assert.equal('then' in app, false)
  const registered = app.register(adding('late'))
  assert.notEqual(registered, app)
  assert.equal(await registered, app)
  assert.equal(app.late, 1)
})
