// What types-test/run-time-agreement.test-d.ts says of types, asked of a server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier, { plugin, shared, t } from '../../src/index.ts'

test('a property of plain JSON Schema in a short form may be absent, and is undefined then', async () => {
  const querystring = { a: { type: 'integer' }, b: { type: 'integer', default: 1 }, c: t.Integer() }
  const app = espalier().get('/', { schema: { querystring } as never }, (request) => request.query)
  assert.deepEqual((await app.inject({ url: '/?c=2' })).json(), { b: 1, c: 2 })
  assert.equal((await app.inject({ url: '/' })).statusCode, 400)
  await app.close()
})

test('the parameters of a prefix are parameters of the routes of a portable plugin', async () => {
  const app = espalier().register(
    plugin()((child) => child.get('/x/:id', ({ params }) => params)),
    { prefix: '/u/:user' },
  )
  const input = { params: { user: 'a', id: 1 } }
  const { body } = await app.inject('GET /u/:user/x/:id', input)
  assert.deepEqual(JSON.parse(body), { user: 'a', id: '1' })
  await app.close()
})

test('what a portable shared plugin adds stands below the prefix of the scope', async () => {
  const session = plugin().shared((child) => child.get('/session', () => 'in'))
  const app = espalier().register((v1) => v1.register(session), { prefix: '/v1' })
  assert.equal((await app.inject('GET /v1/session')).body, 'in')
  assert.equal((await app.inject({ url: '/session' })).statusCode, 404)
  await app.close()
})

test('an optional parameter may be left out of a route key', async () => {
  const app = espalier().get('/o/:id?', ({ params }) => params.id ?? 'none')
  assert.equal((await app.inject('GET /o/:id?')).body, 'none')
  assert.equal((await app.inject('GET /o/:id?', { params: { id: 1 } })).body, '1')
  await app.close()
})

test('a path parameter that is a list or null is given as its text: as such it was taken in types, and lacking at run time', async () => {
  const params = { ids: t.Array(t.Integer()), tag: t.Union([t.Literal('a'), t.Null()]) }
  const app = espalier().get('/:ids/:tag', { schema: { params } }, (request) => request.params)
  const key = 'GET /:ids/:tag'
  const listed = await app.inject(key, { params: { ids: 5, tag: '' } })
  assert.deepEqual(JSON.parse(listed.body), { ids: [5], tag: null })
  const lacking = { code: 'ESP_ERR_INJECT_ROUTE' }
  // @ts-expect-error -- no path has a list
  await assert.rejects(app.inject(key, { params: { ids: [5], tag: 'a' } }), lacking)
  // @ts-expect-error -- nor has it null
  await assert.rejects(app.inject(key, { params: { ids: 5, tag: null } }), lacking)
  await app.close()
})

test('options are given as a function of the server that registers, to plain and shared plugins', async () => {
  const root = espalier().decorate('size', 2)
  const app = root
    .register(
      (child, { twice }: { twice: number }) => child.get('/', () => twice),
      (parent) => ({ twice: parent.size * 2 }),
    )
    .register(
      shared((same: typeof root, { more }: { more: number }) => same.decorate('more', more)),
      (parent) => ({ more: parent.size + 1 }),
    )
  assert.equal((await app.inject('GET /')).body, '4')
  assert.equal(app.more, 3)
  await app.close()
})

test('a header is read in lower case, however its schema writes it', async () => {
  const app = espalier().get(
    '/',
    { schema: { headers: { 'X-Count': t.Integer() } } },
    ({ headers }) => [headers['x-count'], headers['X-Count'] ?? null],
  )
  const { body } = await app.inject({ url: '/', headers: { 'X-COUNT': '3' } })
  assert.deepEqual(JSON.parse(body), [3, null])
  await app.close()
})

test('what is nullable may be null, for the validator and the serializer', async () => {
  const Body = t.Object({ a: t.String({ nullable: true }), b: t.Integer({ nullable: true }) })
  const app = espalier().post(
    '/',
    { schema: { body: Body, response: { 200: Body } } },
    ({ body }) => body,
  )
  const { body } = await app.inject('POST /', { body: { a: null, b: null } })
  assert.equal(body, '{"a":null,"b":null}')
  await app.close()
})

test('what is listed is null only where the list has it, whatever is nullable', async () => {
  const body = {
    type: 'object',
    properties: {
      size: { type: 'string', enum: ['s', 'm'], nullable: true },
      unit: { type: 'string', const: 'kg', nullable: true },
      tone: { type: 'string', enum: ['a', null], nullable: true },
      kind: t.Literal('x', { nullable: true }),
    },
  } as const
  const app = espalier().post('/', { schema: { body } }, (request) => {
    const { size = 's', unit = 'kg', tone = 'a', kind = 'x' } = request.body
    return [size.length, unit.length, tone?.length ?? null, kind.length]
  })
  const given = await app.inject('POST /', { body: { size: 'm', tone: null } })
  assert.deepEqual(given.json(), [1, 2, null, 1])
  const refused = [
    // @ts-expect-error -- null is not in the list
    app.inject('POST /', { body: { size: null } }),
    // @ts-expect-error -- it is another constant
    app.inject('POST /', { body: { unit: null } }),
    // @ts-expect-error -- it is another literal
    app.inject('POST /', { body: { kind: null } }),
  ]
  for (const each of refused) assert.equal((await each).statusCode, 400)
  await app.close()
})

