import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier, { t } from '../../src/index.ts'
import { untyped } from '../support/untyped.ts'

type Loose = any

const shortcuts = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const

for (const name of shortcuts) {
  const method = name.toUpperCase() as Uppercase<typeof name>

  test(`${name}() declares a route of ${method}, with and without options, and of no other method`, async () => {
    const app = espalier({ exposeHeadRoutes: false }) as Loose
    const handler = (request: Loose, reply: Loose) => reply.header('seen', request.method).send()
    app[name]('/short', handler)
    app[name]('/long', { config: {} }, handler)
    app[name]('/inside', { handler })
    for (const url of ['/short', '/long', '/inside']) {
      const response = await app.inject({ method, url })
      assert.deepEqual([response.statusCode, response.headers.seen], [200, method], url)
    }
    for (const other of shortcuts.map((each) => each.toUpperCase())) {
      if (other === method) continue
      assert.equal((await app.inject({ method: other, url: '/short' })).statusCode, 404, other)
    }
  })
}

test('all() declares a route of every method', async () => {
  const app = espalier().all('/', (request, reply) => reply.header('seen', request.method).send())
  for (const name of shortcuts) {
    const method = name.toUpperCase() as 'GET'
    const response = await app.inject({ method, url: '/' })
    assert.deepEqual([response.statusCode, response.headers['seen']], [200, method])
  }
})

test('route() takes one method or several, in any case, and url or path', async () => {
  const app = espalier()
    .route({ method: 'get', url: '/one', handler: () => 'one' })
    .route({ method: ['POST', 'put'], path: '/two', handler: (request) => request.method })
  assert.equal((await app.inject('/one')).body, 'one')
  assert.equal((await app.inject({ method: 'POST', url: '/two' })).body, 'POST')
  assert.equal((await app.inject({ method: 'PUT', url: '/two' })).body, 'PUT')
  assert.equal((await app.inject('/two')).statusCode, 404)
})

test('a list with GET and HEAD is answered by its handler for both, in either order', async () => {
  const methods: ('GET' | 'HEAD')[] = ['GET', 'HEAD']
  for (const method of [methods, [...methods].reverse()]) {
    const app = espalier().route({
      method,
      url: '/',
      handler: (request, reply) => reply.header('seen', request.method).send('x'),
    })
    assert.equal((await app.inject({ method: 'GET', url: '/' })).headers['seen'], 'GET')
    assert.equal((await app.inject({ method: 'HEAD', url: '/' })).headers['seen'], 'HEAD')
  }
})

test('an option handler that is undefined leaves the handler behind the options', async () => {
  const app = untyped()
  app.get('/', { handler: undefined }, () => 'behind')
  assert.equal((await app.inject('/')).body, 'behind')
})

test('options, schema and handler may be constants that several routes share', async () => {
  const schema = { querystring: { n: t.Integer() }, response: { 200: { n: t.Integer() } } } as const
  const options = Object.freeze({ schema: Object.freeze(schema), config: { a: 1 } })
  const handler = ({ query }: { query: { n: number } }) => ({ ...query, b: 1 })
  const app = espalier()
    .get('/one', options, handler)
    .post('/one', { ...options, handler })
    .route({ ...options, method: 'GET', url: '/two', handler })
    .all('/three', options, handler)
  const query = { n: '1' }
  for (const [method, url] of [
    ['GET', '/one'],
    ['POST', '/one'],
    ['GET', '/two'],
    ['DELETE', '/three'],
  ] as const) {
    assert.equal((await app.inject({ method, url, query })).body, '{"n":1}', `${method} ${url}`)
  }
})

test('hooks beside the handler may be one or a list, and run in their order', async () => {
  const order: string[] = []
  const mark = (name: string) => async () => void order.push(name)
  const lists = { preParsing: [mark('c'), mark('d')], preValidation: mark('e') }
  const app = espalier().post(
    '/',
    {
      ...lists,
      onRequest: [mark('a'), (_request, _reply, done) => (order.push('b'), done())],
      preHandler: [mark('f'), mark('g')],
      preSerialization: [mark('i'), mark('j')],
      onSend: mark('k'),
      onResponse: [mark('l')],
    },
    () => (order.push('h'), {}),
  )
  await app.inject({ method: 'POST', url: '/', payload: {} })
  assert.equal(order.join(''), 'abcdefghijkl')
})

