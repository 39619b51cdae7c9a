// t.BigInt: whole numbers beyond 2^53, in requests and replies of both modes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { Type } from '@sinclair/typebox'
import fc from 'fast-check'
import espalier, { httpError, t } from '../../src/index.ts'
import { client, exactJson } from '../../src/client/index.ts'
import { openapi } from '../../src/openapi/index.ts'
import { listening, serve } from '../support/serve.ts'

const json = { 'content-type': 'application/json' }
const large = 2n ** 53n + 1n
const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n]

for (const strict of [false, true]) {
  const mode = strict ? 'strict mode' : 'the default mode'

  /** A server that says what the handler was given, without JSON of its own. */
  const seeing = (body: object) =>
    espalier({ strict }).post('/', { schema: { body } }, ({ body: given }) => shown(given))

  const send = async (body: object, payload: string) => {
    const response = await seeing(body).inject({ method: 'POST', url: '/', headers: json, payload })
    return response.statusCode === 200 ? response.body : response.statusCode
  }

  test(`a number of a body is a bigint, or is refused, in ${mode}`, async () => {
    const one = t.Object({ n: t.BigInt() })
    const numbers: Record<string, unknown> = {
      '0': '{ n: 0n }',
      '-0': '{ n: 0n }',
      '7': '{ n: 7n }',
      '1e3': '{ n: 1000n }',
      '1.0': '{ n: 1n }',
      '9007199254740991.0': '{ n: 9007199254740991n }',
      '9007199254740993': '{ n: 9007199254740993n }',
      '-9223372036854775808': '{ n: -9223372036854775808n }',
      '9223372036854775807': '{ n: 9223372036854775807n }',
      '9223372036854775808': 400,
      '-9223372036854775809': 400,
      '9007199254740993.0': 400,
      '9007199254740990.9999': 400,
      '1.00000000000000000001': 400,
      '0.99999999999999999999': 400,
      '1e-400': 400,
      '1e18': 400,
      '1e400': 400,
      '1e1000000': 400,
      '1.5': 400,
      [`1${'0'.repeat(900_000)}`]: 400,
      null: 400,
      true: 400,
      '""': 400,
      '"1.0"': 400,
      '"9007199254740993"': strict ? 400 : '{ n: 9007199254740993n }',
      '01': 400,
    }
    for (const [number, expected] of Object.entries(numbers))
      assert.equal(await send(one, `{"n":${number}}`), expected, number.slice(0, 40))
    assert.equal(await send(t.BigInt(), String(large)), `${large}n`)
    assert.equal(await send(t.BigInt(), '9007199254740993.5'), 400)
  })

  test(`it may stand at any place of a schema, in ${mode}`, async () => {
    const id = t.BigInt({ minimum: 1n, maximum: 10n ** 18n })
    const cases: [schema: object, payload: string, expected: unknown][] = [
      [t.Array(t.BigInt()), '[1,9007199254740993]', '[1n, 9007199254740993n]'],
      [
        t.Tuple([t.BigInt(), t.Number()]),
        '[9007199254740993,9007199254740993]',
        '[9007199254740993n, 9007199254740992]',
      ],
      [t.Record(t.String(), t.BigInt()), '{"a":9007199254740993}', '{ a: 9007199254740993n }'],
      [t.Object({ a: id }), '{"a":1000000000000000001}', 400],
      [t.Object({ a: id }), '{"a":0}', 400],
      [t.Object({ a: id }), '{"a":1000000000000000000}', '{ a: 1000000000000000000n }'],
      [t.Object({ a: t.BigInt({ nullable: true }) }), '{"a":null}', '{ a: null }'],
      [
        t.Object({ a: t.BigInt({ nullable: true }) }),
        '{"a":9007199254740993}',
        '{ a: 9007199254740993n }',
      ],
      [t.Object({ a: t.BigInt({ default: 5n }) }), '{}', '{ a: 5n }'],
      [t.Object({ a: t.BigInt({ enum: [1n, 2] }) }), '{"a":2}', '{ a: 2n }'],
      [t.Object({ a: t.BigInt({ enum: [1n, 2] }) }), '{"a":3}', 400],
      [t.Object({ a: t.BigInt({ const: 1n }) }), '{"a":1}', '{ a: 1n }'],
      [
        t.Object({ a: t.BigInt({ multipleOf: 3 }) }),
        '{"a":9007199254740993}',
        '{ a: 9007199254740993n }',
      ],
      [t.Object({ a: t.BigInt({ multipleOf: 2 }) }), '{"a":9007199254740993}', 400],
      [
        t.Object({ a: t.BigInt({ exclusiveMaximum: large }) }),
        '{"a":9007199254740992}',
        '{ a: 9007199254740992n }',
      ],
      [t.Object({ a: t.BigInt({ exclusiveMaximum: large }) }), '{"a":9007199254740993}', 400],
      [t.Object({ a: t.BigInt({ exclusiveMinimum: 1 }) }), '{"a":1}', 400],
      [
        t.Object({ a: t.Union([t.BigInt(), t.Null(), t.Object({ b: t.BigInt() })]) }),
        '{"a":{"b":9007199254740993}}',
        '{ a: { b: 9007199254740993n } }',
      ],
      [t.Object({ a: t.Union([t.BigInt(), t.String()]) }), '{"a":"12"}', "{ a: '12' }"],
      [
        t.Intersect([t.Object({ a: t.BigInt() }), t.Object({ b: t.BigInt() })]),
        '{"a":1,"b":9007199254740993}',
        '{ a: 1n, b: 9007199254740993n }',
      ],
      [{ allOf: [t.BigInt({ minimum: 2 }), t.BigInt({ maximum: 3 })] }, '3', '3n'],
      [{ allOf: [t.BigInt({ minimum: 2 }), t.BigInt({ maximum: 3 })] }, '4', 400],
      [
        t.Recursive((self) => t.Object({ a: t.BigInt(), next: t.Optional(self) })),
        '{"a":1,"next":{"a":9007199254740993}}',
        '{ a: 1n, next: { a: 9007199254740993n } }',
      ],
      [
        t
          .Transform(t.BigInt())
          .Decode((n) => ({ n }))
          .Encode(({ n }) => n),
        String(large),
        '{ n: 9007199254740993n }',
      ],
      [
        t.Array(t.BigInt(), { uniqueItems: true }),
        '[9007199254740992,9007199254740993]',
        '[9007199254740992n, 9007199254740993n]',
      ],
      [t.Array(t.BigInt(), { uniqueItems: true }), '[9007199254740993,9007199254740993]', 400],
    ]
    for (const [schema, payload, expected] of cases)
      assert.equal(await send(schema, payload), expected, `${JSON.stringify(schema)} ${payload}`)
  })

  test(`other numbers of such a body keep their meaning, and its texts, in ${mode}`, async () => {
    const body = t.Object({
      id: t.BigInt(),
      plain: t.Number(),
      int64: { type: 'integer', format: 'int64' } as never,
      any: t.Any(),
      text: t.String(),
    })
    const around = `"plain":12345678901234567890,"int64":9007199254740991,"any":[1e21,0.1234567890123456789]`
    const expected = `{ id: 9007199254740993n, plain: 12345678901234567000, int64: 9007199254740991, any: [1e+21, 0.12345678901234568], text: `
    for (const word of ['n9007199254740993', 's', '\\u006e12', '12345678901234567890', '\\"n1'])
      assert.equal(
        await send(body, `{"id":9007199254740993,${around},"text":"${word}"}`),
        `${expected}${shown(JSON.parse(`"${word}"`))} }`,
      )
    const keys = await send(t.Record(t.String(), t.BigInt()), '{"n1":9007199254740993,"s":1}')
    assert.equal(keys, '{ n1: 9007199254740993n, s: 1n }')
  })

  test(`what the parser of JSON refuses stays refused, in ${mode}`, async () => {
    const open = t.Object({ n: t.BigInt() }, { additionalProperties: true })
    for (const key of ['__proto__', '\\u005f_proto__'])
      assert.equal(await send(open, `{"n":9007199254740993,"${key}":{"a":1}}`), 400)
    assert.equal(await send(open, '{"n":9007199254740993,}'), 400)
    assert.equal(await send(open, `{"n":9007199254740993,"a":${'['.repeat(1e5)}`), 400)
    const deep = `{"n":9007199254740993,"a":${'['.repeat(1e4)}${']'.repeat(1e4)}}`
    assert.equal(typeof (await send(t.Object({ n: t.BigInt(), a: t.Any() }), deep)), 'string')
  })

  test(`text of a URL, a header or a form is a bigint by its digits, in ${mode}`, async () => {
    const n = t.BigInt()
    const app = espalier({ strict })
      .addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string' },
        (_request, form) => Object.fromEntries(new URLSearchParams(String(form))),
      )
      .get('/q', { schema: { querystring: { n, list: t.Optional(t.Array(n)) } } }, ({ query }) =>
        shown({ ...query }),
      )
      .get('/p/:n', { schema: { params: { n } } }, ({ params }) => shown({ ...params }))
      .get('/h', { schema: { headers: { 'X-N': n } } }, ({ headers }) => shown(headers['x-n']))
      .post('/f', { schema: { body: t.Object({ n }) } }, ({ body }) => shown({ ...body }))
    const get = async (url: string) => {
      const { statusCode, body } = await app.inject(url)
      return statusCode === 200 ? body : statusCode
    }
    assert.equal(await get(`/q?n=${large}`), `{ n: ${large}n }`)
    assert.equal(await get(`/q?n=1&list=${most}`), `{ n: 1n, list: [${most}n] }`)
    assert.equal(await get(`/q?n=1&list=1&list=${least}`), `{ n: 1n, list: [1n, ${least}n] }`)
    for (const wrong of ['', '+1', '1.0', '1e3', '01', ' 1', '0x1', '1n', String(most + 1n), 'a'])
      assert.equal(await get(`/q?n=${encodeURIComponent(wrong)}`), 400, wrong)
    assert.equal(await get(`/p/${large}`), `{ n: ${large}n }`)
    const header = await app.inject({ url: '/h', headers: { 'x-n': String(large) } })
    assert.equal(header.body, `${large}n`)
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const form = { method: 'POST', url: '/f', headers: type, payload: `n=${large}` } as const
    assert.equal((await app.inject(form)).body, `{ n: ${large}n }`)
  })

  test(`a parser of the application gives the value, in ${mode}`, async () => {
    const given: unknown[] = [7n, 7, 2 ** 53, large, 1.5]
    const app = espalier({ strict })
      .addContentTypeParser('application/x-own', { parseAs: 'string' }, async (_request, at) => ({
        n: given[Number(at)],
      }))
      .post('/', { schema: { body: t.Object({ n: t.BigInt() }) } }, ({ body }) => shown(body))
    const answers = await Promise.all(
      given.map(async (_each, at) => {
        const headers = { 'content-type': 'application/x-own' }
        const { statusCode, body } = await app.inject({
          method: 'POST',
          url: '/',
          headers,
          payload: String(at),
        })
        return statusCode === 200 ? body : statusCode
      }),
    )
    assert.deepEqual(answers, ['{ n: 7n }', '{ n: 7n }', 400, `{ n: ${large}n }`, 400])
  })

  test(`a bigint of a reply is a number with all its digits, in ${mode}`, async () => {
    const Lost = httpError('Lost', 410, { id: t.BigInt() })
    const date = t
      .Transform(t.String({ format: 'date-time' }))
      .Decode((at) => new Date(at))
      .Encode((at) => at.toISOString())
    const cases: [schema: object, payload: unknown, expected: string][] = [
      [t.BigInt(), large, `${large}`],
      [t.Object({ a: t.BigInt() }), { a: most }, `{"a":${most}}`],
      [t.Object({ a: t.BigInt() }), { a: 7 }, '{"a":7}'],
      [t.Object({ a: t.BigInt({ default: 5n }) }), {}, '{"a":5}'],
      [t.Object({ a: t.BigInt({ nullable: true }) }), { a: null }, '{"a":null}'],
      [t.Object({ a: t.BigInt({ nullable: true }) }), { a: large }, `{"a":${large}}`],
      [t.Array(t.BigInt()), [1n, large, 3], `[1,${large},3]`],
      [t.Record(t.String(), t.BigInt()), { a: large }, `{"a":${large}}`],
      [
        t.Object({ a: t.Union([t.BigInt(), t.String()]), b: t.BigInt() }),
        { a: large, b: large },
        `{"a":${large},"b":${large}}`,
      ],
      [t.Object({ a: t.Union([t.BigInt(), t.String()]) }), { a: '12' }, '{"a":"12"}'],
      [
        t.Union([t.Object({ at: date, n: t.BigInt(), m: t.Integer({ default: 1 }) }), t.Null()]),
        { at: new Date(0), n: large, m: 1, other: 1 },
        `{"at":"1970-01-01T00:00:00.000Z","n":${large},"m":1}`,
      ],
      [t.Object({ a: t.Union([t.BigInt(), date]) }), { a: large }, `{"a":${large}}`],
      [
        t.Object({ a: t.Union([t.BigInt(), date]) }),
        { a: new Date(0) },
        '{"a":"1970-01-01T00:00:00.000Z"}',
      ],
      [
        t.Union([
          t.Object({ k: t.Literal('a'), n: t.BigInt() }),
          t.Object({ k: t.Literal('b'), m: t.Array(t.BigInt()) }),
        ]),
        { k: 'b', m: [large] },
        `{"k":"b","m":[${large}]}`,
      ],
      [
        t.Intersect([t.Object({ a: t.BigInt() }), t.Object({ b: t.BigInt() })]),
        { a: large, b: 1n },
        `{"a":${large},"b":1}`,
      ],
      [
        t.Recursive((self) => t.Object({ a: t.BigInt(), next: t.Optional(self) })),
        { a: 1n, next: { a: large } },
        `{"a":1,"next":{"a":${large}}}`,
      ],
      [
        t.Object({ a: t.Ref('Id'), b: t.Union([t.Ref('Id'), t.Null()]) }),
        { a: large, b: large },
        `{"a":${large},"b":${large}}`,
      ],
      [{ content: { 'text/plain': { schema: t.BigInt() } } }, large, `${large}`],
      [
        t.Object({
          a: t
            .Transform(t.BigInt())
            .Decode((n) => ({ n }))
            .Encode(({ n }) => n),
        }),
        { a: { n: large } },
        `{"a":${large}}`,
      ],
    ]
    for (const [schema, payload, expected] of cases) {
      const app = espalier({ strict }).addSchema(t.BigInt({ $id: 'Id' }))
      app.get('/', { schema: { response: { 200: schema } } }, (() => payload) as never)
      assert.equal((await app.inject('/')).body, expected, JSON.stringify(schema))
    }
    const app = espalier({ strict }).addResponses(Lost)
    app.get('/lost', () => {
      throw new Lost({ id: large })
    })
    app.get(
      '/items',
      { schema: { response: { 200: jsonLines(t.Object({ a: t.BigInt() })) } } },
      async function* () {
        yield { a: large }
      } as never,
    )
    assert.match((await app.inject('/lost')).body, new RegExp(`"id":${large}`))
    assert.equal((await app.inject('/items')).body, `{"a":${large}}\n`)
  })

  test(`values come back as they were sent, over HTTP, in ${mode}`, async (context) => {
    const schema = t.Object({
      a: t.BigInt(),
      b: t.Optional(t.Union([t.BigInt(), t.Null()])),
      list: t.Array(t.Object({ n: t.BigInt({ minimum: -(2n ** 70n), maximum: 2n ** 70n }) })),
    })
    const app = espalier({ strict }).put(
      '/:id',
      {
        schema: {
          params: { id: t.BigInt() },
          body: schema,
          response: { 200: t.Object({ id: t.BigInt(), body: schema }) },
        },
      },
      ({ params, body }) => ({ id: params.id, body }),
    )
    const ask = await serve(context, app)
    const near = [2n ** 53n, 2n ** 63n, 0n].flatMap((n) => [n, -n])
    const number = fc.oneof(
      fc.tuple(fc.constantFrom(...near), fc.bigInt({ min: -3n, max: 3n })).map(([n, by]) => n + by),
      fc.bigInt({ min: least, max: most }),
    )
    await fc.assert(
      fc.asyncProperty(number, number, fc.array(number, { maxLength: 3 }), async (id, a, list) => {
        const items = list.map((n) => `{"n":${n}}`).join()
        const body = `{"a":${a},"list":[${items}],"b":${id}}`
        const answer = await ask(`/${id}`, { method: 'PUT', headers: json, body })
        const isKept = [id, a].every((n) => n >= least && n <= most)
        if (isKept) assert.equal(await answer.text(), `{"id":${id},"body":${body}}`)
        else assert.equal(answer.status, 400)
      }),
      { numRuns: 150 },
    )
  })
}

