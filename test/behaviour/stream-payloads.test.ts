// Streams as payloads: what of them reaches the client, and how fast they are read.
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { Readable, Stream } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { rawRequest } from '../support/raw-request.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler } from '../support/untyped.ts'

/** A stream that nothing ends but `destroy`. */
const endless = () => new Readable({ read: () => {} })
const parts = () => Readable.from([Buffer.from('one '), Buffer.from('two')])

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

const ways: Record<string, AnyHandler> = {
  'that a handler returns': () => parts(),
  'that an async handler returns': async () => parts(),
  'that a handler sends': (_request, reply) => {
    reply.send(parts())
  },
  'that an async handler sends, returning its reply': async (_request, reply) =>
    reply.send(parts()),
  'that an async handler sends, awaiting its reply': async (_request, reply) => {
    await reply.send(parts())
  },
  'that is sent after its handler has returned': (_request, reply) => {
    setImmediate(() => reply.send(parts()))
  },
}
for (const [what, handler] of Object.entries(ways)) {
  test(`a stream ${what} is sent whole, as bytes of which nothing is known`, async (context) => {
    const app = serve(context).get('/', handler)
    const { statusCode, headers, body } = await app.inject('/')
    assert.deepEqual([statusCode, body], [200, 'one two'])
    assert.equal(headers['content-type'], 'application/octet-stream')
    assert.equal('content-length' in headers, false)
  })
}

test('a stream keeps the status and the type that were set', async (context) => {
  const app = serve(context).get('/', (_request, reply) => {
    reply.code(206).type('text/csv')
    return parts()
  })
  const { statusCode, headers } = await app.inject('/')
  assert.deepEqual([statusCode, headers['content-type']], [206, 'text/csv; charset=utf-8'])
})

test('a stream is no payload of a response schema: it is sent as it is', async (context) => {
  const schema = { response: { 200: { a: { type: 'integer' } } } }
  const app = serve(context).get('/', { schema }, () => parts())
  assert.equal((await app.inject('/')).body, 'one two')
})

test('without a length a stream is sent in chunks, with one it is sent as it comes', async (context) => {
  const chunked = await ask(context, () => parts())
  assert.match(chunked.head, /transfer-encoding: chunked/i)
  assert.equal(chunked.body, '4\r\none \r\n3\r\ntwo\r\n0\r\n\r\n')
  const sized = await ask(context, (_request, reply) =>
    reply.header('content-length', 7).send(parts()),
  )
  assert.match(sized.head, /content-length: 7/)
  assert.doesNotMatch(sized.head, /transfer-encoding/i)
  assert.equal(sized.body, 'one two')
})

for (const [what, make] of Object.entries({
  'an empty stream': async () => Readable.from([]),
  'a stream that was read to its end before': async () => {
    const stream = parts()
    for await (const _chunk of stream);
    return stream
  },
})) {
  test(`${what} is an empty body`, async (context) => {
    const app = serve(context).get('/', make)
    const { statusCode, headers, body } = await app.inject('/')
    assert.deepEqual([statusCode, body], [200, ''])
    assert.equal(headers['content-type'], 'application/octet-stream')
  })
}

test('an empty stream may say that its length is 0', async (context) => {
  const { head, body } = await ask(context, (_request, reply) =>
    reply.header('content-length', 0).send(Readable.from([])),
  )
  assert.match(head, /^HTTP\/1\.1 200 OK\r\n[^]*content-length: 0/)
  assert.equal(body, '')
})

test('a stream with an encoding is sent as its text, and its length is that of the bytes', async (context) => {
  const euro = Buffer.from('€')
  const split = () => Readable.from([euro.subarray(0, 1), euro.subarray(1)], { objectMode: false })
  const app = serve(context)
    .get('/utf8', (_request, reply) =>
      reply.header('content-length', 3).send(split().setEncoding('utf8')),
    )
    .get('/hex', () => split().setEncoding('hex'))
    .get('/latin1', () => split().setEncoding('latin1'))
  const sent = async (url: string) => (await app.inject(url)).body
  assert.equal(await sent('/utf8'), '€')
  assert.equal(await sent('/hex'), 'e282ac')
  assert.equal(await sent('/latin1'), euro.toString('latin1'))
})

test('a stream in object mode may give text and bytes of every kind of view', async (context) => {
  const app = serve(context).get('/', () =>
    Readable.from(['é', Buffer.from('b'), Uint8Array.of(99)]),
  )
  assert.equal((await app.inject('/')).body, 'ébc')
})

