// Specification 1.4, 2.3, 2.4, 7.5, 7.7, 9.2, 9.3: the default validator is ajv 8, and JSON Schema is
// that of draft 7.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import ajvErrors from 'ajv-errors'
import fastUri from 'fast-uri'
import { deepFreeze, untyped } from '../support/untyped.ts'

const integer = { type: 'integer' }
const baseline = {
  coerceTypes: 'array',
  useDefaults: true,
  removeAdditional: true,
  addUsedSchema: false,
  allErrors: false,
}

/** The validator that a server with these options has made by the end of its boot. */
async function validatorOf(customOptions: object): Promise<Ajv> {
  const seen: Ajv[] = []
  const plugins = [(ajv: Ajv) => void seen.push(ajv)]
  const app = untyped({ ajv: { customOptions, plugins } })
  app.post('/', { schema: { body: { n: integer }, query: { n: integer } } }, () => ({}))
  await app.ready()
  await app.close()
  assert.equal(seen.length, 1)
  return seen[0]!
}

const optionsOf = ({ opts }: Ajv, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, opts[name as 'allErrors']]))

test('the validator that plugins are given is an ajv of major version 8', async () => {
  assert.ok((await validatorOf({})) instanceof Ajv)
  const manifest = createRequire(import.meta.url)('ajv/package.json') as { version: string }
  assert.match(manifest.version, /^8\./)
})

test('its options are those of the baseline, where nothing else was asked for', async () => {
  const ajv = await validatorOf({})
  assert.deepEqual(optionsOf(ajv, Object.keys(baseline)), baseline)
  assert.equal(ajv.opts.uriResolver, fastUri)
})

for (const [name, value] of Object.entries({
  coerceTypes: false,
  useDefaults: 'empty',
  removeAdditional: 'all',
  addUsedSchema: true,
  allErrors: true,
  verbose: true,
})) {
  test(`customOptions change ${name} alone`, async () => {
    const ajv = await validatorOf({ [name]: value })
    const expected = { ...baseline, [name]: value }
    assert.deepEqual(optionsOf(ajv, Object.keys(expected)), expected)
  })
}

test('the resolver of URIs is fixed: customOptions do not change it', async () => {
  const uriResolver = { parse: fastUri.parse, resolve: () => 'x', serialize: () => 'x' }
  assert.equal((await validatorOf({ uriResolver })).opts.uriResolver, fastUri)
})

test('ajv-errors without allErrors is a boot error that says what it needs', async () => {
  const app = untyped({ ajv: { plugins: [ajvErrors] } })
  app.post('/', { schema: { body: { n: integer } } }, () => ({}))
  await assert.rejects(async () => app.ready(), {
    code: 'ESP_ERR_SCH_VALIDATION_BUILD',
    message: /allErrors must be true/,
  })
})

