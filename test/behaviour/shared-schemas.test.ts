// Specification 2.2, 4.1 (`/sub` and `/deep`), 4.2: shared schemas and who sees them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from '@sinclair/typebox'
import espalier, { shared, t } from '../../src/index.ts'
import { deepFreeze, untyped } from '../support/untyped.ts'

const Id = t.Integer({ $id: 'id' })
const ok = () => ({})

test('getSchema gives the very object that was added', () => {
  const app = espalier().addSchema(Id)
  assert.equal(app.getSchema('id'), Id)
})

test('addSchema(id, schema) takes schemas of the own builder of TypeBox, without an $id', async () => {
  const Name = Type.String({ minLength: 3 })
  const app = espalier()
    .addSchema('name', Name)
    .post('/', { schema: { body: { name: t.Ref('name#') } } }, (request) => request.body.name)
  assert.equal(app.getSchema('name'), Name)
  assert.equal((await app.inject('POST /', { body: { name: 'Ada' } })).body, 'Ada')
  assert.equal((await app.inject('POST /', { body: { name: 'Al' } })).statusCode, 400)
})

test('a schema added under an id of its own is found under that id alone', () => {
  const schema = { $id: 'written', type: 'string' }
  const app = untyped().addSchema('given', schema)
  assert.equal(app.getSchema('given'), schema)
  assert.equal(app.getSchema('written'), undefined)
  assert.deepEqual(Object.keys(app.getSchemas()), ['given'])
})

test('getSchema of an id that nobody added is undefined, also for names of Object.prototype', () => {
  const app = untyped()
  for (const id of ['id', 'toString', '__proto__', 'constructor']) {
    assert.equal(app.getSchema(id), undefined)
  }
})

test('an $id that is a name of Object.prototype is an id like any other', async () => {
  for (const id of ['constructor', '__proto__', 'toString']) {
    const app = untyped()
      .addSchema({ $id: id, type: 'integer' })
      .get('/', { schema: { querystring: { n: { $ref: `${id}#` } } } }, ({ query }) => query)
    assert.deepEqual((await app.inject('/?n=1')).json(), { n: 1 }, id)
    assert.equal((await app.inject('/?n=x')).statusCode, 400, id)
  }
})

test('getSchemas gives the schemas of a scope and of its ancestors by id, and no others', async () => {
  const ids = (request: { server: { getSchemas(): object } }) =>
    Object.keys(request.server.getSchemas())
  const app = espalier()
    .addSchema(Id)
    .register(async (child) =>
      child
        .addSchema(t.String({ $id: 'note' }))
        .get('/sub', ids)
        .register(async (grandchild) =>
          grandchild.addSchema(t.Null({ $id: 'nothing' })).get('/deep', ids),
        ),
    )
    .register(async (sibling) => sibling.get('/sibling', ids))
    .get('/root', ids)
  const get = async (path: `/${string}`) => (await app.inject(path)).json<string[]>()
  assert.deepEqual(await get('/root'), ['id'])
  assert.deepEqual(await get('/sub'), ['id', 'note'])
  assert.deepEqual(await get('/deep'), ['id', 'note', 'nothing'])
  assert.deepEqual(await get('/sibling'), ['id'])
})

test('getSchema sees what an ancestor added, but not what a child added', async () => {
  const app = untyped().addSchema(Id)
  let inside: unknown
  await app.register(async (child) => {
    child.addSchema({ $id: 'inner', type: 'null' })
    inside = child.getSchema('id')
  })
  assert.equal(inside, Id)
  assert.equal(app.getSchema('inner'), undefined)
})

test('changing the record that getSchemas gives does not change the scope', () => {
  const app = untyped().addSchema(Id)
  delete app.getSchemas()['id']
  assert.equal(app.getSchema('id'), Id)
})

test('a schema that a shared plugin adds is visible in the scope that registered it', async () => {
  const app = espalier()
    .register(shared(async (server) => server.addSchema(Id)))
    .get('/', { schema: { querystring: { n: t.Ref('id#') } } }, (request) => request.query)
  assert.deepEqual((await app.inject('GET /', { query: { n: 1 } })).json(), { n: 1 })
})

test('a schema that is added after a route of its scope is visible to that route', async () => {
  const app = untyped()
    .get('/', { schema: { querystring: { n: { $ref: 'id#' } } } }, ({ query }) => query)
    .addSchema(Id)
  assert.deepEqual((await app.inject('/?n=1')).json(), { n: 1 })
})

