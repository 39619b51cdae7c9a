import assert from 'node:assert/strict'
import { test } from 'node:test'
import { espalier, fastify } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'

test('an async handler that returns nothing replies with an empty body, where the factory is fastify', async () => {
  const app = fastify()
  app.get('/', async () => undefined)
  const { statusCode, body } = await app.inject('/')
  assert.deepEqual([statusCode, body], [200, ''])
})

test('an error handler finds the status as it was, where the factory is fastify', async () => {
  const app = fastify()
  app.setErrorHandler((_error, _request, reply) => reply.send('handled'))
  app.get('/', () => {
    throw Object.assign(new Error('teapot'), { statusCode: 418 })
  })
  const { statusCode, body } = await app.inject('/')
  assert.deepEqual([statusCode, body], [200, 'handled'])
})

test('the default answer has the status and the headers of the error, where the factory is fastify', async () => {
  const app = fastify()
  app.get('/', () => {
    throw Object.assign(new Error('teapot'), { statusCode: 418, headers: { 'x-tea': 'green' } })
  })
  const { statusCode, headers } = await app.inject('/')
  assert.deepEqual([statusCode, headers['x-tea']], [418, 'green'])
})

test('what is thrown and is no error is the payload, where the factory is fastify', async () => {
  const app = fastify()
  app.get('/', () => {
    throw { reason: 'none' }
  })
  const { statusCode, body } = await app.inject('/')
  assert.deepEqual([statusCode, body], [500, '{"reason":"none"}'])
})

test('options of the default serializer are used', async () => {
  const app = espalier({ serializerOpts: { rounding: 'ceil' } })
  app.get('/', { schema: { response: { 200: { type: 'integer' } } } }, () => 4.2)
  assert.equal((await app.inject('/')).body, '5')
})

test('an $id without a path is found by a reference without its slash', async () => {
  const app = espalier()
  const hello = { type: 'string' }
  app.addSchema({ $id: 'http://example.com/', type: 'object', properties: { hello } })
  const body: object = { type: 'array', items: { $ref: 'http://example.com#/properties/hello' } }
  app.post('/', { schema: { body } }, (request) => request.body)
  const payload = ['world']
  assert.deepEqual((await app.inject({ method: 'POST', url: '/', payload })).json(), payload)
})

test('an error of an onListen or a preClose hook does not stop the others, and goes to the logger', async () => {
  const lines: string[] = []
  const stream = { write: (line: string) => lines.push(line) }
  const app = espalier({ logger: { level: 'error', stream } })
  let runs = 0
  app.addHook('preClose', () => Promise.reject(new Error('kaboom')))
  app.addHook('preClose', (done) => {
    runs += 1
    done()
  })
  await app.ready()
  await app.close()
  assert.equal(runs, 1)
  assert.match(lines.join(''), /kaboom/)
})

type Loose = any

test('options that are null, false, 0 or empty are none, where the factory is fastify', async () => {
  for (const none of [null, false, 0, '', undefined]) {
    const app = fastify(none as Loose).get('/', () => 'here')
    assert.equal((await app.inject('/')).body, 'here')
  }
  for (const given of [null, false, ''] as Loose[]) {
    assert.throws(() => espalier(given), { code: 'ESP_ERR_OPTIONS_NOT_OBJ' })
  }
  for (const given of ['x', 1, true] as Loose[]) {
    assert.throws(() => fastify(given), { code: 'FST_ERR_OPTIONS_NOT_OBJ' })
  }
})

