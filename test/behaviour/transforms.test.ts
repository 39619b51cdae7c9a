// t.Transform in routes: decoded after validation, encoded before serialization, at any depth.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from '@sinclair/typebox'
import espalier, { t, type ValidationError } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { deepFreeze, untyped } from '../support/untyped.ts'

const iso = '2020-01-02T03:04:05.000Z'
const date = new Date(iso)

const When = t
  .Transform(t.String({ format: 'date-time' }))
  .Decode((text) => new Date(text))
  .Encode((value) => value.toISOString())
const Cents = t
  .Transform(t.Integer())
  .Decode((cents) => ({ euros: cents / 100 }))
  .Encode(({ euros }) => euros * 100)
const Day = t
  .Transform(t.String())
  .Decode((text) => {
    if (text === 'never') throw new Error('must be a day')
    return { day: text }
  })
  .Encode(({ day }) => {
    if (day === 'never') throw new Error('no such day')
    return day
  })

/** What a handler reads of a body, and what is sent when it replies with that. */
async function roundTrip(schema: object, payload: unknown, shared: readonly object[] = []) {
  const app = untyped()
  let read: unknown
  for (const each of shared) app.addSchema(each)
  app.post('/', { schema: { body: schema, response: { 200: schema } } }, ({ body }, reply) => {
    read = body
    return reply.send(deepFreeze(body))
  })
  const headers = { 'content-type': 'application/json' }
  const response = await app.inject({
    method: 'POST',
    url: '/',
    headers,
    payload: JSON.stringify(payload),
  })
  await app.close()
  assert.equal(response.statusCode, 200, response.payload)
  return { read, sent: response.json<unknown>() }
}

/** Decodes and encodes: the value that handlers read, and the one that is sent, which is the same. */
async function check(schema: object, sent: unknown, read: unknown, shared: readonly object[] = []) {
  assert.deepEqual(await roundTrip(schema, sent, shared), { read, sent })
}

const places: readonly (readonly [string, TSchema, sent: unknown, read: unknown])[] = [
  ['properties', t.Object({ at: When }), { at: iso }, { at: date }],
  [
    'optional properties that are there',
    t.Object({ at: t.Optional(When) }),
    { at: iso },
    { at: date },
  ],
  ['optional properties that are not', t.Object({ at: t.Optional(When) }), {}, {}],
  [
    'objects in objects',
    t.Object({ a: t.Object({ at: When }) }),
    { a: { at: iso } },
    { a: { at: date } },
  ],
  ['items', t.Array(When), [iso, iso], [date, date]],
  ['tuples', t.Tuple([t.Integer(), When]), [1, iso], [1, date]],
  ['records', t.Record(t.String(), When), { a: iso, b: iso }, { a: date, b: date }],
  ['unions', t.Object({ at: t.Union([When, t.Null()]) }), { at: iso }, { at: date }],
  [
    'unions, of another member',
    t.Object({ at: t.Union([When, t.Null()]) }),
    { at: null },
    { at: null },
  ],
  [
    'unions of objects',
    t.Array(
      t.Union([
        t.Object({ kind: t.Literal('a'), it: Cents }),
        t.Object({ kind: t.Literal('b'), it: When }),
        t.Object({ kind: t.Literal('c'), it: t.String() }),
      ]),
    ),
    [
      { kind: 'a', it: 150 },
      { kind: 'b', it: iso },
      { kind: 'c', it: 'x' },
    ],
    [
      { kind: 'a', it: { euros: 1.5 } },
      { kind: 'b', it: date },
      { kind: 'c', it: 'x' },
    ],
  ],
  [
    'intersections',
    t.Intersect([t.Object({ at: When, n: t.Integer() }), t.Object({ price: Cents })]),
    { at: iso, n: 1, price: 150 },
    { at: date, n: 1, price: { euros: 1.5 } },
  ],
  [
    'intersections whose members meet in one property',
    t.Intersect([
      t.Object({ a: t.Object({ at: When }) }),
      t.Object({ a: t.Object({ price: Cents }) }),
    ]),
    { a: { at: iso, price: 150 } },
    { a: { at: date, price: { euros: 1.5 } } },
  ],
  [
    'intersections of lists',
    t.Intersect([t.Array(t.Object({ at: When })), t.Array(t.Object({ price: Cents }))]),
    [{ at: iso, price: 150 }],
    [{ at: date, price: { euros: 1.5 } }],
  ],
  [
    'additional properties',
    t.Object({ n: t.Integer() }, { additionalProperties: When }),
    { n: 1, x: iso },
    { n: 1, x: date },
  ],
]
for (const [place, schema, sent, read] of places) {
  test(`a transform works in ${place}`, async () => check(schema, sent, read))
}

