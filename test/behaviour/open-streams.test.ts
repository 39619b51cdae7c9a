// Streams of items while they are open: when an item leaves, and how a stream ends.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { PassThrough, type Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { constants, createBrotliDecompress, createGunzip } from 'node:zlib'
import compress from '@fastify/compress'
import { event, t } from '../../src/index.ts'
import { listening } from '../support/serve.ts'
import { silenced } from '../support/silence.ts'
import { ask, talk, wires } from '../support/transports.ts'
import { untyped, type AnyHandler, type UntypedServer } from '../support/untyped.ts'

type Loose = Parameters<AnyHandler>[0]

const schema = {
  response: { 200: { content: { 'text/event-stream': { itemSchema: { n: t.Integer() } } } } },
}
const lines = {
  response: { 200: { content: { 'application/jsonl': { itemSchema: { n: t.Integer() } } } } },
}

/** A promise, and what fulfils it. */
function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

/** An event stream that gives one item and then waits for the signal of its request. */
function waiting() {
  const [ended, aborted] = [gate(), gate()]
  const define = (app: UntypedServer): void => {
    app.get('/', { schema }, async function* ({ signal }: Loose) {
      signal.addEventListener('abort', aborted.open)
      try {
        yield { n: 1 }
        await once(signal, 'abort')
      } finally {
        ended.open()
      }
    })
  }
  return { define, ended: ended.opened, aborted: aborted.opened }
}

/** Reads a response piece by piece. */
function read(response: IncomingMessage) {
  const pieces = response.setEncoding('utf8')[Symbol.asyncIterator]()
  return async () => String((await pieces.next()).value)
}

for (const transport of wires) {
  const { name } = transport

  test(`${name}: an item leaves before the next one is made`, async (context) => {
    const goOn = gate()
    const client = await talk(context, transport, (app) => {
      app.get('/', { schema }, async function* () {
        yield { n: 1 }
        await goOn.opened
        yield event({ n: 2 }, { id: 2 })
      })
    })
    const call = client.call({ path: '/' })
    await call.begun
    goOn.open()
    const { text, isWhole } = await call.ended
    assert.deepEqual([text, isWhole], ['data: {"n":1}\n\nid: 2\ndata: {"n":2}\n\n', true])
  })

  for (const how of ['cancels its request', 'ends its connection']) {
    test(`${name}: a client that ${how} ends the generator and aborts the signal`, async (context) => {
      const { define, ended, aborted } = waiting()
      const client = await talk(context, transport, define)
      const call = client.call({ path: '/' })
      await call.begun
      if (how === 'cancels its request') call.leave()
      else client.disconnect()
      await Promise.all([ended, aborted])
    })
  }

  test(`${name}: a generator that waits for no signal ends at its next item`, async (context) => {
    const [ended, goOn] = [gate(), gate()]
    let made = 0
    const client = await talk(context, transport, (app) => {
      app.addHook('onResponse', async () => goOn.open())
      app.get('/', { schema }, async function* () {
        try {
          yield { n: (made += 1) }
          await goOn.opened
          for (;;) yield { n: (made += 1) }
        } finally {
          ended.open()
        }
      })
    })
    const call = client.call({ path: '/' })
    await call.begun
    call.leave()
    await ended.opened
    assert.equal(made, 2)
  })

  test(`${name}: close ends an event stream, which the client has whole`, async (context) => {
    const { define, ended, aborted } = waiting()
    const client = await talk(context, transport, define)
    const call = client.call({ path: '/' })
    await call.begun
    const [, , { text, isWhole }] = await Promise.all([ended, client.app.close(), call.ended])
    await aborted
    assert.deepEqual([text, isWhole], ['data: {"n":1}\n\n', true])
  })

  test(`${name}: close waits for a stream of another type`, async (context) => {
    const [closing, goOn] = [gate(), gate()]
    const client = await talk(context, transport, (app) => {
      app.addHook('preClose', async () => closing.open())
      app.get('/', { schema: lines }, async function* () {
        yield { n: 1 }
        await goOn.opened
        yield { n: 2 }
      })
    })
    const call = client.call({ path: '/' })
    await call.begun
    const closed = client.app.close()
    await closing.opened
    setImmediate(goOn.open)
    const [{ text, isWhole }] = await Promise.all([call.ended, closed])
    assert.deepEqual([text, isWhole], ['{"n":1}\n{"n":2}\n', true])
  })

  test(`${name}: an error before the first item is answered as any error`, async (context) => {
    const client = await talk(context, transport, (app) => {
      app.get('/', { schema }, async function* ({ method }: Loose) {
        await Promise.resolve()
        if (method === 'GET') throw Object.assign(new Error('no tea'), { statusCode: 418 })
        yield { n: 1 }
      })
    })
    const { status, headers, text } = await ask(client, '/')
    assert.equal(status, 418)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(JSON.parse(text).message, 'no tea')
  })

  const faults: Record<string, () => unknown> = {
    'an error of the generator': () => {
      throw new Error('n is required')
    },
    'an item that its schema does not fit': () => ({}),
  }
  for (const [what, make] of Object.entries(faults)) {
    test(`${name}: ${what} behind the first item cuts the stream, and is logged`, async (context) => {
      const [ended, goOn] = [gate(), gate()]
      const required = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
      const items = { 'text/event-stream': { itemSchema: required } }
      const client = await talk(context, transport, (app) => {
        app.get('/', { schema: { response: { 200: { content: items } } } }, async function* () {
          try {
            yield { n: 1 }
            await goOn.opened
            yield make()
          } finally {
            ended.open()
          }
        })
      })
      const [{ text, isWhole }, log] = await silenced(async () => {
        const call = client.call({ path: '/' })
        await call.begun
        goOn.open()
        await ended.opened
        return call.ended
      })
      assert.deepEqual([text, isWhole], ['data: {"n":1}\n\n', false])
      assert.match(log, /GET \/ in root: Error: .*n.* is required/)
    })
  }
}

