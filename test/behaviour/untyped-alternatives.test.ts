// Alternatives of a response that have no type: what they let pass was written as what their keywords are for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { espalier } from '../../src/index.ts'
import { untyped } from '../support/untyped.ts'

const named = { properties: { name: { type: 'string' } }, required: ['name'] } as const
const shared = { $id: 'named', ...named }

const written: Record<string, [schema: object, payload: unknown, body: string]> = {
  'null beside properties': [{ anyOf: [named, { type: 'null' }] }, null, 'null'],
  'null beside properties of oneOf': [{ oneOf: [named, { type: 'null' }] }, null, 'null'],
  'a list beside properties': [{ anyOf: [named, { type: 'array' }] }, [1], '[1]'],
  'a number beside properties': [{ anyOf: [named, { enum: [1, 2] }] }, 2, '2'],
  'anything beside properties': [{ anyOf: [named, {}] }, 'Ada', '"Ada"'],
  'null beside a reference': [{ anyOf: [{ $ref: 'named#' }, { type: 'null' }] }, null, 'null'],
  'null beside what is required': [
    { anyOf: [{ required: ['name'] }, { type: 'null' }] },
    null,
    'null',
  ],
  'null in a union of a union': [
    { anyOf: [{ type: 'integer' }, { anyOf: [named, { type: 'null' }] }] },
    null,
    'null',
  ],
  'a number beside a text': [{ anyOf: [{ minLength: 2 }, { type: 'integer' }] }, 5, '5'],
  'a text beside a number': [{ anyOf: [{ minimum: 2 }, { type: 'string' }] }, 'Ada', '"Ada"'],
  'an object beside a list': [
    { anyOf: [{ maxItems: 2 }, { type: 'object', additionalProperties: true }] },
    { a: 1 },
    '{"a":1}',
  ],
  'the object itself': [
    { anyOf: [named, { type: 'null' }] },
    { name: 'Ada', age: 36 },
    '{"name":"Ada"}',
  ],
}
for (const [what, [schema, value, body]] of Object.entries(written)) {
  test(`${what} leaves as it is: an alternative without a type took it, and wrote {} or a text`, async () => {
    const response = { type: 'object', properties: { value: schema } }
    const app = untyped({ ajv: { customOptions: { strict: false } } })
    app.addSchema(shared)
    app.get('/', { schema: { response: { 200: response } } }, () => ({ value }))
    const { statusCode, body: text } = await app.inject('/')
    assert.deepEqual([statusCode, text], [200, `{"value":${body}}`])
  })
}

test('alternatives of a condition, and those that ajv asks one of, are left as they are', async () => {
  const [iban, card] = ['iban', 'card'].map((name) => ({
    type: 'object',
    required: [name],
    properties: { [name]: { type: 'string' } },
  }))
  const paid = { type: 'object', required: ['pay'], properties: { pay: { oneOf: [iban, card] } } }
  const decided = {
    type: 'object',
    if: { properties: { a: { anyOf: [{ minLength: 2 }, { type: 'boolean' }] } } },
    then: { properties: { a: {}, b: {} } },
    else: { properties: { c: {} } },
  }
  for (const [schema, payload] of [
    [{ anyOf: [paid, { type: 'null' }] }, { pay: { card: 'x' } }],
    [decided, { a: 1, b: 2 }],
  ] as const) {
    const app = untyped({ serializerOpts: { ajv: { strictTypes: false } } })
    app.get('/', { schema: { response: { 200: schema } } }, () => payload)
    assert.deepEqual((await app.inject('/')).json(), payload)
  }
})

test('null is written where a type beside the alternatives has it, by alternatives that speak of the same', async () => {
  const value = { type: ['object', 'null'], anyOf: [named, { properties: { id: {} } }] }
  const around = { allOf: [{ type: ['object', 'null'] }, { anyOf: [named, { required: ['id'] }] }] }
  for (const schema of [value, around]) {
    const response = { type: 'object', properties: { value: schema } }
    const app = untyped({ serializerOpts: { ajv: { strictTypes: false } } })
    app.get('/', { schema: { response: { 200: response } } }, () => ({ value: null }))
    assert.equal((await app.inject('/')).body, '{"value":null}')
  }
})

test('what a handler replies with for an alternative of properties is typed as it leaves', async () => {
  const app = espalier().get(
    '/',
    { schema: { response: { 200: { anyOf: [named, { type: 'null' }] } } } },
    () => null,
  )
  const response = await app.inject('GET /')
  const body: { name: string } | null = response.json()
  assert.equal(body, null)
})
