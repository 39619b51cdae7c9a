import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier from '../../src/index.ts'
import { silenced } from '../support/silence.ts'

test('a request says what was asked, by whom, and of which route', async () => {
  const app = espalier()
  app.register(
    async (child) => {
      child.get('/x/:id', { config: { tag: 'a' } }, (request) => {
        const { id, method, url, originalUrl, host, hostname, ip, protocol, is404 } = request
        const { routeOptions, validationError } = request
        const isSame = request.server === child && request.socket === request.raw.socket
        const facts = { id, method, url, originalUrl, host, hostname, ip, protocol, is404, isSame }
        return { ...facts, validationError, route: routeOptions.url, config: routeOptions.config }
      })
    },
    { prefix: '/v1' },
  )
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const said = (await (await fetch(`${url}/v1/x/7?q=1`)).json()) as Record<string, unknown>
  assert.match(String(said['id']), /^req-\w+$/)
  delete said['id']
  assert.deepEqual(said, {
    method: 'GET',
    url: '/v1/x/7?q=1',
    originalUrl: '/v1/x/7?q=1',
    host: url.slice('http://'.length),
    hostname: '127.0.0.1',
    ip: '127.0.0.1',
    protocol: 'http',
    is404: false,
    isSame: true,
    route: '/v1/x/:id',
    config: { tag: 'a', url: '/v1/x/:id', method: 'GET' },
  })
  await app.close()
})

test('the id of a request stays, and no other request has it', async () => {
  const app = espalier().get('/', (request) => [request.id, request.id])
  const [first, again] = (await app.inject({ url: '/' })).json<unknown[]>()
  const [other] = (await app.inject({ url: '/' })).json<unknown[]>()
  assert.equal(first, again)
  assert.notEqual(first, other)
  await app.close()
})

test('the hostname is without the port, also where it is an IPv6 address', async () => {
  const app = espalier().get('/', ({ host, hostname }) => ({ host, hostname }))
  for (const [host, hostname] of [
    ['example.org:8080', 'example.org'],
    ['[::1]:8080', '[::1]'],
    ['example.org', 'example.org'],
  ]) {
    const response = await app.inject({ url: '/', headers: { host } })
    assert.deepEqual(response.json(), { host, hostname })
  }
  await app.close()
})

test('a request for which there is no route says so to hooks of the root', async () => {
  const seen: unknown[] = []
  const app = espalier().addHook('onRequest', async ({ is404, routeOptions }) => {
    seen.push(is404, routeOptions.url)
  })
  await app.inject({ url: '/nowhere' })
  assert.deepEqual(seen, [true, undefined])
  await app.close()
})

test('headers are set, read, listed, replaced and removed under any case of their names', async () => {
  const app = espalier().get('/', (_request, reply) => {
    reply.header('X-One', 1).headers({ 'x-two': 'a', 'X-Three': 'b' }).removeHeader('X-THREE')
    reply.header('x-two', 'c')
    assert.equal(reply.getHeader('X-Two'), 'c')
    assert.equal(reply.hasHeader('x-three'), false)
    assert.deepEqual({ ...reply.getHeaders() }, { 'x-one': 1, 'x-two': 'c' })
    return 'ok'
  })
  const { headers } = await app.inject({ url: '/' })
  assert.equal(headers['x-one'], '1')
  assert.equal(headers['x-two'], 'c')
  assert.equal('x-three' in headers, false)
  await app.close()
})

test('set-cookie is added to what is there, and is never shared between replies', async () => {
  const always = ['a=1', 'b=2']
  const app = espalier().get('/', (_request, reply) => {
    reply.header('set-cookie', always)
    const list = reply.getHeader('set-cookie')
    if (Array.isArray(list)) list.push('c=3')
    const copy = reply.getHeaders()['set-cookie']
    if (Array.isArray(copy)) copy.push('d=4')
    return reply.header('Set-Cookie', 'e=5').send('ok')
  })
  for (let round = 0; round < 2; round++) {
    const { headers } = await app.inject({ url: '/' })
    assert.deepEqual(headers['set-cookie'], ['a=1', 'b=2', 'c=3', 'e=5'])
  }
  assert.deepEqual(always, ['a=1', 'b=2'])
  await app.close()
})

test('statusCode, code and status set the status; what is no status is refused', async () => {
  const app = espalier()
    .get('/a', (_request, reply) => {
      Object.assign(reply, { statusCode: 202 })
      return reply.statusCode
    })
    .get('/b', (_request, reply) => reply.status(203).send('b'))
    .get('/c', (_request, reply) => {
      for (const wrong of [99, 600, 200.5, Number.NaN]) {
        assert.throws(() => reply.code(wrong), { code: 'ESP_ERR_BAD_STATUS_CODE' })
      }
      return 'c'
    })
  assert.equal((await app.inject({ url: '/a' })).statusCode, 202)
  assert.equal((await app.inject({ url: '/b' })).statusCode, 203)
  assert.equal((await app.inject({ url: '/c' })).statusCode, 200)
  await app.close()
})

test('redirect answers with a location and 302, or with the status that is given or set', async () => {
  const app = espalier()
    .get('/a', (_request, reply) => reply.redirect('/x'))
    .get('/b', (_request, reply) => reply.redirect('/x', 301))
    .get('/c', (_request, reply) => reply.code(307).redirect('/x'))
  for (const [url, status] of [
    ['/a', 302],
    ['/b', 301],
    ['/c', 307],
  ] as const) {
    const { statusCode, headers } = await app.inject({ url })
    assert.deepEqual([statusCode, headers.location], [status, '/x'])
  }
  await app.close()
})