test('calls write and read a bigint by `exactJson`', async (context) => {
  const body = t.Object({ n: t.BigInt(), text: t.String() })
  const app = espalier()
    .post('/', { schema: { body, response: { 200: body } } }, ({ body: { n, text } }) => ({
      n,
      text,
    }))
    .get('/items', { schema: { response: { 200: jsonLines(body) } } }, async function* () {
      yield { n: large, text: 'n1' }
    })
  const at = await listening(context, app)
  const sent = { body: { n: large, text: 'n9007199254740993' } }
  const exact = await app.inject('POST /', sent, { json: exactJson })
  assert.deepEqual(exact.json(), sent.body)
  const api = client<typeof app>(at, { json: exactJson })
  assert.deepEqual((await api('POST /', sent)).json(), sent.body)
  assert.deepEqual((await api('POST /', { body: { n: 7n, text: '' } })).json(), { n: 7, text: '' })
  for await (const item of (await api('GET /items')).events())
    assert.deepEqual(item, { n: large, text: 'n1' })
  // Without it, JSON.stringify refuses a bigint.
  await assert.rejects(app.inject('POST /', sent), /BigInt/)
  await assert.rejects(client<typeof app>(at)('POST /', sent), /BigInt/)
})

test('`exactJson` is JSON but for large whole numbers', () => {
  const { parse, stringify } = exactJson
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      assert.equal(stringify(value), text)
      // It may have a large number, and a bigint is written as it was read.
      assert.equal(stringify(parse(text)), text)
    }),
  )
  const value = {
    n: [large, -large],
    's"n1': 'n1',
    at: new Date(0),
    none: undefined,
    list: [undefined],
  }
  const text = `{"n":[${large},-${large}],"s\\"n1":"n1","at":"1970-01-01T00:00:00.000Z","list":[null]}`
  assert.equal(stringify(value), text)
  assert.deepEqual(parse(text), {
    n: value.n,
    's"n1': 'n1',
    at: '1970-01-01T00:00:00.000Z',
    list: [null],
  })
  assert.deepEqual(parse('[1e300,12345678901234567.5,"\\u006e12345678901234567"]'), [
    1e300,
    12345678901234568,
    'n12345678901234567',
  ])
  assert.throws(() => parse('[01234567890123456789]'), SyntaxError)
  assert.equal(stringify(undefined), undefined)
})

