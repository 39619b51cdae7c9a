// Strict mode: what a handler reads equals what was sent, or the request is a 400.
import assert from 'node:assert/strict'
import formbody from '@fastify/formbody'
import { test } from 'node:test'
import espalier, { type EspalierOptions, t } from '../../src/index.ts'

const condition = {
  type: 'object',
  properties: { b: { type: 'integer' } },
  if: { properties: { kind: { const: 'x' } } },
  then: { properties: { x: { type: 'integer' } } },
}

interface Case {
  readonly schema: object
  readonly sent: unknown
  /** What the handler reads; the message of the 400 where it is text. */
  readonly read: unknown
}

async function post(
  schema: object,
  payload: unknown,
  options: EspalierOptions = { strict: true },
): Promise<unknown> {
  const app = espalier(options)
  app.post('/', { schema: { body: t.Unsafe<unknown>(schema) } }, ({ body }) => ({ body }))
  const headers = { 'content-type': 'application/json' }
  const response = await app.inject({
    method: 'POST',
    url: '/',
    headers,
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  })
  const { body, message } = response.json() as { body: unknown; message?: string }
  return response.statusCode === 200 ? body : `${response.statusCode}: ${message}`
}

async function get(querystring: object, query: string): Promise<unknown> {
  const app = espalier({ strict: true })
  app.get('/', { schema: { querystring: t.Unsafe<object>(querystring) } }, (request) => ({
    query: request.query,
  }))
  const response = await app.inject({ url: `/?${query}` })
  const { query: read, message } = response.json() as { query: unknown; message?: string }
  return response.statusCode === 200 ? read : `${response.statusCode}: ${message}`
}

const bodies: Record<string, Case> = {
  'text for an integer': {
    schema: t.Object({ n: t.Integer() }),
    sent: { n: '7' },
    read: '400: body/n must be integer',
  },
  'text for a boolean': {
    schema: t.Object({ n: t.Boolean() }),
    sent: { n: 'true' },
    read: '400: body/n must be boolean',
  },
  'a number for text': {
    schema: t.Object({ n: t.String() }),
    sent: { n: 7 },
    read: '400: body/n must be string',
  },
  'null for a number': {
    schema: t.Object({ n: t.Number() }),
    sent: { n: null },
    read: '400: body/n must be number',
  },
  'one value for a list': {
    schema: t.Object({ n: t.Array(t.Integer()) }),
    sent: { n: 1 },
    read: '400: body/n must be array',
  },
  'a list of one for its item': {
    schema: t.Object({ n: t.Integer() }),
    sent: { n: [1] },
    read: '400: body/n must be integer',
  },
  'an integer that JavaScript rounds': {
    schema: t.Object({ n: t.Integer() }),
    sent: '{"n":9007199254740993}',
    read: '400: body/n must be <= 9007199254740991',
  },
  'the largest exact integer': {
    schema: t.Object({ n: t.Integer() }),
    sent: { n: 9007199254740991 },
    read: { n: 9007199254740991 },
  },
  'a missing field with a default': {
    schema: t.Object({ n: t.Integer({ default: 5 }) }),
    sent: {},
    read: { n: 5 },
  },
  'a field that the schema lacks': {
    schema: t.Object({ n: t.Integer() }),
    sent: { n: 1, extra: 2 },
    read: "400: body must NOT have the field 'extra'",
  },
  'a field that a closed schema lacks': {
    schema: t.Object({ n: t.Integer() }, { additionalProperties: false }),
    sent: { n: 1, extra: 2 },
    read: "400: body must NOT have the field 'extra'",
  },
  'a field that an inner schema lacks': {
    schema: t.Object({ a: t.Array(t.Object({ n: t.Integer() })) }),
    sent: { a: [{ n: 1 }, { n: 2, extra: 3 }] },
    read: "400: body/a/1 must NOT have the field 'extra'",
  },
  'an empty list behind one that has what is asked for': {
    schema: t.Array(t.Array(t.Integer(), { contains: t.Literal(1) })),
    sent: [[1], []],
    read: '400: body/1 must contain at least 1 valid item(s)',
  },
  'a field of an alternative that fails': {
    schema: {
      type: 'object',
      properties: { b: t.Integer() },
      anyOf: [{ patternProperties: { '^y': t.Integer() } }, { properties: { a: t.Null() } }],
    },
    sent: { b: 1, a: null, y: 'x' },
    read: "400: body must NOT have the field 'y'",
  },
  'a field of a condition that fails': {
    schema: condition,
    sent: { b: 1, kind: 'y' },
    read: "400: body must NOT have the field 'kind'",
  },
  'a field of a condition that holds': {
    schema: condition,
    sent: { kind: 'x', x: 2 },
    read: { kind: 'x', x: 2 },
  },
  'more fields of an open object': {
    schema: t.Object({ n: t.Integer() }, { additionalProperties: true }),
    sent: { n: 1, extra: [2] },
    read: { n: 1, extra: [2] },
  },
  'more fields of one type': {
    schema: t.Object({ n: t.Integer() }, { additionalProperties: t.String() }),
    sent: { n: 1, extra: 2 },
    read: '400: body/extra must be string',
  },
  'any value': { schema: t.Any(), sent: { a: { b: null } }, read: { a: { b: null } } },
  'an object of any fields': {
    schema: { type: 'object' },
    sent: { a: 1 },
    read: { a: 1 },
  },
  'closed objects that hold together': {
    schema: t.Intersect([
      t.Object({ a: t.Integer() }, { additionalProperties: false }),
      t.Object({ b: t.Integer() }, { additionalProperties: false }),
    ]),
    sent: { a: 1, b: 2 },
    read: { a: 1, b: 2 },
  },
  'a field that objects which hold together lack': {
    schema: t.Intersect([t.Object({ a: t.Integer() }), t.Object({ b: t.Integer() })]),
    sent: { a: 1, b: 2, c: 3 },
    read: "400: body must NOT have the field 'c'",
  },
  'a union, whose later alternative fits': {
    schema: t.Object({ n: t.Union([t.Integer(), t.String(), t.Null()]) }),
    sent: { n: '7' },
    read: { n: '7' },
  },
  'a field of another alternative': {
    schema: t.Union([
      t.Object({ kind: t.Literal('a'), x: t.Integer() }),
      t.Object({ kind: t.Literal('b'), y: t.Integer() }),
    ]),
    sent: { kind: 'a', x: 1, y: 2 },
    read: "400: body must NOT have the field 'y'",
  },
  'an alternative that takes any object': {
    schema: { anyOf: [{ type: 'object', properties: { a: { type: 'integer' } } }, {}] },
    sent: { z: 1 },
    read: { z: 1 },
  },
  'alternatives that only require': {
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    sent: { a: 1, z: 1 },
    read: "400: body must NOT have the field 'z'",
  },
  'a field that all objects inherit, where alternatives name fields': {
    schema: t.Union([t.Object({ a: t.Integer() }), t.Object({ b: t.Integer() })]),
    sent: { a: 1, constructor: 2 },
    read: "400: body must NOT have the field 'constructor'",
  },
  'an alternative that is one object': {
    schema: { anyOf: [t.Object({ a: t.Integer() }), { const: { z: 1 } }] },
    sent: { z: 1 },
    read: { z: 1 },
  },
  'a field inside of an alternative that takes any object': {
    schema: {
      anyOf: [t.Object({ a: t.Integer() }), { items: t.Object({ b: t.Integer() }) }],
    },
    sent: [{ b: 1, extra: 2 }],
    read:
      '400: body must be object, ' +
      "body/0 must NOT have the field 'extra', body must match a schema in anyOf",
  },
  'a recursive value': {
    schema: t.Recursive((This) => t.Object({ of: t.Array(This) }), { $id: 'strict-tree' }),
    sent: { of: [{ of: [] }, { of: [{ of: [], extra: 1 }] }] },
    read: "400: body/of/1/of/0 must NOT have the field 'extra'",
  },
}

