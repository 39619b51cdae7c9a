// Routes as tools of the Model Context Protocol, over HTTP, by the client of the official SDK.
import assert from 'node:assert/strict'
import http2 from 'node:http2'
import { text } from 'node:stream/consumers'
import { describe, test, type TestContext } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { z } from 'zod'
import espalier, { fastify, t } from '../../src/index.ts'
import { mcp } from '../../src/mcp/index.ts'
import { listening } from '../support/serve.ts'

type Loose = any
type Headers = Record<string, string>

const information = { name: 'tests', version: '1.0.0' }
const eras = ['legacy', 'auto'] as const

/** A client of an application that listens until the test ends. */
async function connected(
  context: TestContext,
  app: Loose,
  headers: Headers = {},
  { path = '/mcp', mode = 'auto' }: { path?: string; mode?: (typeof eras)[number] } = {},
): Promise<Client> {
  return connect(context, (await listening(context, app)) + path, headers, mode)
}

async function connect(
  context: TestContext,
  url: string,
  headers: Headers = {},
  mode: (typeof eras)[number] = 'auto',
): Promise<Client> {
  const client = new Client(information, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
  await client.connect(transport)
  context.after(() => client.close())
  return client
}

/** Calls a tool: what it says, and its structured content. */
async function call(client: Client, name: string, given: object = {}) {
  const result = await client.callTool({ name, arguments: { ...given } })
  const [first] = result.content
  assert.equal(first?.type, 'text')
  return { text: first.text, isError: result.isError === true, value: result.structuredContent }
}

/** A message as a client without the SDK posts it. */
const post = (url: string, message: unknown, headers: Headers = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })

const message = (name: string, given: object, id = 1) => {
  const params = { name, arguments: given }
  return { jsonrpc: '2.0', id, method: 'tools/call', params }
}

const User = t.Object({ id: t.Integer(), name: t.String() }, { $id: 'User' })
const Problem = t.Object({ message: t.String() })

const users = () =>
  espalier()
    .addSchema(User)
    .register(mcp({ ...information, instructions: 'Users of a test.' }))
    .get(
      '/users/:id',
      {
        tool: true,
        schema: {
          operationId: 'find.user',
          summary: 'Find a user',
          description: 'Finds one user by id.',
          params: { id: t.Integer() },
          querystring: { verbose: t.Optional(t.Boolean({ description: 'All there is' })) },
          headers: { 'x-tenant': t.Optional(t.String()) },
          response: { 200: t.Ref('User'), 404: Problem },
        },
      },
      ({ params: { id } }, reply) =>
        id === 404 ? reply.code(404).send({ message: 'There is none' }) : { id, name: 'Ada' },
    )
    .get('/users/me', () => 'not a tool')
    .post('/users/:id/rename', {
      tool: { name: 'rename', title: 'Rename', description: 'Gives a name.' },
      schema: {
        params: { id: t.Integer() },
        body: t.Object({
          id: t.Integer(),
          name: t.String({ minLength: 2 }),
          address: t.Optional(
            t.Object({ zip: t.String(), kind: t.Enum({ a: 'home', b: 'work' }) }),
          ),
        }),
        response: { 200: t.Array(t.Ref('User')) },
      },
      handler: ({ body: { id, name } }) => [{ id, name }],
    })
    .delete('/users/:id', { tool: true, schema: { params: { id: t.Integer() } } }, (_, reply) =>
      reply.code(204).send(),
    )

