// Payloads of the web platform: streams, responses and bytes of every kind.
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { ReadableStream } from 'node:stream/web'
import { test, type TestContext } from 'node:test'
import { runInNewContext } from 'node:vm'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { rawRequest } from '../support/raw-request.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler } from '../support/untyped.ts'

/** A server that is closed when its test has ended, however it did. */
function serve(context: TestContext) {
  const app = untyped()
  context.after(() => app.close())
  return app
}

/** Asks over a socket, since only there a body is framed. */
async function ask(context: TestContext, handler: AnyHandler, method = 'GET') {
  const url = await serve(context).get('/', handler).listen({ port: 0 })
  return rawRequest(url, [`${method} / HTTP/1.1`])
}

const encoder = new TextEncoder()

/** A web stream of these chunks; with an error it fails behind them. */
function streamOf(chunks: readonly unknown[], error?: Error) {
  const rest = [...chunks]
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setImmediate(resolve))
      if (rest.length > 0) controller.enqueue(rest.shift())
      else if (error) controller.error(error)
      else controller.close()
    },
  })
}
const parts = () => streamOf([encoder.encode('one '), encoder.encode('two')])

const ways: Record<string, AnyHandler> = {
  returned: () => parts(),
  'returned by an async handler': async () => parts(),
  sent: (_request, reply) => void reply.send(parts()),
  'sent by an async handler': async (_request, reply) => reply.send(parts()),
}
for (const [how, handler] of Object.entries(ways)) {
  test(`a web stream that is ${how} is sent whole, as bytes of which nothing is known`, async (context) => {
    const { statusCode, headers, body } = await serve(context).get('/', handler).inject('/')
    assert.deepEqual([statusCode, body], [200, 'one two'])
    assert.equal(headers['content-type'], 'application/octet-stream')
  })
}

/** A web stream of another make, which is no instance of Node's class. */
function foreignStream(chunks: readonly unknown[], cancel = () => undefined as void) {
  const rest = [...chunks]
  const getReader = () => ({
    read: async () =>
      rest.length > 0 ? { done: false, value: rest.shift() } : { done: true, value: undefined },
    cancel: async () => cancel(),
    releaseLock: () => undefined,
  })
  return { locked: false, getReader, cancel: async () => cancel() }
}

test('a web stream and a Response of another make are sent by their own reader', async (context) => {
  const body = () => foreignStream([encoder.encode('one '), encoder.encode('two')])
  const headers = new Headers({ 'x-a': '1' })
  const app = serve(context)
    .get('/stream', () => body())
    .get('/response', () => ({
      ...{ status: 201, headers, bodyUsed: false, url: '', [Symbol.toStringTag]: 'Response' },
      body: body(),
    }))
  assert.equal((await app.inject('/stream')).body, 'one two')
  const response = await app.inject('/response')
  assert.deepEqual([response.statusCode, response.body], [201, 'one two'])
  assert.equal(response.headers['x-a'], '1')
})

test('a web stream of another make is cancelled when its client leaves', async (context) => {
  const events = new EventEmitter()
  const chunks = Array.from({ length: 1000 }, () => Buffer.alloc(100_000))
  const cancel = () => void events.emit('cancel')
  const url = new URL(
    await serve(context)
      .get('/', () => foreignStream(chunks, cancel))
      .listen({ port: 0 }),
  )
  const socket = connect(Number(url.port), url.hostname)
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(socket, 'data')
  const cancelled = once(events, 'cancel')
  socket.destroy()
  await cancelled
})

test('a web stream is sent in chunks, or with the length and the type that are set', async (context) => {
  const chunked = await ask(context, () => parts())
  assert.match(chunked.head, /transfer-encoding: chunked/i)
  assert.equal(chunked.body, '4\r\none \r\n3\r\ntwo\r\n0\r\n\r\n')
  const sized = await ask(context, (_request, reply) =>
    reply.type('a/b').header('content-length', 7).send(parts()),
  )
  assert.match(sized.head, /content-type: a\/b\r\ncontent-length: 7/)
  assert.equal(sized.body, 'one two')
})

for (const [what, make] of Object.entries({
  'fails before its first byte': () => streamOf([], new Error('secret')),
  'gives what is no bytes': () => streamOf([{ a: 1 }]),
  'is locked': () => {
    const stream = parts()
    stream.getReader()
    return stream
  },
})) {
  test(`a web stream that ${what} is answered with 500, and the server lives`, async (context) => {
    const app = serve(context)
      .get('/', make)
      .get('/sent', async (_request, reply) => reply.send(make()))
    for (const url of ['/', '/sent']) {
      const [{ statusCode, body, headers }, text] = await silenced(() => app.inject(url))
      assert.equal(statusCode, 500)
      assert.doesNotMatch(body, /secret|locked|ReadableStream/)
      assert.equal(headers['content-type'], 'application/json; charset=utf-8')
      assert.match(text, /Error/)
    }
    assert.equal((await app.inject('/none')).statusCode, 404)
  })
}

