import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorCodes } from '../../src/index.ts'
import { runValidator } from '../../src/validation/run-validator.ts'

test('a validator that returns true is asked no more, and makes no promise', () => {
  assert.equal(
    runValidator(() => true, {}),
    undefined,
  )
})

test('an answer that is there at once is judged at once', () => {
  assert.deepEqual(
    runValidator(() => ({ value: 1 }), {}),
    { value: 1 },
  )
  assert.deepEqual(
    runValidator(() => ({ error: 'no', value: 1 }), {}),
    { error: 'no' },
  )
})

test('false without errors is an empty list of errors', () => {
  assert.deepEqual(
    runValidator(() => false, {}),
    { error: [] },
  )
})

test('whatever has a then is waited for', async () => {
  const thenable = { then: (done: (answer: unknown) => void) => done({ value: 1 }) }
  assert.deepEqual(await runValidator(() => thenable, {}), { value: 1 })
})

test('a promise that rejects with a coded error says that validating itself went wrong', async () => {
  const error = new errorCodes.ESP_ERR_VALIDATOR_FAILED('x', 'y')
  await assert.rejects(async () => runValidator(() => Promise.reject(error), {}), error)
  assert.deepEqual(await runValidator(() => Promise.reject('no'), {}), { error: 'no' })
})