for (const mode of eras) {
  test(`a client lists and calls the routes that say so (${mode})`, async (context) => {
    const client = await connected(context, users(), {}, { mode })
    assert.equal(client.getServerVersion()?.name, 'tests')
    assert.equal(client.getInstructions(), 'Users of a test.')
    const { tools } = await client.listTools()
    const user = {
      type: 'object',
      required: ['id', 'name'],
      properties: { id: { type: 'integer' }, name: { type: 'string' } },
    }
    assert.deepEqual(tools, [
      {
        name: 'find_user',
        title: 'Find a user',
        description: 'Finds one user by id.',
        inputSchema: {
          type: 'object',
          properties: {
            id: { type: 'integer' },
            verbose: { type: 'boolean', description: 'All there is' },
          },
          required: ['id'],
          additionalProperties: false,
        },
        outputSchema: user,
        annotations: { readOnlyHint: true },
      },
      {
        name: 'rename',
        title: 'Rename',
        description: 'Gives a name.',
        inputSchema: {
          type: 'object',
          properties: {
            id: { type: 'integer' },
            body_id: { type: 'integer' },
            name: { type: 'string', minLength: 2 },
            address: {
              type: 'object',
              required: ['zip', 'kind'],
              properties: {
                zip: { type: 'string' },
                kind: { type: 'string', enum: ['home', 'work'] },
              },
            },
          },
          required: ['id', 'body_id', 'name'],
          additionalProperties: false,
        },
        outputSchema: {
          type: 'object',
          properties: { result: { type: 'array', items: { $ref: '#/$defs/User' } } },
          required: ['result'],
          $defs: { User: user },
        },
        annotations: {},
      },
      {
        name: 'deleteUsersById',
        title: 'Delete users by id',
        description: 'Delete users by id',
        inputSchema: {
          type: 'object',
          properties: { id: { type: 'integer' } },
          required: ['id'],
          additionalProperties: false,
        },
        annotations: { destructiveHint: true, idempotentHint: true },
      },
    ])
    assert.deepEqual(await call(client, 'find_user', { id: 1 }), {
      text: '{"id":1,"name":"Ada"}',
      isError: false,
      value: { id: 1, name: 'Ada' },
    })
    const renamed = await call(client, 'rename', { id: 1, body_id: 2, name: 'Bea' })
    assert.deepEqual(renamed.value, { result: [{ id: 2, name: 'Bea' }] })
    const { text, isError } = await call(client, 'deleteUsersById', { id: 1 })
    assert.deepEqual([text, isError], ['204 No Content', false])
  })

  test(`a cancelled call aborts the signal of its route (${mode})`, async (context) => {
    let begin = (_: AbortSignal) => {}
    const began = new Promise<AbortSignal>((resolve) => (begin = resolve))
    const app = espalier()
      .register(mcp(information))
      .get('/slow', { tool: true }, async ({ signal }) => {
        begin(signal)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return 'late'
      })
    const client = await connected(context, app, {}, { mode })
    const abort = new AbortController()
    const called = client.callTool({ name: 'getSlow' }, { signal: abort.signal })
    const signal = await began
    abort.abort()
    await assert.rejects(called)
    // A message of the older protocol that cancels reaches no state. Its client has to leave.
    if (mode === 'legacy') await client.close()
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
  })
}

