// onTimeout and onRequestAbort: connections that end before their response does.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request as sendRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler, type UntypedServer } from '../support/untyped.ts'

type Loose = Parameters<AnyHandler>[0]

const watching = ['onTimeout', 'onRequestAbort', 'onResponse', 'onError'] as const
const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A hook with any number of parameters. */
const hook = (run: (this: Loose, ...args: Loose[]) => unknown): AnyHandler => run

/** A promise, and what fulfils it. */
function signal() {
  let fire: () => void = () => {}
  const fired = new Promise<void>((resolve) => (fire = resolve))
  return { fire, fired }
}

/** A server whose watching hooks leave their names in a list. */
function traced(options: object = {}) {
  const trace: string[] = []
  const app = untyped(options)
  for (const name of watching) {
    app.addHook(name, async ({ url }) => void trace.push(`${name} ${url}`))
  }
  return { app, trace }
}

/** Opens a connection and writes the beginning of a request. */
async function open(app: UntypedServer, text: string): Promise<Socket> {
  const { port } = new URL(await app.listen({ port: 0 }))
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
  socket.resume().write(text.replaceAll('\n', '\r\n'))
  return socket
}

/** Closes a server whose handlers have ended, and lets the hooks of its last request run. */
async function end(app: UntypedServer): Promise<void> {
  await app.close()
  await tick()
}

test('onTimeout runs when a connection was idle for too long, and onRequestAbort does not', async () => {
  const { app, trace } = traced({ connectionTimeout: 200 })
  const { fire, fired } = signal()
  const facts: unknown[] = []
  app.addHook('onTimeout', async (request, reply) => {
    facts.push(request.socket.destroyed, reply.sent, reply.request === request)
    fire()
  })
  app.get('/slow', async () => {
    await fired
    return 'too late'
  })
  const socket = await open(app, 'GET /slow HTTP/1.1\nhost: a\n\n')
  await Promise.all([once(socket, 'close'), fired])
  await end(app)
  assert.deepEqual(trace, ['onTimeout /slow', 'onResponse /slow'])
  assert.deepEqual(facts, [true, false, true])
})

test('onTimeout runs for a response that stands still, and for a body that does not come', async () => {
  const { app, trace } = traced({ connectionTimeout: 200 })
  app.get('/still', () => {
    const stream = new Readable({ read() {} })
    stream.push('begun')
    return stream
  })
  app.post('/body', () => assert.fail('the handler ran'))
  const socket = await open(app, 'GET /still HTTP/1.1\nhost: a\n\n')
  await once(socket, 'close')
  const [{ port }] = (app as Loose).addresses()
  const other = connect(port, '127.0.0.1').resume()
  const head = 'POST /body HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\n'
  other.write(`${head}content-length: 9\r\n\r\nbegun`)
  await once(other, 'close')
  await end(app)
  const count = (name: string) => trace.filter((line) => line.startsWith(name)).length
  assert.deepEqual([count('onTimeout'), count('onResponse'), count('onRequestAbort')], [2, 2, 0])
})

test('onTimeout does not run for a connection that waits for its next request', async () => {
  const { app, trace } = traced({ connectionTimeout: 200 })
  app.get('/', () => 'done')
  // Between two requests this is the time that holds.
  ;(app as Loose).server.keepAliveTimeout = 20
  const socket = await open(app, 'GET / HTTP/1.1\nhost: a\n\n')
  await once(socket, 'close')
  await end(app)
  assert.deepEqual(trace, ['onResponse /'])
})

test('onTimeout hooks of callback form and of the route run, and one that fails is told to stderr', async () => {
  const trace: string[] = []
  const { fire, fired } = signal()
  const app = untyped({ connectionTimeout: 200 })
  app.addHook('onTimeout', async () => Promise.reject(new Error('of the hook')))
  app.addHook(
    'onTimeout',
    hook(function (this: unknown, _request, _reply, done) {
      assert.equal(this, app)
      setImmediate(() => {
        trace.push('callback')
        done()
      })
    }),
  )
  app.get('/', { onTimeout: [async () => void trace.push('route'), async () => fire()] }, () =>
    fired.then(() => 'too late'),
  )
  const [, log] = await silenced(async () => {
    await open(app, 'GET / HTTP/1.1\nhost: a\n\n')
    await fired
    await end(app)
  })
  assert.deepEqual(trace, ['callback', 'route'])
  assert.match(log, /^GET \/ in root: Error: of the hook/)
})

test('onRequestAbort runs once when the client leaves before the answer', async () => {
  const { app, trace } = traced()
  const [arrived, left] = [signal(), signal()]
  app.addHook('onRequestAbort', async () => left.fire())
  app.get('/', async () => {
    arrived.fire()
    await left.fired
    return 'too late'
  })
  const socket = await open(app, 'GET / HTTP/1.1\nhost: a\n\n')
  await arrived.fired
  socket.destroy()
  await left.fired
  await end(app)
  assert.deepEqual(trace.sort(), ['onRequestAbort /', 'onResponse /'])
})

