// Which of a response's alternatives takes a value, and how it is written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { espalier, t } from '../../src/index.ts'
import { untyped } from '../support/untyped.ts'

const at = new Date('2026-01-02T03:04:05Z')
const when = { type: 'string', format: 'date-time' } as const

const beside: Record<string, [object: object, text?: object]> = {
  'an object whose fields may be left out': [{ type: 'object', properties: { a: {} } }],
  'an object without a type': [{ properties: { a: {} } }],
  'a map': [{ type: 'object', additionalProperties: { type: 'string' } }],
  'a shared object': [{ $ref: 'open#' }],
  'an object, beside text or null,': [{ type: 'object' }, { ...when, type: ['string', 'null'] }],
  'an object or null': [{ type: ['object', 'null'], properties: { a: {} } }],
  'a union of objects': [
    { anyOf: [{ type: 'object', properties: { a: {} } }, { type: 'object' }, { type: 'null' }] },
  ],
}
for (const [what, [object, text = when]] of Object.entries(beside)) {
  test(`a date beside ${what} is text: it left as {}, or as an object of its letters`, async () => {
    for (const keyword of ['anyOf', 'oneOf']) {
      const app = untyped()
      app.addSchema({ $id: 'open', type: 'object', properties: { a: {} } })
      const response = { type: 'object', properties: { at: { [keyword]: [object, text] } } }
      app.get('/', { schema: { response: { 200: response } } }, () => ({ at }))
      const { body } = await app.inject('/')
      assert.equal(body, '{"at":"2026-01-02T03:04:05.000Z"}')
    }
  })
}

test('an object leaves by the alternative of objects, beside a date', async () => {
  const union = t.Union([t.Object({ a: t.Optional(t.Integer()) }), t.String({ format: 'date' })])
  const app = espalier()
    .get('/object', { schema: { response: { 200: t.Object({ at: union }) } } }, () => ({
      at: { a: 1 },
    }))
    .get('/date', { schema: { response: { 200: t.Object({ at: union }) } } }, () => ({ at }))
  assert.equal((await app.inject('/object')).body, '{"at":{"a":1}}')
  assert.equal((await app.inject('/date')).body, '{"at":"2026-01-02"}')
})

test('of several types a value is written by its own: a list left as its text', async () => {
  const types = ['object', 'string', 'array', 'number', 'integer', 'boolean', 'null']
  const any = { type: types, items: {}, additionalProperties: true }
  class User {
    a = 1
    toString() {
      return 'User 1'
    }
  }
  const values = {
    ...{ list: [1, 'a'], map: { a: 1 }, user: new User(), text: '5' },
    ...{ half: 0.5, one: 1, no: false, nil: null },
  }
  const properties = Object.fromEntries(Object.keys(values).map((name) => [name, any]))
  const app = untyped({ ajv: { customOptions: { strict: false } } })
  app.get('/', { schema: { response: { 200: { type: 'object', properties } } } }, () => values)
  assert.equal((await app.inject('/')).body, JSON.stringify(values))
})

test('keywords that an application adds for its alternatives are asked, too', async () => {
  const even = {
    keyword: 'even',
    type: 'number' as const,
    validate: (_: true, n: number) => n % 2 === 0,
  }
  const app = untyped({
    ajv: { customOptions: { keywords: ['even'] } },
    serializerOpts: { ajv: { keywords: [even] } },
  })
  const response = {
    anyOf: [
      { type: 'integer', even: true },
      { type: 'object', properties: {} },
    ],
  }
  app.get('/', { schema: { response: { 200: response } } }, () => 3)
  assert.equal((await app.inject('/')).statusCode, 500)
})
