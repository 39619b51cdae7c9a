import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildApp } from '../src/server/app.ts'
import { readConfig } from '../src/server/config.ts'

const app = buildApp(readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }))

test('a task is added, done and listed', async () => {
  const added = await app.inject('POST /api/tasks', { body: { title: 'write a test' } })
  assert.equal(added.statusCode, 201)
  const done = { params: { id: 1 }, body: { isDone: true } }
  assert.equal((await app.inject('PATCH /api/tasks/:id', done)).statusCode, 200)
  const list = await app.inject('GET /api/tasks')
  assert.deepEqual(list.json(), [{ id: 1, title: 'write a test', isDone: true }])
})

test('a title that is there already is refused', async () => {
  const response = await app.inject('POST /api/tasks', { body: { title: 'write a test' } })
  assert.equal(response.statusCode, 409)
})

test('a task that is not there is answered with 404', async () => {
  const unknown = { params: { id: 7 }, body: { isDone: true } }
  assert.equal((await app.inject('PATCH /api/tasks/:id', unknown)).statusCode, 404)
})
