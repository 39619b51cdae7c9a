// handlerTimeout: the time that a route has for its answer; request.signal, which tells its handler of the end.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import espalier, { errorCodes } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler } from '../support/untyped.ts'

type Loose = Parameters<AnyHandler>[0]

const never = () => new Promise<never>(() => undefined)
/** A hook with any number of parameters. */
const hook = (run: (...args: Loose[]) => unknown): AnyHandler => run
const code = 'ESP_ERR_HANDLER_TIMEOUT'
const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A promise, and what fulfils it. */
function gate() {
  let open: (value?: unknown) => void = () => {}
  const opened = new Promise<unknown>((resolve) => (open = resolve))
  return { open, opened }
}

test('the timer ends with the request', async () => {
  const app = untyped({ handlerTimeout: 600_000 })
  app.get('/', () => 'a')
  app.get('/error', () => Promise.reject(Object.assign(new Error('no'), { statusCode: 400 })))
  app.get('/hijack', (_request, reply) => void reply.hijack().raw.end('b'))
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  await app.ready()
  const before = timers()
  for (const url of ['/', '/error', '/hijack']) await app.inject(url)
  await tick()
  assert.ok(timers() <= before)
})

test('a handler that never replies is answered with 503, by way of the default error handler', async () => {
  const app = untyped({ handlerTimeout: 10 })
  app.get('/promise', never)
  app.get('/callback', () => undefined)
  for (const url of ['/promise', '/callback']) {
    const [response, told] = await silenced(() => app.inject(url))
    assert.equal(response.statusCode, 503)
    assert.deepEqual(response.json(), {
      statusCode: 503,
      code,
      error: 'Service Unavailable',
      message: 'The request was not answered within 10 ms',
    })
    assert.match(told, new RegExp(code))
  }
})

test('every stage counts: hooks of the request, its body, hooks of the reply', async () => {
  const names = ['onRequest', 'preParsing', 'preValidation', 'preHandler']
  for (const name of [...names, 'preSerialization', 'onSend']) {
    const app = untyped({ handlerTimeout: 10 })
    let isStuck = true
    const run = (...args: Loose[]): unknown => {
      if (!isStuck) return Promise.resolve(args[2])
      isStuck = false
      return never()
    }
    app.addHook(
      name,
      hook(async (...args) => run(...args)),
    )
    app.get('/', () => ({ a: 1 }))
    const [response] = await silenced(() => app.inject('/'))
    assert.deepEqual([name, response.statusCode, response.json().code], [name, 503, code])
  }
  const app = untyped({ handlerTimeout: 10 })
  app.addHook(
    'preHandler',
    hook((_request, _reply, _done) => undefined),
  )
  app.get('/', () => ({ a: 1 }))
  assert.equal((await silenced(() => app.inject('/')))[0].statusCode, 503)
})

test('a body that does not come is not waited for', async () => {
  const app = untyped({ handlerTimeout: 10 })
  app.post('/', () => 'never')
  const payload = new Readable({ read: () => undefined })
  const headers = { 'content-type': 'text/plain' }
  const [response] = await silenced(() =>
    app.inject({ method: 'POST', url: '/', headers, payload }),
  )
  assert.equal(response.statusCode, 503)
})

test('what the handler gives too late is let go of, and nothing is told of it', async () => {
  const app = untyped({ handlerTimeout: 10 })
  const { open, opened } = gate()
  const late: unknown[] = []
  const stream = new Readable({ read: () => undefined })
  app.get('/value', () => opened.then(() => ({ a: 1 })))
  app.get('/stream', () => opened.then(() => stream))
  app.get('/sent', (_request, reply) => {
    void opened.then(() => late.push(reply.send('late').sent))
  })
  app.get('/aborted', (request) => wait(60_000, 0, { signal: request.signal }))
  const [responses] = await silenced(() =>
    Promise.all(['/value', '/stream', '/sent'].map((url) => app.inject(url))),
  )
  assert.deepEqual(
    responses.map(({ statusCode }) => statusCode),
    [503, 503, 503],
  )
  const [, told] = await silenced(async () => {
    open()
    await tick()
  })
  assert.equal(told, '')
  assert.deepEqual([late, stream.destroyed], [[true], true])
  const [aborted, once] = await silenced(() => app.inject('/aborted'))
  assert.equal(aborted.statusCode, 503)
  assert.equal(once.split(`code: '${code}'`).length, 2)
})

