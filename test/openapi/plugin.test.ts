// The plugin `openapi`: where it stands, what it serves, what it refuses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import bearerAuth from '@fastify/bearer-auth'
import helmet from '@fastify/helmet'
import { parse } from 'yaml'
import espalier, { fastify, plugin, t } from '../../src/index.ts'
import { documentOf, openapi, secured } from '../../src/openapi/index.ts'

const info = { title: 'Albums', version: '1.0.0' }
const docs = false
const bare = { info, docs } as const
const paths = (document: { paths: object }) => Object.keys(document.paths)

test('one line gives the document, the same as YAML, and a page', async () => {
  const app = espalier()
    .register(openapi({ info }))
    .get(
      '/albums/:id',
      { schema: { params: { id: t.Integer() } } },
      (request) => `${request.params.id}`,
    )
  const json = await app.inject('/openapi.json')
  assert.equal(json.headers['content-type'], 'application/json; charset=utf-8')
  assert.deepEqual(json.json(), app.openapi())
  const yaml = await app.inject('/openapi.yaml')
  assert.equal(yaml.headers['content-type'], 'application/yaml; charset=utf-8')
  assert.deepEqual(parse(yaml.body), json.json())
  const page = await app.inject('/docs')
  assert.match(page.body, /<title>Albums<\/title>/)
  assert.deepEqual(paths(app.openapi()), ['/albums/{id}'])
  const { etag } = json.headers
  assert.equal(
    (await app.inject({ url: '/openapi.json', headers: { 'if-none-match': String(etag) } }))
      .statusCode,
    304,
  )
})

test('a document has the routes of its scope and of those below, wherever it stands among them', async () => {
  const routes = plugin().shared(async (app) => app.get('/late', () => 'late'))
  const app = espalier()
    .get('/early', () => 'early')
    .register(
      async (scope) => {
        scope.get('/users', () => 'users')
        scope.register(async (inner) => inner.get('/inner', () => 'inner'), { prefix: '/x' })
        scope.register(openapi({ ...bare }))
        scope.get('/users/late', () => 'users')
      },
      { prefix: '/api' },
    )
    .register(async (scope) => scope.get('/sibling', () => 'sibling'))
    .register(openapi({ ...bare, path: '/all.json' }))
    .register(routes)
  await app.ready()
  const all = ['/api/users', '/api/users/late', '/api/x/inner', '/early', '/late', '/sibling']
  assert.deepEqual(paths(app.openapi()), all)
  const own = (await app.inject('/api/openapi.json')).json<{ paths: object }>()
  assert.deepEqual(paths(own), ['/api/users', '/api/users/late', '/api/x/inner'])
})

test('the order of plugins does not change a byte', async () => {
  const users = plugin()(async function users(app) {
    app.get(
      '/users',
      { schema: { response: { 200: t.Object({ a: t.Integer() }, { $id: 'Box' }) } } },
      () => ({ a: 1 }),
    )
  })
  const posts = plugin()(async function posts(app) {
    app.get(
      '/posts',
      { schema: { response: { 200: t.Object({ b: t.String() }, { $id: 'Box' }) } } },
      () => ({ b: 'b' }),
    )
  })
  const one = espalier().register(openapi(bare)).register(users).register(posts)
  const other = espalier().register(posts).register(users).register(openapi(bare))
  const [left, right] = [await one.inject('/openapi.json'), await other.inject('/openapi.json')]
  assert.equal(left.body, right.body)
  assert.deepEqual(
    Object.keys(left.json<{ components: { schemas: object } }>().components.schemas),
    ['posts.Box', 'users.Box'],
  )
})

test('one scope has several documents, each with its own routes', async () => {
  const app = espalier()
    .register(openapi({ ...bare, include: ({ config }) => config['internal'] !== true }))
    .register(
      openapi({ ...bare, path: '/internal.json', include: ({ url }) => url.startsWith('/admin') }),
    )
    .get('/albums', () => 'albums')
    .get('/admin', { config: { internal: true } }, () => 'admin')
    .get('/hidden', { schema: { hide: true } }, () => 'hidden')
  await app.ready()
  assert.deepEqual(paths(app.openapi()), ['/albums'])
  assert.deepEqual(paths(app.openapi('/internal.json')), ['/admin'])
  assert.throws(() => app.openapi('/none.json'), {
    code: 'ESP_ERR_OPENAPI_NOT_MADE',
    message:
      'There is no document /none.json in root: no openapi plugin here or above has this path',
  })
})

