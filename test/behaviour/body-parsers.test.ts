// What a content-type parser is given, what it may answer, and the limits that hold for it.
import assert from 'node:assert/strict'
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { once } from 'node:events'
import { Agent, request as send, type IncomingMessage } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { rawRequest } from '../support/raw-request.ts'
import { silenced } from '../support/silence.ts'
import { untyped, type AnyHandler, type UntypedServer } from '../support/untyped.ts'

type Loose = any
const type = { 'content-type': 'x/y' }

const post = (app: UntypedServer, payload: string | Buffer | Readable, headers: object = type) =>
  app.inject({ method: 'POST', url: '/', headers: { ...headers }, payload })

/** A server whose route shows the body that a parser makes. */
function parsing(...parser: readonly unknown[]): UntypedServer {
  const app = untyped().post('/', ({ body }) => ({ body: body === undefined ? 'none' : body }))
  return parser.length === 0 ? app : app.addContentTypeParser('x/y', ...parser)
}

const forms: Readonly<Record<string, (request: Loose, body: Loose, done: Loose) => unknown>> = {
  'calls back at once': (_request, body, done) => void done(null, [body]),
  'calls back later': (_request, body, done) => void setImmediate(() => done(null, [body])),
  'is async': async (_request, body) => [body],
  'returns a promise, though it takes the callback': (_request, body, _done) =>
    Promise.resolve([body]),
  'returns the body': (_request: Loose, body: Loose) => [body],
  'calls back twice': (_request, body, done) => {
    done(null, [body])
    done(new Error('late'))
  },
}
for (const [what, parser] of Object.entries(forms)) {
  test(`a parser that ${what} gives the body`, async () => {
    const app = parsing({ parseAs: 'string' }, parser)
    assert.deepEqual((await post(app, 'é')).json(), { body: ['é'] })
    await app.close()
  })
}

const failures: Readonly<Record<string, (request: Loose, body: Loose, done: Loose) => unknown>> = {
  throws: () => {
    throw Object.assign(new Error('no'), { statusCode: 422 })
  },
  'calls back with an error': (_request, _body, done) =>
    void done(Object.assign(new Error('no'), { statusCode: 422 }), 'body'),
  rejects: async () => Promise.reject(Object.assign(new Error('no'), { statusCode: 422 })),
}
for (const [what, parser] of Object.entries(failures)) {
  for (const options of [{ parseAs: 'string' }, {}]) {
    const as = 'parseAs' in options ? 'text' : 'the stream'
    test(`a parser of ${as} that ${what} is answered by the error handlers`, async () => {
      const app = parsing(options, parser)
      const { statusCode, body } = await post(app, 'x')
      assert.deepEqual([statusCode, JSON.parse(body).message], [422, 'no'])
      await app.close()
    })
  }
}

test('an error without a status is a fault of the server, and may be anything', async () => {
  const app = parsing((_request: Loose, _body: Loose, done: Loose) => done(new Error('secret')))
  const [response, log] = await silenced(async () => post(app, 'x'))
  assert.equal(response.statusCode, 500)
  assert.doesNotMatch(response.body, /secret/)
  assert.match(log, /secret/)
  await app.close()
  const thrower = parsing((_request: Loose, _body: Loose, done: Loose) => done('text'))
  thrower.setErrorHandler((error) => ({ error }))
  assert.deepEqual((await post(thrower, 'x')).json(), { error: 'text' })
  await thrower.close()
})

test('a parser is given the request, and text, bytes or the stream; this is its server', async () => {
  const seen: Loose[] = []
  const app = untyped().decorate('name', 'root').decorateRequest('mark', 7)
  function parser(this: Loose, request: Loose, body: Loose, done: Loose): void {
    seen.push([this.name, request.mark, request.body, request.headers['content-type'], body])
    if (body instanceof Readable) text(body).then((all) => done(null, all), done)
    else done(null, String(body))
  }
  app.addContentTypeParser('x/text', { parseAs: 'string' }, parser)
  app.addContentTypeParser('x/bytes', { parseAs: 'buffer' }, parser)
  app.addContentTypeParser('x/stream', null, parser)
  app.post('/', ({ body }) => body)
  for (const kind of ['text', 'bytes', 'stream']) {
    assert.equal((await post(app, 'abc', { 'content-type': `x/${kind}` })).body, 'abc')
  }
  assert.deepEqual(
    seen.map(([name, mark, body]) => [name, mark, body]),
    Array.from({ length: 3 }, () => ['root', 7, undefined]),
  )
  const [asText, bytes, stream] = seen.map((each) => each[4])
  assert.equal(asText, 'abc')
  assert.ok(Buffer.isBuffer(bytes))
  assert.ok(stream instanceof Readable)
  await app.close()
})