test('a transform of a transform, and of what holds one, is decoded inside out', async () => {
  const Year = t
    .Transform(When)
    .Decode((value) => value.getUTCFullYear())
    .Encode((year) => new Date(Date.UTC(year, 0)))
  await check(t.Object({ y: Year }), { y: '2020-01-01T00:00:00.000Z' }, { y: 2020 })
  const Held = t
    .Transform(t.Object({ at: When }))
    .Decode(({ at }) => [at.getTime()] as const)
    .Encode(([time]) => ({ at: new Date(time) }))
  await check(Held, { at: iso }, [date.getTime()])
})

test('the default of a transformed schema is decoded, and what is optional may be missing', async () => {
  const Late = t
    .Transform(t.String({ format: 'date-time', default: iso }))
    .Decode((text) => new Date(text))
    .Encode((value) => value.toISOString())
  const MayBe = t
    .Transform(t.Optional(t.String()))
    .Decode((text) => text.length)
    .Encode((length) => 'x'.repeat(length))
  const schema = t.Object({ late: Late, maybe: MayBe })
  const app = espalier().post('/', { schema: { body: schema } }, ({ body }) => [
    body.late.getTime(),
    body.maybe ?? null,
  ])
  const sent = async (body: { maybe?: string }) => (await app.inject('POST /', { body })).json()
  assert.deepEqual(await sent({}), [date.getTime(), null])
  assert.deepEqual(await sent({ maybe: 'ab' }), [date.getTime(), 2])
  const replying = espalier().get('/', { schema: { response: { 200: schema } } }, () => ({
    maybe: 3,
  }))
  assert.deepEqual((await replying.inject('GET /')).json(), { late: iso, maybe: 'xxx' })
})

test('a transform works by reference, in every form', async () => {
  const event = t.Object(
    { at: When, price: t.Ref('#/definitions/price'), nick: t.Ref('#nick') },
    { $id: 'event', definitions: { price: Cents, nick: { ...Day, $id: '#nick' } } },
  )
  const [sent, read] = [
    { at: iso, price: 150, nick: 'monday' },
    { at: date, price: { euros: 1.5 }, nick: { day: 'monday' } },
  ]
  await check(t.Ref('event#'), sent, read, [event])
  await check(t.Array(t.Ref('event')), [sent], [read], [event])
  await check(t.Object({ a: t.Ref('event#/properties/at') }), { a: iso }, { a: date }, [event])
  await check(t.Array(t.Ref('event#/definitions/price')), [150], [{ euros: 1.5 }], [event])
  await check(t.Array(t.Ref('event#nick')), ['x'], [{ day: 'x' }], [event])
  await check({ type: 'object', properties: { e: { $ref: 'event#' } } }, { e: sent }, { e: read }, [
    event,
  ])
})

test('a transform works in schemas that refer to themselves', async () => {
  const tree = t.Object({ at: When, kids: t.Array(t.Ref('tree#')) }, { $id: 'tree' })
  const sent = { at: iso, kids: [{ at: iso, kids: [] }] }
  const read = { at: date, kids: [{ at: date, kids: [] }] }
  await check(t.Ref('tree#'), sent, read, [tree])
  const own = t.Recursive((This) => t.Object({ at: When, kids: t.Array(This) }))
  await check(own, sent, read)
  const plain = t.Recursive((This) => t.Object({ kids: t.Array(This) }))
  await check(plain, { kids: [{ kids: [] }] }, { kids: [{ kids: [] }] })
})

