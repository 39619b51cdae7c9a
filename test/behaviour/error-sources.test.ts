// Errors from every place reach the error handler, are answered once, and leave the connection usable.
import assert from 'node:assert/strict'
import { Agent, request as send, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler, type UntypedServer } from '../support/untyped.ts'

function broken(): never {
  throw Object.assign(new Error('broken'), { statusCode: 409 })
}
const rejecting = async (): Promise<never> => broken()
const ok: AnyHandler = () => ({ ok: true })

const json = 'application/json'

interface Asked {
  readonly method?: string
  readonly url?: string
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Answer {
  readonly status: number
  readonly body: string
  readonly headers: IncomingHttpHeaders
  readonly isReused: boolean
}

/** Sends a request through an agent, which keeps one connection; a body without a length in chunks. */
function ask(agent: Agent, port: number, { method, url, type, headers, body }: Asked) {
  return new Promise<Answer>((resolve, reject) => {
    const all = { ...(type !== undefined && { 'content-type': type }), ...headers }
    const target = { agent, port, host: '127.0.0.1', path: url ?? '/', headers: all }
    const outgoing = send({ ...target, method: method ?? 'POST' }, (response) => {
      const { statusCode: status = 0, headers: received } = response
      const isReused = outgoing.reusedSocket
      text(response).then((read) => {
        resolve({ status, body: read, headers: received, isReused })
      }, reject)
    })
    outgoing.on('error', reject)
    if (body !== undefined) outgoing.write(body)
    outgoing.end()
  })
}

interface Failure {
  /** Makes the route `POST /`, or `GET /`, fail. */
  readonly set: (app: UntypedServer) => unknown
  readonly asked?: Asked
  readonly status: number
  readonly message: RegExp
  /** Whether the connection cannot be kept: a part of the body was not read. */
  readonly closes?: boolean
}

const withBody: Asked = { type: json, body: '{"a":1}', headers: { 'content-length': '7' } }
const chunked: Asked = { type: json, body: '{"a":1}' }
const conflict = { status: 409, message: /^broken$/ }
const route = (options: object, handler = ok) => ({
  set: (app: UntypedServer) => app.post('/', options, handler),
})
const hooked = (name: string, hook: AnyHandler) => ({
  set: (app: UntypedServer) => app.addHook(name, hook).post('/', ok),
})
const response = { 200: t.Object({ name: t.String() }) }
const formatter = { schema: { body: { b: t.String() } }, schemaErrorFormatter: broken }

const failures: Readonly<Record<string, Failure>> = {
  'a handler': { ...route({}, broken), ...conflict },
  'an async handler': { ...route({}, rejecting), ...conflict },
  'a handler, behind a body': { ...route({}, broken), ...conflict, asked: withBody },
  'a handler, behind a body in chunks': { ...route({}, rejecting), ...conflict, asked: chunked },
  onRequest: { ...hooked('onRequest', rejecting), ...conflict },
  'onRequest, before a body': {
    ...hooked('onRequest', rejecting),
    ...{ ...conflict, asked: withBody },
  },
  preParsing: { ...hooked('preParsing', broken), ...conflict, asked: withBody },
  preValidation: { ...hooked('preValidation', rejecting), ...conflict, asked: withBody },
  preHandler: { ...hooked('preHandler', broken), ...conflict, asked: chunked },
  'a hook of a route': { ...route({ preHandler: rejecting }), ...conflict },
  preSerialization: { ...hooked('preSerialization', once(broken)), ...conflict },
  'preSerialization that is async': { ...hooked('preSerialization', once(rejecting)), ...conflict },
  onSend: { ...hooked('onSend', once(broken)), ...conflict },
  'onSend that is async': { ...hooked('onSend', once(rejecting)), ...conflict },
  'JSON that is none': {
    ...route({}),
    ...{ asked: { type: json, body: '{' }, status: 400, message: /^Body is not valid JSON/ },
  },
  'JSON that is empty': {
    ...route({}),
    ...{ asked: { type: json }, status: 400, message: /^Body cannot be empty/ },
  },
  'a body that is announced as too large': {
    ...route({ bodyLimit: 5 }),
    ...{ asked: withBody, status: 413, message: /^Request body is too large$/, closes: true },
  },
  'a body that turns out to be too large': {
    ...route({ bodyLimit: 5 }),
    ...{ asked: chunked, status: 413, message: /^Request body is too large$/, closes: true },
  },
  'a media type without a parser': {
    ...route({}),
    asked: { ...withBody, type: 'a/b' },
    ...{ status: 415, message: /^Unsupported Media Type$/ },
  },
  'a validator': {
    ...route({ schema: { body: { b: t.String() } } }),
    ...{ asked: withBody, status: 400, message: /^body must have required property 'b'$/ },
  },
  'a validator that throws': {
    ...route({ schema: { body: {} }, validatorCompiler: () => broken }),
    ...conflict,
  },
  'a formatter that throws': { ...route(formatter), ...conflict, asked: withBody },
  'a serializer': {
    ...route({ schema: { response } }),
    ...{ status: 500, message: /"name" is required/ },
  },
  'a serializer of one reply': {
    ...route({}, (_request, reply) => reply.serializer(once(broken)).send({})),
    ...conflict,
  },
  'what has no JSON': { ...route({}, () => ({ n: 1n })), status: 500, message: /BigInt/ },
  'a header that is refused': {
    ...route({}, (_request, reply) => reply.header('x-a', 'a\nb').send('x')),
    ...{ status: 500, message: /Invalid character in header/ },
  },
}

/** Fails the first time only, so that what an error handler answers passes. */
function once(act: () => unknown): (...args: any[]) => unknown {
  let isFirst = true
  return (...args) => {
    if (!isFirst) return args.at(-1)
    isFirst = false
    return act()
  }
}

for (const [where, { set, asked, status, message, closes = false }] of Object.entries(failures)) {
  test(`the error of ${where} reaches the error handler once; the next request is answered`, async (context) => {
    const seen: Error[] = []
    const app = untyped().setErrorHandler((error, _request, reply) => {
      seen.push(error)
      return reply.send(`handled ${reply.statusCode}`)
    })
    app.register(async (child) => void set(child))
    app.get('/fine', () => 'fine')
    const port = Number(new URL(await app.listen({ port: 0 })).port)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    context.after(() => {
      agent.destroy()
      return app.close()
    })
    const [failed, log] = await silenced(async () => ask(agent, port, asked ?? {}))
    assert.equal(failed.body, `handled ${status}`)
    assert.equal(failed.status, status)
    assert.equal(log, '')
    assert.deepEqual([seen.length, seen[0] instanceof Error], [1, true])
    assert.match(String(seen[0]?.message), message)
    assert.equal(failed.headers.connection, closes ? 'close' : 'keep-alive')
    const next = await ask(agent, port, { method: 'GET', url: '/fine' })
    assert.deepEqual([next.status, next.body, next.isReused], [200, 'fine', !closes])
  })
}

test('a body of another length than was announced reaches the error handler', async () => {
  const app = untyped().setErrorHandler((error, _request, reply) => reply.send(error.code))
  app.post('/', ok)
  const headers = { 'content-type': json, 'content-length': '20' }
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url: '/',
    headers,
    payload: '{}',
  })
  assert.deepEqual([statusCode, body], [400, 'ESP_ERR_CTP_INVALID_CONTENT_LENGTH'])
  await app.close()
})

