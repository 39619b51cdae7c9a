import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import espalier, { t, type InjectCallOptions } from '../../src/index.ts'

type Loose = any

/** A server whose route answers with what it was asked. */
function echo<const Path extends string>(path: Path, method = 'GET') {
  const app = espalier().route({
    method,
    url: path,
    handler: (request) => {
      const { url, params, query, body } = request
      return { method: request.method, url, params, query, body, headers: request.headers }
    },
  })
  return app as Loose
}

test('inject takes a URL, and boots the server first', async () => {
  const app = espalier()
  app.register(async (child) => child.get('/a', ({ query }) => query))
  const response = await app.inject('/a?x=1&y=2')
  assert.equal(response.statusCode, 200)
  assert.deepEqual(response.json(), { x: '1', y: '2' })
})

test('inject takes the options of light-my-request', async () => {
  const app = echo('/a', 'POST')
  const headers = { 'x-own': 'yes' }
  const payload = { n: 1 }
  const response = await app.inject({
    method: 'POST',
    url: '/a',
    query: { q: 'x' },
    headers,
    payload,
  })
  const seen = response.json()
  assert.deepEqual([seen.method, seen.query, seen.body], ['POST', { q: 'x' }, payload])
  assert.equal(seen.headers['x-own'], 'yes')
})

test('inject by route key sends params, query, headers and body as the schema types them', async () => {
  const app = espalier().put(
    '/users/:id',
    {
      schema: {
        params: { id: t.Integer() },
        querystring: { deep: t.Boolean(), tags: t.Array(t.String()) },
        headers: { 'x-count': t.Integer() },
        body: { name: t.String(), age: t.Optional(t.Integer()) },
      },
    },
    ({ params, query, headers, body }) => ({ params, query, count: headers['x-count'], body }),
  )
  const response = await app.inject('PUT /users/:id', {
    params: { id: 7 },
    query: { deep: true, tags: ['a', 'b&c'] },
    headers: { 'x-count': 3 },
    body: { name: 'Ada' },
  })
  const { params, query, count, body } = response.json() as Loose
  assert.deepEqual(params, { id: 7 })
  assert.deepEqual(query, { deep: true, tags: ['a', 'b&c'] })
  assert.equal(count, 3)
  assert.deepEqual(body, { name: 'Ada' })
})

test('a list of one in a header arrives as that, and so does its item: calls took lists of more, which were one text', async () => {
  const schema = {
    headers: { 'x-l': t.Array(t.String()), 'x-n': t.Optional(t.Array(t.Integer())) },
  }
  const app = espalier().get('/', { schema }, ({ headers }) => [headers['x-l'], headers['x-n']])
  const seen = async (headers: { 'x-l': string | readonly [string]; 'x-n': number }) =>
    (await app.inject('GET /', { headers })).json() as unknown
  assert.deepEqual(await seen({ 'x-l': ['a'], 'x-n': 1 }), [['a'], [1]])
  assert.deepEqual(await seen({ 'x-l': 'a, b', 'x-n': 2 }), [['a, b'], [2]])
})

test('headers that no schema names are sent, too', async () => {
  const schema = { params: { id: t.Integer() }, headers: { 'x-a': t.String() } }
  const app = espalier().get('/:id', { schema }, ({ headers }) => headers)
  const headers = { 'x-a': 'a', authorization: 'x', 'x-count': 1, 'x-on': true, gone: undefined }
  const seen = (await app.inject('GET /:id', { params: { id: 1 }, headers })).json() as Loose
  const { authorization, 'x-a': own, 'x-count': count, 'x-on': on, gone = null } = seen
  assert.deepEqual([authorization, own, count, on, gone], ['x', 'a', '1', 'true', null])
})

test('the headers of a call are text, under names in any case', async () => {
  const schema = { headers: { 'X-A': t.String(), 'x-n': t.Optional(t.Integer()) } }
  const app = espalier().get('/', { schema }, ({ headers }) => ({
    a: headers['x-a'],
    n: headers['x-n'] ?? null,
  }))
  assert.deepEqual((await app.inject('GET /', { headers: { 'x-a': '1', 'x-n': '2' } })).json(), {
    a: '1',
    n: 2,
  })
  assert.deepEqual((await app.inject('GET /', { headers: { 'X-A': '1' } })).json(), {
    a: '1',
    n: null,
  })
})

