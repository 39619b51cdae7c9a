// Specification 2.3: routes, and the parts of their schemas in their short and full forms.
import assert from 'node:assert/strict'
import { test } from 'node:test'
// @ts-expect-error -- it has no typings
import mergePatch from 'ajv-merge-patch'
import espalier, { t } from '../../src/index.ts'
import { deepFreeze, untyped } from '../support/untyped.ts'

const ok = () => ({})
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

/** Sends a body to a route with this body schema; undefined when it is refused. */
async function check(body: object, payload: unknown, options: object = {}): Promise<unknown> {
  const app = untyped(options).post('/', { schema: deepFreeze({ body }) }, (request) => [
    request.body,
  ])
  const headers = { 'content-type': 'application/json' }
  const sent = { method: 'POST', url: '/', headers, payload: JSON.stringify(payload) } as const
  const response = await app.inject(sent)
  if (response.statusCode !== 200) assert.equal(response.json().code, 'ESP_ERR_VALIDATION')
  return response.statusCode === 200 ? response.json<unknown[]>()[0] : undefined
}

test('a route may be declared by path or url, in any case of its method, and for several', async () => {
  const app = untyped()
    .route({ method: 'GET', url: '/url', handler: () => 'url' })
    .route({ method: 'get', path: '/path', handler: () => 'path' })
    .route({ method: ['post', 'PUT'], url: '/both', handler: ({ method }: any) => method })
  assert.equal((await app.inject('/url')).body, 'url')
  assert.equal((await app.inject('/path')).body, 'path')
  assert.equal((await app.inject({ method: 'POST', url: '/both' })).body, 'POST')
  assert.equal((await app.inject({ method: 'PUT', url: '/both' })).body, 'PUT')
  assert.equal((await app.inject('/both')).statusCode, 404)
})

test('each method has a shortcut, with its handler behind the options or among them', async () => {
  for (const method of methods) {
    if (method === 'TRACE') continue
    const verb = method.toLowerCase() as 'get'
    const reply = (request: { method: string }, { header }: { header: unknown }) =>
      header && { method: request.method }
    const app = untyped()
    app[verb]('/bare', reply)[verb]('/options', {}, reply)[verb]('/inside', { handler: reply })
    for (const url of ['/bare', '/options', '/inside']) {
      const response = await app.inject({ method, url })
      assert.equal(response.statusCode, 200, `${method} ${url}`)
      if (method !== 'HEAD') assert.deepEqual(response.json(), { method })
    }
  }
})

test('all declares a route for each of the standard methods', async () => {
  const app = untyped().all('/', ({ method }) => method)
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
    assert.equal((await app.inject({ method, url: '/' })).body, method)
  }
})

for (const [how, one] of [
  ['made with t', t.Integer()],
  ['in plain JSON Schema', { type: 'integer' }],
] as const) {
  const short = { n: one }
  const full =
    how === 'made with t' ? t.Object({ n: t.Integer() }) : { type: 'object', properties: short }
  for (const [form, part] of [
    ['short', short],
    ['full', full],
  ] as const) {
    test(`params, querystring, headers and body may be written in the ${form} form ${how}`, async () => {
      const schema = deepFreeze({ params: part, querystring: part, headers: part, body: part })
      const app = untyped().post('/:n', { schema }, ({ params, query, headers, body }) => [
        params.n,
        query.n,
        headers.n,
        body.n,
      ])
      const post = (url: string, n: string, body: string) =>
        app.inject({ method: 'POST', url, headers: { n }, payload: { n: body } })
      assert.deepEqual((await post('/1?n=2', '3', '4')).json(), [1, 2, 3, 4])
      for (const [url, n, body, message] of [
        ['/x?n=2', '3', '4', 'params/n must be integer'],
        ['/1?n=x', '3', '4', 'querystring/n must be integer'],
        ['/1?n=2', 'x', '4', 'headers/n must be integer'],
        ['/1?n=2', '3', 'x', 'body/n must be integer'],
      ] as const) {
        assert.equal((await post(url, n, body)).json().message, message)
      }
    })

    test(`a response may be written in the ${form} form ${how}`, async () => {
      const schema = deepFreeze({ response: { 200: part } })
      const app = untyped().get('/', { schema }, () => ({ n: '1', x: 2 }))
      assert.equal((await app.inject('/')).body, '{"n":1}')
    })
  }
}

