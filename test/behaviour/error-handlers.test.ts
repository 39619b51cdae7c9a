// Who answers an error, in which order, and what an error handler may do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shared } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler, type UntypedServer } from '../support/untyped.ts'

type ErrorHandler = (this: any, error: any, request: any, reply: any) => unknown

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

const fail: AnyHandler = () => {
  throw new Error('broken')
}

async function ask(app: UntypedServer, url = '/') {
  const [response, log] = await silenced(async () => app.inject(url))
  return { status: response.statusCode, body: response.body, log }
}

const naming =
  (name: string): ErrorHandler =>
  (error, _request, reply) =>
    reply.code(409).send(`${name}: ${error.message}`)

test('the error handler of the nearest context answers, that of the route before it', async () => {
  const app = untyped().setErrorHandler(naming('root')).get('/', fail)
  app.register(async (child) => {
    child.setErrorHandler(naming('child')).get('/child', fail)
    child.get('/route', { errorHandler: naming('route') }, fail)
    child.register(async (nested) => void nested.get('/nested', fail))
  })
  app.register(async (beside) => void beside.get('/beside', fail))
  app.register(async (around) => {
    around.register(shared(async (same: any) => same.setErrorHandler(naming('shared'))) as never)
    around.get('/around', fail)
  })
  for (const [url, name] of [
    ['/', 'root'],
    ['/child', 'child'],
    ['/route', 'route'],
    ['/nested', 'child'],
    ['/beside', 'root'],
    ['/around', 'shared'],
  ] as const) {
    assert.deepEqual(await ask(app, url), { status: 409, body: `${name}: broken`, log: '' })
  }
  await app.close()
})

const forwarding: Readonly<Record<string, (error: Error, reply: any) => unknown>> = {
  throws: (error) => {
    throw error
  },
  'throws later': async (error) => {
    await tick()
    throw error
  },
  rejects: async (error) => Promise.reject(error),
  'returns the error': (error) => error,
  'resolves to the error': async (error) => {
    await tick()
    return error
  },
  'sends the error': (error, reply) => {
    reply.send(error)
  },
  'sends the error and returns the reply': (error, reply) => reply.send(error),
  'sends the error later': (error, reply) => {
    setImmediate(() => reply.send(error))
  },
  'is async and sends the error': async (error, reply) => {
    reply.send(error)
  },
  'is async and returns what sends the error': async (error, reply) => reply.send(error),
}
for (const [way, forward] of Object.entries(forwarding)) {
  test(`an error handler that ${way} leaves it to the next: route, child, root, default`, async () => {
    const trace: string[] = []
    const handing =
      (name: string): ErrorHandler =>
      (error, _request, reply) => {
        trace.push(`${name} ${error.message}`)
        return forward(new Error(name), reply)
      }
    const app = untyped().setErrorHandler(handing('root'))
    app.register(async (child) => {
      child.setErrorHandler(handing('child'))
      child.get('/', { errorHandler: handing('route') }, fail)
    })
    const { status, body, log } = await ask(app)
    assert.deepEqual([status, JSON.parse(body).message], [500, 'Internal Server Error'])
    assert.deepEqual(trace, ['route broken', 'child route', 'root child'])
    assert.match(log, /^GET \/ in root > .*Error: root\n/)
    assert.doesNotMatch(log, /ended without a reply|sent already/)
    await app.close()
  })

  test(`behind an error handler that ${way}, one that answers later does, and only that`, async () => {
    const app = untyped().setErrorHandler(async ({ message }, _request, reply) => {
      await tick()
      await tick()
      return reply.code(409).send(`root: ${message}`)
    })
    app.register(async (child) => {
      child.setErrorHandler((_error, _request, reply) => forward(new Error('child'), reply))
      child.get('/', fail)
    })
    assert.deepEqual(await ask(app), { status: 409, body: 'root: child', log: '' })
    await app.close()
  })
}

test('each request begins with the nearest error handler again', async () => {
  const app = untyped().setErrorHandler(({ message }) => `root ${message}`)
  app.get(
    '/',
    {
      errorHandler: () => {
        throw new Error('route')
      },
    },
    fail,
  )
  for (let round = 0; round < 3; round++) assert.equal((await ask(app)).body, 'root route')
  await app.close()
})

