// Specification 2.2: the forms of `$ref`, for the validator and the serializer alike.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { t } from '../../src/index.ts'
import { deepFreeze, untyped, type UntypedServer } from '../support/untyped.ts'

type Json = Record<string, unknown>

/** A route that validates and answers by one schema each. */
function echo(schemas: readonly Json[], body: Json, response = body): UntypedServer {
  const app = untyped()
  for (const schema of schemas) app.addSchema(deepFreeze(schema))
  return app
    .post('/validate', { schema: deepFreeze({ body }) }, (request) => ({ got: request.body }))
    .post('/serialize', { schema: deepFreeze({ response: { 200: response } }) }, ({ body }) => body)
}

async function validate(app: UntypedServer, payload: object | string): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const response = await app.inject({ method: 'POST', url: '/validate', headers, payload })
  const { got, message } = response.json<{ got: unknown; message: string }>()
  return response.statusCode === 200 ? got : message
}

const serialize = async (app: UntypedServer, payload: object): Promise<string> =>
  (await app.inject({ method: 'POST', url: '/serialize', payload })).body

const integer = { type: 'integer' }
const plainUser: Json = {
  $id: 'user',
  type: 'object',
  definitions: { size: integer },
  properties: { age: integer, rank: { $id: '#rank', type: 'integer' } },
}
const User = t.Object(
  { age: t.Optional(t.Integer()), rank: t.Optional(t.Integer({ $id: '#rank' })) },
  { $id: 'user', definitions: { size: t.Integer() } },
)

const forms = [
  '#local',
  '#/definitions/count',
  'user#/definitions/size',
  'user#rank',
  'user#/properties/age',
]

for (const form of forms) {
  const plain = {
    type: 'object',
    definitions: { count: integer },
    properties: { value: { $ref: form }, local: { $id: '#local', type: 'integer' } },
  }
  const built = t.Object(
    { value: t.Ref(form), local: t.Optional(t.Integer({ $id: '#local' })) },
    { definitions: { count: t.Integer() } },
  )
  for (const [how, user, schema] of [
    ['in plain JSON Schema', plainUser, plain],
    ['made with t', User, built],
  ] as const) {
    describe(`the reference '${form}' ${how}`, () => {
      const app = echo([user], schema)
      test('is followed by the validator', async () => {
        assert.deepEqual(await validate(app, { value: '7' }), { value: 7 })
        assert.equal(await validate(app, { value: 'x' }), 'body/value must be integer')
      })
      test('is followed by the serializer', async () => {
        assert.equal(await serialize(app, { value: '7', secret: 1 }), '{"value":7}')
      })
    })
  }
}

for (const form of ['user#', 'user']) {
  for (const [how, user, reference] of [
    ['in plain JSON Schema', plainUser, { $ref: form }],
    ['made with t', User, t.Ref(form)],
  ] as const) {
    describe(`the reference '${form}' ${how}`, () => {
      const app = echo([user], { value: reference })
      test('is followed by the validator', async () => {
        assert.deepEqual(await validate(app, { value: { age: '7' } }), { value: { age: 7 } })
        assert.equal(await validate(app, { value: { age: 'x' } }), 'body/value/age must be integer')
      })
      test('is followed by the serializer', async () => {
        assert.equal(
          await serialize(app, { value: { age: '7', secret: 1 } }),
          '{"value":{"age":7}}',
        )
      })
      test('may stand for a whole part and a whole response', async () => {
        const whole = echo([user], reference)
        assert.deepEqual(await validate(whole, { age: '7' }), { age: 7 })
        assert.equal(await serialize(whole, { age: '7', secret: 1 }), '{"age":7}')
      })
    })
  }
}

test('a reference may stand for the whole of params, querystring and headers', async () => {
  const schema = { params: { $ref: 'user#' }, query: { $ref: 'user#' }, headers: { $ref: 'user#' } }
  const app = untyped()
    .addSchema(plainUser)
    .get('/:age', { schema }, ({ params, query, headers }) => [params, query, headers.age])
  const response = await app.inject({ url: '/1?age=2', headers: { age: '3' } })
  assert.deepEqual(response.json(), [{ age: 1 }, { age: 2 }, 3])
})