test('an error of another kind that comes too late is told of', async () => {
  const app = untyped({ handlerTimeout: 10 })
  const { open, opened } = gate()
  app.get('/', () => opened.then(() => Promise.reject(new Error('lost connection'))))
  await silenced(() => app.inject('/'))
  const [, told] = await silenced(async () => {
    open()
    await tick()
  })
  assert.match(told, /lost connection/)
})

test('a hook of the reply that ends too late sends nothing', async () => {
  const app = untyped({ handlerTimeout: 10 })
  const [sending, answering] = [gate(), gate()]
  app.setErrorHandler(async (error: Loose, _request: Loose, reply: Loose) => {
    sending.open()
    await answering.opened
    return reply.code(504).send(`told: ${error.code}`)
  })
  const delay = hook(async (_request, reply, payload) => {
    if (reply.statusCode !== 200) return payload
    await sending.opened
    setImmediate(answering.open)
    return payload
  })
  app.addHook('onSend', delay)
  app.get('/', () => 'too late')
  const response = await app.inject('/')
  assert.deepEqual([response.statusCode, response.body], [504, `told: ${code}`])
})

test('a stream that gives no first byte is let go of; one that has begun may take its time', async () => {
  const app = untyped({ handlerTimeout: 20 })
  const silent = new Readable({ read: () => undefined })
  app.get('/silent', () => silent)
  app.get('/slow', (request) => {
    const stream = new Readable({ read: () => undefined })
    stream.push('a')
    setTimeout(() => {
      stream.push(String(request.signal.aborted))
      stream.push(null)
    }, 60)
    return stream
  })
  const [response] = await silenced(() => app.inject('/silent'))
  assert.deepEqual([response.statusCode, silent.destroyed], [503, true])
  const slow = await app.inject('/slow')
  assert.deepEqual([slow.statusCode, slow.body], [200, 'afalse'])
})

test('error handlers see the code, and the signal with it as its reason', async () => {
  const app = espalier({ handlerTimeout: 10 })
    .setErrorHandler((error, request, reply) => {
      assert.ok(error instanceof errorCodes.ESP_ERR_HANDLER_TIMEOUT)
      assert.equal(request.signal.reason, error)
      return reply.code(504).send({ seen: error.code })
    })
    .get('/', never)
  const response = await app.inject({ url: '/' })
  assert.deepEqual([response.statusCode, response.json()], [504, { seen: code }])
})

test('onError hooks learn of it; one that hangs holds nothing up', async () => {
  const app = untyped({ handlerTimeout: 10 })
  const seen: unknown[] = []
  const hang = hook((_request, _reply, error) => {
    seen.push(error.code)
    return never()
  })
  app.addHook('onError', async (...args: [Loose, Loose]) => hang(...args))
  app.get('/', never)
  const [response] = await silenced(() => app.inject('/'))
  assert.deepEqual([response.statusCode, seen], [503, [code]])
})

test('error handlers that hang have as much time again, and so have the hooks behind them', async () => {
  const app = untyped({ handlerTimeout: 10 })
  app.get('/handler', { errorHandler: never }, never)
  app.get('/hook', { onSend: never }, never)
  for (const url of ['/handler', '/hook']) {
    const [response] = await silenced(() => app.inject(url))
    assert.deepEqual([response.statusCode, response.json().code], [503, code])
    assert.equal(response.headers['content-type'], 'application/json; charset=utf-8')
  }
})

test('a route has its own time; 0 is any time', async () => {
  const app = untyped({ handlerTimeout: 10 })
  const slow = () => wait(40, 'done')
  app.get('/longer', { handlerTimeout: 10_000 }, slow)
  app.get('/any', { handlerTimeout: 0 }, slow)
  app.get('/own', (request) => String(request.routeOptions.handlerTimeout))
  const alone = untyped()
  alone.get('/', { handlerTimeout: 10 }, never)
  alone.get('/none', (request) => String(request.routeOptions.handlerTimeout))
  const bodies = ['/longer', '/any', '/own'].map(async (url) => (await app.inject(url)).body)
  assert.deepEqual(await Promise.all(bodies), ['done', 'done', '10'])
  const [response] = await silenced(() => alone.inject('/'))
  assert.deepEqual([response.statusCode, (await alone.inject('/none')).body], [503, '0'])
})

