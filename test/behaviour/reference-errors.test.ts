// Specification 2.2: references that name nothing, what only looks like one, and places that hold one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deepFreeze, untyped } from '../support/untyped.ts'

const ok = () => ({})
const User = {
  $id: 'user',
  type: 'object',
  definitions: { size: { type: 'integer' } },
  properties: { rank: { $id: '#rank', type: 'integer' } },
}

for (const $ref of [
  'usr#',
  'user#nick',
  'user#/definitions/none',
  'user#/properties/rank/type',
  '#nick',
  '#/definitions/size',
]) {
  test(`a reference '${$ref}' that names nothing is a boot error of the validator`, async () => {
    const app = untyped().addSchema(User)
    app.register(async function users(child) {
      child.addSchema({ $id: 'own', type: 'null' })
      child.post('/a', { schema: { body: { value: { $ref } } } }, ok)
    })
    const where = `the body of POST /a in root > users`
    await assert.rejects(() => Promise.resolve(app.ready()), {
      code: 'ESP_ERR_SCH_MISSING_REF',
      message: `No schema '${$ref}' is visible to ${where}. ${$ref.startsWith('usr') ? "Did you mean 'user'? " : ''}Visible there: user, own`,
    })
  })

  test(`a reference '${$ref}' that names nothing is a boot error of the serializer`, async () => {
    const app = untyped().addSchema(User)
    app.register(async function users(child) {
      child.get('/a', { schema: { response: { '2xx': { value: { $ref } } } } }, ok)
    })
    const where = `response 2xx of GET /a in root > users`
    await assert.rejects(() => Promise.resolve(app.ready()), {
      code: 'ESP_ERR_SCH_MISSING_REF',
      message: `No schema '${$ref}' is visible to ${where}. ${$ref.startsWith('usr') ? "Did you mean 'user'? " : ''}Visible there: user`,
    })
  })
}

test('the error of a missing reference says so where no schema is visible at all', async () => {
  const app = untyped().get('/', { schema: { querystring: { $ref: 'a' } } }, ok)
  await assert.rejects(() => Promise.resolve(app.ready()), {
    message: "No schema 'a' is visible to the querystring of GET / in root. Visible there: none",
  })
})

for (const part of ['params', 'querystring', 'headers', 'body']) {
  test(`the error of a missing reference names the part ${part}`, async () => {
    const app = untyped().post('/:id', { schema: { [part]: { $ref: 'a#' } } }, ok)
    await assert.rejects(() => Promise.resolve(app.ready()), {
      code: 'ESP_ERR_SCH_MISSING_REF',
      message: `No schema 'a#' is visible to the ${part} of POST /:id in root. Visible there: none`,
    })
  })
}

test("a sibling's schema is not visible to a reference", async () => {
  const app = untyped()
  app.register(async function left(child) {
    child.addSchema(User)
  })
  app.register(async function right(child) {
    child.post('/', { schema: { body: { $ref: 'user#' } } }, ok)
  })
  await assert.rejects(() => Promise.resolve(app.ready()), {
    message:
      "No schema 'user#' is visible to the body of POST / in root > right. Visible there: none",
  })
})

test("a child's schema is not visible to a reference in its parent", async () => {
  const app = untyped().post('/', { schema: { body: { $ref: 'user#' } } }, ok)
  app.register(async (child) => void child.addSchema(User))
  await assert.rejects(() => Promise.resolve(app.ready()), { code: 'ESP_ERR_SCH_MISSING_REF' })
})

test('a missing reference inside a shared schema is found when a route uses that schema', async () => {
  const broken = { $id: 'broken', type: 'object', properties: { a: { $ref: 'none#' } } }
  await untyped().addSchema(broken).ready()
  const app = untyped()
    .addSchema(broken)
    .post('/', { schema: { body: { $ref: 'broken#' } } }, ok)
  await assert.rejects(() => Promise.resolve(app.ready()), {
    message: "No schema 'none#' is visible to the body of POST / in root. Visible there: broken",
  })
})

test('a property that is called $ref is no reference', async () => {
  const schema = {
    type: 'object',
    properties: { $ref: { type: 'integer' }, $id: { type: 'integer' } },
  }
  const app = untyped().post(
    '/',
    { schema: deepFreeze({ body: schema, response: { 200: schema } }) },
    ({ body }) => body,
  )
  const post = (payload: object) => app.inject({ method: 'POST', url: '/', payload })
  assert.equal((await post({ $ref: '7', $id: '8', x: 1 })).body, '{"$ref":7,"$id":8}')
  assert.equal((await post({ $ref: 'a#' })).statusCode, 400)
})

