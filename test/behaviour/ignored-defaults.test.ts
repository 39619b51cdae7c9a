// Defaults that stand where ajv fills in none, which stop the boot.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier, { t } from '../../src/index.ts'
import { deepFreeze, untyped, untypedFastify } from '../support/untyped.ts'

const one = { type: 'integer', default: 1 }
const some = { type: 'object', properties: { n: one } }

const Page = t.Object({ kind: t.Literal('page'), n: t.Integer({ default: 1 }) })
const All = t.Object({ kind: t.Literal('all') })

/** What stops the boot of a route with this schema for its body. */
async function refusal(body: object, make = () => untyped()): Promise<Error> {
  const app = make()
    .addSchema({ ...some, $id: 'some' })
    .addSchema({ $id: 'whole', type: 'object', properties: { s: { $ref: 'some#' } }, default: {} })
  app.post('/', { schema: deepFreeze({ body }) }, () => '')
  const error: unknown = await app.ready().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof Error && 'code' in error, 'the boot is stopped')
  assert.match(String(error.code), /_ERR_SCH_VALIDATION_BUILD$/)
  return error
}

const opening = 'The validator for the body of POST / in root cannot be built: '

test("a default inside of a union is a boot error that says where: it said 'data.n', of ajv's own code", async () => {
  assert.equal(
    (await refusal(t.Union([Page, All]))).message,
    `${opening}the default at /anyOf/0/properties/n is inside of a union (anyOf), where ajv fills in none: a schema may ` +
      'fail there without the value being refused. Leave it out, and have the handler or a t.Transform fill it in',
  )
})

const asked: Record<string, [schema: object, place: string, around: string]> = {
  'a property that is a union': [
    { f: t.Union([All, Page]) },
    '/properties/f/anyOf/1/properties/n',
    'a union (anyOf)',
  ],
  'a union at some depth': [
    { f: { oneOf: [{ type: 'object', properties: { deep: some } }, { type: 'null' }] } },
    '/properties/f/oneOf/0/properties/deep/properties/n',
    'a union (oneOf)',
  ],
  'a tuple in a union': [
    {
      f: {
        anyOf: [
          { type: 'array', items: [one], minItems: 1, additionalItems: false },
          { type: 'null' },
        ],
      },
    },
    '/properties/f/anyOf/0/items/0',
    'a union (anyOf)',
  ],
  not: [{ f: { not: some } }, '/properties/f/not/properties/n', "'not'"],
  'if, but not of then': [
    { type: 'object', if: some, then: { properties: { m: one } } },
    '/if/properties/n',
    "'if'",
  ],
  contains: [
    { f: { type: 'array', contains: some } },
    '/properties/f/contains/properties/n',
    "'contains'",
  ],
  'what a reference in a union leads to': [
    { m: one, f: { anyOf: [{ $ref: 'some#' }, { type: 'null' }] } },
    "/properties/n of 'some#'",
    'a union (anyOf)',
  ],
  'a union, where properties have the names of keywords': [
    {
      f: t.Object({ anyOf: t.Object({ not: t.Integer({ default: 1 }), f: t.Union([Page, All]) }) }),
    },
    '/properties/f/properties/anyOf/properties/f/anyOf/0/properties/n',
    'a union (anyOf)',
  ],
}
for (const [what, [schema, place, around]] of Object.entries(asked)) {
  test(`the boot error of a default inside of ${what} says where it stands`, async () => {
    const { message, cause } = await refusal(schema)
    const said = `${opening}the default at ${place} is inside of ${around}, where ajv fills in none`
    assert.ok(message.startsWith(said), message)
    assert.ok(cause instanceof Error)
    assert.match(String(cause.cause), /strict mode: default is ignored for: data/)
  })
}

test('a default of a whole part is a boot error that says so, and so is that of a shared schema', async () => {
  const reason = 'ajv fills in those of properties alone, and of the items of tuples'
  assert.equal(
    (await refusal(t.Object({ n: t.Integer() }, { default: { n: 1 } }))).message,
    `${opening}the default at the top of the schema is that of a whole part: ${reason}. ` +
      'Leave it out, or give the properties defaults of their own',
  )
  assert.equal(
    (await refusal({ f: { $ref: 'whole#' } })).message,
    `${opening}the default at the top of 'whole#' is that of no property: ${reason}. ` +
      'Write it beside the references that are properties',
  )
})

test('what the boot error says helps: a transform in a union, properties, and beside a reference', async () => {
  const Filled = t
    .Transform(t.Object({ kind: t.Literal('page'), n: t.Optional(t.Integer()) }))
    .Decode(({ kind, n = 1 }) => ({ kind, n }))
    .Encode((value) => value)
  const app = espalier()
    .addSchema(t.Object({ n: t.Integer({ default: 1 }) }, { $id: 'some' }))
    .post('/union', { schema: { body: t.Union([Filled, All]) } }, ({ body }) => ({ body }))
    .post('/beside', { schema: { body: { f: t.Ref('some#', { default: {} }) } } }, ({ body }) => ({
      body,
    }))
  const beside = await app.inject('POST /beside', { body: {} })
  const union = await app.inject('POST /union', { body: { kind: 'page' } })
  assert.ok(union.ok && beside.ok)
  assert.deepEqual(union.json().body, { kind: 'page', n: 1 })
  assert.deepEqual(beside.json().body, { f: { n: 1 } })
})

test('what else is wrong with a schema is said as before, and where ajv is not strict a default is passed over', async () => {
  const misspelt = await refusal({ f: { anyOf: [{ tpye: 'string' }, one] } })
  assert.match(misspelt.message, /unknown keyword: "tpye"/)
  const lax = untyped({ ajv: { customOptions: { strictSchema: false } } })
  lax.post('/', { schema: { body: t.Union([Page, All]) } }, ({ body }) => ({ body }))
  const payload = { kind: 'all' }
  const response = await lax.inject({ method: 'POST', url: '/', payload })
  assert.deepEqual(response.json(), { body: payload })
})

test('for Fastify the boot error says the same', async () => {
  const { message } = await refusal(t.Union([Page, All]), untypedFastify)
  assert.match(message, /the default at \/anyOf\/0\/properties\/n is inside of a union/)
})
