import assert from 'node:assert/strict'
import { test } from 'node:test'
import swagger from '@fastify/swagger'
import espalier, { shared, t } from '../../src/index.ts'

type Loose = any

const untyped = (options?: Loose): Loose => espalier(options)

test('onRoute sees each route, here and below, and those for HEAD, in the order of declaration', async () => {
  const seen: string[] = []
  const app = untyped()
    .get('/before', () => '')
    .addHook('onRoute', ({ method, url, path, routePath, prefix }: Loose) => {
      seen.push(`${method} ${url} ${path} '${routePath}' '${prefix}'`)
    })
    .get('/here', () => '')
    .register(async (child: Loose) => child.post('/there', () => '').get('/', () => ''), {
      prefix: '/v1',
    })
  await app.ready()
  assert.deepEqual(seen, [
    "GET /before /before '/before' ''",
    "HEAD /before /before '/before' ''",
    "GET /here /here '/here' ''",
    "HEAD /here /here '/here' ''",
    "POST /v1/there /v1/there '/there' '/v1'",
    "GET /v1 /v1 '' '/v1'",
    "HEAD /v1 /v1 '' '/v1'",
  ])
})

test('onRoute of a plugin does not see the routes above or beside it', async () => {
  const seen: string[] = []
  const app = untyped()
  app.register(async (child: Loose) => {
    child.addHook('onRoute', (route: Loose) => seen.push(route.url))
    child.post('/own', () => '')
  })
  app.register(async (child: Loose) => child.post('/beside', () => ''))
  app.after(() => app.post('/above', () => ''))
  await app.ready()
  assert.deepEqual(seen, ['/own'])
})

test('onRoute of a shared plugin sees the routes that are declared behind it', async () => {
  const seen: string[] = []
  const app = untyped()
  await app.register(
    shared(async (same: Loose) => same.addHook('onRoute', (route: Loose) => seen.push(route.url))),
  )
  app.post('/later', () => '')
  await app.ready()
  assert.deepEqual(seen, ['/later'])
})

test('this in onRoute is the server of the route, and its list of methods is as it was given', async () => {
  const app = untyped()
  const servers: unknown[] = []
  const methods: unknown[] = []
  app.addHook('onRoute', function (this: unknown, route: Loose) {
    servers.push(this)
    methods.push(route.method)
  })
  app.route({ method: ['PUT', 'POST'], url: '/', handler: () => '' })
  let inner: unknown
  app.register(async (child: Loose) => {
    inner = child
    child.delete('/x', () => '')
  })
  await app.ready()
  assert.deepEqual(methods, [['PUT', 'POST'], 'DELETE'])
  assert.equal(servers[0], app)
  assert.equal(servers[1], inner)
})

test('what onRoute changes and adds takes effect, and what was given stays as it was', async () => {
  const options = { preHandler: async (request: Loose) => void request.trace.push('own') }
  const app = untyped()
    .decorateRequest('trace', null)
    .addHook('onRoute', (route: Loose) => {
      if (route.method === 'HEAD') return
      route.onRequest = async (request: Loose) => void (request.trace = ['added'])
      route.preHandler = [
        ...[route.preHandler].flat(),
        async (r: Loose) => void r.trace.push('one'),
      ]
      route.schema = { querystring: t.Object({ n: t.Integer() }) }
      route.config = { ...route.config, tag: 'x' }
      const { handler } = route
      route.handler = async (request: Loose, reply: Loose) => ({
        given: await handler(request, reply),
        trace: request.trace,
        n: request.query.n,
        config: request.routeOptions.config,
      })
    })
    .get('/a', options, () => 'answer')
  assert.deepEqual((await app.inject('/a?n=7')).json(), {
    given: 'answer',
    trace: ['added', 'own', 'one'],
    n: 7,
    config: { tag: 'x', url: '/a', method: 'GET' },
  })
  assert.equal((await app.inject('/a?n=x')).statusCode, 400)
  assert.deepEqual(Object.keys(options), ['preHandler'])
})

test('onRoute may declare more routes, and take a HEAD route in hand', async () => {
  const app = untyped()
    .addHook('onRoute', function (this: Loose, route: Loose) {
      if (route.method === 'GET' && !route.url.endsWith('/twin')) {
        this.get(`${route.url}/twin`, () => 'twin')
      }
      if (route.method === 'HEAD') {
        route.onSend = async (_request: Loose, reply: Loose) => void reply.header('x-head', 'yes')
      }
    })
    .get('/a', () => 'a')
  assert.equal((await app.inject('/a/twin')).body, 'twin')
  assert.equal((await app.inject('/a')).headers['x-head'], undefined)
  assert.equal((await app.inject({ method: 'HEAD', url: '/a' })).headers['x-head'], 'yes')
})