test('text is put together before it is decoded', async () => {
  const app = parsing({ parseAs: 'string' }, async (_request: Loose, body: string) => body)
  const bytes = Buffer.from('aé€😀')
  const chunks = [...bytes].map((byte) => Buffer.from([byte]))
  assert.deepEqual((await post(app, Readable.from(chunks))).json(), { body: 'aé€😀' })
  await app.close()
})

test('an empty body is for the parser to judge', async () => {
  const app = parsing({ parseAs: 'string' }, async (_request: Loose, body: string) => [body])
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: Loose, body: Buffer) => body.length,
  )
  assert.deepEqual((await post(app, '')).json(), { body: [''] })
  const json = { 'content-type': 'application/json', 'content-length': '0' }
  assert.deepEqual((await post(app, '', json)).json(), { body: 0 })
  await app.close()
})

test('what a parser makes is validated by the body schema', async () => {
  const app = untyped().addContentTypeParser(
    'x/y',
    { parseAs: 'string' },
    async (_request: Loose, body: string) => ({ n: body }),
  )
  const schema = { body: { type: 'object', properties: { n: { type: 'integer' } } } }
  app.post('/', { schema }, ({ body }) => body)
  assert.deepEqual((await post(app, '12')).json(), { n: 12 })
  assert.equal((await post(app, 'x')).json().code, 'ESP_ERR_VALIDATION')
  await app.close()
})

test('what preParsing leaves is what a parser is given', async () => {
  const replaced = new PassThrough().end('replaced')
  const seen: unknown[] = []
  const app = parsing(async (_request: Loose, payload: Readable) => {
    seen.push(payload)
    return text(payload)
  })
  app.addHook('preParsing', () => replaced)
  assert.deepEqual((await post(app, 'sent')).json(), { body: 'replaced' })
  assert.equal(seen[0], replaced)
  await app.close()
})

test('a stream may be handed on to the handler', async () => {
  const app = untyped()
    .addContentTypeParser('*', (_request: Loose, payload: Loose, done: Loose) =>
      done(null, payload),
    )
    .post('/', ({ body }) => body)
  const big = 'x'.repeat(3_000_000)
  assert.equal((await post(app, big)).body, big)
  await app.close()
})

test('the limit is that of the route, else of the parser, else of the server', async () => {
  const app = untyped({ bodyLimit: 6 })
  const show = ({ body }: Loose): unknown => body
  const asText = async (_request: Loose, body: string): Promise<string> => body
  app.addContentTypeParser('x/own', { parseAs: 'string', bodyLimit: 4 }, asText)
  app.addContentTypeParser('x/none', { parseAs: 'string', bodyLimit: 0 }, asText)
  app.addContentTypeParser('x/wide', { parseAs: 'buffer', bodyLimit: 8 }, asText)
  app.post('/', show).post('/route', { bodyLimit: 5 }, show)
  const longest = { own: [4, 5], none: [6, 5], wide: [8, 5] } as const
  for (const [name, [parser, route]] of Object.entries(longest)) {
    for (const [url, limit] of [
      ['/', parser],
      ['/route', route],
    ] as const) {
      for (const makeBody of [String, (all: string) => Readable.from([all])]) {
        const statusOf = async (size: number): Promise<number> => {
          const headers = { 'content-type': `x/${name}` }
          const payload = makeBody('x'.repeat(size))
          return (await app.inject({ method: 'POST', url, headers, payload })).statusCode
        }
        assert.deepEqual([await statusOf(limit), await statusOf(limit + 1)], [200, 413], name)
      }
    }
  }
  await app.close()
})

test('no limit holds for a parser that reads the stream', async () => {
  const app = untyped({ bodyLimit: 4 }).post('/', { bodyLimit: 4 }, ({ body }) => body)
  app.addContentTypeParser('x/y', async (_request: Loose, payload: Readable) => text(payload))
  assert.equal((await post(app, 'more than four')).body, 'more than four')
  await app.close()
})

test('a body whose size is not the announced one does not reach a parser that has it collected', async () => {
  const app = parsing({ parseAs: 'buffer' }, () => assert.fail('the parser ran'))
  const { statusCode, body } = await post(app, 'abc', { ...type, 'content-length': '4' })
  assert.deepEqual([statusCode, JSON.parse(body).code], [400, 'ESP_ERR_CTP_INVALID_CONTENT_LENGTH'])
  await app.close()
})