test('a parameter that the schema does not name is text, and removed where the schema is closed', async () => {
  const open = t.Object({ org: t.Integer() })
  const closed = t.Object({ org: t.Integer() }, { additionalProperties: false })
  const app = espalier()
    .get('/open/:org/:repo', { schema: { params: open } }, ({ params }) => params)
    .get('/closed/:org/:repo', { schema: { params: closed } }, ({ params }) => params)
    .get('/short/:org/*', { schema: { params: { org: { type: 'integer' } } } }, ({ params }) => [
      params.org.toFixed(1),
      params['*'],
    ])
  const read = async (url: string) => (await app.inject({ url })).json()
  assert.deepEqual(await read('/open/1/2'), { org: 1, repo: '2' })
  assert.deepEqual(await read('/closed/1/2'), { org: 1 })
  assert.deepEqual(await read('/short/1/'), ['1.0', ''])
})

test('a parameter that the schema does not name was text in types though additionalProperties made a number of it', async () => {
  const counts = { type: 'object', additionalProperties: { type: 'integer' } } as const
  const others = t.Object({ on: t.Boolean() }, { additionalProperties: t.Integer() })
  const app = espalier()
    .get('/:size', { schema: { params: counts } }, ({ params }) => params.size.toFixed(1))
    .get('/:on/:size', { schema: { params: others } }, ({ params }) => params.size.toFixed(1))
  assert.equal((await app.inject('GET /:size', { params: { size: 1 } })).payload, '1.0')
  const params = { on: true, size: '2' } as const
  assert.equal((await app.inject('GET /:on/:size', { params })).payload, '2.0')
  // @ts-expect-error -- it is no number
  const refused = await app.inject('GET /:size', { params: { size: 'a' } })
  assert.equal(refused.statusCode, 400)
})

test('contains took an empty list behind one that has what it asks for', async () => {
  const body = {
    type: 'array',
    items: { type: 'array', contains: { type: 'integer', minimum: 1 } },
  }
  const app = espalier().post('/', { schema: { body } }, () => 'taken')
  const post = (payload: number[][]) => app.inject({ method: 'POST', url: '/', payload })
  assert.equal((await post([[1], []])).statusCode, 400)
  assert.equal((await post([[1], [0, 2]])).statusCode, 200)
})

test('contains made another type of the first item that it could coerce, and of parts of those before', async () => {
  const integer = { type: 'integer' } as const
  const item = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } as const
  const asked = { type: 'object', properties: { a: integer, b: integer }, required: ['b'] } as const
  const schema = {
    querystring: {
      tags: { type: 'array', items: { type: 'string' }, contains: integer },
      sizes: { type: 'array', items: integer, contains: { type: 'integer', minimum: 5 } },
    },
    body: { type: 'array', items: item, contains: asked },
  } as const
  const app = espalier().post('/', { schema }, ({ query, body }) => [
    query.tags?.map((tag) => tag.slice(0, 2)),
    query.sizes?.map((size) => size.toFixed()),
    body.map(({ a }) => a.slice(0, 2)),
  ])
  const ask = async (url: string, body: object[]) =>
    (await app.inject({ method: 'POST', url, body })).json()
  assert.deepEqual(
    await ask('/?tags=a&tags=1&sizes=5&sizes=1', [
      { a: '07', b: 'x' },
      { a: '08', b: '1' },
    ]),
    [
      ['a', '1'],
      ['5', '1'],
      ['07', '08'],
    ],
  )
  const { message } = (await ask('/?tags=a', [{ a: '1', b: 1 }])) as { message: string }
  assert.equal(message, 'querystring/tags must contain at least 1 valid item(s)')
  const { message: none } = (await ask('/', [{ a: '1', b: 'x' }])) as { message: string }
  assert.equal(none, 'body must contain at least 1 valid item(s)')
})

test('a field that no name describes leaves though its list does not have it, so a type refuses it beside any object', async () => {
  const size = {
    type: 'object',
    properties: { wide: { type: 'boolean', default: false } },
  } as const
  const schema = {
    type: 'object',
    properties: { id: { type: 'integer' }, size },
    required: ['id'],
    additionalProperties: { enum: ['y'] },
  } as const
  const [right, wrong] = [{ id: 1, size: {}, other: 'y' } as const, { id: 1, other: true }]
  const app = espalier()
    .post('/', { schema: { body: schema, response: { 200: schema } } }, ({ body }) => body)
    .get('/right', { schema: { response: { 200: schema } } }, () => right)
    // @ts-expect-error -- it is not in the list, and has nothing of a size
    .get('/wrong', { schema: { response: { 200: schema } } }, () => wrong)
  const whole = { id: 1, size: { wide: false }, other: 'y' }
  assert.deepEqual((await app.inject('GET /right')).json(), whole)
  assert.deepEqual((await app.inject({ url: '/wrong' })).json(), wrong)
  assert.deepEqual((await app.inject('POST /', { body: right })).json(), whole)
  // @ts-expect-error -- it is not in the list, and has nothing of a size
  assert.equal((await app.inject('POST /', { body: wrong })).statusCode, 400)
  await app.close()
})