test('onRoute may change the url, but not take it out of its prefix', async () => {
  const app = untyped()
  app.addHook('onRoute', (route: Loose) => (route.url = route.url.replace('old', 'new')))
  app.register(async (child: Loose) => child.get('/old', () => 'found'), { prefix: '/v1' })
  assert.equal((await app.inject('/v1/new')).body, 'found')
  assert.equal((await app.inject('/v1/old')).statusCode, 404)

  const wrong = untyped()
  wrong.addHook('onRoute', (route: Loose) => (route.url = '/elsewhere'))
  wrong.register(async (child: Loose) => child.get('/x', () => ''), { prefix: '/v1' })
  await assert.rejects(wrong.ready(), { code: 'ESP_ERR_ROUTE_PATH', message: /\/elsewhere/ })
})

test('a route that onRoute makes wrong is refused where it is declared, as one that it throws for', () => {
  const app = untyped().addHook('onRoute', (route: Loose) => {
    if (route.url === '/bad') route.handler = 'no function'
    if (route.url === '/never') throw new Error('not this one')
  })
  assert.throws(() => app.get('/bad', () => ''), { code: 'ESP_ERR_ROUTE_MISSING_HANDLER' })
  assert.throws(() => app.get('/never', () => ''), { message: 'not this one' })
})

test('a slash below a prefix is one route to onRoute, whose changes hold for both of its paths', async () => {
  let calls = 0
  const app = untyped({ exposeHeadRoutes: false })
  app.addHook('onRoute', (route: Loose) => {
    calls++
    route.onSend = async () => 'changed'
  })
  app.register(async (child: Loose) => child.get('/', () => ''), { prefix: '/v1' })
  assert.equal((await app.inject('/v1')).body, 'changed')
  assert.equal((await app.inject('/v1/')).body, 'changed')
  assert.equal(calls, 1)
})

test('a route of a slash below a prefix is kept with its slash by who keeps it, as it is documented', async () => {
  const app = untyped({ exposeHeadRoutes: false })
  const [seen, kept]: [string[], Loose[]] = [[], []]
  app.addHook('onRoute', (route: Loose) => {
    seen.push(route.url)
    kept.push(route)
  })
  const handler = () => ''
  for (const prefixTrailingSlash of ['both', 'slash', 'no-slash']) {
    const options = { prefix: `/${prefixTrailingSlash}` }
    app.register(async (child: Loose) => child.get('/', { prefixTrailingSlash }, handler), options)
  }
  app.register(async (child: Loose) => child.get('', handler), { prefix: '/empty' })
  await app.ready()
  assert.deepEqual(seen, ['/both', '/slash/', '/no-slash', '/empty'])
  assert.deepEqual(
    kept.map(({ url, path, routePath }) => [url, path, routePath]),
    [
      ['/both/', '/both/', '/'],
      ['/slash/', '/slash/', '/'],
      ['/no-slash', '/no-slash', ''],
      ['/empty', '/empty', ''],
    ],
  )
  for (const url of kept.map((route) => route.url)) {
    assert.equal((await app.inject(url)).statusCode, 200)
  }
})

test('what @fastify/swagger documents of paths and of required properties is what the server does', async () => {
  const app = untyped()
  await app.register(swagger, { openapi: {} })
  const querystring = {
    page: t.Integer({ default: 1 }),
    word: t.String(),
    last: t.Optional(t.String()),
  }
  app.register(
    async (child: Loose) =>
      child.get('/', { schema: { querystring } }, ({ query }: Loose) => query),
    { prefix: '/pages' },
  )
  await app.ready()
  const { paths } = app.swagger()
  assert.deepEqual(Object.keys(paths), ['/pages/'])
  const required = paths['/pages/'].get.parameters.map((each: Loose) => [each.name, each.required])
  assert.deepEqual(required, [
    ['page', false],
    ['word', true],
    ['last', false],
  ])
  assert.deepEqual((await app.inject('/pages/?word=a')).json(), { page: 1, word: 'a' })
  assert.equal((await app.inject('/pages/?page=1')).statusCode, 400)
})
