// The stream of changes, over HTTP.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { client } from 'espalier/client'
import { buildApp, type App } from '../src/app.ts'
import { needsPostgres, startService } from './support.ts'

const service = await startService()
const ada = await service.signUp('ada')
after(() => service.close())

/** The items of a stream, one by one. */
async function follow({ api } = ada, signal = AbortSignal.timeout(20_000)) {
  const response = await api('GET /changes', {}, { signal })
  assert.equal(response.statusCode, 200)
  const items = response.events()[Symbol.asyncIterator]()
  const next = async () => (await items.next()).value
  assert.deepEqual(await next(), { change: 'open' })
  return { next, end: () => items.return?.() }
}

async function write(title: string, { api } = ada) {
  const response = await api('POST /notes', { body: { title } })
  assert.equal(response.statusCode, 201)
  return response.json().id
}

test('it tells what happens, in its order', async () => {
  const { next, end } = await follow()
  const id = await write('Tea')
  await ada.api('PATCH /notes/:id', {
    params: { id },
    headers: { 'if-match': '"1"' },
    body: { text: 'x' },
  })
  await ada.api('DELETE /notes/:id', { params: { id } })
  assert.deepEqual(await next(), { change: 'created', note: id })
  assert.deepEqual(await next(), { change: 'updated', note: id })
  assert.deepEqual(await next(), { change: 'deleted', note: id })
  await end()
})

test('it tells nothing of other users, and nothing that did not happen', async () => {
  const eve = await service.signUp('eve')
  const { next, end } = await follow()
  await write('of eve', eve)
  const first = await write('of ada')
  await ada.api('PATCH /notes/:id', {
    params: { id: first },
    headers: { 'if-match': '"7"' },
    body: { text: 'x' },
  })
  const second = await write('of ada')
  assert.deepEqual(await next(), { change: 'created', note: first })
  assert.deepEqual(await next(), { change: 'created', note: second })
  await end()
})

test('several pages of one user all hear it', async () => {
  const pages = await Promise.all([follow(), follow(), follow()])
  const id = await write('Tea')
  for (const { next, end } of pages) {
    assert.deepEqual(await next(), { change: 'created', note: id })
    await end()
  }
})

test('it is heard in another process', { skip: needsPostgres }, async () => {
  const other = buildApp(service.config)
  const url = await other.listen({ port: 0, host: '127.0.0.1' })
  try {
    const elsewhere = { ...ada, api: client<App>(url, { headers: { cookie: ada.cookie } }) }
    const { next, end } = await follow(elsewhere)
    const id = await write('Tea')
    assert.deepEqual(await next(), { change: 'created', note: id })
    await end()
  } finally {
    await other.close()
  }
})

test(
  'it says `open` again when its connection to the database is back',
  { skip: needsPostgres },
  async () => {
    const { next, end } = await follow()
    await service.app.db.execute(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'",
    )
    assert.deepEqual(await next(), { change: 'open' })
    const id = await write('Tea')
    assert.deepEqual(await next(), { change: 'created', note: id })
    await end()
  },
)

test('it ends when the server closes', async () => {
  const other = await startService()
  try {
    const bob = await other.signUp('bob')
    const { next } = await follow(bob)
    const [ended] = await Promise.allSettled([next(), other.app.close()])
    assert.ok(ended.status === 'rejected' || ended.value === undefined)
  } finally {
    await other.close()
  }
})
