import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineRoute, espalier, fastify, shared } from '../../src/index.ts'

// The compiler refuses these options.
type Loose = any

const code = 'ESP_ERR_ROUTE_OPTION'
const handler = (): string => 'here'

const failure = (app: Loose): Promise<{ code?: string; message: string }> =>
  app.ready().then(
    () => ({ message: 'booted' }),
    (error: { code: string; message: string }) => error,
  )

const ways: Record<string, (app: Loose, options: object) => unknown> = {
  'a shortcut': (app, options) => app.post('/a', options, handler),
  'a shortcut, with the handler in the options': (app, options) =>
    app.post('/a', { ...options, handler }),
  'app.all': (app, options) => app.all('/a', options, handler),
  'app.route': (app, options) => app.route({ method: 'POST', url: '/a', handler, ...options }),
  defineRoute: (app, options) =>
    app.route(defineRoute({ method: 'POST', url: '/a', handler, ...options } as Loose)),
  addRoutes: (app, options) =>
    app.addRoutes([defineRoute({ method: 'POST', url: '/a', handler, ...options } as Loose)]),
}
const parts = ['body', 'querystring', 'query', 'params', 'headers', 'response']

for (const [way, declare] of Object.entries(ways)) {
  test(`a part of a schema beside it stops the boot and says where it belongs (${way})`, async () => {
    for (const part of parts) {
      const app: Loose = espalier()
      app.register(async function users(child: Loose) {
        declare(child, { [part]: { type: 'object' } })
      })
      const error = await failure(app)
      assert.equal(error.code, code)
      assert.match(error.message, /\/a' in root > users/)
      assert.match(error.message, new RegExp(`'${part}'.*Write \\{ schema: \\{ ${part}: … \\} \\}`))
    }
  })

  test(`an option that nobody knows stops the boot (${way})`, async () => {
    const app: Loose = espalier()
    declare(app, { websocket: true })
    const error = await failure(app)
    assert.equal(error.code, code)
    assert.match(error.message, /'websocket' of route '.*\/a' in root is unknown/)
  })

  test(`the factory fastify takes parts and unknown options for nothing (${way})`, async () => {
    const app: Loose = fastify()
    declare(app, { websocket: true, response: { 200: { type: 'integer' } } })
    assert.equal((await app.inject({ method: 'POST', url: '/a' })).body, 'here')
  })
}

test('the message for an unknown option names the one that may be meant', async () => {
  for (const [given, meant] of [
    ['preHandlers', 'preHandler'],
    ['onSent', 'onSend'],
    ['bodylimit', 'bodyLimit'],
    ['schemas', 'schema'],
    ['configs', 'config'],
  ] as const) {
    const app: Loose = espalier()
    app.get('/', { [given]: {} }, handler)
    assert.match((await failure(app)).message, new RegExp(`Did you mean '${meant}'\\?`))
  }
})

test('all options of a route are known', async () => {
  const app: Loose = espalier()
  const hooks = 'onRequest preParsing preValidation preHandler preSerialization onSend onResponse'
  const others = 'onError onTimeout onRequestAbort'
  const options = {
    ...Object.fromEntries(`${hooks} ${others}`.split(' ').map((name) => [name, []])),
    schema: {},
    config: {},
    attachValidation: true,
    exposeHeadRoute: false,
    constraints: {},
    prefixTrailingSlash: 'slash',
    bodyLimit: 1,
    handlerTimeout: 1000,
    validatorCompiler: () => () => true,
    serializerCompiler: () => JSON.stringify,
    errorHandler: () => undefined,
    schemaErrorFormatter: () => new Error('x'),
    logLevel: 'info',
    logSerializers: {},
    childLoggerFactory: (logger: Loose) => logger,
  }
  app.get('/', options, handler).route({ method: 'GET', path: '/x', handler, ...options })
  assert.equal((await app.inject('/')).body, 'here')
})

test('an option that is undefined is none', async () => {
  const app: Loose = espalier()
  app.get('/', { websocket: undefined, body: undefined }, handler)
  assert.equal((await app.inject('/')).body, 'here')
})

const readers: Record<string, (route: Loose) => unknown> = {
  reads: (route) => route.flag === true,
  'takes out of the route': ({ flag }) => flag,
  sets: (route) => (route.flag = false),
  removes: (route) => delete route.flag,
  'asks for all of': (route) => ({ ...route }),
}
for (const [what, read] of Object.entries(readers)) {
  test(`an option is known that an onRoute hook ${what}`, async () => {
    const app: Loose = espalier().addHook('onRoute', (route: Loose) => void read(route))
    app.get('/', { flag: true }, handler)
    assert.equal((await app.inject('/')).body, 'here')
    assert.equal((await app.inject({ method: 'HEAD', url: '/' })).statusCode, 200)
  })
}

test('a hook that reads no option of a name leaves it unknown', async () => {
  const app: Loose = espalier().addHook('onRoute', (route: Loose) => route.other)
  app.get('/', { flag: true }, handler)
  const { message } = await failure(app)
  assert.match(
    message,
    /'flag' of route 'GET \/' in root is unknown to routes, and no onRoute hook of its scope reads it/,
  )
  assert.match(message, /Register the plugin that reads it in the context of the route, or above/)
})

test('a hook knows an option below its scope, also if it is added later, and not above or beside it', async () => {
  const knowing = async (scope: Loose): Promise<void> =>
    scope.addHook('onRoute', ({ flag }: Loose) => flag)
  const declare = (scope: Loose): void => scope.get('/', { flag: true }, handler)
  const below: Loose = espalier()
  below.register(shared(knowing as Loose))
  below.register(async (child: Loose) => child.register(async (inner: Loose) => declare(inner)))
  assert.equal((await failure(below)).message, 'booted')
  const beside: Loose = espalier()
  beside.register(knowing)
  beside.register(async (child: Loose) => declare(child))
  assert.equal((await failure(beside)).code, code)
  const before: Loose = espalier()
  declare(before)
  before.register(shared(knowing as Loose))
  assert.equal((await failure(before)).message, 'booted')
})

test('an option that a hook adds is known, as is a route that it declares anew', async () => {
  const seen: unknown[] = []
  const app: Loose = espalier()
  app.addHook('onRoute', function (this: Loose, route: Loose) {
    route.mine = 1
    if (route.method === 'GET' && route.url === '/') this.route({ ...route, url: '/copy' })
  })
  app.addHook('onRoute', ({ mine }: Loose) => void seen.push(mine))
  app.get('/', { exposeHeadRoute: false }, handler)
  assert.equal((await app.inject('/copy')).body, 'here')
  assert.deepEqual(seen, [1, 1])
})

test('a part of a schema is refused though a hook reads it, unless the hook takes it away', async () => {
  const body = { type: 'object', required: ['a'] }
  const listing: Loose = espalier().addHook('onRoute', (route: Loose) => ({ ...route }))
  listing.post('/', { body }, handler)
  assert.match((await failure(listing)).message, /'body'/)
  const moving: Loose = espalier().addHook('onRoute', (route: Loose) => {
    route.schema = { ...route.schema, body: route.body }
    delete route.body
  })
  moving.post('/', { body }, handler)
  const send = (payload: object): Promise<Loose> =>
    moving.inject({ method: 'POST', url: '/', payload })
  assert.deepEqual([(await send({})).statusCode, (await send({ a: 1 })).statusCode], [400, 200])
})

test('what a hook is shown of an unknown option stays as it was, also when all have run', async () => {
  let kept: Loose
  const app: Loose = espalier()
  app.addHook('onRoute', (route: Loose) => {
    route.flag = { ...route.flag, seen: true }
  })
  app.addHook('onRoute', (route: Loose) => {
    assert.deepEqual(Object.keys(route).includes('flag'), true)
    kept ??= route
  })
  const given = Object.freeze({ flag: Object.freeze({ a: 1 }) })
  app.post('/', given, handler)
  await app.ready()
  assert.deepEqual(
    [Object.getOwnPropertyDescriptor(kept, 'flag')?.value, given.flag],
    [{ a: 1, seen: true }, { a: 1 }],
  )
})