test('all parts are decoded, in short form too, scalars at the root of a body as well', async () => {
  const app = espalier().post(
    '/:price',
    {
      schema: {
        params: { price: Cents },
        querystring: { on: When },
        headers: { 'X-Day': Day },
        body: Cents,
      },
    },
    ({ params, query, headers, body }) => [
      params.price.euros,
      query.on.getTime(),
      headers['x-day'].day,
      body.euros,
    ],
  )
  const response = await app.inject({
    method: 'POST',
    url: `/250?on=${iso}`,
    headers: { 'x-day': 'friday', 'content-type': 'application/json' },
    payload: '"150"',
  })
  assert.deepEqual(response.json(), [2.5, date.getTime(), 'friday', 1.5])
})

test('coercion and defaults come before decoding', async () => {
  const Page = t
    .Transform(t.Integer({ default: 3 }))
    .Decode((page) => ({ offset: page * 10 }))
    .Encode(({ offset }) => offset / 10)
  const querystring = t.Object({ page: Page, list: t.Array(Cents) })
  const app = espalier().get('/', { schema: { querystring } }, ({ query }) => query)
  const get = async (url: `/${string}`) => (await app.inject(url)).json()
  assert.deepEqual(await get('/?list=150'), { page: { offset: 30 }, list: [{ euros: 1.5 }] })
  assert.deepEqual(await get('/?page=2&list=100&list=200'), {
    page: { offset: 20 },
    list: [{ euros: 1 }, { euros: 2 }],
  })
})

test('a Decode that throws is a failed validation, which says where', async () => {
  const errors: unknown[] = []
  const body = t.Object({ 'a/b': t.Array(t.Object({ day: Day })) })
  const app = untyped()
    .setErrorHandler((error, _request, reply) => {
      errors.push(error.validation, error.validationContext)
      return reply.send(error)
    })
    .post('/', { schema: { body } }, () => 'reached')
  const payload = { 'a/b': [{ day: 'x' }, { day: 'never' }] }
  const response = await app.inject({ method: 'POST', url: '/', payload })
  assert.equal(response.statusCode, 400)
  assert.equal(response.json().message, 'body/a~1b/1/day must be a day')
  assert.equal(response.json().code, 'ESP_ERR_VALIDATION')
  const record = { keyword: 'transform', instancePath: '/a~1b/1/day', message: 'must be a day' }
  assert.deepEqual(errors, [[record], 'body'])
})

test('what Decode throws that is no error is a failed validation too', async () => {
  const Odd = t
    .Transform(t.String())
    .Decode((): string => {
      throw undefined
    })
    .Encode((text) => text)
  const app = espalier().post('/', { schema: { body: { a: Odd } } }, () => 1)
  const response = await app.inject('POST /', { body: { a: 'x' } })
  assert.equal(response.statusCode, 400)
  assert.equal((response.json() as unknown as Error).message, 'body/a cannot be decoded')
})

test('a formatter is given the records of decoding like any others', async () => {
  const app = untyped()
    .setSchemaErrorFormatter(
      ([first]: { keyword: string }[], part: string) => new Error(`${part}: ${first?.keyword}`),
    )
    .get('/', { schema: { querystring: { day: Day } } }, () => 'reached')
  assert.equal((await app.inject('/?day=never')).json().message, 'querystring: transform')
})