describe('a call that fails', () => {
  const build = () =>
    users()
      .get('/broken', { tool: true }, () => {
        throw new Error('secret of the database')
      })
      .get('/busy', { tool: true }, (_, reply) =>
        reply.code(429).header('retry-after', '7').send({ message: 'Too many' }),
      )
      .post('/foreign', { tool: true }, () => {
        throw Object.assign(new Error('Bad'), { statusCode: 400, issues: [{ path: ['a'] }] })
      })
      .post('/whole', {
        tool: { name: 'whole' },
        schema: {
          body: t.Record(t.String(), t.Integer()),
          querystring: { at: t.Optional(t.Integer()) },
        },
        handler: ({ body }) => body,
      })

  test('says what is wrong by the names of arguments', async (context) => {
    const client = await connected(context, build())
    const wrong = { id: 1, body_id: 'x', name: 'A', address: { kind: 'shop' } }
    const { text, isError } = await call(client, 'rename', { ...wrong, name: 'Ada' })
    assert.equal(isError, true)
    assert.match(
      text,
      /^The call was refused. Correct these arguments:\n- body_id: must be integer/,
    )
    const inner = await call(client, 'rename', { ...wrong, body_id: 1, name: 'Ada' })
    assert.match(inner.text, /- address\/zip: is missing; expected: "string"/)
    const kind = { ...wrong, body_id: 1, name: 'Ada', address: { zip: '1', kind: 'shop' } }
    const { text: listed } = await call(client, 'rename', kind)
    assert.match(listed, /- address\/kind: must .* \(got string\); expected: \["home","work"\]/)
    const query = await call(client, 'whole', { body: { a: 1 }, at: 'noon' })
    assert.match(query.text, /- at: must be integer \(got string\)$/)
    const whole = await call(client, 'whole', { body: { a: 'x' } })
    assert.match(whole.text, /- body\/a: must be integer/)
    assert.deepEqual((await call(client, 'whole', { body: { b: 1 } })).value, { b: 1 })
    const missing = await call(client, 'whole')
    assert.match(missing.text, /- body: /)
    const path = await call(client, 'find_user')
    assert.equal(path.text, "The call lacks the path parameter 'id'")
  })

  test('shows a declared error, and of any other only what it says for people', async (context) => {
    const client = await connected(context, build())
    const none = await call(client, 'find_user', { id: 404 })
    assert.deepEqual(
      [none.text, none.isError],
      ['404 Not Found: {"message":"There is none"}', true],
    )
    const broken = await call(client, 'getBroken')
    assert.equal(broken.isError, true)
    assert.match(broken.text, /^500 Internal Server Error/)
    assert.doesNotMatch(broken.text, /secret| at /)
    assert.equal((await call(client, 'postForeign')).text, '400 Bad Request: Bad')
    const { text } = await call(client, 'getBusy')
    assert.equal(text, '429 Too Many Requests, retry after 7: Too many')
  })
})

describe('the caller', () => {
  const build = () =>
    espalier({ trustProxy: true }).register(
      async (scope) => {
        scope.addHook('onRequest', async ({ headers }, reply) => {
          if (headers.authorization !== 'Bearer a') return reply.code(401).send({ message: 'Who?' })
        })
        scope.register(mcp(information))
        scope.get('/me', { tool: true }, ({ headers, ip }) => ({ headers, ip }))
        scope.register(
          async (admin) => {
            admin.addHook('preHandler', async ({ headers }, reply) => {
              if (headers['x-role'] !== 'admin') return reply.code(403).send({ message: 'No' })
            })
            const response = { 200: t.Object({ ok: t.Boolean() }), 403: Problem }
            admin.get('/all', { tool: true, schema: { response } }, () => ({ ok: true }))
          },
          { prefix: '/admin' },
        )
      },
      { prefix: '/api' },
    )

  test('passes the hooks of the scope, and then those of each route', async (context) => {
    const url = `${await listening(context, build())}/api/mcp`
    await assert.rejects(connect(context, url))
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    assert.equal((await post(url, list)).status, 401)
    const client = await connect(context, url, { authorization: 'Bearer a' })
    const refused = await call(client, 'getApiAdminAll')
    assert.deepEqual([refused.text, refused.isError], ['403 Forbidden: {"message":"No"}', true])
    const admin = await connect(context, url, { authorization: 'Bearer a', 'x-role': 'admin' })
    assert.deepEqual((await call(admin, 'getApiAdminAll')).value, { ok: true })
  })

  test('gives a call its headers and address, but not those of the message', async (context) => {
    const given = { authorization: 'Bearer a', cookie: 'a=1; b=2', 'if-none-match': '*' }
    const proxied = { 'x-forwarded-for': '192.0.2.7', 'accept-encoding': 'gzip' }
    const url = `${await listening(context, build())}/api/mcp`
    const client = await connect(context, url, { ...given, ...proxied })
    const { value } = (await call(client, 'getApiMe')) as Loose
    const { headers, ip } = value
    assert.equal(ip, '192.0.2.7')
    assert.equal(headers.cookie, 'a=1; b=2')
    assert.equal(headers.host, new URL(url).host)
    assert.match(headers.accept, /^application\/json/)
    const others = ['content-type', 'content-length', 'if-none-match', 'accept-encoding']
    for (const name of [...others, 'transfer-encoding'])
      assert.equal(headers[name], undefined, name)
    assert.deepEqual(
      Object.keys(headers).filter((name) => name.startsWith('mcp-')),
      [],
    )
  })

  test('of a session is nobody: no state is kept between requests', async (context) => {
    const url = `${await listening(context, build())}/api/mcp`
    const session = { authorization: 'Bearer a', 'mcp-session-id': 'of-somebody-else' }
    const answer = await post(url, message('getApiMe', {}), session)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('mcp-session-id'), null)
    for (const method of ['GET', 'DELETE']) {
      assert.equal((await fetch(url, { method, headers: session })).status, 405)
    }
    assert.equal((await post(url, message('getApiMe', {}), { 'mcp-session-id': 'x' })).status, 401)
  })
})