test('an option that is null or false is none, where the factory is fastify and that is no value of it', async () => {
  const names = ['genReqId', 'ajv', 'rewriteUrl', 'serverFactory', 'schemaController', 'trustProxy']
  const others = ['loggerInstance', 'logController', 'schemaErrorFormatter', 'pluginTimeout']
  for (const name of [...names, ...others]) {
    for (const none of [null, false] as Loose[]) {
      const app = fastify({ [name]: none }).get('/', () => 'here')
      assert.equal((await app.inject('/')).body, 'here', name)
    }
  }
  assert.throws(() => espalier({ genReqId: null } as Loose), { code: 'ESP_ERR_INIT_OPTS_INVALID' })
  assert.throws(() => fastify({ bodyLimit: 0 }), { code: 'FST_ERR_INIT_OPTS_INVALID' })
  assert.throws(() => fastify({ genReqId: 'x' } as Loose), { code: 'FST_ERR_INIT_OPTS_INVALID' })
  const strict: Loose = fastify({ exposeHeadRoutes: null, maxRequestsPerSocket: 0 } as Loose)
  strict.get('/', () => 'here')
  assert.equal((await strict.inject({ method: 'HEAD', url: '/' })).statusCode, 404)
})

test('an option of a route or of a plugin that is null or false is none, where the factory is fastify', async () => {
  const names = ['schema', 'validatorCompiler', 'logLevel', 'config', 'constraints', 'version']
  for (const [at, name] of names.entries()) {
    for (const none of [null, false, 0] as Loose[]) {
      const app: Loose = fastify()
      app.get('/', { [name]: none }, () => 'here')
      assert.equal((await app.inject('/')).body, 'here', name)
      const strict: Loose = espalier()
      const code = at === 0 ? 'ESP_ERR_SCH_NOT_OBJECT' : 'ESP_ERR_ROUTE_OPTION'
      assert.throws(() => strict.get('/', { [name]: none }, () => 'here'), { code }, name)
    }
  }
  for (const name of ['bodyLimit', 'handlerTimeout', 'errorHandler']) {
    const app: Loose = fastify()
    const code = 'FST_ERR_ROUTE_OPTION'
    assert.throws(() => app.get('/', { [name]: null }, () => 'here'), { code }, name)
  }
  const given: unknown[] = []
  const app: Loose = fastify()
  for (const none of [false, null, 0, '']) {
    app.register(async (_child: Loose, options: unknown) => given.push(options), none)
  }
  app.register(async (child: Loose) => child.get('/', () => 'here'), { prefix: false, logLevel: 0 })
  assert.equal((await app.inject('/')).body, 'here')
  assert.deepEqual(given, [{}, {}, {}, {}])
})

const foreign = {
  '~standard': { version: 1, vendor: 'x', validate: (value: unknown) => ({ value }) },
}

for (const [name, schema] of Object.entries({ foreign, json: { type: 'object' } })) {
  for (const where of ['server', 'route', 'controller']) {
    test(`a validator of the user's is given null for a body that is not there (${name}, ${where})`, async () => {
      const seen: unknown[] = []
      const compile: Loose = () => (data: unknown) => {
        seen.push(data)
        return { value: data }
      }
      const buildValidator = (): unknown => compile
      const schemaController: Loose = { compilersFactory: { buildValidator } }
      const app: Loose = fastify(where === 'controller' ? { schemaController } : {})
      if (where === 'server') app.setValidatorCompiler(compile)
      const own = where === 'route' ? { validatorCompiler: compile } : {}
      const handler = ({ body }: Loose): unknown => ({ body })
      app.post('/', { schema: { body: schema }, ...own }, handler)
      const { body } = await app.inject({ method: 'POST', url: '/' })
      assert.deepEqual([seen, body], [[null], '{"body":null}'])
    })
  }
}

test('a validator of the user gets undefined for a Standard Schema where the factory is espalier', async () => {
  const seen: unknown[] = []
  const app: Loose = espalier()
  app.setValidatorCompiler(() => (data: unknown) => {
    seen.push(data)
    return { value: 'made' }
  })
  app.post('/', { schema: { body: foreign } }, ({ body }: Loose) => body)
  assert.equal((await app.inject({ method: 'POST', url: '/' })).body, 'made')
  assert.deepEqual(seen, [undefined])
})

