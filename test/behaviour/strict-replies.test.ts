// Strict mode: a reply is the projection of the payload on its schema, valid as it is, or a 500.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { httpError, t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

/** The body of a reply, or its status if that is another than 200. */
async function reply(schema: object, payload: unknown): Promise<unknown> {
  const app = untyped({ strict: true })
  app.get('/', { schema: { response: { 200: schema } } }, () => payload)
  const [{ statusCode, body }] = await silenced(() => app.inject({ url: '/' }))
  return statusCode === 200 ? body : statusCode
}

const one = (schema: object) => t.Object({ n: t.Unsafe<unknown>(schema) })
class Row {
  readonly secret = 'x'
  get n(): number {
    return 1
  }
}

const sent: Record<string, readonly [schema: object, payload: unknown, body: string]> = {
  'fields in the order of the schema': [
    t.Object({ a: t.Integer(), b: t.Integer() }),
    { b: 2, a: 1 },
    '{"a":1,"b":2}',
  ],
  'without fields that the schema lacks': [
    t.Object({ list: t.Array(t.Object({ a: t.Integer() })) }),
    { list: [{ a: 1, secret: 'x' }], secret: 'x' },
    '{"list":[{"a":1}]}',
  ],
  'without fields that objects which hold together lack': [
    t.Intersect([t.Object({ a: t.Integer() }), t.Object({ b: t.Integer() })]),
    { a: 1, b: 2, secret: 'x' },
    '{"a":1,"b":2}',
  ],
  'the fields of the alternative that fits': [
    t.Union([
      t.Object({ kind: t.Literal('a'), x: t.Integer() }),
      t.Object({ kind: t.Literal('b'), y: t.Integer() }),
    ]),
    { kind: 'b', x: 'secret', y: 2, z: 'secret' },
    '{"kind":"b","y":2}',
  ],
  'the fields of both alternatives that fit': [
    t.Union([t.Object({ a: t.Integer() }), t.Object({ a: t.Integer(), b: t.Integer() })]),
    { a: 1, b: 2 },
    '{"a":1,"b":2}',
  ],
  'no field of a closed object without fields': [
    t.Object({ n: t.Object({}, { additionalProperties: false }) }),
    { n: { secret: 'x' } },
    '{"n":{}}',
  ],
  'the fields inside of the alternative that fits': [
    t.Union([
      t.Object({ in: t.Union([t.Object({ a: t.Integer() }), t.Null()]), kind: t.Literal('a') }),
      t.Object({
        in: t.Union([t.Object({ a: t.Integer(), b: t.Integer() }), t.Object({ c: t.Integer() })]),
        kind: t.Literal('b'),
      }),
    ]),
    { in: { a: 1, b: 2, secret: 'x' }, kind: 'b' },
    '{"in":{"a":1,"b":2},"kind":"b"}',
  ],
  'all fields by an alternative that takes any object': [
    t.Object({ n: t.Union([t.Object({ a: t.Integer() }), t.Object({}), t.Unsafe({})]) }),
    { n: { z: 1 } },
    '{"n":{"z":1}}',
  ],
  'any value by one alternative, where another names fields': [
    t.Union([
      t.Object({ kind: t.Literal('a'), in: t.Object({ a: t.Integer() }) }),
      t.Object({ kind: t.Literal('b'), in: t.Any() }),
    ]),
    { kind: 'b', in: { z: 1 } },
    '{"kind":"b","in":{"z":1}}',
  ],
  'all fields of an open object': [
    t.Object({ a: t.Integer() }, { additionalProperties: true }),
    { z: [1], a: 1 },
    '{"a":1,"z":[1]}',
  ],
  'any value': [t.Any(), { a: [{ b: null }] }, '{"a":[{"b":null}]}'],
  'fields by patterns': [
    t.Record(t.String({ pattern: '^x' }), t.Integer()),
    { x1: 1, y: 2 },
    '{"x1":1}',
  ],
  'a getter of a class': [one({ type: 'integer' }), new Row(), '{"n":1}'],
  'what toJSON returns': [one({ type: 'string' }), { n: { toJSON: () => 'x' } }, '{"n":"x"}'],
  'a date with its time': [
    one({ type: 'string', format: 'date-time' }),
    { n: new Date(0) },
    '{"n":"1970-01-01T00:00:00.000Z"}',
  ],
  'a default for what is missing': [one({ type: 'integer', default: 5 }), {}, '{"n":5}'],
  'without undefined': [t.Object({ n: t.Optional(t.Integer()) }), { n: undefined }, '{}'],
  'null where the schema takes it': [one({ type: ['string', 'null'] }), { n: null }, '{"n":null}'],
  'a field named as what all objects have': [
    t.Object({ constructor: t.Optional(t.String()), n: t.Integer() }),
    { n: 1 },
    '{"n":1}',
  ],
}

