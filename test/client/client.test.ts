import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { client, ClientError, UndeclaredResponse } from '../../src/client/index.ts'
import espalier, { EspalierError, t } from '../../src/index.ts'

type Loose = any

let cut = () => {}
const User = t.Object({ id: t.Integer(), name: t.String() }, { $id: 'user' })
const app = espalier()
  .addSchema(User)
  .get('/health', async () => ({ ok: true }))
  .get('/text', () => 'words')
  .get('/numbers/:n', { schema: { params: { n: t.Integer() } } }, ({ params: { n } }, reply) =>
    n === 7 ? reply.code(418).send(n) : n,
  )
  .get('/never', () => new Promise<number>(() => {}))
  .get('/cut', (_request, reply) => {
    reply.raw.writeHead(200, { 'content-length': 9 }).write('{')
    setImmediate(() => reply.raw.destroy())
  })
  .get('/cut/bytes', (_request, reply) => {
    const headers = { 'content-length': 9, 'content-type': 'image/png' }
    reply.raw.writeHead(200, headers).write('{')
    cut = () => reply.raw.destroy()
  })
  .get('/bytes', () => new Uint8Array([0, 255]))
  .get('/form', (_request, reply) =>
    reply.type('application/x-www-form-urlencoded').send('a=b%20c'),
  )
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
const json = 'application/json; charset=utf-8'
/** The same without types, for calls that these would refuse. */
const untyped = api as Loose

test('a route without input is called by its key', async () => {
  const response = await api('GET /health')
  assert.deepEqual(response.json(), { ok: true })
  assert.equal(response.statusCode, 200)
  assert.equal(await response.text(), '{"ok":true}')
  assert.equal(response.ok && response.declared, true)
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8')
})

test('the status tells responses apart, and what is not declared is thrown', async () => {
  const found = await api('GET /v1/users/:id', { params: { id: 1 } })
  assert.ok(found.statusCode === 200)
  assert.equal(found.json().name, 'Ada')
  const missing = await api('GET /v1/users/:id', { params: { id: 10 } })
  assert.ok(missing.statusCode === 404)
  assert.equal(missing.json().message, 'no such user')
  await assert.rejects(untyped('GET /v1/users/:id', { params: { id: 'x' } }), (error: unknown) => {
    assert.ok(error instanceof UndeclaredResponse && error instanceof ClientError)
    assert.equal(
      error.message,
      "The call of 'GET /v1/users/:id' was answered with the undeclared status 400, without the header 'declared'",
    )
    const { name, code, statusCode, headers, request, response } = error
    assert.deepEqual([name, code], ['UndeclaredResponse', 'ESP_ERR_CLIENT_UNDECLARED'])
    assert.deepEqual([statusCode, headers['content-type']], [400, json])
    const asked = { key: 'GET /v1/users/:id', method: 'GET', url: `${url}/v1/users/x` }
    assert.deepEqual(request, asked)
    assert.deepEqual([response.declared, response.ok], [false, false])
    assert.equal((response.json() as Loose).code, 'ESP_ERR_VALIDATION')
    return true
  })
})

test('a client may return what is not declared, beside what is', async () => {
  const all = client<typeof loose>(url, { undeclared: 'return' })
  const input = { params: { id: 'x' as Loose } }
  const refused = await all('GET /v1/users/:id', input)
  assert.ok(!refused.declared)
  assert.deepEqual([refused.statusCode, refused.ok], [400, false])
  const missing = await all('GET /v1/users/:id', { params: { id: 10 } })
  assert.ok(missing.declared && missing.statusCode === 404)
  assert.equal(missing.json().message, 'no such user')
})

test('a route that declares no responses has its successes, and a failed validation', async () => {
  const found = await api('GET /numbers/:n', { params: { n: 1 } })
  assert.ok(found.ok)
  assert.equal(found.json(), 1)
  const refused = await untyped('GET /numbers/:n', { params: { n: 'x' } })
  assert.deepEqual([refused.declared, refused.statusCode], [true, 400])
  assert.equal(refused.json().message, 'params/n must be integer')
  const failed = api('GET /numbers/:n', { params: { n: 7 } })
  await assert.rejects(failed, { name: 'UndeclaredResponse', statusCode: 418 })
})

