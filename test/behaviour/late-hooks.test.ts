// Hooks and plugins that are added after the routes and contexts that they see.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import compress from '@fastify/compress'
import middie from '@fastify/middie'
import rateLimit from '@fastify/rate-limit'
import swagger from '@fastify/swagger'
import websocket from '@fastify/websocket'
import espalier, { fastify, shared, t } from '../../src/index.ts'

type Loose = any

const untyped = (options?: Loose): Loose => espalier(options)
const handler = (): string => 'here'
const code = 'ESP_ERR_HOOK_FAILED'
/** A shared plugin that adds a hook. */
const hooking = (hook: Loose, name = 'onRoute'): Loose =>
  shared((async (app: Loose) => app.addHook(name, hook)) as Loose)
const status = async (app: Loose, method: string, url: string): Promise<number> =>
  (await app.inject({ method, url })).statusCode

for (const [where, build] of Object.entries<() => Loose>({
  before: () => untyped().register(rateLimit, { max: 1 }).get('/login', handler),
  behind: () => untyped().get('/login', handler).register(rateLimit, { max: 1 }),
  'in a later plugin than': () =>
    untyped()
      .register(async (child: Loose) => child.get('/login', handler))
      .register(rateLimit, { max: 1 }),
})) {
  test(`@fastify/rate-limit that is registered ${where} a route of one chain limits it`, async () => {
    const app = build()
    assert.deepEqual(
      [await status(app, 'GET', '/login'), await status(app, 'GET', '/login')],
      [200, 429],
    )
  })
}

test('@fastify/swagger documents routes that were declared before it, with the schemas of their contexts', async () => {
  const app = untyped()
    .register(async (child: Loose) => {
      child.addSchema(t.Object({ name: t.String() }, { $id: 'User' }))
      child.post('/users', { schema: { body: { $ref: 'User#' } } }, handler)
    })
    .get('/early', { config: {} }, handler)
    .register(swagger, { openapi: {} })
    .get('/ws', { websocket: true }, handler)
    .register(websocket)
  await app.ready()
  const { components, paths } = app.swagger()
  // The hook of @fastify/websocket hides its routes from the document that was begun before.
  assert.deepEqual(Object.keys(paths).sort(), ['/early', '/users'])
  const { $ref } = paths['/users'].post.requestBody.content['application/json'].schema
  assert.equal(components.schemas[$ref.split('/').at(-1)].title, 'User')
})

test('@fastify/compress reads its option of a route that was declared before it', async () => {
  const app = untyped()
    .get('/', { compress: { threshold: 1 } }, handler)
    .register(compress, { global: false })
  const response = await app.inject({ url: '/', headers: { 'accept-encoding': 'gzip' } })
  assert.equal(response.headers['content-encoding'], 'gzip')
})

test('@fastify/middie runs its middleware also for a context that was opened before it', async () => {
  const app = untyped()
  app.register(async (child: Loose) => child.get('/', handler))
  app.register(middie)
  app.after(() => {
    app.use((_: Loose, response: Loose, next: () => void) => {
      response.setHeader('x-middleware', 'yes')
      next()
    })
  })
  assert.equal((await app.inject('/')).headers['x-middleware'], 'yes')
})

test('each hook sees each route of its scope once, in the order of declaration, HEAD behind its GET', async () => {
  const seen: Record<string, string[]> = { first: [], late: [], inner: [] }
  const into = (name: string) => (route: Loose) =>
    void seen[name]?.push(`${route.method} ${route.url}`)
  const app = untyped()
    .get('/1', handler)
    .register(hooking(into('first')))
    .post('/2', handler)
    .register(async (child: Loose) => {
      child.post('/3', handler)
      child.register(async (grandchild: Loose) => grandchild.post('/5', handler))
      child.addHook('onRoute', into('inner'))
      child.post('/4', handler)
    })
    .register(async (sibling: Loose) => sibling.post('/6', handler))
    .after(() => void app.addHook('onRoute', into('late')).post('/7', handler))
  await app.ready()
  const all = [
    'GET /1',
    'HEAD /1',
    'POST /2',
    'POST /3',
    'POST /4',
    'POST /5',
    'POST /6',
    'POST /7',
  ]
  assert.deepEqual(seen, { first: all, late: all, inner: ['POST /3', 'POST /4', 'POST /5'] })
})

test('a hook is called when its plugin has loaded, and what it uses is there', async () => {
  const app = untyped().get('/a', handler)
  await app.register(
    shared(((server: Loose) => {
      server.addHook('onRoute', ({ url }: Loose) => server.table.push(url))
      server.decorate('table', [])
    }) as Loose),
  )
  assert.deepEqual(app.table, ['/a', '/a'])
  const plain = untyped().get('/a', handler)
  plain.addHook('onRoute', ({ url }: Loose) => table.push(url))
  const table: string[] = []
  plain.post('/b', handler)
  assert.deepEqual(table, ['/a', '/a', '/b'])
})