test('documents say int64, with the bounds that a number holds', async () => {
  const schema = t.BigInt({ minimum: 1n, maximum: 2n ** 60n, default: 5n, description: 'An id' })
  const app = espalier().register(openapi({ info: { title: 'A', version: '1' } }))
  app.post('/', { schema: { body: t.Object({ n: schema }) } }, () => null)
  await app.ready()
  const document = app.openapi()
  const { n } = (document as any).paths['/'].post.requestBody.content['application/json'].schema
    .properties
  assert.deepEqual(n, {
    type: 'integer',
    format: 'int64',
    minimum: 1,
    default: 5,
    description: 'An id',
  })
})

test('what cannot hold is refused when it is written, or at boot', async () => {
  for (const options of [
    { default: large },
    { enum: [large] },
    { minimum: 1.5 },
    { maximum: 1e20 },
  ])
    assert.throws(() => t.BigInt(options), /^TypeError: t\.BigInt was given \S+: it takes whole/)
  const refused = async (schema: object) => {
    const app = espalier()
    app.post('/', { schema } as never, () => null as never)
    await assert.rejects(async () => app.ready(), { message: /t\.BigInt/ })
  }
  await refused({ response: { 200: t.Tuple([t.BigInt()]) } })
  await refused({ response: { 200: t.Tuple([t.Union([t.BigInt(), t.Null()])]) } })
  await refused({ body: { if: {}, then: t.BigInt() } })
  await refused({ body: t.Object({ n: { ...t.BigInt(), minimum: 0.5 } }) })
})

