import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expandShortForm, isFullSchema } from '../../src/schema/short-form.ts'

test('an object with a prototype of its own belongs to a library, and is a full schema', () => {
  class Schema {
    readonly name = { type: 'string' }
  }
  assert.equal(isFullSchema({ name: new Schema().name }), false)
  assert.equal(isFullSchema(Object.assign(new Schema())), true)
})

test('an object without a prototype may be a short form', () => {
  const part = Object.assign(Object.create(null) as object, { a: { type: 'string' } })
  assert.equal(isFullSchema(part), false)
})

test('a full schema is returned as it is', () => {
  const schema = { type: 'object' }
  assert.equal(expandShortForm(schema), schema)
})

test('an empty short form is an object of which nothing is known', () => {
  assert.deepEqual(expandShortForm({}), { type: 'object', properties: {} })
})

test("schemas of TypeBox's successor are told by their '~kind': required, and full by themselves", () => {
  const name = { '~kind': 'String', type: 'string' }
  assert.deepEqual(expandShortForm({ name }), {
    type: 'object',
    required: ['name'],
    properties: { name },
  })
  assert.equal(isFullSchema({ '~kind': 'Any' }), true)
})
