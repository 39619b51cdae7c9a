// What is published of requests to diagnostics channels.
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { channel, subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test, type TestContext } from 'node:test'
import espalier from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

const steps = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const
const ofHandler = (step: string) => `tracing:fastify.request.handler:${step}`

/** Listens to channels until the test is over. */
function listen(
  context: TestContext,
  names: readonly string[],
  told: (name: string, message: any) => void,
) {
  for (const name of names) {
    const listener = (message: unknown): void => {
      told(name, message)
    }
    subscribe(name, listener)
    context.after(() => unsubscribe(name, listener))
  }
}

/** What is told of the handlers of a server: the steps, and the message of each. */
function watchHandlers(context: TestContext) {
  const told: { step: string; message: any; status: number }[] = []
  listen(context, steps.map(ofHandler), (name, message) => {
    const step = String(name.split(':').at(-1))
    told.push({ step, message, status: message.reply.statusCode })
  })
  return told
}

const stepsOf = (told: readonly { step: string }[]) => told.map(({ step }) => step)

test('a handler that is not async is told of by start and end', async (context) => {
  const told = watchHandlers(context)
  const app = untyped()
  app.get('/a/:id', () => 'a')
  app.get('/later', (_request, reply) => {
    setImmediate(() => reply.send('later'))
  })
  await app.inject('/a/1')
  assert.deepEqual(stepsOf(told), ['start', 'end'])
  const [{ message }] = told as [(typeof told)[0]]
  assert.equal(message, told[1]?.message)
  assert.deepEqual(message.route, { url: '/a/:id', method: 'GET' })
  assert.equal(message.request.params.id, '1')
  assert.equal(message.reply.request, message.request)
  assert.deepEqual([message.async, message.result], [false, 'a'])
  told.length = 0
  assert.equal((await app.inject('/later')).body, 'later')
  assert.deepEqual(stepsOf(told), ['start', 'end'])
})

test('an async handler is told of by all but error, with what it gave', async (context) => {
  const told = watchHandlers(context)
  const app = untyped()
  app.get('/', async () => {
    await Promise.resolve()
    return { a: 1 }
  })
  app.get('/sends', async (_request, reply) => {
    setImmediate(() => reply.send('sent'))
    return reply
  })
  assert.equal((await app.inject('/')).body, '{"a":1}')
  assert.deepEqual(stepsOf(told), ['start', 'end', 'asyncStart', 'asyncEnd'])
  assert.equal(new Set(told.map(({ message }) => message)).size, 1)
  assert.deepEqual([told[0]?.message.async, told[0]?.message.result], [true, { a: 1 }])
  told.length = 0
  assert.equal((await app.inject('/sends')).body, 'sent')
  assert.deepEqual(stepsOf(told), ['start', 'end', 'asyncStart', 'asyncEnd'])
})

test('a handler that fails is told of by error, with the status that will be sent', async (context) => {
  const told = watchHandlers(context)
  const app = untyped()
  const fail = () => {
    throw Object.assign(new Error('kaboom'), { statusCode: 418 })
  }
  app.get('/sync', fail).get('/async', async () => fail())
  app.get('/silent', async () => undefined)
  const expected = {
    '/sync': ['start', 'error', 'end'],
    '/async': ['start', 'end', 'error', 'asyncStart', 'asyncEnd'],
  }
  for (const [url, order] of Object.entries(expected)) {
    told.length = 0
    assert.equal((await app.inject(url)).statusCode, 418)
    assert.deepEqual(stepsOf(told), order)
    const error = told.find(({ step }) => step === 'error')
    assert.equal(error?.message.error.message, 'kaboom')
    assert.equal(error?.status, 418)
  }
  // One that gives nothing is a fault of the framework's own, behind the handler.
  const [{ statusCode }] = await silenced(() => app.inject('/silent'))
  assert.equal(statusCode, 500)
})

test('handlers of requests without a route are not told of', async (context) => {
  const told = watchHandlers(context)
  const app = untyped()
  app.get('/calls', (_request, reply) => reply.callNotFound())
  app.setNotFoundHandler((_request, reply) => reply.code(404).send('none'))
  await app.inject('/nowhere')
  assert.deepEqual(stepsOf(told), [])
  await app.inject('/calls')
  assert.deepEqual(stepsOf(told), ['start', 'end'])
})

test('a request is told of from its start to its end, whatever answers it', async (context) => {
  const told: [string, any][] = []
  const names = ['start', 'error', 'end'].map((step) => `espalier.request.${step}`)
  listen(context, names, (name, message) => told.push([name.slice(17), message]))
  const app = untyped()
  app.get('/a', () => 'a')
  app.get('/hook', { onRequest: (_request: any, reply: any) => reply.code(401).send() }, () => 'a')
  app.get('/400', { schema: { querystring: { a: { type: 'integer' } } } }, () => 'a')
  const expected = [
    ['/a', ['start', 'end'], '/a', 200],
    ['/hook', ['start', 'end'], '/hook', 401],
    ['/400?a=b', ['start', 'error', 'end'], '/400', 400],
    ['/nowhere', ['start', 'end'], undefined, 404],
    ['/%c0', ['start', 'error', 'end'], undefined, 400],
  ] as const
  for (const [asked, order, url, status] of expected) {
    told.length = 0
    await app.inject(asked)
    assert.deepEqual(
      told.map(([step]) => step),
      order,
    )
    assert.deepEqual(
      told.map(([, { route }]) => route.url),
      order.map(() => url),
    )
    assert.deepEqual(
      told.map(([, { reply }]) => reply.statusCode),
      order.map(() => status),
    )
    assert.equal(new Set(told.map(([, { request }]) => request)).size, 1)
    const errors = told.filter(([, { error }]) => error instanceof Error)
    assert.deepEqual(
      errors.map(([step]) => step),
      order.filter((step) => step === 'error'),
    )
  }
})

test('the end of a request is told of when the client has left, once', async (context) => {
  const told: any[] = []
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((ended) => (resolve = ended))
  listen(context, ['espalier.request.end'], (_name, message) => {
    told.push(message)
    resolve()
  })
  const app = untyped()
  app.get('/', (request) => {
    request.raw.socket.destroy()
    return new Promise(() => undefined)
  })
  const url = new URL(await app.listen({ port: 0 }))
  const socket = connect(Number(url.port), url.hostname)
  socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await Promise.all([promise, once(socket, 'close')])
  await app.close()
  assert.equal(told.length, 1)
})

test('a store that is bound to the start is that of the whole request', async () => {
  const storage = new AsyncLocalStorage<unknown>()
  const bindings = [
    channel('espalier.request.start'),
    tracingChannel('fastify.request.handler').start,
  ]
  for (const start of bindings) {
    start.bindStore(storage, ({ route }: any) => route.url)
    const app = untyped()
    app.get('/a', async () => {
      await Promise.resolve()
      return storage.getStore()
    })
    assert.equal((await app.inject('/a')).body, '/a')
    start.unbindStore(storage)
  }
})

test('that a server is made is told of once, with the server', (context) => {
  const told: any[] = []
  listen(context, ['fastify.initialization'], (_name, { fastify }) => told.push(fastify))
  const app = espalier()
  app.register(async () => undefined)
  assert.deepEqual(told.length, 1)
  assert.equal(told[0], app)
})