for (const [name, [schema, payload, body]] of Object.entries(sent)) {
  test(`a strict reply is sent: ${name}`, async () => {
    assert.equal(await reply(schema, payload), body)
  })
}

const refused: Record<string, readonly [schema: object, value: unknown]> = {
  'a fraction for an integer': [{ type: 'integer' }, 199.9],
  'text for a number': [{ type: 'number' }, '7'],
  'text for a boolean': [{ type: 'boolean' }, 'false'],
  'null for text': [{ type: 'string' }, null],
  'an object for text': [{ type: 'string' }, {}],
  'another value than a const': [{ const: 'a' }, 'b'],
  'a number below the minimum': [{ type: 'integer', minimum: 1 }, 0],
  'text that the pattern refuses': [{ type: 'string', pattern: '^a$' }, 'b'],
  'text of another format': [{ type: 'string', format: 'email' }, 'b'],
  'a value of no enum': [{ type: 'string', enum: ['a'] }, 'b'],
  'equal items': [{ type: 'array', uniqueItems: true }, [1, 1]],
  'too few items': [{ type: 'array', minItems: 1 }, []],
  'a missing field': [{ type: 'object', required: ['a'], properties: {} }, {}],
  NaN: [{ type: 'number' }, NaN],
  'Infinity in any value': [{}, { a: [Infinity] }],
  'a Map': [{}, new Map([['a', 1]])],
  'a Set': [{ type: 'array' }, new Set([1])],
  'a promise that nobody awaited': [{ type: 'object', properties: {} }, Promise.resolve({})],
  'a function': [{}, () => 1],
  'a symbol': [{}, Symbol('a')],
  'a bigint': [{ type: 'integer' }, 7n],
  'undefined in a list': [{ type: 'array' }, [undefined]],
  'an invalid date': [{ type: 'string', format: 'date-time' }, new Date(NaN)],
}

for (const [name, [schema, value]] of Object.entries(refused)) {
  test(`a strict reply is a 500: ${name}`, async () => {
    assert.equal(await reply(t.Object({ n: t.Unsafe<unknown>(schema) }), { n: value }), 500)
  })
}

test('a strict reply without a schema has values of JSON only', async () => {
  const ask = async (payload: unknown, options: object = {}): Promise<unknown> => {
    const app = untyped(options)
    app.get('/', () => payload)
    app.get(
      '/typed',
      { schema: { response: { 200: { content: { 'text/json': {} } } } } },
      () => payload,
    )
    const get = async (url: string) => (await silenced(() => app.inject({ url })))[0].body
    assert.equal(await get('/'), await get('/typed'))
    return get('/')
  }
  const strict = { strict: true }
  assert.equal(await ask({ a: new Map([[1, 2]]) }), '{"a":{}}')
  for (const value of [new Map([[1, 2]]), new Set(), Promise.resolve(1), () => 1, [undefined]]) {
    assert.match(String(await ask({ a: value }, strict)), /"statusCode":500/)
  }
  const all = { b: [1, null, { c: new Date(0) }], a: undefined, d: { toJSON: () => 'x' } }
  assert.equal(await ask(all, strict), '{"b":[1,null,{"c":"1970-01-01T00:00:00.000Z"}],"d":"x"}')
})

test('what alternatives have in common does not let fields of the others pass', async () => {
  const closed = { additionalProperties: false }
  const schema = t.Union([
    t.Object({ a: t.Integer(), b: t.Optional(t.Integer()) }, closed),
    t.Object({ b: t.Integer(), c: t.Integer() }, closed),
  ])
  assert.equal(await reply(schema, { a: 1, b: 2, secret: 'x' }), '{"a":1,"b":2}')
  assert.equal(await reply(schema, { a: 1, b: 2, c: 3 }), 500)
})