for (const [name, { schema, sent, read }] of Object.entries(bodies)) {
  test(`a strict body: ${name}`, async () => {
    assert.deepEqual(await post(schema, sent), read)
  })
}

const number = t.Object({ n: t.Number() })
const integer = t.Object({ n: t.Integer() })
const queries: readonly (readonly [schema: object, query: string, read: unknown])[] = [
  [integer, 'n=7', { n: 7 }],
  [integer, 'n=-7', { n: -7 }],
  [integer, 'n=07', '400: querystring/n must be integer'],
  [integer, 'n=7.0', '400: querystring/n must be integer'],
  [integer, 'n=1e3', '400: querystring/n must be integer'],
  [integer, 'n=0x10', '400: querystring/n must be integer'],
  [integer, 'n=%207', '400: querystring/n must be integer'],
  [integer, 'n=', '400: querystring/n must be integer'],
  [integer, 'n=9007199254740993', '400: querystring/n must be <= 9007199254740991'],
  [integer, 'n=1&n=2', '400: querystring/n must be integer'],
  [number, 'n=1e3', { n: 1000 }],
  [number, 'n=7.50', { n: 7.5 }],
  [number, 'n=.5', '400: querystring/n must be number'],
  [number, 'n=%2B5', '400: querystring/n must be number'],
  [number, 'n=1e999', '400: querystring/n must be number'],
  [t.Object({ n: t.Boolean() }), 'n=true', { n: true }],
  [t.Object({ n: t.Boolean() }), 'n=1', '400: querystring/n must be boolean'],
  [t.Object({ n: t.Array(t.Integer()) }), 'n=1', { n: [1] }],
  [t.Object({ n: t.Array(t.Integer()) }), 'n=1&n=2', { n: [1, 2] }],
  [t.Object({ n: t.Union([t.Integer(), t.String()]) }), 'n=7', { n: 7 }],
  [t.Object({ n: t.Union([t.Integer(), t.String()]) }), 'n=7.0', { n: '7.0' }],
  [t.Object({ n: t.Enum({ one: 1, two: 2 }) }), 'n=2', { n: 2 }],
  [{ type: 'object', properties: { n: { enum: [1, 2] } } }, 'n=2', { n: 2 }],
  [{ type: 'object', properties: { n: { enum: [1, 2] } } }, 'n=2.0', { n: 2 }],
  [
    { type: 'object', properties: { n: { enum: [1, 2] } } },
    'n=0x2',
    '400: querystring/n must be equal to one of the allowed values',
  ],
  [integer, 'n=7&m=1', "400: querystring must NOT have the field 'm'"],
]

