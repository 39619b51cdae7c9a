// onResponse and onError: hooks that see what becomes of a request, and change nothing of it.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { t } from '../../src/index.ts'
import { rawRequest } from '../support/raw-request.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler } from '../support/untyped.ts'

type Loose = Parameters<AnyHandler>[0]

/** A hook with any number of parameters. */
const hook = (run: (this: Loose, ...args: Loose[]) => unknown): AnyHandler => run
const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A promise, and what fulfils it. */
function signal() {
  let fire: () => void = () => {}
  const fired = new Promise<void>((resolve) => (fire = resolve))
  return { fire, fired }
}

const teapot = () => Object.assign(new Error('short'), { statusCode: 418 })

test('onResponse runs when the response has been written, with its status and its time', async () => {
  const { fire, fired } = signal()
  const seen: unknown[] = []
  const app = untyped()
  app.addHook('onResponse', async (request, reply) => {
    seen.push(request.url, reply.statusCode, reply.raw.writableFinished, reply.elapsedTime >= 0)
    fire()
  })
  app.get('/', (_request, reply) => reply.code(201).send('done'))
  const url = await app.listen({ port: 0 })
  assert.equal((await fetch(url)).status, 201)
  await fired
  assert.deepEqual(seen, ['/', 201, true, true])
  await app.close()
})

test('onResponse runs exactly once for every request, however it is answered', async () => {
  const trace: string[] = []
  const app = untyped().setNotFoundHandler((_request, reply) => reply.code(404).send('none'))
  app.addHook(
    'onResponse',
    async ({ url }, { statusCode }) => void trace.push(`${statusCode} ${url}`),
  )
  const fail = async () => Promise.reject(teapot())
  const fails = () => new Readable({ read: (): void => void 0 }).destroy(new Error('x'))
  app.get('/text', () => 'text').get('/stream', () => Readable.from(['a']))
  app.get('/empty', (_request, reply) => reply.code(204).send()).get('/error', fail)
  app.get('/invalid', { schema: { querystring: { n: t.Integer() } } }, () => 1)
  app.get('/early', { onRequest: async (_: unknown, reply: Loose) => reply.send('a') }, () => 1)
  app.get('/callNotFound', (_request, reply) => reply.callNotFound())
  app.get('/twice', (_request, reply) => reply.send('a').send('b')).get('/broken', fails)
  app.get('/cut', () =>
    Readable.from(
      (function* () {
        yield 'a'
        throw new Error('x')
      })(),
    ),
  )
  app.get('/hijacked', (_request, reply) => {
    reply.hijack().raw.writeHead(202).end('by hand')
  })
  const paths = ['text', 'stream', 'empty', 'error', 'invalid?n=x', 'early', 'callNotFound']
  paths.push('none', 'twice', 'broken', 'cut', 'hijacked', '%zz')
  const url = await app.listen({ port: 0 })
  await silenced(async () => {
    for (const path of paths) await rawRequest(url, [`GET /${path} HTTP/1.1`])
    await rawRequest(url, ['HEAD /text HTTP/1.1'])
    // Nothing is in flight, and no connection is open, when this is done.
    await app.close()
    await tick()
  })
  const statuses = [200, 200, 204, 418, 400, 200, 404, 404, 200, 500, 200, 202, 400]
  const expected = paths.map((path, at) => `${statuses[at]} /${path}`)
  assert.deepEqual(trace, [...expected, '200 /text'])
})

test('onResponse runs once when the client leaves, before the response and within it', async () => {
  const trace: string[] = []
  const app = untyped()
  let left = signal()
  app.addHook('onResponse', async ({ url }) => {
    trace.push(url)
    left.fire()
  })
  let arrived = signal()
  app.get('/before', async (_request, reply) => {
    arrived.fire()
    await left.fired
    return reply.send('too late')
  })
  app.get('/within', () => Readable.from(endless()))
  async function* endless() {
    yield 'a'
    arrived.fire()
    await left.fired
  }
  const { port } = new URL(await app.listen({ port: 0 }))
  for (const url of ['/before', '/within']) {
    ;[arrived, left] = [signal(), signal()]
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
    socket.write(`GET ${url} HTTP/1.1\r\nhost: a\r\n\r\n`)
    await arrived.fired
    socket.destroy()
    await left.fired
  }
  await app.close()
  await tick()
  assert.deepEqual(trace, ['/before', '/within'])
})

test('an error of an onResponse hook is told to stderr, and the hooks behind it run', async () => {
  const { fire, fired } = signal()
  const app = untyped()
  app.addHook('onResponse', () => {
    throw new Error('first')
  })
  app.addHook('onResponse', async () => Promise.reject(new Error('second')))
  app.addHook(
    'onResponse',
    hook((_request, _reply, done) => void done(new Error('third'))),
  )
  app.addHook(
    'onResponse',
    hook((_request, _reply, done) => void setImmediate(() => done('fourth'))),
  )
  app.addHook('onResponse', async () => Promise.reject(undefined))
  app.addHook('onResponse', async () => fire())
  app.get('/', () => 'done')
  const [{ statusCode, body }, log] = await silenced(async () => {
    const response = await app.inject('/')
    await fired
    return response
  })
  assert.deepEqual([statusCode, body], [200, 'done'])
  assert.match(log, /^GET \/ in root: Error: first[^]*second[^]*third[^]*'fourth'\n[^]*undefined/)
  await app.close()
})