test('what a parser that fails has not read does not hold up the connection', async () => {
  const refuse = async (_request: Loose, payload: Readable): Promise<never> => {
    payload.pipe(new PassThrough({ highWaterMark: 1 }))
    await once(payload, 'data')
    throw Object.assign(new Error('no'), { statusCode: 422 })
  }
  const app = parsing(refuse)
  const url = await app.listen({ port: 0 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const sockets = new Set<unknown>()
  for (let round = 0; round < 3; round++) {
    const request = send(url, { method: 'POST', agent, headers: type })
    request.on('socket', (socket) => sockets.add(socket))
    request.end('x'.repeat(800_000))
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    assert.equal(response.statusCode, 422)
    await text(response)
  }
  assert.equal(sockets.size, 1)
  agent.destroy()
  await app.close()
})

test('what a hook keeps in an AsyncLocalStorage is there behind a parser, wherever it calls back', async () => {
  const storage = new AsyncLocalStorage<string>()
  const elsewhere = new AsyncResource('elsewhere')
  const app = untyped().addContentTypeParser(
    'x/y',
    { parseAs: 'string' },
    (_request: Loose, body: string, done: Loose) => {
      elsewhere.runInAsyncScope(() => {
        assert.equal(storage.getStore(), undefined)
        setImmediate(() => done(body === 'fail' ? new Error('failed') : null, body))
      })
    },
  )
  const keep = (request: Loose, _reply: Loose, done: Loose): void =>
    storage.run(String(request.headers['x-kept']), done)
  app.addHook('onRequest', keep as AnyHandler).post('/', () => storage.getStore())
  app.setErrorHandler((_error, _request, reply) =>
    reply.code(400).send(`failed ${storage.getStore()}`),
  )
  const ask = async (kept: string, payload: string): Promise<string> =>
    (await post(app, payload, { ...type, 'x-kept': kept })).body
  const answers = await Promise.all([ask('one', 'x'), ask('two', 'fail'), ask('three', 'x')])
  assert.deepEqual(answers, ['one', 'failed two', 'three'])
  await app.close()
})

const proto = '{"a":{"__proto__":{"x":1}},"b":2}'
const constructor = '{"a":{"constructor":{"prototype":{"x":1}}},"b":2}'

test('poisoned keys of JSON are refused, removed or kept, as the options say', async () => {
  const bodyOf = async (options: object, payload: string): Promise<string | number> => {
    const app = untyped(options).post('/', ({ body }) => JSON.stringify(body))
    const response = await post(app, payload, { 'content-type': 'application/json' })
    await app.close()
    return response.statusCode === 200 ? response.body : response.json().code
  }
  const refused = 'ESP_ERR_CTP_INVALID_JSON_BODY'
  const without = '{"a":{},"b":2}'
  assert.equal(await bodyOf({ onProtoPoisoning: 'remove' }, proto), without)
  assert.equal(await bodyOf({ onProtoPoisoning: 'remove' }, constructor), refused)
  assert.equal(await bodyOf({ onProtoPoisoning: 'ignore' }, proto), proto)
  assert.equal(await bodyOf({ onProtoPoisoning: 'ignore' }, constructor), refused)
  assert.equal(await bodyOf({ onConstructorPoisoning: 'remove' }, constructor), without)
  assert.equal(await bodyOf({ onConstructorPoisoning: 'remove' }, proto), refused)
  assert.equal(await bodyOf({ onConstructorPoisoning: 'ignore' }, constructor), constructor)
  assert.equal(await bodyOf({ onProtoPoisoning: 'error' }, proto), refused)
})

test('the built-in parsers may be had for other types, and with other actions', async () => {
  const app = untyped({ onProtoPoisoning: 'ignore' }).post('/', ({ body }) => JSON.stringify(body))
  const { defaultTextParser } = app
  app.addContentTypeParser('x/json', { parseAs: 'string' }, app.getDefaultJsonParser())
  app.addContentTypeParser('x/bytes', { parseAs: 'buffer' }, app.getDefaultJsonParser('remove'))
  app.addContentTypeParser('x/text', { parseAs: 'string' }, defaultTextParser)
  const ask = async (name: string, payload: string): Promise<string> =>
    (await post(app, payload, { 'content-type': `x/${name}` })).body
  assert.equal(JSON.parse(await ask('json', proto)).code, 'ESP_ERR_CTP_INVALID_JSON_BODY')
  assert.equal(JSON.parse(await ask('json', '{')).code, 'ESP_ERR_CTP_INVALID_JSON_BODY')
  assert.equal(JSON.parse(await ask('json', '')).code, 'ESP_ERR_CTP_EMPTY_JSON_BODY')
  assert.equal(await ask('json', '{"b":2}'), '{"b":2}')
  assert.equal(await ask('bytes', proto), '{"a":{},"b":2}')
  assert.equal(await ask('text', proto), JSON.stringify(proto))
  await app.close()
})

test('DELETE and OPTIONS have a body where one is announced, and a type alone announces none', async () => {
  const app = untyped()
  for (const method of ['DELETE', 'OPTIONS']) {
    app.route({ method, url: '/', handler: ({ body }: Loose) => ({ body: body ?? 'none' }) })
  }
  const url = await app.listen({ port: 0 })
  for (const method of ['DELETE', 'OPTIONS']) {
    const ask = async (lines: readonly string[], body?: string): Promise<unknown> => {
      const { body: answer } = await rawRequest(url, [`${method} / HTTP/1.1`, ...lines], body)
      const { code, body: got } = JSON.parse(answer)
      return code ?? got
    }
    const json = 'content-type: application/json'
    assert.equal(await ask([]), 'none')
    assert.equal(await ask([json]), 'none')
    assert.equal(await ask([json, 'content-length: 0']), 'ESP_ERR_CTP_EMPTY_JSON_BODY')
    assert.deepEqual(await ask([json, 'content-length: 3'], '[1]'), [1])
    assert.equal(await ask(['content-length: 3'], '[1]'), 'ESP_ERR_CTP_INVALID_MEDIA_TYPE')
  }
  await app.close()
})

test('a not-found handler sees a body that can be parsed, and no other', async () => {
  const app = untyped({ bodyLimit: 20 }).setNotFoundHandler(
    {
      preHandler: async ({ body }: Loose) => {
        if (body !== undefined) body.seen = true
      },
    },
    ({ body }, reply) => reply.code(404).send({ body: body ?? 'none' }),
  )
  app.addContentTypeParser('x/y', { parseAs: 'string' }, async () =>
    Promise.reject(new Error('no')),
  )
  const ask = async (payload: string, headers: object, method = 'POST'): Promise<unknown> => {
    const options = { method: method as 'POST', url: '/none', headers: { ...headers }, payload }
    const response = await app.inject(options)
    assert.equal(response.statusCode, 404)
    return response.json().body
  }
  const json = { 'content-type': 'application/json' }
  assert.deepEqual(await ask('{"a":1}', json), { a: 1, seen: true })
  assert.deepEqual(await ask('{"a":1}', json, 'DELETE'), { a: 1, seen: true })
  assert.equal(await ask('{"a":1}', json, 'GET'), 'none')
  assert.equal(await ask('{"a":', json), 'none')
  assert.equal(await ask(`"${'x'.repeat(20)}"`, json), 'none')
  assert.equal(await ask('x', type), 'none')
  assert.equal(await ask('x', { 'content-type': 'a/b' }), 'none')
  await app.close()
})

test('a client that leaves within its body reaches no parser that has it collected', async () => {
  const app = parsing({ parseAs: 'buffer' }, () => assert.fail('the parser ran'))
  const left = new Promise<void>((resolve) => {
    app.addHook('onRequestAbort', async () => resolve())
  })
  const arrived = new Promise<void>((resolve) => {
    app.addHook('onRequest', async () => resolve())
  })
  const url = await app.listen({ port: 0 })
  const request = send(url, { method: 'POST', headers: { ...type, 'content-length': '10' } })
  request.on('error', () => undefined).write('x')
  await arrived
  request.destroy()
  await left
  await app.close()
})

test('a parser of the stream learns that its client has left', async () => {
  let app: UntypedServer | undefined
  const seen = new Promise<unknown>((resolve) => {
    app = parsing(async (_request: Loose, payload: Readable) => {
      payload.once('data', () => request.destroy())
      return text(payload).catch((error: unknown) => {
        resolve(error)
        throw Object.assign(new Error('left'), { statusCode: 400 })
      })
    })
  })
  const url = String(await app?.listen({ port: 0 }))
  const request = send(url, { method: 'POST', headers: { ...type, 'content-length': '10' } })
  request.on('error', () => undefined).write('x')
  assert.match(String(await seen), /aborted/)
  await app?.close()
})