test('a client of HTTP/1.0, as nginx is, is told of a cut by a reset', async (context) => {
  const goOn = gate()
  const app = untyped().get('/', { schema: lines }, async function* () {
    yield { n: 1 }
    await goOn.opened
    throw new Error('no more')
  })
  const { hostname, port } = new URL(await listening(context, app))
  const socket = connect(Number(port), hostname)
  socket.write('GET / HTTP/1.0\r\nconnection: keep-alive\r\n\r\n')
  const [head] = (await once(socket, 'data')) as [Buffer]
  assert.match(String(head), /^HTTP\/1\.1 200 OK\r\n/)
  await silenced(async () => {
    setImmediate(goOn.open)
    await assert.rejects(once(socket, 'end'), { code: 'ECONNRESET' })
  })
})

test('the response begins though its first item is not there; a silent event stream sends comments', async (context) => {
  const goOn = gate()
  const app = untyped({ heartbeatInterval: 5 }).get('/', { schema }, async function* () {
    await goOn.opened
    yield { n: 1 }
  })
  const [response] = await once(get(await listening(context, app)), 'response')
  const next = read(response)
  assert.equal(await next(), ':\n\n')
  assert.equal(await next(), ':\n\n')
  goOn.open()
  let rest = ''
  for (let piece = await next(); piece !== 'undefined'; piece = await next()) rest += piece
  assert.match(rest, /^(:\n\n)*data: \{"n":1\}\n\n$/)
})

test('other streams, and those of a server with the interval 0, send no comments', async (context) => {
  const app = untyped({ heartbeatInterval: 1 })
  const none = untyped({ heartbeatInterval: 0 })
  const slow = async function* () {
    await new Promise((resolve) => setTimeout(resolve, 20))
    yield { n: 1 }
  }
  app.get('/', { schema: lines }, slow)
  none.get('/', { schema }, slow)
  context.after(() => Promise.all([app.close(), none.close()]))
  assert.equal((await app.inject('/')).body, '{"n":1}\n')
  assert.equal((await none.inject('/')).body, 'data: {"n":1}\n\n')
})

