// Which of a response's alternatives takes a value, and how it is written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { espalier, t } from '../../src/index.ts'
import { untyped, untypedFastify } from '../support/untyped.ts'

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

const id = { type: 'integer' } as const
const text = { type: 'string' } as const
const summary = { type: 'object', properties: { id }, required: ['id'] } as const
const detail = {
  type: 'object',
  properties: { id, bio: text },
  required: ['id', 'bio'],
} as const
const open = { type: 'object', properties: { id } } as const
const within = (schema: object) => ({ type: 'object', properties: { user: schema } })

/** Boots a server with a response, by itself and behind a reference. */
async function boot(response: object, make = untyped): Promise<void> {
  for (const schema of [response, { $ref: 'shared#' }]) {
    const app = make().addSchema({ $id: 'shared', ...response })
    app.get('/x', { schema: { response: { 200: schema } } }, () => ({}))
    await app.ready()
    await app.close()
  }
}

const unwritten: Record<string, readonly [earlier: object, later: object, field: string]> = {
  'one with more fields': [summary, detail, 'bio'],
  'any object behind one whose fields may be left out': [
    open,
    { ...within(text), required: ['user'] },
    'user',
  ],
  'any object behind one without fields': [{ type: 'object' }, summary, 'id'],
  'one with more fields further down': [within(summary), within(detail), 'bio'],
  'a list of one with more fields': [
    { type: 'array', items: summary },
    { type: 'array', items: detail },
    'bio',
  ],
  'one whose constant is any text to the first': [
    { type: 'object', properties: { kind: text }, required: ['kind'] },
    { type: 'object', properties: { kind: { ...text, const: 'a' }, id }, required: ['kind'] },
    'id',
  ],
}
for (const [what, [earlier, later, field]] of Object.entries(unwritten)) {
  test(`an alternative that never is written stops the boot (${what}): its fields were lost`, async () => {
    const reason = new RegExp(
      `response 200 of GET /x in root.* alternative 1 of \\w+ at .* is never written: alternative 0 takes its values and leaves out '${field}'`,
    )
    await assert.rejects(boot({ anyOf: [earlier, later] }), reason)
    await assert.rejects(boot(within({ oneOf: [earlier, later] })), reason)
    await boot({ anyOf: [later, earlier] })
    await boot({ anyOf: [earlier, later] }, untypedFastify)
  })
}

test('of two objects whose fields may be left out one has to be closed, in any order', async () => {
  const reason = /leaves out 'user'. Close alternative 0 with additionalProperties: false$/
  await assert.rejects(boot({ anyOf: [open, within(text)] }), reason)
  await boot({ anyOf: [{ ...open, additionalProperties: false }, within(text)] })
})

test('an alternative is written where the one before it may not take its values, or drops nothing of them', async () => {
  const closed = { ...summary, additionalProperties: false }
  const named = { type: 'object', properties: { id, kind: { const: 'a' } }, required: ['kind'] }
  for (const earlier of [
    closed,
    { ...summary, additionalProperties: true },
    { ...summary, minProperties: 3 },
    { ...summary, required: ['id', 'name'] },
    { ...summary, properties: { id: text } },
    { ...summary, properties: { id: { ...id, minimum: 5 } } },
    named,
    { type: 'array', items: summary },
    text,
  ]) {
    await boot({ anyOf: [earlier, detail] })
  }
})

test('alternatives are not compared where other schemas add to their fields', async () => {
  await boot({ type: 'object', properties: { bio: text }, anyOf: [summary, detail] })
  await boot({
    allOf: [{ type: 'object', properties: { bio: text } }, { anyOf: [summary, detail] }],
  })
  await boot({ not: { anyOf: [summary, detail] }, type: 'object', properties: { id } })
})