test('with attachValidation the handler is told, and reads the part as it was sent', async () => {
  const app = untyped().get(
    '/',
    { attachValidation: true, schema: { querystring: { day: Day, n: Cents } } },
    ({ query, validationError }) => [
      query,
      (validationError as ValidationError | undefined)?.message,
    ],
  )
  assert.deepEqual((await app.inject('/?day=never&n=1')).json(), [
    { day: 'never', n: 1 },
    'querystring/day must be a day',
  ])
  assert.deepEqual((await app.inject('/?day=x&n=100')).json(), [
    { day: { day: 'x' }, n: { euros: 1 } },
    null,
  ])
})

test('a validation function says whether a value can be decoded, and leaves it as it is', async () => {
  const body = t.Object({ day: Day, n: t.Integer() })
  const app = untyped().post('/', { schema: { body } }, (request) => {
    const validate = request.getValidationFunction('body')
    const [good, bad] = [
      { day: 'x', n: '1' },
      { day: 'never', n: 1 },
    ]
    return [
      [validate(good), good, validate.errors],
      [validate(bad), validate.errors],
      [request.validateInput('never', Day), request.validateInput('x', Day)],
      request.compileValidationSchema(t.Array(Day))(['never']),
    ]
  })
  const response = await app.inject({ method: 'POST', url: '/', payload: { day: 'x', n: 1 } })
  const error = { keyword: 'transform', instancePath: '/day', message: 'must be a day' }
  assert.deepEqual(response.json(), [
    [true, { day: 'x', n: 1 }, null],
    [false, [error]],
    [false, true],
    false,
  ])
})

test('equal JSON with different transforms is decoded and encoded differently', async () => {
  const make = (name: string) =>
    t
      .Transform(t.String())
      .Decode((text) => ({ [name]: text }))
      .Encode((value) => `${name}:${value[name]}`)
  const [A, B] = [make('a'), make('b')]
  const app = untyped()
  for (const [path, v] of Object.entries({ '/a': A, '/b': B, '/none': t.String() })) {
    const schema = { querystring: { v }, response: { 200: { v } } }
    app.get(path, { schema }, ({ query }) => query)
  }
  const get = async (url: string) => (await app.inject(url)).json()
  assert.deepEqual(await get('/a?v=1'), { v: 'a:1' })
  assert.deepEqual(await get('/b?v=1'), { v: 'b:1' })
  assert.deepEqual(await get('/none?v=1'), { v: '1' })
})

test('an Encode that throws is a 500 that names route, status and place', async () => {
  const schema = { response: { '2xx': t.Object({ list: t.Array(Day) }) } }
  const app = espalier().get('/x', { schema }, (_request, reply) =>
    reply.code(201).send({ list: [{ day: 'x' }, { day: 'never' }] }),
  )
  const [response, text] = await silenced(() => app.inject({ url: '/x' }))
  assert.equal(response.statusCode, 500)
  assert.equal(response.json<Record<string, unknown>>().message, 'Internal Server Error')
  assert.match(text, /payload at \/list\/1 of response 2xx of GET \/x in root.*no such day/)
})

test('an Encode of a union that throws is told, where no member takes the value', async () => {
  const schema = { response: { 200: t.Object({ v: t.Union([t.Integer(), t.Array(Day)]) }) } }
  const app = untyped().get('/x', { schema }, () => ({ v: [{ day: 'never' }] }))
  const [response, text] = await silenced(() => app.inject('/x'))
  assert.equal(response.statusCode, 500)
  assert.match(text, /payload at \/v\/0 of response 200 .*no such day/)
  const none = untyped().get('/x', { schema }, () => ({ v: {} }))
  const [refused] = await silenced(() => none.inject('/x'))
  assert.equal(refused.statusCode, 500)
})

test('a payload is not encoded by a member that makes undefined of it: one of any value took all, and nothing left', async () => {
  const Boxed = t
    .Transform(t.Unknown())
    .Decode((value) => ({ value }))
    .Encode(({ value }) => value)
  const schema = { response: { 200: t.Object({ v: t.Union([Boxed, t.Array(t.Integer())]) }) } }
  const app = untyped()
  app.get('/list', { schema }, () => ({ v: [1] }))
  app.get('/box', { schema }, () => ({ v: { value: 'x' } }))
  assert.deepEqual((await app.inject('/list')).json(), { v: [1] })
  assert.deepEqual((await app.inject('/box')).json(), { v: 'x' })
})