test('the head of a stream does not wait for its first item', async (context) => {
  for (const each of [schema, lines]) {
    const goOn = gate()
    const app = untyped().get('/', { schema: each }, async function* () {
      await goOn.opened
      yield { n: 1 }
    })
    const [response] = await once(get(await listening(context, app)), 'response')
    assert.equal(response.statusCode, 200)
    goOn.open()
    let text = ''
    for await (const piece of response) text += String(piece)
    assert.match(text, /\{"n":1\}/)
  }
})

test('handlerTimeout is the time of the first item; it ends the generator', async (context) => {
  const ended = gate()
  const app = untyped({ handlerTimeout: 20 }).get('/', { schema }, async function* ({ signal }) {
    try {
      await once(signal, 'abort')
      yield { n: 1 }
    } finally {
      ended.open()
    }
  })
  context.after(() => app.close())
  const [{ statusCode, headers }] = await silenced(() => app.inject('/'))
  assert.equal(statusCode, 503)
  assert.match(String(headers['content-type']), /^application\/json/)
  await ended.opened
})

test('an error of a generator that was told to stop is logged', async (context) => {
  const left = gate()
  const app = untyped().get('/', { schema }, async function* () {
    try {
      yield { n: 1 }
      yield { n: 2 }
    } finally {
      left.open()
      await Promise.reject(new Error('no way out'))
    }
  })
  const origin = await listening(context, app)
  const [, log] = await silenced(async () => {
    await fetch(origin, { method: 'HEAD' })
    const answer = await fetch(origin)
    await answer.body?.cancel()
    await left.opened
    await new Promise((resolve) => setImmediate(resolve))
  })
  assert.match(log, /GET \/ in root: Error: no way out/)
})

test('an error behind the end of a client is logged, unless it says that the signal was aborted', async (context) => {
  const [left, failed] = [gate(), gate()]
  const app = untyped()
  app.get('/abort', { schema }, async function* ({ signal }: Loose) {
    try {
      yield { n: 1 }
      await once(signal, 'never', { signal })
    } finally {
      left.open()
    }
  })
  app.get('/fault', { schema }, async function* ({ signal }: Loose) {
    yield { n: 1 }
    await once(signal, 'abort')
    setImmediate(failed.open)
    throw new Error('the database is gone')
  })
  const origin = await listening(context, app)
  const [, log] = await silenced(async () => {
    for (const path of ['/abort', '/fault']) await (await fetch(origin + path)).body?.cancel()
    await Promise.all([left.opened, failed.opened])
  })
  assert.match(log, /GET \/fault in root: Error: the database is gone/)
  assert.doesNotMatch(log, /Abort/)
})

const changes: Record<string, (payload: Readable) => unknown> = {
  'pipes without `pipeline`': (payload) => payload.pipe(new PassThrough()),
  'does not send': () => 'nothing',
}
for (const [what, change] of Object.entries(changes)) {
  test(`an iterable whose stream an onSend hook ${what} is told to stop when the client leaves`, async (context) => {
    const told = gate()
    const app = untyped().addHook('onSend', async (...given: unknown[]) =>
      change(given[2] as Readable),
    )
    app.get('/', { schema }, () => ({
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ value: { n: 1 } }),
        return: async () => told.open(),
      }),
    }))
    const answer = await fetch(await listening(context, app))
    await answer.body?.cancel()
    await told.opened
  })
}

