// The own fields of thrown errors: only those leave that a response schema names.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from '@sinclair/typebox'
import { z } from 'zod'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

const message = { message: { type: 'string' } }
const detail = { detail: { type: 'string' } }
const own = {
  detail: 'shown',
  config: { password: 'hidden' },
  body: { token: 'hidden' },
  x1: 'hidden',
}

/** The JSON that an error with these fields is answered with. */
async function answer(schema: unknown, fields: object = own, options: object = {}) {
  const app = untyped(options).addSchema({ $id: 'shared', type: 'object', properties: detail })
  app.get('/', { schema: { response: { '4xx': schema } } }, async () => {
    throw Object.assign(new Error('refused'), { statusCode: 422, ...fields })
  })
  const [response] = await silenced(() => app.inject('/'))
  assert.equal(response.statusCode, 422)
  return response.json()
}

const silent: Record<string, unknown> = {
  'an open object': { type: 'object', properties: message, additionalProperties: true },
  'an object whose other fields have a schema': { type: 'object', additionalProperties: {} },
  'an object with fields by pattern': { type: 'object', patternProperties: { '^x': {} } },
  'no keyword': {},
  'a type alone': { type: 'object' },
  'an alternative that is open': {
    anyOf: [{ type: 'object', properties: message, additionalProperties: true }],
  },
  'content without a schema': { content: { 'application/json': {} } },
  'open content': {
    content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
  },
  Any: Type.Any(),
  Unknown: Type.Unknown(),
  'a record': Type.Record(Type.String(), Type.Any()),
  'an open object of zod': z.looseObject({ message: z.string() }),
  'what zod takes whole': z.any(),
}
for (const [what, schema] of Object.entries(silent)) {
  test(`nothing leaves of an error by ${what}`, async () => {
    for (const exposeErrors of [false, true]) {
      const text = JSON.stringify(await answer(schema, own, { exposeErrors }))
      assert.doesNotMatch(text, /hidden|shown/)
      assert.match(text, /refused|^\{\}$/)
    }
  })
}

const naming: Record<string, unknown> = {
  'an open object': {
    type: 'object',
    properties: { ...message, ...detail },
    additionalProperties: true,
  },
  allOf: {
    type: 'object',
    allOf: [
      { properties: message, type: 'object' },
      { properties: detail, type: 'object' },
    ],
  },
  'an alternative': {
    anyOf: [{ type: 'object', properties: { ...message, ...detail }, required: ['detail'] }],
  },
  'a shared schema': { $ref: 'shared#' },
  zod: z.looseObject({ message: z.string(), detail: z.string() }),
}
for (const [what, schema] of Object.entries(naming)) {
  test(`a field of an error leaves that is named by ${what}`, async () => {
    const payload = await answer(schema)
    assert.equal(payload.detail, 'shown')
    assert.doesNotMatch(JSON.stringify(payload), /hidden/)
  })
}

test('a field of an error does not replace its status, name, code or message', async () => {
  const properties = { statusCode: { type: 'integer' }, error: { type: 'string' }, ...message }
  const fields = { statusCode: 422, error: { secret: 'hidden' } }
  const payload = await answer({ type: 'object', properties }, fields)
  assert.deepEqual(payload, {
    statusCode: 422,
    error: 'Unprocessable Entity',
    message: 'refused',
  })
})
