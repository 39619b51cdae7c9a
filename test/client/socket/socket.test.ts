// The client of routes for WebSockets, with a server of its own.
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { after, test } from 'node:test'
import { WebSocket } from 'ws'
import { socket } from '../../../src/client/socket/index.ts'
import { client } from '../../../src/client/index.ts'
import espalier, { t } from '../../../src/index.ts'
import { websocket } from '../../../src/websocket/index.ts'

type Loose = any

const Said = t.Object({ text: t.String() })
const Told = t.Object({
  room: t.Integer(),
  text: t.String(),
  at: t.String({ format: 'date-time' }),
})
const told = new EventEmitter()
let cuts = 0

const app = espalier({ logger: false })
  .register(websocket())
  .websocket(
    '/room/:id',
    {
      schema: { params: { id: t.Integer() }, querystring: { user: t.Optional(t.String()) } },
      receive: Said,
      send: Told,
    },
    async (socket, { params, query, headers }) => {
      const at = new Date(0)
      for await (const { text } of socket) {
        if (text === 'leave') socket.close()
        if (text === 'wrong') socket.close(4001, 'wrong')
        if (text === 'broken') throw new Error('broken')
        const who = query.user ?? headers['x-user'] ?? 'you'
        void socket.send({ room: params.id, text: `${String(who)}: ${text}`, at })
      }
      told.emit('closed', await socket.closed)
    },
  )
  .websocket('/raw', async (socket) => {
    for await (const message of socket) void socket.send(message)
  })
  .websocket('/many', { send: { n: t.Integer() } }, (socket) => {
    for (let n = 0; n < 5; n++) void socket.send({ n })
  })
  .websocket('/cut', { receive: Said, send: { n: t.Integer() } }, async (socket) => {
    cuts += 1
    await socket.send({ n: cuts })
    for await (const _ of socket) socket.raw.terminate()
  })
  .get('/plain', () => 1)
  .register(async (guarded) =>
    guarded
      .addHook('onRequest', async (_request, reply) => reply.code(401).send({ error: 'who?' }))
      .websocket('/guarded', { receive: Said, send: Said }, () => {}),
  )
const url = await app.listen({ port: 0, host: '127.0.0.1' })
after(() => app.close())
const open = socket<typeof app>(url, { WebSocket, headers: () => ({ 'x-user': 'Ada' }) })
const untyped = open as Loose

const listOf = async (messages: AsyncIterable<unknown>) => {
  const list: unknown[] = []
  for await (const message of messages) list.push(message)
  return list
}

test('messages go both ways, and the loop ends when the server closes', async () => {
  const room = await open('/room/:id', { params: { id: 7 }, query: { user: 'Bob' } })
  assert.equal(room.send({ text: 'hello' }), true)
  room.send({ text: 'leave' })
  const at = '1970-01-01T00:00:00.000Z'
  assert.deepEqual(await listOf(room), [{ room: 7, text: 'Bob: hello', at }])
  assert.deepEqual(await room.closed, { code: 1000, reason: '' })
  assert.equal(room.send({ text: 'late' }), false)
  const other = await open('/room/:id', { params: { id: 1 } })
  other.send({ text: 'x' })
  for await (const { text } of other) {
    assert.equal(text, 'Ada: x')
    break
  }
  const closed = once(told, 'closed')
  other.close(3001, 'enough')
  assert.deepEqual(await closed, [{ code: 3001, reason: 'enough' }])
  assert.deepEqual(await other.closed, { code: 3001, reason: 'enough' })
  assert.deepEqual(await listOf(other), [])
})

test('messages without a schema are text and bytes', async () => {
  const raw = await open('/raw', {}, { raw: true })
  raw.send('5')
  raw.send(new Uint8Array([1, 2]))
  const seen: unknown[] = []
  for await (const message of raw) {
    seen.push(typeof message === 'string' ? message : [...new Uint8Array(message)])
    if (seen.length === 2) raw.close()
  }
  assert.deepEqual(seen, ['5', [1, 2]])
})

test('a close that tells of an error is an error of the loop, behind the messages', async () => {
  for (const [text, message, code] of [
    ['wrong', 'was closed with 4001: wrong', 4001],
    ['broken', 'was closed with 1011: Internal Server Error', 1011],
    [5, /was closed with 1007: message\/text must be string/, 1007],
  ] as const) {
    const room = await open('/room/:id', { params: { id: 1 } })
    // A client that does not know the schema.
    ;(room as Loose).send(text === 5 ? { text: {} } : { text })
    const expected =
      typeof message === 'string' ? `The call of 'GET /room/:id' ${message}` : message
    await assert.rejects(listOf(room), {
      code: 'ESP_ERR_CLIENT_SOCKET',
      name: 'ClientError',
      message: expected,
    })
    assert.equal((await room.closed).code, code)
  }
})

