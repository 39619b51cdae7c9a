import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { WebSocket } from 'ws'
import { silenced } from './support/silence.ts'
import { app as hello } from '../examples/01-hello.ts'
import { app as encapsulation } from '../examples/02-encapsulation.ts'
import { app as sharing } from '../examples/03-sharing.ts'
import { app as sharedSchemas } from '../examples/04-shared-schemas.ts'
import { app as validation } from '../examples/05-validation.ts'
import { app as customValidator } from '../examples/06-custom-validator.ts'
import { app as errors } from '../examples/07-errors.ts'
import { app as replies } from '../examples/08-replies.ts'
import { app as customSerializer } from '../examples/09-custom-serializer.ts'
import { app as hooks } from '../examples/10-hooks.ts'
import { app as types } from '../examples/11-types.ts'
import { app as observability } from '../examples/12-observability.ts'
import { app as contract, lend } from '../examples/13-contract.ts'
import { app as streams } from '../examples/14-streams.ts'
import { app as chat } from '../examples/15-websocket.ts'
import { app as tools } from '../examples/16-tools.ts'

interface Startable {
  listen(options: { port: number; host: string }): Promise<string>
  close(): Promise<void>
}

interface Asked {
  readonly path: string
  readonly post?: unknown
  /** Whether the body is sent compressed. */
  readonly gzip?: boolean
  readonly headers?: Record<string, string>
}

const started = new Map<Startable, string>()

/** Starts an example on a free port, and answers by asking it over HTTP. */
async function start(
  app: Startable,
): Promise<(request: Asked) => Promise<{ status: number; headers: Headers; body: unknown }>> {
  const url = started.get(app) ?? (await app.listen({ port: 0, host: '127.0.0.1' }))
  started.set(app, url)
  return async ({ path, post, gzip = false, headers = {} }) => {
    const text = JSON.stringify(post)
    const content = gzip ? gzipSync(text) : text
    const body = post === undefined ? {} : { method: 'POST', body: content }
    const encoding = gzip ? { 'content-encoding': 'gzip' } : {}
    const type = post === undefined ? {} : { 'content-type': 'application/json', ...encoding }
    const response = await fetch(url + path, { ...body, headers: { ...type, ...headers } })
    return {
      status: response.status,
      headers: response.headers,
      body: parse(response.headers.get('content-type'), await response.text()),
    }
  }
}

function parse(type: string | null, text: string): unknown {
  return /^application\/json\b/.test(type ?? '') ? JSON.parse(text) : text
}

/** The status and the body of an answer. */
const short = ({ status, body }: { status: number; body: unknown }) => [status, body] as const

after(() => Promise.all([...started.keys()].map((app) => app.close())))

test('01-hello greets, with a default, and refuses a name that is too long', async () => {
  const ask = await start(hello)
  assert.deepEqual((await ask({ path: '/hello' })).body, { greeting: 'Hello, world!' })
  assert.deepEqual((await ask({ path: '/hello?name=Ada' })).body, { greeting: 'Hello, Ada!' })
  assert.equal((await ask({ path: `/hello?name=${'x'.repeat(41)}` })).status, 400)
  assert.equal((await ask({ path: '/nowhere' })).status, 404)
})

test('02-encapsulation shows each context what it sees, and asks for a token in one only', async () => {
  const ask = await start(encapsulation)
  assert.deepEqual((await ask({ path: '/two' })).body, { answer: 42, foo: 'foo' })
  assert.deepEqual((await ask({ path: '/three' })).body, { answer: 42, foo: 'foo', bar: 'bar' })
  const refused = await ask({ path: '/one' })
  assert.equal(refused.status, 401)
  assert.equal(refused.headers.get('www-authenticate'), 'Bearer')
  const wrong = await ask({ path: '/one', headers: { authorization: 'Bearer wrong' } })
  assert.equal(wrong.status, 401)
  const right = await ask({ path: '/one', headers: { authorization: 'Bearer a-secret-key' } })
  assert.equal(right.status, 200)
  assert.equal(right.headers.get('www-authenticate'), null)
  assert.deepEqual(right.body, { answer: 42 })
})

test('03-sharing makes what a shared plugin registers visible in the parent', async () => {
  const ask = await start(sharing)
  assert.deepEqual((await ask({ path: '/two' })).body, { answer: 42, foo: 'foo', bar: 'bar' })
  assert.deepEqual((await ask({ path: '/three' })).body, { answer: 42, foo: 'foo', bar: 'bar' })
  assert.deepEqual((await ask({ path: '/audit' })).body, { text: 'the answer was 42' })
})