test('a stream is read no faster than its client takes it', async (context) => {
  const chunk = Buffer.alloc(65_536)
  const total = 512 * chunk.length
  let left = total
  let held = 0
  const events = new EventEmitter()
  const app = serve(context).get('/', (_request, reply) => {
    const stream = new Readable({
      read() {
        held = Math.max(held, reply.raw.writableLength)
        left -= chunk.length
        this.push(left < 0 ? null : chunk)
      },
    })
    for (const event of ['pause', 'end']) stream.once(event, () => events.emit('begin'))
    return reply.header('content-length', total).send(stream)
  })
  const url = new URL(await app.listen({ port: 0 }))
  const socket = connect(Number(url.port), url.hostname)
  socket.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
  await once(events, 'begin')
  let received = 0
  socket.on('data', (data) => (received += data.length))
  await once(socket, 'close')
  assert.ok(received > total, `${received} of ${total} bytes came`)
  assert.ok(held <= 4 * chunk.length, `${held} bytes were held`)
})

for (const [method, status] of [
  ['HEAD', 200],
  ['GET', 204],
  ['GET', 304],
] as const) {
  test(`${method} with status ${status} sends no stream, and lets go of it`, async (context) => {
    const stream = endless()
    const closed = once(stream, 'close')
    const { head, body } = await ask(
      context,
      (_request, reply) => reply.code(status).send(stream),
      method,
    )
    await closed
    assert.match(head, new RegExp(`^HTTP/1.1 ${status} `))
    assert.doesNotMatch(head, /content-length|transfer-encoding/i)
    assert.equal(body, '')
  })
}

test('HEAD keeps the length and the type that are set for a stream', async (context) => {
  const { head, body } = await ask(
    context,
    (_request, reply) => reply.type('image/png').header('content-length', 7).send(parts()),
    'HEAD',
  )
  assert.match(head, /content-type: image\/png\r\n[^]*content-length: 7/)
  assert.equal(body, '')
})

test('HEAD lets go of a stream that never ends, and keeps the connection for the next request', async (context) => {
  const streams: Readable[] = []
  const app = serve(context).get('/', (_request, reply) => {
    const stream = endless()
    streams.push(stream)
    return reply.header('content-length', 7).send(stream)
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  context.after(() => {
    agent.destroy()
  })
  const url = await app.listen({ port: 0 })
  const ports: unknown[] = []
  for (const _time of [1, 2]) {
    const asked = request(url, { agent, method: 'HEAD' }).end()
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    ports.push(asked.socket?.localPort)
    assert.equal(response.headers['content-length'], '7')
    assert.equal((await response.toArray()).length, 0)
  }
  assert.equal(ports[0], ports[1])
  assert.deepEqual(
    streams.map(({ destroyed }) => destroyed),
    [true, true],
  )
})

test('a stream that was sent may be sent and returned again: it is sent once, whole', async (context) => {
  const app = serve(context).get('/', async (_request, reply) => {
    const stream = parts()
    reply.send(stream)
    return stream
  })
  const [{ body }, text] = await silenced(() => app.inject('/'))
  assert.equal(body, 'one two')
  assert.match(text, /sent already/)
})

/** An emitter that can do nothing but be piped, as streams before Node 0.10. */
function old(run: (emitter: EventEmitter) => void) {
  const emitter = new EventEmitter()
  setImmediate(run, emitter)
  const pipe = (target: NodeJS.WritableStream) => {
    emitter.on('data', (chunk: string) => target.write(chunk)).on('end', () => target.end())
    return target
  }
  return Object.assign(emitter, { pipe })
}

const oldStreams: Record<string, () => unknown> = {
  'an emitter with a pipe method': () =>
    old((emitter) => {
      for (const chunk of ['a', Buffer.from('b'), 'c']) emitter.emit('data', chunk)
      emitter.emit('end')
    }),
  'the base class of streams': () => {
    const stream = new Stream()
    setImmediate(() => {
      for (const chunk of ['ab', 'c']) stream.emit('data', chunk)
      stream.emit('end')
    })
    return stream
  },
  'an emitter that begins when it is piped': () =>
    Object.assign(new EventEmitter(), {
      pipe(target: NodeJS.WritableStream) {
        target.write('ab')
        target.end('c')
        return target
      },
    }),
}
for (const [what, make] of Object.entries(oldStreams)) {
  test(`a stream of an old library is sent: ${what}`, async (context) => {
    const app = serve(context)
      .get('/returned', make)
      .get('/sent', (_request, reply) => reply.header('content-length', 3).send(make()))
    for (const url of ['/returned', '/sent']) {
      const { statusCode, body } = await app.inject(url)
      assert.deepEqual([statusCode, body], [200, 'abc'])
    }
  })
}

test('an object with a method that is called pipe is no stream', async (context) => {
  const make = () => ({ n: 1, pipe: () => 'something else' })
  const app = serve(context)
    .get('/returned', make)
    .get('/sent', (_request, reply) => reply.send(make()))
  for (const url of ['/returned', '/sent']) {
    assert.deepEqual((await app.inject(url)).json(), { n: 1 })
  }
})
