import assert from 'node:assert/strict'
import { test } from 'node:test'
import { app } from './app.ts'

test('it is alive and ready', async () => {
  for (const url of ['/health/live', '/health/ready']) {
    const response = await app.inject({ url })
    assert.equal(response.body, '{"status":"ok"}')
  }
})

test('the first page leads to the documentation', async () => {
  const response = await app.inject('GET /')
  assert.deepEqual([response.statusCode, response.headers.location], [302, '/docs'])
})

test('a document describes all routes', async () => {
  await app.ready()
  const paths = Object.keys(app.openapi().paths)
  assert.ok(paths.includes('/tasks/{id}'), paths.join())
})
