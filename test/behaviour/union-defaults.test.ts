// Defaults of unions where all that clients send is text: in queries, params, headers and forms.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fastify, t } from '../../src/index.ts'
import { deepFreeze, untyped, type UntypedServer } from '../support/untyped.ts'

const story =
  'the default of a union stays what it is: ajv made of it what the first alternative says, the 0 of an integer of null'

const orNull = (type: string) => ({ anyOf: [{ type }, { type: 'null' }] })
const NullOrInteger = { ...orNull('integer'), $id: 'nullable' }
const nulls = t.Object({
  i: t.Union([t.Integer(), t.Null()], { default: null }),
  s: t.Union([t.String(), t.Null()], { default: null }),
  b: t.Union([t.Boolean(), t.Null()], { default: null }),
})

/** What a handler reads of a query, or what the refusal says. */
async function read(querystring: object, query: string | object = '', app = untyped()) {
  app.addSchema(deepFreeze(NullOrInteger))
  app.get('/', { schema: deepFreeze({ querystring }) }, (request) => ({
    read: request.query as unknown,
  }))
  const url = typeof query === 'string' ? `/?${query}` : `/?${JSON.stringify(query)}`
  const answer = (await app.inject(url)).json<{ read?: unknown; message?: string }>()
  await app.close()
  return answer.message ?? answer.read
}

/** A server whose ajv has options of its own. */
const withOptions = (customOptions: object): UntypedServer => untyped({ ajv: { customOptions } })

/** A server whose queries are text in JSON, at any depth. */
const nested = (): UntypedServer =>
  untyped({
    routerOptions: {
      querystringParser: (text: string) => JSON.parse(decodeURIComponent(text) || '{}') as object,
    },
  })

test(`${story}: in querystring, headers and params`, async () => {
  assert.deepEqual(await read(nulls), { i: null, s: null, b: null })
  const app = untyped()
  app.get('/headers', { schema: deepFreeze({ headers: nulls }) }, ({ headers }) => [
    headers['i'],
    headers['s'],
    headers['b'],
  ])
  const params = t.Object({ a: t.String(), n: t.Union([t.Integer(), t.Null()], { default: null }) })
  const handler = (request: { readonly params: unknown }) => request.params
  app.get('/params/:a', { schema: deepFreeze({ params }) }, handler)
  app.get('/params/:a/:n', { schema: deepFreeze({ params }) }, handler)
  assert.deepEqual((await app.inject('/headers')).json(), [null, null, null])
  const sent = { headers: { i: '5', s: '5', b: 'true' } }
  assert.deepEqual((await app.inject({ url: '/headers', ...sent })).json(), [5, '5', true])
  assert.deepEqual((await app.inject('/params/1')).json(), { a: '1', n: null })
  assert.deepEqual((await app.inject('/params/1/2')).json(), { a: '1', n: 2 })
  await app.close()
})

const left: Record<string, [member: object, value: unknown]> = {
  'a number beside text': [t.Union([t.String(), t.Integer()], { default: 5 }), 5],
  'a number beside a boolean': [
    { anyOf: [{ type: 'boolean' }, { type: 'integer' }], default: 1 },
    1,
  ],
  'a boolean beside text': [t.Union([t.String(), t.Boolean()], { default: false }), false],
  'null of oneOf': [{ oneOf: [{ type: 'integer' }, { type: 'null' }], default: null }, null],
  'null of a reference': [{ $ref: 'nullable#', default: null }, null],
  'null of an alternative that is a reference': [
    { anyOf: [{ type: 'string' }, { $ref: 'nullable#' }], default: null },
    null,
  ],
  'null of allOf': [{ allOf: [orNull('integer')], default: null }, null],
  'the items of a list': [
    t.Array(t.Union([t.Integer(), t.Null()]), { default: [null, 5] }),
    [null, 5],
  ],
  'the items of a tuple': [
    {
      type: 'array',
      items: [orNull('integer')],
      additionalItems: orNull('string'),
      default: [null, null],
    },
    [null, null],
  ],
  'a list beside a number': [
    t.Union([t.Integer(), t.Array(t.Union([t.String(), t.Integer()]))], { default: [1] }),
    [1],
  ],
  'a field of an object': [
    { type: 'object', properties: { n: orNull('integer') }, default: { n: null } },
    { n: null },
  ],
  'a field that has no name, or a pattern': [
    {
      type: 'object',
      patternProperties: { '^x': orNull('boolean') },
      additionalProperties: orNull('integer'),
      default: { xy: null, n: null },
    },
    { xy: null, n: null },
  ],
}
for (const [what, [member, value]] of Object.entries(left)) {
  test(`${story}: ${what}`, async () => {
    const full = { type: 'object', properties: { v: member } }
    for (const querystring of [{ v: member }, full]) {
      const app = withOptions({ strictTuples: false })
      assert.deepEqual(await read(querystring, '', app), { v: value })
    }
  })
}