test('a body that is left out is valid where null is, and no empty object', async () => {
  const fields = { a: t.Optional(t.Integer()) }
  const app = espalier()
    .post('/fields', { schema: { body: fields } }, () => 1)
    .post('/null', { schema: { body: t.Union([t.Object(fields), t.Null()]) } }, () => 1)
    .post('/any', { schema: { body: t.Unknown() } }, () => 1)
  assert.equal((await app.inject('POST /null')).statusCode, 200)
  assert.equal((await app.inject('POST /any')).statusCode, 200)
  assert.equal((await app.inject('POST /fields', { body: {} })).statusCode, 200)
  // @ts-expect-error -- types have it, too
  assert.equal((await app.inject('POST /fields')).statusCode, 400)
})

test('what may be left out may be undefined, under exactOptionalPropertyTypes, too', async () => {
  const schema = {
    querystring: { q: t.Optional(t.String()), n: t.Integer({ default: 1 }) },
    headers: { 'X-A': t.Optional(t.Integer()) },
  }
  const app = espalier().get('/:a/:b?', { schema }, ({ params, query }) => ({ params, query }))
  const bare = await app.inject('GET /:a/:b?', {
    params: { a: 'x', b: undefined },
    query: { q: undefined, n: undefined },
    headers: { 'x-a': undefined, 'X-A': undefined, 'x-other': undefined },
  })
  assert.deepEqual(bare.json(), { params: { a: 'x' }, query: { n: 1 } })
  const absent = { query: undefined, headers: undefined }
  const none = await app.inject('GET /:a/:b?', { params: { a: 'x' }, ...absent })
  assert.deepEqual(none.json(), bare.json())
})

const keys: readonly (readonly [path: string, params: Loose])[] = [
  ['/plain', {}],
  ['/users/:id', { id: '7' }],
  ['/users/:id', { id: 'a b/c?d#e%f' }],
  ['/users/:id', { id: 'ü€' }],
  ['/users/:id/posts/:post', { id: '1', post: '2' }],
  ['/:id(^\\d+$)', { id: '12' }],
  ['/:id(^(\\d{2}|x)$)/more', { id: '12' }],
  ['/:two(^a b$)', { two: 'a b' }],
  ['/at/:hour(^\\d+)h:minute(^\\d+)m', { hour: '08', minute: '15' }],
  ['/:from-:to', { from: 'a', to: 'b' }],
  ['/:name.:ext', { name: 'file', ext: 'txt' }],
  ['/files/*', { '*': 'a/b.txt' }],
  ['/files/*', { '*': 'a b/100%/c?d#e' }],
  ['/users/:id?', { id: '7' }],
  ['/users/:id?', {}],
  ['/time/::now', {}],
]
for (const [path, params] of keys) {
  test(`inject('GET ${path}') sends ${JSON.stringify(params)} as the parameters of its path`, async () => {
    const response = await echo(path).inject(`GET ${path}`, { params })
    assert.equal(response.statusCode, 200, response.body)
    const got = response.json().params
    for (const name in { ...got, ...params }) assert.equal(got[name], params[name], name)
  })
}

test('a number and a boolean are sent as path parameters too', async () => {
  const response = await echo('/:a/:b').inject('GET /:a/:b', { params: { a: 1.5, b: false } })
  assert.deepEqual(response.json().params, { a: '1.5', b: 'false' })
})

test('inject by route key without a parameter of the path is an error that names both', async () => {
  const app = echo('/users/:id')
  for (const input of [undefined, {}, { params: {} }, { params: { id: null } }]) {
    await assert.rejects(app.inject('GET /users/:id', input), (error: Loose) => {
      assert.equal(error.code, 'ESP_ERR_INJECT_ROUTE')
      assert.match(error.message, /'GET \/users\/:id'.*'id'/)
      return true
    })
  }
})

test('inject by the key of a route with a prefix asks that route', async () => {
  const app = espalier().register(
    async (child) => child.get('/users/:id', ({ params }) => params),
    { prefix: '/v1' },
  )
  const response = await app.inject('GET /v1/users/:id', { params: { id: 'x' } })
  assert.deepEqual(response.json(), { id: 'x' })
})

test('lists in a query repeat their name, and what is undefined is left out', async () => {
  const query = { ids: [1, 2], one: ['x'], none: [], gone: undefined, no: false, zero: 0 }
  const { query: seen, url } = (await echo('/').inject('GET /', { query })).json()
  assert.equal(url, '/?ids=1&ids=2&one=x&no=false&zero=0')
  assert.deepEqual(seen, { ids: ['1', '2'], one: 'x', no: 'false', zero: '0' })
})