test('so is one whose client has left before', async (context) => {
  const [arrived, told] = [gate(), gate()]
  const app = untyped().addHook('onSend', async (...given: unknown[]) =>
    (given[2] as Readable).pipe(new PassThrough()),
  )
  app.get('/', { schema }, async ({ signal }) => {
    arrived.open()
    await once(signal, 'abort')
    return {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ value: { n: 1 } }),
        return: async () => told.open(),
      }),
    }
  })
  const asked = get(await listening(context, app)).on('error', () => undefined)
  await arrived.opened
  asked.destroy()
  await told.opened
})

test('an iterable that is not sent is told to stop', async () => {
  const told: string[] = []
  const iterator = (name: string) => ({
    next: async () => ({ done: true }),
    return: async () => {
      told.push(name)
      throw new Error('no way out')
    },
    [Symbol.asyncIterator]() {
      return this
    },
  })
  const app = untyped().get('/', { schema }, (_request, reply) => {
    reply.send(iterator('first'))
    return iterator('second')
  })
  const [{ statusCode }] = await silenced(() => app.inject('/'))
  assert.equal(statusCode, 200)
  assert.deepEqual(told, ['second'])
})

test('a stream that does not end though the server closes is cut, and logged', async (context) => {
  const ended = gate()
  const app = untyped({ streamGracePeriod: 20 })
  app.get('/', { schema: lines }, async function* ({ signal }: Loose) {
    try {
      yield { n: 1 }
      await once(signal, 'abort')
    } finally {
      ended.open()
    }
  })
  const [response] = await once(get(await listening(context, app)), 'response')
  const next = read(response)
  assert.equal(await next(), '{"n":1}\n')
  const [, log] = await silenced(async () => {
    const cut = assert.rejects(next, { code: 'ECONNRESET' })
    await Promise.all([app.close(), ended.opened, cut])
  })
  assert.match(log, /ESP_ERR_REP_STREAM_CUT|was cut: it had not ended 20 ms after/)
})

/** Asks for a stream, and reads none of it. */
const deaf: Record<string, (origin: URL) => () => void> = {
  'HTTP/1.1': ({ hostname, port }) => {
    const socket = connect(Number(port), hostname).on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    return () => socket.destroy()
  },
  'HTTP/2': (origin) => {
    const session = connectHttp2(origin).on('error', () => undefined)
    session.request({ ':path': '/' }).on('error', () => undefined)
    return () => {
      session.destroy()
    }
  },
}
for (const [version, ask] of Object.entries(deaf)) {
  for (const type of ['text/event-stream', 'application/jsonl']) {
    test(`${version}: close cuts a client that does not read its ${type}`, async (context) => {
      const made = gate()
      const texts = { response: { 200: { content: { [type]: { itemSchema: t.String() } } } } }
      const app = untyped({ streamGracePeriod: 20, http2: version === 'HTTP/2' })
      app.get('/', { schema: texts }, async function* () {
        // More than a connection holds.
        yield 'x'.repeat(30_000_000)
        made.open()
      })
      context.after(ask(new URL(await listening(context, app))))
      await made.opened
      const [, log] = await silenced(() => app.close())
      assert.match(log, /was cut: it had not ended 20 ms after/)
    })
  }
}

test('close aborts also a signal that is read afterwards', async (context) => {
  const [closed, read] = [gate(), gate()]
  let isAborted
  const app = untyped().get('/', { schema }, async function* (request: Loose) {
    yield { n: 1 }
    await closed.opened
    isAborted = request.signal.aborted
    read.open()
  })
  const [response] = await once(get(await listening(context, app)), 'response')
  await once(response, 'data')
  await app.close()
  closed.open()
  await read.opened
  assert.equal(isAborted, true)
})

test('an event stream that begins while the server closes ends at once', async (context) => {
  const [arrived, goOn] = [gate(), gate()]
  const app = untyped().get('/', { schema }, async () => {
    arrived.open()
    await goOn.opened
    return (async function* () {
      yield { n: 1 }
      await new Promise(() => undefined)
    })()
  })
  const asked = fetch(await listening(context, app))
  await arrived.opened
  const closed = app.close()
  setImmediate(goOn.open)
  const answer = await asked
  assert.deepEqual([answer.status, await answer.text()], [200, ''])
  await closed
})

