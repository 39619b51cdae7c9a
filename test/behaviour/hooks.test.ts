import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier, { shared, t } from '../../src/index.ts'

type Loose = any

const requestHooks = ['onRequest', 'preValidation', 'preHandler'] as const
const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A list, and makers of hooks that add their name to it. */
function tracer() {
  const trace: string[] = []
  return {
    trace,
    async: (name: string) => async () => void trace.push(name),
    late: (name: string) => async () => {
      await tick()
      trace.push(name)
    },
    callback: (name: string) => (_request: Loose, _reply: Loose, done: Loose) => {
      trace.push(name)
      done()
    },
    lateCallback: (name: string) => (_request: Loose, _reply: Loose, done: Loose) => {
      setImmediate(() => {
        trace.push(name)
        done()
      })
    },
  }
}

test('onRequest runs before the body is parsed, preValidation before validation, preHandler after', async () => {
  const seen: unknown[] = []
  const look = async ({ body }: { body: unknown }) => void seen.push(structuredClone(body))
  const app = espalier()
    .addHook('preHandler', look)
    .addHook('preValidation', look)
    .addHook('onRequest', look)
    .post('/', { schema: { body: t.Object({ n: t.Integer() }) } }, ({ body }) => {
      seen.push(body)
      return 'done'
    })
  await app.inject('POST /', { body: { n: '7' as never } })
  assert.deepEqual(seen, [undefined, { n: '7' }, { n: 7 }, { n: 7 }])
})

test('what preValidation puts in the body is what is validated', async () => {
  const app = espalier()
    .addHook('preValidation', async (request) => void (request.body = { n: '9' }))
    .post('/', { schema: { body: t.Object({ n: t.Integer() }) } }, ({ body }) => body)
  const response = await app.inject({ method: 'POST', url: '/', payload: { n: 'x' } })
  assert.deepEqual(response.json(), { n: 9 })
})

test('asynchronous work after validation has its place in preHandler, which sees coerced values', async () => {
  const users = new Map([[1, 'Ada']])
  const find = async (id: number) => {
    await tick()
    return users.get(id)
  }
  const app = espalier()
    .decorateRequest('user', null as string | null)
    .addHook('preHandler', async (request, reply) => {
      const { id } = request.params as { id: number }
      request.user = (await find(id)) ?? null
      if (request.user === null) return reply.code(404).send({ message: 'no such user' })
    })
    .get('/:id', { schema: { params: { id: t.Integer() } } }, (request) => request.user)
  assert.equal((await app.inject('/1')).body, 'Ada')
  assert.equal((await app.inject('/2')).statusCode, 404)
  assert.equal((await app.inject('/x')).statusCode, 400)
})

test('preHandler does not run for a request that failed validation', async () => {
  const { trace, async } = tracer()
  const app = espalier()
  for (const name of requestHooks) app.addHook(name, async(name))
  app.get('/', { schema: { querystring: { n: t.Integer() } } }, () => 1)
  assert.equal((await app.inject('/?n=x')).statusCode, 400)
  assert.deepEqual(trace, ['onRequest', 'preValidation'])
})

