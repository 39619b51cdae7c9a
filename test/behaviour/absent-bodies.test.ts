// A request without a body is one whose body is null, and fits only where null fits the schema as it stands.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import ajvErrors from 'ajv-errors'
// @ts-expect-error -- it has no typings
import mergePatch from 'ajv-merge-patch'
import { z } from 'zod'
import espalier, { fastify, t } from '../../src/index.ts'
import { rawRequest } from '../support/raw-request.ts'
import { untyped, type UntypedServer } from '../support/untyped.ts'

interface Answer {
  readonly read?: unknown
  readonly code?: string
  readonly message?: string
}

interface Sent {
  readonly headers?: Record<string, string>
  readonly payload?: string
}

const asNull = { headers: { 'content-type': 'application/json' }, payload: 'null' }

/** What a handler reads of a body; the message, where the request is refused. */
async function read(
  body: object,
  sent: Sent = {},
  app: UntypedServer = untyped(),
): Promise<unknown> {
  app.post('/', { schema: { body } }, (request) => ({ read: request.body as unknown }))
  const response = await app.inject({ method: 'POST', url: '/', ...sent })
  await app.close()
  const answer = response.json<Answer>()
  if (response.statusCode === 200) return answer
  assert.equal(response.statusCode, 400)
  return answer.message
}

const withOptions = (ajv: object): UntypedServer => untyped({ ajv })

const shared = (): UntypedServer =>
  untyped()
    .addSchema({ $id: 'count', type: 'integer' })
    .addSchema({ $id: 'user', type: 'object', properties: { n: { type: 'integer' } } })
    .addSchema({ $id: 'none', type: ['string', 'null'] })

const closed = { additionalProperties: false }
const Text = t
  .Transform(t.String())
  .Decode((text) => `<${text}>`)
  .Encode((text) => text)
const MayBeText = t
  .Transform(t.Union([t.Integer(), t.Null()]))
  .Decode((value) => String(value))
  .Encode(() => null)

const required: Record<string, [body: object, message: string, app?: () => UntypedServer]> = {
  'a list of integers': [t.Array(t.Integer()), 'body must be array'],
  'a list of text': [t.Array(t.String()), 'body must be array'],
  'a list of null': [t.Array(t.Null()), 'body must be array'],
  'a list that may be empty of objects': [t.Array(t.Object({})), 'body must be array'],
  'a tuple': [t.Tuple([t.Integer()]), 'body must be array'],
  'an integer': [t.Integer(), 'body must be integer'],
  'a number from 1 on': [t.Number({ minimum: 1 }), 'body must be number'],
  text: [t.String(), 'body must be string'],
  'text of some length': [t.String({ minLength: 1 }), 'body must be string'],
  'a boolean': [t.Boolean(), 'body must be boolean'],
  'a literal of empty text': [t.Literal(''), 'body must be string'],
  'a literal of 0': [{ type: 'integer', enum: [0] }, 'body must be integer'],
  'one of several types': [
    { type: ['string', 'integer'] },
    'body must be string,integer',
    () => withOptions({ customOptions: { allowUnionTypes: true } }),
  ],
  'a union without null': [
    t.Union([t.Integer(), t.Object({ n: t.Integer() })]),
    'body must be integer',
  ],
  'an intersection': [{ allOf: [{ type: 'integer' }, {}] }, 'body must be integer'],
  'what is no text': [
    { if: { type: 'null' }, then: { type: 'string' }, else: {} },
    'body must be string',
  ],
  'what is transformed': [Text, 'body must be string'],
  'a shared integer': [{ $ref: 'count#' }, 'body must be integer', shared],
  'an object': [t.Object({}), 'body must be object'],
  'a shared object': [{ $ref: 'user#' }, 'body must be object', shared],
  'one of two objects': [
    t.Union([t.Object({ a: t.Integer() }, closed), t.Object({ b: t.Integer() }, closed)]),
    'body must be object',
  ],
}
for (const [what, [body, message, app]] of Object.entries(required)) {
  test(`a request without a body is refused where it is ${what}, and so is one whose body is null`, async () => {
    assert.match(String(await read(body, {}, app?.())), new RegExp(`^${message}`))
    assert.match(String(await read(body, asNull, app?.())), new RegExp(`^${message}`))
  })
}

