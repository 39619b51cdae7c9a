// What a schema that fails has coerced is not what a handler reads: found by test/soundness, whose seeds stand with the titles.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { t } from '../../src/index.ts'
import { untyped } from '../support/untyped.ts'

/** What a handler reads of a body; the message, where it is refused. */
async function read(schema: object, value: unknown): Promise<unknown> {
  const app = untyped({ ajv: { customOptions: { logger: false } } })
  app.post('/', { schema: { body: schema } }, (request) => ({ read: request.body as unknown }))
  const headers = { 'content-type': 'application/json' }
  const payload = JSON.stringify(value)
  const response = await app.inject({ method: 'POST', url: '/', headers, payload })
  await app.close()
  const { read: body, message } = response.json<{ read?: unknown; message?: string }>()
  return response.statusCode === 200 ? body : message
}

/** What a handler reads of a query with the text of a value; the message, where it is refused. */
async function readText(schema: object, value: string): Promise<unknown> {
  const app = untyped({ ajv: { customOptions: { logger: false } } })
  app.get('/', { schema: { querystring: schema } }, ({ query }) => ({ read: query as unknown }))
  const response = await app.inject(`/?value=${value}`)
  await app.close()
  const { read: query, message } = response.json<{ read?: unknown; message?: string }>()
  return response.statusCode === 200 ? query : message
}

const field = (schema: object) => ({
  type: 'object',
  properties: { value: schema },
  required: ['value'],
})

test('a list of one text is no text: once an earlier alternative had looked into it, it passed for one', async () => {
  const either = t.Object({ value: t.Union([t.Integer(), t.String()]) })
  assert.deepEqual(await read(either, { value: ['x'] }), { value: 'x' })
  assert.deepEqual(await read(either, { value: ['1'] }), { value: 1 })
  assert.deepEqual(await read(t.Union([t.Integer(), t.Literal('x')]), ['x']), 'x')
  const one = field({ anyOf: [{ type: 'integer' }, { const: 'x' }] })
  assert.match(String(await read(one, { value: ['x'] })), /must match a schema in anyOf$/)
  const listed = t.Object({ value: t.Union([t.Integer(), t.Array(t.String())]) })
  assert.deepEqual(await read(listed, { value: ['x'] }), { value: ['x'] })
})

test('what `not` has coerced is not read: text that is no large number became a number', async () => {
  const text = field({ type: 'string', not: { type: 'integer', minimum: 10 } })
  assert.deepEqual(await read(text, { value: '5' }), { value: '5' })
  assert.deepEqual(await readText(text, '5'), { value: '5' })
  assert.equal(await readText(text, '15'), 'querystring/value must NOT be valid')
  assert.deepEqual(await read(text, { value: '15' }), { value: '15' })
  const none = field({ type: 'null', not: { type: 'string', format: 'date-time' } })
  assert.deepEqual(await read(none, { value: null }), { value: null })
})

test('what `if` has coerced is not read, whether it holds or not', async () => {
  const text = field({ type: 'string', if: { type: 'integer' }, then: { minLength: 2 } })
  assert.deepEqual(await read(text, { value: '15' }), { value: '15' })
  assert.deepEqual(await readText(text, '15'), { value: '15' })
  const message = 'querystring/value must NOT have fewer than 2 characters'
  assert.equal(await readText(text, '5'), message)
  assert.deepEqual(await read(text, { value: '5' }), { value: '5' })
  const branches = { if: { type: 'integer', minimum: 10 }, else: { type: 'string' } }
  assert.deepEqual(await read(field(branches), { value: '5' }), { value: '5' })
})

test('what `then` coerces is read', async () => {
  const schema = { if: { enum: ['1', '2'] }, then: { type: 'integer' }, else: { type: 'string' } }
  assert.deepEqual(await read(field(schema), { value: '1' }), { value: 1 })
  assert.deepEqual(await read(field(schema), { value: 3 }), { value: '3' })
})

test('what an alternative has coerced that does not hold is not read, after one that does', async () => {
  const schema = field({ oneOf: [{ type: 'string' }, { type: 'integer', enum: [1] }] })
  assert.deepEqual(await read(schema, { value: '5' }), { value: '5' })
  const coerced = field({ oneOf: [{ type: 'integer' }, { type: 'null' }] })
  assert.deepEqual(await read(coerced, { value: '5' }), { value: 5 })
  const any = field({ anyOf: [{ type: 'integer', minimum: 10 }, {}] })
  assert.deepEqual(await read(any, { value: '5' }), { value: '5' })
})

test('an alternative with a format is not read as what the one before made of it', async () => {
  const one = t.Object({
    value: t.Union([t.Integer({ minimum: 10 }), t.String({ maxLength: 1 }), t.Boolean()]),
  })
  assert.deepEqual(await read(one, { value: '5' }), { value: '5' })
  assert.deepEqual(await read(one, { value: '15' }), { value: 15 })
  assert.deepEqual(await read(one, { value: 'true' }), { value: true })
})

test('a body that is an object or null is null for empty text: it stayed text, which the type has not', async () => {
  const properties = { a: { type: 'integer' } }
  const schema = { type: 'object', nullable: true, properties }
  assert.deepEqual(await read(schema, ''), null)
  assert.deepEqual(await read(schema, null), null)
  assert.deepEqual(await read(schema, { a: '1' }), { a: 1 })
  assert.deepEqual(await read(t.Object({ a: t.Integer() }, { nullable: true }), ''), null)
})