for (const name of requestHooks) {
  test(`${name} hooks run in the order of addHook, those of ancestors and shared plugins included`, async () => {
    const { trace, async, late, callback, lateCallback } = tracer()
    const app = espalier()
    app.addHook(name, late('root 1')).addHook(name, callback('root 2'))
    app.register(async (child) => {
      child.addHook(name, lateCallback('child'))
      child.register(shared(async (same: Loose) => same.addHook(name, async('shared'))))
      child.register(async (nested) => {
        nested.addHook(name, async('grandchild')).get('/', () => 'done')
      })
    })
    app.addHook(name, async('root 3'))
    await app.inject('/')
    const order = ['root 1', 'root 2', 'root 3', 'child', 'shared', 'grandchild']
    assert.deepEqual(trace, order)
  })

  test(`a late ${name} hook runs for earlier routes and children, after the hooks before it`, async () => {
    const { trace, async } = tracer()
    const app = espalier().get('/root', () => 'done')
    app.register(async (child) => {
      child.get('/child', () => 'done').addHook(name, async('child'))
    })
    app.after(() => void app.addHook(name, async('late')))
    await app.inject('/root')
    await app.inject('/child')
    assert.deepEqual(trace, ['late', 'child', 'late'])
  })

  test(`${name} hooks of a route run after those of its context, for that route only`, async () => {
    const { trace, async, callback } = tracer()
    const app = espalier()
      .addHook(name, async('context'))
      .route({ method: 'GET', url: '/one', [name]: async('one'), handler: () => 'done' })
      .get('/two', { schema: {}, [name]: [callback('first'), async('second')] }, () => 'done')
      .get('/three', () => 'done')
    for (const url of ['/one', '/two', '/three'] as const) await app.inject(url)
    assert.deepEqual(trace, ['context', 'one', 'context', 'first', 'second', 'context'])
  })

  const early: Record<string, Loose> = {
    'an async hook that returns its reply': async (_request: Loose, reply: Loose) =>
      reply.code(202).send('early'),
    'an async hook that sends and returns nothing': async (_request: Loose, reply: Loose) => {
      reply.code(202).send('early')
    },
    'a callback hook that sends': (_request: Loose, reply: Loose, _done: Loose) => {
      reply.code(202).send('early')
    },
    'a callback hook that sends later': (_request: Loose, reply: Loose, _done: Loose) => {
      setImmediate(() => reply.code(202).send('early'))
    },
    'a callback hook that sends and calls done': (_request: Loose, reply: Loose, done: Loose) => {
      reply.code(202).send('early')
      done()
    },
  }
  for (const [what, hook] of Object.entries(early)) {
    test(`${what} in ${name} ends the request: nothing behind it runs`, async () => {
      const { trace, async } = tracer()
      const app = espalier().addHook(name, hook)
      for (const behind of requestHooks.slice(requestHooks.indexOf(name))) {
        app.addHook(behind, async(behind))
      }
      app.get('/', () => trace.push('handler'))
      const response = await app.inject('/')
      assert.deepEqual([response.statusCode, response.body], [202, 'early'])
      await tick()
      assert.deepEqual(trace, [])
    })
  }

  const failing: Record<string, (error: unknown) => Loose> = {
    throws: (error) => () => {
      throw error
    },
    rejects: (error) => async () => {
      await tick()
      throw error
    },
    'calls done with an error': (error) => (_request: Loose, _reply: Loose, done: Loose) => {
      done(error)
    },
    'calls done with an error later': (error) => (_request: Loose, _reply: Loose, done: Loose) =>
      void setImmediate(() => done(error)),
  }
  for (const [way, fail] of Object.entries(failing)) {
    test(`the error of a ${name} hook that ${way} is answered, and nothing behind it runs`, async () => {
      const { trace, async } = tracer()
      const app = espalier()
        .addHook(name, fail(Object.assign(new Error('not you'), { statusCode: 403 })))
        .addHook(name, async('behind'))
        .get('/', () => trace.push('handler'))
      const response = await app.inject('/')
      const payload = { statusCode: 403, error: 'Forbidden', message: 'not you' }
      assert.deepEqual(response.json(), payload)
      assert.deepEqual(trace, [])
    })
  }

  test(`this in a ${name} hook is the server of the route's context`, async () => {
    const selves: unknown[] = []
    const app = espalier()
    app.addHook(name, async function (this: unknown) {
      selves.push(this)
    })
    let child: unknown
    app.register(async (server) => {
      child = server
      server.get('/', () => 'done')
    })
    await app.inject('/')
    assert.equal(selves.length, 1)
    assert.equal(selves[0], child)
  })
}

test('onRequest hooks of the root run for requests without a route', async () => {
  const app = espalier().addHook('onRequest', async (_request, reply) => void reply.header('x', 1))
  const response = await app.inject('/nowhere')
  assert.deepEqual([response.statusCode, response.headers['x']], [404, '1'])
})

