// A body that fits its schema as it stands is left as it is, and so is a value of a union wherever that fits it; in text, as in
// queries, nothing stands for what it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { t } from '../../src/index.ts'
import { deepFreeze, untyped, type UntypedServer } from '../support/untyped.ts'

/** What a handler reads of a body; the message, where it is refused. */
async function read(
  body: object,
  value: unknown,
  app: UntypedServer = untyped(),
): Promise<unknown> {
  const schema = deepFreeze({ body })
  app.post('/', { schema }, (request) => ({ read: request.body as unknown }))
  const headers = { 'content-type': 'application/json' }
  const payload = JSON.stringify(value)
  const response = await app.inject({ method: 'POST', url: '/', headers, payload })
  await app.close()
  const answer = response.json<{ read?: unknown; message?: string }>()
  return response.statusCode === 200 ? answer.read : answer.message
}

/** A server whose ajv has options of its own. */
const withOptions = (customOptions: object): UntypedServer =>
  untyped({ ajv: { customOptions: { logger: false, ...customOptions } } })

const closed = { additionalProperties: false }
const NullableInteger = t.Union([t.Integer(), t.Null()])
const Told = t.Union([
  t.Object({ v: t.Integer(), k: t.Literal('a') }),
  t.Object({ k: t.Literal('b'), v: t.String() }),
])
const Closed = t.Union([
  t.Object({ a: t.Optional(t.String()) }, closed),
  t.Object({ b: t.String() }, closed),
])
const ToldClosed = t.Union([
  t.Object({ k: t.Literal('a'), a: t.Optional(t.Integer()) }, closed),
  t.Object({ k: t.Literal('b'), b: t.Optional(t.String()) }, closed),
])

const left: Record<string, [member: object, value: unknown]> = {
  'null beside an integer': [NullableInteger, null],
  'null that one of two integers may be': [
    { anyOf: [{ type: 'integer' }, { type: 'integer', nullable: true }] },
    null,
  ],
  'null beside text': [t.Union([t.String(), t.Null()]), null],
  'null beside a boolean': [t.Union([t.Boolean(), t.Null()]), null],
  'null in oneOf': [{ oneOf: [{ type: 'integer' }, { type: 'null' }] }, null],
  'text beside a number': [t.Union([t.Number(), t.String()]), '5'],
  'a number beside text': [t.Union([t.String(), t.Number()]), 5],
  'false beside null': [t.Union([t.Null(), t.Boolean()]), false],
  'a list of one beside a scalar': [t.Union([t.String(), t.Array(t.String())]), ['x']],
  'an object that a member before has coerced': [Told, { v: '007', k: 'b' }],
  'an object that a member before has cleared': [Closed, { b: 'x' }],
  'a field that an open member takes': [
    t.Union([t.Object({ a: t.Integer() }, closed), t.Object({ a: t.Integer() })]),
    { a: 1, b: 2 },
  ],
  'what is in lists': [t.Array(NullableInteger), [null, 1]],
}
for (const [what, [member, value]] of Object.entries(left)) {
  test(`${what} is left as it is, whole and as a field`, async () => {
    assert.deepEqual(await read(member, value), value)
    assert.deepEqual(await read({ value: member }, { value }), { value })
  })
}

test('a default of null is null', async () => {
  const body = t.Object({ n: t.Union([t.Integer(), t.Null()], { default: null }) })
  assert.deepEqual(await read(body, {}), { n: null })
})

test('what does not fit is coerced and removed, and what stands beside it is left where it fits', async () => {
  assert.deepEqual(await read({ value: NullableInteger }, { value: '5' }), { value: 5 })
  assert.deepEqual(await read({ value: NullableInteger }, { value: '' }), { value: null })
  const body = t.Object({ n: NullableInteger, m: t.Integer(), told: Told }, closed)
  const told = { v: '007', k: 'b' }
  const sent = { n: null, m: '5', told, more: true }
  assert.deepEqual(await read(body, sent), { n: null, m: 5, told })
  const member = t.Object({
    value: t.Union([t.Object({ n: NullableInteger, m: t.Integer() }), t.Null()]),
  })
  assert.deepEqual(await read(member, { value: { n: null, m: '5' } }), { value: { n: null, m: 5 } })
})

