// The hooks before the handler: early replies, failures, their server, and where they run.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler, type UntypedServer } from '../support/untyped.ts'

type Loose = Parameters<AnyHandler>[0]

const requestHooks = ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const
type RequestHook = (typeof requestHooks)[number]

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A callback hook: preParsing is given a payload before `done`. */
function callback(
  name: RequestHook,
  run: (request: Loose, reply: Loose, done: (error?: unknown) => void) => unknown,
): AnyHandler {
  const long = (request: Loose, reply: Loose, _payload: unknown, done: () => void) =>
    run(request, reply, done)
  return (name === 'preParsing' ? long : run) as AnyHandler
}

const post = (app: UntypedServer, url = '/') =>
  app.inject({ method: 'POST', url, payload: { a: 1 } })

const early: Readonly<Record<string, (name: RequestHook) => AnyHandler>> = {
  'is async and returns its reply': () => async (_request, reply) =>
    reply.code(202).send({ early: true }),
  'is async, sends and returns nothing': () => async (_request, reply) => {
    await tick()
    reply.code(202).send({ early: true })
  },
  'is async, sends and returns its reply later': () => async (_request, reply) => {
    reply.code(202).send({ early: true })
    await tick()
    return reply
  },
  'is async, and returns a reply that is sent later': () => async (_request, reply) => {
    setImmediate(() => reply.code(202).send({ early: true }))
    return reply
  },
  'is not async, and sends': () => (_request, reply) => {
    reply.code(202)
    reply.send({ early: true })
  },
  'is not async, and returns its reply': () => (_request, reply) =>
    reply.code(202).send({ early: true }),
  'is not async, and returns a reply that is sent later': () => (_request, reply) => {
    setImmediate(() => reply.code(202).send({ early: true }))
    return reply
  },
  'sends instead of calling back': (name) =>
    callback(name, (_request, reply, _done) => {
      setImmediate(() => reply.code(202).send({ early: true }))
    }),
  'sends and calls back': (name) =>
    callback(name, (_request, reply, done) => {
      reply.code(202).send({ early: true })
      done()
    }),
  'answers with what it hijacked': () => async (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(202)
    reply.raw.end('{"early":true}')
  },
}
for (const name of requestHooks) {
  for (const [what, make] of Object.entries(early)) {
    test(`a ${name} hook of a route that ${what} ends the request`, async () => {
      const trace: string[] = []
      const app = untyped()
      const behind = requestHooks.slice(requestHooks.indexOf(name) + 1)
      for (const other of behind) app.addHook(other, async () => void trace.push(other))
      app.addHook('onError', async () => void trace.push('onError'))
      const responded = new Promise<void>((resolve) => {
        app.addHook('onResponse', async () => resolve())
      })
      const own = [make(name), async () => void trace.push(`second ${name}`)]
      app.post('/', { [name]: own }, () => void trace.push('handler'))
      const { statusCode, body } = await post(app)
      await responded
      await tick()
      assert.deepEqual([statusCode, body, trace], [202, '{"early":true}', []])
      await app.close()
    })
  }

  test(`an early reply of ${name} is serialized and sent through the hooks of replies`, async () => {
    const app = untyped()
    app.addHook('preSerialization', ((_request: Loose, _reply: Loose, payload: object) => ({
      ...payload,
      more: 1,
    })) as AnyHandler)
    app.addHook('onSend', async (_request, reply) => void reply.header('x-sent', 'yes'))
    app.addHook(name, async (_request, reply) => reply.code(401).send({ early: true }))
    app.post('/', () => assert.fail('the handler ran'))
    const { statusCode, body, headers } = await post(app)
    assert.deepEqual([statusCode, body], [401, '{"early":true,"more":1}'])
    assert.equal(headers['x-sent'], 'yes')
    await app.close()
  })

  test(`a ${name} hook may redirect, or leave the answer to the not-found handler`, async () => {
    const app = untyped().setNotFoundHandler((_request, reply) => reply.code(404).send('not here'))
    const handler = () => assert.fail('the handler ran')
    app.post('/away', { [name]: async (_: unknown, reply: Loose) => reply.redirect('/x') }, handler)
    app.post('/none', { [name]: async (_: unknown, reply: Loose) => reply.callNotFound() }, handler)
    const away = await post(app, '/away')
    assert.deepEqual([away.statusCode, away.headers['location']], [302, '/x'])
    const none = await post(app, '/none')
    assert.deepEqual([none.statusCode, none.body], [404, 'not here'])
    await app.close()
  })

  const failures: Readonly<Record<string, (error: unknown) => AnyHandler>> = {
    throws: (error) => () => {
      throw error
    },
    rejects: (error) => async () => Promise.reject(error),
    'rejects after it sent': (error) => async (_request, reply) => {
      reply.send('sent')
      await tick()
      throw error
    },
  }
  for (const thrown of [undefined, null]) {
    test(`a ${name} hook that fails with ${thrown} is a 500 that is told to stderr`, async () => {
      for (const way of ['throws', 'rejects'] as const) {
        const app = untyped().addHook(name, failures[way]!(thrown))
        app.post('/', () => assert.fail('the handler ran'))
        const [{ statusCode, body }, log] = await silenced(async () => post(app))
        const message = 'Internal Server Error'
        assert.deepEqual(JSON.parse(body), { statusCode, error: message, message })
        assert.equal(statusCode, 500)
        assert.match(log, new RegExp(`POST / in root.*failed with ${thrown}`))
        await app.close()
      }
    })
  }

  test(`what a ${name} hook throws need be no error: an error handler is given just that`, async () => {
    for (const thrown of ['text', 0, false, { a: 1 }]) {
      const seen: unknown[] = []
      const app = untyped().setErrorHandler(async (error) => {
        seen.push(error)
        return 'handled'
      })
      app.addHook(name, failures['throws']!(thrown))
      app.post('/', () => assert.fail('the handler ran'))
      const { statusCode, body } = await post(app)
      assert.deepEqual([statusCode, body, seen], [500, 'handled', [thrown]])
      await app.close()
    }
  })

  test(`an error of a ${name} hook that has sent is told to stderr, and the reply stays`, async () => {
    const app = untyped().addHook(name, failures['rejects after it sent']!(new Error('too late')))
    app.post('/', () => assert.fail('the handler ran'))
    const responded = new Promise<void>((resolve) => {
      app.addHook('onResponse', async () => resolve())
    })
    const [{ statusCode, body }, log] = await silenced(async () => {
      const response = await post(app)
      await responded
      await tick()
      return response
    })
    assert.deepEqual([statusCode, body], [200, 'sent'])
    assert.match(log, /^POST \/ in root: Error: too late/)
    await app.close()
  })

  test(`a ${name} hook of a child runs for its routes and those below, not above or beside`, async () => {
    const trace: string[] = []
    const app = untyped().post('/root', () => 'done')
    app.register(async (child) => {
      child.addHook(name, async ({ url }) => void trace.push(url))
      child.post('/child', () => 'done')
      child.register(async (grandchild) => void grandchild.post('/grandchild', () => 'done'))
    })
    app.register(async (sibling) => void sibling.post('/sibling', () => 'done'))
    for (const url of ['/root', '/child', '/grandchild', '/sibling', '/none']) await post(app, url)
    assert.deepEqual(trace, ['/child', '/grandchild'])
    await app.close()
  })
}

test('a value that a request hook returns and does not send is ignored', async () => {
  const app = untyped()
  for (const name of ['onRequest', 'preValidation', 'preHandler']) {
    app.addHook(name, async () => ({ not: 'sent' }))
  }
  app.post('/', ({ body }) => body)
  assert.equal((await post(app)).body, '{"a":1}')
  await app.close()
})

test('what a hook leaves on its request is of that request, while others are in flight', async () => {
  const app = untyped().decorateRequest('mark', '')
  for (const name of requestHooks) {
    app.addHook(name, async (request) => {
      await tick()
      request.mark = `${request.mark}${request.query.n}`
    })
  }
  app.post('/', (request) => request.mark)
  const all = ['1', '2', '3'].map(async (n) => (await post(app, `/?n=${n}`)).body)
  assert.deepEqual(await Promise.all(all), ['1111', '2222', '3333'])
  await app.close()
})
