import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { silenced } from '../support/silence.ts'
import { test } from 'node:test'
import { espalier, fastify } from '../../src/index.ts'

type Loose = any

const create = (options?: Loose): Loose => fastify(options)

test('options that nobody knows are ignored', async () => {
  const app = create({ nobodyKnows: true }).get('/', () => 'here')
  assert.equal((await app.inject('/')).body, 'here')
  assert.throws(() => create({ bodyLimit: 'wide' }), { code: 'FST_ERR_INIT_OPTS_INVALID' })
})

test('a body schema of OPTIONS and DELETE validates', async () => {
  const schema = { body: { type: 'object', properties: { n: { type: 'integer' } } } }
  const app = create()
  const handler = (request: Loose) => request.body
  app.route({ method: ['OPTIONS', 'DELETE'], url: '/', schema, handler })
  for (const method of ['OPTIONS', 'DELETE']) {
    const wrong = await app.inject({ method, url: '/', payload: { n: 'x' } })
    assert.deepEqual([wrong.statusCode, wrong.json().code], [400, 'FST_ERR_VALIDATION'])
  }
})

test('content without a type is left where content is unusual', async () => {
  const app = create()
  for (const method of ['OPTIONS', 'PROPFIND', 'POST']) {
    app.route({ method, url: '/', handler: (request: Loose) => ({ body: request.body ?? null }) })
  }
  const status = async (method: string): Promise<number> =>
    (await app.inject({ method, url: '/', payload: 'text' })).statusCode
  assert.deepEqual(
    [await status('OPTIONS'), await status('PROPFIND'), await status('POST')],
    [200, 200, 415],
  )
})

test('a stream has no type but the one that was set', async () => {
  const app = create()
    .get('/stream', () => Readable.from(['a']))
    .get('/bytes', () => Buffer.from('a'))
  assert.equal((await app.inject('/stream')).headers['content-type'], undefined)
  assert.equal((await app.inject('/bytes')).headers['content-type'], 'application/octet-stream')
})

test('the callback of ready is given the server', async () => {
  const app = create()
  const given = await new Promise((resolve) => {
    app.ready((_error: unknown, server: unknown) => resolve(server === app))
  })
  assert.equal(given, true)
})

test('a not-found handler may have what a route has', async () => {
  const app = create()
  app.setNotFoundHandler({ errorHandler: () => 'told', nobodyKnows: true }, () => {
    throw new Error('not here')
  })
  assert.equal((await app.inject('/')).body, 'told')
})

test('a not-found handler that calls callNotFound is answered as text', async () => {
  const app = create().setNotFoundHandler((_request: Loose, reply: Loose) => reply.callNotFound())
  const { statusCode, body } = await app.inject('/')
  assert.deepEqual([statusCode, body], [404, '404 Not Found'])
})

test('a text is no value that a schema lists without a type, and an item of a tuple without one is refused', async () => {
  const x = { enum: [1, 2] }
  const response = { 200: { type: 'array', items: [x] } }
  const app = create()
    .get('/text', { schema: { querystring: { type: 'object', properties: { x } } } }, () => 'read')
    .get('/tuple', { schema: { response } }, () => [1])
  assert.equal((await app.inject('/text?x=1')).statusCode, 400)
  assert.equal((await app.inject('/tuple')).statusCode, 500)
})

test('a reply of status 205 keeps its content', async () => {
  const app = create().get('/', (_request: Loose, reply: Loose) => reply.code(205).send('kept'))
  const { statusCode, headers, body } = await app.inject('/')
  assert.deepEqual([statusCode, headers['content-length'], body], [205, '4', 'kept'])
})

test('what after gives without a callback is a promise', async () => {
  const app = create()
  app.register(async () => {
    throw new Error('not loaded')
  })
  await assert.rejects(() => app.after(), /not loaded/)
})

test('a connection whose reply was under way when the server closed answers later requests with 503', async (context) => {
  const app = create({ forceCloseConnections: false })
  app.get('/', async () => {
    void app.close()
    return 'last'
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  context.after(() => {
    agent.destroy()
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const ask = async (): Promise<IncomingMessage> => {
    const [response] = await once(get(url, { agent }), 'response')
    return (response as IncomingMessage).resume()
  }
  const answers = await Promise.all([ask(), ask()])
  assert.deepEqual(
    answers.map(({ statusCode, headers }) => [statusCode, headers.connection]),
    [
      [200, 'keep-alive'],
      [503, 'close'],
    ],
  )
})

test('errors have the codes of Fastify wherever they are met', async () => {
  const codes: unknown[] = []
  const app = create()
  app.addHook('onError', async (_request: Loose, _reply: Loose, error: Loose) =>
    codes.push(error.code, error.name),
  )
  app.get('/thrown', (_request: Loose, reply: Loose) => reply.code(99))
  app.get('/caught', (_request: Loose, reply: Loose) => {
    try {
      reply.code(99)
    } catch (error) {
      return (error as Loose).code
    }
  })
  assert.throws(() => app.get('/caught'), { code: 'FST_ERR_ROUTE_ARGUMENTS' })
  assert.equal((await app.inject('/thrown')).json().code, 'FST_ERR_BAD_STATUS_CODE')
  assert.equal((await app.inject('/caught')).body, 'FST_ERR_BAD_STATUS_CODE')
  assert.deepEqual(codes, ['FST_ERR_BAD_STATUS_CODE', 'FastifyError'])
  await app.close()
  const given = (call: (done: (error: Loose) => void) => unknown) =>
    new Promise((resolve) => {
      call((error) => {
        resolve(error?.code)
      })
    })
  assert.equal(
    await given((done) => app.listen({ port: 0 }, done)),
    'FST_ERR_REOPENED_CLOSE_SERVER',
  )
  const failing = create().register(async (child: Loose) =>
    child.decorate('get', 1).decorate('get', 2),
  )
  assert.equal(await given((done) => failing.ready(done)), 'FST_ERR_DEC_ALREADY_PRESENT')
  const early = create()
  await early.close()
  assert.equal(await given((done) => early.inject('/', done)), 'FST_ERR_REOPENED_CLOSE_SERVER')
})

test('servers of both dialects live in one process', async () => {
  const [own, other]: Loose[] = [espalier(), create()]
  for (const app of [own, other])
    app.get('/', () => {
      throw new Error('told')
    })
  assert.equal((await own.inject('/')).json().message, 'Internal Server Error')
  assert.equal((await other.inject('/')).json().message, 'told')
})

test('a function as a payload is an empty reply, unless the server is one of Espalier', async () => {
  for (const [app, status] of [
    [create(), 200],
    [espalier() as Loose, 500],
  ] as const) {
    app.get('/', async () => () => 1)
    const [response] = await silenced<Loose>(() => app.inject('/'))
    assert.equal(response.statusCode, status)
    if (status === 200) assert.equal(response.body, '')
  }
})
