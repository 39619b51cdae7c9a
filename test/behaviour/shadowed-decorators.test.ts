import assert from 'node:assert/strict'
import { test } from 'node:test'
import { espalier, fastify, shared } from '../../src/index.ts'

// Which decorators a scope has in types matters to none of these tests.
type Loose = any

const code = 'ESP_ERR_DEC_ALREADY_PRESENT'
const fastifyCode = 'FST_ERR_DEC_ALREADY_PRESENT'
const calls = ['decorate', 'decorateRequest', 'decorateReply']
const values: Readonly<Record<string, () => unknown>> = {
  method: () => () => 'called',
  getter: () => ({ getter: () => 'read' }),
  text: () => 'text',
  null: () => null,
}
const kinds = Object.keys(values)
const make = (kind: string): unknown => values[kind]?.()

/** What decorating a child says where its parent has the name, by the kinds of both. */
async function decorateTwice(
  create: () => Loose,
  call: string,
  [above, below]: readonly [string, string],
): Promise<string> {
  const app = create()
  app[call]('name', make(above))
  app.register(async (child: Loose) => child[call]('name', make(below)))
  return app.ready().then(
    () => 'taken',
    (error: { code: string }) => error.code,
  )
}

for (const call of calls) {
  for (const above of kinds) {
    for (const below of kinds) {
      const isFree = call === 'decorate' || above === 'method' || above === 'getter'
      const verb = isFree ? 'may' : 'may not'
      test(`with ${call} of the factory fastify a ${below} of a child ${verb} shadow a ${above}`, async () => {
        assert.equal(
          await decorateTwice(fastify, call, [above, below]),
          isFree ? 'taken' : fastifyCode,
        )
        assert.equal(await decorateTwice(espalier, call, [above, below]), code)
      })
    }
  }
}

test('a method or a getter is shadowed in the child and below it, and nowhere else', async () => {
  const app: Loose = fastify()
  const say = (word: string) =>
    function (this: Loose) {
      return this.send(word)
    }
  const add = (scope: Loose, word: string): void => {
    scope.decorate('where', word)
    scope.decorateReply('say', say(word))
    scope.decorateRequest('who', { getter: () => word })
  }
  const routes = (scope: Loose, path: string): void => {
    scope.get(`${path}/say`, (_request: Loose, reply: Loose) => reply.say())
    scope.get(path, (request: Loose) => `${request.who} ${request.server.where}`)
  }
  add(app, 'root')
  routes(app, '/root')
  app.register(async (child: Loose) => {
    add(child, 'child')
    routes(child, '/child')
    child.register(async (below: Loose) => routes(below, '/below'))
  })
  app.register(async (sibling: Loose) => routes(sibling, '/sibling'))
  const seen = []
  for (const path of ['/root', '/child', '/below', '/sibling']) {
    seen.push((await app.inject(`${path}/say`)).body, (await app.inject(path)).body)
  }
  const [root, child] = [
    ['root', 'root root'],
    ['child', 'child child'],
  ]
  assert.deepEqual(seen, [root, child, child, root].flat())
})

/** A plugin as `fastify-plugin` makes them: published for Fastify. */
const published = (plugin: Loose, encapsulate = false): Loose =>
  Object.assign(plugin, {
    [Symbol.for('skip-override')]: !encapsulate,
    [Symbol.for('plugin-meta')]: { name: 'published' },
  })

for (const call of calls) {
  for (const kind of kinds) {
    const isFree = call === 'decorate' || kind === 'method' || kind === 'getter'
    test(`with ${call} of the factory espalier a plugin of Fastify ${isFree ? 'may' : 'may not'} shadow a ${kind}`, async () => {
      for (const encapsulate of [true, false]) {
        const app: Loose = espalier()
        app[call]('name', make(kind))
        const plugin = published(
          async (scope: Loose) => scope[call]('name', make('method')),
          encapsulate,
        )
        app.register(async (child: Loose) => child.register(plugin))
        if (isFree) await app.ready()
        else await assert.rejects(app.ready(), { code })
      }
    })
  }

  test(`${call} of the factory espalier in a plugin of Fastify may take a name that a child has, but not one of its scope or a built-in one`, async () => {
    const add = (name: string): Loose =>
      published(async (scope: Loose) => scope[call](name, () => 'own'))
    const below: Loose = espalier()
    below.register(async (child: Loose) => child.register(add('name'))).register(add('name'))
    await below.ready()
    const twice: Loose = espalier()
    twice.register(add('name')).register(add('name'))
    await assert.rejects(twice.ready(), { code })
    const builtIn = { decorate: 'inject', decorateRequest: 'validateInput', decorateReply: 'send' }
    const replacing: Loose = espalier()
    const name = builtIn[call as keyof typeof builtIn]
    replacing.register(async (child: Loose) => child.register(add(name)))
    await assert.rejects(replacing.ready(), { code })
  })
}

for (const call of calls) {
  test(`${call} of the factory fastify may take a name that a child took before`, async () => {
    const app: Loose = fastify()
    app.register(async (child: Loose) => child[call]('name', 'below'))
    app.register(shared(async (scope: Loose) => scope[call]('name', 'above')) as Loose)
    await app.ready()
  })

  test(`${call} refuses a name twice in one scope`, () => {
    for (const [app, shown] of [
      [fastify(), fastifyCode],
      [espalier(), code],
    ] as Loose[]) {
      app[call]('name', make('method'))
      assert.throws(() => app[call]('name', make('method')), { code: shown })
    }
  })
}

test('a child of the factory fastify may replace a built-in method, as a plugin for send does', async () => {
  const app: Loose = fastify()
  app.get('/', (_request: Loose, reply: Loose) => reply.send('plain'))
  app.register(async (child: Loose) => {
    child.decorate('inject', () => 'own')
    child.decorateReply('type', function (this: Loose, type: string) {
      return this.header('x-type', type)
    })
    child.get('/child', (_request: Loose, reply: Loose) => reply.type('text/x').send('typed'))
    assert.equal(child.inject(), 'own')
  })
  assert.equal((await app.inject('/')).body, 'plain')
  assert.equal((await app.inject('/child')).headers['x-type'], 'text/x')
})

test('what every request and reply has as its own is no name for a decorator', () => {
  const app: Loose = fastify()
  for (const name of ['raw', 'params', 'query', 'body', 'id', 'log']) {
    assert.throws(() => app.decorateRequest(name, 'x'), { code: fastifyCode }, name)
  }
  for (const name of ['raw', 'request', 'log']) {
    assert.throws(() => app.decorateReply(name, 'x'), { code: fastifyCode }, name)
  }
  for (const name of ['get', 'log', 'query', 'prefix']) {
    assert.throws(() => app.decorate(name, 'x'), { code: fastifyCode }, name)
  }
})

test('built-in names are taken in all scopes of the factory espalier', async () => {
  const app: Loose = espalier()
  assert.throws(() => app.decorateReply('send', () => 'x'), { code })
  app.register(async (child: Loose) => child.decorate('inject', () => 'own'))
  await assert.rejects(app.ready(), { code })
})