const makers: Record<string, (each: () => object) => AnyHandler> = {
  'an async generator': (each) =>
    async function* () {
      for (let n = 0; n < 20_000; n++) yield each()
    },
  'a generator': (each) =>
    function* () {
      for (let n = 0; n < 20_000; n++) yield each()
    },
}
for (const [what, make] of Object.entries(makers)) {
  test(`${what} is asked for items as fast as the client reads, and not faster`, async (context) => {
    const text = 'x'.repeat(1000)
    let [made, most] = [0, 0]
    let waiting = () => 0
    const each = () => {
      most = Math.max(most, waiting())
      return { n: (made += 1), text }
    }
    const items = { n: t.Integer(), text: t.String() }
    const response = { 200: { content: { 'application/jsonl': { itemSchema: items } } } }
    const handler = make(each)
    const app = untyped().get('/', { schema: { response } }, (request, reply) => {
      waiting = () => reply.raw.writableLength
      return handler(request, reply)
    })
    const [answer] = (await once(get(await listening(context, app)), 'response')) as [
      IncomingMessage,
    ]
    assert.ok(made < 20_000, 'all items were made before one was read')
    const [last] = (await answer.setEncoding('utf8').toArray()).join('').split('\n').slice(-2)
    assert.equal(JSON.parse(String(last)).n, 20_000)
    // Node asks to wait when 64 KiB are waiting.
    assert.ok(most < 100_000, `${most} bytes were waiting`)
  })
}

test('@fastify/compress leaves event streams alone, and compresses one by one where it is told to', async (context) => {
  let goOn = gate()
  const app = untyped()
  await app.register(compress)
  const handler = async function* () {
    yield { n: 1 }
    await goOn.opened
    yield { n: 2 }
  }
  const compressed = {
    customTypes: /^text\/event-stream/,
    zlibOptions: { flush: constants.Z_SYNC_FLUSH },
    brotliOptions: { flush: constants.BROTLI_OPERATION_FLUSH },
  }
  app.get('/plain', { schema }, handler)
  app.get('/flushed', { schema, compress: compressed }, handler)
  const origin = await listening(context, app)
  const readers = { gzip: createGunzip, br: createBrotliDecompress }
  for (const path of ['/plain', '/flushed']) {
    for (const [encoding, createReader] of Object.entries(readers)) {
      goOn = gate()
      const asked = get(origin + path, { headers: { 'accept-encoding': encoding } })
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      const isPlain = path === '/plain'
      assert.equal(response.headers['content-encoding'], isPlain ? undefined : encoding)
      const next = read(isPlain ? response : (response.pipe(createReader()) as Loose))
      assert.equal(await next(), 'data: {"n":1}\n\n')
      goOn.open()
      assert.equal(await next(), 'data: {"n":2}\n\n')
    }
  }
})

test('1,000 streams that clients leave hold no memory', async (context) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const heap = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  let [ended, wanted] = [0, 0]
  let all = gate()
  const app = untyped().get('/', { schema }, async function* ({ signal }: Loose) {
    const ballast = new Array<number>(5_000).fill(0)
    try {
      yield { n: ballast.length }
      await once(signal, 'abort')
    } finally {
      ended += 1
      if (ended === wanted) all.open()
    }
  })
  const origin = await listening(context, app)
  const leaveStreams = async (count: number): Promise<void> => {
    all = gate()
    wanted = ended + count
    for (let at = 0; at < count; at++) {
      const asked = get(origin, { agent: false }).on('error', () => undefined)
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      await once(response, 'data')
      asked.destroy()
    }
    await all.opened
  }
  await leaveStreams(100)
  const before = heap()
  await leaveStreams(1_000)
  // Each stream kept would hold 40 kB.
  assert.ok(heap() - before < 8_000_000, `${heap() - before} bytes`)
})