test('what a late hook changes counts, in the same object that earlier hooks were given', async () => {
  const kept: Loose[] = []
  const seen: Loose[] = []
  const app = untyped()
    .addHook('onRoute', (route: Loose) => {
      kept.push(route)
      route.config = { first: true }
    })
    .decorateRequest('trace', null)
    .post('/a', { logLevel: 'warn', schema: { body: { n: t.Integer() } } }, () => 'given')
    .register(
      hooking((route: Loose) => {
        seen.push(route)
        route.onRequest = async (request: Loose) => void (request.trace = 'hooked')
        route.config = { ...route.config, late: true }
        route.errorHandler = async (error: Loose, _request: Loose, reply: Loose) =>
          reply.code(418).send({ message: error.message })
        route.schema.body.required = ['n', 'm']
        route.schema.body.properties.m = { type: 'integer' }
        const { handler: inner } = route
        route.handler = async (request: Loose) => {
          if (request.body.n === 0) throw new Error('none')
          const { config } = request.routeOptions
          return { trace: request.trace, config, inner: inner(), m: request.body.m }
        }
      }),
    )
  const send = (payload: object): Promise<Loose> =>
    app.inject({ method: 'POST', url: '/a', payload })
  assert.deepEqual((await send({ n: 1, m: '2' })).json(), {
    trace: 'hooked',
    config: { first: true, late: true, url: '/a', method: 'POST' },
    inner: 'given',
    m: 2,
  })
  assert.equal((await send({ n: 1 })).statusCode, 418)
  assert.deepEqual((await send({ n: 0, m: 1 })).json(), { message: 'none' })
  assert.equal(kept.length, 1)
  assert.equal(seen[0], kept[0])
})

test('a late hook sees HEAD routes, and may take them away or ask for them', async () => {
  const seen: string[] = []
  const app = untyped()
    .get('/a', handler)
    .get('/b', handler)
    .get('/c', { exposeHeadRoute: false }, handler)
    .head('/b', handler)
    .addHook('onRoute', (route: Loose) => {
      seen.push(`${route.method} ${route.url}`)
      if (route.url === '/a') route.exposeHeadRoute = false
      if (route.url === '/c') route.exposeHeadRoute = true
      if (route.method === 'HEAD')
        route.onSend = async (_: Loose, reply: Loose) => void reply.header('x-head', 'yes')
    })
  await app.ready()
  assert.deepEqual(seen, ['GET /a', 'GET /b', 'HEAD /b', 'GET /c', 'HEAD /b', 'HEAD /c'])
  assert.deepEqual([await status(app, 'HEAD', '/a'), await status(app, 'HEAD', '/b')], [404, 200])
  const { headers } = await app.inject({ method: 'HEAD', url: '/c' })
  assert.equal(headers['x-head'], 'yes')
})

test('a late hook may move routes, also to where others were', async () => {
  const app = untyped()
    .get('/old', () => 'first')
    .get('/older', () => 'second')
    .register(async (child: Loose) => child.get('/', () => 'third'), { prefix: '/v1' })
  await app.register(
    hooking((route: Loose) => {
      if (route.url === '/older') route.url = '/old'
      else if (route.url === '/old') route.url = '/new'
      else route.constraints = { host: 'x.example' }
    }),
  )
  assert.equal(app.hasRoute({ method: 'GET', url: '/older' }), false)
  assert.match(app.printRoutes({ commonPrefix: false }), /\/new \(GET, HEAD\)/)
  const text = async (url: string, host = 'localhost') =>
    (await app.inject({ url, headers: { host } })).body
  assert.deepEqual([await text('/new'), await text('/old')], ['first', 'second'])
  assert.deepEqual(
    [await text('/v1', 'x.example'), await text('/v1/', 'x.example')],
    ['third', 'third'],
  )
  assert.equal(await status(app, 'GET', '/v1'), 404)
  assert.equal(await status(app, 'HEAD', '/old'), 200)
  assert.equal(await status(app, 'HEAD', '/older'), 404)
})

test('a late hook may change constraints in place', async () => {
  const app = untyped().get('/a', { constraints: {} }, handler)
  app.addHook('onRoute', (route: Loose) => (route.constraints.host = 'x.example'))
  assert.equal(await status(app, 'GET', '/a'), 404)
})

test('a late hook may declare routes, which hooks see once each, also in the place of what it moves', async () => {
  const seen: string[] = []
  const app = untyped({ exposeHeadRoutes: false })
    .get('/a', handler)
    .get('/b', handler)
    .addHook('onRoute', function (this: Loose, route: Loose) {
      if (route.config?.isMoved) return
      this.get(route.url, { config: { isMoved: true } }, () => 'moved')
      route.url = `/v1${route.url}`
    })
    .addHook('onRoute', ({ url }: Loose) => void seen.push(url))
  await app.ready()
  assert.deepEqual(seen, ['/a', '/v1/a', '/b', '/v1/b'])
  assert.equal((await app.inject('/a')).body, 'moved')
  assert.equal((await app.inject('/v1/b')).body, 'here')
})

test('a hook that declares a route for each route does not run for ever', async () => {
  const app = untyped().get('/a', handler)
  app.addHook('onRoute', function (this: Loose, { url }: Loose) {
    this.post(`${url}/x`, handler)
  })
  await assert.rejects(app.ready(), { code, message: /Maximum call stack/ })
})