test('a reply that an onResponse hook sends is told to stderr', async () => {
  const { fire, fired } = signal()
  const app = untyped().addHook('onResponse', async (_request, reply) => reply.send('more'))
  app.addHook('onResponse', async () => fire())
  app.get('/', () => 'done')
  const [{ body }, log] = await silenced(async () => {
    const response = await app.inject('/')
    await fired
    return response
  })
  assert.equal(body, 'done')
  assert.match(log, /A reply to GET \/ was sent already/)
  await app.close()
})

test('onError runs before the error handlers, once, with the first error, and may set headers', async () => {
  const trace: unknown[] = []
  const errors = [teapot(), new Error('of the child'), new Error('of the root')]
  const app = untyped()
  app.addHook(
    'onError',
    hook(async (_request, reply, error) => {
      await tick()
      reply.header('x-error', error.message)
      trace.push('first', error)
    }),
  )
  app.addHook(
    'onError',
    hook((_request, _reply, error, done) => {
      setImmediate(() => {
        trace.push('second', error)
        done()
      })
    }),
  )
  app.setErrorHandler(async (error) => {
    trace.push('root', error)
    throw errors[2]
  })
  app.register(async (child) => {
    child.setErrorHandler((error) => {
      trace.push('child', error)
      throw errors[1]
    })
    child.get('/', () => {
      throw errors[0]
    })
  })
  const [{ statusCode, headers }] = await silenced(async () => app.inject('/'))
  const [first, second] = errors
  const expected = ['first', first, 'second', first, 'child', first, 'root', second]
  assert.deepEqual(trace, expected)
  assert.deepEqual([statusCode, headers['x-error']], [500, 'short'])
  await app.close()
})

test('onError runs for errors of all kinds, and for no reply that is none', async () => {
  const trace: string[] = []
  const app = untyped().addHook(
    'onError',
    hook(async ({ url }, { statusCode }, error) => {
      trace.push(`${url} ${statusCode} ${error.code ?? error.message ?? error}`)
    }),
  )
  app.get('/sent', (_request, reply) => reply.code(409).send(teapot()))
  app.get('/returned', () => teapot()).get('/text', async () => Promise.reject('text'))
  app.get('/nothing', async () => Promise.reject(undefined))
  app.get('/invalid', { schema: { querystring: { n: t.Integer() } } }, () => 1)
  app.get('/hook', { preHandler: async () => Promise.reject(teapot()) }, () => 1)
  const toJSON = () => {
    throw new Error('no JSON.')
  }
  app.get('/body', () => ({ n: { toJSON } })).get('/done', () => 'done')
  app.get('/404', (_request, reply) => reply.code(404).send({ none: true }))
  const paths = ['sent', 'returned', 'text', 'nothing', 'invalid?n=x', 'hook', 'body', '%zz']
  paths.push('done', '404', 'none')
  await silenced(async () => {
    for (const path of paths) await app.inject(`/${path}`)
  })
  assert.deepEqual(trace, [
    '/sent 409 short',
    '/returned 418 short',
    '/text 500 text',
    '/nothing 500 ESP_ERR_SEND_UNDEFINED_ERR',
    '/invalid?n=x 400 ESP_ERR_VALIDATION',
    '/hook 418 short',
    '/body 500 no JSON. Place in the value: /n',
    '/%zz 400 ESP_ERR_BAD_URL',
  ])
  await app.close()
})

test('onError hooks of a context run along its path, then those of the route; not beside', async () => {
  const trace: string[] = []
  const app = untyped().addHook('onError', async () => void trace.push('root'))
  const fail = async () => Promise.reject(teapot())
  app.register(async (child) => {
    child.addHook('onError', async () => void trace.push('child'))
    child.get('/', { onError: async () => void trace.push('route') }, fail)
  })
  app.register(async (sibling) => void sibling.get('/sibling', fail))
  await app.inject('/')
  await app.inject('/sibling')
  assert.deepEqual(trace, ['root', 'child', 'route', 'root'])
  await app.close()
})

const senders: Readonly<Record<string, AnyHandler>> = {
  async: async (_request, reply) => void reply.send('from the hook'),
  'async, and returns what it sends': async (_request, reply) => reply.send('from the hook'),
  'a callback': hook((_request, reply, _error, done) => {
    reply.send('from the hook')
    done()
  }),
}
for (const [what, sender] of Object.entries(senders)) {
  test(`an onError hook that is ${what} cannot send, and the error is answered all the same`, async () => {
    const app = untyped().addHook('onError', sender)
    app.get('/', async () => Promise.reject(teapot()))
    app.get('/handled', { errorHandler: async () => 'handled' }, async () =>
      Promise.reject(teapot()),
    )
    const [bodies, log] = await silenced(async () => [
      (await app.inject('/')).body,
      (await app.inject('/handled')).body,
    ])
    const payload = '{"statusCode":418,"error":"I\'m a Teapot","message":"short"}'
    assert.deepEqual(bodies, [payload, 'handled'])
    assert.match(log, /^GET \/ in root.*onError[^]*^GET \/handled in root.*onError/m)
    assert.match(log, /ESP_ERR_SEND_INSIDE_ONERR/)
    await app.close()
  })
}

test('an error of an onError hook is told to stderr, and the first error is answered', async () => {
  const app = untyped().addHook('onError', async () => Promise.reject(new Error('of the hook')))
  app.addHook('onError', async (_request, reply) => void reply.header('x-behind', 1))
  app.get('/', async () => Promise.reject(teapot()))
  const [{ statusCode, headers }, log] = await silenced(async () => app.inject('/'))
  assert.deepEqual([statusCode, headers['x-behind']], [418, '1'])
  assert.match(log, /^GET \/ in root: Error: of the hook/)
  await app.close()
})