test('HEAD is answered where GET is, with the headers of GET and no body', async () => {
  const app = espalier().get('/', (_request, reply) => reply.header('x-own', 'yes').send({ n: 1 }))
  const got = await app.inject('/')
  const head = await app.inject({ method: 'HEAD', url: '/' })
  assert.equal(head.statusCode, 200)
  assert.equal(head.body, '')
  for (const name of ['x-own', 'content-type', 'content-length']) {
    assert.ok(got.headers[name] !== undefined, name)
    assert.equal(head.headers[name], got.headers[name], name)
  }
})

test('an explicit HEAD route replaces the automatic one, whichever comes first', async () => {
  const first = espalier() as Loose
  first.head('/', (_request: Loose, reply: Loose) => reply.code(204).send())
  first.get('/', () => 'got')
  const last = espalier() as Loose
  last.get('/', () => 'got')
  last.head('/', (_request: Loose, reply: Loose) => reply.code(204).send())
  for (const app of [first, last]) {
    assert.equal((await app.inject({ method: 'HEAD', url: '/' })).statusCode, 204)
    assert.equal((await app.inject('/')).body, 'got')
  }
})

test('two explicit HEAD routes are a duplicate', () => {
  const app = espalier() as Loose
  app.get('/', () => 1).head('/', () => 1)
  assert.throws(() => app.head('/', () => 1), { code: 'ESP_ERR_DUPLICATED_ROUTE' })
})

test('HEAD is not answered where exposeHeadRoutes or exposeHeadRoute says so', async () => {
  const none = espalier({ exposeHeadRoutes: false }).get('/', () => 1)
  const one = espalier()
    .route({ method: 'GET', url: '/', exposeHeadRoute: false, handler: () => 1 })
    .get('/other', () => 1)
  assert.equal((await none.inject({ method: 'HEAD', url: '/' })).statusCode, 404)
  assert.equal((await one.inject({ method: 'HEAD', url: '/' })).statusCode, 404)
  assert.equal((await one.inject({ method: 'HEAD', url: '/other' })).statusCode, 200)
})

test('a route that is declared twice is an error that names it and both places', async () => {
  const app = espalier() as Loose
  app.register(
    async function users(child: Loose) {
      child.get('/:id', () => 1)
    },
    { prefix: '/users' },
  )
  app.register(async function people(child: Loose) {
    child.get('/users/:id', () => 2)
  })
  await assert.rejects(app.ready(), (error: Loose) => {
    assert.equal(error.code, 'ESP_ERR_DUPLICATED_ROUTE')
    assert.match(error.message, /'GET \/users\/:id'.*root > users.*root > people/)
    return true
  })
})

test('routes that differ only in the name of a parameter are a duplicate', () => {
  const app = espalier() as Loose
  app.get('/users/:id', () => 1)
  assert.throws(
    () => app.get('/users/:name', () => 2),
    (error: Loose) => {
      assert.equal(error.code, 'ESP_ERR_DUPLICATED_ROUTE')
      assert.match(error.message, /'GET \/users\/:name'/)
      return true
    },
  )
})

test('a route without a handler, with a wrong path or method is an error that says where', async () => {
  const app = espalier() as Loose
  const handler = () => 1
  app.register(async function inner(child: Loose) {
    const wrong: readonly (readonly [route: Loose, code: string])[] = [
      [{ method: 'GET', url: '/' }, 'ESP_ERR_ROUTE_MISSING_HANDLER'],
      [{ method: 'GET', url: '/', handler: 'x' }, 'ESP_ERR_ROUTE_MISSING_HANDLER'],
      [{ method: 'GET', url: 'users', handler }, 'ESP_ERR_INVALID_URL'],
      [{ method: 'GET', handler }, 'ESP_ERR_INVALID_URL'],
      [{ method: 'GET', url: '/:id(', handler }, 'ESP_ERR_ROUTE_PATH'],
      [{ method: 'FETCH', url: '/', handler }, 'ESP_ERR_ROUTE_METHOD_NOT_SUPPORTED'],
      [{ method: [], url: '/', handler }, 'ESP_ERR_ROUTE_METHOD_NOT_SUPPORTED'],
      [{ url: '/', handler }, 'ESP_ERR_ROUTE_METHOD_NOT_SUPPORTED'],
    ]
    for (const [route, code] of wrong) {
      assert.throws(() => child.route(route), { code, message: /root > inner/ }, code)
    }
  })
  await app.ready()
})

