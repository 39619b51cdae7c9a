import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TaskNotFound, removeTask } from '../src/tasks/tasks.ts'
import { app, logIn } from './app.ts'

async function addTask(headers: { authorization: string }, title: string) {
  const response = await app.inject('POST /tasks', { headers, body: { title } })
  if (response.statusCode !== 201) throw new Error(`adding a task gave ${response.statusCode}`)
  return response.json()
}

test('tasks need a token', async () => {
  const response = await app.inject('GET /tasks')
  assert.equal(response.statusCode, 401)
})

test('a task is added, done and removed', async () => {
  const headers = await logIn()
  const { id } = await addTask(headers, 'Write a test')

  const done = await app.inject('PATCH /tasks/:id', {
    headers,
    params: { id },
    body: { done: true },
  })
  assert.deepEqual(done.json(), { id, title: 'Write a test', done: true })

  const removed = await app.inject('DELETE /tasks/:id', { headers, params: { id } })
  assert.equal(removed.statusCode, 204)
  const again = await app.inject('DELETE /tasks/:id', { headers, params: { id } })
  assert.equal(again.statusCode, 404)
  assert.equal(again.json().id, id)
})

test('a function that finds no task says so by its error', async () => {
  await app.ready()
  await assert.rejects(removeTask(app.db, 1, 2 ** 31 - 1), TaskNotFound)
})

test('a field that no schema names is refused', async () => {
  const headers = await logIn()
  const payload = { title: 'Read', doen: true }
  const response = await app.inject({ method: 'POST', url: '/tasks', headers, payload })
  assert.equal(response.statusCode, 400)
  assert.match(response.body, /must NOT have the field 'doen'/)
})

test('a task without a title is refused', async () => {
  const headers = await logIn()
  const response = await app.inject({
    method: 'POST',
    url: '/tasks',
    headers,
    payload: { title: '' },
  })
  assert.equal(response.statusCode, 400)
  assert.match(response.body, /title/)
})

test('the list has pages', async () => {
  const headers = await logIn()
  const one = await addTask(headers, 'one')
  const two = await addTask(headers, 'two')

  const first = await app.inject('GET /tasks', { headers, query: { limit: 1 } })
  assert.deepEqual(first.json(), { items: [one], next: one.id })
  const last = await app.inject('GET /tasks', { headers, query: { after: one.id } })
  assert.deepEqual(last.json(), { items: [two] })
})

test('nobody sees the tasks of others', async () => {
  const { id } = await addTask(await logIn(), 'secret')
  const headers = await logIn()
  const list = await app.inject('GET /tasks', { headers })
  assert.deepEqual(list.json(), { items: [] })
  const response = await app.inject('PATCH /tasks/:id', { headers, params: { id }, body: {} })
  assert.equal(response.statusCode, 404)
})