test("'#…' in a shared schema means that schema, not the one that refers to it", async () => {
  const box = {
    $id: 'box',
    type: 'object',
    definitions: { content: { type: 'integer' } },
    properties: { content: { $ref: '#/definitions/content' } },
  }
  const app = echo([box], {
    type: 'object',
    definitions: { content: { type: 'string' } },
    properties: { box: { $ref: 'box#' }, own: { $ref: '#/definitions/content' } },
  })
  const both = { box: { content: '1' }, own: '1' }
  assert.deepEqual(await validate(app, both), { box: { content: 1 }, own: '1' })
  assert.equal(await serialize(app, both), '{"box":{"content":1},"own":"1"}')
})

const trees: readonly (readonly [string, readonly Json[], Json])[] = [
  ['to "#"', [], { type: 'object', properties: { n: integer, sub: { $ref: '#' } } }],
  [
    'to its own $id',
    [],
    { $id: 'tree', type: 'object', properties: { n: integer, sub: { $ref: 'tree#' } } },
  ],
  [
    'of a shared schema to itself',
    [{ $id: 'tree', type: 'object', properties: { n: integer, sub: { $ref: 'tree#' } } }],
    { $ref: 'tree#' },
  ],
  [
    'of two shared schemas to each other',
    [
      { $id: 'odd', type: 'object', properties: { n: integer, sub: { $ref: 'even#' } } },
      { $id: 'even', type: 'object', properties: { n: integer, sub: { $ref: 'odd#' } } },
    ],
    { $ref: 'odd#' },
  ],
  [
    'made with t.Recursive',
    [],
    t.Recursive((self) => t.Object({ n: t.Integer(), sub: t.Optional(self) })),
  ],
  [
    'made with t.Recursive under an $id, and shared',
    [t.Recursive((self) => t.Object({ n: t.Integer(), sub: t.Optional(self) }), { $id: 'tree' })],
    t.Ref('tree#'),
  ],
]
for (const [how, schemas, schema] of trees) {
  test(`a recursion ${how} holds at every depth`, async () => {
    const app = echo(schemas, schema)
    const good = { n: '1', sub: { n: '2', sub: { n: '3' } } }
    assert.deepEqual(await validate(app, good), { n: 1, sub: { n: 2, sub: { n: 3 } } })
    const bad = { n: 1, sub: { n: 2, sub: { n: 'x' } } }
    assert.equal(await validate(app, bad), 'body/sub/sub/n must be integer')
    const tagged = { n: 1, sub: { n: 2, x: 0, sub: { n: 3, x: 0 } } }
    assert.equal(await serialize(app, tagged), '{"n":1,"sub":{"n":2,"sub":{"n":3}}}')
  })
}

test('one object with an $id may stand twice in a schema, and in several parts and routes', async () => {
  const pair = { type: 'object', properties: { a: plainUser, b: plainUser } }
  const app = echo([], pair)
  app.post('/again', { schema: { body: pair, querystring: { c: plainUser } } }, () => ({}))
  const both = { a: { age: '1' }, b: { age: '2' } }
  assert.deepEqual(await validate(app, both), { a: { age: 1 }, b: { age: 2 } })
  assert.equal(await validate(app, { b: { age: 'x' } }), 'body/b/age must be integer')
  assert.equal(await serialize(app, both), '{"a":{"age":1},"b":{"age":2}}')
})

test('a shared schema may also be embedded by value, next to a reference to it', async () => {
  const app = echo([plainUser], { a: plainUser, b: { $ref: 'user#/properties/age' } })
  assert.deepEqual(await validate(app, { a: { age: '1' }, b: '2' }), { a: { age: 1 }, b: 2 })
  assert.equal(await serialize(app, { a: { age: '1' }, b: '2' }), '{"a":{"age":1},"b":2}')
})

test('a schema that is embedded by value can be referred to by its $id', async () => {
  const app = echo([], { a: plainUser, b: { $ref: 'user#rank' } })
  assert.deepEqual(await validate(app, { b: '2' }), { b: 2 })
  assert.equal(await serialize(app, { b: '2' }), '{"b":2}')
})

test('a recursion can refer to what is embedded by value beside it', async () => {
  const tree = t.Recursive((self) => t.Object({ owner: t.Ref('user#rank'), kids: t.Array(self) }))
  const app = echo([], t.Object({ a: t.Optional(User), tree }))
  const good = { tree: { owner: '1', kids: [{ owner: '2', kids: [] }] } }
  assert.deepEqual(await validate(app, good), {
    tree: { owner: 1, kids: [{ owner: 2, kids: [] }] },
  })
  const bad = { tree: { owner: 1, kids: [{ owner: 'x', kids: [] }] } }
  assert.equal(await validate(app, bad), 'body/tree/kids/0/owner must be integer')
})