for (const [where, add] of Object.entries<(app: Loose, hook: Loose) => void>({
  'in a chain': (app, hook) => app.addHook('onRoute', hook),
  'in a plugin': (app, hook) => app.register(hooking(hook)),
  'in an after callback': (app, hook) => app.after(() => void app.addHook('onRoute', hook)),
})) {
  test(`a late hook that was added ${where} may register plugins`, async () => {
    const app = untyped().get('/a', handler)
    add(app, ({ method, url }: Loose) => {
      if (method !== 'GET' || url !== '/a') return
      app.register(async (child: Loose) => child.post('/b', handler))
    })
    assert.equal(await status(app, 'POST', '/b'), 200)
  })
}

test('a route keeps the options that it was declared with, also if the caller changes them for the next', async () => {
  const app = untyped()
  const options = { method: 'POST', url: '/a', handler: () => 'a', config: { name: 'a' } }
  app.route(options)
  app.route(Object.assign(options, { url: '/b', handler: () => 'b', config: { name: 'b' } }))
  const seen: Loose[] = []
  app.addHook('onRoute', ({ url, config }: Loose) => void seen.push([url, config.name]))
  assert.equal((await app.inject({ method: 'POST', url: '/a' })).body, 'a')
  assert.equal((await app.inject({ method: 'POST', url: '/b' })).body, 'b')
  assert.deepEqual(seen, [
    ['/a', 'a'],
    ['/b', 'b'],
  ])
})

test('a hook that a hook adds sees all routes', async () => {
  const seen: string[] = []
  const app = untyped().post('/a', handler)
  let isAdded = false
  app.addHook('onRoute', function (this: Loose) {
    if (isAdded) return
    isAdded = true
    app.addHook('onRoute', ({ url }: Loose) => seen.push(url))
  })
  app.post('/b', handler)
  await app.ready()
  assert.deepEqual(seen, ['/a', '/b'])
})

const failing = {
  'throws for it': [() => assert.fail('not this one'), /failed: not this one/],
  'makes it wrong': [
    (route: Loose) => (route.handler = 'no function'),
    /failed: Route 'GET \/a' .*no handler/,
  ],
  'takes it out of its prefix': [
    (route: Loose) => (route.url = '/elsewhere'),
    /failed: The path '\/elsewhere'/,
  ],
  'moves it to another one': [
    (route: Loose) => (route.url = '/v1/b'),
    /failed: Route 'GET \/v1\/b' is declared twice/,
  ],
} as const
for (const [what, [hook, reason]] of Object.entries(failing)) {
  test(`a late hook that ${what} stops the boot, which names the route and who added the hook`, async () => {
    const app = untyped()
    app.register(
      async function users(child: Loose) {
        child.get('/a', handler)
        child.get('/b', handler)
      },
      { prefix: '/v1' },
    )
    app.register(
      shared(async (same: Loose) => void same.addHook('onRoute', hook), {
        name: 'limits',
      }) as Loose,
    )
    // The error is not lost, also if somebody takes it.
    app.after((_error: unknown) => undefined)
    const error: Loose = await app.ready().catch((failure: unknown) => failure)
    assert.equal(error.code, code)
    assert.match(
      error.message,
      /The 'onRoute' of root, by the plugin 'root > limits' for the earlier route 'GET \/[ab]'/,
    )
    assert.match(error.message, /in root > users failed/)
    assert.match(error.message, reason)
  })
}

test('a hook is refused once routes are compiled', async () => {
  const app = untyped().get('/a', handler)
  app.addHook('onReady', async () => app.addHook('onRoute', handler))
  await assert.rejects(app.ready(), { code: 'ESP_ERR_INSTANCE_ALREADY_LISTENING' })
})

test('onRegister sees each context of its scope once, with its options, also those that were opened before', async () => {
  const seen: string[] = []
  const note = ({ prefix }: Loose, { tag }: Loose) => void seen.push(`${prefix} ${tag}`)
  const app = untyped()
    .register(
      async (child: Loose) => child.register(async () => undefined, { prefix: '/b', tag: 2 }),
      {
        prefix: '/a',
        tag: 1,
      },
    )
    .register(hooking(note, 'onRegister'))
    .register(async () => undefined, { prefix: '/c', tag: 3 })
  await app.ready()
  // Earlier contexts come last, when what they inherit is complete.
  assert.deepEqual(seen, ['/c 3', '/a 1', '/a/b 2'])
})

test('servers of fastify keep its order: a hook sees what comes after it', async () => {
  const seen: string[] = []
  const app: Loose = fastify({ exposeHeadRoutes: false })
  app.get('/a', handler)
  app.register(async (child: Loose) => child.get('/b', handler))
  app.register(hooking(({ url }: Loose) => void seen.push(url)))
  app.register(hooking(({ pluginName }: Loose) => void seen.push(pluginName), 'onRegister'))
  app.register(async function late(child: Loose) {
    child.get('/c', handler)
  })
  await app.ready()
  assert.deepEqual(seen, ['late', '/c'])
})