test('a $ref inside const, enum and default is data', async () => {
  const reference = { $ref: 'none#' }
  const body = {
    type: 'object',
    properties: {
      a: { const: reference },
      b: { enum: [reference] },
      c: { type: 'object', default: reference },
    },
  }
  const app = untyped().post('/', { schema: deepFreeze({ body }) }, (request) => request.body)
  const post = (payload: object) => app.inject({ method: 'POST', url: '/', payload })
  assert.deepEqual((await post({ a: reference, b: reference })).json(), {
    a: reference,
    b: reference,
    c: reference,
  })
  assert.equal((await post({ a: { $ref: 'other' } })).statusCode, 400)
})

test('a pointer may go through a list, and may name a schema that is true or false', async () => {
  const body = {
    type: 'object',
    definitions: {
      list: { anyOf: [{ type: 'null' }, { type: 'integer' }] },
      all: true,
      none: false,
    },
    properties: {
      second: { $ref: '#/definitions/list/anyOf/1' },
      any: { $ref: '#/definitions/all' },
      never: { $ref: '#/definitions/none' },
    },
  }
  const app = untyped().post('/', { schema: deepFreeze({ body }) }, (request) => request.body)
  const post = (payload: object) => app.inject({ method: 'POST', url: '/', payload })
  assert.deepEqual((await post({ second: '2', any: [0] })).json(), { second: 2, any: [0] })
  assert.equal((await post({ second: 'x' })).statusCode, 400)
  assert.equal((await post({ never: 1 })).statusCode, 400)
})

test('keywords beside a reference hold as well', async () => {
  const body = { value: { $ref: 'count#', type: 'number', minimum: 5 } }
  const app = untyped()
    .addSchema({ $id: 'count', type: 'integer' })
    .post('/', { schema: deepFreeze({ body }) }, (request) => request.body)
  const post = (payload: object) => app.inject({ method: 'POST', url: '/', payload })
  assert.deepEqual((await post({ value: '5' })).json(), { value: 5 })
  assert.equal((await post({ value: 4 })).statusCode, 400)
  assert.equal((await post({ value: 'x' })).statusCode, 400)
})

test('a schema that refers to the meta-schema of draft 7 is checked against it', async () => {
  const body = { schema: { $ref: 'http://json-schema.org/draft-07/schema#' } }
  const app = untyped().post('/', { schema: { body } }, ok)
  const post = (payload: object) => app.inject({ method: 'POST', url: '/', payload })
  assert.equal((await post({ schema: { type: 'string' } })).statusCode, 200)
  assert.equal((await post({ schema: { type: 'strin' } })).statusCode, 400)
})

const holders: readonly (readonly [string, object])[] = [
  ['anyOf', { anyOf: [{ type: 'null' }, { $ref: 'user#' }] }],
  ['allOf', { allOf: [{ $ref: 'user#' }, { type: 'object', properties: {} }] }],
  ['additionalProperties', { type: 'object', additionalProperties: { $ref: 'user#rank' } }],
  ['patternProperties', { type: 'object', patternProperties: { '^rank$': { $ref: 'user#rank' } } }],
  ['$defs', { $ref: '#/$defs/user', $defs: { user: { $ref: 'user#' } } }],
  ['a schema with a description', { $ref: 'user#', description: 'words' }],
]
for (const [where, schema] of holders) {
  test(`a reference in ${where} is followed by the validator and by the serializer`, async () => {
    const app = untyped()
      .addSchema(deepFreeze(User))
      .post('/in', { schema: deepFreeze({ body: schema }) }, ({ body }) => body)
      .get('/out', { schema: deepFreeze({ response: { 200: schema } }) }, () => ({ rank: 7.5 }))
    const post = (payload: object) => app.inject({ method: 'POST', url: '/in', payload })
    assert.deepEqual((await post({ rank: '7' })).json(), { rank: 7 })
    assert.equal((await post({ rank: 'x' })).statusCode, 400)
    if (where !== 'anyOf') assert.equal((await app.inject('/out')).body, '{"rank":7}')
  })
}

test('a tree whose branches may be null is validated and serialized at every depth', async () => {
  const branch = { anyOf: [{ type: 'null' }, { $ref: 'tree#' }] }
  const tree = { $id: 'tree', type: 'object', properties: { n: { type: 'integer' }, next: branch } }
  const schema = { body: { $ref: 'tree#' }, response: { 200: { $ref: 'tree#' } } }
  const app = untyped()
    .addSchema(deepFreeze(tree))
    .post('/', { schema }, ({ body }) => ({ ...body, secret: 1 }))
  const payload = { n: 1, next: { n: 2, secret: 1, next: { n: 3, next: null } } }
  const response = await app.inject({ method: 'POST', url: '/', payload })
  assert.equal(response.body, '{"n":1,"next":{"n":2,"next":{"n":3,"next":null}}}')
})
