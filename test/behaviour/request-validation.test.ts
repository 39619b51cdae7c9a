// Specification 2.4, 4.3, 8: what is validated, in which order, and with which options of ajv.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier, { t } from '../../src/index.ts'
import { deepFreeze, untyped, type UntypedServer } from '../support/untyped.ts'

interface Answer {
  readonly body?: unknown
  readonly message?: string
}

/** Sends JSON to a route with this body schema. */
async function post(body: object, payload: unknown, options: object = {}): Promise<Answer> {
  const app = untyped(options).post('/', { schema: { body } }, (request) => ({
    body: request.body,
  }))
  const headers = { 'content-type': 'application/json' }
  const text = JSON.stringify(payload)
  return (await app.inject({ method: 'POST', url: '/', headers, payload: text })).json<Answer>()
}

const get = async (app: UntypedServer, url: string) => (await app.inject(url)).json()
const integers = { type: 'array', items: { type: 'integer' } }

test('the parts are validated in the order params, body, querystring, headers', async () => {
  const n = { n: t.Integer() }
  const app = untyped()
    .setErrorHandler((error, _request, reply) => reply.send([error.validationContext]))
    .post('/:n', { schema: { params: n, body: n, querystring: n, headers: n } }, () => ['handler'])
  const order: string[] = []
  for (const good of [0, 1, 2, 3, 4]) {
    const value = (at: number) => (at < good ? '1' : 'x')
    const response = await app.inject({
      method: 'POST',
      url: `/${value(0)}?n=${value(2)}`,
      payload: { n: value(1) },
      headers: { n: value(3) },
    })
    order.push(...response.json<string[]>())
  }
  assert.deepEqual(order, ['params', 'body', 'querystring', 'headers', 'handler'])
})

test('validation runs after preValidation and before preHandler and the handler', async () => {
  const ran: string[] = []
  const app = untyped()
  for (const name of ['onRequest', 'preValidation', 'preHandler']) {
    app.addHook(name, async (request) => {
      ran.push(`${name} ${typeof request.query.n}`)
    })
  }
  app.get('/', { schema: { querystring: { n: t.Integer() } } }, ({ query }) => {
    ran.push(`handler ${typeof query.n}`)
    return {}
  })
  await app.inject('/?n=1')
  const before = ['onRequest string', 'preValidation string']
  assert.deepEqual(ran.splice(0), [...before, 'preHandler number', 'handler number'])
  assert.equal((await app.inject('/?n=x')).statusCode, 400)
  assert.deepEqual(ran, before)
})

test('parts without a schema reach the handler as they were sent', async () => {
  const app = untyped().post('/:n', ({ params, query, headers, body }) => [
    params,
    query,
    headers.n,
    body,
  ])
  const response = await app.inject({
    method: 'POST',
    url: '/1?n=2',
    headers: { n: '3' },
    payload: { n: '4' },
  })
  assert.deepEqual(response.json(), [{ n: '1' }, { n: '2' }, '3', { n: '4' }])
})

test('a single query value of a list is a list: the example of specification 4.1', async () => {
  const ids = { type: 'array', default: [] }
  const app = untyped().get('/', { schema: { querystring: { ids } } }, ({ query }) => ({
    params: query,
  }))
  assert.deepEqual(await get(app, '/?ids=1'), { params: { ids: ['1'] } })
  assert.deepEqual(await get(app, '/?ids=1&ids=2'), { params: { ids: ['1', '2'] } })
  assert.deepEqual(await get(app, '/'), { params: { ids: [] } })
})

test('values are coerced to the types of the schema, and typed as such', async () => {
  const app = espalier().get(
    '/:id',
    {
      schema: {
        params: { id: t.Integer() },
        querystring: { on: t.Boolean(), ns: t.Array(t.Number()) },
      },
    },
    ({ params, query }) => ({
      next: params.id + 1,
      off: !query.on,
      sum: query.ns.map((n) => n * 2),
    }),
  )
  const response = await app.inject('/41?on=true&ns=1.5')
  assert.deepEqual(response.json(), { next: 42, off: false, sum: [3] })
})