describe('an attacker', () => {
  const seen: string[] = []
  const build = () => {
    const app = espalier({ bodyLimit: 10_000 })
    app.addHook('onRequest', async ({ url }) => {
      if (url !== '/mcp') seen.push(url)
    })
    app.register(mcp({ ...information, allowedOrigins: ['https://app.example.com'] }))
    app.get('/files/:name', { tool: { name: 'file' } }, ({ params }) => params)
    app.get('/tree/*', { tool: { name: 'tree' } }, ({ params }) => params)
    app.post('/files/:name', {
      tool: { name: 'write' },
      schema: { body: t.Object({ text: t.String() }) },
      handler: ({ body }) => body,
    })
    app.get('/files/admin', () => 'secret')
    app.get('/admin', () => 'secret')
    app.get('/', () => 'secret')
    return app
  }

  test('reaches no other route through the parameters of a path', async (context) => {
    const client = await connected(context, build())
    seen.length = 0
    for (const name of ['admin', '..', '.', 'ad\u{D800}min', ['admin'], {}, null]) {
      const { isError, text } = await call(client, 'file', { name })
      assert.equal(isError, true, String(name))
      assert.doesNotMatch(text, /secret/)
    }
    for (const path of ['../admin', 'a/../../admin', '..%2fadmin', 'a/%2e%2e/b', '\\..\\admin']) {
      const { isError, text } = await call(client, 'tree', { path })
      if (!isError) assert.deepEqual(JSON.parse(text), { '*': path })
    }
    assert.deepEqual(
      seen.filter((url) => /admin$/.test(url) && !url.includes('%')),
      [],
    )
    for (const name of ['../admin', 'a%2Fb', 'a/b', 'a?b=1#c', '%2e%2e', '', '__proto__']) {
      assert.deepEqual((await call(client, 'file', { name })).value, { name })
    }
  })

  test('adds no headers, no method and no fields', async (context) => {
    const client = await connected(context, build())
    for (const extra of ['headers', 'url', 'method', 'constructor', 'body']) {
      const { isError, text } = await call(client, 'write', { name: 'a', text: 'b', [extra]: {} })
      assert.equal(isError, true)
      assert.match(text, new RegExp(`^There is no argument '${extra}'`))
    }
  })

  test('sends no __proto__, nothing too large, and no tool that there is not', async (context) => {
    const url = `${await listening(context, build())}/mcp`
    const given = '{"name":"a","text":"b","__proto__":{"x":1}}'
    const text = JSON.stringify(message('write', {})).replace('{}', given)
    assert.equal((await post(url, text)).status, 400)
    const large = message('write', { name: 'a', text: 'x'.repeat(20_000) })
    assert.equal((await post(url, large)).status, 413)
    const client = await connect(context, url)
    for (const name of ['GET /admin', 'admin', 'getAdmin', 'constructor', 'find_tools', '']) {
      await assert.rejects(call(client, name), /Unknown tool/)
    }
    const form = { 'content-type': 'text/plain' }
    assert.equal(
      (await post(url, JSON.stringify(message('file', { name: 'a' })), form)).status,
      415,
    )
    assert.equal((await post(url, 'no JSON')).status, 400)
  })

  test('has a page that may not call', async (context) => {
    const url = `${await listening(context, build())}/mcp`
    const ask = (origin: string) => post(url, message('file', { name: 'a' }), { origin })
    for (const origin of ['https://evil.example', 'null', new URL(url).origin]) {
      assert.equal((await ask(origin)).status, 403, origin)
    }
    assert.equal((await ask('https://app.example.com')).status, 200)
  })

  test('gets the same answers in a batch', async (context) => {
    const url = `${await listening(context, build())}/mcp`
    const batch = [message('file', { name: 'a' }), message('file', { name: 'admin' }, 2)]
    const answer = await (await post(url, batch)).text()
    assert.match(answer, /\{\\"name\\":\\"a\\"\}/)
    assert.match(answer, /lead to no GET \/files\/:name/)
    assert.doesNotMatch(answer, /secret/)
  })
})

