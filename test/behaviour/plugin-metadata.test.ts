import assert from 'node:assert/strict'
import { test } from 'node:test'
import fp from 'fastify-plugin'
import espalier, { shared } from '../../src/index.ts'

type Loose = any

const untyped = (): Loose => espalier()
const wrap = (metadata: Loose, plugin: Loose = async () => {}): Loose => fp(plugin, metadata)

const good = [
  '4.x',
  '5.x',
  '^5.0.0',
  '^4.0.0 || ^5.0.0',
  '>=4',
  '>= 3',
  '5.7.1',
  '*',
  '>=5.0.0-rc.1',
]
for (const range of good) {
  test(`a plugin for Fastify '${range}' is accepted`, async () => {
    await untyped().register(wrap({ name: 'one', fastify: range }))
  })
}

for (const range of ['3.x', '>=6', '^2.0.0', 'no range', '>=4 <3']) {
  test(`a plugin for Fastify '${range}' is refused by name, when its turn comes`, async () => {
    const app = untyped()
    app.register(wrap({ name: 'one', fastify: range }))
    await assert.rejects(app.ready(), {
      code: 'ESP_ERR_PLUGIN_VERSION_MISMATCH',
      message: /'one'.*4\.x and 5\.x/,
    })
  })
}

test('a plugin may need decorators of the server, of requests and of replies', async () => {
  const decorators = { fastify: ['db'], request: ['user', 'body'], reply: ['page', 'raw'] }
  const app = untyped().decorate('db', 1).decorateRequest('user', null).decorateReply('page', null)
  app.register(async (child: Loose) => child.register(wrap({ name: 'one', decorators })))
  await app.ready()
})

const kinds = { fastify: 'server', request: 'request', reply: 'reply' }
for (const [key, kind] of Object.entries(kinds)) {
  test(`a plugin that needs a ${kind} decorator which is not there is refused by name`, async () => {
    const app = untyped()
    app.register(wrap({ name: 'one', decorators: { [key]: ['db'] } }))
    await assert.rejects(app.ready(), {
      code: 'ESP_ERR_PLUGIN_NOT_PRESENT_IN_INSTANCE',
      message: new RegExp(`'one'.*${kind} decorator 'db'`),
    })
  })
}

test('what plugins registered before have added is there when the turn of one comes', async () => {
  const app = untyped()
  app.register(wrap({ name: 'db' }, async (same: Loose) => same.decorate('db', 1)))
  app.register(wrap({ name: 'users', dependencies: ['db'], decorators: { fastify: ['db'] } }))
  app.register(async (child: Loose) => child.register(wrap({ name: 'x', dependencies: ['users'] })))
  await app.ready()
  assert.equal(app.hasPlugin('users'), true)
})

test('a plugin whose dependency is registered later, beside or not at all is refused by name', async () => {
  const expected = {
    code: 'ESP_ERR_PLUGIN_DEPENDENCY_MISSING',
    message: /'users'.*'db'.*not registered/,
  }
  const users = wrap({ name: 'users', dependencies: ['db'] })
  const later = untyped()
  later.register(users)
  later.register(wrap({ name: 'db' }))
  await assert.rejects(later.ready(), expected)
  const beside = untyped()
  beside.register(async (child: Loose) => child.register(wrap({ name: 'db' })))
  beside.register(users)
  await assert.rejects(beside.ready(), expected)
})

test('an encapsulated plugin is checked too, and keeps to itself what it adds', async () => {
  const app = untyped()
  const plugin = wrap({ name: 'one', encapsulate: true, dependencies: ['none'] })
  app.register(plugin)
  await assert.rejects(app.ready(), { code: 'ESP_ERR_PLUGIN_DEPENDENCY_MISSING' })
  const other = untyped()
  const add = async (child: Loose) => child.decorate('x', 1)
  await other.register(wrap({ name: 'one', encapsulate: true, fastify: '5.x' }, add))
  assert.equal(other.hasDecorator('x'), false)
})

test('the error of a check is one that after and ready are told of', async () => {
  const app = untyped()
  app.register(wrap({ name: 'one', fastify: '3.x' }))
  let told: Loose
  app.after((error: Loose) => (told = error))
  await app.ready()
  assert.equal(told.code, 'ESP_ERR_PLUGIN_VERSION_MISMATCH')
})

test('pluginName tells the plugin of a scope, and the shared plugins that ran in it', async () => {
  const app = untyped()
  const names: string[] = []
  assert.equal(app.pluginName, 'fastify')
  app.register(wrap({ name: 'auth' }))
  app.register(async function users(child: Loose) {
    names.push(child.pluginName)
    await child.register(shared(async function cache() {}))
    names.push(child.pluginName)
  })
  await app.ready()
  assert.deepEqual([...names, app.pluginName], ['users', 'users -> cache', 'fastify -> auth'])
})
