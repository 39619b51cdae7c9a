import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'

const app = buildApp(readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }))

test('it greets', async () => {
  const response = await app.inject('GET /hello', { query: { name: 'Ada' } })
  assert.deepEqual(response.json(), { greeting: 'Hello, Ada!' })
})

test('a name that is too long is refused', async () => {
  const response = await app.inject({ url: `/hello?name=${'a'.repeat(41)}` })
  assert.equal(response.statusCode, 400)
})

test('a field that no schema names is refused', async () => {
  const response = await app.inject({ url: '/hello?nmae=Ada' })
  assert.match(response.body, /must NOT have the field 'nmae'/)
})

test('a wrong configuration is an error that names the variable', () => {
  assert.equal(readConfig({}).PORT, 3000)
  assert.throws(() => readConfig({ PORT: 'x' }), /PORT/)
})
