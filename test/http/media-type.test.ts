import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isJson, mediaTypeOf } from '../../src/http/media-type.ts'

test('a media type is in lower case, without blanks and parameters', () => {
  assert.equal(
    mediaTypeOf(' Application/Vnd.Api+JSON\t; Charset="a;b"'),
    'application/vnd.api+json',
  )
})

test('a media type that is malformed is undefined', () => {
  for (const header of [
    '',
    'json',
    '/',
    'a/',
    '/a',
    'a/b/c',
    'a/b c',
    'a/b,c/d',
    '"a/b"',
    'a/(b)',
  ]) {
    assert.equal(mediaTypeOf(header), undefined, header)
  }
})

test('JSON is application/json, and what ends with +json', () => {
  assert.deepEqual(
    ['application/json', 'application/problem+json', 'text/json', 'application/json5'].map(isJson),
    [true, true, false, false],
  )
})