test('onRequestAbort runs once when the client leaves within its body, or within the response', async () => {
  const { app, trace } = traced()
  let [arrived, left] = [signal(), signal()]
  app.addHook('onRequestAbort', async () => left.fire())
  app.addHook('preParsing', async () => arrived.fire())
  app.post('/body', () => assert.fail('the handler ran'))
  app.get('/response', () => {
    const stream = new Readable({ read() {} })
    stream.push('begun')
    return stream
  })
  const { port } = new URL(await app.listen({ port: 0 }))
  for (const text of [
    'POST /body HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\na',
    'GET /response HTTP/1.1\r\nhost: a\r\n\r\n',
  ]) {
    ;[arrived, left] = [signal(), signal()]
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
    socket.write(text)
    await (text.startsWith('GET') ? once(socket, 'data') : arrived.fired)
    socket.destroy()
    await left.fired
  }
  await end(app)
  const aborts = trace.filter((line) => line.startsWith('onRequestAbort'))
  assert.deepEqual(aborts, ['onRequestAbort /body', 'onRequestAbort /response'])
  // The body that will not come is an error; the response that nobody reads is none.
  const others = trace.filter((line) => !line.startsWith('onRequestAbort')).sort()
  assert.deepEqual(others, ['onError /body', 'onResponse /body', 'onResponse /response'])
})

test('a request that waits behind another on its connection is told of its end, too', async () => {
  const { app, trace } = traced()
  const [arrived, left] = [signal(), signal()]
  const stream = new Readable({ read() {} })
  let closed: Promise<unknown> = Promise.resolve()
  app.get('/first', async () => {
    await left.fired
    return 'too late'
  })
  app.get('/second', (request) => {
    closed = once(request.socket, 'close')
    setImmediate(arrived.fire)
    return stream
  })
  const get = (path: string) => `GET ${path} HTTP/1.1\nhost: a\n\n`
  const socket = await open(app, get('/first') + get('/second'))
  await arrived.fired
  socket.destroy()
  await closed
  await tick()
  left.fire()
  await end(app)
  assert.equal(stream.destroyed, true)
  const expected = ['onRequestAbort', 'onResponse'].flatMap((name) => [
    `${name} /first`,
    `${name} /second`,
  ])
  assert.deepEqual(trace.sort(), expected)
})

test('onRequestAbort does not run when the response is complete, however the connection ends', async () => {
  const { app, trace } = traced()
  app
    .get('/', () => 'done')
    .get('/hijacked', (_request, reply) => {
      reply.hijack().raw.end('by hand')
    })
  const agent = new Agent({ keepAlive: true })
  const { port } = new URL(await app.listen({ port: 0 }))
  for (const path of ['/', '/none', '/hijacked', '/']) {
    const sent = sendRequest({ port, path, agent, host: '127.0.0.1' }).end()
    const [response] = await once(sent, 'response')
    await once(response.resume(), 'end')
  }
  agent.destroy()
  await end(app)
  assert.deepEqual(trace.sort(), [
    'onResponse /',
    'onResponse /',
    'onResponse /hijacked',
    'onResponse /none',
  ])
})

test('onRequestAbort does not run when the server itself cuts a response', async () => {
  const { app, trace } = traced()
  app.get('/', () =>
    Readable.from(
      (function* () {
        yield 'begun'
        throw new Error('the stream failed')
      })(),
    ),
  )
  const [, log] = await silenced(async () => {
    const socket = await open(app, 'GET / HTTP/1.1\nhost: a\n\n')
    await once(socket, 'close')
    await end(app)
  })
  assert.deepEqual(trace, ['onResponse /'])
  assert.match(log, /^GET \/ in root: Error: the stream failed/)
})

test('onRequestAbort takes the request alone: async, or with done; errors of it are told to stderr', async () => {
  const trace: string[] = []
  const [arrived, left] = [signal(), signal()]
  const app = untyped()
  const noted = (name: string) =>
    hook(async function (this: unknown, ...args) {
      assert.equal(this, app)
      trace.push(`${name} ${args[0].url} ${args.length}`)
    })
  app.addHook('onRequestAbort', noted('root'))
  app.addHook('onRequestAbort', ((request: Loose, done: Loose) => {
    trace.push(`callback ${request.url}`)
    setImmediate(() => done(new Error('of the hook')))
  }) as AnyHandler)
  const own = [noted('route'), async () => left.fire()]
  app.get('/', { onRequestAbort: own }, () => {
    arrived.fire()
    return left.fired.then(() => 'too late')
  })
  const [, log] = await silenced(async () => {
    const socket = await open(app, 'GET / HTTP/1.1\nhost: a\n\n')
    await arrived.fired
    socket.destroy()
    await left.fired
    await end(app)
  })
  assert.deepEqual(trace, ['root / 1', 'callback /', 'route / 1'])
  assert.match(log, /^GET \/ in root: Error: of the hook/)
})