test('type adds the charset to a text type, unless it has one', async () => {
  const app = espalier()
    .get('/a', (_request, reply) => reply.type('text/html').send('<p>'))
    .get('/b', (_request, reply) => reply.type('text/html; charset=latin1').send('<p>'))
    .get('/c', (_request, reply) => reply.type('image/png').send(Buffer.from('x')))
  const type = async (url: string) => (await app.inject({ url })).headers['content-type']
  assert.equal(await type('/a'), 'text/html; charset=utf-8')
  assert.equal(await type('/b'), 'text/html; charset=latin1')
  assert.equal(await type('/c'), 'image/png')
  await app.close()
})

test('typed arrays and array buffers are sent as bytes, a view of a part as that part', async () => {
  const bytes = new Uint8Array([1, 2, 3, 4])
  const app = espalier()
    .get('/a', () => bytes)
    .get('/b', () => bytes.buffer)
    .get('/c', () => new DataView(bytes.buffer, 1, 2))
  const sent = async (url: string) => [...(await app.inject({ url })).rawPayload]
  assert.deepEqual(await sent('/a'), [1, 2, 3, 4])
  assert.deepEqual(await sent('/b'), [1, 2, 3, 4])
  assert.deepEqual(await sent('/c'), [2, 3])
  await app.close()
})

test('a second payload is dropped: the first is the one that is sent', async () => {
  const app = espalier()
    .get('/a', (_request, reply) => {
      reply.send('first')
      reply.send('second')
    })
    .get('/b', async (_request, reply) => {
      reply.send('first')
      return 'second'
    })
  assert.equal((await app.inject({ url: '/a' })).body, 'first')
  assert.equal((await app.inject({ url: '/b' })).body, 'first')
  await app.close()
})

test('an error after the reply was sent is told to stderr, and changes nothing for the client', async () => {
  const app = espalier().get('/', async (_request, reply) => {
    reply.send('sent')
    throw new Error('too late')
  })
  const [result, text] = await silenced(() => app.inject({ url: '/' }))
  assert.equal(result.body, 'sent')
  assert.match(text, /GET \/ in root: Error: too late/)
  await app.close()
})

test('an async handler that ends without a reply is answered with 500, and does not hang', async () => {
  const app = espalier().get('/', async (_request, _reply) => {})
  const [result, text] = await silenced(() => app.inject({ url: '/' }))
  assert.equal(result.statusCode, 500)
  assert.match(text, /ESP_ERR_PROMISE_NOT_FULFILLED|ended without a reply/)
  await app.close()
})

test('a status that an async handler has chosen is its answer', async () => {
  const app = espalier()
    .get('/none', async (_request, reply) => void reply.code(204))
    .get('/made', async (_request, reply) => void reply.code(201).header('location', '/x'))
  assert.equal((await app.inject({ url: '/none' })).statusCode, 204)
  const made = await app.inject({ url: '/made' })
  assert.deepEqual([made.statusCode, made.body, made.headers['location']], [201, '', '/x'])
  await app.close()
})

test('an error handler that throws hands on to that of the parent, and at last to the default', async () => {
  const app = espalier()
  app.setErrorHandler((error, _request, reply) => {
    assert.ok(error instanceof Error)
    if (error.message === 'twice') throw Object.assign(new Error('thrice'), { statusCode: 418 })
    return reply.code(409).send({ outer: error.message })
  })
  app.register(async (child) => {
    child.setErrorHandler(async () => {
      throw new Error('twice')
    })
    child.get('/inner', () => {
      throw new Error('once')
    })
  })
  app.get('/outer', () => {
    throw new Error('once')
  })
  assert.deepEqual((await app.inject({ url: '/outer' })).json(), { outer: 'once' })
  const inner = await app.inject({ url: '/inner' })
  assert.equal(inner.statusCode, 418)
  assert.equal(inner.json<Record<string, unknown>>().message, 'thrice')
  await app.close()
})

test('an async error handler that returns nothing is answered with 500', async () => {
  const app = espalier()
  // @ts-expect-error -- types refuse it, where they can see that it takes no reply
  app.setErrorHandler(async () => {})
  app.get('/', () => {
    throw new Error('x')
  })
  const [result] = await silenced(() => app.inject({ url: '/' }))
  assert.equal(result.statusCode, 500)
  assert.equal(result.json<Record<string, unknown>>().message, 'Internal Server Error')
  await app.close()
})

test('what a handler returns goes through a send that a hook has put in place', async () => {
  const app = espalier()
  const sent: unknown[] = []
  app.addHook('onRequest', async (_request, reply) => {
    const send = reply.send.bind(reply) as (payload: unknown) => unknown
    const wrapped = (payload: unknown): unknown => {
      sent.push(payload)
      return send(payload)
    }
    Object.assign(reply, { send: wrapped })
  })
  app.get('/now', () => ({ a: 1 })).get('/later', async () => ({ a: 2 }))
  assert.equal((await app.inject('/now')).body, '{"a":1}')
  assert.equal((await app.inject('/later')).body, '{"a":2}')
  assert.deepEqual(sent, [{ a: 1 }, { a: 2 }])
})