test('a member that fails leaves nothing changed for the next, nor in oneOf for the one that held', async () => {
  for (const member of [ToldClosed, { oneOf: ToldClosed.anyOf }]) {
    const sent = { k: 'b', b: 'x', more: 1 }
    assert.deepEqual(await read({ value: member }, { value: sent }), { value: { k: 'b', b: 'x' } })
    const number = { k: 'a', a: '5', more: 1 }
    assert.deepEqual(await read({ value: member }, { value: number }), { value: { k: 'a', a: 5 } })
  }
  const lists = t.Union([
    t.Object({ list: t.Array(t.Integer()), k: t.Literal('a') }),
    t.Object({ list: t.Array(t.String()), k: t.Literal('b'), n: t.Integer() }),
  ])
  const sent = { list: ['1', '2'], k: 'b', n: '3' }
  assert.deepEqual(await read(lists, sent), { list: ['1', '2'], k: 'b', n: 3 })
})

test('what is refused is refused as before: by the first failure of each member, in allErrors by all', async () => {
  const field = t.Object({ value: NullableInteger })
  const message =
    'body/value must be integer, body/value must be null, body/value must match a schema in anyOf'
  assert.equal(await read(field, { value: 'x' }), message)
  assert.equal(await read(field, { value: 'x' }, withOptions({ allErrors: true })), message)
  const two = { oneOf: [{ type: 'integer' }, { type: 'number' }] }
  assert.equal(await read({ two }, { two: 5 }), 'body/two must match exactly one schema in oneOf')
  const all = withOptions({ allErrors: true })
  assert.deepEqual(await read(t.Object({ value: Told }), { value: { v: '7', k: 'b' } }, all), {
    value: { v: '7', k: 'b' },
  })
})

test('a shared schema that is referred to is left as it is too', async () => {
  const app = untyped()
    .addSchema({ $id: 'inner', ...NullableInteger })
    .addSchema({ $id: 'outer', type: 'object', properties: { n: { $ref: 'inner#' } } })
  const body = { value: { anyOf: [{ $ref: 'outer#' }, { type: 'null' }] }, m: { type: 'integer' } }
  const value = { n: null }
  assert.deepEqual(await read(body, { value, m: '5' }, app), { value, m: 5 })
})

const tree = {
  $id: 'tree',
  type: 'object',
  properties: {
    n: NullableInteger,
    next: { anyOf: [{ type: 'string' }, { type: 'null' }, { $ref: '#' }] },
    one: { oneOf: [{ type: 'string' }, { $ref: '#' }, { type: 'null' }] },
    count: { type: 'integer' },
  },
}

test('a recursive schema is left as it is; where it does not fit, so are members that are not recursive', async () => {
  const value = { n: null, next: { n: null, next: null, one: null }, one: null }
  assert.deepEqual(await read({ $ref: 'tree#' }, value, untyped().addSchema(tree)), value)
  const sent = { count: '5', next: { next: null, count: '5' } }
  assert.deepEqual(await read({ $ref: 'tree#' }, sent, untyped().addSchema(tree)), {
    count: 5,
    next: { next: null, count: 5 },
  })
})

test('a union that is recursive takes a value of a thousand levels, and refuses one, in no time to speak of', async () => {
  const deep = (end: unknown) => {
    let value = end
    for (let level = 0; level < 1000; level++) value = { next: value }
    return value
  }
  const start = performance.now()
  const good = deep({ n: null })
  assert.deepEqual(await read({ $ref: 'tree#' }, good, untyped().addSchema(tree)), good)
  const bad = deep({ n: 'x' })
  assert.match(
    String(await read({ $ref: 'tree#' }, bad, untyped().addSchema(tree))),
    /must be string/,
  )
  assert.ok(performance.now() - start < 5000)
})

