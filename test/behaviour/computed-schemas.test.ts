// t.Partial of a reference and the like, which nothing computes outside of a t.Module.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { t } from '../../src/index.ts'
import { untyped } from '../support/untyped.ts'

const User = t.Object({ id: t.Integer(), name: t.String() }, { $id: 'user' })
const some = t.Partial(t.Ref('user#'))

/** What the boot says of a route with a schema. */
async function refusal(schema: object, options: object = {}, shared?: object): Promise<string> {
  const app = untyped(options).addSchema(User)
  if (shared !== undefined) app.addSchema(shared)
  app.register(async function users(child) {
    child.post('/', { schema }, () => ({}))
  })
  const error: unknown = await app.ready().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof Error && 'code' in error, 'the boot is stopped')
  assert.match(String(error.code), /^ESP_ERR_SCH_(VALIDATION|SERIALIZATION)_BUILD$/)
  return error.message
}

test('t.Partial of a reference was told to be a keyword to declare, which switched validation off', async () => {
  assert.equal(
    await refusal({ body: some }),
    'The validator for the body of POST / in root > users cannot be built: t.Partial of a reference is not ' +
      'computed at the top of the schema. Give it the schema itself',
  )
  assert.equal(
    await refusal({ response: { 200: { list: t.Array(t.Pick(t.Ref('user#'), ['id'])) } } }),
    'The serializer for response 200 of POST / in root > users cannot be built: t.Pick of a reference is not ' +
      'computed at /properties/list/items. Give it the schema itself',
  )
})

const places: Record<string, [schema: object, place: string]> = {
  'the query': [{ querystring: some }, 'the top of the schema'],
  'a header': [{ headers: { 'X-User': some } }, '/properties/x-user'],
  'a schema of content': [
    { body: { content: { 'application/json': { schema: t.Object({ u: some }) } } } },
    '/properties/u',
  ],
  'an alternative with a transform': [
    {
      body: t.Object({
        u: t.Union([
          t.Null(),
          t
            .Transform(some)
            .Decode(String)
            .Encode(() => 0),
        ]),
      }),
    },
    '/properties/u/anyOf/1',
  ],
  'a shared schema': [{ body: t.Ref('part#') }, "the top of 'part#'"],
}
for (const [what, [schema, place]] of Object.entries(places)) {
  test(`t.Partial of a reference in ${what} is a boot error that says where`, async () => {
    const message = await refusal(schema, {}, { ...some, $id: 'part' })
    assert.ok(message.includes(`t.Partial of a reference is not computed at ${place}.`), message)
  })
}

for (const [what, customOptions] of Object.entries({
  'its words are declared': { keywords: ['target', 'parameters'] },
  'ajv is not strict': { strict: false },
})) {
  test(`where ${what} t.Partial of a reference stops the boot all the same: everything would be valid`, async () => {
    const options = { ajv: { customOptions } }
    assert.match(await refusal({ body: some }, options), /is not computed/)
    assert.match(await refusal({ response: { 200: some } }, options), /is not computed/)
  })
}

test('keywords of these names that are not of TypeBox are the business of ajv', async () => {
  const customOptions = { keywords: ['target', 'parameters'] }
  const body = { type: 'string', target: 'Partial', parameters: [1] }
  const app = untyped({ ajv: { customOptions } }).post('/', { schema: { body } }, () => 'ok')
  await app.ready()
  assert.match(await refusal({ body }), /unknown keyword: "target"/)
})