test(`${story}: in an object that a parser of queries makes`, async () => {
  const filter = { type: 'object', properties: { n: { ...orNull('integer'), default: null } } }
  const query = { filter: { ...filter, default: {} } }
  assert.deepEqual(await read(query, {}, nested()), { filter: { n: null } })
  assert.deepEqual(await read(query, { filter: {} }, nested()), { filter: { n: null } })
  assert.deepEqual(await read(query, { filter: { n: '5' } }, nested()), { filter: { n: 5 } })
})

test(`${story}: in forms, whose schema is also that of JSON`, async () => {
  const form = 'application/x-www-form-urlencoded'
  const content = { 'application/json': { schema: nulls }, [form]: { schema: nulls } }
  const app = untyped()
    .addContentTypeParser(form, { parseAs: 'string' }, (_request: unknown, text: string) =>
      Promise.resolve(Object.fromEntries(new URLSearchParams(text))),
    )
    .post('/', { schema: deepFreeze({ body: { content } }) }, ({ body }) => body)
  const send = async (type: string, payload: string) =>
    (
      await app.inject({ method: 'POST', url: '/', headers: { 'content-type': type }, payload })
    ).json<unknown>()
  assert.deepEqual(await send(form, 'x='), { i: null, s: null, b: null, x: '' })
  assert.deepEqual(await send(form, 'i=5&s=5'), { i: 5, s: '5', b: null })
  assert.deepEqual(await send('application/json', '{}'), { i: null, s: null, b: null })
  await app.close()
})

test('beside such a default, texts of clients are coerced as ever, and refused in the same words', async () => {
  assert.deepEqual(await read(nulls, 'i=7&s=7&b=true'), { i: 7, s: '7', b: true })
  assert.deepEqual(await read(nulls, 'i=&s=&b='), { i: null, s: '', b: null })
  assert.equal(
    await read(nulls, 'i=x'),
    'querystring/i must be integer, querystring/i must be null, ' +
      'querystring/i must match a schema in anyOf',
  )
  const five = { n: { anyOf: [{ type: 'string' }, { type: 'integer' }], default: 5 } }
  assert.deepEqual(await read(five, 'n=5'), { n: '5' })
  const list = { l: { anyOf: [{ type: 'string' }, { type: 'array' }], default: [1] } }
  assert.deepEqual(await read(list, { l: ['x'] }, nested()), { l: 'x' })
  const rivals = [
    { properties: { k: { const: 'a' }, v: { type: 'integer' } } },
    { properties: { k: { const: 'b' }, v: { anyOf: [{ type: 'string' }, { type: 'integer' }] } } },
  ]
  const query = { type: 'object', properties: { p: NullOrInteger }, anyOf: rivals }
  const withDefault = { ...query, properties: { p: { ...orNull('integer'), default: null } } }
  assert.deepEqual(await read(withDefault, 'k=b&v=5'), { k: 'b', v: '5', p: null })
})

test('a default that is text is read as what a client may have sent', async () => {
  const text = { n: { anyOf: [{ type: 'integer' }, { type: 'string' }], default: '5' } }
  assert.deepEqual(await read(text), { n: 5 })
})

test('such a default stays with other options of ajv, too', async () => {
  for (const options of [{ removeAdditional: 'all' }, { allErrors: true }, { coerceTypes: false }])
    assert.deepEqual(await read(nulls, '', withOptions(options)), { i: null, s: null, b: null })
})

test('installed as fastify, the default of a union is what Fastify makes of it', async () => {
  const app = fastify()
  app.get('/', { schema: { querystring: nulls } }, ({ query }) => query)
  assert.deepEqual((await app.inject('/')).json(), { i: 0, s: '', b: false })
  await app.close()
})