const text = { type: 'string' }
const keywords: Readonly<Record<string, readonly [object, good: unknown, bad: unknown]>> = {
  type: [integer, 1, 'x'],
  'type, a list with null': [{ type: ['integer', 'null'] }, null, 'x'],
  nullable: [{ type: 'integer', nullable: true }, null, 'x'],
  enum: [{ enum: ['a', 7, null] }, 7, 'b'],
  const: [{ const: { a: [1] } }, { a: [1] }, { a: [2] }],
  minimum: [{ type: 'number', minimum: 2 }, 2, 1],
  maximum: [{ type: 'number', maximum: 2 }, 2, 3],
  exclusiveMinimum: [{ type: 'number', exclusiveMinimum: 2 }, 2.5, 2],
  exclusiveMaximum: [{ type: 'number', exclusiveMaximum: 2 }, 1.5, 2],
  multipleOf: [{ type: 'number', multipleOf: 3 }, 9, 8],
  minLength: [{ ...text, minLength: 2 }, 'ab', 'a'],
  maxLength: [{ ...text, maxLength: 2 }, 'ab', 'abc'],
  pattern: [{ ...text, pattern: '^a' }, 'ab', 'ba'],
  format: [{ ...text, format: 'email' }, 'ada@example.org', 'ada'],
  items: [{ type: 'array', items: integer }, [1, 2], [1, 'x']],
  'items, a list, and additionalItems': [
    { type: 'array', items: [integer, text], minItems: 2, additionalItems: false },
    [1, 'x'],
    [1, 'x', 2],
  ],
  minItems: [{ type: 'array', minItems: 2 }, [1, 2], [1]],
  maxItems: [{ type: 'array', maxItems: 2 }, [1, 2], [1, 2, 3]],
  uniqueItems: [{ type: 'array', uniqueItems: true }, [1, 2], [1, 1]],
  contains: [{ type: 'array', contains: { const: 1 } }, [2, 1], [2]],
  required: [{ type: 'object', required: ['a'] }, { a: 1 }, { b: 1 }],
  properties: [{ type: 'object', properties: { a: integer } }, { a: 1 }, { a: 'x' }],
  patternProperties: [
    { type: 'object', patternProperties: { '^a': integer } },
    { ab: 1 },
    { ab: 'x' },
  ],
  'additionalProperties, a schema': [
    { type: 'object', additionalProperties: integer },
    { any: 1 },
    { any: 'x' },
  ],
  propertyNames: [{ type: 'object', propertyNames: { maxLength: 1 } }, { a: 1 }, { ab: 1 }],
  minProperties: [{ type: 'object', minProperties: 1 }, { a: 1 }, {}],
  maxProperties: [{ type: 'object', maxProperties: 1 }, { a: 1 }, { a: 1, b: 2 }],
  dependencies: [{ type: 'object', dependencies: { a: ['b'] } }, { a: 1, b: 2 }, { a: 1 }],
  anyOf: [{ anyOf: [{ type: 'null' }, integer] }, 7, 'x'],
  oneOf: [{ oneOf: [{ type: 'number' }, { type: 'null' }] }, 1, 'x'],
  'oneOf, where two hold': [{ oneOf: [{ minimum: 1 }, { minimum: 5 }], type: 'number' }, 2, 6],
  allOf: [
    {
      allOf: [
        { type: 'number', minimum: 1 },
        { type: 'number', maximum: 3 },
      ],
    },
    2,
    4,
  ],
  not: [{ not: { const: 1 } }, 2, 1],
  'if, then, else': [
    { if: { type: 'number' }, then: { type: 'number', minimum: 5 }, else: { const: 'no' } },
    'no',
    4,
  ],
}
for (const [keyword, [schema, good, bad]] of Object.entries(keywords)) {
  test(`the keyword ${keyword} holds`, async () => {
    const body = { type: 'object', required: ['value'], properties: { value: schema } }
    const app = untyped().post('/', { schema: deepFreeze({ body }) }, (request) => request.body)
    const post = (value: unknown) => app.inject({ method: 'POST', url: '/', payload: { value } })
    const accepted = await post(good)
    assert.deepEqual([accepted.statusCode, accepted.json()], [200, { value: good }])
    const { statusCode, message } = (await post(bad)).json<Record<string, unknown>>()
    assert.equal(statusCode, 400)
    assert.match(String(message), /^body\/value/)
    await app.close()
  })
}

test('a schema may say that it is one of draft 7, for the validator and the serializer', async () => {
  const properties = { n: integer }
  for (const $schema of [
    'http://json-schema.org/draft-07/schema#',
    'http://json-schema.org/draft-07/schema',
  ]) {
    const schema = deepFreeze({ $schema, type: 'object', properties })
    const app = untyped()
      .addSchema(deepFreeze({ $id: 'shared', ...schema }))
      .post('/', { schema: { body: schema, response: { 200: schema } } }, ({ body }) => body)
      .post('/shared', { schema: { body: { $ref: 'shared#' } } }, ({ body }) => body)
    const post = (url: string, n: string) =>
      app.inject({ method: 'POST', url, payload: { n, x: 1 } })
    assert.equal((await post('/', '7')).body, '{"n":7}')
    assert.equal((await post('/', 'x')).statusCode, 400)
    assert.equal((await post('/shared', '7')).body, '{"n":7,"x":1}')
    await app.close()
  }
})

for (const [keyword, schema] of Object.entries({
  prefixItems: { type: 'array', prefixItems: [integer] },
  unevaluatedProperties: { type: 'object', unevaluatedProperties: false },
  dependentRequired: { type: 'object', dependentRequired: { a: ['b'] } },
})) {
  test(`${keyword}, a keyword of later drafts, is a boot error and not ignored`, async () => {
    const app = untyped().post('/', { schema: { body: schema } }, () => ({}))
    await assert.rejects(async () => app.ready(), {
      code: 'ESP_ERR_SCH_VALIDATION_BUILD',
      message: new RegExp(`unknown keyword: "${keyword}"`),
    })
  })
}