test('the header, the status and the type tell what is declared; a redirect leads to another route', async () => {
  const declared = async (status: number, mark?: string, redirected = false) => {
    const headers = mark === undefined ? {} : { declared: mark }
    const response = Object.assign(new Response(null, { status, headers }))
    Object.defineProperty(response, 'redirected', { value: redirected })
    const call = client<typeof loose>('', { fetch: async () => response, undeclared: 'return' })
    return (await call('GET /health')).declared
  }
  assert.deepEqual(
    await Promise.all([
      ...[declared(200), declared(204), declared(404), declared(304), declared(500)],
      ...[declared(200, '?0'), declared(404, '?1'), declared(404, '?0'), declared(200, 'x')],
      ...[declared(200, undefined, true), declared(404, '?1', true)],
    ]),
    [...[true, true, false, false, false], ...[false, true, false, true], ...[false, false]],
  )
  const page = async (headers: Record<string, string>) => {
    const fetch = async () =>
      new Response('<p>', { headers: { 'content-type': 'Text/HTML; charset=utf-8', ...headers } })
    return (await client<typeof loose>('', { fetch, undeclared: 'return' })('GET /health')).declared
  }
  assert.deepEqual([await page({}), await page({ declared: '?1' })], [false, true])
  const other = espalier().get('/health', (_request, reply) => reply.redirect('/users'))
  other.get('/users', () => ({ ok: 'other' }))
  const moved = client<typeof loose>(await other.listen({ port: 0, host: '127.0.0.1' }))
  await assert.rejects(
    moved('GET /health'),
    /answered with the undeclared status 200 by http.*\/users$/,
  )
  await other.close()
})

