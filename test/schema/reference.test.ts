import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDocument, openDocument, resolveReference } from '../../src/schema/reference.ts'

const integer = { type: 'integer' }

test('the base of a document is its $id without the empty fragment', () => {
  assert.equal(openDocument({ $id: 'user#' }).base, 'user')
  assert.equal(openDocument({}).base, '')
})

test('the base of an embedded document is absolute, from that of the one around it', () => {
  const outer = openDocument({ $id: 'https://example.com/a/outer.json' })
  assert.equal(
    openDocument({ $id: 'inner.json' }, undefined, outer).base,
    'https://example.com/a/inner.json',
  )
})

test('an $id that is a fragment, empty or no string opens no document', () => {
  assert.equal(isDocument({ $id: 'user' }), true)
  for (const $id of ['#nick', '', 7, undefined]) assert.equal(isDocument({ $id }), false)
})

test('a pointer that does not end at a schema names nothing', () => {
  const document = openDocument({ required: ['a'], properties: { a: integer }, title: 'x' })
  for (const pointer of ['#/required', '#/required/0', '#/title', '#/properties/b', '#/toString']) {
    assert.equal(resolveReference(pointer, document, {}), undefined, pointer)
  }
  assert.equal(resolveReference('#/properties/a', document, {})?.node, integer)
})

test('a fragment that is no valid percent-encoding is taken as it is', () => {
  const document = openDocument({ definitions: { '100%': integer } })
  assert.equal(resolveReference('#/definitions/100%', document, {})?.node, integer)
})

test('an $anchor names a sub-schema as an $id with # does', () => {
  const document = openDocument({ items: { ...integer, $anchor: 'n' } })
  assert.deepEqual(resolveReference('#n', document, {})?.node, { ...integer, $anchor: 'n' })
})

test('a fragment does not reach into a document that is embedded', () => {
  const inner = { $id: 'inner', properties: { a: { $id: '#a', ...integer } } }
  const document = openDocument({ properties: { inner } })
  assert.equal(resolveReference('#a', document, {}), undefined)
  assert.deepEqual(resolveReference('inner#a', document, {})?.document.root, inner)
})

test('a document that is near comes before a shared schema of the same $id', () => {
  const document = openDocument({ $id: 'user', title: 'near' })
  assert.equal(resolveReference('user#', document, { user: integer })?.node, document.root)
})
