import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createError } from '../../src/errors/codes.ts'
import { EspalierError } from '../../src/errors/espalier-error.ts'

const Failed = createError('ESP_ERR_FAILED', '%s failed: %s', 503)

test('the details fill the template, and one more is the cause', () => {
  const cause = new Error('below')
  const error = new Failed('This', 'why', cause)
  assert.equal(error.message, 'This failed: why')
  assert.equal(error.cause, cause)
  assert.equal('cause' in new Failed('This', 'why'), false)
})

test('the error has code and status, and its class the code', () => {
  const error = new Failed('a', 'b')
  assert.ok(error instanceof EspalierError && error instanceof Error)
  assert.deepEqual(
    [error.code, error.statusCode, Failed.code],
    ['ESP_ERR_FAILED', 503, Failed.code],
  )
  assert.equal(error.name, 'EspalierError')
  assert.equal(String(error), 'EspalierError [ESP_ERR_FAILED]: a failed: b')
})

test('a percent sign in a detail is no place for another detail', () => {
  assert.equal(new Failed('%s', '%d').message, '%s failed: %d')
})
