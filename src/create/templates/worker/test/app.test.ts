import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client } from 'espalier/client'
import { buildApp } from '../src/app.ts'

const app = buildApp({ GREETING: 'Good day' })
const api = client(app)

test('it greets', async () => {
  const response = await api('GET /hello', { query: { name: 'Ada' } })
  assert.deepEqual(response.json(), { greeting: 'Good day, Ada!' })
})

test('a name that is too long is refused', async () => {
  const response = await app.fetch(`http://localhost/hello?name=${'a'.repeat(41)}`)
  assert.equal(response.status, 400)
})

test('a field that no schema names is refused', async () => {
  const response = await app.fetch('http://localhost/hello?nmae=Ada')
  assert.match(await response.text(), /must NOT have the field 'nmae'/)
})
