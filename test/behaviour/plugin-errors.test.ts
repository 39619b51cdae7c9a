import assert from 'node:assert/strict'
import { test } from 'node:test'
import fp from 'fastify-plugin'
import espalier, { plugin, shared } from '../../src/index.ts'

type Loose = any

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

/** What ready rejects with. */
const failure = (app: Loose): Promise<Loose> =>
  app.ready().then(
    () => assert.fail('ready did not reject'),
    (error: unknown) => error,
  )

const thrown: readonly (readonly [what: string, value: unknown, told: RegExp])[] = [
  ['an Error', new Error('no luck'), /no luck/],
  ['a frozen Error', Object.freeze(new Error('no luck')), /no luck/],
  ['a TypeError', new TypeError('no type'), /no type/],
  ['undefined', undefined, /undefined/],
  ['null', null, /null/],
  ['a string', 'no luck', /no luck/],
  ['a number', 0, /0/],
  ['an object', { reason: 'no luck' }, /an object/],
  ['a frozen object', Object.freeze({}), /an object/],
]
const ways: Record<string, (value: unknown) => Loose> = {
  'throws (sync)': (value) =>
    function broken() {
      throw value
    },
  rejects: (value) =>
    async function broken() {
      await tick()
      throw value
    },
  'throws before done': (value) =>
    function broken(_child: Loose, _options: Loose, _done: Loose) {
      throw value
    },
  'calls done with': (value) =>
    function broken(_child: Loose, _options: Loose, done: Loose) {
      setImmediate(() => done(value))
    },
}
for (const [way, make] of Object.entries(ways)) {
  for (const [what, value, told] of thrown) {
    // done() and done(null) say that all is well.
    if (way === 'calls done with' && value == null) continue
    test(`a plugin that ${way} ${what} stops the boot with an error that names it`, async () => {
      const app = espalier() as Loose
      app.register(async function outer(child: Loose) {
        child.register(make(value))
      })
      const error = await failure(app)
      assert.ok(error instanceof Error)
      assert.equal((error as Loose).code, 'ESP_ERR_PLUGIN_FAILED')
      assert.match(error.message, /'root > outer > broken'/)
      assert.match(error.message, told)
      assert.equal(error.cause, value)
    })
  }
}

test('plugins behind one that fails do not load', async () => {
  const app = espalier() as Loose
  let loaded = false
  app.register(async () => {
    throw new Error('no luck')
  })
  app.register(async () => (loaded = true))
  await failure(app)
  assert.equal(loaded, false)
})

test('after a boot that failed, ready, inject and listen all reject with the same error', async () => {
  const app = espalier() as Loose
  app.register(async function broken() {
    throw new Error('no luck')
  })
  const error = await failure(app)
  const same = (other: unknown) => other === error
  await assert.rejects(app.ready(), same)
  await assert.rejects(app.inject('/'), same)
  await assert.rejects(app.listen({ port: 0 }), same)
  assert.equal(app.server.listening, false)
  await app.close()
})

test('ready calls back with the error of a boot that failed', async () => {
  const app = espalier() as Loose
  app.register(async function broken() {
    throw new Error('no luck')
  })
  const { message } = await new Promise<Loose>((resolve) => app.ready(resolve))
  assert.match(message, /broken.*no luck/)
})

const endless: Record<string, Loose> = {
  'never calls done': function endless(_child: Loose, _options: Loose, _done: Loose) {},
  'never settles its promise': function endless() {
    return new Promise(() => {})
  },
}
for (const [way, given] of Object.entries(endless)) {
  test(`a plugin that ${way} stops the boot after pluginTimeout, with an error that names it`, async () => {
    const app = espalier({ pluginTimeout: 20 }) as Loose
    app.register(async function outer(child: Loose) {
      child.register(given)
    })
    const error = await failure(app)
    assert.equal(error.code, 'ESP_ERR_PLUGIN_TIMEOUT')
    assert.match(error.message, /'root > outer > endless'/)
    assert.match(error.message, /20 ms/)
  })
}

test('a plugin that never finishes is named, even when one that awaits it is out of time first', async () => {
  const app = espalier({ pluginTimeout: 40 }) as Loose
  app.register(async function waiting(child: Loose) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    await child.register(async function endless() {
      await new Promise(() => {})
    })
  })
  assert.match((await failure(app)).message, /'root > waiting > endless'/)
})

test('pluginTimeout is 10 seconds unless it is given, and 0 for no limit', async (context) => {
  const slow = (_child: Loose, _options: Loose, done: () => void) => void setTimeout(done, 60_000)
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const outcome = async (options: object) => {
    const app = (espalier(options) as Loose).register(slow)
    let result = 'still loading'
    app.ready().then(
      () => (result = 'ready'),
      (error: Loose) => (result = error.code),
    )
    const results: string[] = []
    for (const ms of [9_990, 20, 50_000]) {
      for (let turn = 0; turn < 10; turn++) await tick()
      context.mock.timers.tick(ms)
      for (let turn = 0; turn < 10; turn++) await tick()
      results.push(result)
    }
    return results
  }
  const timeout = 'ESP_ERR_PLUGIN_TIMEOUT'
  assert.deepEqual(await outcome({}), ['still loading', timeout, timeout])
  assert.deepEqual(await outcome({ pluginTimeout: 0 }), ['still loading', 'still loading', 'ready'])
})

test('a plugin that is async and takes done is an error that names it and says why', async () => {
  const app = espalier() as Loose
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- that it takes done is the point
  const both = async function both(child: Loose, options: Loose, done: Loose) {}
  const expected = {
    code: 'ESP_ERR_PLUGIN_INVALID_ASYNC_HANDLER',
    message: /'(.* > )?both'.*async.*done/,
  }
  assert.throws(() => app.register(both), expected)
  assert.throws(() => app.register(shared(both as Loose)), expected)
  assert.throws(() => app.register({ default: both }), expected)
})

