import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { fastify } from '../../src/index.ts'

type Loose = any

const create = (options?: Loose): Loose => fastify(options)

/** A server that logs, and the lines that it has logged. */
function createLogging(): { app: Loose; lines: Loose[] } {
  const lines: Loose[] = []
  const stream = { write: (line: string) => lines.push(JSON.parse(line)) }
  return { app: create({ logger: { level: 'info', stream } }), lines }
}

test('options that are no object are refused', () => {
  assert.throws(() => create('options'), { code: 'FST_ERR_OPTIONS_NOT_OBJ' })
})

test('what a hook throws once it has taken the reply over is no error', async () => {
  const { app, lines } = createLogging()
  app.addHook('onRequest', async (_request: Loose, reply: Loose) => {
    reply.hijack()
    reply.raw.end('mine')
    throw new Error('late')
  })
  app.get('/', () => 'never')
  assert.equal((await app.inject('/')).body, 'mine')
  assert.deepEqual([...new Set(lines.map(({ level }) => level))], [30])
})

test('what a handler throws once it has taken the reply over is told of', async () => {
  const { app, lines } = createLogging()
  const taking = (fail: () => unknown) => (_request: Loose, reply: Loose) => {
    reply.hijack()
    reply.raw.end('mine')
    return fail()
  }
  app.get(
    '/throws',
    taking(() => assert.fail('at once')),
  )
  app.get(
    '/rejects',
    taking(async () => assert.fail('later')),
  )
  assert.equal((await app.inject('/throws')).body, 'mine')
  assert.equal((await app.inject('/rejects')).body, 'mine')
  const told = lines.filter(({ err }) => err).map(({ level, err }) => [level, err.code])
  assert.deepEqual(told, [
    [40, 'FST_ERR_REP_ALREADY_SENT'],
    [50, 'ERR_ASSERTION'],
  ])
})

test('a type that content does not declare is sent as JSON', async () => {
  const content = { 'application/json': { schema: { type: 'object', properties: {} } } }
  const app = create()
  app.get('/', { schema: { response: { 200: { content } } } }, (_request: Loose, reply: Loose) =>
    reply.type('application/vnd.other+json').send({ a: 1 }),
  )
  assert.deepEqual((await app.inject('/')).json(), { a: 1 })
})

test('an error handler can tell that a serializer failed', async () => {
  const app = create()
  app.setErrorHandler((error: Loose, _request: Loose, reply: Loose) =>
    reply.code(502).send({ of: error.serialization.a }),
  )
  const needy = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
  app.get('/', { schema: { response: { 200: needy } }, config: { a: 1 } }, () => ({}))
  assert.deepEqual((await app.inject('/')).json(), { of: 1 })
})

test('an error that the schema of its status does not fit is answered with what went wrong', async () => {
  const app = create()
  const needy = { type: 'object', required: ['own'], properties: { own: { type: 'number' } } }
  app.get('/', { schema: { response: { 500: needy } } }, () => assert.fail('first'))
  const { statusCode, code, message } = (await app.inject('/')).json()
  assert.deepEqual([statusCode, code], [500, 'FST_ERR_FAILED_ERROR_SERIALIZATION'])
  assert.match(message, /"own".*first/)
})

test('a serializer for errors that gives no text is answered as such', async () => {
  const app = create().setSerializerCompiler(() => () => ({ no: 'text' }))
  app.get('/', { schema: { response: { 500: { type: 'object' } } } }, () => assert.fail('first'))
  assert.equal((await app.inject('/')).json().code, 'FST_ERR_REP_INVALID_PAYLOAD_TYPE')
})

test('a hook that throws nothing fails with an error', async () => {
  const seen: unknown[] = []
  const app = create().setErrorHandler(async (error: Loose) => {
    seen.push(error.code)
    return 'told'
  })
  app.addHook('preValidation', async () => {
    throw null
  })
  app.get('/', () => 'never')
  assert.equal((await app.inject('/')).body, 'told')
  assert.deepEqual(seen, ['FST_ERR_SEND_UNDEFINED_ERR'])
})

test('what a preParsing hook returns that is no stream does not matter', async () => {
  const app = create().addHook('preParsing', async () => true)
  app.post('/', (request: Loose) => request.body)
  assert.deepEqual((await app.inject({ method: 'POST', url: '/', payload: [1] })).json(), [1])
})

test('a status loses its fraction', async () => {
  const app = create().get('/', (_request: Loose, reply: Loose) => reply.code(404.5).send('a'))
  assert.equal((await app.inject('/')).statusCode, 404)
})

test('what onSend makes of a reply without content does not matter', async () => {
  const app = create().addHook('onSend', async () => ({ an: 'object' }))
  app.get('/', (_request: Loose, reply: Loose) => reply.code(204).send())
  const { statusCode, body, headers } = await app.inject('/')
  assert.deepEqual([statusCode, body, headers['content-type']], [204, '', undefined])
})

test('a reply that was not modified keeps its type', async () => {
  const app = create().addHook('onSend', async (_request: Loose, reply: Loose) => {
    reply.code(304)
    return null
  })
  app.get('/', () => ({ a: 1 }))
  const { headers } = await app.inject('/')
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
})