for (const value of [null, 0, '', false, undefined]) {
  test(`what a validator gives as its value is the part: ${String(value)}`, async () => {
    for (const app of [fastify(), espalier()] as Loose[]) {
      app.setValidatorCompiler(() => () => ({ value }))
      const schema = Object.fromEntries(
        ['params', 'querystring', 'body'].map((part) => [part, { type: 'object' }]),
      )
      let seen: unknown
      app.post('/:id', { schema }, ({ params, query, body }: Loose) => {
        seen = [params, query, body]
        return 'done'
      })
      await app.inject({ method: 'POST', url: '/1?a=1', payload: { b: 1 } })
      assert.deepEqual(seen, [value, value, value])
    }
  })
}

test('listen that is followed by close does not call back, and resolves, where the factory is fastify', async () => {
  const called: unknown[] = []
  const app = fastify()
  app.listen({ port: 0 }, (error) => called.push(error))
  const listening = app.listen({ port: 0 })
  await app.close()
  assert.equal(await listening, '')
  assert.deepEqual([called, app.server.listening], [[], false])
  await assert.rejects(app.listen({ port: 0 }), { code: 'FST_ERR_REOPENED_CLOSE_SERVER' })
  const own = espalier()
  const refused = assert.rejects(own.listen({ port: 0 }), { code: 'ESP_ERR_REOPENED_CLOSE_SERVER' })
  await own.close()
  await refused
})

test('an error of the boot reaches the callback of listen though close follows', async () => {
  const app: Loose = fastify()
  app.register(() => Promise.reject(new Error('kaboom')))
  const told = new Promise<Error>((resolve) => app.listen({ port: 0 }, resolve))
  app.close(() => undefined)
  assert.match((await told).message, /kaboom/)
})

test('query declares routes of QUERY, and all declares them too, where the factory is fastify', async () => {
  const app: Loose = fastify()
  const schema = { body: { type: 'object', required: ['a'] } }
  app.query('/', { schema }, ({ body }: Loose) => body).all('/all', ({ method }: Loose) => method)
  const send = (url: string, payload?: object): Promise<Loose> =>
    app.inject({ method: 'QUERY', url, payload })
  assert.deepEqual((await send('/', { a: 1 })).json(), { a: 1 })
  assert.equal((await send('/', { b: 1 })).statusCode, 400)
  assert.equal((await send('/all')).body, 'QUERY')
  assert.equal((await app.inject({ method: 'TRACE', url: '/all' })).body, 'TRACE')
  const other: Loose = fastify()
  assert.throws(() => other.decorate('query', 1), { code: 'FST_ERR_DEC_ALREADY_PRESENT' })
  assert.equal('query' in espalier(), false)
})

for (const [url, status] of [
  ['/%', 400],
  ['/x/%zz', 400],
  ['/%E0%A4%A', 400],
  [`/${'a'.repeat(200)}`, 414],
] as const) {
  test(`a URL without a route (${status}, ${url.slice(0, 12)}) runs hooks unless the factory is fastify`, async () => {
    const counts = []
    for (const app of [fastify(), espalier()] as Loose[]) {
      let runs = 0
      for (const name of ['onRequest', 'onError']) app.addHook(name, async () => void (runs += 1))
      for (const name of ['onSend', 'onResponse']) app.addHook(name, async () => void (runs += 1))
      app.setErrorHandler((error: Loose, _request: Loose, reply: Loose) => {
        runs += 1
        reply.send(error)
      })
      app.get('/:id', () => 'x').get('/x/:id', () => 'x')
      const reply = await app.inject(url)
      assert.equal(reply.statusCode, status)
      assert.equal(reply.json().statusCode, status)
      counts.push(runs > 0)
    }
    assert.deepEqual(counts, [false, true])
  })
}