test('versions of a route stand in documents of their own', async () => {
  const build = (include?: (route: { constraints: object }) => boolean) =>
    espalier()
      .get('/a', { constraints: { version: '1.0.0' } }, () => 'one')
      .get('/a', { constraints: { version: '2.0.0' } }, () => 'two')
      .register(openapi({ ...bare, ...(include && { include }) }))
  await assert.rejects(async () => await build().ready(), {
    code: 'ESP_ERR_OPENAPI_ROUTE',
    message: /GET \/a in root.*another route has this method and path.*include/,
  })
  const app = build(
    ({ constraints }) => 'version' in constraints && constraints.version === '2.0.0',
  )
  await app.ready()
  const [parameter] = app.openapi().paths['/a']?.get?.parameters ?? []
  assert.deepEqual([parameter?.name, parameter?.required], ['accept-version', true])
})

test('hooks guard the document and the page', async () => {
  const app = espalier().register(
    openapi({
      info,
      onRequest: async (request, reply) =>
        request.headers['x-key'] ? undefined : reply.code(401).send(),
    }),
  )
  for (const url of ['/openapi.json', '/openapi.yaml', '/docs']) {
    assert.equal((await app.inject({ url })).statusCode, 401, url)
    assert.equal((await app.inject({ url, headers: { 'x-key': '1' } })).statusCode, 200, url)
  }
})

test('the document of a server without the plugin; it runs no onReady hooks', async () => {
  const ran: string[] = []
  const app = espalier().get('/a', () => 'a')
  app.addHook('onReady', async () => void ran.push('onReady'))
  app.addHook('onClose', async () => void ran.push('onClose'))
  const document = await documentOf(app, { info, version: '3.2' })
  assert.deepEqual([document.openapi, paths(document), ran], ['3.2.0', ['/a'], []])
  await app.ready()
  assert.deepEqual(ran, ['onReady'])
  await app.close()
  assert.deepEqual(ran, ['onReady', 'onClose'])
})

test('documentOf takes the options of the registered document', async () => {
  const app = espalier()
    .register(openapi({ ...bare, servers: [{ url: '/v1' }] }))
    .get('/a', () => 'a')
  const document = await documentOf(app, { version: '3.0' })
  assert.deepEqual(
    [document.openapi, document.info, document.servers],
    ['3.0.4', info, [{ url: '/v1' }]],
  )
  await assert.rejects(documentOf(espalier()), {
    code: 'ESP_ERR_OPENAPI_OPTION',
    message: /'info' of openapi needs a title/,
  })
})

test('transform has the last word', async () => {
  const app = espalier().register(
    openapi({ ...bare, transform: (document) => ({ ...document, 'x-owner': 'us' }) }),
  )
  await app.ready()
  assert.equal(app.openapi()['x-owner'], 'us')
})

test('a transform gives the document, at once', async () => {
  const boot = async (transform: () => unknown) => {
    const app = espalier()
    // @ts-expect-error it gives no document
    app.register(openapi({ ...bare, transform }))
    await app.ready()
  }
  await assert.rejects(
    boot(() => undefined),
    {
      code: 'ESP_ERR_OPENAPI_OPTION',
      message: "The option 'transform' of openapi returns a document, but is undefined",
    },
  )
  const late = boot(async () => await Promise.reject(new Error('late')))
  await assert.rejects(late, { code: 'ESP_ERR_PROMISE_RETURNED' })
})

test('include leaves out what it says nothing of; its errors name the route', async () => {
  const build = (include: () => unknown) => {
    const app = espalier().get('/a', () => 'a')
    // @ts-expect-error it gives no boolean
    return app.register(openapi({ ...bare, include }))
  }
  const app = build(() => undefined)
  await app.ready()
  assert.deepEqual(app.openapi().paths, {})
  const failing = build(() => {
    throw new Error('boom')
  })
  await assert.rejects(async () => await failing.ready(), {
    code: 'ESP_ERR_OPENAPI_ROUTE',
    message: /GET \/a in root: the option include: boom/,
  })
  const late = build(async () => await Promise.reject(new Error('late')))
  await assert.rejects(async () => await late.ready(), { code: 'ESP_ERR_OPENAPI_ROUTE' })
})

test('hooks that run when the server gets ready can read the document', async () => {
  const found: string[][] = []
  const app = espalier()
  const read = () => void found.push(paths(Reflect.get(app, 'openapi').call(app)))
  app.addHook('onReady', read)
  app.register(openapi(bare)).get('/a', () => 'a')
  await app.ready()
  assert.deepEqual(found, [['/a']])
})