test('coerceTypes is "array": a scalar is wrapped in a list, and a list of one is unwrapped', async () => {
  assert.deepEqual(await post({ n: integers }, { n: '1' }), { body: { n: [1] } })
  assert.deepEqual(await post({ n: { type: 'integer' } }, { n: ['1'] }), { body: { n: 1 } })
  const { message } = await post({ n: { type: 'integer' } }, { n: [1, 2] })
  assert.equal(message, 'body/n must be integer')
})

test('useDefaults is true: missing properties and items are filled in', async () => {
  const tuple = {
    type: 'array',
    items: [{ type: 'integer' }, { type: 'integer', default: 2 }],
    minItems: 2,
    additionalItems: false,
  }
  const body = { a: { type: 'string', default: 'x' }, b: tuple }
  assert.deepEqual(await post(body, { b: [1] }), { body: { a: 'x', b: [1, 2] } })
  assert.deepEqual(await post(body, { a: 'y', b: [1, 3] }), { body: { a: 'y', b: [1, 3] } })
})

test('a default is a fresh value for each request', async () => {
  const schema = deepFreeze({ querystring: { list: { type: 'array', default: [] as unknown[] } } })
  const app = untyped().get('/', { schema }, ({ query }) => {
    query.list.push(1)
    return query.list
  })
  assert.deepEqual(await get(app, '/'), [1])
  assert.deepEqual(await get(app, '/'), [1])
})

test('removeAdditional is true: only where additionalProperties is false is anything removed', async () => {
  const properties = { a: { type: 'integer' } }
  const payload = { a: 1, b: 2 }
  const strict = { type: 'object', properties, additionalProperties: false }
  assert.deepEqual(await post(strict, payload), { body: { a: 1 } })
  assert.deepEqual(await post({ type: 'object', properties }, payload), { body: payload })
  const typed = { type: 'object', properties, additionalProperties: { type: 'boolean' } }
  assert.equal((await post(typed, payload)).message, 'body/b must be boolean')
})

test('allErrors is false: only the first failure is collected', async () => {
  const body = { a: { type: 'integer' }, b: { type: 'integer' } }
  const { message } = await post(body, { a: 'x', b: 'y' })
  assert.equal(message, 'body/a must be integer')
})

test('addUsedSchema is false: schemas in use are not kept by their $id', async () => {
  const app = untyped()
  for (const type of ['integer', 'boolean']) {
    const querystring = { $id: 'same', type: 'object', properties: { v: { type } } }
    app.get(`/${type}`, { schema: { querystring } }, ({ query }) => query)
  }
  assert.deepEqual(await get(app, '/integer?v=1'), { v: 1 })
  assert.deepEqual(await get(app, '/boolean?v=true'), { v: true })
})

test('formats are validated', async () => {
  const body = { at: { type: 'string', format: 'date-time' } }
  assert.equal(
    (await post(body, { at: '2024-02-30' })).message,
    'body/at must match format "date-time"',
  )
  assert.deepEqual((await post(body, { at: '2024-02-29T00:00:00Z' })).body, {
    at: '2024-02-29T00:00:00Z',
  })
})

for (const [option, schema, payload, expected] of [
  ['coerceTypes', { n: { type: 'integer' } }, { n: '1' }, { message: 'body/n must be integer' }],
  ['useDefaults', { n: { type: 'integer', default: 1 } }, {}, { body: {} }],
  [
    'removeAdditional',
    { type: 'object', properties: {}, additionalProperties: false },
    { n: 1 },
    { message: 'body must NOT have additional properties' },
  ],
] as const) {
  test(`customOptions can turn ${option} off, and leaves the rest of the baseline`, async () => {
    const options = { ajv: { customOptions: { [option]: false } } }
    const answer = await post(schema, payload, options)
    for (const [key, value] of Object.entries(expected)) {
      assert.deepEqual(answer[key as keyof Answer], value)
    }
    const rest = { a: { type: 'integer' }, b: { type: 'integer', default: 2 } }
    const both = option === 'coerceTypes' ? { a: 1, b: 2 } : { a: 1 }
    assert.deepEqual(await post(rest, option === 'coerceTypes' ? { a: 1 } : { a: '1' }, options), {
      body: option === 'useDefaults' ? { a: 1 } : { ...both, b: 2 },
    })
  })
}

