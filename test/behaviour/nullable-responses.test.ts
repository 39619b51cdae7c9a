// `nullable` without a type in the schemas of responses, which the ajv of the serializer does not compile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fastify, t } from '../../src/index.ts'
import { untyped, type UntypedServer } from '../support/untyped.ts'

const either = [{ type: 'string' }, { type: 'integer' }]

const serve = (response: object, payload: unknown = 'x', app = untyped()): UntypedServer =>
  app.get('/', { schema: { response: { 200: response } } }, () => ({ value: payload }))

const holding = (value: object) => ({ type: 'object', properties: { value } })

const refused: Record<string, [schema: object, place: string]> = {
  'beside oneOf': [{ nullable: true, oneOf: either }, '/properties/value'],
  'beside anyOf': [{ nullable: true, anyOf: either }, '/properties/value'],
  'as false': [{ nullable: false, oneOf: either }, '/properties/value'],
  'in a union of t': [t.Union([t.String(), t.Integer()], { nullable: true }), '/properties/value'],
  'in an alternative': [
    { anyOf: [{ type: 'string' }, { nullable: true, enum: [1] }] },
    '/properties/value/anyOf/1',
  ],
  'beside a property with alternatives': [
    { type: 'object', properties: { a: { oneOf: either }, b: { nullable: true } } },
    '/properties/value/properties/b',
  ],
  'in if': [
    { type: 'object', if: { nullable: true }, then: { type: 'object' } },
    '/properties/value/if',
  ],
}
for (const [what, [schema, place]] of Object.entries(refused)) {
  test(`nullable without a type ${what} of a response is a boot error that names route and place: every reply was a 500`, async () => {
    await assert.rejects(async () => serve(holding(schema)).ready(), {
      code: 'ESP_ERR_SCH_SERIALIZATION_BUILD',
      message:
        'The serializer for response 200 of GET / in root cannot be built: ' +
        `"nullable" cannot be used without "type", as at ${place}. ` +
        "Give it a type, or make null an alternative: anyOf: [{ … }, { type: 'null' }]",
    })
  })
}

const taken: Record<string, object> = {
  'without alternatives around': { nullable: true },
  'beside a list of values': { nullable: true, enum: ['x', null] },
  'beside allOf': { nullable: true, allOf: [{ type: 'object' }] },
  'around alternatives that are only excluded': {
    nullable: true,
    not: { oneOf: [{ type: 'integer' }, { type: 'boolean' }] },
  },
}
for (const [what, schema] of Object.entries(taken)) {
  test(`nullable without a type ${what} is taken in a response`, async () => {
    const response = await serve(holding(schema), null).inject('/')
    assert.deepEqual([response.statusCode, response.json()], [200, { value: null }])
  })
}

test('nullable with a type beside oneOf is taken in a response', async () => {
  const schema = { type: ['string', 'integer'], nullable: true, oneOf: [{}] }
  const response = await serve(holding(schema), null).inject('/')
  assert.equal(response.statusCode, 200)
})

test('nullable without a type in a shared schema is a boot error where a response has alternatives besides', async () => {
  const shared = { $id: 'shared', nullable: true, enum: ['x'] }
  const app = untyped().addSchema(shared)
  const schema = holding({ anyOf: [{ type: 'integer' }, { $ref: 'shared#' }] })
  await assert.rejects(async () => serve(schema, 'x', app).ready(), /the top of 'shared#'/)
})

test('nullable without a type boots in a program for Fastify', async () => {
  const response = { 200: { type: 'object', properties: { a: { nullable: true, oneOf: either } } } }
  const app = fastify()
  await app.get('/', { schema: { response } }, () => ({})).ready()
})