test('04-shared-schemas resolves every form of a reference, in validator and serializer', async () => {
  const ask = await start(sharedSchemas)
  const home = { street: 'Rue A', zip: '75001', country: 'FR' }
  const ada = { name: 'Ada', home, friends: [{ name: 'Bo', home, friends: [] }] }
  const posted = await ask({ path: '/people', post: { ...ada, secret: 1 } })
  assert.equal(posted.status, 201)
  assert.deepEqual(posted.body, ada)
  const nobody = { name: '', home, friends: [] }
  const refused = await ask({ path: '/people', post: { ...ada, friends: [nobody] } })
  assert.match(JSON.stringify(refused.body), /body\/friends\/0\/name/)
  const found = await ask({ path: '/lookup?country=DE&zip=10115&street=x' })
  assert.deepEqual(found.body, { country: 'DE', zip: '10115', street: 'x' })
  for (const wrong of ['country=UK&zip=10115', 'country=DE&zip=1', 'country=DE&zip=10115&code=x']) {
    assert.equal((await ask({ path: `/lookup?${wrong}` })).status, 400, wrong)
  }
  assert.deepEqual((await ask({ path: '/sub' })).body, ['address', 'person', 'note'])
  assert.deepEqual((await ask({ path: '/deep' })).body, ['address', 'person'])
})

test('05-validation coerces, fills in, removes, and lets a handler decide', async () => {
  const ask = await start(validation)
  assert.deepEqual((await ask({ path: '/' })).body, { params: { ids: [] } })
  assert.deepEqual((await ask({ path: '/?ids=1' })).body, { params: { ids: [1] } })
  const order = await ask({ path: '/orders/7', post: { item: 'tea', x: 1 } })
  assert.deepEqual(order.body, { shop: 7, priority: 3, item: 'tea', count: 1 })
  assert.equal((await ask({ path: '/orders/7', post: { count: 0 } })).status, 400)
  const lenient = await ask({ path: '/lenient', post: {} })
  assert.equal(lenient.status, 400)
  assert.deepEqual(lenient.body, { part: 'body', text: "body must have required property 'item'" })
  assert.deepEqual((await ask({ path: '/lenient', post: { item: 'tea' } })).body, { ok: true })
})

test('06-custom-validator validates with another library in one context, and with ajv beside it', async () => {
  const ask = await start(customValidator)
  const good = await ask({ path: '/signup', post: { email: 'ada@example.org', age: '36' } })
  assert.deepEqual(good.body, { got: { email: 'ada@example.org', age: 36 } })
  const bad = await ask({ path: '/signup', post: { email: 'nobody', age: 7 } })
  assert.equal(bad.status, 422)
  assert.equal((bad.body as { problems: string[] }).problems.length, 2)
  assert.equal((await ask({ path: '/ajv?n=x' })).status, 400)
  assert.deepEqual((await ask({ path: '/ajv?n=4' })).body, { n: 4 })
})

test('07-errors answers with 422 in the language asked for, and in words of the schema', async () => {
  const ask = await start(errors)
  const message = async (language: string): Promise<unknown> => {
    const headers = { 'accept-language': language }
    const { status, body } = await ask({ path: '/signup', post: { name: 'Ada', age: 3 }, headers })
    assert.equal(status, 422)
    const { part, problems } = body as { part: string; problems: { message: string }[] }
    assert.equal(part, 'body')
    return problems[0]?.message
  }
  assert.equal(await message('de-AT'), 'muss >= 18 sein')
  assert.equal(await message('fr'), 'doit être >= 18')
  assert.equal(await message('tlh'), 'must be >= 18')
  const both = await ask({ path: '/signup', post: {} })
  assert.equal((both.body as { problems: unknown[] }).problems.length, 2)
  assert.deepEqual((await ask({ path: '/signup', post: { name: 'Ada', age: 36 } })).body, {
    welcome: 'Ada',
  })
  const refused = await ask({ path: '/rooms', post: { beds: 9 } })
  assert.equal(refused.status, 400)
  assert.match(JSON.stringify(refused.body), /The body is wrong: no room has so many beds\./)
  assert.match(JSON.stringify((await ask({ path: '/rooms', post: {} })).body), /how many beds\?/)
})

test('07-errors tells errors apart, hides what nobody foresaw, and answers where nothing is', async () => {
  const ask = await start(errors)
  assert.deepEqual(await ask({ path: '/buy/tea' }).then(short), [409, { sold: 'tea' }])
  const long = { name: 'x'.repeat(2000), age: 20 }
  assert.deepEqual(await ask({ path: '/signup', post: long }).then(short), [413, { limit: 1024 }])
  assert.deepEqual(await ask({ path: '/nowhere' }).then(short), [404, { nothingAt: '/nowhere' }])
  const [[status, body], text] = await silenced(() => ask({ path: '/fails' }).then(short))
  assert.equal(status, 500)
  assert.doesNotMatch(JSON.stringify(body), /password/)
  assert.match(text, /the password of the database is wrong/)
})