test('plain JSON Schema of int64, and a schema of equal text, give a number', async () => {
  const plain = Type.Integer({ format: 'int64' })
  const app = espalier()
    .post('/plain', { schema: { body: t.Object({ n: plain }) } }, ({ body }) => shown(body))
    .post('/big', { schema: { body: t.Object({ n: t.BigInt() }) } }, ({ body }) => shown(body))
  const answers = ['/plain', '/big'].map(async (url) => {
    return (await app.inject({ method: 'POST', url, payload: { n: 7 } })).body
  })
  assert.deepEqual(await Promise.all(answers), ['{ n: 7 }', '{ n: 7n }'])
})

test('`responses: report` tells nothing of a bigint that was sent as it is', async () => {
  const lines: string[] = []
  const stream = { write: (line: string) => lines.push(line) }
  const app = espalier({ responses: 'report', logger: { level: 'warn', stream } })
  const schema = t.Object({ n: t.BigInt(), plain: t.Number(), text: t.String() })
  app.get('/', { schema: { response: { 200: schema } } }, () => ({
    n: large,
    plain: 2 ** 60,
    text: 'n1',
  }))
  await app.inject('/')
  assert.deepEqual(lines, [])
})

/** A value as Node shows it, in one line. */
function shown(value: unknown): string {
  const text = inspect(value, { depth: Infinity, breakLength: Infinity })
  return text.replaceAll('[ ', '[').replaceAll(' ]', ']')
}

function jsonLines<Schema>(schema: Schema) {
  return { content: { 'application/jsonl': { itemSchema: schema } } } as const
}
