// A stream of items from its handler to its reader: a client, and `inject`.
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { client } from '../../src/client/index.ts'
import espalier, { event, t } from '../../src/index.ts'
import { listening } from '../support/serve.ts'

const Count = t.Object({ n: t.Integer() })
const events = { content: { 'text/event-stream': { itemSchema: Count } } }
const lines = { content: { 'application/jsonl': { itemSchema: Count } } }

/** A server whose streams do not end by themselves. Each end of a handler is told. */
function counting() {
  const told = new EventEmitter()
  async function* from(start: number) {
    try {
      for (let n = start; ; n++) yield event({ n, hidden: true }, { id: String(n), retry: 1 })
    } finally {
      told.emit('end')
    }
  }
  async function* plain() {
    try {
      for (let n = 1; ; n++) yield { n, hidden: true }
    } finally {
      told.emit('end')
    }
  }
  const app = espalier()
    .get('/events', { schema: { response: { 200: events } } }, ({ headers }) =>
      from(Number(headers['last-event-id'] ?? 0) + 1),
    )
    .get('/lines', { schema: { response: { 200: lines } } }, plain)
    .get('/cut', { schema: { response: { 200: events } } }, async function* ({ headers }) {
      const n = Number(headers['last-event-id'] ?? 0) + 1
      yield event({ n }, { id: String(n), retry: 1 })
      if (n === 2) throw new Error('cut')
    })
  return { app, told }
}

test('a client reads the items, and the handler ends when it leaves', async (context) => {
  const { app, told } = counting()
  const api = client<typeof app>(await listening(context, app))
  for (const key of ['GET /events', 'GET /lines'] as const) {
    const ended = once(told, 'end')
    const seen: unknown[] = []
    for await (const item of (await api(key)).events()) {
      seen.push(item)
      if (item.n === 3) break
    }
    await ended
    assert.deepEqual(seen, [{ n: 1 }, { n: 2 }, { n: 3 }])
  }
})

test('so does inject', async () => {
  const { app, told } = counting()
  for (const key of ['GET /events', 'GET /lines'] as const) {
    const ended = once(told, 'end')
    for await (const { n } of (await app.inject(key)).events()) if (n === 3) break
    await ended
  }
})

test('a client that connects again goes on behind the last id', async (context) => {
  const { app } = counting()
  const api = client<typeof app>(await listening(context, app))
  const seen: unknown[] = []
  for await (const { data, id } of (await api('GET /cut')).messages({ reconnect: true })) {
    seen.push([data.n, id])
    if (data.n === 4) break
  }
  assert.deepEqual(seen, [
    [1, '1'],
    [2, '2'],
    [3, '3'],
    [4, '4'],
  ])
  // The connection may be cut before the item is read.
  const once = (await api('GET /cut', { headers: { 'last-event-id': 1 } })).events()
  const all = async () => {
    for await (const { n } of once) assert.equal(n, 2)
  }
  await assert.rejects(all, { code: 'ESP_ERR_CLIENT_NETWORK' })
})

test('a client may connect again after a gateway has failed', async (context) => {
  const asked: unknown[] = []
  const app = espalier().get('/', ({ headers }, reply) => {
    asked.push(headers['last-event-id'])
    if (asked.length === 2) return reply.code(503).send({ error: 'restarting' })
    if (asked.length === 3) return reply.code(502).type('image/png').send('x')
    if (asked.length === 5) return reply.code(500).send({ error: 'broken' })
    return reply.type('text/event-stream').send(`retry: 1\nid: ${asked.length}\ndata: 1\n\n`)
  })
  const url = await listening(context, app)
  // The type of the route says nothing of its events.
  const get = async (): Promise<any> => client<typeof app>(url)('GET /')
  const items = (await get()).events({ reconnect: { after: [502, 503, 504] } })
  await items.next()
  await items.next()
  assert.deepEqual(asked, [undefined, '1', '1', '1'])
  await assert.rejects(items.next(), { name: 'UndeclaredResponse', statusCode: 500 })
  asked.length = 0
  const plain = (await get()).events({ reconnect: true })
  await plain.next()
  await assert.rejects(plain.next(), { name: 'UndeclaredResponse', statusCode: 503 })
})
