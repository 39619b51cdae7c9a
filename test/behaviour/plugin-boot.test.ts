import assert from 'node:assert/strict'
import { test } from 'node:test'
import fp from 'fastify-plugin'
import espalier, { plugin, shared } from '../../src/index.ts'

type Loose = any

/** A server whose plugins note when they begin and end. */
function traced() {
  const trace: string[] = []
  return { app: espalier() as Loose, trace, note: (text: string) => trace.push(text) }
}

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

const forms = {
  'an async plugin': async (child: Loose) => void child.get('/', () => 'ok'),
  'an async plugin that returns its server': async (child: Loose) => child.get('/', () => 'ok'),
  'an async plugin that waits': async (child: Loose) => {
    await tick()
    child.get('/', () => 'ok')
  },
  'a sync plugin': (child: Loose) => void child.get('/', () => 'ok'),
  'a sync plugin that returns its server': (child: Loose) => child.get('/', () => 'ok'),
  'a sync plugin with options': (child: Loose, _options: Loose) => child.get('/', () => 'ok'),
  'a callback plugin': (child: Loose, _options: Loose, done: Loose) => {
    child.get('/', () => 'ok')
    done()
  },
  'a callback plugin that calls done later': (child: Loose, _options: Loose, done: Loose) => {
    setImmediate(() => {
      child.get('/', () => 'ok')
      done()
    })
  },
  'a callback plugin that passes null to done': (child: Loose, _options: Loose, done: Loose) => {
    child.get('/', () => 'ok')
    done(null)
  },
  'a sync plugin that returns what register returns': (child: Loose) =>
    child.register(async (nested: Loose) => nested.get('/', () => 'ok')),
  'an async plugin that returns what register returns': async (child: Loose) =>
    child.register(async (nested: Loose) => nested.get('/', () => 'ok')),
  'an async plugin that awaits register': async (child: Loose) => {
    await child.register(async (nested: Loose) => nested.get('/', () => 'ok'))
  },
  'an async plugin that returns what after returns': async (child: Loose) =>
    child.after(() => child.get('/', () => 'ok')),
  'a module with a default export': { default: async (child: Loose) => child.get('/', () => 'ok') },
  'a promise of a module': tick().then(() => ({
    default: async (child: Loose) => child.get('/', () => 'ok'),
  })),
  'a promise of a function': tick().then(() => (child: Loose) => child.get('/', () => 'ok')),
}
for (const [form, given] of Object.entries(forms)) {
  test(`${form} loads`, async () => {
    const app = espalier({ pluginTimeout: 2000 }) as Loose
    app.register(given)
    assert.equal((await app.inject('/')).body, 'ok')
  })
}

test('the default export of a module keeps its encapsulation, its options and its sharing', async () => {
  const add = () => (server: Loose, options: Loose) => server.decorateRequest(options.name, 1)
  const app = espalier() as Loose
  app.register({ default: add() }, { name: 'hidden' })
  app.register({ default: shared(add()) }, { name: 'open' })
  app.register(Promise.resolve({ default: add() }), { name: 'hiddenToo' })
  app.register(Promise.resolve({ default: fp(add() as Loose) }), { name: 'openToo' })
  await app.ready()
  const has = (name: string) => app.hasRequestDecorator(name)
  assert.deepEqual(['hidden', 'open', 'hiddenToo', 'openToo'].map(has), [false, true, false, true])
})

test('plugins load in the order of registration, depth first', async () => {
  const { app, trace, note } = traced()
  app.register(async (child: Loose) => {
    note('a begins')
    child.register(async (nested: Loose) => {
      note('a1')
      nested.register(async () => note('a1x'))
    })
    child.register((_nested: Loose, _options: Loose, done: Loose) => {
      note('a2')
      setImmediate(() => done())
    })
    await tick()
    note('a ends')
  })
  app.register(async () => note('b'))
  app.after(() => {
    note('after b')
    app.register(async () => note('c'))
  })
  app.register(async () => note('d'))
  await app.ready()
  const order = ['a begins', 'a ends', 'a1', 'a1x', 'a2', 'b', 'after b', 'c', 'd']
  assert.deepEqual(trace, order)
})

test('nothing loads before ready, inject or listen asks for it', async () => {
  const { app, trace, note } = traced()
  app.register(async () => note('loaded'))
  await tick()
  assert.deepEqual(trace, [])
  await app.ready()
  assert.deepEqual(trace, ['loaded'])
})

test('what register returns can be awaited: the plugin and all in it have loaded then', async () => {
  const { app, trace, note } = traced()
  const server = await app.register(async (child: Loose) => {
    note('child')
    await child.register(async (nested: Loose) => {
      nested.register(async () => note('innermost'))
    })
    note('child again')
  })
  note('awaited')
  assert.deepEqual(trace, ['child', 'innermost', 'child again', 'awaited'])
  assert.equal(server, app)
  assert.equal('then' in server, false)
})

test('what register returns can be chained, and each link gives a server that is not thenable', async () => {
  const app = espalier()
  const chained = app
    .register(async (child) => child.get('/a', () => 'a'))
    .register(async (child) => child.get('/b', () => 'b'))
    .decorateRequest('c', 'c')
    .get('/c', (request) => request.c)
  assert.equal('then' in chained, false)
  for (const name of ['a', 'b', 'c'] as const) {
    assert.equal((await chained.inject(`/${name}`)).body, name)
  }
})