test('a body is sent as JSON, whatever its type', async () => {
  for (const body of [{ n: 1 }, [1, 2], 'text', 7, false, null]) {
    const seen = (await echo('/', 'POST').inject('POST /', { body })).json()
    assert.deepEqual(seen.body, body)
    assert.equal(seen.headers['content-type'], 'application/json')
  }
})

test('a body with a content type of its own is sent as it is', async () => {
  const headers = { 'Content-Type': 'text/plain' }
  const seen = (await echo('/', 'POST').inject('POST /', { headers, body: 'text' })).json()
  assert.equal(seen.body, 'text')
  assert.equal(seen.headers['content-type'], 'text/plain')
})

test('a JSON type of its own, with its parameters, is kept for a body that is sent as JSON', async () => {
  const headers = { 'Content-Type': 'application/json; charset=utf-8' }
  const seen = (await echo('/', 'POST').inject('POST /', { headers, body: { n: 1 } })).json()
  assert.deepEqual(seen.body, { n: 1 })
  assert.equal(seen.headers['content-type'], 'application/json; charset=utf-8')
})

test('a path beneath a route key is asked as it is written when it is a URL', async () => {
  const response = await echo('/users/:id').inject('/users/a%20b')
  assert.deepEqual(response.json().params, { id: 'a b' })
})

test('requests that are injected at once are answered each on its own', async () => {
  const app = echo('/:id')
  const ids = Array.from({ length: 20 }, (_none, index) => String(index))
  const answers = await Promise.all(ids.map((id) => app.inject('GET /:id', { params: { id } })))
  assert.deepEqual(
    answers.map((answer) => answer.json().params.id),
    ids,
  )
})

/** Routes that answer with what the options of a call are about, and one that answers once it was left. */
function seeing({ taken = () => {}, left = () => {} } = {}) {
  return espalier()
    .get('/me', ({ headers, ip, host }) => ({ cookie: headers.cookie ?? null, ip, host }))
    .post('/:id', { schema: { body: { n: t.Integer() } } }, ({ params, body }) => [params, body])
    .route({
      method: ['GET', 'POST'],
      url: '/late',
      handler: async ({ signal }) => {
        setImmediate(taken)
        await once(signal, 'abort')
        left()
        return 'late'
      },
    })
}

test('options behind the input of a route say what a request has besides', async () => {
  const app = seeing()
  const none = { cookie: null, ip: '127.0.0.1', host: 'localhost:80' }
  for (const options of [undefined, {}, { cookies: undefined, signal: undefined }]) {
    assert.deepEqual((await app.inject('GET /me', {}, options)).json(), none)
  }
  const cookies = { session: 'x', text: 'a b;ü', gone: undefined }
  const own = { cookies, remoteAddress: '10.0.0.1', authority: 'example.org' }
  for (const input of [undefined, {}]) {
    const { cookie, ip, host } = (await app.inject('GET /me', input, own)).json()
    assert.equal(cookie, 'session=x; text=a%20b%3B%C3%BC')
    assert.deepEqual([ip, host], ['10.0.0.1', 'example.org'])
  }
  const gone = await app.inject('GET /me', {}, { cookies: { gone: undefined } })
  assert.deepEqual(gone.json(), none)
})

test('cookies stand behind those of the headers, which win over the authority', async () => {
  const headers = { Cookie: 'a=1', Host: 'own.org' }
  const options = { cookies: { b: '2' }, authority: 'example.org' }
  const { cookie, host } = (await seeing().inject('GET /me', { headers }, options)).json()
  assert.deepEqual([cookie, host], ['a=1; b=2', 'own.org'])
})

test('options go with params and a body', async () => {
  const app = seeing()
  const input = { params: { id: 'x' }, body: { n: 1 } }
  const ask = async (simulate: InjectCallOptions['simulate']) =>
    (await app.inject('POST /:id', input, { simulate })).statusCode
  const whole = await app.inject('POST /:id', input, { simulate: { split: true } })
  assert.deepEqual(whole.json(), [{ id: 'x' }, { n: 1 }])
  assert.equal(await ask({}), 200)
  assert.equal(await ask({ error: true }), 400)
  assert.equal(await ask({ close: true }), 400)
})

test('a call whose signal is aborted rejects with the reason, and its handler is told', async () => {
  for (const call of [
    (app: ReturnType<typeof seeing>, signal: AbortSignal) =>
      app.inject('GET /late', {}, { signal }),
    (app: ReturnType<typeof seeing>, signal: AbortSignal) =>
      app.inject('POST /late', { body: { n: 1 } }, { signal }),
  ]) {
    await new Promise<void>((resolve, reject) => {
      const control = new AbortController()
      const taken = (): void => {
        control.abort(new Error('enough'))
      }
      const answer = call(seeing({ taken, left: resolve }), control.signal)
      assert.rejects(answer, { message: 'enough' }).catch(reject)
    })
  }
})

