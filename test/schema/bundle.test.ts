import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundleSchema, UnresolvedReference } from '../../src/schema/bundle.ts'

const integer = { type: 'integer' }

test('a bundle has no $id, no $schema and no $comment, and only the definitions it refers to', () => {
  const schema = {
    $id: 'a',
    $schema: 'http://json-schema.org/draft-07/schema#',
    $comment: 'words',
    definitions: { used: integer, unused: { type: 'string' } },
    properties: { n: { $ref: '#/definitions/used' } },
  }
  assert.deepEqual(bundleSchema(schema, {}).schema, {
    properties: { n: { $ref: '#/definitions/definitions_used' } },
    definitions: { definitions_used: integer },
  })
})

test('one schema that is referred to in several ways is copied once', () => {
  const user = { $id: 'user', properties: { n: integer } }
  const properties = { a: { $ref: 'user#' }, b: { $ref: 'user' }, c: { $ref: 'user#' } }
  const { definitions } = bundleSchema({ properties }, { user }).schema
  assert.deepEqual(definitions, { user: { properties: { n: integer } } })
})

test('different schemas whose names look alike are kept apart', () => {
  const properties = { a: { $ref: 'a/b#' }, b: { $ref: 'a b#' } }
  const { schema } = bundleSchema({ properties }, { 'a/b': integer, 'a b': { type: 'null' } })
  assert.deepEqual(schema['properties'], {
    a: { $ref: '#/definitions/a_b' },
    b: { $ref: '#/definitions/a_b_2' },
  })
})

test('equal schemas have equal texts, by which they are compiled once', () => {
  const text = (user: object) =>
    bundleSchema({ $ref: 'user#' }, { user: { $id: 'user', ...user } }).text
  assert.equal(text({ type: 'null' }), text({ type: 'null' }))
  assert.notEqual(text({ type: 'null' }), text({ type: 'string' }))
})

test('a schema that holds what JSON cannot say has no text', () => {
  for (const value of [() => 1, 1n, /x/, new Date(0), Symbol('x')]) {
    assert.equal(bundleSchema({ custom: { deep: [value] } }, {}).text, undefined)
    assert.equal(bundleSchema({ default: value }, {}).text, undefined)
  }
})

test('a self-reference of a schema that is merged with itself is refused', () => {
  const source = { $ref: 'loop#' }
  const loop = { $id: 'loop', properties: { next: { $merge: { source, with: {} } } } }
  assert.throws(() => bundleSchema({ $ref: 'loop#' }, { loop }), UnresolvedReference)
})

test('the error of a reference that names nothing has the reference', () => {
  assert.throws(() => bundleSchema({ $ref: 'none#' }, {}), { reference: 'none#' })
})