test('a web stream that fails behind its first byte cuts its connection, and the server lives', async (context) => {
  const app = serve(context).get('/', () => streamOf(['some', 'more'], new Error('secret')))
  const url = await app.listen({ port: 0 })
  const [{ head, body }, text] = await silenced(() => rawRequest(url, ['GET / HTTP/1.1']))
  assert.match(head, /^HTTP\/1\.1 200 OK/)
  assert.equal(body, '4\r\nsome\r\n4\r\nmore\r\n')
  assert.match(text, /Error: secret/)
  assert.equal((await app.inject('/none')).statusCode, 404)
})

test('a web stream is cancelled when its client leaves, and where there is no body', async (context) => {
  const events = new EventEmitter()
  const stream = () =>
    new ReadableStream({
      start: (controller) => controller.enqueue('some'),
      cancel: () => void events.emit('cancel'),
    })
  const app = serve(context)
    .get('/', stream)
    .get('/response', () => new Response(stream()))
    .get('/204', (_request, reply) => reply.code(204).send(stream()))
    .get('/second', (_request, reply) => reply.send('first').send(stream()))
  const url = new URL(await app.listen({ port: 0 }))
  for (const path of ['/', '/response']) {
    const socket = connect(Number(url.port), url.hostname)
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`)
    await once(socket, 'data')
    const cancelled = once(events, 'cancel')
    socket.destroy()
    await cancelled
  }
  for (const [method, path] of [
    ['HEAD', '/'],
    ['HEAD', '/response'],
    ['GET', '/204'],
    ['GET', '/second'],
  ] as const) {
    const cancelled = once(events, 'cancel')
    await silenced(() => rawRequest(url.origin, [`${method} ${path} HTTP/1.1`]))
    await cancelled
  }
})

test('a Response brings its status, its headers and each of its cookies', async (context) => {
  const app = serve(context).get('/', (_request, reply) => {
    reply.code(418).header('set-cookie', 'a=1').header('x-own', 'own').header('x-both', 'own')
    const headers = new Headers({ 'content-type': 'text/x', 'x-both': 'theirs' })
    headers.append('set-cookie', 'b=2')
    headers.append('set-cookie', 'c=3; expires=Thu, 01 Jan 1970 00:00:00 GMT')
    return new Response('body', { status: 201, statusText: 'Whatever', headers })
  })
  const { statusCode, statusMessage, headers, body } = await app.inject('/')
  assert.deepEqual([statusCode, statusMessage, body], [201, 'Created', 'body'])
  assert.equal(headers['content-type'], 'text/x')
  assert.deepEqual([headers['x-own'], headers['x-both']], ['own', 'theirs'])
  const cookies = ['a=1', 'b=2', 'c=3; expires=Thu, 01 Jan 1970 00:00:00 GMT']
  assert.deepEqual(headers['set-cookie'], cookies)
})

const bodies: readonly (readonly [string, () => Response, unknown, string?])[] = [
  ['text', () => new Response('é'), 'é', 'text/plain;charset=UTF-8'],
  ['JSON', () => Response.json({ a: 1 }), '{"a":1}', 'application/json'],
  ['bytes', () => new Response(Uint8Array.of(97)), 'a'],
  ['a blob', () => new Response(new Blob(['a'], { type: 'a/b' })), 'a', 'a/b'],
  ['a stream', () => new Response(parts()), 'one two'],
  ['an empty text', () => new Response(''), '', 'text/plain;charset=UTF-8'],
  ['null', () => new Response(null), ''],
  ['nothing', () => new Response(), ''],
]
for (const [what, make, body, type] of bodies) {
  test(`a Response with ${what} is sent as it is, sent or returned`, async (context) => {
    const app = serve(context)
      .get('/returned', make)
      .get('/sent', async (_request, reply) => reply.send(make()))
    for (const url of ['/returned', '/sent']) {
      const response = await app.inject(url)
      assert.deepEqual([response.statusCode, response.body], [200, body])
      assert.equal(response.headers['content-type'], type)
    }
  })
}

test('a Response that was fetched is sent as fetch has it: decoded, it left as if it were encoded', async (context) => {
  const encoded = (body: Uint8Array, coding: string) => async (_request: unknown, reply: any) =>
    reply.type('application/json').header('content-encoding', coding).send(body)
  const upstream = serve(context)
    .get('/gzip', encoded(gzipSync('{"a":1}'), 'gzip'))
    .get('/both', encoded(gzipSync(brotliCompressSync('{"a":1}')), 'br, GZIP'))
    .get('/other', encoded(Buffer.from('{"a":1}'), 'x-own'))
    .get('/plain', async () => ({ a: 1 }))
  const from = await upstream.listen({ port: 0 })
  const app = serve(context).get('/:name', async ({ params }) => fetch(`${from}/${params.name}`))
  const own = async () => {
    const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' }
    return new Response(gzipSync('{"a":1}'), { headers })
  }
  const to = await app.get('/made/here', own).listen({ port: 0 })
  for (const [path, coding] of [
    ['/gzip', null],
    ['/both', null],
    ['/other', 'x-own'],
    ['/plain', null],
    ['/made/here', 'gzip'],
  ] as const) {
    const response = await fetch(to + path)
    assert.deepEqual([path, response.headers.get('content-encoding')], [path, coding])
    assert.deepEqual(await response.json(), { a: 1 })
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  }
})

test('a Response without a body has the length 0 and no type', async (context) => {
  const { head } = await ask(context, () => new Response(null))
  assert.match(head, /content-length: 0/)
  assert.doesNotMatch(head, /content-type|transfer-encoding/i)
})

test('a Response may redirect, and may have no content', async (context) => {
  const app = serve(context)
    .get('/redirect', () => Response.redirect('http://example.org/x', 307))
    .get('/204', () => new Response(null, { status: 204 }))
    .get('/304', () => new Response(null, { status: 304, headers: { etag: '"a"' } }))
  const redirect = await app.inject('/redirect')
  assert.deepEqual([redirect.statusCode, redirect.body], [307, ''])
  assert.equal(redirect.headers.location, 'http://example.org/x')
  assert.equal((await app.inject('/204')).statusCode, 204)
  const unchanged = await app.inject('/304')
  assert.deepEqual([unchanged.statusCode, unchanged.headers.etag], [304, '"a"'])
})

for (const [what, make] of Object.entries({
  'was read': async () => {
    const response = new Response('secret')
    await response.text()
    return response
  },
  'is locked': () => {
    const response = new Response('secret')
    response.body?.getReader()
    return response
  },
  'fails at once': () => new Response(streamOf([], new Error('secret'))),
  'is that of Response.error()': () => Response.error(),
})) {
  test(`a Response whose body ${what} is answered with 500 and none of its headers of a body`, async (context) => {
    const app = serve(context).get('/', async () => {
      const response = await make()
      if (response.type !== 'error') response.headers.set('content-type', 'a/b')
      return response
    })
    const [{ statusCode, headers, body }] = await silenced(() => app.inject('/'))
    assert.equal(statusCode, 500)
    assert.doesNotMatch(body, /secret/)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(headers['content-length'], String(body.length))
  })
}

const memory = Uint8Array.from([0, 1, 2, 3, 4, 5, 6, 7]).buffer
const bytes: Record<string, readonly [bytes: unknown, sent: readonly number[]]> = {
  'a slice of a Buffer': [Buffer.from(memory).subarray(2, 4), [2, 3]],
  'a Buffer with an offset': [Buffer.from(memory, 3, 2), [3, 4]],
  'an empty Buffer': [Buffer.alloc(0), []],
  'an empty ArrayBuffer': [new ArrayBuffer(0), []],
  'an Int8Array': [Int8Array.of(-1), [255]],
  'a part of a Uint8Array': [new Uint8Array(memory, 6), [6, 7]],
  'a Uint16Array with an offset': [new Uint16Array(memory, 2, 1), [2, 3]],
  'a part of a Float64Array': [new Float64Array(2).subarray(1), [0, 0, 0, 0, 0, 0, 0, 0]],
  'an ArrayBuffer of another realm': [runInNewContext('Uint8Array.of(1, 2).buffer'), [1, 2]],
  'a Uint8Array of another realm': [runInNewContext('Uint8Array.of(1, 2, 3).subarray(1)'), [2, 3]],
}
for (const [what, [payload, sent]] of Object.entries(bytes)) {
  test(`${what} is sent as its own bytes and no others, with their length`, async (context) => {
    const app = serve(context)
      .get('/returned', async () => payload)
      .get('/sent', (_request, reply) => reply.send(payload))
    for (const url of ['/returned', '/sent']) {
      const { rawPayload, headers } = await app.inject(url)
      assert.deepEqual([...rawPayload], sent)
      assert.equal(headers['content-length'], String(sent.length))
      assert.equal(headers['content-type'], 'application/octet-stream')
    }
  })
}
