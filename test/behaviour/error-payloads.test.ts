// Specification 7.8 as decided where the specification is silent: what a client is told of an error.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler } from '../support/untyped.ts'

const throwing =
  (error: unknown): AnyHandler =>
  () => {
    throw error
  }

async function answer(handler: AnyHandler, options: object = {}, schema: object = {}) {
  const app = untyped(options).get('/', { schema }, handler)
  const [response, log] = await silenced(() => app.inject('/'))
  return { status: response.statusCode, body: response.body, log }
}

const hidden =
  '{"statusCode":500,"error":"Internal Server Error","message":"Internal Server Error"}'

test('an unexpected error is answered with 500 and without its message, which goes to stderr', async () => {
  const error = Object.assign(new Error('secret'), { code: 'SECRET' })
  for (const handler of [
    throwing(error),
    async () => Promise.reject(error),
    () => error,
    (_request: unknown, reply: any) => reply.send(error),
  ]) {
    const { status, body, log } = await answer(handler)
    assert.deepEqual([status, body], [500, hidden])
    assert.match(log, /^GET \/ in root: Error: secret/)
  }
})

test('what is thrown need not be an Error', async () => {
  for (const thrown of ['secret', 7, null, undefined, { message: 'secret' }]) {
    const { status, body } = await answer(throwing(thrown))
    assert.deepEqual([status, body], [500, hidden])
    assert.deepEqual((await answer(async () => Promise.reject(thrown))).body, hidden)
  }
})

test('with exposeErrors the message and the code of an unexpected error are sent', async () => {
  const error = Object.assign(new Error('the reason'), { code: 'REASON' })
  const { body } = await answer(throwing(error), { exposeErrors: true })
  assert.equal(
    body,
    '{"statusCode":500,"code":"REASON","error":"Internal Server Error","message":"the reason"}',
  )
})

test('an error with a status of its own is answered with that, its code and its message', async () => {
  for (const [status, phrase] of [
    [404, 'Not Found'],
    [409, 'Conflict'],
    [503, 'Service Unavailable'],
  ] as const) {
    for (const key of ['statusCode', 'status']) {
      const error = Object.assign(new Error('why'), { [key]: status, code: 'WHY' })
      const { body } = await answer(throwing(error))
      assert.equal(
        body,
        `{"statusCode":${status},"code":"WHY","error":"${phrase}","message":"why"}`,
      )
    }
  }
})

test('a status of an error that is none of an error is not used', async () => {
  for (const statusCode of [200, 302, 600, '404', 4.5]) {
    const { body } = await answer(throwing(Object.assign(new Error('secret'), { statusCode })))
    assert.equal(body, hidden)
  }
})

test('a status that is set for an error that is sent is kept, with the message', async () => {
  const handler: AnyHandler = (_request, reply) =>
    reply.code(418).send(new Error('short and stout'))
  const { body } = await answer(handler)
  assert.equal(body, '{"statusCode":418,"error":"I\'m a Teapot","message":"short and stout"}')
})

test('an error that is thrown after a status was set is as unexpected as without it', async () => {
  const handler: AnyHandler = (_request, reply) => {
    reply.code(404)
    throw new Error('db at 10.0.0.1 refused')
  }
  const { body, log } = await answer(handler)
  assert.match(body, /^{"statusCode":500,.*"message":"Internal Server Error"}$/)
  assert.match(log, /db at 10\.0\.0\.1 refused/)
})

test('an error that a hook gives to done has the status that was set, or its own', async () => {
  const app: any = untyped()
  app.addHook('onRequest', (request: any, reply: any, done: any) => {
    const { status, own } = request.query
    if (status) reply.code(Number(status))
    done(Object.assign(new Error('why'), own && { statusCode: Number(own) }))
  })
  app.get('/', () => 1)
  const [answers] = await silenced(() =>
    Promise.all(
      ['status=401', 'status=401&own=403', 'status=201', ''].map((query) =>
        app.inject(`/?${query}`),
      ),
    ),
  )
  assert.deepEqual(
    answers.map((response) => [response.statusCode, response.json().message]),
    [
      [401, 'why'],
      [403, 'why'],
      [500, 'Internal Server Error'],
      [500, 'Internal Server Error'],
    ],
  )
})

test('an error handler that sends an unexpected error on does not make its message public', async () => {
  const app = untyped().setErrorHandler((error, _request, reply) => reply.send(error))
  app.get('/', () => {
    throw new Error('db at 10.0.0.1 refused')
  })
  const [response] = await silenced(async () => app.inject('/'))
  assert.equal(response.statusCode, 500)
  assert.equal(response.json().message, 'Internal Server Error')
})

test('a validation error is 400, whatever status a hook had set', async () => {
  const app = untyped().addHook('onRequest', async (_request, reply) => void reply.code(401))
  app.get('/', { schema: { querystring: { n: t.Integer() } } }, () => 1)
  assert.equal((await app.inject('/')).statusCode, 400)
})

test('an unknown route is 404 with statusCode, error and message', async () => {
  const response = await untyped().inject('/none?a=1')
  assert.equal(response.statusCode, 404)
  assert.deepEqual(response.json(), {
    statusCode: 404,
    error: 'Not Found',
    message: 'Route GET:/none?a=1 not found',
  })
})

const teapot = Object.assign(new Error('short'), { statusCode: 418, code: 'TEA' })
for (const [key, what] of [
  ['418', 'of its status'],
  ['4xx', 'of its class'],
  ['default', 'of default'],
] as const) {
  test(`an error payload goes through the response schema ${what}`, async () => {
    const response = { [key]: { message: t.String() }, 200: { a: t.Integer() } }
    assert.equal((await answer(throwing(teapot), {}, { response })).body, '{"message":"short"}')
  })
}

test('a failed validation goes through the response schema of 400', async () => {
  const schema = { querystring: { n: t.Integer() }, response: { 400: { code: t.String() } } }
  assert.equal((await answer(() => ({}), {}, schema)).body, '{"code":"ESP_ERR_VALIDATION"}')
})

test('an error payload that its schema cannot serialize is sent as JSON', async () => {
  const response = { 418: { reason: t.String() } }
  const { body, log } = await answer(throwing(teapot), {}, { response })
  assert.equal(body, '{"statusCode":418,"code":"TEA","error":"I\'m a Teapot","message":"short"}')
  assert.match(log, /"reason" is required/)
})

test('an error payload under a schema of texts is sent as JSON', async () => {
  const { body, log } = await answer(throwing(teapot), {}, { response: { 418: t.String() } })
  assert.equal(body, '{"statusCode":418,"code":"TEA","error":"I\'m a Teapot","message":"short"}')
  assert.match(log, /the response schema is one of texts/)
})

test('an error payload is JSON, whatever type and length the handler had set', async () => {
  const app = untyped().get('/', (_request, reply) => {
    reply.type('text/html').header('content-length', 3)
    throw teapot
  })
  const response = await app.inject('/')
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(response.headers['content-length'], String(response.body.length))
  assert.equal(response.json().statusCode, 418)
})
