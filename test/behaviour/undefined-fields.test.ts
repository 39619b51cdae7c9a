// What types-test/undefined-fields.test-d.ts says: a field that may be left out may be undefined in replies and in the bodies of
// calls, and is left out then.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client } from '../../src/client/client.ts'
import espalier, { t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

const When = t
  .Transform(t.String({ format: 'date-time' }))
  .Decode((text) => new Date(text))
  .Encode((date) => date.toISOString())

/** Schemas for the field. */
const fields: Readonly<Record<string, object>> = {
  text: t.String(),
  number: t.Integer(),
  date: t.String({ format: 'date' }),
  literals: t.Union([t.Literal('a'), t.Literal('b')]),
  list: t.Array(t.String()),
  object: t.Object({ a: t.Optional(t.String()), b: t.Integer() }),
  alternatives: t.Union([t.Object({ a: t.String() }), t.String()]),
  intersection: t.Intersect([t.Object({ a: t.String() }), t.Object({ b: t.String() })]),
  transform: When,
  nullable: t.String({ nullable: true }),
  reference: t.Ref('user#'),
  types: { type: ['string', 'object'] },
  anything: t.Any(),
}

/** Schemas that have it, each with a value that has it as it is given. */
const holders: Readonly<
  Record<string, readonly [schema: (field: object) => object, value: (given: object) => unknown]>
> = {
  object: [(f) => object({ f }), (given) => given],
  list: [(f) => ({ type: 'array', items: object({ f }) }), (given) => [given]],
  nested: [(f) => object({ in: object({ f }) }), (given) => ({ in: given })],
  record: [
    (f) => ({ ...object({}), additionalProperties: object({ f }) }),
    (given) => ({ x: given }),
  ],
  closed: [(f) => ({ ...object({ f }), additionalProperties: false }), (given) => given],
  open: [(f) => ({ ...object({ f }), additionalProperties: { type: 'string' } }), (given) => given],
  patterns: [(f) => ({ ...object({ f }), patternProperties: { '^x': {} } }), (given) => given],
  alternatives: [
    (f) => ({ anyOf: [closed({ kind: { const: 1 }, f }), closed({ kind: { const: 2 } })] }),
    (given) => ({ kind: 1, ...given }),
  ],
  intersection: [(f) => ({ allOf: [object({ f }), object({ g: {} })] }), (given) => given],
  'with a transform': [(f) => object({ f, at: When }), (given) => ({ ...given, at: new Date(0) })],
  content: [
    (f) => ({ content: { 'application/json': { schema: object({ f }) } } }),
    (given) => given,
  ],
}

function object(properties: Readonly<Record<string, object>>): object {
  return { type: 'object', properties }
}

function closed(properties: Readonly<Record<string, object>>): object {
  return { ...object(properties), required: ['kind'], additionalProperties: false }
}

const user = t.Object({ id: t.Optional(t.Integer()) }, { $id: 'user' })

for (const [holder, [schema, value]] of Object.entries(holders)) {
  test(`undefined leaves no field of a reply: ${holder}`, async () => {
    for (const [name, field] of Object.entries(fields)) {
      const route = { schema: { response: { 200: schema(field) } } }
      const app = untyped()
        .addSchema(user)
        .get('/undefined', route, () => value({ f: undefined }))
        .get('/none', route, () => value({}))
      const [answers] = await silenced(() =>
        Promise.all([app.inject('/undefined'), app.inject('/none')]),
      )
      await app.close()
      const [given, none] = answers
      assert.equal(given.statusCode, 200, `${name}: ${given.body}`)
      assert.equal(given.body, none.body, name)
    }
  })
}

const User = t.Object({
  id: t.Integer(),
  nick: t.Optional(t.String()),
  size: t.Integer({ default: 1 }),
  home: t.Optional(t.Object({ street: t.Optional(t.String()) })),
})
const none = [undefined].pop()

test('a default stands in the place of undefined', async () => {
  const app = espalier().get('/', { schema: { response: { 200: User } } }, () => ({
    id: 1,
    nick: none,
    size: none,
    home: { street: none },
  }))
  assert.equal((await app.inject('GET /')).body, '{"id":1,"size":1,"home":{}}')
  await app.close()
})

test('calls leave out what is undefined in a body', async () => {
  const app = espalier().post('/', { schema: { body: User } }, ({ body }) => ({ body }))
  const body = { id: 1, nick: none, size: none, home: { street: none } }
  const read = { body: { id: 1, size: 1, home: {} } }
  assert.deepEqual((await app.inject('POST /', { body })).json(), read)
  const url = await app.listen({ port: 0 })
  assert.deepEqual((await client<typeof app>(url)('POST /', { body })).json(), read)
  await app.close()
})
