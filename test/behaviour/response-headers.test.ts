// The headers of a response entry are for the compiler and for documents: they change nothing of what leaves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier, { t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

const headers = { 'X-Count': t.Integer(), 'x-tag': { type: 'string' } } as const

test('an entry may have headers beside content', async () => {
  const content = { 'application/json': { schema: t.Object({ a: t.Integer() }) } }
  const schema = { response: { 200: { description: 'words', headers, content } } }
  const app = espalier().get('/', { schema }, (_request, reply) =>
    reply
      .header('x-count', 2)
      .headers({ 'x-tag': 'b', 'x-other': ['c'] })
      .send({ a: 1, ...{ b: 2 } }),
  )
  const response = await app.inject('/')
  assert.equal(response.body, '{"a":1}')
  assert.equal(response.headers['x-count'], '2')
  assert.equal(response.headers['x-tag'], 'b')
  assert.deepEqual(response.headers['x-other'], ['c'])
})

test('an entry may have headers beside the keywords of a full schema', async () => {
  const Count = t.Integer({ $id: 'count' })
  const plain = {
    type: 'object',
    properties: { a: { type: 'integer' } },
    headers: { 'x-count': t.Ref('count#') },
  } as const
  const typebox = { ...t.Object({ a: t.Integer() }), headers }
  const app = espalier()
    .addSchema(Count)
    .get('/plain', { schema: { response: { 200: plain } } }, (_request, reply) =>
      reply.header('x-count', 1).send({ a: 1, ...{ b: 2 } }),
    )
    .get('/typebox', { schema: { response: { 200: typebox } } }, (_request, reply) =>
      reply.header('x-count', 1).send({ a: 1, ...{ b: 2 } }),
    )
  for (const url of ['/plain', '/typebox'] as const) {
    const response = await app.inject(url)
    assert.deepEqual([response.body, response.headers['x-count']], ['{"a":1}', '1'])
  }
})

test('an entry of headers alone has no payload', async () => {
  const schema = { response: { 200: { description: 'words', headers }, 302: { headers: {} } } }
  const app = espalier()
    .get('/null', { schema }, async () => null)
    .get('/sent', { schema }, (_request, reply) => reply.header('x-count', 1).send())
    .get('/moved', { schema }, (_request, reply) => reply.redirect('/null'))
  for (const url of ['/null', '/sent', '/moved'] as const) {
    const response = await app.inject(url)
    assert.deepEqual([response.body, response.headers['content-length']], ['', '0'], url)
    assert.equal(response.headers['content-type'], undefined, url)
  }
})

test('an entry of a description alone has no payload', async () => {
  const description = 'words'
  const app = espalier()
    .get('/null', { schema: { response: { 200: { description } } } }, () => null)
    .get('/204', { schema: { response: { 204: { description } } } }, (_request, reply) =>
      reply.code(204).send(),
    )
    .get('/error', { schema: { response: { '5xx': { description } } } }, () => {
      throw new Error()
    })
    .get('/any', { schema: { response: { 200: t.Any({ description }) } } }, () => ({ a: 1 }))
    .get('/named', { schema: { response: { 200: { description: t.String() } } } }, () => ({
      description,
    }))
  assert.equal((await app.inject('/null')).body, '')
  const { statusCode, body } = await app.inject('/204')
  assert.deepEqual([statusCode, body], [204, ''])
  // An error is answered as where nothing is declared.
  const [error] = await silenced(() => app.inject('/error'))
  assert.equal(error.json<Record<string, unknown>>().statusCode, 500)
  assert.deepEqual((await app.inject('/any')).json(), { a: 1 })
  assert.deepEqual((await app.inject('/named')).json(), { description })
  const refused = untyped().get('/', { schema: { response: { 200: { description } } } }, () => ({
    secret: 1,
  }))
  const [response] = await silenced(() => refused.inject('/'))
  assert.equal(response.statusCode, 500)
})

test('an object for an entry of headers alone is refused: all of its fields would leave', async () => {
  const schema = { response: { 200: { headers } } }
  const app = untyped({ exposeErrors: true }).get('/', { schema }, () => ({ secret: 1 }))
  const [response] = await silenced(() => app.inject('/'))
  assert.equal(response.statusCode, 500)
  assert.equal(response.json().code, 'ESP_ERR_REP_INVALID_PAYLOAD_TYPE')
  assert.match(response.json().message, /status 200 declares no content of type application\/json/)
})

test('in a short form headers is a property like any other', async () => {
  const integer = { type: 'integer' }
  const forms: readonly (readonly [entry: object, payload: object, body: string])[] = [
    [{ headers: t.Object({ a: t.Integer() }) }, { headers: { a: 1 } }, '{"headers":{"a":1}}'],
    [{ headers: integer }, { headers: 1, b: 2 }, '{"headers":1}'],
    [{ headers: {}, a: integer }, { headers: { b: 1 }, a: 1, c: 1 }, '{"headers":{"b":1},"a":1}'],
    [{ headers: {}, description: integer }, { description: 1 }, '{"description":1}'],
  ]
  for (const [entry, payload, body] of forms) {
    const app = untyped().get('/', { schema: { response: { 200: entry } } }, () => payload)
    assert.equal((await app.inject('/')).body, body)
  }
})

test('a custom compiler is given the entry with its headers', async () => {
  const entry = { type: 'object', properties: {}, headers } as const
  const seen: unknown[] = []
  const app = espalier().get(
    '/',
    {
      exposeHeadRoute: false,
      schema: { response: { 200: entry, 204: { headers } } },
      serializerCompiler({ schema }) {
        seen.push(schema)
        return () => '{}'
      },
    },
    () => ({}),
  )
  assert.equal((await app.inject('/')).body, '{}')
  assert.deepEqual(seen, [entry])
})

test('a route that declares no 200 answers with the status that its handler chose', async () => {
  const schema = { response: { 201: { id: t.Integer() }, 204: { headers } } }
  const app = espalier()
    .post('/', { schema }, (_request, reply) => reply.code(201).send({ id: 1, ...{ b: 1 } }))
    .delete('/', { schema }, (_request, reply) => reply.code(204).send())
  const created = await app.inject('POST /')
  assert.deepEqual([created.statusCode, created.body], [201, '{"id":1}'])
  const deleted = await app.inject('DELETE /')
  assert.deepEqual([deleted.statusCode, deleted.body], [204, ''])
})
