// What onSend makes of the body of a reply, and what leaves then.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { createGzip, gunzipSync } from 'node:zlib'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler } from '../support/untyped.ts'

type Loose = Parameters<AnyHandler>[0]

/** A hook with any number of parameters. */
const hook = (run: (this: Loose, ...args: Loose[]) => unknown): AnyHandler => run

test('the length of a body that onSend replaced is sent, whatever length the handler had set', async () => {
  const app = untyped().addHook('onSend', async () => 'ünïcode')
  app.get('/', (_request, reply) => reply.header('content-length', 3).send('abc'))
  app.get('/bytes', { onSend: async () => Buffer.from('ü') }, () => 'abc')
  app.get('/none', (_request, reply) => reply.code(204).send())
  for (const [url, body] of [
    ['/', 'ünïcode'],
    ['/bytes', 'ü'],
  ] as const) {
    const response = await app.inject(url)
    assert.equal(response.body, body)
    assert.equal(response.headers['content-length'], String(Buffer.byteLength(body)))
  }
  const none = await app.inject('/none')
  assert.deepEqual([none.statusCode, none.body], [204, ''])
  assert.equal('content-length' in none.headers, false)
  await app.close()
})

test('a HEAD request has the length of the body that onSend makes, and no body', async () => {
  const app = untyped()
    .addHook('onSend', async () => 'replaced')
    .get('/', () => 'x')
  const { headers, body } = await app.inject({ method: 'HEAD', url: '/' })
  assert.deepEqual([headers['content-length'], body], ['8', ''])
  await app.close()
})

test('onSend may change the status and the headers, and add and remove some', async () => {
  const app = untyped().addHook(
    'onSend',
    hook((_request, reply, _payload, done) => {
      reply.code(202).type('text/html').header('x-added', 'é').removeHeader('x-removed')
      done()
    }),
  )
  app.get('/', (_request, reply) => reply.header('x-removed', 1).header('x-kept', 2).send('a'))
  app.get('/gone', { onSend: hook(async (_request, reply) => void reply.code(204)) }, () => 'a')
  const { statusCode, headers, body } = await app.inject('/')
  assert.deepEqual([statusCode, headers['content-type']], [202, 'text/html; charset=utf-8'])
  assert.deepEqual([headers['x-added'], headers['x-kept'], body], ['é', '2', 'a'])
  assert.equal('x-removed' in headers, false)
  const gone = await app.inject('/gone')
  assert.deepEqual([gone.statusCode, gone.body], [204, ''])
  assert.equal('content-type' in gone.headers, false)
  await app.close()
})

test('onSend may put a stream in the place of text, and of a stream', async () => {
  const zip = hook(async (_request, reply, payload) => {
    reply.header('content-encoding', 'gzip')
    const stream = payload instanceof Readable ? payload : Readable.from([payload])
    return stream.pipe(createGzip())
  })
  const app = untyped().addHook('onSend', zip)
  app.get('/object', () => ({ a: 1 })).get('/stream', () => Readable.from(['a', 'b']))
  for (const [url, text] of [
    ['/object', '{"a":1}'],
    ['/stream', 'ab'],
  ] as const) {
    const { headers, rawPayload } = await app.inject(url)
    assert.equal(gunzipSync(rawPayload).toString(), text)
    assert.equal('content-length' in headers, false)
  }
  await app.close()
})

test('onSend may give bytes of all kinds, a web stream and a Response, as a handler may', async () => {
  const bytes = new TextEncoder().encode('web')
  for (const make of [
    () => bytes,
    () => bytes.buffer,
    () => new DataView(bytes.buffer),
    () => new Blob(['web']).stream(),
    () => new Response('web', { headers: { 'x-a': '1' } }),
  ]) {
    const app = untyped()
      .addHook('onSend', async () => make())
      .get('/', () => 'text')
    const { statusCode, body } = await app.inject('/')
    assert.deepEqual([statusCode, body], [200, 'web'], String(make))
    await app.close()
  }
})

for (const [what, payload] of Object.entries({
  'a number': 7,
  'an object': { a: 1 },
  'a list': ['a'],
  true: true,
  'a symbol': Symbol('x'),
  'a function': () => 'x',
})) {
  test(`${what} that onSend gives cannot be sent: it is one 500, through the error handler`, async () => {
    const errors: Loose[] = []
    let runs = 0
    const app = untyped().addHook('onSend', async () => (++runs === 1 ? payload : undefined))
    app.setErrorHandler(async (error, _request, reply) => {
      errors.push(error)
      return reply.send(`told of ${error.code}`)
    })
    app.get('/', () => 'text')
    const { statusCode, body } = await app.inject('/')
    const code = 'ESP_ERR_REP_INVALID_PAYLOAD_TYPE'
    assert.deepEqual([statusCode, body], [500, `told of ${code}`])
    assert.equal(errors.length, 1)
    assert.match(errors[0].message, /GET \/ in root.*onSend/)
    await app.close()
  })

  test(`${what} that onSend gives for every answer leaves the default answer as it is`, async () => {
    const app = untyped()
      .addHook('onSend', async () => payload)
      .get('/', () => 'text')
    const [{ statusCode, body, headers }, log] = await silenced(async () => app.inject('/'))
    const message = 'Internal Server Error'
    assert.deepEqual(JSON.parse(body), { statusCode: 500, error: message, message })
    assert.deepEqual([statusCode, headers['content-length']], [500, String(body.length)])
    assert.match(log, /GET \/ in root.*onSend/)
    await app.close()
  })
}

test('what preSerialization gives and no serializer takes is one 500, through the error handler', async () => {
  for (const payload of [1n, Symbol('x'), () => 1]) {
    const errors: unknown[] = []
    const app = untyped().addHook('preSerialization', async () => payload)
    app.setErrorHandler(async (error) => {
      errors.push(error)
      return 'answered'
    })
    app.get('/', () => ({}))
    const { statusCode, body } = await app.inject('/')
    assert.deepEqual([statusCode, body, errors.length], [500, 'answered', 1])
    await app.close()
  }
})

test('a body that onSend gives to a reply without one is sent', async () => {
  const seen: unknown[] = []
  const app = untyped().addHook(
    'onSend',
    hook(async (_request, _reply, payload) => {
      seen.push(payload)
      return 'body'
    }),
  )
  app.get('/', (_request, reply) => reply.send())
  assert.equal((await app.inject('/')).body, 'body')
  assert.deepEqual(seen, [undefined])
  await app.close()
})