test('a payload that has no JSON is left to the serializer', async () => {
  const schema = { response: { 200: t.Object({ v: t.Union([Cents, t.Array(t.Integer())]) }) } }
  const app = untyped().get('/x', { schema }, () => ({ v: [1n] }))
  const [response] = await silenced(() => app.inject('/x'))
  assert.equal(response.statusCode, 500)
})

test('payloads may be instances, leave out defaults, and hold dates and toJSON', async () => {
  class Row {
    readonly #at = date
    readonly n = 1
    get at(): Date {
      return this.#at
    }
  }
  const response = { 200: t.Object({ at: When, n: t.Integer() }) }
  const row = untyped().get('/', { schema: { response } }, () => new Row())
  assert.deepEqual((await row.inject('/')).json(), { at: iso, n: 1 })
  const json = untyped().get('/', { schema: { response } }, () => ({
    toJSON: () => ({ at: date, n: 2 }),
  }))
  assert.deepEqual((await json.inject('/')).json(), { at: iso, n: 2 })
  const Left = t.Object({ at: When, d: t.String({ format: 'date-time' }), x: t.Optional(When) })
  const member = untyped().get(
    '/',
    { schema: { response: { 200: t.Object({ v: t.Union([Left, t.Null()]) }) } } },
    () => ({ v: { at: date, d: date, x: undefined } }),
  )
  assert.deepEqual((await member.inject('/')).json(), { v: { at: iso, d: iso } })
})

test('getters of an instance are encoded by pattern and in intersections too', async () => {
  class Row {
    readonly price = { euros: 1 }
    get at(): Date {
      return date
    }
  }
  const both = t.Intersect([t.Object({ at: When }), t.Object({ price: Cents })])
  const app = untyped().get('/', { schema: { response: { 200: both } } }, () => new Row())
  assert.deepEqual((await app.inject('/')).json(), { at: iso, price: 100 })
  const open = t.Object({ at: When }, { additionalProperties: Cents })
  const rest = untyped().get('/', { schema: { response: { 200: open } } }, () => new Row())
  assert.deepEqual((await rest.inject('/')).json(), { at: iso, price: 100 })
})

test('reply.serialize, serializeInput and serialization functions encode', async () => {
  const response = { 200: t.Object({ at: When }) }
  const app = untyped().get('/', { schema: { response } }, (_request, reply) =>
    reply
      .serializer(JSON.stringify)
      .send([
        reply.getSerializationFunction(200)({ at: date }),
        reply.serializeInput({ at: date }, 200),
        reply.serializeInput([date], t.Array(When)),
        reply.compileSerializationSchema(t.Tuple([Cents]))([{ euros: 2 }]),
      ]),
  )
  const at = JSON.stringify({ at: iso })
  assert.deepEqual((await app.inject('/')).json(), [at, at, JSON.stringify([iso]), '[200]'])
  const now = untyped().get('/', { schema: { response } }, (_request, reply) => {
    const text = reply.serialize({ at: date })
    return reply.serializer(() => text).send({})
  })
  assert.equal((await now.inject('/')).payload, at)
})

test('custom validators and serializers decode and encode as well', async () => {
  const schema = { querystring: { at: When }, response: { 200: { at: When } } }
  const app = untyped()
    .setValidatorCompiler(() => () => true)
    .setSerializerCompiler(() => (payload: unknown) => `custom ${JSON.stringify(payload)}`)
    .get('/', { schema }, ({ query }) => {
      assert.deepEqual({ ...query }, { at: date })
      return query
    })
  assert.equal((await app.inject(`/?at=${iso}`)).payload, `custom ${JSON.stringify({ at: iso })}`)
  const answers = [{ value: { at: iso } }, Promise.resolve({ value: { at: iso } })]
  for (const answer of answers) {
    const other = untyped()
      .setValidatorCompiler(() => () => answer)
      .get('/', { schema: { querystring: schema.querystring } }, ({ query }) => query.at.getTime())
    assert.equal((await other.inject('/')).payload, String(date.getTime()))
  }
  const refused = untyped()
    .setValidatorCompiler(() => async () => ({ error: new Error('not today') }))
    .get('/', { schema }, () => 'reached')
  assert.equal((await refused.inject('/')).json().message, 'not today')
})

