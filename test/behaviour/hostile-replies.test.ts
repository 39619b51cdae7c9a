// Replies that could hang, be sent twice, or take the next reply on a connection with them.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import espalier, { t } from '../../src/index.ts'
import { rawRequest } from '../support/raw-request.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler } from '../support/untyped.ts'

const refusals: readonly (readonly [what: string, handler: AnyHandler])[] = [
  ['a header value with a line break', (_request, reply) => reply.header('x-a', 'a\nb').send('x')],
  ['a header name with a blank', (_request, reply) => reply.header('x a', 'b').send('x')],
  ['a redirect to what is no header value', (_request, reply) => reply.redirect('/日本')],
  [
    'a header value with a line break, and then an error',
    async (_request, reply) => {
      reply.header('x-a', 'a\r\nset-cookie: b')
      throw new Error('after the header')
    },
  ],
  ['a serializer that returns a number', (_request, reply) => reply.serializer(() => 5).send({})],
  [
    'a serializer that returns nothing',
    (_request, reply) => reply.serializer(() => undefined).send({}),
  ],
  ['a symbol', () => Symbol('x')],
  ['a BigInt', () => ({ n: 1n })],
  [
    'a thrown object without a prototype',
    async () => {
      throw Object.create(null)
    },
  ],
]
for (const [what, handler] of refusals) {
  test(`${what} is answered once, with 500, and the server lives`, async () => {
    const app = untyped().get('/', handler)
    const [response] = await silenced(async () => app.inject('/'))
    assert.equal(response.statusCode, 500)
    assert.equal(response.json().message, 'Internal Server Error')
    assert.equal('set-cookie' in response.headers, false)
    assert.equal((await app.inject('/none')).statusCode, 404)
  })
}

test('an error handler whose headers are refused is answered with 500 all the same', async () => {
  const app = untyped().setErrorHandler(async (_error, _request, reply) => {
    reply.header('x-a', 'a\nb')
    return 'x'
  })
  app.get('/', () => {
    throw new Error('x')
  })
  const [response] = await silenced(async () => app.inject('/'))
  assert.equal(response.statusCode, 500)
})