test('an alternative that fails names no fields', async () => {
  const patterns = (value: object) => ({ type: 'object', patternProperties: { '^y-': value } })
  const union = {
    type: 'object',
    properties: { b: { type: 'integer' } },
    anyOf: [
      patterns({ type: 'integer' }),
      patterns({ type: 'boolean' }),
      t.Object({ a: t.Null() }),
    ],
  }
  assert.equal(await reply(union, { b: 1, a: null, 'y-1': 'secret' }), '{"b":1,"a":null}')
})

test('rules of an object count the fields that are sent', async () => {
  const a = t.Optional(t.Integer())
  assert.equal(await reply(t.Object({ a }, { minProperties: 1 }), { secret: 1 }), 500)
  const list = t.Array(t.Object({ a }), { uniqueItems: true })
  assert.equal(await reply(t.Object({ list }), { list: [{ secret: 1 }, { secret: 2 }] }), 500)
  const schema = t.Object({
    n: t.Unsafe<unknown>({
      minProperties: 2,
      anyOf: [t.Object({ a: t.Integer() }), t.Object({ b: t.Integer() })],
    }),
  })
  assert.equal(await reply(schema, { n: { a: 1, b: 'secret' } }), 500)
})

test('a field __proto__ is validated as the others', async () => {
  const schema = { type: 'object', properties: JSON.parse('{"__proto__":{"type":"integer"}}') }
  assert.equal(await reply(schema, JSON.parse('{"__proto__":1}')), '{"__proto__":1}')
  assert.equal(await reply(schema, JSON.parse('{"__proto__":"x"}')), 500)
})

test('text that is sent as it is has to be valid too', async () => {
  assert.equal(await reply(t.String({ pattern: '^a+$' }), 'aa'), 'aa')
  assert.equal(await reply(t.String({ pattern: '^a+$' }), 'b'), 500)
})

test('a field of an error that is not valid stays behind, and the log says of which reply', async () => {
  const lines: string[] = []
  const stream = { write: (line: string) => lines.push(JSON.parse(line).msg) }
  const app = untyped({ strict: true, logger: { level: 'error', stream } })
  const Taken = httpError('Taken', 409, { id: t.Integer() })
  app.get('/', { schema: { response: { 409: Taken } } }, () => {
    throw new Taken({ id: 1.5 })
  })
  const { statusCode, body, headers } = await app.inject({ url: '/' })
  assert.equal(statusCode, 409)
  assert.equal(body, '{"statusCode":409,"code":"Taken","error":"Conflict","message":"Taken"}')
  assert.equal(headers['declared'], undefined, 'it is not what the route declares')
  assert.deepEqual(lines, [
    'The reply for status 409 of GET / in root is not valid: /id must be integer',
  ])
})

/** What a logger gets of the replies of a route. */
async function reported(
  options: object,
  schema: object,
  ...payloads: unknown[]
): Promise<string[]> {
  const lines: string[] = []
  const stream = { write: (line: string) => lines.push(JSON.parse(line).msg) }
  const app = untyped({ responses: 'report', logger: { level: 'warn', stream }, ...options })
  app.get('/', { schema: { response: { 200: schema } } }, () => payloads.shift())
  while (payloads.length > 0) await app.inject({ url: '/' })
  return lines.map((line) => line.replace('The response 200 of GET / in root: ', ''))
}

test('a report tells once of each place what was left out, converted or not valid', async () => {
  const schema = t.Object({
    n: t.Integer(),
    list: t.Array(t.Object({ on: t.Boolean(), mail: t.String({ format: 'email' }) })),
  })
  const wrong = { on: 'false', mail: 'none', secret: 1 }
  const payload = { n: 1.5, list: [wrong, wrong], more: undefined, extra: { a: 1 } }
  assert.deepEqual(await reported({}, schema, payload, payload), [
    '/n was converted from a number to an integer',
    '/list/*/on was converted from text to true',
    '/list/*/secret was left out: the schema does not name it',
    '/extra was left out: the schema does not name it',
    '/list/*/mail is not valid: it must match format "email"',
  ])
})

test('a report is silent where all is sent', async () => {
  const schema = t.Object({
    at: t.String({ format: 'date' }),
    d: t.Integer({ default: 1 }),
    a: t.Any(),
  })
  assert.deepEqual(await reported({}, schema, { at: new Date(0), a: { b: [null, 1.5] } }), [])
})