test('08-replies chooses by status and content type, and sends streams', async () => {
  const ask = await start(replies)
  assert.deepEqual(await ask({ path: '/orders/1' }).then(short), [200, { id: 1, item: 'tea' }])
  assert.deepEqual(await ask({ path: '/orders/9' }).then(short), [404, ''])
  const refused = await ask({ path: '/orders/0' }).then(short)
  assert.deepEqual(refused, [422, { message: 'ids begin with 1' }])
  const list = await ask({ path: '/orders' }).then(short)
  assert.deepEqual(list[1], [
    { id: 1, item: 'tea' },
    { id: 2, item: 'cake' },
  ])
  const csv = await ask({ path: '/orders', headers: { accept: 'text/csv' } })
  assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.equal(csv.body, 'id,item\n1,tea\n2,cake\n')
  assert.equal((await ask({ path: '/numbers' })).body, 'one\ntwo\nthree\n')
  const [broken] = await silenced(() => ask({ path: '/broken' }))
  assert.equal(broken.status, 503)
  assert.deepEqual(await ask({ path: '/standard' }).then(short), [
    203,
    { by: 'the Fetch standard' },
  ])
})

test('09-custom-serializer serializes a scope by schema, a scope at large, and one reply', async () => {
  const ask = await start(customSerializer)
  assert.deepEqual(await ask({ path: '/point' }).then(short), [201, '2xx: {"x":1,"y":2}'])
  assert.deepEqual((await ask({ path: '/wrapped' })).body, { status: 200, data: { x: 1 } })
  assert.deepEqual((await ask({ path: '/missing' })).body, { status: 404, data: { x: 0 } })
  assert.deepEqual((await ask({ path: '/packed' })).body, { numbers: [4, 9] })
  assert.equal((await ask({ path: '/events' })).body, 'data: {"x":1,"y":2}\n\n')
})

test('10-hooks runs the hooks in their order, and ends early where one replies', async () => {
  const ask = await start(hooks)
  const headers = { authorization: 'Bearer token-of-ada' }
  const ran = async (request: Asked): Promise<unknown> => {
    await ask(request)
    const { body } = await ask({ path: '/log' })
    const entries = body as string[]
    // What is before are the last hooks of the request for the log itself, as is what is behind.
    return entries.slice(entries.indexOf('onRequest POST /notes'), -1)
  }
  const before = ['onRequest POST /notes', 'preParsing', 'preValidation']
  const members = [...before, 'preHandler of the scope']
  assert.deepEqual(await ran({ path: '/notes', post: { text: 'tea' }, headers }), [
    ...members,
    'preHandler of the route',
    'handler',
    'preSerialization',
    'onSend',
    'onResponse 200',
  ])
  const refused = await ran({ path: '/notes', post: { text: 'who am I?' } })
  assert.deepEqual(refused, [...members, 'onSend', 'onResponse 401'])
  assert.deepEqual(await ran({ path: '/notes', post: {}, headers }), [
    ...before,
    "onError body must have required property 'text'",
    'onSend',
    'onResponse 400',
  ])
  const packed = await ask({ path: '/notes', post: { text: 'packed' }, gzip: true, headers })
  assert.deepEqual(packed.body, { by: 'Ada', note: { text: 'packed' } })
  assert.equal(packed.headers.get('x-powered-by'), 'espalier')
})

test('11-types: the example of types is a server too', async () => {
  const ask = await start(types)
  const headers = { authorization: 'Ada' }
  assert.equal((await ask({ path: '/cache' })).status, 401)
  assert.deepEqual(short(await ask({ path: '/files/a-b/c', headers })), [
    200,
    { folder: 'a', name: 'b', version: 'c' },
  ])
  assert.deepEqual(short(await ask({ path: '/plain', post: { size: 's' }, headers })), [
    200,
    { size: 's', count: 1 },
  ])
  assert.deepEqual(short(await ask({ path: '/cache', headers })), [200, 0])
})