test('wrong options are refused at once, with the option', () => {
  const refused = (options: object, message: RegExp) =>
    // @ts-expect-error some options are missing
    assert.throws(() => openapi(options), { code: 'ESP_ERR_OPENAPI_OPTION', message })
  refused({}, /'info' of openapi needs a title and a version, but is undefined/)
  refused({ info: { title: 'x' } }, /'info.version' of openapi is a text, but is undefined/)
  refused({ info, version: '2.0' }, /'version' of openapi is '3.0', '3.1' or '3.2', but is '2.0'/)
  refused({ info, path: 'docs' }, /'path' of openapi begins with '\/', but is 'docs'/)
  refused({ info, path: '/a.yaml' }, /'path' of openapi is that of JSON: '.yaml' is added, but is/)
  refused({ info, docs: null }, /'docs' of openapi is an object, or false, but is null/)
  refused({ info, servers: '/a' }, /'servers' of openapi is a list, but is '\/a'/)
  refused({ info, include: '/a' }, /'include' of openapi is a function, but is '\/a'/)
})

test('a route that cannot be told stops the boot, with its place and the remedy', async () => {
  const app = espalier()
    .register(openapi(bare))
    .register(async function orders(scope) {
      scope.post('/orders', { schema: { operationId: 'add' } }, () => 'x')
      scope.post('/others', { schema: { operationId: 'add' } }, () => 'x')
    })
  await assert.rejects(async () => await app.ready(), {
    code: 'ESP_ERR_OPENAPI_ROUTE',
    message:
      "The document /openapi.json cannot tell the route POST /others in root > orders: its operationId 'add' is that of POST /orders too. Rename one. Or leave the route out, by schema: { hide: true }",
  })
})

test('the document is read after the boot', async () => {
  const app = espalier().register(openapi(bare))
  await app.after()
  assert.throws(() => app.openapi(), {
    code: 'ESP_ERR_OPENAPI_NOT_MADE',
    message: /Await app.ready\(\)/,
  })
})

test('a server of fastify has documents too', async () => {
  const app = fastify()
  app.register(openapi(bare))
  app.get(
    '/a',
    { schema: { querystring: { type: 'object', properties: { n: { type: 'integer' } } } } },
    () => 'a',
  )
  const document = (await app.inject('/openapi.json')).json<{ paths: Record<string, object> }>()
  assert.deepEqual(Object.keys(document.paths), ['/a'])
})

test('security follows the hooks on the way of a route', async () => {
  const scheme = { key: { type: 'apiKey', in: 'header', name: 'x-key' } } as const
  const check = secured(async () => undefined, scheme)
  const app = espalier()
    .register(openapi(bare))
    .get('/open', () => 'x')
    .get('/own', { onRequest: check }, () => 'x')
    .get('/declared', { onRequest: check, schema: { security: [] } }, () => 'x')
    .register(async (scope) => {
      scope.addHook(
        'preHandler',
        secured(
          async () => undefined,
          { oauth: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example' } },
          ['read'],
        ),
      )
      scope.derive(
        'onRequest',
        secured(async () => ({ user: 'ada' }), scheme),
      )
      scope.get('/both', { schema: { response: { 200: t.String(), 401: t.Null() } } }, () => 'x')
    })
    .register(async (scope) => {
      scope.register(bearerAuth, { keys: ['a'] })
      scope.get('/bearer', () => 'x')
    })
  await app.ready()
  const { paths, components } = app.openapi()
  const of = (path: string) => paths[path]?.get?.security
  const statuses = (path: string) => Object.keys(paths[path]?.get?.responses ?? {})
  assert.deepEqual(of('/open'), undefined)
  assert.deepEqual(of('/own'), [{ key: [] }])
  assert.deepEqual(statuses('/own'), ['200', '401'])
  assert.deepEqual(of('/declared'), [])
  assert.deepEqual(of('/both'), [{ key: [], oauth: ['read'] }])
  assert.deepEqual(statuses('/both'), ['200', '401', '403'])
  assert.deepEqual(of('/bearer'), [{ bearer: [] }])
  assert.deepEqual(Object.keys(components?.securitySchemes ?? {}), ['bearer', 'key', 'oauth'])
})

test('schemes of the options stand beside those of hooks', async () => {
  const key = { type: 'apiKey', in: 'header', name: 'x-key' } as const
  const app = espalier()
    .register(
      openapi({
        ...bare,
        security: [{ bearer: [] }],
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      }),
    )
    .get('/a', { onRequest: secured(async () => undefined, { key }) }, () => 'a')
  await app.ready()
  const { security, components, paths } = app.openapi()
  assert.deepEqual([security, paths['/a']?.get?.security], [[{ bearer: [] }], [{ key: [] }]])
  assert.deepEqual(components?.securitySchemes, { bearer: { type: 'http', scheme: 'bearer' }, key })
})

test('it works beside helmet', async () => {
  const app = espalier().register(helmet).register(openapi({ info }))
  const page = await app.inject('/docs')
  assert.equal(page.statusCode, 200)
  assert.doesNotMatch(page.body, /<script(?![^>]*(src=|type="application\/json"))/)
})