test('frameworkErrors answers a URL that cannot be read, without hooks, where the factory is fastify', async () => {
  let runs = 0
  const app: Loose = fastify({
    frameworkErrors: (error: Loose, { id }: Loose, reply: Loose) =>
      reply.code(418).send({ code: error.code, id: typeof id }),
  })
  app.addHook('onSend', async () => void (runs += 1))
  app.get('/:id', () => 'x')
  const reply = await app.inject('/%')
  assert.deepEqual(
    [reply.statusCode, reply.json(), runs],
    [418, { code: 'FST_ERR_BAD_URL', id: 'string' }, 0],
  )
})

test('a hook that takes all of its arguments as one list is given done, where the factory is fastify', async () => {
  const app: Loose = fastify()
  const seen: string[] = []
  const wrapped = (name: string, hook: Loose): void =>
    app.addHook(name, function (this: Loose, ...args: unknown[]) {
      seen.push(name)
      return hook.apply(this, args)
    })
  const later: Loose = (_request: Loose, _reply: Loose, done: () => void) => setImmediate(done)
  for (const name of ['onRequest', 'preValidation', 'preHandler', 'onResponse'])
    wrapped(name, later)
  wrapped('preParsing', (_request: Loose, _reply: Loose, body: Loose, done: Loose) =>
    done(null, body),
  )
  wrapped('preSerialization', async (_request: Loose, _reply: Loose, value: Loose) => ({
    ...value,
    async: true,
  }))
  wrapped('onSend', (_request: Loose, _reply: Loose, text: string, done: Loose) =>
    setImmediate(() => done(null, text.replace('true', '1'))),
  )
  const ended = new Promise((resolve) => app.addHook('onResponse', async () => resolve(true)))
  app.post('/', ({ body }: Loose) => body)
  const { body } = await app.inject({ method: 'POST', url: '/', payload: { a: 1 } })
  assert.equal(body, '{"a":1,"async":1}')
  await ended
  assert.equal(
    seen.join(),
    'onRequest,preParsing,preValidation,preHandler,preSerialization,onSend,onResponse',
  )
})

test('what such a hook calls back with, throws or rejects with is answered', async () => {
  for (const fail of [
    (...args: Loose[]) => args[2](new Error('kaboom')),
    (..._args: Loose[]) => Promise.reject(new Error('kaboom')),
    (..._args: Loose[]) => {
      throw new Error('kaboom')
    },
  ]) {
    const app: Loose = fastify().addHook('onRequest', fail)
    app.get('/', () => 'here')
    assert.equal((await app.inject('/')).json().message, 'kaboom')
  }
})

test('a hook without parameters is done when it returns, where the factory is espalier', async () => {
  const app: Loose = espalier()
  let count = -1
  app.addHook('onRequest', (...args: unknown[]) => {
    count = args.length
  })
  app.get('/', () => 'here')
  assert.deepEqual([(await app.inject('/')).body, count], ['here', 2])
})

for (const [what, answer] of Object.entries({ true: true, nothing: undefined, object: {} })) {
  test(`a body that is not there stays undefined where a validator gives no value: ${what}`, async () => {
    const app: Loose = fastify()
    app.setValidatorCompiler(() => () => answer)
    let seen: unknown = 'nothing'
    app.post('/', { schema: { body: { type: 'object' } } }, ({ body }: Loose) => {
      seen = body
      return 'done'
    })
    await app.inject({ method: 'POST', url: '/' })
    assert.equal(seen, undefined)
  })
}

test('an onSend hook that fails while an error is answered is answered itself, where the factory is fastify', async () => {
  const failures = [
    [503, Object.assign(new Error('open'), { statusCode: 503, code: 'OPEN' }), 200],
    [504, new Error('timed out'), 504],
    [500, new Error('no status'), 200],
  ] as const
  for (const [status, failure, set] of failures) {
    const app = fastify().addHook('onSend', async (_request, reply) => {
      reply.code(set)
      throw failure
    })
    app.get('/', async () => {
      throw new Error('first')
    })
    const [response] = await silenced(() => app.inject('/'))
    assert.equal(response.statusCode, status)
    assert.equal(response.json().message, failure.message)
    assert.equal(response.json().statusCode, status)
  }
})
