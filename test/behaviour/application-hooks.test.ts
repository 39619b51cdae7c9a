import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { once } from 'node:events'
import { test } from 'node:test'
import espalier, { shared, t } from '../../src/index.ts'
import { Lines } from '../support/lines.ts'
import { silenced } from '../support/silence.ts'

type Loose = any

const untyped = (options?: Loose): Loose => espalier(options)
const loopback = { port: 0, host: '127.0.0.1' }

test('onRegister sees each context before its plugin runs, with its options, and no shared plugin', async () => {
  const seen: unknown[] = []
  const app = untyped()
  const options = { prefix: '/v1', tag: 'x' }
  app.addHook('onRegister', function (this: unknown, server: Loose, given: unknown) {
    seen.push([this === app, server.prefix, given === options, server.hasDecorator('mine')])
  })
  app.register(shared(async (same: Loose) => same.decorate('db', 1)))
  app.register(async (child: Loose) => {
    child.decorate('mine', 1)
    child.register(async () => {})
  }, options)
  await app.ready()
  assert.deepEqual(seen, [
    [true, '/v1', true, false],
    [false, '/v1', false, true],
  ])
})

test('what onRegister decorates belongs to the new context, and one in a sibling does not see it', async () => {
  const app = untyped()
  app.decorate('list', ['root'])
  let seen: unknown
  app.register(async (child: Loose) => {
    child.addHook('onRegister', () => (seen = 'the sibling'))
  })
  app.register(async (child: Loose) => {
    child.addHook('onRegister', (server: Loose) => server.decorate('own', [...server.list, 'own']))
    child.register(async (grandchild: Loose) => (seen = grandchild.own))
  })
  await app.ready()
  assert.deepEqual(seen, ['root', 'own'])
  assert.equal(app.own, undefined)
})

test('an onRegister hook that throws ends the boot with an error that names the plugin', async () => {
  const app = untyped().addHook('onRegister', () => {
    throw new Error('not here')
  })
  app.register(async function users() {})
  await assert.rejects(app.ready(), { code: 'ESP_ERR_PLUGIN_FAILED', message: /users.*not here/ })
})

test('onListen hooks run behind listening in their order, with this as their server', async () => {
  const seen: unknown[] = []
  const app = untyped()
  app.addHook('onListen', function (this: unknown, done: Loose) {
    seen.push([1, this === app, app.server.listening])
    done()
  })
  app.register(async (child: Loose) => {
    child.addHook('onListen', async function (this: unknown) {
      seen.push([3, this === child])
    })
  })
  app.addHook('onListen', async () => void seen.push([2]))
  await app.listen(loopback)
  assert.deepEqual(seen, [[1, true, true], [2], [3, true]])
  await app.close()
})

test('listening does not wait for an onListen hook that waits', async () => {
  let end: Loose
  const ended = new Promise<void>((resolve) => (end = resolve))
  const trace: string[] = []
  const app = untyped()
    .addHook('onListen', () => ended)
    .addHook('onListen', async () => void trace.push('behind'))
  await app.listen(loopback)
  trace.push('listening')
  end()
  await ended
  await new Promise<void>((resolve) => setImmediate(resolve))
  assert.deepEqual(trace, ['listening', 'behind'])
  await app.close()
})

test('an error of an onListen hook is told to stderr, and stops nothing', async () => {
  const seen: number[] = []
  const app = untyped()
    .addHook('onListen', (done: Loose) => done(new Error('first')))
    .addHook('onListen', async () => {
      throw new Error('second')
    })
    .addHook('onListen', async () => void seen.push(3))
  const [address, log] = await silenced(() => app.listen(loopback))
  assert.match(String(address), /^http:/)
  assert.match(log, /onListen.*first[^]*onListen.*second/)
  assert.deepEqual(seen, [3])
  await app.close()
})

test('onListen hooks do not run for injected requests, nor where listening fails', async () => {
  let calls = 0
  const app = untyped().addHook('onListen', () => calls++)
  await app.inject('/')
  const other = untyped()
  await other.listen(loopback)
  const { port } = other.server.address()
  await assert.rejects(app.listen({ ...loopback, port }), { code: 'EADDRINUSE' })
  assert.equal(calls, 0)
  await other.close()
  await app.close()
})

test('preClose hooks run in their order while requests are still taken, before onClose', async () => {
  const trace: string[] = []
  const app = untyped({ return503OnClosing: false }).get('/', () => 'answered')
  app.addHook('onClose', async () => void trace.push('onClose'))
  app.addHook('preClose', (done: Loose) => {
    trace.push('first')
    const socket = connect(app.server.address().port, '127.0.0.1')
    socket.end('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    once(socket, 'data').then(([data]) => {
      trace.push(/answered/.test(String(data)) ? 'still taken' : 'refused')
      done()
    }, done)
  })
  app.addHook('preClose', async function (this: unknown) {
    trace.push(this === app ? 'second' : 'without this')
  })
  await app.listen(loopback)
  await app.close()
  assert.deepEqual(trace, ['first', 'still taken', 'second', 'onClose'])
})

test('an error of a preClose hook is told to stderr, and the server closes all the same', async () => {
  const app = untyped().addHook('preClose', async () => {
    throw new Error('not yet')
  })
  await app.listen(loopback)
  const [, log] = await silenced(() => app.close())
  assert.match(log, /preClose.*not yet/)
  assert.equal(app.server.listening, false)
})