const answers: Readonly<Record<string, ErrorHandler>> = {
  'returns it': () => ({ a: 1 }),
  'resolves to it': async () => {
    await tick()
    return { a: 1 }
  },
  'sends it': (_error, _request, reply) => {
    reply.send({ a: 1 })
  },
  'sends it and returns the reply': (_error, _request, reply) => reply.send({ a: 1 }),
  'sends it later': (_error, _request, reply) => {
    setImmediate(() => reply.send({ a: 1 }))
  },
  'is async and sends it': async (_error, _request, reply) => {
    await tick()
    reply.send({ a: 1 })
  },
  'is async and returns the reply, which it sends later': async (_error, _request, reply) => {
    setImmediate(() => reply.send({ a: 1 }))
    return reply
  },
}
for (const [way, handler] of Object.entries(answers)) {
  test(`the payload of an error handler that ${way} is the answer, with the status of the error`, async () => {
    const app = untyped().setErrorHandler(handler).get('/', fail)
    app.get('/own', () => {
      throw Object.assign(new Error('mine'), { statusCode: 410 })
    })
    assert.deepEqual(await ask(app), { status: 500, body: '{"a":1}', log: '' })
    assert.deepEqual(await ask(app, '/own'), { status: 410, body: '{"a":1}', log: '' })
    await app.close()
  })
}

test('null, an empty text and false are answers too', async () => {
  for (const [payload, body] of [
    [null, 'null'],
    ['', ''],
    [false, 'false'],
    [0, '0'],
  ] as const) {
    for (const handler of [() => payload, async () => payload]) {
      const app = untyped().setErrorHandler(handler).get('/', fail)
      assert.deepEqual(await ask(app), { status: 500, body, log: '' })
      await app.close()
    }
  }
})

test('an async error handler that ends without a reply is told to stderr, and the next has its turn', async () => {
  const ends = async () => {}
  const app = untyped().get('/', { errorHandler: ends }, fail)
  const { status, body, log } = await ask(app)
  assert.deepEqual([status, JSON.parse(body).message], [500, 'Internal Server Error'])
  assert.match(log, /The error handler of GET \/ in root ended without a reply/)
  // It said that the handler had, and nothing of what it threw.
  assert.match(log, /Error: broken/)
  await app.close()
  const guarded = untyped()
    .setErrorHandler((error) => error.code)
    .get('/', { errorHandler: ends }, fail)
  assert.equal((await ask(guarded)).body, 'ESP_ERR_PROMISE_NOT_FULFILLED')
  await guarded.close()
})

test('this is the server that the error handler was set on; of a route, that of its context', async () => {
  const app = untyped()
  const seen: Record<string, boolean> = {}
  const noting = (name: string, server: unknown): ErrorHandler =>
    function (this: unknown, error) {
      seen[name] = this === server
      throw error
    }
  app.setErrorHandler(noting('root', app))
  app.register(async (child) => {
    child.setErrorHandler(noting('child', child))
    child.get('/', { errorHandler: noting('route', child) }, fail)
  })
  await ask(app)
  assert.deepEqual(seen, { route: true, child: true, root: true })
  await app.close()
})

test('an error handler is given what was thrown, whatever it is, with the request and the reply', async () => {
  const thrown: unknown[] = ['text', 7, false, { a: 1 }, Symbol.iterator]
  const seen: unknown[] = []
  const app = untyped().setErrorHandler((error, request, reply) => {
    seen.push(error)
    return reply.code(400).send(`${request.params.id} ${reply.request === request}`)
  })
  app.get('/:id', ({ params }) => {
    throw thrown[params.id]
  })
  for (const id of thrown.keys()) assert.equal((await ask(app, `/${id}`)).body, `${id} true`)
  assert.deepEqual(seen, thrown)
  await app.close()
})

test('nothing that is thrown becomes an error with a code', async () => {
  const app = untyped().setErrorHandler((error) => `${error.code} ${error instanceof Error}`)
  app.get('/thrown', () => {
    throw undefined
  })
  app.get('/rejected', async () => Promise.reject(null))
  for (const url of ['/thrown', '/rejected']) {
    assert.equal((await ask(app, url)).body, 'ESP_ERR_SEND_UNDEFINED_ERR true')
  }
  await app.close()
})

test('setErrorHandler gives the server back, refuses what is no function, and is for boot only', async () => {
  const app = untyped()
  assert.equal(app.setErrorHandler(naming('x')), app)
  assert.throws(() => app.setErrorHandler('x' as never), {
    code: 'ESP_ERR_FUNCTION_EXPECTED',
    message: "errorHandler in root takes a function, but was given 'x'",
  })
  assert.throws(() => app.get('/', { errorHandler: {} }, fail), {
    code: 'ESP_ERR_ROUTE_OPTION',
    message: /'errorHandler'.*root must be a function/,
  })
  await app.ready()
  assert.throws(() => app.setErrorHandler(naming('y')), {
    code: 'ESP_ERR_INSTANCE_ALREADY_LISTENING',
  })
  await app.close()
})
