// Schemas of TypeBox 1.x: its marks are names that are not enumerable, where those of `t` are symbols.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { Settings } from 'typebox/system'
import espalier, { t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { deepFreeze, untyped } from '../support/untyped.ts'

const When = Type.Codec(Type.String({ format: 'date-time' }))
  .Decode((text) => new Date(text))
  .Encode((date) => date.toISOString())
const iso = '2020-01-02T03:04:05.000Z'

/** What a handler reads of a body, and what is sent when it replies with that. */
async function roundTrip(schema: object, payload: unknown, shared: readonly object[] = []) {
  const app = untyped()
  let read: unknown
  for (const each of shared) app.addSchema(each)
  app.post('/', { schema: { body: schema, response: { 200: schema } } }, ({ body }, reply) => {
    read = body
    return reply.send(body)
  })
  const headers = { 'content-type': 'application/json' }
  const given = { method: 'POST', url: '/', headers, payload: JSON.stringify(payload) } as const
  const response = await app.inject(given)
  await app.close()
  return { status: response.statusCode, read, sent: response.json<Record<string, unknown>>() }
}

const holds = async (schema: object, payload: unknown, shared: readonly object[] = []) => {
  const { status, sent } = await roundTrip(schema, payload, shared)
  assert.deepEqual({ status, sent }, { status: 200, sent: payload })
}

async function refuses(schema: object, payload: unknown, message: RegExp, shared?: object[]) {
  const { status, sent } = await roundTrip(schema, payload, shared)
  assert.equal(status, 400)
  assert.match(String(sent['message']), message)
}

const kinds: readonly (readonly [string, object, valid: unknown, invalid: unknown])[] = [
  ['Object', Type.Object({ a: Type.Integer() }), { a: 1 }, {}],
  ['Optional', Type.Object({ a: Type.Optional(Type.Integer()) }), {}, { a: 'x' }],
  ['Readonly', Type.Object({ a: Type.Readonly(Type.Integer()) }), { a: 1 }, { a: 'x' }],
  ['Array', Type.Array(Type.Integer()), [1, 2], ['x']],
  ['Tuple', Type.Tuple([Type.String(), Type.Integer()]), ['a', 1], ['a']],
  ['Union', Type.Object({ a: Type.Union([Type.Null(), Type.Integer()]) }), { a: null }, { a: 'x' }],
  [
    'Intersect',
    Type.Intersect([Type.Object({ a: Type.Integer() }), Type.Object({ b: Type.Integer() })]),
    { a: 1, b: 2 },
    { a: 1 },
  ],
  ['Literal', Type.Object({ a: Type.Literal('x') }), { a: 'x' }, { a: 'y' }],
  ['Enum', Type.Object({ a: Type.Enum(['x', 'y']) }), { a: 'y' }, { a: 'z' }],
  ['Record', Type.Record(Type.String(), Type.Integer()), { a: 1 }, { a: 'x' }],
  [
    'TemplateLiteral',
    Type.Object({ a: Type.TemplateLiteral('a${string}') }),
    { a: 'ab' },
    { a: 'b' },
  ],
  ['Unsafe', Type.Object({ a: Type.Unsafe<1>({ type: 'integer' }) }), { a: 1 }, { a: 'x' }],
  ['Script', Type.Script('{ a: number }'), { a: 1 }, {}],
  [
    'This',
    Type.Object({ kids: Type.Array(Type.This()) }),
    { kids: [{ kids: [] }] },
    { kids: [{}] },
  ],
]
for (const [kind, schema, valid, invalid] of kinds) {
  test(`Type.${kind} validates and serializes`, async () => {
    await holds(deepFreeze(schema), valid)
    await refuses(schema, invalid, /^body/)
  })
}

test('values are coerced, defaults filled in, and what is not allowed is removed', async () => {
  const body = Type.Object(
    { n: Type.Integer(), size: Type.Integer({ default: 1 }) },
    { additionalProperties: false },
  )
  const { read } = await roundTrip(body, { n: '2', more: 1 })
  assert.deepEqual(read, { n: 2, size: 1 })
})

test('all parts take short forms, where what is not optional is required', async () => {
  const app = espalier().get(
    '/:id',
    {
      schema: {
        params: { id: Type.Integer() },
        querystring: { q: Type.Optional(Type.String()), n: Type.Integer() },
        headers: { 'X-Count': Type.Unsafe<number>({ type: 'integer' }) },
        response: { 200: { id: Type.Integer(), n: Type.Integer() } },
      },
    },
    ({ params, query, headers }) => ({ ...params, n: query.n + headers['x-count'], more: 1 }),
  )
  const ask = (url: string, headers = {}) => app.inject({ url, headers })
  assert.equal((await ask('/1?n=2', { 'x-count': '3' })).payload, '{"id":1,"n":5}')
  assert.match((await ask('/1?q=2', { 'x-count': '3' })).payload, /querystring must have .* 'n'/)
  assert.match((await ask('/1?n=2')).payload, /headers must have required property 'x-count'/)
  await app.close()
})

test('a shared schema is found by its $id, from both kinds of schemas', async () => {
  const user = Type.Object({ id: Type.Integer() }, { $id: 'user' })
  for (const each of [Type.Ref('user'), Type.Ref('user#'), t.Ref('user#')]) {
    await holds(each, { id: 1 }, [user])
    await refuses(each, { id: 'x' }, /body\/id must be integer/, [user])
  }
  const native = t.Object({ id: t.Integer() }, { $id: 'user' })
  await refuses(Type.Array(Type.Ref('user')), [{ id: 'x' }], /body\/0\/id must be/, [native])
  await holds(Type.Object({ a: user, b: user }), { a: { id: 1 }, b: { id: 2 } })
})

test('an unknown reference is a boot error that names the route', async () => {
  const app = untyped()
  app.post('/x', { schema: { body: Type.Object({ a: Type.Ref('usr') }) } }, () => 1)
  await assert.rejects(async () => app.ready(), /'usr' is visible to the body of POST \/x in root/)
})

const Tree = Type.Cyclic(
  {
    Node: Type.Object({ leaf: Type.Ref('Leaf'), kids: Type.Array(Type.Ref('Node')) }),
    Leaf: Type.Object({ size: Type.Integer() }),
  },
  'Node',
)

test('a cyclic schema is validated and serialized at every depth, also inside of another', async () => {
  const tree = (size: unknown) => ({ leaf: { size: 1 }, kids: [{ leaf: { size }, kids: [] }] })
  await holds(Tree, tree(2))
  await refuses(Tree, tree('x'), /body\/kids\/0\/leaf\/size must be integer/)
  await holds(Type.Object({ tree: Tree }), { tree: tree(2) })
  await refuses(Type.Object({ tree: Tree }), { tree: tree('x') }, /body\/tree\/kids\/0\/leaf\/size/)
})

test('the definitions of a cyclic schema come before shared schemas, and two do not mix', async () => {
  const shared = Type.Object({ other: Type.String() }, { $id: 'Leaf' })
  await holds(Tree, { leaf: { size: 1 }, kids: [] }, [shared])
  const Leaf = Type.Cyclic({ Leaf: Type.Object({ of: Type.Array(Type.Ref('Leaf')) }) }, 'Leaf')
  const both = Type.Object({ one: Tree, two: Leaf })
  await holds(both, { one: { leaf: { size: 1 }, kids: [] }, two: { of: [{ of: [] }] } }, [shared])
})

test('the types of a module refer to each other', async () => {
  const { User } = Type.Module({
    User: Type.Object({ name: Type.Ref('Name'), boss: Type.Optional(Type.Ref('User')) }),
    Name: Type.String({ minLength: 1 }),
  })
  await holds(User, { name: 'a', boss: { name: 'b' } })
  await refuses(User, { name: 'a', boss: { name: '' } }, /body\/boss\/name must NOT have fewer/)
})

test('a codec is decoded after validation and encoded before serialization, in all parts', async () => {
  const schema = {
    querystring: { at: When },
    headers: Type.Object({ 'X-At': When }),
    response: { 200: Type.Object({ list: Type.Array(When) }) },
  }
  const app = espalier().get('/', { schema }, ({ query, headers }) => {
    assert.ok(query.at instanceof Date && headers['x-at'] instanceof Date)
    return { list: [query.at, headers['x-at']] }
  })
  const response = await app.inject('GET /', { query: { at: iso }, headers: { 'X-At': iso } })
  assert.deepEqual(response.json(), { list: [iso, iso] })
  await app.close()
  const nested = Type.Codec(Type.Object({ at: When }))
    .Decode(({ at }) => at)
    .Encode((at) => ({ at }))
  const { read, sent } = await roundTrip(Type.Object({ a: nested }), { a: { at: iso } })
  assert.deepEqual([read, sent], [{ a: new Date(iso) }, { a: { at: iso } }])
})

test('a codec is reached by a reference, in a cyclic schema, and in a union', async () => {
  const at = { at: iso }
  const decoded = { at: new Date(iso) }
  const shared = Type.Object({ at: When }, { $id: 'shared' })
  const cyclic = Type.Cyclic({ A: Type.Object({ at: When, a: Type.Optional(Type.Ref('A')) }) }, 'A')
  const union = Type.Union([Type.Object({ b: Type.Null() }), Type.Object({ at: When })])
  assert.deepEqual(await roundTrip(Type.Ref('shared'), at, [shared]), {
    status: 200,
    read: decoded,
    sent: at,
  })
  const { read, sent } = await roundTrip(cyclic, { ...at, a: at })
  assert.deepEqual(
    [read, sent],
    [
      { ...decoded, a: decoded },
      { ...at, a: at },
    ],
  )
  assert.deepEqual((await roundTrip(union, at)).read, decoded)
})

test('a codec that cannot decode is a 400, and one that cannot encode a 500', async () => {
  const Odd = Type.Decode(Type.String(), (text) => {
    if (text === 'bad') throw new Error('is bad')
    return { text }
  })
  await refuses(Type.Object({ odd: Odd }), { odd: 'bad' }, /^body\/odd is bad$/)
  const [result, text] = await silenced(() => roundTrip(Type.Object({ odd: Odd }), { odd: 'ok' }))
  assert.deepEqual([result.status, result.sent['message']], [500, 'Internal Server Error'])
  assert.match(text, /response 200 of POST \/ in root.*Encode not implemented/)
})

test('a refinement is asked of what was sent, and says why it refuses', async () => {
  const even = Type.Refine(
    Type.Integer(),
    (n) => n % 2 === 0,
    (n) => `must be even, not ${n}`,
  )
  await holds(Type.Object({ n: even }), { n: 2 })
  await refuses(Type.Object({ n: even }), { n: 3 }, /^body\/n must be even, not 3$/)
  const order = Type.Refine(
    Type.Object({ from: When, to: When }),
    ({ from, to }) => from < to,
    () => 'must not end before it begins',
  )
  const [early, late] = [iso, '2021-01-02T03:04:05.000Z']
  assert.equal((await roundTrip(order, { from: early, to: late })).status, 200)
  await refuses(order, { from: late, to: early }, /^body must not end before it begins$/)
  const shared = Type.Object({ n: even }, { $id: 'even' })
  await refuses(Type.Array(Type.Ref('even')), [{ n: 3 }], /^body\/0\/n must be even/, [shared])
})

test('a member of a union whose refinement refuses leaves the value to the next', async () => {
  const short = Type.Refine(
    Type.String(),
    (text) => text.length < 3,
    () => 'must be short',
  )
  const upper = Type.Refine(
    Type.String(),
    (text) => text === text.toUpperCase(),
    () => 'must be upper case',
  )
  const schema = Type.Object({ a: Type.Union([short, upper]) })
  await holds(schema, { a: 'ab' })
  await holds(schema, { a: 'ABC' })
  await refuses(schema, { a: 'abc' }, /^body\/a must be short$/)
})

const above = { not: 'string', if: 'string', contains: 'array', propertyNames: 'object' }
for (const [keyword, type] of Object.entries(above)) {
  test(`a refinement below ${keyword} would not be asked, so it is a boot error`, async () => {
    const below = Type.Refine(Type.String(), () => false)
    const app = untyped()
    const then = keyword === 'if' ? { then: true } : {}
    app.post('/x', { schema: { body: { type, [keyword]: below, ...then } } }, () => 1)
    const message = new RegExp(`body of POST /x in root.*Type\\.Refine cannot .* '${keyword}'`)
    await assert.rejects(async () => app.ready(), message)
  })
}

test('a kind without JSON is a boot error that names the route', async () => {
  for (const schema of [Type.BigInt(), Type.Undefined(), Type.Function([], Type.Null())]) {
    const app = untyped()
    app.post('/x', { schema: { body: Type.Object({ a: schema }) } }, () => 1)
    await assert.rejects(async () => app.ready(), /the body of POST \/x in root cannot be built/)
  }
})

test('marks may be enumerable', async () => {
  Settings.Set({ enumerableKind: true })
  const marked = Type.Object({ a: Type.Optional(Type.Integer()), tree: Tree })
  Settings.Reset()
  assert.ok(Object.keys(marked).includes('~kind'))
  await holds(marked, { a: 1, tree: { leaf: { size: 1 }, kids: [] } })
})

test('a compiler of a context is given the very schema, with its marks', async () => {
  const body = Type.Object({ a: When })
  let given: unknown
  const app = untyped()
  app.setValidatorCompiler(({ schema }: { readonly schema: object }) => {
    given = schema
    return () => true
  })
  app.post('/', { schema: { body } }, ({ body: read }) => String(read.a instanceof Date))
  const response = await app.inject({ method: 'POST', url: '/', payload: { a: iso } })
  assert.equal(given, body)
  assert.equal(response.payload, 'true')
  await app.close()
})
