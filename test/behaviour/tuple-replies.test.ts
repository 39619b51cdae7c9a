// Tuples in responses whose items have no `type`: each reply was a 500 ("Item at 1 does not match schema definition").
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { deepFreeze, untyped, untypedFastify } from '../support/untyped.ts'

const tuple = (...items: (object | boolean)[]) => {
  const count = items.length
  return { type: 'array', items, minItems: count, maxItems: count, additionalItems: false }
}

const User = t.Object({ id: t.Integer() })
const shared = { $id: 'choice', anyOf: [User, { type: 'null' }] }
const chain = {
  $id: 'chain',
  anyOf: [{ type: 'null' }, tuple({ type: 'integer' }, { $ref: 'chain#' })],
}
const any = { $id: 'any' }

async function reply(item: object | boolean, payload: unknown, app = untyped()) {
  const value = tuple({ type: 'string' }, item)
  const schema = deepFreeze({ type: 'object', properties: { value } })
  for (const each of [shared, chain, any]) app.addSchema(deepFreeze(each))
  app.get('/', { schema: { response: { 200: schema } } }, () => ({ value: ['a', payload] }))
  const { statusCode, body } = await app.inject('/')
  await app.close()
  return statusCode === 200 ? body.slice('{"value":["a",'.length, -']}'.length) : statusCode
}

const date = new Date(0)
const secret = { id: 1, secret: 2 }

const written: Record<string, [item: object | boolean, payload: unknown, body: string]> = {
  'a number of a union': [t.Union([t.Number(), t.Null()]), 1.5, '1.5'],
  'null of a union': [t.Union([t.Number(), t.Null()]), null, 'null'],
  'an object of a union, without what it does not declare': [
    t.Union([User, t.Null()]),
    secret,
    '{"id":1}',
  ],
  'an object of a union in a union': [
    t.Union([t.Union([User, t.String()]), t.Null()]),
    secret,
    '{"id":1}',
  ],
  'one of oneOf': [{ oneOf: [User, { enum: [1, null] }] }, null, 'null'],
  'a date of a union': [
    t.Union([t.String({ format: 'date-time' }), t.Null()]),
    date,
    `"${date.toJSON()}"`,
  ],
  'a number of enum': [{ enum: [1, 'b', null, true] }, 1, '1'],
  'a text of enum': [{ enum: [1, 'b', null, true] }, 'b', '"b"'],
  'null of enum': [{ enum: [1, 'b', null, true] }, null, 'null'],
  'true of enum': [{ enum: [1, 'b', null, true] }, true, 'true'],
  'an enum of TypeBox 1': [Type.Enum([1, 2]), 2, '2'],
  const: [{ const: 1 }, 1, '1'],
  'const that is an object': [{ const: { id: 1 } }, { id: 1 }, '{"id":1}'],
  'a reference to a union': [{ $ref: 'choice#' }, secret, '{"id":1}'],
  'null of a reference to a union': [{ $ref: 'choice#', title: 'x' }, null, 'null'],
  'a reference that is only read': [{ $ref: 'choice#', readOnly: true }, secret, '{"id":1}'],
  'a reference in a union': [t.Union([t.Ref('choice'), t.String()]), secret, '{"id":1}'],
  'a reference to a tuple that leads to itself': [
    { $ref: 'chain#' },
    [1, [2, [3, null]]],
    '[1,[2,[3,null]]]',
  ],
  'a tuple in a tuple': [
    t.Tuple([t.Union([User, t.Null()]), t.Tuple([t.Union([t.Null(), t.String()])])]),
    [secret, [null]],
    '[{"id":1},[null]]',
  ],
  'a tuple in a union': [
    t.Union([t.Tuple([t.Union([User, t.Null()])]), t.Null()]),
    [secret],
    '[{"id":1}]',
  ],
  'an intersection': [
    { allOf: [User, { type: 'object', properties: { name: { type: 'string' } } }] },
    { ...secret, name: 'Ada' },
    '{"id":1,"name":"Ada"}',
  ],
  'one of two cases': [
    { if: { type: 'object' }, then: User, else: { type: 'integer' } },
    secret,
    '{"id":1}',
  ],
  'properties beside what takes anything': [
    { properties: { id: {} }, anyOf: [{ $ref: 'any#' }, {}, { required: ['id'] }] },
    secret,
    '{"id":1}',
  ],
}
for (const [what, [item, payload, body]] of Object.entries(written)) {
  test(`an item of a tuple is written: ${what}. It was refused, since its schema has no type`, async () => {
    assert.equal(await reply(item, payload), body)
  })
}

const refused: Record<string, [item: object | boolean, payload: unknown]> = {
  'a text for an integer': [t.Integer(), 'x'],
  'a text for a number or null': [t.Union([t.Number(), t.Null()]), 'x'],
  'an object for a text or null': [{ enum: ['a', null] }, { a: 1 }],
  'a text for a number of enum': [{ enum: [1, 2] }, 'x'],
  'an object that no alternative takes': [t.Union([User, t.Null()]), { id: 'x' }],
  'what nothing matches': [false, 1],
  // The serializer asks for a type, and would write some of what has any in another way than JSON.
  'what may be anything': [t.Any(), 1],
}
for (const [what, [item, payload]] of Object.entries(refused)) {
  test(`an item of a tuple is refused where its schema does not let it be: ${what}`, async () => {
    const [status] = await silenced(() => reply(item, payload))
    assert.equal(status, 500)
  })
}

test('an item of a tuple without a type is refused, as programs for Fastify know it', async () => {
  const item = t.Union([t.Number(), t.Null()])
  const [status] = await silenced(() => reply(item, 1, untypedFastify()))
  assert.equal(status, 500)
})

test('what a reference of an item leads to is written elsewhere as it was', async () => {
  const app = untyped()
  app.addSchema(shared)
  const schema = {
    type: 'object',
    properties: { tuple: tuple({ $ref: 'choice#' }), free: { $ref: 'choice#' } },
  }
  app.get('/', { schema: { response: { 200: schema } } }, () => ({ tuple: [secret], free: secret }))
  assert.equal((await app.inject('/')).body, '{"tuple":[{"id":1}],"free":{"id":1}}')
})

test('an item that excludes a type is left as it is, and stops no boot', async () => {
  const [status] = await silenced(() => reply({ not: { type: 'string' } }, 1))
  assert.equal(status, 500)
})

test('a definition may stand twice in an item', async () => {
  const item = { allOf: [{ $ref: 'choice#' }, { $ref: 'choice#' }] }
  assert.equal(await reply(item, null), 'null')
  assert.equal(await reply(item, { id: 1 }), '{"id":1}')
})

test('members of unions inside of items are told apart', async () => {
  const inner = { anyOf: [{ type: 'number' }, { minimum: 1 }] }
  const open = { type: 'object', properties: {}, additionalProperties: true }
  assert.equal(await reply({ anyOf: [inner, open] }, { c: 1 }), '{"c":1}')
})