for (const [schema, query, read] of queries) {
  test(`a strict query ?${query} of ${JSON.stringify(schema)}`, async () => {
    assert.deepEqual(await get(schema, query), read)
  })
}

test('strict headers are decoded exactly, and others pass', async () => {
  const app = espalier({ strict: true })
  app.get('/', { schema: { headers: { 'X-Count': t.Integer() } } }, ({ headers }) => ({
    count: headers['x-count'],
    other: headers['x-other'],
  }))
  const right = await app.inject({ url: '/', headers: { 'x-count': '7', 'x-other': '1' } })
  assert.deepEqual(right.json(), { count: 7, other: '1' })
  const wrong = await app.inject({ url: '/', headers: { 'x-count': '7.0' } })
  assert.equal(wrong.statusCode, 400)
})

test('equal schemas of a query and of headers differ in what else they take', async () => {
  const part = { n: t.Integer() }
  const app = espalier({ strict: true })
  app.get('/', { schema: { querystring: part, headers: part } }, () => ({}))
  const headers = { n: '1', other: 'x' }
  assert.equal((await app.inject({ url: '/?n=1', headers })).statusCode, 200)
  assert.equal((await app.inject({ url: '/?n=1&other=x', headers })).statusCode, 400)
})

test('strict parameters are decoded exactly', async () => {
  const app = espalier({ strict: true })
  app.get('/:id', { schema: { params: { id: t.Integer() } } }, ({ params }) => params)
  assert.equal((await app.inject({ url: '/7' })).body, '{"id":7}')
  assert.equal((await app.inject({ url: '/7.0' })).statusCode, 400)
})

test('strict forms are decoded exactly, beside bodies of JSON by the same schema', async () => {
  const app = espalier({ strict: true })
  await app.register(formbody)
  const body = { n: t.Integer(), m: t.Optional(t.Unsafe<number>({ enum: [1, 2] })) }
  app.post('/', { schema: { body } }, ({ body: read }) => read)
  const post = async (payload: string, type: string) =>
    (
      await app.inject({ method: 'POST', url: '/', payload, headers: { 'content-type': type } })
    ).body.replace(/.*"message":"([^"]*)".*/, '$1')
  const form = 'application/x-www-form-urlencoded'
  assert.equal(await post('n=7', form), '{"n":7}')
  assert.equal(await post('n=7&m=1', form), '{"n":7,"m":1}')
  assert.equal(await post('n=7.0', form), 'body/n must be integer')
  assert.equal(await post('{"n":7}', 'application/json'), '{"n":7}')
  assert.equal(await post('{"n":"7"}', 'application/json'), 'body/n must be integer')
})

test('a plugin and a route say for themselves whether they are strict', async () => {
  const schema = { body: { n: t.Integer() } }
  const app = espalier()
  app.post('/open', { schema }, ({ body }) => body)
  app.post('/own', { schema, strict: true }, ({ body }) => body)
  app.register(
    async (plugin) => {
      plugin.post('/', { schema }, ({ body }) => body)
      plugin.post('/open', { schema, strict: false }, ({ body }) => body)
      plugin.register(async (inner) => {
        inner.post('/inner', { schema }, ({ body }) => body)
      })
    },
    { prefix: '/plugin', strict: true },
  )
  const status = async (url: string) =>
    (await app.inject({ method: 'POST', url, payload: { n: '7' } })).statusCode
  assert.deepEqual(
    await Promise.all(['/open', '/own', '/plugin', '/plugin/open', '/plugin/inner'].map(status)),
    [200, 400, 400, 200, 400],
  )
})

test('strict is refused beside options of ajv that convert or remove', () => {
  for (const name of ['coerceTypes', 'removeAdditional']) {
    assert.throws(() => espalier({ strict: true, ajv: { customOptions: { [name]: true } } }), {
      code: 'ESP_ERR_INIT_OPTS_INVALID',
      message: new RegExp(`strict.*${name}`),
    })
  }
  assert.throws(() => espalier({ strict: true, ajv: { mode: 'JTD' } }), /JTD/)
})
