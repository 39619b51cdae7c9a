// Streams of items: what the client reads of event streams and of JSON lines.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import {
  type CallOptions,
  client,
  type ClientOptions,
  type EventMessage,
  type EventsBody,
} from '../../src/client/index.ts'

interface Item {
  readonly n: number
}

/** A client of a route whose successes are event streams, or JSON lines. */
type Api = (key: string, input?: object, options?: CallOptions) => Promise<EventsBody<Item>>

const apiOf = (...options: [url: string, options?: ClientOptions]): Api => client(...options) as any

const eventStream = { 'content-type': 'text/event-stream; charset=utf-8' }

/** A client whose `fetch` gives the bytes of these texts, each as a chunk. */
function reading(headers: Record<string, string>, ...chunks: (string | Uint8Array)[]) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks)
        controller.enqueue(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
      controller.close()
    },
  })
  return apiOf('', { fetch: async () => new Response(body, { headers }) })
}

async function listOf<Each>(items: AsyncIterable<Each>): Promise<Each[]> {
  const list: Each[] = []
  for await (const item of items) list.push(item)
  return list
}

const messagesIn = async (...chunks: (string | Uint8Array)[]) =>
  listOf((await reading(eventStream, ...chunks)('GET /events')).messages())

/** A server that answers each request to it by the next function, and a client of it. */
async function serving(
  context: TestContext,
  ...answers: ((reply: ServerResponse, request: IncomingMessage) => void)[]
) {
  const server = createServer((request, reply) => answers.shift()?.(reply, request))
  context.after(() => server.close().closeAllConnections())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return apiOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

const message = (n: number, id = '', event = 'message'): EventMessage<Item> => ({
  data: { n },
  event,
  id,
})

test('events() gives the data of each event, messages() also its name and id', async () => {
  const text = 'data: {"n":1}\n\nid: 7\nevent: added\ndata: {"n":2}\n\ndata: {"n":3}\n\n'
  const response = await reading(eventStream, text)('GET /events')
  assert.deepEqual(await listOf(response.events()), [{ n: 1 }, { n: 2 }, { n: 3 }])
  assert.deepEqual(await messagesIn(text), [message(1), message(2, '7', 'added'), message(3, '7')])
})

test('an event stream is read as the standard says', async () => {
  const two = [message(1), message(2)]
  for (const end of ['\n', '\r', '\r\n']) {
    const text = ['data:{"n":1}', '', 'data: {"n":2}', '', ''].join(end)
    assert.deepEqual(await messagesIn(text), two)
    // Cut anywhere, also inside of a line end.
    assert.deepEqual(await messagesIn(...Array.from(text)), two)
    assert.deepEqual(await messagesIn(...Array.from(text).flatMap((char) => ['', char])), two)
  }
  assert.deepEqual(await messagesIn('\uFEFFdata: {"n":1}\n\n'), [message(1)])
  assert.deepEqual(await messagesIn('\uFEFF', '\uFEFFdata: {"n":1}\n\n'), [])
  assert.deepEqual(await messagesIn(': comment\ndata: {\ndata: "n"\ndata::1}\n\n'), [message(1)])
  assert.deepEqual(await messagesIn('data\n\nevent: x\n\ndata: {"n":1}\n\n'), [message(1)])
  assert.deepEqual(await messagesIn('id: a\n\nid: b\0\nother: x\ndata: {"n":1}\n\n'), [
    message(1, 'a'),
  ])
  assert.deepEqual(await messagesIn('id: a\ndata: {"n":1}\n\nid\ndata: {"n":2}\n\n'), [
    message(1, 'a'),
    message(2),
  ])
  assert.deepEqual(await messagesIn('data: {"n":1}\n\ndata: {"n":2}\n'), [message(1)])
  const [euro] = await messagesIn(...[...Buffer.from('data: "€"\n\n')].map((b) => Buffer.of(b)))
  assert.equal(euro?.data, '€')
})

test('lines of JSON are items, the last one also without a line end', async () => {
  for (const type of ['application/jsonl', 'application/x-ndjson', 'Application/JSON-Seq']) {
    const chunks = ['{"n":1}\n', '\n{"n"', ':2}\r\n\x1e{"n":3}']
    const response = await reading({ 'content-type': type }, ...chunks)('GET /lines')
    assert.deepEqual(await listOf(response.events()), [{ n: 1 }, { n: 2 }, { n: 3 }])
  }
})

test('an item that is no JSON is an error of the call', async () => {
  const response = await reading(eventStream, 'data: {"n":1}\n\ndata: {\n\n')('GET /events')
  const items = response.events()
  assert.deepEqual(await items.next(), { done: false, value: { n: 1 } })
  const expected = { code: 'ESP_ERR_CLIENT_JSON', name: 'ClientError', message: /'GET \/events'/ }
  await assert.rejects(items.next(), expected)
})

test('a body that is no stream of items is an error of the call', async () => {
  for (const type of ['text/plain', 'application/json', 'application/xml']) {
    const response = await reading({ 'content-type': type }, '<html>\n\n')('GET /events')
    await assert.rejects(listOf(response.events()), {
      code: 'ESP_ERR_CLIENT_JSON',
      message: `The call of 'GET /events' gave no JSON: '${type}' is no stream of items`,
    })
  }
})

test('a time that no timer can wait for is the longest one', async (context) => {
  const stop = new AbortController()
  const response = await reading(eventStream, 'retry: 99999999999\ndata: 1\n\n')(
    'GET /events',
    {},
    { signal: stop.signal },
  )
  const items = response.events({ reconnect: true })
  await items.next()
  const waited = new Promise((resolve) => {
    context.mock.method(globalThis, 'setTimeout', (_end: unknown, time: number) => {
      resolve(time)
    })
  })
  const ended = assert.rejects(items.next(), { code: 'ESP_ERR_CLIENT_ABORTED' })
  assert.equal(await waited, 2 ** 31 - 1)
  stop.abort()
  await ended
})

test('to leave the loop closes the connection', async (context) => {
  let left: Promise<unknown> | undefined
  const api = await serving(context, (reply) => {
    reply.writeHead(200, eventStream).write('data: {"n":1}\n\n')
    left = once(reply, 'close')
  })
  for await (const { n } of (await api('GET /events')).events()) {
    assert.equal(n, 1)
    break
  }
  await left
})

test('so does the end of an iterator that waits for an item, or that never began', async (context) => {
  const closed: Promise<unknown>[] = []
  const answer = (reply: ServerResponse) => {
    reply.writeHead(200, eventStream).flushHeaders()
    closed.push(once(reply, 'close'))
  }
  const api = await serving(context, answer, answer)
  const waiting = (await api('GET /events')).events()
  const next = waiting.next()
  assert.deepEqual(await waiting.return?.(), { done: true, value: undefined })
  assert.deepEqual(await next, { done: true, value: undefined })
  await (await api('GET /events')).events().return?.()
  await Promise.all(closed)
})

test('a stream that is cut is an error of the network, an aborted one says so', async (context) => {
  let cut = () => {}
  const answer = (reply: ServerResponse) => {
    reply.writeHead(200, eventStream).write('data: {"n":1}\n\n')
    cut = () => reply.destroy()
  }
  const api = await serving(context, answer, answer)
  const items = (await api('GET /events')).events()
  await items.next()
  cut()
  await assert.rejects(items.next(), { code: 'ESP_ERR_CLIENT_NETWORK', name: 'ClientError' })
  assert.deepEqual(await items.next(), { done: true, value: undefined })

  const abort = new AbortController()
  const other = (await api('GET /events', {}, { signal: abort.signal })).events()
  await other.next()
  abort.abort()
  await assert.rejects(other.next(), { code: 'ESP_ERR_CLIENT_ABORTED', name: 'AbortError' })
})

test('a stream is asked for again, from the last id, until status 204', async (context) => {
  const ids: unknown[] = []
  const noted = (answer: (reply: ServerResponse) => void) => {
    return (reply: ServerResponse, request: IncomingMessage) => {
      ids.push(request.headers['last-event-id'])
      answer(reply)
    }
  }
  const api = await serving(
    context,
    noted((reply) => reply.writeHead(200, eventStream).end('retry: 1\nid: ä\ndata: {"n":1}\n\n')),
    noted((reply) => {
      reply.writeHead(200, eventStream).write('data: {"n":2}\n\n', () => reply.destroy())
    }),
    noted((reply) => reply.destroy()),
    noted((reply) => reply.writeHead(200, eventStream).end('id\ndata: {"n":3}\n\n')),
    noted((reply) => reply.writeHead(204).end()),
  )
  const response = await api('GET /events')
  const seen: unknown[] = []
  for await (const { data, id } of response.messages({ reconnect: true })) seen.push([data.n, id])
  assert.deepEqual(seen, [
    [1, 'ä'],
    [2, 'ä'],
    [3, ''],
  ])
  const bytes = Buffer.from('ä').toString('latin1')
  assert.deepEqual(ids, [undefined, bytes, bytes, bytes, undefined])
})

test('an id that no header can have is an error of the call, when the rest is asked for', async () => {
  for (const id of ['a\u0001b', '\x7f', 'x'.repeat(8193), 'ä'.repeat(4097)]) {
    const text = `retry: 0\nid: ${id}\ndata: {"n":1}\n\n`
    const items = (await reading(eventStream, text)('GET /events')).events({ reconnect: true })
    await items.next()
    await assert.rejects(items.next(), {
      name: 'ClientError',
      code: 'ESP_ERR_CLIENT_ROUTE',
      message: /'GET \/events' cannot go on: the id of its last event fits no header: "/,
    })
    assert.deepEqual(await items.next(), { done: true, value: undefined })
  }
  const fits = ['\t', ' ', 'x'.repeat(8192), '\x80', '€']
  for (const id of fits) {
    let asked = 0
    const headers = eventStream
    const fetch = async () =>
      asked++ === 0
        ? new Response(`retry: 0\nid: ${id}\ndata: {"n":1}\n\n`, { headers })
        : new Response(null, { status: 204 })
    const seen = await listOf((await apiOf('', { fetch })('GET /')).events({ reconnect: true }))
    assert.deepEqual(seen, [{ n: 1 }])
    assert.equal(asked, 2)
  }
})

test('an item has at most as many characters as the option says; what came before it is given', async () => {
  const jsonl = { 'content-type': 'application/jsonl' }
  const one = 'data: {"n":1}'
  const cases: [
    headers: Record<string, string>,
    limit: number,
    fits: boolean,
    ...chunks: string[],
  ][] = [
    [eventStream, 13, true, `${one}\n\n`, `: ${'x'.repeat(9)}\n`, `:${'x'.repeat(9)}\n${one}\n\n`],
    [eventStream, 12, false, `${one}\n\n`],
    [eventStream, 20, false, `${one}\n\n`, 'data: [\n', 'data: 1\n', 'data: 2\n', 'data: 3\n'],
    [eventStream, 20, false, `${one}\n\n`, 'data: ', 'x'.repeat(10), 'x'.repeat(10)],
    [eventStream, 20, false, `${one}\n\n: `, 'x'.repeat(20)],
    [jsonl, 7, true, '{"n":1}\n{"n":', '2}'],
    [jsonl, 7, false, '{"n":1}\n', '{"n"', ':22', '2'],
    [jsonl, 7, false, '{"n":1}\n{"n":22}\n'],
  ]
  for (const [headers, maxResponseSize, fits, ...chunks] of cases) {
    let isCancelled = false
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(Buffer.from(chunk))
        if (fits) controller.close()
      },
      cancel: () => {
        isCancelled = true
      },
    })
    const api = apiOf('', { fetch: async () => new Response(body, { headers }) })
    const items = (await api('GET /', {}, { maxResponseSize })).events()
    const read = listOf(items)
    if (fits) await read
    else {
      await assert.rejects(read, {
        code: 'ESP_ERR_CLIENT_SIZE',
        message: `The call of 'GET /' gave an item of more than ${maxResponseSize} characters`,
      })
      assert.ok(isCancelled)
    }
  }
  const seen: unknown[] = []
  const chunk = `${one}\n\ndata: ${'x'.repeat(100)}`
  const fetch = async () => new Response(chunk, { headers: eventStream })
  const items = (await apiOf('', { fetch, maxResponseSize: 20 })('GET /')).events()
  await assert.rejects(
    async () => {
      for await (const item of items) seen.push(item)
    },
    { code: 'ESP_ERR_CLIENT_SIZE' },
  )
  assert.deepEqual(seen, [{ n: 1 }])
})

