// The responses of `inject` by route key: the members of a client's responses.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import espalier, { t } from '../../src/index.ts'

type Loose = any

const Problem = t.Object({ message: t.String() })

test('inject gives any answer, and says whether it is one of those that types have', async () => {
  const app = espalier().get(
    '/:id',
    { schema: { params: { id: t.Integer() }, response: { 200: t.Integer(), 404: Problem } } },
    ({ params: { id } }, reply) => (id > 9 ? reply.code(404).send({ message: 'none' }) : id),
  )
  const facts = async (id: Loose) => {
    const { statusCode, ok, declared } = await app.inject('GET /:id', { params: { id } })
    return [statusCode, ok, declared]
  }
  assert.deepEqual(await facts(1), [200, true, true])
  assert.deepEqual(await facts(10), [404, false, true])
  assert.deepEqual(await facts('x'), [400, false, false])
})

test('bodies are read as by a client, beside the members of light-my-request', async () => {
  const app = espalier()
    .get('/json', (_request, reply) => reply.header('set-cookie', 'a=1').send({ a: 1 }))
    .get('/form', (_request, reply) =>
      reply.type('application/x-www-form-urlencoded').send('a=b%20c'),
    )
  const response: Loose = await app.inject('GET /json')
  const text = '{"a":1}'
  assert.deepEqual(response.json(), { a: 1 })
  assert.equal(await response.text(), text)
  assert.equal(String(Buffer.from(await response.bytes())), text)
  assert.equal(await new Response(response.stream()).text(), text)
  assert.deepEqual(
    [response.body, response.payload, String(response.rawPayload)],
    [text, text, text],
  )
  assert.equal(response.cookies[0].name, 'a')
  assert.equal(response.raw.req.url, '/json')
  const form: Loose = await app.inject('GET /form')
  assert.equal((await form.formData()).get('a'), 'b c')
})

test('a stream of items is read while it is open, and left with its loop', async () => {
  let source = new PassThrough()
  const app = espalier().get('/', (_request, reply) => {
    source = new PassThrough()
    source.write('data: 1\n\n')
    return reply.type('text/event-stream').send(source)
  })
  const response: Loose = await app.inject('GET /')
  assert.throws(() => response.body, { code: 'ESP_ERR_INJECT_ROUTE', message: /events\(\)/ })
  const seen: unknown[] = []
  const closed = once(source, 'close')
  for await (const item of response.events()) {
    seen.push(item)
    if (item === 2) break
    source.write('data: 2\n\n')
  }
  await closed
  assert.deepEqual(seen, [1, 2])

  const whole: Loose = await app.inject('GET /')
  source.end('data: 2\n\n')
  assert.equal(await whole.text(), 'data: 1\n\ndata: 2\n\n')
})

test('the signal of a call ends its stream: the reason is thrown', async () => {
  const source = new PassThrough()
  source.write('data: 1\n\n')
  const app = espalier().get('/', (_request, reply) => reply.type('text/event-stream').send(source))
  const abort = new AbortController()
  const response: Loose = await app.inject('GET /', {}, { signal: abort.signal })
  const items = response.events()
  assert.deepEqual(await items.next(), { done: false, value: 1 })
  const closed = once(source, 'close')
  const reason = new Error('enough')
  abort.abort(reason)
  await assert.rejects(items.next(), reason)
  await closed
})

test('a stream is asked for again, from its last id', async () => {
  const ids: unknown[] = []
  const app = espalier().get('/', ({ headers }, reply) => {
    ids.push(headers['last-event-id'])
    if (ids.length === 3) return reply.code(204).send()
    const text = `retry: 0\nid: ${ids.length}\ndata: ${ids.length}\n\n`
    return reply.type('text/event-stream').send(text)
  })
  const seen: unknown[] = []
  const response: Loose = await app.inject('GET /')
  for await (const { data, id } of response.messages({ reconnect: true })) seen.push([data, id])
  assert.deepEqual(
    [seen, ids],
    [
      [
        [1, '1'],
        [2, '2'],
      ],
      [undefined, '1', '2'],
    ],
  )
})

test('a stream that is refused when it is asked for again is an error that names the call', async () => {
  let calls = 0
  const app = espalier().get('/', (_request, reply) => {
    calls += 1
    if (calls > 1) return reply.code(401).send('no')
    return reply.type('text/event-stream').send('retry: 0\ndata: 1\n\n')
  })
  const items = ((await app.inject('GET /')) as Loose).events({ reconnect: true })
  await items.next()
  await assert.rejects(items.next(), {
    code: 'ESP_ERR_INJECT_ROUTE',
    message: "inject('GET /') was answered with status 401, not with the rest of its stream",
  })
})