test('a body that cannot be read is answered where no route is found', async () => {
  const app = create().addContentTypeParser('*', (_request: Loose, _body: Loose, done: Loose) => {
    done(new Error('not read'))
  })
  const request = { method: 'POST', url: '/', payload: 'a' }
  assert.equal((await app.inject(request)).statusCode, 500)
  assert.equal((await create().inject(request)).statusCode, 404)
})

test('what a keyword of an $async schema throws is the fault of the request', async () => {
  const keyword = {
    keyword: 'known',
    async: true,
    validate: async () => {
      throw new Error('not known')
    },
  }
  const app = create({ ajv: { plugins: [(ajv: Loose) => ajv.addKeyword(keyword)] } })
  const schema = {
    $async: true,
    type: 'object',
    properties: { n: { type: 'integer', known: true } },
  }
  app.post('/', { schema: { body: schema } }, () => 'never')
  const { statusCode, message } = (
    await app.inject({ method: 'POST', url: '/', payload: { n: 1 } })
  ).json()
  assert.deepEqual([statusCode, message], [400, 'not known'])
})

test('a reference to no schema is an error of the compiler', async () => {
  const app = create()
  app.get('/', { schema: { querystring: { $ref: 'nowhere#' } } }, () => 'never')
  await assert.rejects(async () => app.ready(), { code: 'FST_ERR_SCH_VALIDATION_BUILD' })
})

test('an onReady hook that never ends has a code of its own', async () => {
  const app = create({ pluginTimeout: 20 }).addHook('onReady', (_done: unknown) => undefined)
  await assert.rejects(
    async () => app.ready(),
    (error: Loose) => {
      assert.deepEqual(
        [error.code, error.cause.code],
        ['FST_ERR_HOOK_TIMEOUT', 'AVV_ERR_READY_TIMEOUT'],
      )
      return true
    },
  )
})

test('hooks run in the order in which the plugins are loaded that add them', async () => {
  const order: string[] = []
  const adding = (name: string) => async (scope: Loose) => {
    scope.addHook('onRequest', async () => void order.push(name))
  }
  const shared = (name: string) =>
    Object.assign(adding(name), { [Symbol.for('skip-override')]: true })
  const app = create()
  app.register(async (scope: Loose) => {
    await adding('inner')(scope)
    scope.register(shared('innermost'))
    scope.get('/', () => 'a')
  })
  app.register(shared('shared'))
  await adding('own')(app)
  await app.inject('/')
  assert.deepEqual(order, ['inner', 'innermost', 'shared', 'own'])
})

test('what is declared too late, or wrongly, has the code that Fastify gives it', async () => {
  const app = create()
  await app.ready()
  assert.throws(() => app.decorate('late', 1), { code: 'FST_ERR_DEC_AFTER_START' })
  const other = create().get('/', { schema: { response: { type: 'object' } } }, () => 'a')
  await assert.rejects(async () => other.ready(), { code: 'FST_ERR_SCH_SERIALIZATION_BUILD' })
})

test('options that are a function are given the server of the plugin', async () => {
  const app = create()
  app.register(
    async (scope: Loose, options: Loose) => {
      assert.equal(options.given, scope)
      assert.equal(scope.early, 'here')
    },
    (scope: Loose) => ({ given: scope.decorate('early', 'here') }),
  )
  await app.ready()
  assert.equal(app.early, undefined)
})

test('a plugin without a name is called by the beginning of its source', async () => {
  const names: string[] = []
  const app = create()
  app.register((scope: Loose, _options: Loose, done: Loose) => {
    names.push(scope.pluginName)
    done()
  })
  await app.ready()
  assert.match(names[0] ?? '', /^\(scope.*names\.push/s)
})

test('a list is no options of a route', () => {
  for (const options of [[], null]) {
    assert.throws(() => create().get('/', options, () => 'a'), {
      code: 'FST_ERR_ROUTE_ARGUMENTS',
    })
  }
})

test('null among the options of a route is no hook, as in Fastify 5, and an empty path none of the root', async () => {
  const handler = () => 'a'
  const app = create().route({ method: 'GET', url: '/', onRequest: null, onSend: [], handler })
  assert.equal((await app.inject('/')).body, 'a')
  assert.throws(() => create().get('', handler), { code: 'FST_ERR_ROUTE_PATH' })
})

test('a query that has two schemas is found at boot', async () => {
  const query = { a: { type: 'string' } }
  const app = create().get('/', { schema: { query, querystring: query } }, () => 'a')
  await assert.rejects(Promise.resolve(app.ready()), { code: 'FST_ERR_SCH_DUPLICATE' })
})

test('a stream that has no destroy is closed in its own way', async () => {
  const closed: string[] = []
  for (const name of ['close', 'abort']) {
    const stream = Object.assign(new PassThrough(), { destroy: undefined })
    Object.assign(stream, { [name]: () => closed.push(name) })
    const app = create().addHook('onSend', async (_request: Loose, reply: Loose) => {
      reply.code(304)
    })
    app.get('/', () => stream)
    await app.inject('/')
  }
  assert.deepEqual(closed, ['close', 'abort'])
})

test('an onSend hook that always fails with undefined is answered as a failure with undefined', async () => {
  const app = create().addHook('onSend', () => Promise.reject())
  app.get('/', (_request: Loose, reply: Loose) => reply.send('hello'))
  const { statusCode, body } = await app.inject('/')
  assert.deepEqual([statusCode, JSON.parse(body).code], [500, 'FST_ERR_SEND_UNDEFINED_ERR'])
})