test('requests without a route, and those that are left to the not-found handler, may take any time', async () => {
  const app = untyped({ handlerTimeout: 10 })
  app.setNotFoundHandler((request: Loose) => wait(40, String(request.signal.aborted)))
  app.get('/left', (_request, reply) => reply.callNotFound())
  for (const url of ['/nowhere', '/left']) assert.equal((await app.inject(url)).body, 'false')
})

test('a reply that was taken over has any time', async () => {
  const app = untyped({ handlerTimeout: 10 })
  app.get('/', async (request, reply) => {
    reply.hijack()
    await wait(40)
    reply.raw.end(String(request.signal.aborted))
  })
  const response = await app.inject('/')
  assert.deepEqual([response.statusCode, response.body], [200, 'false'])
})

test('the signal is aborted when the client leaves, and the timer ends', async () => {
  const app = untyped({ handlerTimeout: 600_000 })
  const [arrived, left] = [gate(), gate()]
  app.get('/', async ({ signal }) => {
    signal.addEventListener('abort', () => {
      left.open(signal.reason)
    })
    arrived.open()
    await left.opened
    return 'nobody reads this'
  })
  const { port } = new URL(await app.listen({ port: 0 }))
  const socket = connect(Number(port), '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await arrived.opened
  socket.destroy()
  assert.equal(((await left.opened) as Error).name, 'AbortError')
  await app.close()
})

test('an injected request that is given up aborts the signal', async () => {
  const app = untyped()
  const [arrived, left] = [gate(), gate()]
  app.get('/', ({ signal }) => {
    signal.addEventListener('abort', left.open)
    arrived.open()
  })
  const controller = new AbortController()
  const response = app.inject({ url: '/', signal: controller.signal })
  await arrived.opened
  controller.abort()
  await Promise.all([left.opened, assert.rejects(response)])
})

test('the signal stays as it is when all went well, also on a connection that is kept', async () => {
  const app = untyped()
  const signals: AbortSignal[] = []
  app.get('/', ({ signal }) => {
    signals.push(signal)
    return 'a'
  })
  app.post('/', (request) => {
    signals.push(request.signal)
    assert.equal(request.signal, request.signal)
    return 'b'
  })
  const { port } = new URL(await app.listen({ port: 0 }))
  const socket = connect(Number(port), '127.0.0.1').resume()
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(socket, 'data')
  const head = 'POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: text/plain\r\n'
  socket.write(`${head}content-length: 1\r\n\r\nx`)
  await once(socket, 'close')
  await app.close()
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [false, false],
  )
})

test('a signal that is asked for when the client is gone is aborted already', async () => {
  const app = untyped()
  const seen = gate()
  app.addHook('onRequestAbort', async (request: Loose) => {
    seen.open(request.signal.aborted)
  })
  const arrived = gate()
  app.get('/', () => {
    arrived.open()
  })
  const { port } = new URL(await app.listen({ port: 0 }))
  const socket = connect(Number(port), '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await arrived.opened
  socket.destroy()
  assert.equal(await seen.opened, true)
  await app.close()
})

test('a time that is none is refused, of a server and of a route', () => {
  for (const handlerTimeout of [-1, 1.5, '5', null, Infinity, 2 ** 31]) {
    assert.throws(() => untyped({ handlerTimeout }), {
      code: 'ESP_ERR_INIT_OPTS_INVALID',
      message:
        /'handlerTimeout' must be a whole number of milliseconds, 2147483647 at most, but is/,
    })
    assert.throws(() => untyped().get('/', { handlerTimeout }, never), {
      code: 'ESP_ERR_ROUTE_OPTION',
      message: /'handlerTimeout' of route 'GET \/' in root must be a whole number of milliseconds/,
    })
  }
})