const optional: Record<string, [body: object, app?: () => UntypedServer]> = {
  null: [t.Null()],
  'an integer or null': [t.Union([t.Integer(), t.Null()])],
  'null or a boolean': [t.Union([t.Null(), t.Boolean()])],
  'text or null, in one type': [{ type: ['string', 'null'] }],
  'a list that is nullable': [{ type: 'array', items: { type: 'integer' }, nullable: true }],
  'an object that is nullable': [{ type: 'object', nullable: true }],
  'an object or null': [t.Union([t.Object({ n: t.Integer() }), t.Null()])],
  'one of several values': [{ enum: ['', 0, null] }],
  anything: [t.Any()],
  unknown: [t.Unknown()],
  'anything but text': [{ not: { type: 'string' } }],
  'a shared schema with null': [{ $ref: 'none#' }, shared],
  'an integer or null, where all that is not named is removed': [
    t.Union([t.Integer(), t.Null()]),
    () => withOptions({ customOptions: { removeAdditional: 'all' } }),
  ],
}
for (const [what, [body, app]] of Object.entries(optional)) {
  test(`a body that may be ${what} may be left out, and is null then`, async () => {
    assert.deepEqual(await read(body, {}, app?.()), { read: null })
    assert.deepEqual(await read(body, asNull, app?.()), { read: null })
  })
}

test('a union with null that is transformed is given null', async () => {
  assert.deepEqual(await read(MayBeText), { read: 'null' })
})

test('a list that contains itself may not be left out, nor a union that does, unless null is in it', async () => {
  const Tree = t.Recursive((self) => t.Array(self))
  const Required = t.Recursive((self) => t.Union([t.Integer(), t.Array(self)]))
  const Optional = t.Recursive((self) => t.Union([t.Integer(), t.Array(self), t.Null()]))
  assert.equal(await read(Tree), 'body must be array')
  assert.match(String(await read(Required)), /^body must be integer/)
  assert.deepEqual(await read(Optional), { read: null })
})

test('the error is that of a failed validation, with the records of the validator', async () => {
  const app = untyped().post('/', { schema: { body: t.Array(t.Integer()) } }, () => 'reached')
  let seen: unknown
  app.setErrorHandler((error, _request, reply) => {
    seen = error
    return reply.send(error)
  })
  const response = await app.inject({ method: 'POST', url: '/' })
  assert.deepEqual(response.json(), {
    statusCode: 400,
    code: 'ESP_ERR_VALIDATION',
    error: 'Bad Request',
    message: 'body must be array',
  })
  const { validationContext, validation } = seen as Record<string, unknown>
  assert.equal(validationContext, 'body')
  const params = { type: 'array' }
  const message = 'must be array'
  const record = { keyword: 'type', instancePath: '', schemaPath: '#/type', params, message }
  assert.deepEqual(validation, [record])
})

test('with attachValidation the handler is given that error, and no body', async () => {
  const schema = { body: t.Integer() }
  const app = espalier().post('/', { schema, attachValidation: true }, (request) => [
    request.validationError?.message,
    typeof request.body,
  ])
  const response = await app.inject({ method: 'POST', url: '/' })
  assert.deepEqual(response.json(), ['body must be integer', 'undefined'])
})

test('a body that has come is coerced as before, and so is null inside of it', async () => {
  const json = (payload: string) => ({ ...asNull, payload })
  assert.deepEqual(await read(t.Array(t.Integer()), json('["1",null]')), { read: [1, 0] })
  assert.deepEqual(await read(t.Array(t.Integer()), json('"1"')), { read: [1] })
  assert.deepEqual(await read({ n: t.Integer() }, json('{"n":null}')), { read: { n: 0 } })
  assert.deepEqual(await read(t.Integer(), json('"7"')), { read: 7 })
  assert.deepEqual(await read(t.Integer(), json('false')), { read: 0 })
  assert.deepEqual(await read(t.String(), json('""')), { read: '' })
})

test('a query of the same schema is coerced as before', async () => {
  const schema = t.Union([t.Object({ n: t.Integer() }), t.Integer()])
  const app = untyped().post('/', { schema: { body: schema, querystring: schema } }, (request) => [
    request.body as unknown,
    request.query as unknown,
  ])
  const sent = { method: 'POST', url: '/?n=1' } as const
  assert.equal((await app.inject(sent)).statusCode, 400)
  assert.deepEqual((await app.inject({ ...sent, payload: { n: '2' } })).json(), [
    { n: 2 },
    { n: 1 },
  ])
})

test('of several media types that of a request without a body is as it was: any, or the first', async () => {
  const form = 'application/x-www-form-urlencoded'
  const content = (type: string, schema: object) => ({ content: { [type]: { schema } } })
  assert.equal(await read(content('text/plain', t.String())), 'body must be string')
  assert.equal(await read(content(form, t.Array(t.String()))), 'body must be array')
  assert.equal(await read(content('*/*', t.Array(t.String()))), 'body must be array')
  assert.deepEqual(await read(content('text/plain', t.Union([t.String(), t.Null()]))), {
    read: null,
  })
})