const site = 'https://example.com/schemas'
const uris: readonly (readonly [string, readonly Json[], string])[] = [
  ['an absolute URI', [{ ...plainUser, $id: `${site}/user.json` }], `${site}/user.json#`],
  [
    'a URI whose $id ends with #',
    [{ ...plainUser, $id: `${site}/user.json#` }],
    `${site}/user.json`,
  ],
  ['a URN', [{ ...plainUser, $id: 'urn:example:user' }], 'urn:example:user#'],
  [
    'a URI relative to that of the schema around it',
    [
      { ...plainUser, $id: `${site}/user.json` },
      { $id: `${site}/team.json`, $ref: 'user.json#' },
    ],
    `${site}/team.json`,
  ],
  ...['user.json#', 'user.json', './user.json#/definitions/it', `${site}/x/../user.json`].map(
    ($ref): [string, Json[], string] => [
      `${$ref}, where the $id ends with #`,
      [
        { ...plainUser, $id: `${site}/user.json#`, definitions: { it: plainUser } },
        { $id: `${site}/team.json#`, $ref },
      ],
      `${site}/team.json`,
    ],
  ),
]
for (const [how, schemas, $ref] of uris) {
  test(`a reference may be ${how}`, async () => {
    const app = echo(schemas, { value: { $ref } })
    assert.deepEqual(await validate(app, { value: { age: '7' } }), { value: { age: 7 } })
    assert.equal(await validate(app, { value: { age: 'x' } }), 'body/value/age must be integer')
    assert.equal(await serialize(app, { value: { age: '7', x: 1 } }), '{"value":{"age":7}}')
  })
}

// As those who bundle schemas write them: each part keeps its `$id`, and its references.
test('the parts of a bundled document refer to one another by URIs relative to their own', async () => {
  const app = echo([], {
    $id: `${site}/orders/order.json`,
    type: 'object',
    properties: { ship: { $ref: '../address.json' }, bill: { $ref: `${site}/address.json#` } },
    definitions: {
      address: {
        $id: '/schemas/address.json',
        type: 'object',
        properties: { zip: { $ref: './parts/zip.json' } },
      },
      zip: { $id: `${site}/parts/zip.json`, ...integer },
    },
  })
  const body = { ship: { zip: '1' }, bill: { zip: '2' } }
  assert.deepEqual(await validate(app, body), { ship: { zip: 1 }, bill: { zip: 2 } })
  assert.equal(await validate(app, { ship: { zip: 'x' } }), 'body/ship/zip must be integer')
  assert.equal(await serialize(app, body), '{"ship":{"zip":1},"bill":{"zip":2}}')
})

const pointers: readonly (readonly [string, string])[] = [
  ['a/b', '#/definitions/a~1b'],
  ['a~b', '#/definitions/a~0b'],
  ['~1', '#/definitions/~01'],
  ['a b', '#/definitions/a%20b'],
  ['a%b', '#/definitions/a%25b'],
  ['ä', '#/definitions/ä'],
]
for (const [name, $ref] of pointers) {
  test(`the pointer ${$ref} names the definition ${name}`, async () => {
    const app = echo([], {
      type: 'object',
      definitions: { [name]: integer, wrong: { type: 'string' } },
      properties: { value: { $ref } },
    })
    assert.deepEqual(await validate(app, { value: '7' }), { value: 7 })
    assert.equal(await serialize(app, { value: '7' }), '{"value":7}')
  })
}

for (const $ref of ['own', 'own#']) {
  test(`a schema that is not shared refers to itself by its $id as ${$ref}`, async () => {
    const kids = { type: 'array', items: { $ref } }
    const app = echo([], { $id: 'own', type: 'object', properties: { value: integer, kids } })
    const tree = (value: unknown) => ({ value: 1, kids: [{ value: 2, kids: [{ value }] }] })
    assert.deepEqual(await validate(app, tree('7')), tree(7))
    assert.match(String(await validate(app, tree('x'))), /kids\/0\/kids\/0\/value/)
    assert.deepEqual(JSON.parse(await serialize(app, { ...tree('7'), more: 1 })), tree(7))
  })
}