test('above a number of tools the list has a search', async (context) => {
  const app = espalier().register(mcp({ ...information, searchAbove: 2 }))
  for (const kind of ['cat', 'dog', 'bird']) {
    const schema = { summary: `Find a ${kind}`, querystring: { age: t.Optional(t.Integer()) } }
    app.get(`/${kind}`, { tool: true, schema }, ({ query }) => ({ kind, ...query }))
  }
  const client = await connected(context, app)
  const { tools } = await client.listTools()
  const names = tools.map(({ name }) => name)
  assert.deepEqual(names, ['find_tools', 'describe_tool', 'call_tool'])
  const { value } = (await call(client, 'find_tools', { query: 'a dog' })) as Loose
  assert.deepEqual(value.tools[0], {
    name: 'getDog',
    title: 'Find a dog',
    description: 'Find a dog',
  })
  const all = (await call(client, 'find_tools', { limit: 2 })) as Loose
  assert.equal(all.value.tools.length, 2)
  const described = (await call(client, 'describe_tool', { name: 'getDog' })) as Loose
  assert.deepEqual(described.value.inputSchema.properties, { age: { type: 'integer' } })
  const called = await call(client, 'call_tool', { name: 'getDog', arguments: { age: 3 } })
  assert.deepEqual(called.value, { kind: 'dog', age: 3 })
  assert.deepEqual((await call(client, 'getCat')).value, { kind: 'cat' })
  const unknown = await call(client, 'call_tool', { name: 'getDogs' })
  assert.deepEqual(unknown, {
    text: "Unknown tool: getDogs. Did you mean 'getDog'?",
    isError: true,
    value: undefined,
  })
  const wrong = await call(client, 'call_tool', { name: 'getDog', arguments: [] })
  assert.equal(wrong.isError, true)
})