for (const [what, lines, expected] of [
  ['neither a length nor a type', [], 'body must be array'],
  ['the length 0', ['content-length: 0'], 'body must be array'],
  ['no chunk and no type', ['transfer-encoding: chunked'], 'ESP_ERR_CTP_INVALID_MEDIA_TYPE'],
  [
    'the length 0 and the type of JSON',
    ['content-length: 0', 'content-type: application/json'],
    'ESP_ERR_CTP_EMPTY_JSON_BODY',
  ],
  [
    'no chunk and the type of JSON',
    ['transfer-encoding: chunked', 'content-type: application/json'],
    'ESP_ERR_CTP_EMPTY_JSON_BODY',
  ],
  ['the length 0 and the type of text', ['content-length: 0', 'content-type: text/plain'], '[""]'],
] as const) {
  test(`over a socket, a request with ${what} is answered with ${expected}`, async (context) => {
    const schema = { body: t.Array(t.String()) }
    const app = untyped().post('/', { schema }, (request) => request.body as unknown)
    context.after(() => app.close())
    const url = await app.listen({ port: 0 })
    const isChunked = lines.some((line) => line.startsWith('transfer'))
    const request = ['POST / HTTP/1.1', ...lines]
    const { body } = await rawRequest(url, request, isChunked ? '0\r\n\r\n' : '')
    assert.ok(body.includes(expected), body)
  })
}

test('a body schema of DELETE and OPTIONS is for documents still', async () => {
  const app = untyped()
  const handler = ({ body }: { body?: unknown }) => ({ type: typeof body })
  app.route({ method: ['DELETE', 'OPTIONS'], url: '/', schema: { body: t.Integer() }, handler })
  for (const method of ['DELETE', 'OPTIONS'] as const) {
    assert.deepEqual((await app.inject({ method, url: '/' })).json(), { type: 'undefined' })
  }
})

test('other validators are asked as before: of null, and Standard Schemas of undefined', async () => {
  const seen: unknown[] = []
  const custom = untyped().setValidatorCompiler(() => (data: unknown) => seen.push(data) > 0)
  assert.deepEqual(await read(t.Integer(), {}, custom), { read: null })
  assert.deepEqual(seen, [null])
  assert.deepEqual(await read(z.number().default(5)), { read: 5 })
  const jtd = () => withOptions({ mode: 'JTD' })
  assert.equal(await read({ elements: { type: 'int32' } }, {}, jtd()), 'body must be array')
  assert.deepEqual(await read({ type: 'int32', nullable: true }, {}, jtd()), { read: null })
})

test('options and plugins of ajv hold for a body that was not sent', async () => {
  const even = { keyword: 'even', type: 'number', validate: (_: unknown, n: number) => n % 2 === 0 }
  const keywords = [even]
  const strict = () => withOptions({ customOptions: { strict: true, keywords, allErrors: true } })
  assert.equal(await read({ type: 'integer', even: true }, {}, strict()), 'body must be integer')
  const errors = () =>
    withOptions({ customOptions: { allErrors: true }, plugins: [ajvErrors, mergePatch] })
  const told = { type: 'integer', errorMessage: 'is to be a count' }
  assert.equal(await read(told, {}, errors()), 'body is to be a count')
  const merged = { $merge: { source: { type: 'string' }, with: { type: ['integer'] } } }
  assert.match(String(await read(merged, {}, errors())), /^body must be integer/)
  const exact = () => withOptions({ customOptions: { coerceTypes: false } })
  assert.equal(await read(t.Integer(), {}, exact()), 'body must be integer')
  assert.deepEqual(await read(t.Union([t.Integer(), t.Null()]), {}, exact()), { read: null })
})

test('an $async schema is asked in the same way', async () => {
  const given = { $async: true, type: 'array', items: { type: 'integer' } }
  assert.equal(await read(given), 'body must be array')
  assert.deepEqual(await read({ ...given, type: ['array', 'null'] }), { read: null })
  assert.deepEqual(await read(given, { ...asNull, payload: '["1"]' }), { read: [1] })
})

test('by hand, null fits a schema of a body only as it stands, too', async () => {
  const app = untyped().post('/', (request) => [
    request.validateInput(null, { type: 'integer' }) as unknown,
    request.validateInput(null, { type: ['integer', 'null'] }) as unknown,
    request.validateInput('5', { type: 'integer' }) as unknown,
  ])
  assert.deepEqual((await app.inject({ method: 'POST', url: '/' })).json(), [false, true, true])
})

test('installed as fastify, no body is coerced as Fastify does it', async () => {
  const schemas = { list: t.Array(t.Integer()), number: t.Integer(), text: t.String() }
  const app = fastify()
  for (const [name, body] of Object.entries(schemas)) {
    app.post(`/${name}`, { schema: { body } }, (request) => ({ read: request.body }))
  }
  const ask = async (url: string) => (await app.inject({ method: 'POST', url })).json<Answer>().read
  assert.deepEqual([await ask('/list'), await ask('/number'), await ask('/text')], [[0], 0, ''])
})
