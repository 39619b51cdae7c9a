import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { client } from '../../src/client/client.ts'
import espalier, { EspalierError, t } from '../../src/index.ts'

type Loose = any

const User = t.Object({ id: t.Integer(), name: t.String() }, { $id: 'user' })
const app = espalier()
  .addSchema(User)
  .get('/health', async () => ({ ok: true }))
  .get('/text', () => 'words')
  .get('/none', { schema: { response: { 204: t.Null() } } }, (_request, reply) =>
    reply.code(204).send(null),
  )
  .get('/cookies', (_request, reply) => {
    reply.header('set-cookie', ['a=1', 'b=2']).header('x-own', 'yes')
    return 1
  })
  .register(
    async (users) =>
      users
        .get(
          '/:id',
          {
            schema: {
              params: { id: t.Integer() },
              response: { 200: t.Ref('user#'), 404: { message: t.String() } },
            },
          },
          async ({ params }, reply) =>
            params.id > 9
              ? reply.code(404).send({ message: 'no such user' })
              : { id: params.id, name: 'Ada' },
        )
        .post(
          '/',
          {
            schema: {
              body: t.Object({ name: t.String(), age: t.Integer({ default: 1 }) }),
              querystring: { dry: t.Optional(t.Boolean()), tags: t.Optional(t.Array(t.String())) },
              headers: { 'x-count': t.Optional(t.Integer()) },
              response: { 201: t.Object({ seen: t.Unknown() }) },
            },
          },
          async ({ body, query, headers }, reply) =>
            reply.code(201).send({ seen: { body, query, count: headers['x-count'] } }),
        ),
    { prefix: '/v1/users' },
  )
const echo = { url: '/echo/*', handler: echoed } as const
const loose = app
  .route({ ...echo, method: ['GET', 'POST', 'PUT', 'DELETE'] })
  .get('/at/:a/:b?', ({ params, query, headers }) => ({ params, query, headers }))

function echoed(request: Loose) {
  const { method, url, headers, body } = request
  return { method, url, type: headers['content-type'], token: headers.authorization, body }
}

const url = await loose.listen({ port: 0, host: '127.0.0.1' })
after(() => loose.close())
const api = client<typeof loose>(url)
/** The same without types, for calls that these would refuse. */
const untyped = api as Loose

test('a route without input is called by its key', async () => {
  const response = await api('GET /health')
  assert.deepEqual(response.json(), { ok: true })
  assert.equal(response.statusCode, 200)
  assert.equal(response.body, '{"ok":true}')
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8')
})

test('the status tells responses apart, and an error status is an answer', async () => {
  const found = await api('GET /v1/users/:id', { params: { id: 1 } })
  assert.ok(found.statusCode === 200)
  assert.equal(found.json().name, 'Ada')
  const missing = await api('GET /v1/users/:id', { params: { id: 10 } })
  assert.ok(missing.statusCode === 404)
  assert.equal(missing.json().message, 'no such user')
  const refused = await untyped('GET /v1/users/:id', { params: { id: 'x' } })
  assert.equal(refused.statusCode, 400)
  assert.equal(refused.json().code, 'ESP_ERR_VALIDATION')
})

test('body, query and headers arrive as the schema types them', async () => {
  const response = await api('POST /v1/users', {
    body: { name: 'Ada' },
    query: { dry: true, tags: ['a', 'b&c'] },
    headers: { 'x-count': 3 },
  })
  const query = { dry: true, tags: ['a', 'b&c'] }
  assert.deepEqual(response.json().seen, { body: { name: 'Ada', age: 1 }, query, count: 3 })
})

test('path parameters are encoded', async () => {
  for (const a of ['a b', 'a/b?c#d%e', 'ü€', '...', 7, false]) {
    const { params } = (await untyped('GET /at/:a/:b?', { params: { a } })).json()
    assert.equal(params.a, String(a))
  }
  const { params } = (await api('GET /at/:a/:b?', { params: { a: 'x', b: 'y' } })).json()
  assert.deepEqual({ ...params }, { a: 'x', b: 'y' })
  const { url } = (await api('GET /echo/*', { params: { '*': 'a b/c?d' } })).json()
  assert.equal(url, '/echo/a%20b/c%3Fd')
})

test('a path that cannot be filled in is an error that names the route and the parameter', async () => {
  for (const input of [undefined, {}, { params: {} }, { params: { id: null } }]) {
    await assert.rejects(untyped('GET /v1/users/:id', input), (error: Loose) => {
      assert.ok(error instanceof EspalierError)
      assert.equal(error.code, 'ESP_ERR_CLIENT_ROUTE')
      assert.match(error.message, /'GET \/v1\/users\/:id' lacks the path parameter 'id'/)
      return true
    })
  }
})

test('a parameter cannot lead to another route', async () => {
  for (const id of ['.', '..']) {
    const expected = { code: 'ESP_ERR_CLIENT_ROUTE', message: /'\.' or '\.\.'/ }
    await assert.rejects(untyped('GET /v1/users/:id', { params: { id } }), expected)
    await assert.rejects(untyped('GET /echo/*', { params: { '*': `a/${id}/b` } }), expected)
  }
})

test('lists in a query repeat their name, and what is undefined is left out', async () => {
  const query = { ids: [1, 2], one: ['x'], none: [], gone: undefined, no: false, zero: 0, s: 'a b' }
  const { query: seen } = (await untyped('GET /at/:a/:b?', { params: { a: 1 }, query })).json()
  assert.deepEqual(seen, { ids: ['1', '2'], one: 'x', no: 'false', zero: '0', s: 'a b' })
})