test('a wrong content-length does not shift the replies behind it on the connection', async () => {
  const app = espalier()
    .get('/a', (_request, reply) => reply.header('content-length', 1).send('xyz'))
    .get('/b', (_request, reply) => reply.header('content-length', 100).send('xyz'))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: a\r\n${more}\r\n`
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk)))
  socket.write(get('/a') + get('/b') + get('/a', 'connection: close\r\n'))
  await once(socket, 'end')
  assert.equal(text.match(/\r\n\r\nxyz/g)?.length, 3, text)
  await app.close()
})

test('a HEAD route of its own may say what length a GET would have', async () => {
  const app = espalier().head('/', (_request, reply) => reply.header('content-length', 9).send())
  const { headers, body } = await app.inject({ method: 'HEAD', url: '/' })
  assert.deepEqual([headers['content-length'], body], ['9', ''])
  await app.close()
})

test('a body that a hook has read already is an error, and no request that waits for ever', async () => {
  const app = espalier().addHook('onRequest', async ({ raw }) => {
    for await (const _chunk of raw);
  })
  app.post('/', { schema: { body: t.Object({}) } }, () => 1)
  const [{ statusCode }, text] = await silenced(() =>
    app.inject({ method: 'POST', url: '/', payload: {} }),
  )
  assert.equal(statusCode, 500)
  assert.match(text, /The body was read before its turn/)
  await app.close()
})

test('a client that goes away while its body is read is no error of the server', async () => {
  let told: (status: number) => void = () => {}
  const status = new Promise<number>((resolve) => (told = resolve))
  const app = espalier()
  app.setErrorHandler((_error, _request, reply) => {
    told(reply.statusCode)
    return reply.send('gone')
  })
  app.post('/', () => 1)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const head = 'host: a\r\ncontent-type: application/json\r\ncontent-length: 100'
  socket.write(`POST / HTTP/1.1\r\n${head}\r\n\r\n{`)
  app.server.once('request', () => socket.destroy())
  assert.equal(await status, 400)
  await app.close()
})

test('a second payload is told to stderr, with the route', async () => {
  const app = espalier().get('/', (_request, reply) => {
    reply.send('a')
    reply.send('b')
  })
  const [{ body }, text] = await silenced(() => app.inject({ url: '/' }))
  assert.equal(body, 'a')
  assert.match(text, /GET \/ in root.*sent already/)
  await app.close()
})

test('a request may be sent in an onReady hook', async () => {
  const app = espalier().get('/', () => 'ok')
  const seen: string[] = []
  app.addHook('onReady', async () => {
    seen.push((await app.inject({ url: '/' })).body)
  })
  await app.ready()
  assert.deepEqual(seen, ['ok'])
  await app.close()
})

test('an onReady hook that never ends stops the boot with an error that names it', async () => {
  const app = espalier({ pluginTimeout: 20 })
  app.register(async function endless(child) {
    child.addHook('onReady', () => new Promise(() => {}))
  })
  await assert.rejects(async () => app.ready(), {
    code: 'ESP_ERR_HOOK_TIMEOUT',
    message:
      "The 'onReady' hook in root > endless did not end in 20 ms. Was 'done' not called, or a promise never settled?",
  })
})

test('two keys for one class of statuses are a boot error', async () => {
  const app = espalier()
  app.get('/', { schema: { response: { '2xx': t.Integer(), '2XX': t.Integer() } } }, () => 1)
  await assert.rejects(async () => app.ready(), { code: 'ESP_ERR_SCH_DUPLICATE' })
})

test('header names are lowered in what a schema refers to and is made of, too', async () => {
  const app = untyped().addSchema({
    $id: 'h',
    type: 'object',
    properties: { 'X-A': { type: 'integer' } },
    required: ['X-A'],
  })
  app.get('/', { schema: { headers: { $ref: 'h#' } } }, (request) => request.headers['x-a'])
  const allOf = [{ type: 'object', properties: {}, required: ['X-B'] }]
  app.get('/all', { schema: { headers: { allOf } } }, () => 'ok')
  const headers = { 'x-a': '3', 'x-b': 'b' }
  assert.equal((await app.inject({ url: '/', headers })).body, '3')
  assert.equal((await app.inject({ url: '/' })).statusCode, 400)
  assert.equal((await app.inject({ url: '/all', headers })).body, 'ok')
  assert.equal((await app.inject({ url: '/all' })).statusCode, 400)
})

test('wrong arguments of a shortcut, and options that do nothing here, are refused', () => {
  const app = untyped()
  const handler = () => 1
  const wrong = { code: 'ESP_ERR_ROUTE_ARGUMENTS' }
  assert.throws(() => app.get('/x', 'abc' as never, handler), wrong)
  assert.throws(() => app.get('/x', { handler }, handler), wrong)
  assert.throws(() => app.get('/x', { serializerOpts: 1 }, handler), {
    code: 'ESP_ERR_ROUTE_OPTION',
    message: /serializerOpts.*is not supported/,
  })
  assert.throws(() => untyped({ ajv: { customOption: {} } }), { code: 'ESP_ERR_INIT_OPTS_INVALID' })
  assert.throws(() => untyped({ ajv: { plugins: [5] } }), { code: 'ESP_ERR_INIT_OPTS_INVALID' })
})

test('a validator that returns an Error, or a thenable of issues, refuses the request', async () => {
  const app = untyped()
  const validatorCompiler = () => () => new Error('no')
  app.post('/a', { schema: { body: {} }, validatorCompiler }, () => 1)
  const result = { issues: [{ message: 'no' }] }
  const thenable = { then: (resolve: (value: unknown) => void) => resolve(result) }
  const body = { '~standard': { version: 1, vendor: 'x', validate: () => thenable } }
  app.post('/b', { schema: { body } }, () => 1)
  for (const url of ['/a', '/b']) {
    assert.equal((await app.inject({ method: 'POST', url, payload: {} })).statusCode, 400, url)
  }
})

test('an aborted request line is answered as HTTP has it', async () => {
  const app = espalier()
  const url = await app.listen({ port: 0 })
  const { status } = await rawRequest(url, ['NONSENSE'], '')
  assert.equal(status, 400)
  await app.close()
})
