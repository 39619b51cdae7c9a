// Async iterables as payloads: what is written of their items, and when.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test, type TestContext } from 'node:test'
import * as z from 'zod'
import espalier, { errorCodes, event, t } from '../../src/index.ts'
import { rawRequest } from '../support/raw-request.ts'
import { serve } from '../support/serve.ts'
import { silenced } from '../support/silence.ts'
import { untyped, untypedFastify, type AnyHandler } from '../support/untyped.ts'

const Price = t.Object({ price: t.Integer() })
const hidden =
  '{"statusCode":500,"error":"Internal Server Error","message":"Internal Server Error"}'

/** The schema of a route whose 200 is a stream of these items. */
const streamOf = <const Type extends string, const Item extends object>(type: Type, item: Item) =>
  ({ response: { 200: { content: { [type as Type]: { itemSchema: item } } } } }) as {
    response: { 200: { content: { [Key in Type]: { itemSchema: Item } } } }
  }
const prices = streamOf('text/event-stream', Price)

async function* twoPrices() {
  yield { price: 1, secret: 'x' }
  await Promise.resolve()
  yield { price: 2 }
}

/** The body of the only route of a server. */
async function bodyOf(schema: object, handler: AnyHandler): Promise<string> {
  const app = untyped().get('/', { schema }, handler)
  const { statusCode, body } = await app.inject('/')
  assert.equal(statusCode, 200, body)
  return body
}

test('an async generator is sent as events, each item by the itemSchema', async (context) => {
  const app = espalier().get('/', { schema: prices }, async function* () {
    yield* twoPrices()
  })
  const answer = await (await serve(context, app))('/')
  assert.equal(await answer.text(), 'data: {"price":1}\n\ndata: {"price":2}\n\n')
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/event-stream')
  assert.equal(answer.headers.get('cache-control'), 'no-cache')
  assert.equal(answer.headers.get('x-accel-buffering'), 'no')
  assert.equal(answer.headers.get('content-length'), null)
})

const ways: Record<string, AnyHandler> = {
  'that an async handler returns': async () => twoPrices(),
  'that a handler sends': (_request, reply) => {
    reply.send(twoPrices())
  },
  'that is sent after its handler has returned': (_request, reply) => {
    setImmediate(() => reply.send(twoPrices()))
  },
  'that is no generator': () => ({ [Symbol.asyncIterator]: twoPrices }),
  'that is not async': () => [{ price: 1 }, { price: 2 }].values(),
  'of a generator that is not async': function* () {
    yield { price: 1 }
    yield { price: 2 }
  },
  'of promises': function* () {
    yield Promise.resolve({ price: 1 })
    yield Promise.resolve({ price: 2 })
  },
}
for (const [what, handler] of Object.entries(ways)) {
  test(`an iterable ${what} is sent as events`, async () => {
    assert.equal(await bodyOf(prices, handler), 'data: {"price":1}\n\ndata: {"price":2}\n\n')
  })
}

test('headers that a handler sets stay', async () => {
  const app = untyped().get('/', { schema: prices }, (_request, reply) =>
    reply
      .type('text/event-stream; x=1')
      .headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'yes' })
      .send(twoPrices()),
  )
  const { headers } = await app.inject('/')
  assert.equal(headers['content-type'], 'text/event-stream; x=1; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['x-accel-buffering'], 'yes')
})

test('an event has the fields that it was given', async () => {
  const body = await bodyOf(prices, async function* () {
    yield event({ price: 1 }, { id: 7, event: 'price', retry: 500, comment: 'one\r\ntwo' })
    yield event({ price: 2 })
    yield event(undefined, { comment: '' })
    yield event(undefined, { id: '' })
  })
  assert.equal(
    body,
    ': one\n: two\nevent: price\nid: 7\nretry: 500\ndata: {"price":1}\n\n' +
      'data: {"price":2}\n\n: \n\nid: \n\n',
  )
})

test('a field that would end its line, or that browsers ignore, is refused', () => {
  const refused = [{ id: 'a\nb' }, { id: '\0' }, { event: 'a\rb' }, { retry: 0.5 }, { retry: -1 }]
  for (const fields of refused) {
    assert.throws(() => event(1, fields), errorCodes.ESP_ERR_REP_EVENT, JSON.stringify(fields))
  }
  assert.throws(() => event(1, { id: 'a\nb' }), {
    message: `The 'id' of an event must be one line without NUL, but is "a\\nb"`,
  })
})

test('data of several lines is written as several lines', async () => {
  const app = untyped()
  app.setSerializerCompiler(() => (item: unknown) => JSON.stringify(item, null, 1))
  app.get('/', { schema: prices }, twoPrices)
  const { body } = await app.inject('/')
  assert.match(body, /^data: \{\ndata: {2}"price": 1,\ndata: .*\ndata: \}\n\ndata: /)
})

test('what has no JSON is no item', async () => {
  const none = streamOf('application/jsonl', z.any())
  const app = untyped().get('/', { schema: none }, () => [undefined].values())
  const [{ statusCode }, log] = await silenced(() => app.inject('/'))
  assert.equal(statusCode, 500)
  assert.match(log, /the serializer gave undefined for undefined, not text/)
})

