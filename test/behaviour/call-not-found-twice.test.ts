// reply.callNotFound() where it is called too late, or twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silenced } from '../support/silence.ts'
import { untyped, type UntypedServer } from '../support/untyped.ts'

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

async function ask(app: UntypedServer, url = '/') {
  const [response, log] = await silenced(async () => app.inject(url))
  return { status: response.statusCode, body: response.body, log }
}

test('a second call behind the answer changes nothing of it', async () => {
  const app = untyped().setNotFoundHandler((_request, reply) => reply.code(410).send('none'))
  app.addHook('onSend', async () => tick())
  app.get('/', (_request, reply) => {
    reply.callNotFound()
    reply.callNotFound()
  })
  const { status, body } = await ask(app)
  assert.deepEqual([status, body], [410, 'none'])
  await app.close()
})

test('a second call before the answer gets the default one, and the late answer is dropped', async () => {
  let ended: () => void = () => {}
  const handled = new Promise<void>((resolve) => (ended = resolve))
  const app = untyped().setNotFoundHandler(async (_request, reply) => {
    await tick()
    reply.send('late')
    ended()
  })
  app.get('/', (_request, reply) => {
    reply.callNotFound()
    reply.callNotFound()
  })
  const [{ statusCode }, log] = await silenced(async () => {
    const response = await app.inject('/')
    await handled
    return response
  })
  assert.equal(statusCode, 404)
  assert.match(log, /sent already/)
  await app.close()
})

test('behind a reply it does nothing', async () => {
  const app = untyped().setNotFoundHandler(() => 'not found')
  app.addHook('onSend', async () => tick())
  app.get('/', (_request, reply) => {
    reply.code(201).send('sent')
    reply.callNotFound()
  })
  const { status, body } = await ask(app)
  assert.deepEqual([status, body], [201, 'sent'])
  await app.close()
})

test('in an onError hook it is too late: the error is answered, and the misuse is told to stderr', async () => {
  const failing = { 'by default': undefined, 'by default, as its handler fails': throwing }
  for (const errorHandler of Object.values(failing)) {
    const app = untyped().setNotFoundHandler(() => 'not found')
    app.addHook('onError', async (_request, reply) => void reply.callNotFound())
    const options = errorHandler === undefined ? {} : { errorHandler }
    app.get('/', options, () => {
      throw Object.assign(new Error('why'), { statusCode: 409 })
    })
    const { status, body, log } = await ask(app)
    assert.deepEqual([status, JSON.parse(body).message], [409, 'why'])
    assert.match(log, /An onError hook of/)
    await app.close()
  }
})

test('from an error handler it begins anew: with status 200, and all error handlers before it', async () => {
  const app = untyped()
    .setErrorHandler((error, _request, reply) => reply.code(418).send(error.message))
    .setNotFoundHandler((request) => {
      if (request.url === '/v1/broken') throw new Error('no page')
      return 'page'
    })
  app.register(
    async (child) => {
      child.setErrorHandler((_error, _request, reply) => reply.callNotFound())
      const fail = (): never => throwing(new Error('why'))
      child.get('/', fail).get('/broken', fail)
    },
    { prefix: '/v1' },
  )
  const found = await app.inject('/v1')
  assert.deepEqual([found.statusCode, found.body], [200, 'page'])
  const broken = await app.inject('/v1/broken')
  assert.deepEqual([broken.statusCode, broken.body], [418, 'no page'])
  await app.close()
})

test('the handler of a sibling with the same prefix is not called', async () => {
  const app = untyped().setNotFoundHandler(() => 'root')
  const prefix = '/v1'
  app.register(async (one) => void one.get('/x', (_q, reply) => reply.callNotFound()), { prefix })
  app.register(async (two) => void two.setNotFoundHandler(() => 'two'), { prefix })
  assert.equal((await app.inject('/v1/x')).body, 'root')
  assert.equal((await app.inject('/v1/y')).body, 'two')
  await app.close()
})

test('where a plugin without a prefix answers for its parent, it has what it decorates', async () => {
  const app = untyped().get('/x', (_request, reply) => reply.callNotFound())
  app.register(async (child) => {
    child.decorateRequest('one', 1)
    child.decorateReply('two', () => 2)
    child.setNotFoundHandler((request, reply) => ({ one: request.one, two: reply.two() }))
  })
  assert.deepEqual((await app.inject('/x')).json(), { one: 1, two: 2 })
  assert.deepEqual((await app.inject('/y')).json(), { one: 1, two: 2 })
  await app.close()
})

function throwing(error: unknown): never {
  throw error
}
