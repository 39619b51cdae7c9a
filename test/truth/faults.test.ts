// Faults of documents that `npm run truth` has found.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentOf, type Operation } from '../../src/openapi/index.ts'
import { t } from '../../src/index.ts'
import { untyped, type UntypedServer } from '../support/untyped.ts'

const info = { title: 'Truth', version: '1' }

async function operationOf(app: UntypedServer, path: string): Promise<Operation> {
  const document = await documentOf(app, { info })
  await app.close()
  const operation = document.paths[path]?.get
  assert.ok(operation)
  return operation
}

test('a list in a header or a path has one item, since the framework does not split text', async () => {
  const list = { type: 'array', items: { type: 'integer' } }
  const object = { type: 'object', properties: { ids: list } }
  const app = untyped().get('/:ids', { schema: { params: object, headers: object } }, () => 'x')
  const { parameters } = await operationOf(app, '/{ids}')
  assert.deepEqual(
    parameters?.map(({ schema }) => schema),
    [
      { ...list, maxItems: 1 },
      { ...list, maxItems: 1 },
    ],
  )
})

test('a query of alternatives that each ask for a field is required', async () => {
  const asking = (name: string) => ({
    type: 'object',
    properties: { [name]: { type: 'string' } },
    required: [name],
  })
  const querystring = { anyOf: [asking('a'), asking('b')] }
  const app = untyped()
    .get('/some', { schema: { querystring } }, () => 'x')
    .get(
      '/none',
      { schema: { querystring: { anyOf: [asking('a'), { type: 'object' }] } } },
      () => 'x',
    )
  const { paths } = await documentOf(app, { info })
  await app.close()
  assert.equal(paths['/some']?.get?.parameters?.[0]?.required, true)
  assert.equal(paths['/none']?.get?.parameters?.[0]?.required, false)
})

test("the framework's error is documented beside a schema that may refuse it", async () => {
  const failure = (message: object) => ({
    type: 'object',
    properties: { statusCode: { type: 'integer' }, message },
    required: ['message'],
  })
  const querystring = { type: 'object', properties: { a: { type: 'integer' } } }
  const own = failure({ const: 'wrong' })
  const app = untyped({ logger: false }).get(
    '/',
    { schema: { querystring, response: { 400: own } } },
    () => 'x',
  )
  const { body } = await app.inject('/?a=x')
  assert.equal(JSON.parse(body).error, 'Bad Request')
  const { responses } = await operationOf(app, '/')
  const error = { $ref: '#/components/schemas/ErrorResponse' }
  assert.deepEqual(responses['400']?.content, {
    'application/json': { schema: { anyOf: [own, error] } },
  })
})

test("the framework's error is added once to a response that stands for several statuses", async () => {
  const body = { type: 'object' }
  const response = {
    '4xx': { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  }
  const app = untyped().post('/', { schema: { body, response } }, () => 'x')
  const { paths } = await documentOf(app, { info })
  await app.close()
  const error = { $ref: '#/components/schemas/ErrorResponse' }
  const content = paths['/']?.post?.responses['4XX']?.content
  assert.deepEqual(content?.['application/json']?.schema, { anyOf: [response['4xx'], error] })
})

test('a reply by a schema of text is JSON where it is made of a `Date` or by a transform', async () => {
  const number = t.Transform(t.String()).Decode(Number).Encode(String)
  const date = t.String({ format: 'date-time' })
  for (const [schema, payload] of [
    [date, new Date(0)],
    [number, 5],
  ] as const) {
    const app = untyped().get('/', { schema: { response: { 200: schema } } }, () => payload)
    const { headers } = await app.inject('/')
    assert.match(String(headers['content-type']), /^application\/json/)
    const { content = {} } = (await operationOf(app, '/')).responses['200'] ?? {}
    assert.deepEqual(Object.keys(content), ['application/json', 'text/plain'])
  }
})

test('a field that a schema in `allOf` has filled in before need not be sent', async () => {
  const filling = { type: 'object', properties: { a: { type: 'integer', default: 1 } } }
  const asking = { type: 'object', required: ['a'] }
  const app = untyped()
    .post('/first', { schema: { body: { allOf: [filling, asking] } } }, () => 'x')
    .post('/last', { schema: { body: { allOf: [asking, filling] } } }, () => 'x')
    .post('/around', { schema: { body: { ...asking, allOf: [filling] } } }, () => 'x')
    .post('/beside', { schema: { body: { $ref: 'filling#', required: ['a'] } } }, () => 'x')
    .addSchema({ $id: 'filling', ...filling })
  const request = { method: 'POST', payload: {} } as const
  const statuses = ['/first', '/last', '/around', '/beside'].map(
    async (url) => (await app.inject({ ...request, url })).statusCode,
  )
  assert.deepEqual(await Promise.all(statuses), [200, 400, 200, 200])
  const { paths } = await documentOf(app, { info })
  await app.close()
  const schemas = ['/first', '/last', '/around', '/beside'].map(
    (path) => paths[path]?.post?.requestBody?.content['application/json']?.schema,
  )
  assert.deepEqual(schemas, [
    { allOf: [filling, { type: 'object' }] },
    { allOf: [asking, filling] },
    { type: 'object', allOf: [filling] },
    { $ref: '#/components/schemas/fillingInput' },
  ])
})

test('a field that is required without being described, or beside a reference, is a parameter', async () => {
  const described = { type: 'object', properties: { a: { type: 'integer' } } }
  const app = untyped()
    .addSchema({ $id: 'described', ...described })
    .get('/alone', { schema: { querystring: { ...described, required: ['b'] } } }, () => 'x')
    .get('/beside', { schema: { querystring: { $ref: 'described#', required: ['a'] } } }, () => 'x')
  const { paths } = await documentOf(app, { info })
  await app.close()
  const a = { name: 'a', in: 'query', schema: { type: 'integer' } }
  assert.deepEqual(paths['/alone']?.get?.parameters, [
    a,
    { name: 'b', in: 'query', required: true, schema: {} },
  ])
  assert.deepEqual(paths['/beside']?.get?.parameters, [{ ...a, required: true }])
})

test('alternatives of constants stay where another list stands beside them', async () => {
  const anyOf = [{ const: 'a' }, { const: 'b' }]
  const app = untyped()
    .post('/both', { schema: { body: { enum: ['b', 'c'], anyOf } } }, () => 'x')
    .post(
      '/whole',
      { schema: { body: { type: 'integer', anyOf: [{ const: 1 }, { const: 1.5 }] } } },
      () => 'x',
    )
  const { paths } = await documentOf(app, { info })
  await app.close()
  const bodyOf = (path: string) =>
    paths[path]?.post?.requestBody?.content['application/json']?.schema
  assert.deepEqual(bodyOf('/both'), { enum: ['b', 'c'], anyOf })
  assert.deepEqual(bodyOf('/whole'), { type: 'integer', anyOf: [{ const: 1 }, { const: 1.5 }] })
})

test('a pattern for all names stays where it holds for named fields too', async () => {
  const body = {
    type: 'object',
    properties: { a: { type: 'string' } },
    patternProperties: { '^.*$': { maxLength: 1 } },
  }
  const ajv = { customOptions: { allowMatchingProperties: true } }
  const app = untyped({ logger: false, ajv }).post('/', { schema: { body } }, () => 'x')
  const { statusCode } = await app.inject({ method: 'POST', url: '/', payload: { a: 'xx' } })
  assert.equal(statusCode, 400)
  const { paths } = await documentOf(app, { info })
  await app.close()
  assert.deepEqual(paths['/']?.post?.requestBody?.content['application/json']?.schema, body)
})