test('in the short form the properties of t are required, unless t.Optional', async () => {
  const body = { a: t.Integer(), b: t.Optional(t.Integer()) }
  assert.deepEqual(await check(body, { a: 1 }), { a: 1 })
  assert.equal(await check(body, { b: 1 }), undefined)
})

test('in the short form the properties of plain JSON Schema are optional', async () => {
  const body = { a: { type: 'integer' }, b: { type: 'integer' } }
  assert.deepEqual(await check(body, {}), {})
  assert.equal(await check(body, { a: 'x' }), undefined)
})

const number = { type: 'number' }
const object = (properties: object) => ({ type: 'object', properties })
const fullForms: readonly (readonly [string, object, good: unknown, bad: unknown])[] = [
  ['a type that is a string', { type: 'number' }, 1, 'x'],
  ['a type that is a list', { type: ['boolean', 'null'] }, true, 'x'],
  ['$ref', { $ref: '#/definitions/a', definitions: { a: number } }, 1, 'x'],
  ['properties', { properties: { n: number } }, { n: 1 }, { n: 'x' }],
  ['anyOf', { anyOf: [number, { type: 'null' }] }, 1, 'x'],
  ['oneOf', { oneOf: [number, { type: 'object' }] }, 1, 'x'],
  ['allOf', { allOf: [number, { type: 'number', minimum: 2 }] }, 2, 1],
  ['not', { not: { const: 'x' } }, 1, 'x'],
  ['if', { if: { const: 1 }, then: true, else: false }, 1, 2],
  ['enum', { enum: ['a', 'b'] }, 'a', 'c'],
  ['const', { const: 'a' }, 'a', 'b'],
  ['$merge', { $merge: { source: number, with: { minimum: 2 } } }, 2, 1],
  [
    '$patch',
    { $patch: { source: number, with: [{ op: 'add', path: '/minimum', value: 2 }] } },
    2,
    1,
  ],
]
for (const [what, body, good, bad] of fullForms) {
  test(`a part with ${what} is a full schema`, async () => {
    const options = { ajv: { plugins: [mergePatch], customOptions: { strictTypes: false } } }
    assert.deepEqual(await check(body, good, options), good)
    assert.equal(await check(body, bad, options), undefined)
  })
}

for (const name of ['type', 'required', 'items', 'default', 'format', 'title', 'content']) {
  test(`the short form may list a property that is called ${name}`, async () => {
    const body = { [name]: { type: 'integer' } }
    assert.deepEqual(await check(body, { [name]: '7' }), { [name]: 7 })
    assert.equal(await check(body, { [name]: 'x' }), undefined)
  })
}

test('a description that is a string annotates the short form; a schema is a property', async () => {
  const annotated = { description: 'words', n: { type: 'integer' } }
  assert.deepEqual(await check(annotated, { n: '1', description: 5 }), { n: 1, description: 5 })
  const listed = { description: { type: 'integer' } }
  assert.equal(await check(listed, { description: 'x' }), undefined)
  const schema = { response: { 200: annotated } }
  const app = untyped().get('/', { schema }, () => ({ n: '1', description: 'x' }))
  assert.equal((await app.inject('/')).body, '{"n":1}')
})

test('query is an alias of querystring', async () => {
  const app = espalier().get('/', { schema: { query: { n: t.Integer() } } }, ({ query }) => ({
    double: query.n * 2,
  }))
  assert.deepEqual((await app.inject('GET /', { query: { n: 4 } })).json(), { double: 8 })
  assert.equal(
    (await app.inject('/?n=x')).json<Record<string, unknown>>().message,
    'querystring/n must be integer',
  )
})

test('querystring and query in one schema are a boot error that names the route', () => {
  const schema = { query: { n: number }, querystring: { n: number } }
  assert.throws(() => untyped().get('/a', { schema }, ok), {
    code: 'ESP_ERR_SCH_DUPLICATE',
    message: 'The schema of GET /a in root has both querystring and query. Keep one',
  })
})