test('a body that is asked by `if`, `not` or `contains` is left as it is where it fits so', async () => {
  const text = { type: 'string' }
  const integer = { type: 'integer' }
  const schemas = {
    if: { type: 'object', properties: { a: text }, if: { properties: { a: integer } }, then: {} },
    not: { type: 'object', not: { properties: { a: { ...integer, minimum: 10 } } } },
    contains: { type: 'object', properties: { a: text, l: { type: 'array', contains: integer } } },
  }
  assert.deepEqual(await read(schemas.if, { a: '007' }), { a: '007' })
  assert.deepEqual(await read(schemas.not, { a: '007' }), { a: '007' })
  const list = { a: '007', l: ['5', 6] }
  assert.deepEqual(await read(schemas.contains, list), list)
})

test('where the whole does not fit, defaults that were filled in to ask it are not seen', async () => {
  // The condition is asked before the default is there, and so it has to be the second time.
  const body = {
    type: 'object',
    properties: {
      mode: { type: 'string', default: 'x' },
      n: { type: 'integer' },
      pair: {
        type: 'array',
        items: [{ type: 'integer' }, { type: 'integer', default: 2 }],
        minItems: 2,
        additionalItems: false,
      },
    },
    if: { required: ['mode'] },
    then: { required: ['more'] },
  }
  const filled = { mode: 'x', n: 5, pair: [1, 2] }
  assert.deepEqual(await read(body, { n: 5, pair: [1] }), filled)
  assert.deepEqual(await read(body, { n: '5', pair: [1] }), filled)
  const message = "body must have required property 'more'"
  assert.equal(await read(body, { n: '5', pair: [1], mode: 'y' }), message)
})

test('a keyword that changes values is asked again of what was sent', async () => {
  const doubled = {
    keyword: 'doubled',
    modifying: true,
    validate: (
      _: unknown,
      value: number,
      __: object,
      at: { parentData: any; parentDataProperty: any },
    ) => {
      at.parentData[at.parentDataProperty] = value * 2
      return true
    },
  }
  const member = {
    type: 'object',
    properties: { n: { type: 'number', doubled: true }, m: { type: 'integer' } },
  }
  const body = { value: { anyOf: [member, { type: 'null' }] } }
  const options = { keywords: [doubled] }
  const once = { value: { n: 2, m: 5 } }
  assert.deepEqual(await read(body, { value: { n: 1, m: 5 } }, withOptions(options)), once)
  assert.deepEqual(await read(body, { value: { n: 1, m: '5' } }, withOptions(options)), once)
})

test('a member that looks at what stands around it is read as before, unless the whole fits', async () => {
  const x = { anyOf: [{ type: 'integer', maximum: { $data: '1/y' } }, { type: 'null' }] }
  const body = { x, y: { type: 'integer' }, m: { type: 'integer' } }
  const value = { x: null, y: 5, m: 5 }
  assert.deepEqual(await read(body, value, withOptions({ $data: true })), value)
  const sent = { ...value, m: '5' }
  assert.deepEqual(await read(body, sent, withOptions({ $data: true })), { x: 0, y: 5, m: 5 })
})

test('the options of ajv hold: where it changes nothing there is nothing to keep', async () => {
  const exact = withOptions({ coerceTypes: false })
  assert.deepEqual(await read({ value: Closed }, { value: { b: 'x' } }, exact), {
    value: { b: 'x' },
  })
  const neither = withOptions({ coerceTypes: false, removeAdditional: false })
  assert.deepEqual(await read({ value: NullableInteger }, { value: null }, neither), {
    value: null,
  })
  const strict = withOptions({ strict: true })
  const body = {
    type: 'object',
    properties: { a: NullableInteger },
    anyOf: [{ required: ['a'] }, {}],
  }
  assert.deepEqual(await read(body, { a: null }, strict), { a: null })
  const open = t.Object({ value: t.Union([t.Object({ a: t.Integer() }), t.Null()]) })
  const all = withOptions({ removeAdditional: 'all' })
  assert.deepEqual(await read(open, { value: { a: 1, b: 2 } }, all), { value: { a: 1 } })
})