test('errors of hooks that can change nothing any more do not reach it, and are told to stderr', async () => {
  const seen: string[] = []
  const app = untyped().setErrorHandler((error) => {
    seen.push(error.message)
    return 'handled'
  })
  app.addHook('onError', async () => Promise.reject(new Error('of onError')))
  let ended: () => void = () => {}
  const responded = new Promise<void>((resolve) => (ended = resolve))
  app.addHook('onResponse', async () => Promise.reject(new Error('of onResponse')))
  app.addHook('onResponse', async () => ended())
  app.get('/', broken)
  const [{ body }, log] = await silenced(async () => {
    const answer = await app.inject('/')
    await responded
    return answer
  })
  assert.deepEqual([body, seen], ['handled', ['broken']])
  assert.match(log, /Error: of onError[^]*Error: of onResponse/)
  await app.close()
})

test('an onSend hook that fails for the answer of every error handler ends in a bare default answer', async () => {
  const seen: string[] = []
  const app = untyped().setErrorHandler((error) => {
    seen.push(error.message)
    return 'handled'
  })
  app.addHook('onSend', broken).get('/', ok)
  const [{ statusCode, body }, log] = await silenced(async () => app.inject('/'))
  assert.deepEqual([statusCode, JSON.parse(body).message, seen], [409, 'broken', ['broken']])
  assert.match(log, /Error: broken/)
  await app.close()
})

const promising: Readonly<Record<string, () => unknown>> = {
  resolves: async () => '{}',
  rejects: async () => Promise.reject(new Error('late')),
}
for (const [what, serializer] of Object.entries(promising)) {
  test(`a serializer whose promise ${what} is an error of the server, which lives`, async () => {
    const options = { schema: { response: { 200: {} } }, serializerCompiler: () => serializer }
    const app = untyped().get('/compiled', options, ok)
    app.get('/own', (_request, reply) => reply.serializer(serializer).send({}))
    app.register(async (child) => void child.setReplySerializer(serializer).get('/scope', ok))
    for (const url of ['/compiled', '/own', '/scope']) {
      const [{ statusCode }, log] = await silenced(async () => app.inject(url))
      assert.equal(statusCode, 500, url)
      assert.match(log, /its serializer returned .*, not a string or bytes/)
    }
    // A rejection that nobody handles is told of now.
    await new Promise((resolve) => setImmediate(resolve))
    await app.close()
  })
}

const textless: Readonly<Record<string, () => unknown>> = {
  throws: broken,
  'gives a number': () => 5,
  'gives nothing': () => undefined,
  'gives a promise': async () => '{}',
  'gives a promise that rejects': rejecting,
}
for (const [what, serializer] of Object.entries(textless)) {
  test(`an error payload whose serializer ${what} is sent as JSON, once, and the server lives`, async () => {
    const options = { schema: { response: { default: {} } }, serializerCompiler: () => serializer }
    const app = untyped().get('/', options, () => {
      throw Object.assign(new Error('teapot'), { statusCode: 418 })
    })
    const [{ statusCode, body }, log] = await silenced(async () => app.inject('/'))
    const expected = { statusCode: 418, error: "I'm a Teapot", message: 'teapot' }
    assert.deepEqual([statusCode, JSON.parse(body)], [418, expected])
    assert.match(log, /GET \/ in root: /)
    assert.doesNotMatch(log, /onSend/)
    await new Promise((resolve) => setImmediate(resolve))
    await app.close()
  })
}