test('hooks of the application that take done are not async, and all of them are for boot only', async () => {
  const app = untyped()
  for (const name of ['onListen', 'preClose', 'onReady']) {
    const hook = async (_done: Loose) => {}
    assert.throws(() => app.addHook(name, hook), { code: 'ESP_ERR_HOOK_INVALID_ASYNC_HANDLER' })
    assert.throws(() => app.addHook(name, 'x'), { code: 'ESP_ERR_HOOK_INVALID_HANDLER' })
  }
  await app.ready()
  for (const name of ['onListen', 'preClose', 'onRoute', 'onRegister']) {
    const code = 'ESP_ERR_INSTANCE_ALREADY_LISTENING'
    assert.throws(() => app.addHook(name, () => {}), { code })
  }
})

test('the callbacks of ready and after take an error, the server and done, as many as they ask for', async () => {
  const app = untyped()
  const seen: unknown[] = []
  app.after((error: unknown, server: unknown, done: Loose) => {
    seen.push(error, server === app)
    done()
  })
  await new Promise<void>((resolve) => {
    app.ready((error: unknown, server: unknown, done: Loose) => {
      seen.push(error, server === app)
      done()
      resolve()
    })
  })
  assert.deepEqual(seen, [null, true, null, true])
})

test('what is given to onClose runs on close, the last added first', async () => {
  const trace: unknown[] = []
  const app = untyped() as Loose
  app.onClose(async (server: unknown) => void trace.push(server === app))
  app.onClose((_server: unknown, done: () => void) => {
    trace.push('last')
    done()
  })
  await app.ready()
  await app.close()
  assert.deepEqual(trace, ['last', true])
})

test('errors of onListen and preClose hooks go to the logger, where there is one', async () => {
  const lines = new Lines()
  const app = untyped({ logger: { stream: lines.stream } })
  app.addHook('onListen', async () => {
    throw new Error('first')
  })
  app.addHook('preClose', (done: Loose) => done(new Error('last')))
  const [, log] = await silenced(async () => {
    await app.listen(loopback)
    await app.close()
  })
  assert.equal(log, '')
  const told = lines.all.filter(({ err }) => err !== undefined)
  assert.deepEqual(
    told.map(({ level, msg }) => [level, /(first|last)/.exec(msg)?.[0]]),
    [
      [40, 'first'],
      [50, 'last'],
    ],
  )
})

test('an onReady hook may decorate the server and add hooks for its end, but no hooks of routes', async () => {
  const app = untyped()
  const trace: string[] = []
  app.addHook('onReady', async () => {
    app.decorate('late', 'decorated')
    app.addHook('onReady', async () => void trace.push('never'))
    app.addHook('onClose', async () => void trace.push('closed'))
    assert.throws(() => app.addHook('onRequest', async () => {}), {
      code: 'ESP_ERR_INSTANCE_ALREADY_LISTENING',
    })
  })
  await app.ready()
  assert.equal(app.late, 'decorated')
  await app.close()
  assert.deepEqual(trace, ['closed'])
})

test('a callback of ready that a plugin gives runs when all plugins have loaded, before onReady', async () => {
  const app = untyped()
  const trace: string[] = []
  app.addHook('onReady', async () => void trace.push('onReady'))
  app.register(async (child: Loose) => {
    child.ready(() => trace.push('ready in a plugin'))
    child.register(async () => void trace.push('loaded'))
  })
  app.ready(() => trace.push('ready'))
  await new Promise<void>((resolve) => app.ready(() => resolve()))
  assert.deepEqual(trace, ['loaded', 'ready in a plugin', 'onReady', 'ready'])
  const failing = untyped()
  let given: unknown
  failing.register(async (child: Loose) => {
    child.ready((error: unknown) => (given = error))
    throw new Error('not here')
  })
  await assert.rejects(failing.ready(), (error) => error === given)
})

test('a server that is closed before it is ready loads its plugins, whose onClose hooks run', async () => {
  const app = untyped()
  const trace: string[] = []
  app.register(async (child: Loose) => {
    child.decorate('own', true).addHook('onClose', async (server: Loose) => {
      trace.push(server === child ? 'closed' : 'another server')
    })
  })
  await app.close()
  assert.deepEqual(trace, ['closed'])
  assert.throws(() => app.get('/', () => 1), { code: 'ESP_ERR_REOPENED_CLOSE_SERVER' })
})

test('onRoute hooks see the schemas of a route in their full form', async () => {
  const seen: Loose[] = []
  const app = untyped().addHook('onRoute', ({ schema }: Loose) => seen.push(schema))
  const title = t.String()
  const list = { type: 'array', items: {} }
  const headers = { headers: { 'x-count': { type: 'integer' } } }
  const full = { tags: ['x'], querystring: t.Object({ title }), response: { 200: list } }
  app.get('/full', { schema: full }, () => [])
  app.post(
    '/short',
    {
      schema: {
        params: { properties: {} },
        body: { title, size: t.Optional(t.Integer()) },
        response: {
          200: { title },
          204: headers,
          '4xx': { content: { 'a/b': { schema: { title } }, 'c/d': {} } },
        },
      },
    },
    ({ body }: Loose) => ({ ...body, more: 1 }),
  )
  const { statusCode, payload } = await app.inject({ method: 'POST', url: '/short', payload: {} })
  assert.equal(statusCode, 400, payload)
  assert.equal(seen[0], full)
  const object = { type: 'object', required: ['title'], properties: { title } }
  assert.deepEqual(seen.at(-1), {
    params: { type: 'object', properties: {} },
    body: { ...object, properties: { title, size: t.Optional(t.Integer()) } },
    response: {
      200: object,
      204: headers,
      '4xx': { content: { 'a/b': { schema: object }, 'c/d': {} } },
    },
  })
})