test('an $async body is read as it stands in its unions', async () => {
  const known = { keyword: 'known', async: true, validate: () => Promise.resolve(true) }
  const body = {
    $async: true,
    type: 'object',
    properties: { id: { type: 'integer', known: true }, n: NullableInteger },
  }
  const options = { keywords: [known] }
  assert.deepEqual(await read(body, { id: '1', n: null }, withOptions(options)), { id: 1, n: null })
})

test('what a transform is given is the value as it stands', async () => {
  const At = t
    .Transform(t.Union([t.Number(), t.String()]))
    .Decode((value) => `${typeof value} ${value}`)
    .Encode((text) => text)
  assert.deepEqual(await read(t.Object({ at: At }), { at: '5' }), { at: 'string 5' })
})

test('a body of several media types is left as it is in each but in forms, where all is text', async () => {
  const schema = t.Object({ value: t.Union([t.Integer(), t.String()]) })
  const form = 'application/x-www-form-urlencoded'
  const app = untyped()
    .addContentTypeParser(form, { parseAs: 'string' }, (_request: unknown, text: string) =>
      Promise.resolve(Object.fromEntries(new URLSearchParams(text))),
    )
    .post(
      '/',
      { schema: { body: { content: { 'application/json': { schema }, [form]: { schema } } } } },
      ({ body }) => ({ read: body as unknown }),
    )
  const send = async (type: string, payload: string) =>
    (
      await app.inject({ method: 'POST', url: '/', headers: { 'content-type': type }, payload })
    ).json<{ read: unknown }>().read
  assert.deepEqual(await send('application/json', '{"value":"5"}'), { value: '5' })
  assert.deepEqual(await send(form, 'value=5'), { value: 5 })
})

test('text is coerced as before, in the query, the parameters and the headers of a route with the same schema', async () => {
  const schema = t.Object({ value: t.Union([t.Integer(), t.String()]) })
  const part = { body: schema, querystring: schema, params: schema, headers: schema }
  const app = untyped().post('/:value', { schema: part }, (request) => [
    request.body.value as unknown,
    request.query.value as unknown,
    request.params.value as unknown,
    request.headers.value as unknown,
  ])
  const response = await app.inject({
    method: 'POST',
    url: '/5?value=5',
    headers: { value: '5' },
    payload: { value: '5' },
  })
  assert.deepEqual(response.json(), ['5', 5, 5, 5])
})

test('with attachValidation, and by hand, a body is validated in the same way', async () => {
  const body = t.Object({ n: NullableInteger })
  const app = untyped().post('/', { schema: { body }, attachValidation: true }, (request) => {
    const input = { n: null }
    const isValid: unknown = request.validateInput(input, body)
    return [request.validationError?.message ?? null, request.body, isValid, input]
  })
  const send = async (payload: object) =>
    (await app.inject({ method: 'POST', url: '/', payload })).json<unknown[]>()
  assert.deepEqual(await send({ n: null }), [null, { n: null }, true, { n: null }])
  assert.match(String((await send({ n: 'x' }))[0]), /body\/n must be integer/)
})

test('a union whose members look at the whole body with $data refuses what is too much', async () => {
  const v = { anyOf: [{ type: 'integer', maximum: { $data: '/limit' } }, { type: 'null' }] }
  const body = { type: 'object', properties: { limit: { type: 'integer' }, v } }
  const send = (value: object) => read(body, value, withOptions({ $data: true }))
  assert.deepEqual(await send({ limit: 3, v: 3 }), { limit: 3, v: 3 })
  assert.deepEqual(await send({ limit: 3, v: null }), { limit: 3, v: null })
  assert.match(String(await send({ limit: 3, v: 4 })), /body\/v must be <= 3/)
})
