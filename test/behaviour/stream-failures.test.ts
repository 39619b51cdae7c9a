// Streams as payloads that fail, have the wrong length, or outlive their client.
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createReadStream } from 'node:fs'
import { connect } from 'node:net'
import { Readable, Writable } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { rawRequest } from '../support/raw-request.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type UntypedServer } from '../support/untyped.ts'

const endless = () => new Readable({ read: () => {} })
const failing = (error?: Error) => new Readable({ read: () => {} }).destroy(error)
const secret = new Error('secret')

/** A stream that gives one chunk after the other has left, and fails if an error is among them. */
const slowly = (...chunks: readonly unknown[]) =>
  Readable.from(
    (async function* () {
      for (const chunk of chunks) {
        if (chunk instanceof Error) throw chunk
        yield chunk
        await setImmediate()
      }
    })(),
  )

/** A server that is closed when its test has ended, however it did. */
function serve(context: TestContext) {
  const app = untyped()
  context.after(() => app.close())
  return app
}

/** Writes requests into one connection, and reads until the server closes it, however it does. */
async function converse(app: UntypedServer, ...paths: readonly string[]) {
  const url = new URL(await app.listen({ port: 0 }))
  const socket = connect(Number(url.port), url.hostname)
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString('latin1'))).on('error', () => {})
  for (const [at, path] of paths.entries()) {
    const last = at === paths.length - 1 ? 'connection: close\r\n' : ''
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n${last}\r\n`)
  }
  await once(socket, 'close')
  return { text, heads: text.match(/HTTP\/1\.1 \d+ [^\r]*/g) ?? [] }
}

const hidden = { statusCode: 500, error: 'Internal Server Error', message: 'Internal Server Error' }
const early: Record<string, () => unknown> = {
  'fails before its first byte': () => slowly(secret),
  'failed before it was sent': () => failing(secret),
  'was destroyed before it was sent': () => failing(),
  'has no file to read': () => createReadStream('/there/is/no/such/file'),
  'gives an object first': () => Readable.from([{ a: 1 }]),
  'gives a number first': () => Readable.from([1]),
  'cannot be read at all': () => new Writable(),
  'is of an old library, and fails': () => {
    const emitter = Object.assign(new EventEmitter(), { pipe: () => {} })
    process.nextTick(() => emitter.emit('error', secret))
    return emitter
  },
  'is of an old library, and closes before its end': () => {
    const emitter = Object.assign(new EventEmitter(), { pipe: () => {} })
    process.nextTick(() => emitter.emit('close'))
    return emitter
  },
}
for (const [what, make] of Object.entries(early)) {
  test(`a stream that ${what} is answered once, with 500, and the server lives`, async (context) => {
    const app = serve(context)
      .get('/', (_request, reply) => reply.header('content-length', 9).send(make()))
      .get('/next', () => 'next')
    const [{ text, heads }] = await silenced(() => converse(app, '/', '/next'))
    assert.deepEqual(heads, ['HTTP/1.1 500 Internal Server Error', 'HTTP/1.1 200 OK'])
    assert.ok(text.includes(JSON.stringify(hidden)), text)
  })
}

test('an error before the first byte goes through the error handlers, with its own status', async (context) => {
  const missing = Object.assign(new Error('no such file'), { statusCode: 404 })
  const app = serve(context).setErrorHandler((error, _request, reply) => {
    assert.equal(error, missing)
    assert.equal(reply.statusCode, 404)
    assert.equal(reply.sent, false)
    return { mine: error.message }
  })
  app.get('/returned', () => failing(missing))
  app.get('/sent', async (_request, reply) => reply.type('image/png').send(failing(missing)))
  for (const url of ['/returned', '/sent']) {
    const response = await app.inject(url)
    assert.equal(response.statusCode, 404)
    assert.deepEqual(response.json(), { mine: 'no such file' })
    assert.equal(response.headers['content-type'], 'application/json; charset=utf-8')
  }
})

test('what was said of a stream does not hold for the error in its place', async (context) => {
  const said = {
    'content-length': 9,
    'content-type': 'image/png',
    'content-encoding': 'gzip',
    'content-range': 'bytes 0-8/9',
    'x-kept': 'yes',
  }
  const own = async (error: Error) => error.message
  for (const app of [serve(context), serve(context).setErrorHandler(own)]) {
    app.get('/', (_request, reply) => reply.headers(said).send(failing(secret)))
    app.head('/thrown', (_request, reply) => {
      reply.headers(said)
      throw secret
    })
    const answers = [app.inject('/'), app.inject({ method: 'HEAD', url: '/thrown' })]
    const [responses] = await silenced(() => Promise.all(answers))
    for (const { headers } of responses) {
      assert.match(String(headers['content-length']), /^(6|84)$/)
      assert.doesNotMatch(String(headers['content-type']), /image/)
      assert.equal('content-encoding' in headers || 'content-range' in headers, false)
      assert.equal(headers['x-kept'], 'yes')
    }
  }
})

for (const [what, make] of Object.entries({
  fails: () => slowly('some', secret, 'more'),
  'is destroyed': () => {
    const stream = endless()
    stream.push('some')
    void once(stream, 'data').then(async () => setImmediate().then(() => stream.destroy()))
    return stream
  },
  'gives an object': () => slowly('some', { a: 1 }, 'more'),
})) {
  test(`a stream that ${what} behind its first byte cuts its connection, and the server lives`, async (context) => {
    const app = serve(context)
      .setErrorHandler(() => 'no error handler can answer now')
      .get('/', make)
      .get('/next', () => 'next')
    const [{ text, heads }, log] = await silenced(() => converse(app, '/', '/next'))
    assert.deepEqual(heads, ['HTTP/1.1 200 OK'])
    assert.match(text, /\r\n4\r\nsome\r\n/)
    assert.doesNotMatch(text, /\r\n0\r\n\r\n|error handler|next/)
    assert.match(log, /^GET \/ in root: .*Error/)
    assert.equal((await app.inject('/next')).body, 'next')
  })
}

for (const [what, promised, sent] of [
  ['too short', 9, 'somemore'],
  ['too long', 5, 'some'],
] as const) {
  test(`a stream that is ${what} cuts its connection: the reply behind it is not shifted`, async (context) => {
    const app = serve(context)
      .get('/', (_request, reply) =>
        reply.header('content-length', promised).send(slowly('some', 'more')),
      )
      .get('/next', () => 'next')
    const [{ text, heads }, log] = await silenced(() => converse(app, '/', '/next', '/next'))
    assert.deepEqual(heads, ['HTTP/1.1 200 OK'])
    assert.equal(text.slice(text.indexOf('\r\n\r\n') + 4), sent)
    assert.match(log, /The stream sent to GET \/ in root has 8 bytes, .*content-length says \d/)
  })
}

for (const [what, chunks] of [
  ['its first bytes are too many', ['sixsix']],
  ['it has none', []],
] as const) {
  test(`a stream with a length is answered with 500 when ${what}`, async (context) => {
    const app = serve(context)
      .get('/', (_request, reply) => reply.header('content-length', 5).send(Readable.from(chunks)))
      .get('/next', () => 'next')
    const [{ text, heads }] = await silenced(() => converse(app, '/', '/next'))
    assert.deepEqual(heads, ['HTTP/1.1 500 Internal Server Error', 'HTTP/1.1 200 OK'])
    assert.match(text, /\r\n\r\nnext$/)
  })
}

for (const [when, chunks] of Object.entries({
  'before the first byte of a stream': [],
  'in the middle of a stream': ['some'],
  'before it has taken what it is sent': Array.from({ length: 512 }, () => Buffer.alloc(65_536)),
})) {
  test(`a client that leaves ${when} ends the stream`, async (context) => {
    const stream = endless()
    for (const chunk of chunks) stream.push(chunk)
    const started = new EventEmitter()
    const app = serve(context).get('/', () => {
      process.nextTick(() => started.emit('start'))
      return stream
    })
    const url = new URL(await app.listen({ port: 0 }))
    const socket = connect(Number(url.port), url.hostname)
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    await (when.startsWith('in the') ? once(socket, 'data') : once(started, 'start'))
    const closed = once(stream, 'close')
    socket.destroy()
    await closed
    assert.equal(stream.destroyed, true)
  })
}

test('a client that leaves ends the streams that wait behind another on its connection', async (context) => {
  const streams: Readable[] = []
  const events = new EventEmitter()
  const app = serve(context).get('/', () => {
    streams.push(endless())
    streams.at(-1)?.push('some')
    if (streams.length === 12) events.emit('all')
    return streams.at(-1)
  })
  const hooks = ['onResponse', 'onRequestAbort'].map(async (name) => {
    let count = 0
    app.addHook(name, async () => {
      if (++count === 12) events.emit(name)
    })
    return once(events, name)
  })
  const url = new URL(await app.listen({ port: 0 }))
  const socket = connect(Number(url.port), url.hostname)
  const all = once(events, 'all')
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(12))
  await all
  const closed = streams.map(async (stream) => once(stream, 'close'))
  socket.destroy()
  await Promise.all([...closed, ...hooks])
})

test('a client that leaves ends a stream of an old library that can be destroyed', async (context) => {
  const old = new EventEmitter()
  const pipe = (target: Writable) => void target.write('some')
  const destroy = () => void old.emit('destroyed')
  const app = serve(context).get('/', () => Object.assign(old, { pipe, destroy }))
  const url = new URL(await app.listen({ port: 0 }))
  const socket = connect(Number(url.port), url.hostname)
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(socket, 'data')
  const destroyed = once(old, 'destroyed')
  socket.destroy()
  await destroyed
})

test('a handler that fails when its stream is on the way changes nothing for the client', async (context) => {
  const app = serve(context).get('/', async (_request, reply) => {
    const stream = endless()
    stream.push('some')
    reply.send(stream)
    await once(stream, 'data')
    process.nextTick(() => stream.push('more') && stream.push(null))
    throw secret
  })
  const url = await app.listen({ port: 0 })
  const [{ body }, log] = await silenced(() => rawRequest(url, ['GET / HTTP/1.1']))
  assert.equal(body, '4\r\nsome\r\n4\r\nmore\r\n0\r\n\r\n')
  assert.match(log, /Error: secret/)
})