test('an unknown hook, one that is no function and one async with done are errors that say why', () => {
  const app = espalier() as Loose
  const both = async (_request: Loose, _reply: Loose, _done: Loose) => {}
  const unknown = { code: 'ESP_ERR_HOOK_NOT_SUPPORTED', message: /'onReqest'.*root.*onRequest/ }
  assert.throws(() => app.addHook('onReqest', async () => {}), unknown)
  const noFunction = {
    code: 'ESP_ERR_HOOK_INVALID_HANDLER',
    message: /'onRequest'.*root.*undefined/,
  }
  assert.throws(() => app.addHook('onRequest'), noFunction)
  const mixed = { code: 'ESP_ERR_HOOK_INVALID_ASYNC_HANDLER', message: /'preHandler'.*root.*async/ }
  assert.throws(() => app.addHook('preHandler', both), mixed)
  const route = { method: 'GET', url: '/', handler: () => 1, preHandler: [both] }
  assert.throws(() => app.route(route), mixed)
})

test('onReady hooks run one by one when everything has loaded, in the order of addHook', async () => {
  const { trace, async } = tracer()
  const app = espalier()
  app.addHook('onReady', async () => {
    await tick()
    trace.push('root')
  })
  app.register(async (child) => {
    child.addHook('onReady', function (done) {
      assert.equal(this, child)
      setImmediate(() => {
        trace.push('child')
        done()
      })
    })
  })
  app.register(async () => void trace.push('loaded'))
  app.after(() => void app.addHook('onReady', async('late')))
  await app.ready()
  assert.deepEqual(trace, ['loaded', 'root', 'child', 'late'])
})

for (const [way, hook] of Object.entries({
  'rejects with an error': async () => Promise.reject(new Error('no luck')),
  'rejects with undefined': async () => Promise.reject(undefined),
  'calls done with an error': (done: Loose) => done(new Error('no luck')),
})) {
  test(`an onReady hook that ${way} stops the boot with an error that names its context`, async () => {
    const app = espalier()
    app.register(async function inner(child) {
      child.addHook('onReady', hook)
    })
    const expected = { code: 'ESP_ERR_HOOK_FAILED', message: /root > inner.*(no luck|undefined)/ }
    await assert.rejects(app.ready(), expected)
    await assert.rejects(app.inject('/'), expected)
  })
}

test('onClose hooks run one by one, the last added first, and get the server of their context', async () => {
  const { trace } = tracer()
  const app = espalier()
  app.addHook('onClose', async (server) => {
    assert.equal(server, app)
    trace.push('root')
  })
  app.register(async (child) => {
    child.addHook('onClose', function (server, done) {
      assert.equal(server, child)
      assert.equal(this, child)
      setImmediate(() => {
        trace.push('child')
        done()
      })
    })
    child.register(async (nested) => {
      nested.addHook('onClose', async () => void trace.push('grandchild'))
    })
  })
  await app.ready()
  await app.close()
  assert.deepEqual(trace, ['grandchild', 'child', 'root'])
})

for (const error of [new Error('no luck'), undefined]) {
  test(`close rejects when an onClose hook does (${error}), after the others have run`, async () => {
    const { trace, async } = tracer()
    const app = espalier().addHook('onClose', async('first'))
    app.addHook('onClose', async () => Promise.reject(error)).addHook('onClose', async('last'))
    await app.ready()
    await assert.rejects(app.close(), /no luck|undefined/)
    assert.deepEqual(trace, ['last', 'first'])
  })
}

test('a hook that takes done and returns a promise all the same goes on when the promise resolves', async () => {
  const app = espalier() as Loose
  app.addHook('onRequest', (_request: Loose, _reply: Loose, _done: Loose) => Promise.resolve())
  app.addHook('onSend', (_request: Loose, _reply: Loose, payload: Loose, _done: Loose) =>
    Promise.resolve(`${payload}!`),
  )
  app.get('/', () => 'answered')
  assert.equal((await app.inject('/')).body, 'answered!')
})