test('with allErrors in customOptions all failures of a part are collected', async () => {
  const body = { a: { type: 'integer' }, b: { type: 'integer' } }
  const options = { ajv: { customOptions: { allErrors: true } } }
  const { message } = await post(body, { a: 'x', b: 'y' }, options)
  assert.equal(message, 'body/a must be integer, body/b must be integer')
})

test('customOptions may hold jsonPointers, which ajv 8 has always', async () => {
  const options = { ajv: { customOptions: { jsonPointers: true } } }
  const body = { a: { type: 'object', properties: { b: { type: 'null' } } } }
  assert.equal((await post(body, { a: { b: 1 } }, options)).message, 'body/a/b must be null')
})

test('a value that is the whole of a body is coerced too', async () => {
  assert.deepEqual(await post({ type: 'integer' }, '7'), { body: 7 })
  assert.deepEqual(await post({ type: 'boolean' }, 'true'), { body: true })
  assert.deepEqual(await post({ type: 'string' }, 7), { body: '7' })
  assert.deepEqual(await post(integers, '7'), { body: [7] })
  assert.deepEqual(await post({ anyOf: [{ type: 'integer' }] }, '7'), { body: 7 })
  assert.equal((await post({ type: 'integer' }, 'x')).message, 'body must be integer')
})

test('a body may be null, false, zero or empty where its schema says so', async () => {
  for (const [schema, value] of [
    [{ type: 'null' }, null],
    [{ type: 'boolean' }, false],
    [{ type: 'integer' }, 0],
    [{ type: 'string' }, ''],
    [{ type: ['string', 'null'] }, null],
    [{ type: 'object', nullable: true }, null],
  ] as const) {
    assert.deepEqual(await post(schema, value), { body: value })
  }
})

test('an absent body is validated as null, and is null to a handler whose schema takes that', async () => {
  const isNull = ({ body }: any) => ({ isNull: body === null })
  const app = untyped()
    .post('/object', { schema: { body: t.Object({}) } }, () => ({}))
    .post('/null', { schema: { body: t.Union([t.Object({}), t.Null()]) } }, isNull)
    .post('/nullable', { schema: { body: { type: 'object', nullable: true } } }, isNull)
    .post('/type', { schema: { body: { type: ['object', 'null'] } } }, isNull)
    .post('/enum', { schema: { body: { enum: ['a', null] } } }, isNull)
    .post('/none', ({ body }) => ({ type: typeof body }))
  const send = async (url: string) => (await app.inject({ method: 'POST', url })).json()
  assert.equal((await send('/object')).message, 'body must be object')
  for (const url of ['/null', '/nullable', '/type', '/enum']) {
    assert.deepEqual(await send(url), { isNull: true })
  }
  assert.deepEqual(await send('/none'), { type: 'undefined' })
})

for (const method of ['POST', 'PUT', 'PATCH'] as const) {
  test(`the body of ${method} is validated`, async () => {
    const handler = ({ body }: any) => body
    const schema = { body: { n: t.Integer() } }
    const app = untyped().route({ method, url: '/', schema, handler })
    assert.deepEqual((await app.inject({ method, url: '/', payload: { n: '1' } })).json(), { n: 1 })
    assert.equal((await app.inject({ method, url: '/', payload: { n: 'x' } })).statusCode, 400)
  })
}

test('a HEAD route that stands beside a GET route validates as that does', async () => {
  const app = untyped().get('/', { schema: { querystring: { n: t.Integer() } } }, () => ({}))
  assert.equal((await app.inject({ method: 'HEAD', url: '/?n=1' })).statusCode, 200)
  assert.equal((await app.inject({ method: 'HEAD', url: '/?n=x' })).statusCode, 400)
})

test("coerced headers are the request's own: those of Node's request stay as they were sent", async () => {
  const app = untyped().get('/', { schema: { headers: { n: t.Integer() } } }, (request) => [
    request.headers.n,
    request.raw.headers.n,
    request.headers.other,
  ])
  const headers = { n: '1', other: 'o' }
  assert.deepEqual((await app.inject({ url: '/', headers })).json(), [1, '1', 'o'])
})
