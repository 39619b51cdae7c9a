// Values that are listed without a type in the parts of requests that are text: no text was ever the number that was listed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { deepFreeze, untyped } from '../support/untyped.ts'

const shared = { $id: 'size', enum: [1, 2] }
const story =
  'a text is taken for the value that it stands for: it was refused, since ajv coerces by type alone'

/** What a handler reads of `x` in a query, or what the refusal says. */
async function read(x: object, ...texts: string[]) {
  const app = untyped()
  app.addSchema(deepFreeze(shared))
  const querystring = deepFreeze({ type: 'object', properties: { x } })
  app.get('/', { schema: { querystring } }, ({ query }) => query)
  const response = await app.inject(`/?${texts.map((text) => `x=${text}`).join('&')}`)
  const { x: value, message } = response.json<Record<string, unknown>>()
  await app.close()
  return response.statusCode === 200 ? value : message
}

const taken: Record<string, [x: object, texts: string | string[], value: unknown]> = {
  'an enum of TypeBox 1': [Type.Enum([1, 2]), '2', 2],
  'a number that is written in another way': [{ enum: [1, 2] }, '2.0', 2],
  'a number of const': [{ const: -1.5 }, '-1.5', -1.5],
  'a boolean': [{ enum: [true, 1] }, 'true', true],
  null: [{ enum: [null, 1] }, '', null],
  'a number among texts': [{ enum: ['a', 1, null] }, '1', 1],
  'a text among numbers': [{ enum: ['a', 1, '2', 2] }, '2', '2'],
  'an empty text beside null': [{ enum: ['', null] }, '', ''],
  'the items of a list': [{ type: 'array', items: { enum: [1, 2] } }, ['2', '1'], [2, 1]],
  'a list of one': [{ type: 'array', items: { enum: [1, 2] } }, '2', [2]],
  'a text of anyOf': [{ anyOf: [{ enum: [1, 2] }, { type: 'string' }] }, '3', '3'],
  'one that two of oneOf would take, as it was': [
    { oneOf: [{ const: 1 }, { type: 'string' }] },
    '1',
    '1',
  ],
  'a reference': [{ $ref: 'size#' }, '2', 2],
  'what has a type': [{ type: 'integer', enum: [1, 2] }, '2', 2],
  texts: [{ enum: ['1', '2'] }, '2', '2'],
  'a text that not lists as a number': [{ not: { enum: [1, 2] } }, '1', '1'],
  'a text that another schema is only asked of': [{ type: 'string', not: { const: 1 } }, '1', '1'],
}
for (const [what, [x, texts, value]] of Object.entries(taken)) {
  test(`${story}: ${what}`, async () => {
    assert.deepEqual(await read(x, ...[texts].flat()), value)
  })
}

const refused: Record<string, [x: object, texts: string | string[], message: string]> = {
  'another number': [{ enum: [1, 2] }, '3', 'must be equal to one of the allowed values'],
  'a word': [{ enum: [1, 2] }, 'x', 'must be equal to one of the allowed values'],
  'an empty text': [{ enum: [0, false] }, '', 'must be equal to one of the allowed values'],
  'a blank text': [{ enum: [0, null] }, '%20', 'must be equal to one of the allowed values'],
  several: [{ enum: [1, 2] }, ['1', '2'], 'must be equal to one of the allowed values'],
  'another const': [{ const: 1 }, '2', 'must be equal to constant'],
}
for (const [what, [x, texts, message]] of Object.entries(refused)) {
  test(`a text that stands for no listed value is refused in the words for that: ${what}`, async () => {
    assert.equal(await read(x, ...[texts].flat()), `querystring/x ${message}`)
  })
}

test('what one alternative lists leaves the text of the next as it is', async () => {
  const app = untyped()
  const alternative = (v: unknown, k: string) => ({
    properties: { v: { const: v }, k: { const: k } },
  })
  const querystring = { type: 'object', anyOf: [alternative(1, 'a'), alternative('1', 'b')] }
  app.get('/', { schema: { querystring } }, ({ query }) => query)
  assert.deepEqual((await app.inject('/?k=b&v=1')).json(), { k: 'b', v: '1' })
  await app.close()
})

test('params and headers take texts for listed values, and bodies of an equal schema do not', async () => {
  const app = untyped()
  const part = deepFreeze({ type: 'object', properties: { x: { enum: [1, 2] } } })
  const seen: unknown[] = []
  app.addHook('onRoute', ({ schema }) => seen.push(schema))
  const schema = { params: part, headers: { type: 'object', properties: { X: { const: 1 } } } }
  app.get('/:x', { schema }, ({ params, headers }) => [params, headers['x']])
  app.post('/', { schema: { body: part, querystring: part } }, ({ body, query }) => [body, query])
  const headers = { x: '1' }
  assert.deepEqual((await app.inject({ url: '/2', headers })).json(), [{ x: 2 }, 1])
  const post = (x: unknown) => app.inject({ method: 'POST', url: '/?x=1', payload: { x } })
  assert.deepEqual((await post(1)).json(), [{ x: 1 }, { x: 1 }])
  const refusal = await post('1')
  assert.equal(refusal.json().message, 'body/x must be equal to one of the allowed values')
  assert.deepEqual(seen[0], schema)
  await app.close()
})

test('where nothing is coerced no text is taken for another value', async () => {
  const app = untyped({ ajv: { customOptions: { coerceTypes: false } } })
  const querystring = { type: 'object', properties: { x: { enum: [1, 2] } } }
  app.get('/', { schema: { querystring } }, ({ query }) => query)
  assert.equal((await app.inject('/?x=1')).statusCode, 400)
  await app.close()
})
