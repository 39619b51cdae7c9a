// reply.callNotFound(): who answers then, with which hooks, and that it does so once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler, type UntypedServer } from '../support/untyped.ts'

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

const give: AnyHandler = (_request, reply) => reply.callNotFound()

async function ask(app: UntypedServer, url = '/') {
  const [response, log] = await silenced(async () => app.inject(url))
  return { status: response.statusCode, body: response.body, log }
}

/** Ways to leave a request to the not-found handler. */
const ways: Readonly<Record<string, AnyHandler>> = {
  'calls it': (_request, reply) => {
    reply.callNotFound()
  },
  'returns it': give,
  'calls it later': (_request, reply) => {
    setImmediate(() => reply.callNotFound())
  },
  'is async and calls it': async (_request, reply) => {
    await tick()
    reply.callNotFound()
  },
  'is async and returns it': async (_request, reply) => reply.callNotFound(),
  'is async and awaits it': async (_request, reply) => {
    await reply.callNotFound()
  },
}

type Hook = (...args: any[]) => unknown

/** Not-found handlers that answer at once and later. */
const handlers: Readonly<Record<string, AnyHandler>> = {
  'a sync handler': ({ url }, reply) => reply.code(410).send(`no ${url}`),
  'an async handler': async ({ url }, reply) => {
    await tick()
    await tick()
    return reply.code(410).send(`no ${url}`)
  },
}
const answered = { status: 410, body: 'no /?a=1', log: '' }

for (const [who, handler] of Object.entries(handlers)) {
  for (const [way, call] of Object.entries(ways)) {
    test(`a route that ${way} is answered by ${who}, once`, async () => {
      const app = untyped().setNotFoundHandler(handler).get('/', call)
      assert.deepEqual(await ask(app, '/?a=1'), answered)
      await app.close()
    })

    test(`an error handler that ${way} is answered by ${who}, once`, async () => {
      const app = untyped()
        .setNotFoundHandler(handler)
        .setErrorHandler((_error, request, reply) => {
          return call(request, reply)
        })
      app.get('/', () => {
        throw new Error('no such file')
      })
      assert.deepEqual(await ask(app, '/?a=1'), answered)
      await app.close()
    })
  }

  for (const name of ['onRequest', 'preParsing', 'preValidation', 'preHandler']) {
    const forms: Readonly<Record<string, Hook>> = {
      'a callback hook': name === 'preParsing' ? fourArguments : threeArguments,
      'an async hook that returns it': give,
      'an async hook': async (_request, reply) => {
        reply.callNotFound()
      },
    }
    for (const [form, hook] of Object.entries(forms)) {
      test(`${form} in ${name} is answered by ${who}, and nothing behind it runs`, async () => {
        const trace: string[] = []
        const app = untyped().setNotFoundHandler(handler)
        app.register(async (child) => {
          child.addHook(name, hook).addHook(name, async () => void trace.push('behind'))
          child.get('/', () => void trace.push('handler'))
        })
        assert.deepEqual(await ask(app, '/?a=1'), answered)
        assert.deepEqual(trace, [])
        await app.close()
      })
    }
  }
}

function threeArguments(_request: unknown, reply: any, _done: unknown): void {
  reply.callNotFound()
}

function fourArguments(_request: unknown, reply: any, _payload: unknown, _done: unknown): void {
  reply.callNotFound()
}

test('the handler of the nearest context answers', async () => {
  const app = untyped().get('/', give)
  app.setNotFoundHandler(() => 'root')
  app.register(
    async (v1) => {
      v1.setNotFoundHandler(() => 'v1').get('/', give)
      v1.register(async (nested) => void nested.get('/', give), { prefix: '/nested' })
      v1.register(async (plain) => void plain.get('/plain', give))
    },
    { prefix: '/v1' },
  )
  app.register(async (v2) => void v2.get('/', give), { prefix: '/v2' })
  for (const [url, expected] of [
    ['/', 'root'],
    ['/v1', 'v1'],
    ['/v1/nested', 'v1'],
    ['/v1/plain', 'v1'],
    ['/v2', 'root'],
  ] as const) {
    assert.equal((await app.inject(url)).body, expected, url)
  }
  await app.close()
})

test('a handler of a context beside reads its own decorators, and those of the request stay', async () => {
  const app = untyped()
  app.register(async (child) => {
    child.decorateRequest('mine', 1)
    child.decorateReply('give', () => 'given')
    child.setNotFoundHandler((request, reply) => {
      const { mine, theirs } = request
      return { mine, theirs, named: request.getDecorator('mine'), given: reply.give() }
    })
  })
  app.register(async (beside) => {
    beside.decorateRequest('theirs', 2)
    beside.get('/beside', give)
  })
  const { body } = await app.inject('/beside')
  assert.deepEqual(JSON.parse(body), { mine: 1, theirs: 2, named: 1, given: 'given' })
  await app.close()
})

test('a handler that a plugin without a prefix has set for its parent answers there too', async () => {
  const app = untyped().get('/', give)
  app.register(async (child) => void child.setNotFoundHandler(() => 'set in a plugin'))
  app.register(async (beside) => void beside.get('/beside', give))
  for (const url of ['/', '/beside', '/none']) {
    assert.equal((await app.inject(url)).body, 'set in a plugin', url)
  }
  await app.close()
})