test('an answer that is no rest of the stream ends the reading with it', async (context) => {
  const first = (reply: ServerResponse) =>
    reply.writeHead(200, eventStream).end('retry: 0\ndata: {"n":1}\n\n')
  const api = await serving(
    context,
    ...[first, (reply: ServerResponse) => reply.writeHead(401).end()],
    ...[first, (reply: ServerResponse) => reply.writeHead(200).end('{}')],
  )
  for (const statusCode of [401, 200]) {
    const items = (await api('GET /events')).events({ reconnect: true })
    await items.next()
    await assert.rejects(items.next(), { name: 'UndeclaredResponse', statusCode })
  }
})

test('while it waits to ask again, a stream is ended by its iterator or its signal', async () => {
  const text = 'retry: 86400000\ndata: {"n":1}\n\n'
  const items = (await reading(eventStream, text)('GET /events')).events({ reconnect: true })
  await items.next()
  const next = items.next()
  await setImmediate()
  await items.return?.()
  assert.deepEqual(await next, { done: true, value: undefined })

  const abort = new AbortController()
  const call = reading(eventStream, text)('GET /events', {}, { signal: abort.signal })
  const other = (await call).events({ reconnect: true })
  await other.next()
  const pending = other.next()
  await setImmediate()
  const cause = new Error('enough')
  abort.abort(cause)
  await assert.rejects(pending, { code: 'ESP_ERR_CLIENT_ABORTED', cause })
})