test('what is no function cannot be registered; the error says where and what it was', async () => {
  const app = espalier() as Loose
  app.register(async function outer(child: Loose) {
    for (const [given, told] of [
      [undefined, /undefined/],
      [null, /null/],
      ['a-plugin', /'a-plugin'/],
      [{}, /an object/],
      [{ default: 7 }, /an object/],
      [[], /an array/],
    ] as const) {
      const expected = { code: 'ESP_ERR_PLUGIN_NOT_VALID', message: told }
      assert.throws(() => child.register(given), expected)
      assert.throws(() => child.register(given), /root > outer/)
    }
  })
  await app.ready()
})

test('a plugin between the first parentheses of plugin()() is an error at once: it was never called', () => {
  const tool = plugin as Loose
  const expected = { code: 'ESP_ERR_PLUGIN_TOOL', message: /was given a function: plugin\(\)\(…\)/ }
  assert.throws(() => tool(() => {}), expected)
  assert.throws(() => tool(undefined), { code: 'ESP_ERR_PLUGIN_TOOL' })
  assert.equal(typeof tool().shared, 'function')
})

test('a promise of what is no function stops the boot with an error that says so', async () => {
  const app = (espalier() as Loose).register(Promise.resolve({ default: 7 }))
  assert.equal((await failure(app)).code, 'ESP_ERR_PLUGIN_NOT_VALID')
})

test('a promise of a module that rejects stops the boot, however late its turn comes', async () => {
  const app = espalier() as Loose
  app.register(async () => {
    for (let turn = 0; turn < 5; turn++) await tick()
  })
  app.register(Promise.reject(new Error('no such module')))
  assert.match((await failure(app)).message, /root.*no such module/)
})

test('the name of a plugin is that of its wrapper, its display name, or else its source', async () => {
  const fails = (name: string) => {
    const broken = async () => {
      throw new Error('no luck')
    }
    return Object.defineProperty(broken, 'name', { value: name })
  }
  const named: readonly (readonly [plugin: Loose, name: RegExp])[] = [
    [fails('plain'), /'root > plain'/],
    [shared(fails('wrapped')), /'root > wrapped'/],
    [fp(fails('ignored'), { name: '@scope/published' }), /'root > @scope\/published'/],
    [
      Object.assign(fails('x'), { [Symbol.for('fastify.display-name')]: 'shown' }),
      /'root > shown'/,
    ],
    [fails(''), /no luck/],
  ]
  for (const [given, name] of named) {
    const app = espalier() as Loose
    app.register(given)
    assert.match((await failure(app)).message, name)
  }
})

test('an error in after reaches its callback, which may answer for it', async () => {
  const app = espalier() as Loose
  const seen: Loose[] = []
  app.register(async function broken() {
    throw new Error('no luck')
  })
  app.after((error: Loose) => void seen.push(error))
  app.get('/', () => 'still there')
  assert.equal((await app.inject('/')).body, 'still there')
  assert.equal(seen.length, 1)
  assert.match(seen[0].message, /broken.*no luck/)
})

test('an after without an error parameter runs, and leaves the error to ready', async () => {
  const app = espalier() as Loose
  let called = false
  app.register(async function broken() {
    throw new Error('no luck')
  })
  app.after(() => (called = true))
  assert.match((await failure(app)).message, /broken.*no luck/)
  assert.equal(called, true)
})

for (const [what, value] of thrown.filter(
  ([name]) => name.includes('Error') || name === 'undefined',
)) {
  test(`an after callback that rejects with ${what} stops the boot`, async () => {
    const app = espalier() as Loose
    app.after(async () => {
      await tick()
      throw value
    })
    await failure(app)
  })
}

const calls: Record<string, (server: Loose) => unknown> = {
  register: (server) => server.register(async () => {}),
  route: (server) => server.route({ method: 'GET', url: '/', handler: () => 1 }),
  get: (server) => server.get('/', () => 1),
  all: (server) => server.all('/', () => 1),
  addSchema: (server) => server.addSchema({ $id: 'x' }),
  decorate: (server) => server.decorate('x', 1),
  decorateRequest: (server) => server.decorateRequest('x', 1),
  decorateReply: (server) => server.decorateReply('x', 1),
  addHook: (server) => server.addHook('onRequest', async () => {}),
  setErrorHandler: (server) => server.setErrorHandler(() => 1),
  setValidatorCompiler: (server) => server.setValidatorCompiler(() => () => true),
  setSerializerCompiler: (server) => server.setSerializerCompiler(() => () => ''),
  setSchemaErrorFormatter: (server) => server.setSchemaErrorFormatter(() => new Error('x')),
}
for (const [name, call] of Object.entries(calls)) {
  test(`${name} after ready is an error that names the method and the context`, async () => {
    const app = espalier() as Loose
    let kept: Loose
    app.register(async function inner(child: Loose) {
      kept = child
    })
    await app.ready()
    for (const [server, place] of [
      [app, 'root'],
      [kept, 'root > inner'],
    ]) {
      assert.throws(
        () => call(server),
        (error: Loose) => {
          assert.equal(error.code, 'ESP_ERR_INSTANCE_ALREADY_LISTENING')
          assert.ok(error.message.includes(`'${name}' was called in ${place} after`), error.message)
          return true
        },
      )
    }
  })
}

test('after is an error after ready, and does not wait for ever', async () => {
  const app = await espalier().ready()
  assert.throws(() => app.after(() => {}), { code: 'ESP_ERR_INSTANCE_ALREADY_LISTENING' })
})