test('an unknown route is answered with 404, its method and its URL', async () => {
  const app = espalier().get('/known', () => 1)
  for (const [method, url] of [
    ['GET', '/unknown?x=1'],
    ['POST', '/known'],
    ['GET', '/known/'],
  ] as const) {
    const response = await app.inject({ method, url })
    const message = `Route ${method}:${url} not found`
    assert.equal(response.statusCode, 404)
    assert.deepEqual(response.json(), { statusCode: 404, error: 'Not Found', message })
  }
})

test('a URL that cannot be decoded is answered with 400', async () => {
  const app = espalier().get('/:id', ({ params }) => params)
  const response = await app.inject('/%E0%A4%A')
  assert.equal(response.statusCode, 400)
  const { error, code, message } = response.json<Record<string, string>>()
  assert.deepEqual([error, code], ['Bad Request', 'ESP_ERR_BAD_URL'])
  assert.match(message ?? '', /\/%E0%A4%A/)
})

test('hasRoute knows the declared routes by method and full path', async () => {
  const app = espalier() as Loose
  app.register(async (child: Loose) => child.get('/a/:id', () => 1), { prefix: '/v1' })
  await app.ready()
  assert.equal(app.hasRoute({ method: 'get', url: '/v1/a/:id' }), true)
  assert.equal(app.hasRoute({ method: 'POST', url: '/v1/a/:id' }), false)
  assert.equal(app.hasRoute({ method: 'GET', url: '/a/:id' }), false)
})

test('printRoutes shows every route with its methods', async () => {
  const app = espalier()
    .get('/users/:id', () => 1)
    .post('/orders', () => 1)
  const text = app.printRoutes({ commonPrefix: false })
  assert.match(text, /users\/:id \(.*GET.*\)/)
  assert.match(text, /orders \(POST\)/)
})

test('printContexts shows the tree, with the prefix, decorators, schemas and routes of each context', async () => {
  const app = espalier()
    .addSchema({ $id: 'user', type: 'object' } as const)
    .decorateRequest('answer', 42)
    .register(
      async function users(child) {
        return child
          .decorate('db', 1)
          .decorateReply('ok', true)
          .get('/:id', () => 1)
          .register(async function nested(inner) {
            inner.post('/deep', () => 1)
          })
      },
      { prefix: '/users' },
    )
    .register(async function empty() {})
    .get('/', () => 1)
  await app.ready()
  assert.equal(
    app.printContexts(),
    [
      'root (request: answer; schemas: user)',
      '├── GET /',
      '├── users /users (server: db; reply: ok)',
      '│   ├── GET /users/:id',
      '│   └── nested',
      '│       └── POST /users/deep',
      '└── empty',
      '',
    ].join('\n'),
  )
})

test('an option of the factory that does not exist or is of a wrong type is an error that names it', () => {
  const wrong: readonly (readonly [options: Loose, told: RegExp])[] = [
    [{ pluginTimout: 5 }, /'pluginTimout'.*pluginTimeout/],
    [{ pluginTimeout: '5' }, /'pluginTimeout'.*'5'/],
    [{ exposeHeadRoutes: 1 }, /'exposeHeadRoutes'.*boolean/],
    [{ bodyLimit: -1 }, /'bodyLimit'.*-1/],
  ]
  for (const [options, message] of wrong) {
    assert.throws(() => espalier(options), { code: 'ESP_ERR_INIT_OPTS_INVALID', message })
  }
})