test('a server that throws an answer of another one answers with 500, and tells nothing of it', async () => {
  const gateway = espalier({ logger: false }).get('/users', () =>
    untyped('GET /v1/users/:id', { params: { id: 'x' } }),
  )
  const response = await gateway.inject({ url: '/users' })
  const message = 'Internal Server Error'
  assert.deepEqual(response.json(), { statusCode: 500, error: message, message })
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

test('a date in a query is text as in JSON, a query may be made before, and other objects are refused', async () => {
  const ask = (query: unknown) => untyped('GET /at/:a/:b?', { params: { a: 1 }, query })
  const { query } = (await ask({ at: new Date(0), all: [new Date(1)] })).json()
  assert.deepEqual(query, { at: '1970-01-01T00:00:00.000Z', all: '1970-01-01T00:00:00.001Z' })
  const made = (await ask(new URLSearchParams('a=1&a=2'))).json()
  assert.deepEqual(made.query, { a: ['1', '2'] })
  const message = "The call of 'GET /at/:a/:b?' has an object at 'by' of a query"
  for (const by of [{ a: 1 }, [{}], new Map()])
    await assert.rejects(ask({ by }), { code: 'ESP_ERR_CLIENT_ROUTE', message })
})

test('what cannot be written as JSON or as a header is an error that names the call', async () => {
  const code = 'ESP_ERR_CLIENT_ROUTE'
  const says = (message: RegExp) => ({ code, name: 'ClientError', message })
  const large = { body: { n: 1n } }
  await assert.rejects(
    untyped('POST /v1/users', large),
    says(/^The call of 'POST \/v1\/users' failed: .*BigInt/),
  )
  const expected = { code: 'ESP_ERR_INJECT_ROUTE', message: /failed: .*BigInt/ }
  await assert.rejects(async () => (loose as Loose).inject('POST /v1/users', large), expected)
  for (const headers of [{ 'x-name': '€' }, { 'x name': 'x' }, { x: 'a\r\nb' }])
    await assert.rejects(api('GET /health', { headers }), says(/failed: /))
  const failure = new Error('no token')
  const headers = () => Promise.reject(failure)
  await assert.rejects(client<typeof loose>(url, { headers })('GET /health'), failure)
})

test('a fetch whose headers know no cookies is enough', async () => {
  const fetch = async () => {
    const response = Response.json({ ok: true })
    Object.assign(response.headers, { getSetCookie: undefined })
    return response
  }
  const response = await client<typeof loose>('', { fetch })('GET /health')
  assert.deepEqual([response.json(), response.headers['set-cookie']], [{ ok: true }, undefined])
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
  const none = await untyped('GET /none')
  assert.deepEqual([none.statusCode, await none.text(), none.json()], [204, '', null])
  const headers = { 'content-type': 'application/json' }
  const broken = client<typeof loose>('', { fetch: async () => new Response('{', { headers }) })
  const response = await broken('GET /health')
  assert.throws(
    () => response.json(),
    (error: Loose) => {
      assert.ok(error instanceof ClientError && error.cause instanceof SyntaxError)
      assert.equal(error.code, 'ESP_ERR_CLIENT_JSON')
      assert.match(error.message, /^The call of 'GET \/health' gave no JSON: /)
      return true
    },
  )
  assert.equal(await response.text(), '{')
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

test('errors of the network say which call failed, and have the error of fetch as their cause', async () => {
  const failure = new Error('no network')
  const down = client<typeof loose>(url, { fetch: () => Promise.reject(failure) })
  const code = 'ESP_ERR_CLIENT_NETWORK'
  const request = { key: 'GET /health', method: 'GET', url: `${url}/health` }
  const message = "The call of 'GET /health' failed: no network"
  const expected = { code, name: 'ClientError', cause: failure, request, message }
  await assert.rejects(down('GET /health'), expected)
  await assert.rejects(
    client<typeof loose>('http://127.0.0.1:1')('GET /health'),
    (error: Loose) => {
      assert.match(error.message, /failed: fetch failed \(.+\)$/)
      return error.code === code && error.cause instanceof TypeError
    },
  )
  const nothing: Loose = { fetch: async () => undefined }
  const unclear = { code, message: /^The call of 'GET \/health' failed: .*undefined/ }
  await assert.rejects(client<typeof loose>('', nothing)('GET /health'), unclear)
  await assert.rejects(api('GET /cut'), { code })
  const bytes = await api('GET /cut/bytes')
  cut()
  await assert.rejects(bytes.text(), { code })
})

test('a signal ends a call: the reason is the cause, the name is that of an abort', async () => {
  const failure = new Error('not wanted')
  const code = 'ESP_ERR_CLIENT_ABORTED'
  const signal = AbortSignal.abort(failure)
  const expected = { code, name: 'AbortError', cause: failure }
  await assert.rejects(api('GET /health', {}, { signal }), expected)
  await assert.rejects(api('GET /health', {}, { signal: AbortSignal.abort() }), {
    name: 'AbortError',
  })
  const late = api('GET /never', {}, { signal: AbortSignal.timeout(1) })
  await assert.rejects(late, { code, name: 'TimeoutError' })
  const own = (_url: string, init: RequestInit) =>
    fetch(`${url}/never`, { ...init, signal: AbortSignal.timeout(1) })
  await assert.rejects(client<typeof loose>(url, { fetch: own })('GET /health'), {
    name: 'TimeoutError',
  })
  assert.equal((await api('GET /health', undefined, { signal: undefined })).statusCode, 200)
})

test('a body is read as text, bytes, a stream or a form, and what is bytes is no JSON', async () => {
  const text = await api('GET /text')
  assert.equal(await text.text(), 'words')
  assert.equal(String(Buffer.from(await text.bytes())), 'words')
  assert.equal(await new Response(text.stream()).text(), 'words')
  assert.equal(text.raw.url, `${url}/text`)
  const bytes = await untyped('GET /bytes')
  assert.throws(() => bytes.json(), {
    code: 'ESP_ERR_CLIENT_JSON',
    message: /application\/octet-stream is not read/,
  })
  assert.deepEqual(await bytes.bytes(), new Uint8Array([0, 255]))
  await assert.rejects(bytes.text(), { code: 'ESP_ERR_CLIENT_NETWORK', message: /read/ })
  const form = await untyped('GET /form')
  assert.equal((await form.formData()).get('a'), 'b c')
  const multipart = client<typeof loose>('', { fetch: async () => new Response(new FormData()) })
  assert.deepEqual([...(await (await (multipart as Loose)('GET /form')).formData())], [])
})

test('credentials are those of the options', async () => {
  let seen: unknown
  const own = client<typeof loose>('', {
    credentials: 'include',
    fetch: async (_url, { credentials }) => {
      seen = credentials
      return Response.json({})
    },
  })
  await own('GET /health')
  assert.equal(seen, 'include')
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

test('a body that is read as a whole has at most as many bytes as an option says', async () => {
  let cancelled = 0
  const answer = (type: string) => async () => {
    let sent = 0
    const pull = (controller: ReadableStreamDefaultController) => {
      controller.enqueue(Buffer.from(`"${'x'.repeat(8)}"`))
      if (++sent === 5) controller.close()
    }
    const body = new ReadableStream({ pull, cancel: () => void (cancelled += 1) })
    return new Response(body, { headers: { 'content-type': type } })
  }
  const tooLarge = {
    code: 'ESP_ERR_CLIENT_SIZE',
    name: 'ClientError',
    message: "The call of 'GET /' gave more than 19 bytes",
  }
  const call = (type: string, option?: number, own?: number): Promise<Loose> =>
    (client('', { fetch: answer(type), maxResponseSize: option }) as Loose)(
      'GET /',
      {},
      {
        maxResponseSize: own,
      },
    )
  for (const sizes of [[19], [100, 19]]) {
    await assert.rejects(call('text/plain', ...sizes), tooLarge)
    assert.equal(cancelled, 1)
    const bytes = async () => call('image/png', ...sizes)
    await assert.rejects((await bytes()).bytes(), tooLarge)
    await assert.rejects((await bytes()).text(), tooLarge)
    await assert.rejects((await bytes()).formData(), tooLarge)
    assert.equal(cancelled, 4)
    cancelled = 0
    // What is not read as a whole has no limit.
    assert.equal((await new Response((await bytes()).stream()).text()).length, 50)
    assert.equal((await (await bytes()).raw.text()).length, 50)
  }
  assert.equal((await (await call('text/plain', 19, 50)).text()).length, 50)
  assert.equal((await (await call('image/png', 50)).bytes()).length, 50)
  assert.equal((await (await call('text/plain')).text()).length, 50)
  const used = await call('image/png')
  await used.bytes()
  await assert.rejects(used.bytes(), { code: 'ESP_ERR_CLIENT_NETWORK' })
  // React Native has no stream of a body.
  const fetch = async () =>
    Object.defineProperty(Response.json({ ok: true }), 'body', { value: undefined })
  assert.deepEqual((await (client('', { fetch }) as Loose)('GET /')).json(), { ok: true })
})

test('a redirect is followed, or is the answer', async (context) => {
  const seen: unknown[] = []
  const other = espalier().post('/', ({ headers, body }) => {
    seen.push([headers['authorization'], headers['x-api-key'], body])
    return 'other'
  })
  const to = await other.listen({ port: 0, host: '127.0.0.1' })
  const app = espalier()
    .post('/', (_request, reply) => reply.redirect(`${to}/`, 307))
    .post('/declared', { schema: { response: { 307: t.Null() } } }, (_request, reply) => {
      reply.code(307).header('location', to).send(null)
    })
  const from = await app.listen({ port: 0, host: '127.0.0.1' })
  context.after(async () => {
    await Promise.all([app.close(), other.close()])
  })
  const headers = { authorization: 'secret', 'x-api-key': 'secret' }
  const options = { headers, undeclared: 'return' } as const
  const input = { body: { card: 1 } }
  const followed = await client<typeof app>(from, options)('POST /', input)
  assert.equal(followed.statusCode, 200)
  assert.deepEqual(seen, [[undefined, 'secret', { card: 1 }]])
  const manual = await client<typeof app>(from, { ...options, redirect: 'manual' })('POST /', input)
  assert.deepEqual([manual.statusCode, manual.declared], [307, false])
  const api = client<typeof app>(from, { headers, redirect: 'manual' })
  assert.equal((await api('POST /declared', input)).statusCode, 307)
  const strict = client<typeof app>(from, { headers, redirect: 'error' })
  await assert.rejects(strict('POST /', input), { code: 'ESP_ERR_CLIENT_NETWORK' })
  assert.equal(seen.length, 1)
})

test('a stream is a body only where the platform sends streams: one without them sent its name', async (context) => {
  const sent: unknown[] = []
  const own = client<typeof loose>('https://x.test', {
    fetch: async (_url, { body }) => {
      sent.push(body)
      return Response.json({})
    },
  })
  const body = new ReadableStream()
  const send = () => (own as Loose)('POST /echo/*', { params: { '*': 'x' }, body })
  await send()
  const { Request: given } = globalThis
  context.after(() => (globalThis.Request = given))
  // As Firefox does.
  globalThis.Request = class extends given {
    constructor(input: string, init: RequestInit) {
      super(input, { method: 'POST', body: String(init.body) })
    }
  } as typeof Request
  await assert.rejects(send(), {
    code: 'ESP_ERR_CLIENT_ROUTE',
    message:
      "The call of 'POST /echo/*' has a stream as its body, which this platform cannot send. Give a Blob or bytes",
  })
  assert.deepEqual(sent, [body])
  await own('POST /v1/users', { body: { name: 'x' } })
})

test('the raw response can be read, also of a body that was read before', async () => {
  const found = await api('GET /health')
  assert.deepEqual(await found.raw.json(), { ok: true })
  assert.deepEqual(await found.raw.json(), { ok: true })
  const { url: from, status, redirected, headers } = found.raw
  assert.deepEqual([from, status, redirected], [`${url}/health`, 200, false])
  assert.equal(headers.get('content-type'), json)
  assert.equal(await (await untyped('GET /none')).raw.text(), '')
  const failed: Loose = await untyped('GET /v1/users/:id', { params: { id: 'x' } }).catch(
    (error: unknown) => error,
  )
  assert.equal(((await failed.response.raw.json()) as Loose).statusCode, 400)
  assert.equal((await failed.response.raw.text())[0], '{')
})

test('a base URL without a host is an error where there is no page', async (context) => {
  const expected = {
    code: 'ESP_ERR_CLIENT_ROUTE',
    message: /needs a base URL with a host outside of browsers, but has '\/api'$/,
  }
  await assert.rejects(client<typeof loose>('/api')('GET /health'), expected)
  const location = { href: `${url}/page` }
  const { fetch: given } = globalThis
  context.after(() => {
    globalThis.fetch = given
    delete (globalThis as Loose).location
  })
  Object.assign(globalThis, {
    location,
    fetch: (path: string, init: RequestInit) => given(new URL(path, location.href), init),
  })
  assert.deepEqual((await client<typeof loose>('')('GET /health')).json(), { ok: true })
})