test('a signal ends a call whose body never ends', async () => {
  const control = new AbortController()
  const options = { signal: control.signal, simulate: { end: false } }
  const answer = seeing().inject('POST /:id', { params: { id: 1 }, body: { n: 1 } }, options)
  setTimeout(() => control.abort(), 20)
  await assert.rejects(answer, { name: 'AbortError' })
})

test('a signal that is aborted already keeps a call from the server, and one that comes too late does nothing', async () => {
  const asked: string[] = []
  const app = espalier().get('/', ({ url }) => asked.push(url))
  await assert.rejects(
    app.inject('GET /', {}, { signal: AbortSignal.abort(new Error('no')) }),
    /no/,
  )
  assert.deepEqual(asked, [])
  const control = new AbortController()
  const response = await app.inject('GET /', {}, { signal: control.signal })
  control.abort()
  assert.equal(response.json(), 1)
})

test('options that inject by route key does not have are an error that says which it has', async () => {
  const app = seeing() as Loose
  for (const [options, told] of [
    [{ cookie: {} }, /'GET \/me'.*no option 'cookie'.*cookies, remoteAddress, authority, signal/],
    [{ headers: {} }, /no option 'headers'/],
    [{ cookies: 'a=1' }, /'a=1' for its option 'cookies', not an object/],
    [{ remoteAddress: 1 }, /1 for its option 'remoteAddress', not text/],
    [{ signal: {} }, /an object for its option 'signal', not an AbortSignal/],
    [null, /null for its options/],
    [() => undefined, /a function for its options/],
  ] as const) {
    await assert.rejects(app.inject('GET /me', {}, options), (error: Loose) => {
      assert.equal(error.code, 'ESP_ERR_INJECT_ROUTE')
      assert.match(error.message, told)
      return true
    })
  }
})

test('options behind a URL, or behind options that name one, are an error', async () => {
  const app = seeing() as Loose
  for (const target of ['/me', { url: '/me' }]) {
    await assert.rejects(app.inject(target, {}, { cookies: {} }), { code: 'ESP_ERR_INJECT_ROUTE' })
    assert.equal((await app.inject(target, {}, undefined)).statusCode, 200)
  }
})

test('inject takes a callback', async () => {
  const app = espalier().get('/a', () => ({ ok: true })) as Loose
  const called = new Promise<unknown[]>((resolve) => {
    const returned: unknown = app.inject({ url: '/a' }, (...args: unknown[]) => {
      resolve(args)
    })
    assert.equal(returned, undefined)
  })
  const [error, response] = (await called) as [unknown, Loose]
  assert.equal(error, null)
  assert.deepEqual(response.json(), { ok: true })
})

test('the callback of inject is told of a failed boot', async () => {
  const app = espalier() as Loose
  app.register(async () => {
    throw new Error('no')
  })
  const error = await new Promise<Loose>((resolve) => app.inject('/a', resolve))
  assert.match(error.message, /no/)
})

test('inject without a target builds a request by calls', async () => {
  const app = espalier().post('/a', ({ body }) => ({ body })) as Loose
  const response = await app.inject().post('/a').payload({ x: 1 }).end()
  assert.deepEqual(response.json(), { body: { x: 1 } })
})

test('a HEAD request that is injected is answered without a body, as over a socket, whatever writes it', async (context) => {
  const app = espalier() as Loose
  app.get('/text', () => 'text')
  app.get('/raw', (_request: Loose, reply: Loose) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-length': 4 })
    reply.raw.write('ra')
    reply.raw.end('ws')
  })
  context.after(() => app.close())
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  for (const url of ['/text', '/raw']) {
    const injected = await app.inject({ method: 'HEAD', url })
    const streamed = await app.inject({ method: 'HEAD', url, payloadAsStream: true })
    const built = await app.inject().head(url).end()
    const fetched = await fetch(`${address}${url}`, { method: 'HEAD' })
    assert.deepEqual([injected.payload, injected.rawPayload.length, built.payload], ['', 0, ''])
    assert.deepEqual(await streamed.stream().toArray(), [])
    for (const { headers } of [injected, streamed, built]) {
      assert.equal(String(headers['content-length']), '4')
    }
    assert.equal(fetched.headers.get('content-length'), '4')
    assert.equal((await app.inject(url)).payload.length, 4)
  }
})