test('a report is silent about the body of an error of which a schema names some fields', async () => {
  const fields = { message: t.String(), title: t.String(), n: t.Integer() }
  const fail = (): never => {
    throw Object.assign(new Error('no'), { statusCode: 409, n: 1 })
  }
  for (const options of [{}, { strict: true }, { problemDetails: true }]) {
    const lines: string[] = []
    const stream = { write: (line: string) => lines.push(JSON.parse(line).msg) }
    const app = untyped({ responses: 'report', logger: { level: 'warn', stream }, ...options })
    const schema = { response: { 409: t.Partial(t.Object(fields)) } }
    app.get('/', { schema }, fail)
    app.get('/own', { schema }, (_request, reply) =>
      reply.code(409).send({ error: 'Conflict', n: 1 }),
    )
    assert.equal((await app.inject({ url: '/' })).json().n, 1)
    assert.deepEqual(lines, [])
    await app.inject({ url: '/own' })
    assert.deepEqual(lines, [
      'The response 409 of GET /own in root: /error was left out: the schema does not name it',
    ])
  }
})

test('a report of strict mode tells what was left out', async () => {
  assert.deepEqual(
    await reported({ strict: true }, t.Object({ n: t.Integer() }), { n: 1, secret: 2 }),
    ['/secret was left out: the schema does not name it'],
  )
})

const declared = {
  headers: { 'X-Count': t.Integer({ minimum: 1 }), link: t.String({ minLength: 3 }) },
}
const withHeaders: Record<string, readonly [entry: object, headers: object, payload?: unknown]> = {
  alone: [declared, { 'x-count': '1.5' }],
  'with a list': [declared, { link: ['<a>', 'b'] }],
  'beside a schema': [{ ...declared, type: 'object', properties: {} }, { 'x-count': 0 }, {}],
  'beside content': [
    { ...declared, content: { 'text/csv': { schema: t.String() } } },
    { 'x-count': 'x' },
    'a,b',
  ],
  'by another library': [{ headers: { 'x-count': z.number() } }, { 'x-count': '1' }],
  'by a shared schema': [{ headers: { 'x-count': { $ref: 'count#' } } }, { 'x-count': 'x' }],
}

for (const [name, [entry, headers, payload]] of Object.entries(withHeaders)) {
  test(`a header that its schema refuses is a 500 and is not sent: ${name}`, async () => {
    const answer = async (strict: boolean) => {
      const app = untyped({ strict }).addSchema({ $id: 'count', type: 'integer' })
      const status = payload === undefined ? 204 : 200
      const schema = { response: { [status]: entry } }
      app.get('/', { schema }, (_request: any, reply: any) => {
        reply.code(status).headers(headers).send(payload)
      })
      const [response, lines] = await silenced(() => app.inject({ url: '/' }))
      return { ...response, log: String(lines) }
    }
    const { statusCode, headers: sent, log } = await answer(true)
    assert.equal(statusCode, 500)
    for (const each of Object.keys(headers)) {
      assert.equal(sent[each], undefined)
      assert.match(
        log,
        new RegExp(
          `The reply for status 20[04] of GET / in root is not valid: the header ${each} `,
        ),
      )
    }
    assert.notEqual((await answer(false)).statusCode, 500)
  })
}

test('headers that fit are sent, and so are those without a schema', async () => {
  const app = untyped({ strict: true })
  const schema = { response: { 204: declared } }
  app.get('/', { schema }, (_request: any, reply: any) => {
    reply.raw.setHeader('x-count', '7')
    reply
      .code(204)
      .headers({ link: ['<a>', '<b>'], other: 'x' })
      .send()
  })
  const { statusCode, headers } = await app.inject({ url: '/' })
  assert.equal(statusCode, 204)
  assert.deepEqual(
    [headers['x-count'], headers['link'], headers['other']],
    ['7', ['<a>', '<b>'], 'x'],
  )
})

test('a hook that sets a wrong header again does not keep the error from being sent', async () => {
  const app = untyped({ strict: true })
  app.addHook('onSend', async (_request: any, reply: any) => void reply.header('x-count', 'no'))
  const bad = { headers: { 'x-count': t.Integer() } }
  const content = { 'application/json': {} }
  app.get(
    '/',
    { schema: { response: { 204: bad, 500: { ...bad, content } } } },
    (_request: any, reply: any) => {
      reply.code(204).send()
    },
  )
  const [{ statusCode, headers }] = await silenced(() => app.inject({ url: '/' }))
  assert.equal(statusCode, 500)
  assert.equal(headers['x-count'], undefined)
})