test('a refused upgrade, a missing server and a wrong input are errors that name the route', async () => {
  const code = 'ESP_ERR_CLIENT_SOCKET'
  const refused = { code, message: /'GET \/guarded' was not upgraded: .*401\. A call of the same/ }
  await assert.rejects(open('/guarded'), refused)
  const nowhere = socket<typeof app>('http://127.0.0.1:1', { WebSocket })
  await assert.rejects(nowhere('/guarded'), { code, message: /ECONNREFUSED|was not upgraded/ })
  const route = 'ESP_ERR_CLIENT_ROUTE'
  await assert.rejects(untyped('/room/:id'), { code: route, message: /lacks the path parameter/ })
  await assert.rejects(socket<typeof app>('/api', { WebSocket })('/guarded'), {
    code: route,
    message: /base URL with a host/,
  })
  const lacking: Loose = undefined
  const { WebSocket: given } = globalThis as Loose
  delete (globalThis as Loose).WebSocket
  await assert.rejects(socket<typeof app>(url, { WebSocket: lacking })('/guarded'), {
    code: route,
    message: /there is no WebSocket. Give that of 'ws'/,
  })
  if (given) (globalThis as Loose).WebSocket = given
  // The route answers requests that are no upgrade.
  const api = client<typeof app>(url)
  await assert.rejects(api('GET /room/:id', { params: { id: 1 } }), { statusCode: 426 })
})

test('a signal ends the opening, the loop and the socket', async () => {
  const reason = new Error('enough')
  const aborted = { code: 'ESP_ERR_CLIENT_ABORTED', name: 'AbortError', cause: reason }
  const signal = AbortSignal.abort(reason)
  await assert.rejects(open('/room/:id', { params: { id: 1 } }, { signal }), aborted)
  const abort = new AbortController()
  const room = await open('/room/:id', { params: { id: 1 } }, { signal: abort.signal })
  const loop = listOf(room)
  abort.abort(reason)
  await assert.rejects(loop, aborted)
  assert.equal((await room.closed).code, 1000)
  const later = new AbortController()
  const opening = open('/room/:id', { params: { id: 1 } }, { signal: later.signal })
  setImmediate(() => {
    later.abort(reason)
  })
  await assert.rejects(
    opening.then((opened) => listOf(opened)),
    aborted,
  )
})

test('messages may be checked, by a function or a Standard Schema', async () => {
  const call = { raw: 'send' } as const
  const code = 'ESP_ERR_CLIENT_JSON'
  const fits = await open('/many', {}, { ...call, check: (message) => (message as Loose).n < 2 })
  const seen: unknown[] = []
  const loop = async () => {
    for await (const { n } of fits) seen.push(n)
  }
  await assert.rejects(loop, { code, message: /does not fit: the check refused it/ })
  assert.deepEqual(seen, [0, 1])
  assert.equal((await fits.closed).code, 1000)
  const validate = async ({ n }: Loose) => (n > 1 ? { issues: [{ message: 'too large' }] } : {})
  const check = { '~standard': { validate } } as Loose
  await assert.rejects(listOf(await open('/many', {}, { ...call, check })), {
    code,
    message: /too large/,
  })
})

test('messages that nobody reads are limited', async () => {
  const room = await open('/many', {}, { raw: 'send', buffer: 3 })
  await room.closed
  const seen: unknown[] = []
  const loop = async () => {
    for await (const message of room) seen.push(message)
  }
  await assert.rejects(loop, { code: 'ESP_ERR_CLIENT_SIZE', message: /more than 3 messages/ })
  assert.deepEqual(seen, [{ n: 0 }, { n: 1 }, { n: 2 }])
})

test('a socket that was cut is opened again, a few times', async () => {
  cuts = 0
  let opened = 0
  const waits: number[] = []
  const wait = (attempt: number) => {
    waits.push(attempt)
    return 0
  }
  const reconnect = { limit: 2, wait, onOpen: () => (opened += 1) }
  const room = await open('/cut', {}, { reconnect })
  const seen: unknown[] = []
  for await (const { n } of room) {
    seen.push(n)
    if (n === 3) room.close()
    else room.send({ text: 'cut' })
  }
  assert.deepEqual([seen, waits, opened], [[1, 2, 3], [1, 1], 2])

  const alone = espalier({ logger: false })
    .register(websocket())
    .websocket('/cut', { receive: Said, send: Said }, (socket) => {
      void alone.close()
      socket.raw.terminate()
    })
  const gone = socket<typeof alone>(await alone.listen({ port: 0, host: '127.0.0.1' }), {
    WebSocket,
  })
  waits.length = 0
  await assert.rejects(listOf(await gone('/cut', {}, { reconnect })), {
    code: 'ESP_ERR_CLIENT_SOCKET',
    message: /was closed with 100[16]/,
  })
  assert.deepEqual(waits, [1, 2])

  // The client is wrong.
  waits.length = 0
  const wrong = await open('/room/:id', { params: { id: 1 } }, { reconnect })
  wrong.send({ text: 'wrong' })
  await assert.rejects(listOf(wrong), /4001/)
  assert.deepEqual(waits, [])
})