test('12-observability counts requests by their routes, errors by their codes, and calls of handlers', async () => {
  const ask = await start(observability)
  for (const path of ['/tea/1', '/tea/2', '/tea/green', '/slow', '/nowhere']) await ask({ path })
  const { headers, body } = await ask({ path: '/metrics' })
  assert.match(headers.get('content-type') ?? '', /^text\/plain/)
  const lines = String(body).split('\n')
  const duration = 'http_request_duration_seconds_count'
  for (const line of [
    `${duration}{method="GET",route="/tea/:id",status="200"} 2`,
    `${duration}{method="GET",route="/tea/:id",status="400"} 1`,
    'http_request_errors_total{route="/tea/:id",code="ESP_ERR_VALIDATION"} 1',
    'http_handler_calls_total{route="/tea/:id",async="false"} 2',
    'http_handler_calls_total{route="/slow",async="true"} 1',
  ]) {
    assert.ok(lines.includes(line), line)
  }
  // The other examples are in this process too.
  const none = `${duration}{method="GET",route="none",status="404"} `
  assert.ok(lines.some((line) => line.startsWith(none)))
})

test('13-contract serves what its contract says, to a client and to others', async () => {
  const ask = await start(contract)
  assert.equal(await lend(started.get(contract) ?? '', 'Persuasion'), 'Persuasion')
  assert.deepEqual(short(await ask({ path: '/v1/books/2' })), [200, { id: 2, title: 'Persuasion' }])
  assert.equal((await ask({ path: '/v1/books/9' })).status, 404)
  assert.equal((await ask({ path: '/v1/books', post: {} })).status, 400)
})

test('14-streams sends what was said and what is said, from the last event that a client has', async () => {
  const ask = await start(streams)
  const say = (text: string) => ask({ path: '/messages', post: { by: 'Ada', text } })
  const line = (text: string) => `{"by":"Ada","text":"${text}"}`
  await say('tea?')
  await say('or cake?')
  const url = `${started.get(streams)}/messages`
  const { body } = await fetch(url, { headers: { 'last-event-id': '0' } })
  const reader = (body ?? assert.fail()).pipeThrough(new TextDecoderStream()).getReader()
  assert.equal((await reader.read()).value, `id: 1\ndata: ${line('or cake?')}\n\n`)
  await say('both')
  assert.equal((await reader.read()).value, `id: 2\ndata: ${line('both')}\n\n`)
  await reader.cancel()
  const lines = ['tea?', 'or cake?', 'both'].map((text) => `${line(text)}\n`).join('')
  assert.equal((await ask({ path: '/messages.jsonl' })).body, lines)
  assert.equal((await ask({ path: '/countdown' })).body, 'three\ntwo\none\n')
})

test('15-websocket tells what one says to all of its room, and asks who comes', async (context) => {
  const url = (await chat.listen({ port: 0, host: '127.0.0.1' })).replace('http', 'ws')
  context.after(() => chat.close())
  const join = async (path: string): Promise<WebSocket> => {
    const socket = new WebSocket(url + path)
    await once(socket, 'open')
    return socket
  }
  const ada = await join('/chat/lobby?user=ada')
  const bob = await join('/chat/lobby?user=bob')
  const both = Promise.all([once(ada, 'message'), once(bob, 'message')])
  ada.send('{"text":"hello"}')
  for (const [message] of await both) {
    const { at, ...told } = JSON.parse(String(message)) as Record<string, unknown>
    assert.deepEqual(told, { from: 'ada', text: 'hello' })
    assert.ok(!Number.isNaN(Date.parse(String(at))))
  }
  const nobody = new WebSocket(`${url}/chat/lobby`)
  const [request, response] = await once(nobody, 'unexpected-response')
  request.destroy()
  assert.equal(response.statusCode, 401)
})

test('16-tools gives a model the routes that say so, and asks for the token of its owner', async (context) => {
  const url = new URL('/tasks/mcp', await tools.listen({ port: 0, host: '127.0.0.1' }))
  context.after(() => tools.close())
  const connect = async (headers: Record<string, string>): Promise<Client> => {
    const client = new Client({ name: 'tests', version: '1.0.0' })
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
    return client
  }
  await assert.rejects(connect({}))
  const client = await connect({ authorization: 'Bearer ada-1' })
  context.after(() => client.close())
  const call = (name: string, given: Record<string, unknown> = {}) =>
    client.callTool({ name, arguments: given })
  const { tools: listed } = await client.listTools()
  assert.deepEqual(
    listed.map(({ name }) => name),
    ['list_tasks', 'add_task', 'finish_task'],
  )
  const added = { id: 2, title: 'Feed the cat', done: false }
  assert.deepEqual((await call('add_task', { title: 'Feed the cat' })).structuredContent, added)
  const finished = await call('finish_task', { id: 2 })
  assert.deepEqual(finished.structuredContent, { ...added, done: true })
  const { structuredContent } = await call('list_tasks', { done: true })
  assert.deepEqual(structuredContent, { result: [{ ...added, done: true }] })
  assert.equal((await call('finish_task', { id: 9 })).isError, true)
  assert.equal((await call('add_task', { title: 'x' })).isError, true)
})
