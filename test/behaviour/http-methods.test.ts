import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier, { t } from '../../src/index.ts'
import { untyped } from '../support/untyped.ts'

const webDav = [
  'COPY',
  'LOCK',
  'MKCOL',
  'MOVE',
  'PROPFIND',
  'PROPPATCH',
  'SEARCH',
  'UNLOCK',
] as const

for (const method of [...webDav, 'TRACE'] as const) {
  test(`route() declares a route of ${method}`, async () => {
    const app = espalier().route({ method, url: '/', handler: (request) => request.method })
    assert.equal((await app.inject({ method: method as 'GET', url: '/' })).body, method)
    assert.equal((await app.inject('/')).statusCode, 404)
  })
}

test('trace() declares a route of TRACE', async () => {
  const app = espalier().trace('/', (request) => request.method)
  assert.equal((await app.inject({ method: 'TRACE' as 'GET', url: '/' })).body, 'TRACE')
})

for (const method of ['SEARCH', 'PROPFIND', 'PROPPATCH', 'LOCK']) {
  test(`the body of ${method} is parsed and validated`, async () => {
    const schema = { body: { n: { type: 'integer' } } }
    const app = untyped().route({ method, url: '/', schema, handler: ({ body }: any) => body })
    const send = (payload: object) => app.inject({ method: method as 'POST', url: '/', payload })
    assert.equal((await send({ n: '1' })).body, '{"n":1}')
    assert.equal((await send({ n: 'x' })).statusCode, 400)
  })
}

test('supportedMethods lists what routes may have', () => {
  const { supportedMethods } = espalier()
  for (const method of ['GET', 'DELETE', 'TRACE', ...webDav]) {
    assert.ok(supportedMethods.includes(method), method)
  }
  assert.equal(new Set(supportedMethods).size, supportedMethods.length)
  assert.equal(supportedMethods.includes('REPORT'), false)
})

test('addHttpMethod adds a method, with a shortcut in every scope, to one server', async () => {
  const app = untyped() as any
  app.addHttpMethod('REPORT', { hasBody: true }).addHttpMethod('PURGE')
  app.report('/', { schema: { body: { n: { type: 'integer' } } } }, ({ body }: any) => body)
  app.register(
    async (child: any) =>
      child.purge('/a', function (this: any) {
        return this.prefix
      }),
    { prefix: '/in' },
  )
  app.all('/all', (request: any) => request.method)
  const payload = { n: '1' }
  assert.equal((await app.inject({ method: 'REPORT', url: '/', payload })).body, '{"n":1}')
  assert.equal((await app.inject({ method: 'PURGE', url: '/in/a' })).body, '/in')
  assert.equal((await app.inject({ method: 'PURGE', url: '/all' })).body, 'PURGE')
  assert.ok(app.supportedMethods.includes('PURGE'))
  assert.throws(() => untyped().route({ method: 'PURGE', url: '/', handler: () => 1 }), {
    code: 'ESP_ERR_ROUTE_METHOD_NOT_SUPPORTED',
  })
  assert.throws(() => app.addHttpMethod('REBIND'), { code: 'ESP_ERR_INSTANCE_ALREADY_LISTENING' })
})

test('a body is of its schema where the method that was added has one, and where QUERY has', async () => {
  const schema = { body: { n: t.Integer() } }
  const app = espalier().addHttpMethod('PURGE', { hasBody: true })
  app.purge('/', { schema }, ({ body }) => ({ n: body.n + 1 }))
  app.route({ method: 'QUERY', url: '/', schema, handler: ({ body }) => ({ n: body.n + 1 }) })
  for (const method of ['PURGE', 'QUERY'] as never[]) {
    const send = (n: unknown) => app.inject({ method, url: '/', payload: { n } })
    assert.deepEqual((await send('1')).json(), { n: 2 })
    assert.equal((await send('x')).statusCode, 400)
  }
})

test('addHttpMethod says of a known method whether it has content, and keeps its shortcut', async () => {
  const app = untyped() as any
  const own = app.trace
  app.addHttpMethod('TRACE', { hasBody: true })
  assert.equal(app.trace, own)
  app.trace('/', ({ body }: any) => body ?? 'none')
  assert.equal((await app.inject({ method: 'TRACE', url: '/', payload: { a: 1 } })).body, '{"a":1}')
})

test('addHttpMethod refuses what is no method of HTTP', () => {
  for (const method of ['FETCH', 'purge', undefined, 7]) {
    assert.throws(() => (untyped() as any).addHttpMethod(method), {
      code: 'ESP_ERR_ROUTE_METHOD_INVALID',
      message: /in root/,
    })
  }
})

test('printRoutes shows one method, common prefixes, hooks and error handlers where it is asked', () => {
  const app = espalier({ exposeHeadRoutes: false })
    .addHook('onRequest', async function authenticate() {})
    .get('/hello', () => 1)
    .put('/hello', { errorHandler: function onError() {} }, () => 1)
    .get('/helicopter', () => 1)
  assert.equal(
    app.printRoutes(),
    '└── /\n    └── hel\n        ├── lo (GET, PUT)\n        └── icopter (GET)\n',
  )
  assert.equal(app.printRoutes({ method: 'put' }), '└── /\n    └── hello (PUT)\n')
  const flat = app.printRoutes({ commonPrefix: false, includeHooks: true })
  assert.match(flat, /^├── \/hello \(GET, PUT\)\n│ {3}• \(onRequest\) \["authenticate\(\)"\]\n/)
  const all = app.printRoutes({ commonPrefix: false, includeMeta: true })
  assert.match(all, /\/hello \(PUT\)\n│ {3}• \(errorHandler\) "onError\(\)"\n│ {3}• \(onRequest\)/)
  const named = app.printRoutes({ includeHooks: true, includeMeta: ['errorHandler'] })
  assert.match(named, /onRequest[^]*errorHandler/)
  assert.ok(!app.printRoutes({ includeMeta: ['errorHandler'] }).includes('onRequest'))
})