test('a register that is awaited without success rejects, and so does ready', async () => {
  const app = espalier() as Loose
  const failure = /Plugin 'root > broken' did not load: no luck/
  const registered = app.register(async function broken() {
    throw new Error('no luck')
  })
  await assert.rejects(Promise.resolve(registered), failure)
  await assert.rejects(app.ready(), failure)
})

const prefixes: readonly (readonly [outer: string, inner: string, path: string, url: string])[] = [
  ['/v1', '/users', '/all', '/v1/users/all'],
  ['/v1/', '/users', '/all', '/v1/users/all'],
  ['/v1', '/users/', '/all', '/v1/users/all'],
  ['/v1', '', '/all', '/v1/all'],
  ['', '/users', '/all', '/users/all'],
  ['/', '/users', '/all', '/users/all'],
  ['/v1', '/', '/all', '/v1/all'],
  ['/', '/', '/all', '/all'],
  ['/v1', '/:id', '/all', '/v1/7/all'],
  ['/v1', '/users', '/', '/v1/users'],
  ['/v1', '/users', '/', '/v1/users/'],
  ['/v1', '/users', '', '/v1/users'],
  ['/', '/', '/', '/'],
]
for (const [outer, inner, path, url] of prefixes) {
  test(`prefixes '${outer}' and '${inner}' bring the route '${path}' to ${url}`, async () => {
    const app = espalier() as Loose
    const nested = (child: Loose) => child.get(path, () => 'found')
    app.register((child: Loose) => child.register(nested, { prefix: inner }), { prefix: outer })
    assert.equal((await app.inject(url)).body, 'found')
  })
}

test('prefix is the whole prefix of a context', async () => {
  const seen: string[] = []
  const app = espalier()
  app.register(
    async (child) => {
      seen.push(child.prefix)
      child.register(async (nested) => void seen.push(nested.prefix), { prefix: '/y' })
      child.register(async (nested) => void seen.push(nested.prefix))
    },
    { prefix: '/x' },
  )
  await app.ready()
  assert.deepEqual([app.prefix, ...seen], ['', '/x', '/x/y', '/x'])
})

test('a prefix that is no path is an error that names the plugin', async () => {
  for (const prefix of [7, {}]) {
    const app = espalier() as Loose
    app.register(async function wrong() {}, { prefix })
    await assert.rejects(app.ready(), {
      code: 'ESP_ERR_PLUGIN_PREFIX',
      message: /wrong.*must be a string/,
    })
  }
})

test('options reach the plugin as they were given, in each of its forms', async () => {
  const given = { prefix: '/p', keys: ['a'] }
  const seen: unknown[] = []
  const app = espalier() as Loose
  app.register(async (_child: Loose, options: Loose) => void seen.push(options), given)
  app.register((_child: Loose, options: Loose) => void seen.push(options), given)
  app.register(
    shared((_child: Loose, options: Loose) => void seen.push(options)),
    given,
  )
  app.register(
    plugin()((_child: Loose, options: Loose) => void seen.push(options)),
    given,
  )
  app.register((_child: Loose, options: Loose, done: Loose) => {
    seen.push(options)
    done()
  }, given)
  await app.ready()
  assert.equal(seen.length, 5)
  assert.ok(seen.every((options) => options === given))
})

test('a plugin that is registered without options gets an empty object', async () => {
  const seen: unknown[] = []
  const app = espalier() as Loose
  app.register(async (_child: Loose, options: Loose) => void seen.push(options))
  await app.ready()
  assert.deepEqual(seen, [{}])
})

test('options may be a function of the parent, called when the plugin is about to load', async () => {
  const app = espalier() as Loose
  app.register(
    async (outer: Loose) => {
      outer.register(shared(async (same: Loose) => same.decorate('db', 'a database')))
      outer.register(
        async (child: Loose, { db }: Loose) => child.get('/', () => db),
        (parent: Loose) => {
          assert.equal(parent, outer)
          return { db: parent.db, prefix: '/inner' }
        },
      )
    },
    { prefix: '/outer' },
  )
  assert.equal((await app.inject('/outer/inner')).body, 'a database')
})

test('a function of options that throws stops the boot with an error that names the plugin', async () => {
  const app = espalier() as Loose
  app.register(
    async function configured() {},
    () => {
      throw new Error('no settings')
    },
  )
  await assert.rejects(app.ready(), /root > configured.*no settings/)
})

test('after runs when what was registered before it has loaded, and can be awaited', async () => {
  const { app, trace, note } = traced()
  app.register(async () => {
    await tick()
    note('a')
  })
  app.after(() => note('after a'))
  app.register(async () => note('b'))
  app.after((_error: Loose, done: Loose) => setImmediate(() => (note('after b'), done())))
  app.register(async () => note('c'))
  app.after(async () => {
    await tick()
    note('after c')
  })
  const server = await app.after()
  note('awaited')
  assert.equal(server, app)
  app.register(async () => note('d'))
  await app.ready()
  assert.deepEqual(trace, ['a', 'after a', 'b', 'after b', 'c', 'after c', 'awaited', 'd'])
})

test('ready resolves to the server, each time, and boots once', async () => {
  const { app, trace, note } = traced()
  app.register(async () => note('loaded'))
  assert.equal(await app.ready(), app)
  assert.equal(await app.ready(), app)
  await new Promise<void>((resolve) => app.ready(() => resolve()))
  assert.deepEqual(trace, ['loaded'])
})

test('ready calls back without an error, with this as the server', async () => {
  const app = espalier() as Loose
  await new Promise<void>((resolve, reject) => {
    app.ready(function (this: Loose, error: unknown) {
      if (error == null && this === app) resolve()
      else reject(error)
    })
  })
})