test('a body is JSON unless it has another type', async () => {
  const send = async (body: unknown, type?: string) => {
    const headers = type === undefined ? {} : { 'Content-Type': type }
    const input = { params: { '*': 'x' }, body, headers }
    return (await untyped('POST /echo/*', input)).json()
  }
  for (const body of [{ n: 1 }, [1], 'text', 7, false, null]) {
    assert.deepEqual((await send(body)).body, body)
    assert.deepEqual((await send(body, 'application/json; charset=utf-8')).body, body)
  }
  const text = await send('text', 'text/plain')
  assert.deepEqual([text.body, text.type], ['text', 'text/plain'])
})

test('text is given as it is, no body is null, and what is not JSON throws', async () => {
  assert.equal((await api('GET /text')).json(), 'words')
  const none = await api('GET /none')
  assert.deepEqual([none.statusCode, none.body, none.json()], [204, '', null])
  const headers = { 'content-type': 'application/json' }
  const broken = client<typeof loose>('', { fetch: async () => new Response('{', { headers }) })
  const response = await broken('GET /health')
  assert.throws(() => response.json(), SyntaxError)
  assert.equal(response.body, '{')
})

test('cookies are a list, other headers are text', async () => {
  const { headers } = await api('GET /cookies')
  assert.deepEqual(headers['set-cookie'], ['a=1', 'b=2'])
  assert.equal(headers['x-own'], 'yes')
})

test('the headers of all calls are given, or asked for each; those of a call win', async () => {
  let asked = 0
  const token = async () => ({ Authorization: `Bearer ${++asked}`, gone: undefined })
  for (const headers of [{ Authorization: 'Bearer 1' }, token]) {
    const own = client<typeof loose>(url, { headers })
    const first = await own('GET /echo/*', { params: { '*': 'a' } })
    assert.equal(first.json().token, 'Bearer 1')
    const input = { params: { '*': 'a' }, headers: { authorization: 'mine' } }
    const second: Loose = await (own as Loose)('GET /echo/*', input)
    assert.equal(second.json().token, 'mine')
  }
  assert.equal(asked, 2)
})

test('a base URL may have a path, and a slash at its end', async () => {
  for (const base of [`${url}/echo`, `${url}/echo/`, new URL(`${url}/echo/`)]) {
    const response = await (client<typeof loose>(base) as Loose)('GET /health')
    assert.equal(response.json().url, '/echo/health')
  }
})

test('another fetch takes the place of the global one', async () => {
  const calls: unknown[] = []
  const own = client<typeof loose>('https://x.test', {
    fetch: async (target, { method, body }) => {
      calls.push([target, method, body])
      return Response.json({ ok: true })
    },
  })
  assert.deepEqual((await own('GET /health')).json(), { ok: true })
  await own('POST /v1/users', { body: { name: 'x' }, query: { dry: true } })
  assert.deepEqual(calls, [
    ['https://x.test/health', 'GET', undefined],
    ['https://x.test/v1/users?dry=true', 'POST', '{"name":"x"}'],
  ])
})

test('a signal ends a call, and errors of the network pass through', async () => {
  const failure = new Error('no network')
  const down = client<typeof loose>(url, { fetch: () => Promise.reject(failure) })
  await assert.rejects(down('GET /health'), failure)
  await assert.rejects(client<typeof loose>('http://127.0.0.1:1')('GET /health'), TypeError)
  await assert.rejects(api('GET /health', {}, { signal: AbortSignal.abort(failure) }), failure)
  assert.equal((await api('GET /health', undefined, { signal: undefined })).statusCode, 200)
})

test('a call of HEAD has the body that its type has: it was typed as what GET sends, and is none', async () => {
  const app = espalier()
    .route({ method: ['GET', 'HEAD'], url: '/json', handler: () => ({ a: 1 }) })
    .head('/text', () => 'text')
  const call = client<typeof app>(await app.listen({ port: 0, host: '127.0.0.1' }))
  const bodies: (null | '')[] = [
    (await call('HEAD /json')).json(),
    (await app.inject('HEAD /json')).json(),
    (await call('HEAD /text')).json(),
    (await app.inject('HEAD /text')).json(),
  ]
  await app.close()
  assert.deepEqual(bodies, [null, null, '', ''])
})

test('of a type that is neither text nor JSON a call has what is JSON, and else the text: it was typed as the first', async () => {
  const Row = t.Object({ id: t.Integer() })
  const response = { 200: { content: { 'application/xml': { schema: Row } } } }
  const app = espalier()
    .get('/own', { schema: { response } }, (_request, reply) =>
      reply.serializer(() => '<id>1</id>').send({ id: 1 }),
    )
    .get('/schema', { schema: { response } }, () => ({ id: 1 }))
  const call = client<typeof app>(await app.listen({ port: 0, host: '127.0.0.1' }))
  const parsed: ({ id: number } | string)[] = [
    (await call('GET /own')).json(),
    (await app.inject('GET /own')).json(),
    (await call('GET /schema')).json(),
    (await app.inject('GET /schema')).json(),
  ]
  await app.close()
  assert.deepEqual(parsed, ['<id>1</id>', '<id>1</id>', { id: 1 }, { id: 1 }])
})