test('a value of a custom validator that fits no member of a union is refused', async () => {
  const app = untyped()
    .setValidatorCompiler(() => () => true)
    .get('/', { schema: { querystring: { v: t.Union([Cents, t.Null()]) } } }, () => 'reached')
  assert.equal(
    (await app.inject('/?v=x')).json().message,
    'querystring/v must match a schema in anyOf',
  )
})

test('null-prototype queries stay without a prototype', async () => {
  const app = untyped().get('/', { schema: { querystring: { day: Day } } }, ({ query }) => [
    'constructor' in query,
  ])
  assert.deepEqual((await app.inject('/?day=x')).json(), [false])
})

test('a transform where no type knows of it is a boot error that says where', async () => {
  for (const [keyword, value] of Object.entries({
    else: { properties: { at: When } },
    dependencies: { a: { $ref: 'when#' } },
  })) {
    const app = untyped()
      .addSchema({ ...When, $id: 'when' })
      .post(
        '/x',
        { schema: { body: { type: 'object', if: true, then: true, [keyword]: value } } },
        () => 1,
      )
    await assert.rejects(
      async () => app.ready(),
      new RegExp(`body of POST /x in root.*t\\.Transform cannot stand below '${keyword}'`),
    )
  }
})

test('a transform of whole headers was given names in lower case that its types had in upper case', async () => {
  const schema = t
    .Transform(t.Object({ 'X-Account': t.String() }))
    .Decode((headers) => ({ account: headers['X-Account'] }))
    .Encode(({ account }) => ({ 'X-Account': account }))
  const reason = /headers of GET \/x in root.*its functions read 'X-Account'.*Write 'x-account'/
  for (const headers of [schema, t.Ref('account#')]) {
    const app = untyped()
      .addSchema({ ...schema, $id: 'account' })
      .get('/x', { schema: { headers } }, () => 1)
    await assert.rejects(async () => app.ready(), reason)
  }
})

test('transforms of headers themselves take names in any case', async () => {
  const schema = { headers: t.Object({ 'X-Cents': Cents }) }
  const app = espalier().get('/', { schema }, ({ headers }) => headers['x-cents'])
  const response = await app.inject({ url: '/', headers: { 'X-Cents': '250' } })
  assert.deepEqual(response.json(), { euros: 2.5 })
})

test('text that a handler sends is encoded, as an object is', async () => {
  const Sealed = t
    .Transform(t.String())
    .Decode((text) => text.slice(1))
    .Encode((text) => {
      if (text === 'air') throw new Error('nothing to seal')
      return `#${text}`
    })
  const Count = t
    .Transform(t.Integer())
    .Decode((count) => `${count} times`)
    .Encode((text) => parseInt(text))
  const app = espalier()
    .get('/sealed/:text', { schema: { response: { 200: Sealed } } }, ({ params }) => params.text)
    .get('/count', { schema: { response: { 200: Count } } }, () => '7 times')
  const sealed = await app.inject('/sealed/x')
  assert.deepEqual(
    [sealed.body, sealed.headers['content-type']],
    ['#x', 'text/plain; charset=utf-8'],
  )
  const count = await app.inject('/count')
  assert.deepEqual(
    [count.body, count.headers['content-type']],
    ['7', 'application/json; charset=utf-8'],
  )
  const refused = await app.inject('/sealed/air')
  assert.equal(refused.statusCode, 500)
})