for (const [how, headers] of [
  ['the short form', { 'X-Count': t.Integer() }],
  [
    'the full form',
    { type: 'object', required: ['X-Count'], properties: { 'X-Count': { type: 'integer' } } },
  ],
  ['t.Object', t.Object({ 'X-Count': t.Integer() })],
] as const) {
  test(`header names in ${how} may be written in any case`, async () => {
    const app = untyped().get('/', { schema: deepFreeze({ headers }) }, (request) => ({
      count: request.headers['x-count'],
    }))
    const get = (name: string, value: string) =>
      app.inject({ url: '/', headers: { [name]: value } })
    assert.deepEqual((await get('x-count', '1')).json(), { count: 1 })
    assert.deepEqual((await get('X-COUNT', '2')).json(), { count: 2 })
    assert.equal((await get('x-count', 'x')).json().message, 'headers/x-count must be integer')
    assert.equal((await get('x-other', '1')).statusCode, 400)
  })
}

test('a body schema on GET, HEAD and TRACE is a boot error that names route and method', () => {
  for (const method of ['GET', 'HEAD', 'TRACE']) {
    const route = { method, url: '/a', schema: { body: { n: number } }, handler: ok }
    assert.throws(() => untyped().route(route), {
      code: 'ESP_ERR_ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED',
      message: `Route ${method} /a in root has a body schema, but ${method} requests have no body to validate`,
    })
  }
})

test('a body schema on a route of several methods must fit all of them', () => {
  const route = { method: ['POST', 'GET'], url: '/a', schema: { body: { n: number } }, handler: ok }
  assert.throws(() => untyped().route(route), {
    code: 'ESP_ERR_ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED',
    message:
      'Route POST,GET /a in root has a body schema, but GET requests have no body to validate',
  })
})

test('a body schema on DELETE and OPTIONS documents only', async () => {
  for (const method of ['DELETE', 'OPTIONS'] as const) {
    const schema = { body: { n: t.Integer() } }
    const app = untyped().route({ method, url: '/', schema, handler: ({ body }: any) => [body] })
    const response = await app.inject({ method, url: '/', payload: { n: 'x' } })
    assert.deepEqual(response.json(), [{ n: 'x' }])
  }
})

test('other keys of a route schema are for documents, and the schema is kept as it was given', async () => {
  const schema = deepFreeze({ summary: 'words', tags: ['a'], querystring: object({ n: number }) })
  const app = untyped().get('/', { schema }, ({ routeOptions }) => ({
    same: routeOptions.schema === schema,
  }))
  assert.deepEqual((await app.inject('/?n=1')).json(), { same: true })
})

test('a request shows the schema of its route in full form, whether onRoute hooks have seen it or not', async () => {
  const schema = deepFreeze({
    summary: 'words',
    query: { n: number },
    body: { a: t.Integer(), b: t.Integer({ default: 1 }), c: t.Optional(t.Integer()) },
    response: {
      200: { a: t.Integer({ default: 1 }) },
      '4xx': { content: { 'text/csv': { schema: { n: number } } } },
    },
  })
  const full = {
    summary: 'words',
    querystring: object({ n: number }),
    body: {
      ...object({ a: t.Integer(), b: t.Integer({ default: 1 }), c: t.Optional(t.Integer()) }),
      required: ['a'],
    },
    response: {
      200: { ...object({ a: t.Integer({ default: 1 }) }), required: ['a'] },
      '4xx': { content: { 'text/csv': { schema: object({ n: number }) } } },
    },
  }
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
  for (const seen of [[], [plain(full)]]) {
    const app = untyped()
    const hooked: unknown[] = []
    if (seen.length > 0) app.addHook('onRoute', (route: any) => hooked.push(plain(route.schema)))
    let shown: unknown
    app.post('/', { schema }, ({ routeOptions }) => {
      shown = plain(routeOptions.schema)
      return {}
    })
    const response = await app.inject({ method: 'POST', url: '/', payload: { a: 1 } })
    assert.deepEqual([response.json(), shown, hooked], [{ a: 1 }, plain(full), seen])
  }
})

test('a property with a default may be left out by clients, and is there for the handler', async () => {
  const schema = { body: { a: t.Integer({ default: 3 }), b: t.Integer() } }
  const app = untyped().post('/', { schema }, ({ body }: any) => body)
  const send = (payload: object) => app.inject({ method: 'POST', url: '/', payload })
  assert.deepEqual((await send({ b: 1 })).json(), { a: 3, b: 1 })
  assert.equal((await send({ a: 1 })).statusCode, 400)
})