test('routes of every form are tools', async (context) => {
  const Node = t.Recursive((This) => t.Object({ value: t.Integer(), next: t.Optional(This) }))
  const app = espalier()
    .register(mcp(information))
    .get('/a/:id?', { tool: { name: 'optional' } }, ({ params }) => params)
    .get('/a/tree/*', { tool: { name: 'rest' } }, ({ params }) => params)
    .get('/a/number/:id(^\\d+$)', { tool: { name: 'number' } }, ({ params }) => params)
    .post('/node', {
      tool: { name: 'node' },
      schema: { hide: true, body: Node, response: { 200: Node } },
      handler: ({ body }) => body,
    })
    .post('/text', {
      tool: { name: 'text' },
      schema: { body: { content: { 'text/plain': { schema: t.String() } } } },
      handler: ({ body }) => `${body}!`,
    })
    .post('/open', {
      tool: { name: 'open' },
      schema: { body: t.Object({}, { additionalProperties: true }) },
      handler: ({ body }) => body,
    })
    .post('/maybe', {
      tool: { name: 'maybe' },
      schema: { body: t.Union([t.Object({ a: t.Integer() }), t.Null()]) },
      handler: ({ body }) => ({ body }),
    })
    .get('/zod', {
      tool: { name: 'zod' },
      schema: { querystring: z.object({ tags: z.array(z.string()) }) },
      handler: ({ query }) => query,
    })
    .get('/any', {
      tool: { name: 'any' },
      schema: { querystring: t.Record(t.String(), t.String()) },
      handler: ({ query }) => query,
    })
    .get('/versioned', { tool: { name: 'v1' }, constraints: { version: '1.0.0' } }, () => ({
      v: 1,
    }))
    .get('/versioned', { tool: { name: 'v2' }, constraints: { version: '2.0.0' } }, () => ({
      v: 2,
    }))
    .get('/several', {
      tool: { name: 'several' },
      schema: {
        response: { 200: t.Object({ a: t.Integer() }), 202: t.Object({ b: t.Integer() }) },
      },
      handler: (_, reply) => reply.code(202).send({ b: 1 }),
    })
    .get('/bytes', { tool: { name: 'bytes' } }, () => Buffer.from('bytes'))
    .get('/stream', { tool: { name: 'stream' } }, (_, reply) => {
      reply.header('content-type', 'text/event-stream')
      return new ReadableStream({ pull: (to) => to.enqueue(Buffer.from('data: 1\n\n')) })
    })
    .route({
      method: ['PUT', 'QUERY'],
      url: '/both',
      tool: true,
      handler: ({ method }) => ({ method }),
    })
    .register(async (child) => child.get('/', { tool: { name: 'slash' } }, () => ({ ok: true })), {
      prefix: '/child',
    })
  const client = await connected(context, app)
  const value = async (name: string, given = {}) => (await call(client, name, given)).value
  assert.deepEqual(await value('optional'), {})
  assert.deepEqual(await value('optional', { id: 'x' }), { id: 'x' })
  assert.deepEqual(await value('rest', { path: 'a b/c' }), { '*': 'a b/c' })
  assert.deepEqual(await value('number', { id: 12 }), { id: '12' })
  assert.equal((await call(client, 'number', { id: 'x' })).isError, true)
  const node = { value: 1, next: { value: 2 } }
  assert.deepEqual(await value('node', node), node)
  assert.equal((await call(client, 'text', { body: 'hi' })).text, 'hi!')
  assert.deepEqual(await value('open', { body: { x: [1] } }), { x: [1] })
  assert.deepEqual(await value('maybe'), { body: null })
  assert.deepEqual(await value('maybe', { body: { a: 1 } }), { body: { a: 1 } })
  assert.deepEqual(await value('zod', { tags: ['a', 'b'] }), { tags: ['a', 'b'] })
  assert.deepEqual(await value('any', { query: { x: '1' } }), { x: '1' })
  assert.deepEqual([await value('v1'), await value('v2')], [{ v: 1 }, { v: 2 }])
  assert.deepEqual(await value('several'), { b: 1 })
  for (const name of ['bytes', 'stream']) {
    const { text, isError } = await call(client, name)
    assert.equal(isError, true)
    assert.match(text, /which a tool cannot show/)
  }
  assert.deepEqual(await value('putBoth'), { method: 'PUT' })
  assert.deepEqual(await value('queryBoth'), { method: 'QUERY' })
  assert.deepEqual(await value('slash'), { ok: true })
  const { tools } = await client.listTools()
  assert.equal(tools.filter(({ name }) => name === 'slash').length, 1)
  assert.equal(
    tools.some(({ name }) => name.startsWith('head')),
    false,
  )
  const { inputSchema, outputSchema } = tools.find(({ name }) => name === 'node') as Loose
  assert.deepEqual(Object.keys(inputSchema.properties), ['value', 'next'])
  assert.deepEqual(Object.keys(inputSchema.$defs), Object.keys(outputSchema.$defs))
})

test('a server that closes lets calls finish', async (context) => {
  let finish = () => {}
  let begin = () => {}
  const began = new Promise<void>((resolve) => (begin = resolve))
  const app = espalier()
    .register(mcp(information))
    .get('/slow', { tool: true }, async () => {
      begin()
      await new Promise<void>((resolve) => (finish = resolve))
      return { done: true }
    })
  const client = await connected(context, app)
  const called = call(client, 'getSlow')
  await began
  const closed = app.close()
  finish()
  assert.deepEqual((await called).value, { done: true })
  await closed
})