test('without a not-found handler the default answers, with status 404', async () => {
  const app = untyped().get('/', give)
  const { statusCode, body } = await app.inject('/')
  const expected = { statusCode: 404, error: 'Not Found', message: 'Route GET:/ not found' }
  assert.deepEqual([statusCode, JSON.parse(body)], [404, expected])
  await app.close()
})

test('of the hooks before the handler only the preHandler ones in its options run', async () => {
  const trace: string[] = []
  const hook = (name: string) => async () => void trace.push(name)
  const app = untyped()
  for (const name of ['onRequest', 'preValidation', 'preHandler']) app.addHook(name, hook(name))
  app.setNotFoundHandler(
    { preValidation: hook('own preValidation'), preHandler: [hook('own 1'), hook('own 2')] },
    () => 'none',
  )
  app.get('/', give)
  assert.equal((await app.inject('/')).body, 'none')
  assert.deepEqual(trace, ['onRequest', 'preValidation', 'preHandler', 'own 1', 'own 2'])
  await app.close()
})

test('a preHandler hook of the not-found handler may answer, or fail, in its place', async () => {
  const app = untyped().get('/', give)
  const preHandler: AnyHandler = async ({ query }, reply) => {
    if (query.fail !== undefined) throw new Error('broken')
    return reply.send('the hook')
  }
  app.setErrorHandler(({ message }) => `handled ${message}`)
  app.setNotFoundHandler({ preHandler }, () => 'the handler')
  assert.equal((await app.inject('/')).body, 'the hook')
  assert.equal((await app.inject('/?fail')).body, 'handled broken')
  await app.close()
})

test('the request is then one without a route, and keeps what hooks have put on it', async () => {
  const app = untyped().decorateRequest('user', null)
  app.addHook('onRequest', async (request) => void (request.user = 'ada'))
  app.setNotFoundHandler((request, reply) => [
    ...[request.is404, request.routeOptions.url ?? 'none', reply.routeOptions.url ?? 'none'],
    ...[request.user, request.body, request.query.a],
  ])
  app.post('/', give)
  const response = await app.inject({ method: 'POST', url: '/?a=1', payload: { b: 2 } })
  assert.deepEqual(response.json(), [true, 'none', 'none', 'ada', { b: 2 }, '1'])
  await app.close()
})

test('a response schema of the route that was left does not hold for what is answered', async () => {
  const app = untyped().setNotFoundHandler(() => ({ reason: 'gone' }))
  const response = { '2xx': { type: 'object', properties: { a: { type: 'integer' } } } }
  app.get('/', { schema: { response } }, give)
  assert.equal((await app.inject('/')).body, '{"reason":"gone"}')
  await app.close()
})

test('it gives the reply back, which can be awaited until the answer has left', async () => {
  const seen: unknown[] = []
  const app = untyped().setNotFoundHandler(handlers['an async handler'] ?? give)
  app.get('/', async (_request, reply) => {
    const given = reply.callNotFound()
    seen.push(given === reply, reply.raw.writableEnded)
    await given
    seen.push(reply.raw.writableEnded)
  })
  assert.deepEqual(await ask(app, '/?a=1'), answered)
  assert.deepEqual(seen, [true, false, true])
  await app.close()
})

for (const [who, inner] of Object.entries(ways)) {
  test(`a not-found handler that ${who} gets the default answer`, async () => {
    const app = untyped().setNotFoundHandler(inner).get('/', give)
    for (const url of ['/', '/none']) {
      const { status, body, log } = await ask(app, url)
      assert.deepEqual([status, log], [404, ''])
      assert.equal(JSON.parse(body).message, `Route GET:${url} not found`)
    }
    await app.close()
  })
}

for (const [who, handler] of Object.entries(handlers)) {
  test(`what is returned or thrown behind the call changes nothing: ${who} answers`, async () => {
    const app = untyped().setNotFoundHandler(handler)
    app.get('/returned', async (_request, reply) => {
      reply.callNotFound()
      return 'mine'
    })
    app.get('/thrown', (_request, reply) => {
      reply.callNotFound()
      throw new Error('behind the call')
    })
    for (const url of ['/returned', '/thrown']) {
      const { status, body, log } = await ask(app, url)
      assert.deepEqual([status, body], [410, `no ${url}`])
      if (url === '/thrown') assert.match(log, /behind the call/)
    }
    await app.close()
  })
}

test('an error of the handler goes to the error handler of its context, and is answered once', async () => {
  const calls: string[] = []
  const app = untyped().setErrorHandler(({ message }, _request, reply) => {
    calls.push(message)
    return reply.code(409).send('root')
  })
  app.setNotFoundHandler(async () => {
    await tick()
    throw new Error('broken')
  })
  app.register(async (child) => {
    child.setErrorHandler(() => 'child').get('/', give)
  })
  const { status, body } = await ask(app)
  assert.deepEqual([status, body, calls], [409, 'root', ['broken']])
  await app.close()
})
