// Specification 2.5, 4.3.6 to 4.3.8: which schema a reply is serialized with.
import assert from 'node:assert/strict'
import { test } from 'node:test'
// @ts-expect-error -- it has no typings
import mergePatch from 'ajv-merge-patch'
import espalier, { t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { deepFreeze, untyped, untypedFastify } from '../support/untyped.ts'

const integer = { type: 'integer' }
const all = { a: 1, b: 2, c: 3, secret: 4 }

/** Answers a GET with this status, payload and type, by this response schema. */
async function answer(
  response: object,
  payload: unknown = all,
  { status = 200, type }: { status?: number; type?: string } = {},
) {
  const app = untyped().get('/', { schema: deepFreeze({ response }) }, (_request, reply) => {
    if (type !== undefined) reply.type(type)
    return reply.code(status).send(payload)
  })
  return app.inject('/')
}

test('the exact status comes before its class, and its class before default', async () => {
  const response = { default: { c: integer }, '2xx': { b: integer }, 200: { a: integer } }
  for (const [status, body] of [
    [200, '{"a":1}'],
    [201, '{"b":2}'],
    [299, '{"b":2}'],
    [404, '{"c":3}'],
    [500, '{"c":3}'],
  ] as const) {
    assert.equal((await answer(response, all, { status })).body, body)
  }
})

test('a class may be written in any case', async () => {
  for (const key of ['4xx', '4XX', '4xX', '4Xx']) {
    const response = await answer({ [key]: { a: integer } }, all, { status: 418 })
    assert.equal(response.body, '{"a":1}')
    assert.equal(response.statusCode, 418)
  }
})

test('a status of which the schema says nothing is sent as JSON', async () => {
  const response = await answer({ 200: { a: integer }, '4xx': { b: integer } }, all, {
    status: 201,
  })
  assert.deepEqual(response.json(), all)
})

test('a returned value is of status 200, and of the status that was set', async () => {
  const schema = { response: { 200: { a: integer }, 201: { b: integer } } }
  const app = untyped()
    .get('/', { schema }, async () => all)
    .get('/set', { schema }, async (_request, reply) => {
      reply.code(201)
      return all
    })
  assert.equal((await app.inject('/')).body, '{"a":1}')
  const set = await app.inject('/set')
  assert.deepEqual([set.statusCode, set.body], [201, '{"b":2}'])
})

test('what a handler returns does not leave without a schema where a hook has set another status: all fields did', async () => {
  const schema = { response: { 200: { a: integer } } }
  const declare = (app: ReturnType<typeof untyped>, status: number) =>
    app
      .addHook('preHandler', async (_request, reply) => void reply.code(status))
      .get('/', { schema }, () => all)
      .get('/async', { schema }, async () => all)
      .get('/text', { schema }, async () => 'no')
      .get('/free', async () => all)
  const app = declare(untyped(), 401)
  for (const url of ['/', '/async']) {
    const [{ statusCode, body }, told] = await silenced(() => app.inject(url))
    assert.equal(statusCode, 500)
    assert.doesNotMatch(body, /secret|4/)
    assert.match(told, /GET \/.* cannot be sent: its response declares no status 401/)
  }
  assert.deepEqual((await app.inject('/free')).json(), all)
  assert.equal((await app.inject('/text')).body, 'no')
  const empty = await declare(untyped(), 204).inject('/')
  assert.deepEqual([empty.statusCode, empty.body], [204, ''])
  // An error handler answers with what it will.
  const handling = declare(untyped(), 401).setErrorHandler((_error, _request, reply) => {
    reply.code(422)
    return all
  })
  const answered = await handling.inject('/')
  assert.deepEqual([answered.statusCode, answered.json()], [422, all])
  const lenient = await declare(untypedFastify(), 401).inject('/')
  assert.deepEqual([lenient.statusCode, lenient.json()], [401, all])
})

test('fields that the schema does not have never leave, at any depth', async () => {
  const User = t.Object({ name: t.String() })
  const schema = { response: { 200: { list: t.Array(User), map: t.Object({ user: User }) } } }
  const user = { name: 'Ada', password: 'x' }
  const app = untyped().get('/', { schema }, () => ({
    list: [user, user],
    map: { user, hash: 'x' },
    token: 'x',
  }))
  assert.equal(
    (await app.inject('/')).body,
    '{"list":[{"name":"Ada"},{"name":"Ada"}],"map":{"user":{"name":"Ada"}}}',
  )
})

test('an entry may be a short form, a full schema, or carry a description', async () => {
  const full = { type: 'object', properties: { a: integer } }
  for (const entry of [
    { a: integer },
    full,
    t.Object({ a: t.Integer() }),
    { description: 'words', a: integer },
    { description: 'words', ...full },
    { description: 'words', content: { 'application/json': { schema: full } } },
  ]) {
    assert.equal((await answer({ 200: entry })).body, '{"a":1}')
  }
})

test('with content the schema of the media type of the reply is used', async () => {
  const content = {
    'application/json': { schema: { a: integer } },
    'application/Vnd.b+json': { schema: t.Object({ b: t.Integer() }) },
    'application/none': {},
  }
  for (const [type, body] of [
    [undefined, '{"a":1}'],
    ['application/json', '{"a":1}'],
    ['Application/JSON; charset=utf-8', '{"a":1}'],
    ['application/vnd.B+json', '{"b":2}'],
    ['application/vnd.b+json ;v=1', '{"b":2}'],
  ] as const) {
    const options = type === undefined ? {} : { type }
    assert.equal((await answer({ '2xx': { content } }, all, options)).body, body, type)
  }
})

test('a type that content does not declare is refused, since every field would leave', async () => {
  const content = { 'application/json': { schema: { a: integer } }, 'text/csv': {} }
  const type = 'application/other+json'
  const [response, text] = await silenced(() => answer({ 200: { content } }, all, { type }))
  assert.equal(response.statusCode, 500)
  assert.match(text, /status 200 declares no content of type application\/other\+json/)
})

test('the only media type of content is the type of a reply that sets none', async () => {
  const content = { 'application/vnd.a+json': { schema: { a: integer } } }
  const { headers, body } = await answer({ 200: { content } })
  assert.equal(headers['content-type'], 'application/vnd.a+json')
  assert.equal(body, '{"a":1}')
})

test('a media type without a schema lets everything through', async () => {
  const content = { 'application/json': {}, 'text/csv': {} }
  assert.equal((await answer({ 200: { content } })).body, JSON.stringify(all))
})

test('a schema that stands in place of a media type is a boot error, since every field would leave', async () => {
  for (const [media, found] of [
    [t.Object({ a: t.Integer() }), "'type'"],
    [{ shema: { a: integer } }, "'shema'"],
    [{ description: 'words', a: integer }, "'a'"],
    [t.Any(), "'Symbol"],
  ] as const) {
    await assert.rejects(answer({ 200: { content: { 'application/json': media } } }), {
      code: 'ESP_ERR_SCH_CONTENT_MISSING_SCHEMA',
      message: new RegExp(
        `The response 200 of GET / in root, application/json has no schema, but ${found}.*under 'schema'`,
      ),
    })
  }
  const annotated = { description: 'words', example: all, examples: {}, encoding: {} }
  const response = await answer({ 200: { content: { 'application/json': annotated } } })
  assert.equal(response.body, JSON.stringify(all))
})

test('a media type in content may be written with parameters', async () => {
  for (const key of ['application/json; charset=utf-8', 'application/json;charset=utf-8']) {
    const content = { [key]: { schema: { a: integer } } }
    assert.equal((await answer({ 200: { content } })).body, '{"a":1}')
    const type = 'application/json; charset=utf-8'
    assert.equal((await answer({ 200: { content } }, all, { type })).body, '{"a":1}')
  }
})

test("with content '*/*' stands for the media types that are not named", async () => {
  const content = {
    'application/json': { schema: { a: integer } },
    '*/*': { schema: { b: integer } },
  }
  assert.equal((await answer({ 200: { content } })).body, '{"a":1}')
  const options = { type: 'application/x+json' }
  assert.equal((await answer({ 200: { content } }, all, options)).body, '{"b":2}')
})

test('a short form may have a property that is called content', async () => {
  const payload = { content: { a: '1' }, secret: 1 }
  const response = await answer(
    { 200: { content: { type: 'object', properties: { a: integer } } } },
    payload,
  )
  assert.equal(response.body, '{"content":{"a":1}}')
})

test('$merge and $patch in a response entry never let a field leave that they do not have', async () => {
  const source = { type: 'object', properties: { a: integer } }
  for (const entry of [
    { $merge: { source, with: { properties: { b: integer } } } },
    { $patch: { source, with: [{ op: 'add', path: '/properties/b', value: integer }] } },
  ]) {
    const schema = { response: { 200: entry } }
    const app = untyped({ ajv: { plugins: [mergePatch] } }).get('/', { schema }, () => all)
    const body = await app.inject('/').then(
      (response) => response.body,
      (error: unknown) => String(error),
    )
    assert.ok(!body.includes('secret'), body)
  }
})

test('a Date is sent as its text, and values as the schema types them', async () => {
  const schema = { response: { 200: { at: t.String({ format: 'date-time' }), n: t.Integer() } } }
  const app = espalier().get('/', { schema }, () => ({ at: new Date(0), n: 1.5 }))
  assert.equal((await app.inject('/')).body, '{"at":"1970-01-01T00:00:00.000Z","n":1}')
})

test('a response may be a list, a scalar or null', async () => {
  for (const [schema, payload, body] of [
    [{ type: 'array', items: integer }, ['1', 2], '[1,2]'],
    [integer, 7, '7'],
    [{ type: 'boolean' }, false, 'false'],
    [{ type: 'null' }, null, 'null'],
    [{ anyOf: [{ type: 'null' }, integer] }, null, 'null'],
    [{ type: ['string', 'null'] }, null, 'null'],
  ] as const) {
    const response = await answer({ 200: schema }, payload)
    assert.equal(response.body, body)
    assert.equal(response.headers['content-type'], 'application/json; charset=utf-8')
  }
})

test('without a response schema values are sent as JSON', async () => {
  for (const payload of [{ a: [1] }, [], 7, true, null]) {
    const app = untyped().get('/', (_request, reply) => reply.send(payload))
    const response = await app.inject('/')
    assert.deepEqual(response.json(), payload)
    assert.equal(response.headers['content-type'], 'application/json; charset=utf-8')
  }
})

test('a string is sent as it is, as text or as the type that is set', async () => {
  const text = await answer({ 200: { type: 'string' } }, 'a "b"')
  assert.equal(text.body, 'a "b"')
  assert.equal(text.headers['content-type'], 'text/plain; charset=utf-8')
  const json = await answer({ 200: { a: integer } }, '{"x":1}', { type: 'application/json' })
  assert.equal(json.body, '{"x":1}')
  assert.equal(json.headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(json.headers['content-length'], '7')
})

test('bytes are sent as they are', async () => {
  const bytes = new Uint8Array([0, 255])
  for (const payload of [Buffer.from(bytes), bytes, bytes.buffer, new DataView(bytes.buffer)]) {
    const response = await answer({ 200: { a: integer } }, payload)
    assert.deepEqual([...response.rawPayload], [0, 255])
    assert.equal(response.headers['content-type'], 'application/octet-stream')
    assert.equal(response.headers['content-length'], '2')
  }
  const image = await answer({ 200: { a: integer } }, Buffer.from(bytes), { type: 'image/png' })
  assert.equal(image.headers['content-type'], 'image/png')
})

test('nothing is sent as an empty body without a type', async () => {
  const app = untyped().get('/', (_request, reply) => reply.send())
  const response = await app.inject('/')
  assert.deepEqual([response.statusCode, response.body], [200, ''])
  assert.equal(response.headers['content-length'], '0')
  assert.equal(response.headers['content-type'], undefined)
})

test('a reply of status 204 or 304 has no body, whatever is sent', async () => {
  for (const status of [204, 304]) {
    const response = await answer({ default: { a: integer } }, all, { status })
    assert.deepEqual([response.statusCode, response.body], [status, ''])
    assert.equal(response.headers['content-type'], undefined)
  }
})

test('a reply to HEAD has the length of its body and no body', async () => {
  const app = untyped().get('/', { schema: { response: { 200: { a: integer } } } }, () => all)
  const response = await app.inject({ method: 'HEAD', url: '/' })
  assert.deepEqual([response.body, response.headers['content-length']], ['', '7'])
})

test('reply.serializer serializes one reply only, whatever the schema says', async () => {
  let first = true
  const schema = { response: { 200: { a: integer } } }
  const app = untyped().get('/', { schema }, (_request, reply) => {
    if (first)
      reply.type('application/x').serializer((payload: object) => `<${Object.keys(payload)}>`)
    first = false
    return reply.send(all)
  })
  const own = await app.inject('/')
  assert.equal(own.body, '<a,b,c,secret>')
  assert.equal(own.headers['content-type'], 'application/x')
  assert.equal((await app.inject('/')).body, '{"a":1}')
})

test('a payload that its schema cannot serialize is a fault of the server', async () => {
  const schema = { response: { 200: t.Object({ name: t.String() }) } }
  const app = untyped().get('/', { schema }, () => ({}))
  const [response, log] = await silenced(() => app.inject('/'))
  assert.equal(response.statusCode, 500)
  assert.equal(response.json().message, 'Internal Server Error')
  assert.match(log, /"name" is required/)
})

test('a payload that has no JSON is a fault of the server that names the route', async () => {
  const app = untyped().get('/a', (_request, reply) => reply.send(() => 1))
  const [response, log] = await silenced(() => app.inject('/a'))
  assert.equal(response.statusCode, 500)
  assert.match(log, /The reply to GET \/a in root cannot be sent: a function has no JSON/)
})

const contradictions: Record<string, object> = {
  'of allOf': {
    allOf: [{ properties: { a: integer } }, { properties: { a: { type: 'string' } } }],
  },
  'of then and the properties beside it': {
    type: 'object',
    properties: { a: integer },
    if: { required: ['b'] },
    then: { properties: { a: { type: 'string' } } },
  },
}
for (const [what, schema] of Object.entries(contradictions)) {
  test(`schemas ${what} that give a field two types stop the boot and say what to do: the serializer's "Failed to merge" said neither where from nor what for`, async () => {
    await assert.rejects(async () => answer({ 200: schema }), {
      code: 'ESP_ERR_SCH_SERIALIZATION_BUILD',
      message:
        'The serializer for response 200 of GET / in root cannot be built: ' +
        'schemas that hold together (allOf, if/then/else, or keywords beside $ref) ' +
        "have another 'type' for the same value, and cannot be joined. Describe the value in one of them",
    })
  })
}

test('a payload that the schema of a status without content refuses is told with the route and the status', async () => {
  const told: string[] = []
  const app = espalier().setErrorHandler((error, _request, reply) => {
    told.push((error as Error).message)
    return reply.code(500).send('x')
  })
  const route = { schema: { response: { 204: { type: 'null' } } } } as object
  app.delete('/x', route, (_request, reply) => reply.code(204).send({ id: 1 }))
  await app.inject({ method: 'DELETE', url: '/x' })
  assert.equal(told.length, 1)
  assert.match(told[0] ?? '', /DELETE \/x in root.*status 204 has no content.*is an object/)
})