test('tools are served over HTTP/2 and through app.fetch', async (context) => {
  for (const mode of eras) {
    const app = users()
    const fetch = (url: string | URL, init?: RequestInit) => app.fetch(new Request(url, init))
    const client = new Client(information, { versionNegotiation: { mode } })
    const url = new URL('http://localhost/mcp')
    await client.connect(new StreamableHTTPClientTransport(url, { fetch }))
    assert.deepEqual((await call(client, 'find_user', { id: 1 })).value, { id: 1, name: 'Ada' })
    await client.close()
  }
  const app = espalier({ http2: true })
    .register(mcp(information))
    .get('/host', { tool: true }, ({ host }) => ({ host }))
  const { host, origin } = new URL(await listening(context, app))
  const session = http2.connect(origin)
  const stream = session.request({
    ...{ ':method': 'POST', ':path': '/mcp', 'content-type': 'application/json' },
    accept: 'application/json, text/event-stream',
  })
  stream.end(JSON.stringify(message('getHost', {})))
  const answer = await text(stream)
  session.close()
  assert.match(answer, new RegExp(`"structuredContent":{"host":"${host}"}`))
})

test('constraints and errors in front of a route hold for tools', async (context) => {
  const tenant = {
    name: 'tenant',
    storage: () => new Map<unknown, unknown>() as Loose,
    deriveConstraint: (request: Loose) => request.headers['x-tenant'],
  }
  const late = {
    name: 'late',
    storage: () => new Map<unknown, unknown>() as Loose,
    deriveConstraint: (_: Loose, __: Loose, done: Loose) => done(null, 'x'),
  }
  const querystringParser = (text: string) => {
    if (text.includes('bad')) throw new Error('of the parser')
    return Object.fromEntries(new URLSearchParams(text))
  }
  const routerOptions = { constraints: { tenant, late }, querystringParser }
  const app = espalier({ routerOptions, logger: false } as Loose) as Loose
  app.register(mcp(information))
  const schema = { querystring: { q: t.Optional(t.String()) } }
  app.get('/x', { tool: { name: 'all' }, schema }, ({ query }: Loose) => ({ query }))
  const constraints = { tenant: 'a' }
  app.get('/x', { tool: { name: 'a' }, constraints }, () => ({ tenant: 'a' }))
  app.get('/y', { constraints: { late: 'x' } }, () => 'y')
  app.get('/host', { tool: { name: 'host' }, constraints: { host: 'a.example' } }, () => 'x')
  const url = `${await listening(context, app)}/mcp`
  const client = await connect(context, url)
  assert.deepEqual((await call(client, 'all', { q: 'ok' })).value, { query: { q: 'ok' } })
  assert.equal((await call(client, 'a')).text, 'These arguments lead to no GET /x')
  assert.equal((await call(client, 'host')).text, 'These arguments lead to no GET /host')
  const { text, isError } = await call(client, 'all', { q: 'bad' })
  assert.equal(isError, true)
  assert.match(text, /^500 Internal Server Error/)
  const other = await connect(context, url, { 'x-tenant': 'a' })
  assert.deepEqual((await call(other, 'a')).value, { tenant: 'a' })
  assert.equal((await call(other, 'all')).text, 'These arguments lead to no GET /x')
})

test('several scopes have tools of their own', async (context) => {
  const app = espalier()
  for (const name of ['one', 'two']) {
    app.register(
      async (scope) => {
        scope.get('/tool', { tool: { name } }, () => ({ name }))
        scope.register(mcp(information))
      },
      { prefix: `/${name}` },
    )
  }
  app.register(mcp({ ...information, path: '/all' }))
  const origin = await listening(context, app)
  const names = async (path: string) => {
    const { tools } = await (await connect(context, origin + path)).listTools()
    return tools.map(({ name }) => name).join()
  }
  assert.deepEqual([await names('/one/mcp'), await names('/two/mcp')], ['one', 'two'])
  assert.equal(await names('/all'), 'one,two')
})