test('a promise that rejects in the place of an item or of its text is a 500, and ends no process', async () => {
  const fail = async () => Promise.reject(new Error('no price'))
  const app = untyped().get('/item', { schema: prices }, () => [fail()].values())
  app.register(async (scope) => {
    scope.setSerializerCompiler(() => fail)
    scope.get('/text', { schema: prices }, twoPrices)
  })
  for (const [path, message] of Object.entries({ '/item': 'no price', '/text': 'not text' })) {
    const [{ statusCode }, log] = await silenced(() => app.inject(path))
    assert.equal(statusCode, 500)
    assert.match(log, new RegExp(message))
  }
})

test('lines of JSON and sequences of JSON are written as their media types say', async () => {
  for (const type of ['application/jsonl', 'application/x-ndjson', 'Application/JSONL; a=b']) {
    assert.equal(await bodyOf(streamOf(type, Price), twoPrices), '{"price":1}\n{"price":2}\n')
  }
  const sequence = await bodyOf(streamOf('application/json-seq', Price), twoPrices)
  assert.equal(sequence, '\x1e{"price":1}\n\x1e{"price":2}\n')
  const app = untyped().get('/', { schema: streamOf('application/jsonl', Price) }, twoPrices)
  const { headers } = await app.inject('/')
  assert.equal(headers['content-type'], 'application/jsonl')
  assert.equal('cache-control' in headers, false)
})

test('the itemSchema may be a short form, a reference, a Standard Schema or one with a transform', async () => {
  const day = t
    .Transform(t.String())
    .Decode((text) => new Date(text))
    .Encode((date) => date.toISOString().slice(0, 10))
  const app = untyped()
    .addSchema('price', Price)
    .get('/short', { schema: streamOf('application/jsonl', { price: t.Integer() }) }, twoPrices)
    .get('/ref', { schema: streamOf('application/jsonl', { $ref: 'price#' }) }, twoPrices)
    .get(
      '/zod',
      { schema: streamOf('application/jsonl', z.object({ price: z.number() })) },
      twoPrices,
    )
    .get('/text', { schema: streamOf('text/event-stream', t.String()) }, function* () {
      yield 'a\n'
    })
    .get('/day', { schema: streamOf('application/jsonl', day) }, function* () {
      yield new Date(0)
    })
  for (const path of ['/short', '/ref', '/zod']) {
    assert.equal((await app.inject(path)).body, '{"price":1}\n{"price":2}\n', path)
  }
  assert.equal((await app.inject('/text')).body, 'data: "a\\n"\n\n')
  assert.equal((await app.inject('/day')).body, '"1970-01-01"\n')
})

test('where a status has several types, the payload chooses, unless the type was set', async () => {
  const several = {
    response: {
      200: {
        content: {
          'application/json': { schema: Price },
          'text/event-stream': { itemSchema: Price },
          'application/jsonl': { itemSchema: Price },
        },
      },
    },
  }
  const app = untyped()
    .get('/json', { schema: several }, () => ({ price: 1 }))
    .get('/first', { schema: several }, twoPrices)
    .get('/lines', { schema: several }, (_request, reply) =>
      reply.type('application/jsonl').send(twoPrices()),
    )
  const answers = await Promise.all(['/json', '/first', '/lines'].map((path) => app.inject(path)))
  assert.deepEqual(
    answers.map(({ headers, body }) => [headers['content-type'], body]),
    [
      ['application/json; charset=utf-8', '{"price":1}'],
      ['text/event-stream', 'data: {"price":1}\n\ndata: {"price":2}\n\n'],
      ['application/jsonl', '{"price":1}\n{"price":2}\n'],
    ],
  )
})

test('without an itemSchema an iterable is sent as text and bytes, like a stream', async () => {
  const chunks = async function* () {
    yield 'a,'
    yield Buffer.from('b')
  }
  const csv = { response: { 200: { content: { 'text/csv': { schema: t.String() } } } } }
  const app = untyped()
    .get('/', chunks)
    .get('/csv', { schema: csv }, chunks)
    .get('/typed', (_request, reply) => reply.type('text/plain').send(chunks()))
    .get('/undeclared', { schema: csv }, (_request, reply) => {
      reply.code(206)
      return chunks()
    })
  const read = async (path: string) => {
    const { body, headers } = await app.inject(path)
    return [headers['content-type'], body]
  }
  assert.deepEqual(await read('/'), ['application/octet-stream', 'a,b'])
  assert.deepEqual(await read('/csv'), ['text/csv; charset=utf-8', 'a,b'])
  assert.deepEqual(await read('/typed'), ['text/plain; charset=utf-8', 'a,b'])
  assert.deepEqual(await read('/undeclared'), ['application/octet-stream', 'a,b'])
})

