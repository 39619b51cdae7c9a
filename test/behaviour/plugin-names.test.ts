import assert from 'node:assert/strict'
import { test } from 'node:test'
import fp from 'fastify-plugin'
import { adopt, espalier, fastify, plugin, shared } from '../../src/index.ts'
import type { Server } from '../../src/server/types/server.ts'

// Which routes and decorators a scope has in types matters to none of these tests.
type Loose = any

const failure = (app: Loose): Promise<string> =>
  app.ready().then(
    () => 'booted',
    (error: Error) => error.message,
  )

const twice = (child: Loose): void => {
  child.get('/x', () => 1)
  child.get('/x', () => 2)
}

test('a plugin without a name is called by its place among those of its scope', async () => {
  const app: Loose = espalier()
  app.register(async function users() {})
  app.register(async (child: Loose) => {
    child.register(async () => {})
    child.register(fp(async () => {}))
    child.register(async (inner: Loose) => twice(inner))
  })
  const message = await failure(app)
  assert.equal(message.split('root > 2nd plugin > 3rd plugin').length, 3)
  assert.doesNotMatch(message, /=>|\/x', \(/)
})

const ordinals = { 1: '1st', 2: '2nd', 3: '3rd', 4: '4th', 11: '11th', 12: '12th', 21: '21st' }
for (const [count, ordinal] of Object.entries(ordinals)) {
  test(`the plugin number ${count} is the ${ordinal} plugin`, async () => {
    const app: Loose = espalier()
    for (let at = 1; at < Number(count); at++) app.register(async () => {})
    app.register(async () => Promise.reject(new Error('kaboom')))
    assert.equal(await failure(app), `Plugin 'root > ${ordinal} plugin' did not load: kaboom`)
  })
}

const unnamed: Record<string, () => Loose> = {
  'an arrow function': () => [async (child: Loose) => twice(child)][0],
  'the default export of a module': () => ({ default: async (child: Loose) => twice(child) }),
  'a default export as it is called by its module': () =>
    Object.defineProperty(async (child: Loose) => twice(child), 'name', { value: 'default' }),
  'a module that is still imported': () =>
    Promise.resolve({ default: async (child: Loose) => twice(child) }),
  'a bound function': () => ((child: Loose) => twice(child)).bind(undefined),
  'one of plugin()': () => plugin()([async (child: Loose) => twice(child)][0] as Loose),
}
for (const [what, make] of Object.entries(unnamed)) {
  test(`${what} is called by its place`, async () => {
    const app: Loose = espalier()
    app.register(async () => {})
    app.register(make())
    assert.match(await failure(app), /root > 2nd plugin, again in root > 2nd plugin/)
  })
}

test('a shared plugin without a name is called by its place, whoever shares it', async () => {
  const fail = async (): Promise<void> => Promise.reject(new Error('kaboom'))
  const anonymous = (): Loose => [() => fail()][0]
  for (const make of [shared, plugin().shared, adopt()] as Loose[]) {
    const app: Loose = espalier()
    app.register(make(anonymous()))
    assert.equal(await failure(app), "Plugin 'root > 1st plugin' did not load: kaboom")
  }
})

test('messages that name a plugin show its path', async () => {
  const outer = async (child: Loose, given: readonly [Loose, Loose?]): Promise<void> =>
    child.register(...given)
  const told = (...given: readonly [Loose, Loose?]): Promise<string> =>
    failure(espalier().register(((app: Loose) => outer(app, given)) as Loose))
  assert.match(await told(async () => {}, { prefix: 1 }), /'root > 1st plugin > 1st plugin'/)
  assert.match(await told(async () => {}, { logLevel: 1 }), /'root > 1st plugin > 1st plugin'/)
  const both: Loose = [async (_app: Loose, _options: Loose, _done: Loose) => {}].at(0)
  assert.match(await told(both), /'root > 1st plugin > 1st plugin' is async/)
  assert.match(await told(fp(() => {}, { name: 'a', dependencies: ['b'] })), /'a' in root > 1st/)
  assert.throws(() => espalier().register(both), /'root > 1st plugin' is async/)
})

test('a plugin that does not end in time is called by its path', async () => {
  const app: Loose = espalier({ pluginTimeout: 20 })
  app.register((child: Loose, _options: Loose, done: Loose) => {
    child.register((_app: Loose, _given: Loose, _never: Loose) => {})
    done()
  })
  assert.match(await failure(app), /'root > 1st plugin > 1st plugin' did not load in 20 ms/)
})

test('a place is no name: no plugin is found by it', async () => {
  const app: Loose = espalier()
  let name = ''
  app.register((child: Loose) => (name = child.pluginName))
  await app.ready()
  assert.deepEqual([name, app.hasPlugin('1st plugin')], ['1st plugin', false])
  assert.match(app.printPlugins(), /1st plugin \d+ ms/)
  assert.match(app.printContexts(), /1st plugin/)
})

test('messages do not show the source of a plugin under the name fastify, but pluginName does', async () => {
  const create = fastify
  const app: Loose = create()
  let name = ''
  app.register(async (child: Loose) => {
    name = child.pluginName
    twice(child)
  })
  assert.match(await failure(app), /root > 1st plugin/)
  assert.match(name, /^async/)
})

test('a plugin may say its name, and what it depends on', async () => {
  const db = plugin().shared(async (app) => app.decorate('db', 1), { name: 'db' })
  const users = plugin<{ server: { db: number } }>()(
    async (app) => app.get('/users', ({ server }) => ({ db: server.db })),
    { name: 'users', dependencies: ['db'] },
  )
  const mail = shared(async (app: Server) => app.decorate('mail', 2), {
    name: 'mail',
    dependencies: ['db'],
  })
  const app = espalier().register(db).register(users, { prefix: '/v1' })
  assert.deepEqual((await app.inject('/v1/users')).json(), { db: 1 })
  assert.deepEqual([app.hasPlugin('db'), app.hasPlugin('users')], [true, true])
  const loose: Loose = espalier().register(db)
  assert.equal((await loose.register(mail)).mail, 2)
  assert.match(await failure(espalier().register(mail) as Loose), /'mail' in root depends on/)
  const lacking: Loose = espalier().register(users as Loose)
  assert.match(await failure(lacking), /'users' in root depends on the plugin 'db'/)
})

test('a plugin is named as it says, also where it is shared, and its function stays as it was', async () => {
  const fn = async function inner(child: Loose): Promise<void> {
    twice(child)
  }
  assert.match(
    await failure(espalier().register(plugin()(fn, { name: 'told' }) as Loose)),
    /> told/,
  )
  assert.match(await failure(espalier().register(fn as Loose)), /> inner/)
  const seen: boolean[] = []
  const app: Loose = espalier()
  const share = plugin().shared(async (scope) => scope.decorate('a', 1), { name: 'told' })
  app.register(share)
  app.register(async (child: Loose) => seen.push(child.hasPlugin('told')))
  await app.ready()
  assert.deepEqual([seen, app.a, app.pluginName], [[true], 1, 'fastify -> told'])
})

for (const facts of [
  null,
  'db',
  [],
  { name: '' },
  { name: 1 },
  { dependency: 'db' },
  { dependencies: 'db' },
  { dependencies: [1] },
]) {
  test(`a plugin that says ${JSON.stringify(facts)} of itself is refused`, () => {
    const code = 'ESP_ERR_PLUGIN_FACTS'
    assert.throws(() => plugin()(async () => {}, facts as Loose), { code })
    assert.throws(() => plugin().shared(async () => {}, facts as Loose), { code })
    assert.throws(() => shared(async () => {}, facts as Loose), { code })
  })
}

const wrapped: Record<string, () => Loose> = {
  'plugin().shared': () => plugin().shared(async (scope) => scope.decorate('db', 1)),
  shared: () => shared(async (scope: Loose) => scope.decorate('db', 1)),
  'a named one': () => plugin().shared(async (scope) => scope.decorate('db', 1), { name: 'own' }),
  'plugin()': () => plugin()(async (scope) => scope.decorate('db', 1)),
  'another of fastify-plugin': () => fp(async (scope: Loose) => scope.decorate('db', 1)),
}
for (const [what, make] of Object.entries(wrapped)) {
  for (const [dialect, create] of Object.entries({ espalier, fastify }) as [string, Loose][]) {
    test(`fastify-plugin around ${what} gives it a name and dependencies (${dialect})`, async () => {
      const app = create()
      app.register(fp(make(), { name: 'db' }))
      await app.ready()
      assert.deepEqual([app.db, app.hasPlugin('db')], [1, true])
      const other = create()
      other.register(fp(make(), { name: 'db', dependencies: ['none'] }))
      assert.match(await failure(other), /'db' in root depends on the plugin 'none'/)
      const within = create()
      within.register(fp(make(), { name: 'db', encapsulate: true }))
      await within.ready()
      assert.equal(within.db, undefined)
    })
  }
}

test('sharing a plugin of fastify-plugin keeps what it says of itself', async () => {
  for (const share of [shared, plugin().shared] as Loose[]) {
    const app: Loose = espalier()
    app.register(share(fp(async () => {}, { name: 'db', dependencies: ['none'] })))
    assert.match(await failure(app), /'db' in root depends on the plugin 'none'/)
  }
})