test('a server of Fastify has tools', async (context) => {
  const app = fastify() as Loose
  // Hooks of Fastify see the routes behind them.
  await app.register(mcp(information))
  const params = { type: 'object', properties: { id: { type: 'integer' } } }
  app.get('/x/:id', { tool: true, schema: { params } }, async (request: Loose) => request.params)
  const client = await connected(context, app)
  assert.deepEqual((await call(client, 'getXById', { id: 1 })).value, { id: 1 })
  const { text } = await call(client, 'getXById', { id: 'x' })
  assert.match(text, /id must be integer|id: must be integer/)
})

describe('the boot stops', () => {
  const boot = async (declare: (app: Loose) => unknown, options: object = {}): Promise<void> => {
    const app = espalier() as Loose
    app.register(mcp({ ...information, ...options }))
    await declare(app)
    await app.ready()
  }
  const send = () => 'x'

  test('for replies and bodies that are no JSON and no text', async () => {
    const pdf = { 200: { content: { 'application/pdf': { schema: {} } } } }
    const events = { 200: { content: { 'text/event-stream': { itemSchema: t.String() } } } }
    const form = { content: { 'application/x-www-form-urlencoded': { schema: t.Object({}) } } }
    const declared = (schema: object) => (app: Loose) =>
      app.post('/x', { tool: true, schema }, send)
    await assert.rejects(boot(declared({ response: pdf })), {
      code: 'ESP_ERR_MCP_TOOL',
      message: /POST \/x in root can be no tool: its reply 200 is bytes \(application\/pdf\)/,
    })
    await assert.rejects(boot(declared({ response: events })), /its reply 200 is a stream of items/)
    await assert.rejects(boot(declared({ body: form })), /its body is application\/x-www-form/)
  })

  test('for two tools of one name, and for a name that mcp has itself', async () => {
    const twice = (app: Loose) => {
      app.get('/x', { tool: { name: 'x' } }, send)
      app.get('/y', { tool: { name: 'x' } }, send)
    }
    await assert.rejects(
      boot(twice),
      /GET \/y in root can be no tool: its name 'x' is that of GET \/x/,
    )
    const reserved = (app: Loose) => app.get('/x', { tool: { name: 'call_tool' } }, send)
    await assert.rejects(boot(reserved), /its name 'call_tool' is that of mcp itself/)
  })

  test('for an option that is wrong, and for a tool without mcp', async () => {
    const declared = (tool: unknown) => (app: Loose) => app.get('/x', { tool }, send)
    const refused: [unknown, RegExp][] = [
      [false, /must be true or an object, but is false/],
      [{ naem: 'x' }, /takes no 'naem'. Did you mean 'name'\?/],
      [{ name: 'a b' }, /takes for 'name' up to 64 letters, digits, '_' and '-', not 'a b'/],
      [{ title: 1 }, /takes for 'title' a string, not 1/],
    ]
    for (const [tool, message] of refused) await assert.rejects(boot(declared(tool)), message)
    const outside = espalier() as Loose
    outside.register(async (scope: Loose) => void scope.register(mcp(information)))
    outside.get('/x', { tool: true }, send)
    await assert.rejects(outside.ready(), { code: 'ESP_ERR_ROUTE_OPTION' })
    const wrong: [Loose, RegExp][] = [
      [{ version: '1' }, /mcp\(\) takes for 'name' a string, not undefined/],
      [{ ...information, allowOrigins: [] }, /no 'allowOrigins'. Did you mean 'allowedOrigins'\?/],
      [{ ...information, allowedOrigins: ['example.com'] }, /a list of origins/],
      [{ ...information, path: 'mcp' }, /for 'path' a path, not 'mcp'/],
    ]
    for (const [options, message] of wrong) assert.throws(() => mcp(options), message)
  })
})