test('two siblings may use one $id for different schemas', async () => {
  const schema = {
    body: { $ref: 'item#' },
    response: { 200: { $ref: 'item#' } },
  }
  const app = untyped()
  for (const [name, property] of [
    ['left', 'a'],
    ['right', 'b'],
  ] as const) {
    app.register(
      async (child) => {
        child.addSchema({
          $id: 'item',
          type: 'object',
          required: [property],
          properties: { [property]: { type: 'integer' } },
        })
        child.post('/', { schema }, ({ body }) => body)
      },
      { prefix: `/${name}` },
    )
  }
  const post = (url: string) => app.inject({ method: 'POST', url, payload: { a: '1', b: 'x' } })
  assert.equal((await post('/left')).body, '{"a":1}')
  assert.equal((await post('/right')).json<{ message: string }>().message, 'body/b must be integer')
})

test('the validator and the serializer see the same shared schemas, and never change them', async () => {
  const user = deepFreeze({
    $id: 'user',
    type: 'object',
    properties: { id: { type: 'integer', default: 7 } },
  })
  const schema = deepFreeze({ body: { $ref: 'user#' }, response: { 200: { $ref: 'user#' } } })
  const app = untyped()
    .addSchema(user)
    .post('/', { schema }, ({ body }) => ({ ...body, x: 1 }))
  const response = await app.inject({ method: 'POST', url: '/', payload: {} })
  assert.equal(response.body, '{"id":7}')
  assert.equal(app.getSchema('user'), user)
})

test('a custom compiler is given schemas as they were written, and reads getSchemas itself', async () => {
  const seen: unknown[] = []
  const app = untyped().addSchema(Id)
  app.setValidatorCompiler(({ schema }: { schema: unknown }) => {
    seen.push(schema, app.getSchemas()['id'])
    return () => true
  })
  const querystring = { $ref: 'id#' }
  app.get('/', { schema: { querystring } }, ok)
  app.get('/none', { schema: { querystring: { $ref: 'no-such-schema#' } } }, ok)
  await app.ready()
  assert.equal(seen[0], querystring)
  assert.deepEqual(seen[1], Id)
})

test('a schema without an $id is an error that names the plugin', async () => {
  assert.throws(() => untyped().addSchema({ type: 'string' }), {
    code: 'ESP_ERR_SCH_MISSING_ID',
    message:
      'A shared schema without $id was added in root. Give it one, or call addSchema(id, schema)',
  })
  const app = untyped().register(async function users(child) {
    child.addSchema({ $id: '', type: 'string' })
  })
  await assert.rejects(() => Promise.resolve(app.ready()), {
    code: 'ESP_ERR_SCH_MISSING_ID',
    message: /^A shared schema without \$id was added in root > users\./,
  })
})

test('what is no object is refused as a shared schema', () => {
  for (const [given, name] of [
    [undefined, 'undefined'],
    [null, 'null'],
    ['id', "'id'"],
    [[], 'an array'],
  ] as const) {
    assert.throws(() => untyped().addSchema(given), {
      code: 'ESP_ERR_SCH_NOT_OBJECT',
      message: `What was given to addSchema in root must be a schema object, but is ${name}`,
    })
  }
})

test('a duplicate $id in one scope is an error that names the schema and the plugin', () => {
  assert.throws(() => untyped().addSchema(Id).addSchema({ $id: 'id', type: 'null' }), {
    code: 'ESP_ERR_SCH_ALREADY_PRESENT',
    message: "A schema with $id 'id' is already there: added in root, again in root",
  })
})

test('a duplicate of an $id of an ancestor is an error that names both plugins', async () => {
  const app = untyped().addSchema(Id)
  app.register(async function users(child) {
    child.register(async function admin(grandchild) {
      grandchild.addSchema({ $id: 'id', type: 'null' })
    })
  })
  await assert.rejects(() => Promise.resolve(app.ready()), {
    code: 'ESP_ERR_SCH_ALREADY_PRESENT',
    message:
      "A schema with $id 'id' is already there: added in root, again in root > users > admin",
  })
})

test('an ancestor that adds an $id which a descendant has already is an error that names both', async () => {
  const app = untyped()
  await app.register(async function users(child) {
    child.addSchema(Id)
  })
  assert.throws(() => app.addSchema({ $id: 'id', type: 'null' }), {
    code: 'ESP_ERR_SCH_ALREADY_PRESENT',
    message: "A schema with $id 'id' is already there: added in root > users, again in root",
  })
})

test('a schema cannot be added once the server is ready', async () => {
  const app = untyped()
  await app.ready()
  assert.throws(() => app.addSchema(Id), {
    code: 'ESP_ERR_INSTANCE_ALREADY_LISTENING',
    message: "'addSchema' was called in root after the server was ready. Call it before",
  })
})

test('a shared schema whose $id is a fragment is met under that in every document', async () => {
  const app = untyped().addSchema({ $id: '#mine', properties: { a: { type: 'integer' } } })
  const body = { type: 'object', properties: { x: { $ref: '#mine' } } }
  app.post('/', { schema: { body } }, (request) => request.body)
  const payload = { x: { a: '3' } }
  const response = await app.inject({ method: 'POST', url: '/', payload })
  assert.deepEqual(response.json(), { x: { a: 3 } })
})