test('what is no stream is no payload of a stream, and its error says what is', async () => {
  const app = untyped().get('/', { schema: prices }, () => ({ price: 1 }))
  const [{ statusCode, body }, log] = await silenced(() => app.inject('/'))
  assert.deepEqual([statusCode, body], [500, hidden])
  assert.match(log, /GET \/ in root cannot be sent: .* its payload is an object\. Send its items/)
})

test('the status of a stream is the one before its generator begins, and its error says so', async () => {
  const response = { 201: prices.response[200] }
  const app = untyped()
    .get('/late', { schema: { response } }, async function* (_request: unknown, reply: any) {
      reply.code(201)
      yield* twoPrices()
    })
    .get('/early', { schema: { response } }, (_request, reply) => {
      reply.code(201)
      return twoPrices()
    })
  const [{ statusCode }, log] = await silenced(() => app.inject('/late'))
  assert.equal(statusCode, 500)
  assert.match(log, /its iterable gave an object, .* Declare its items under status 200: content/)
  const early = await app.inject('/early')
  assert.deepEqual([early.statusCode, early.headers['content-type']], [201, 'text/event-stream'])
})

test('a reply to HEAD has the head of the stream, whose generator never begins', async (context) => {
  let [begun, returned] = [0, 0]
  const app = untyped().get('/', { schema: prices }, () => ({
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: (begun += 1) > 0 }),
      return: async () => ({ done: (returned += 1) > 0 }),
    }),
  }))
  const answer = await (await serve(context, app))('/', { method: 'HEAD' })
  assert.equal(answer.headers.get('content-type'), 'text/event-stream')
  assert.deepEqual([begun, returned], [0, 1])
})

test('over HTTP/1.0 a stream ends with its connection', async (context) => {
  const app = untyped().get('/', { schema: prices }, twoPrices)
  context.after(() => app.close())
  const { head, body } = await rawRequest(await app.listen({ port: 0 }), ['GET / HTTP/1.0'])
  assert.doesNotMatch(head, /transfer-encoding|content-length/i)
  assert.equal(body, 'data: {"price":1}\n\ndata: {"price":2}\n\n')
})

test('onSend hooks get a stream, preSerialization hooks get none', async () => {
  const seen: unknown[] = []
  const app = untyped()
    .addHook('preSerialization', async () => void seen.push('preSerialization'))
    .addHook('onSend', async (...[, , payload]: unknown[]) => {
      seen.push(payload instanceof Readable)
      return payload
    })
    .get('/', { schema: prices }, twoPrices)
  assert.match((await app.inject('/')).body, /^data: .*\n\ndata: .*\n\n$/)
  assert.deepEqual(seen, [true])
})

test('a reply serializer of the scope writes no items, and that of the reply the whole payload', async () => {
  const app = untyped()
    .get('/scope', { schema: prices }, twoPrices)
    .get('/reply', { schema: prices }, (_request, reply) =>
      reply.serializer(() => 'own').send(twoPrices()),
    )
  app.setReplySerializer(() => 'scope')
  assert.match((await app.inject('/scope')).body, /^data: \{"price":1\}/)
  assert.equal((await app.inject('/reply')).body, 'own')
})

const wrong: Record<string, [schema: object, code: keyof typeof errorCodes, message: RegExp]> = {
  'under a type that is no stream': [
    streamOf('text/csv', Price),
    'ESP_ERR_SCH_ITEM_SCHEMA',
    /^The response 200 of GET \/ in root, text\/csv has an itemSchema, .* text\/event-stream, /,
  ],
  'beside a schema': [
    {
      response: { 200: { content: { 'text/event-stream': { schema: Price, itemSchema: Price } } } },
    },
    'ESP_ERR_SCH_DUPLICATE',
    /^The response 200 of GET \/ in root, text\/event-stream has both/,
  ],
  'that is none': [
    streamOf('text/event-stream', { type: 'objet' }),
    'ESP_ERR_SCH_SERIALIZATION_BUILD',
    /response 200 of GET \/ in root/,
  ],
  'of a body': [
    { body: { content: { 'application/jsonl': { itemSchema: Price } } } },
    'ESP_ERR_SCH_CONTENT_MISSING_SCHEMA',
    /'application\/jsonl' in the body of POST \/ in root has no schema, but 'itemSchema'/,
  ],
}
for (const [what, [schema, code, message]] of Object.entries(wrong)) {
  test(`an itemSchema ${what} stops the boot`, async () => {
    const app = untyped()
    app['body' in schema ? 'post' : 'get']('/', { schema }, twoPrices)
    await assert.rejects(
      async () => app.ready(),
      (error: Error) => {
        assert.ok(error instanceof errorCodes[code], String(error))
        assert.match(error.message, message)
        return true
      },
    )
  })
}

test('servers of the factory fastify write an iterable as JSON, as Fastify does', async (context: TestContext) => {
  const app = untypedFastify().get('/', () => twoPrices())
  context.after(() => app.close())
  assert.equal((await app.inject('/')).body, '{}')
  const other = untypedFastify().get('/', { schema: prices }, twoPrices)
  await assert.rejects(async () => other.ready(), { code: 'FST_ERR_SCH_CONTENT_MISSING_SCHEMA' })
})
