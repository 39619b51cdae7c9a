// Documents of OpenAPI 3.0: each is that of 3.1 in other words. Its schemas may take more, but never less.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv, type AnySchema } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { documentOf, type OpenApiVersion, secured } from '../../src/openapi/index.ts'
import { untyped } from '../support/untyped.ts'
import type { Call } from './calling.ts'
import { everyForm, options as allOptions } from './every-form.ts'

const quiet = { strict: false, logger: false } as const
const info = { title: 'Album', version: '1.0.0' }

/** A schema of a library, which tells its JSON Schema of draft 2020-12. */
const library = (schema: unknown) => ({
  '~standard': {
    version: 1,
    vendor: 'own',
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => schema, output: () => schema },
  },
})

/** Schemas of draft 2020-12 as a document has them. */
async function tellAll(schemas: readonly unknown[], version: OpenApiVersion): Promise<any[]> {
  const app = untyped()
  for (const [index, schema] of schemas.entries()) {
    // A key around the schema, since a part is never a schema of true or false alone.
    const body = library({ type: 'object', properties: { it: schema } })
    app.post(`/${index}`, { schema: { body } }, () => ({}))
  }
  const { paths }: any = await documentOf(app, { info, version })
  return schemas.map((_, index) => {
    const { content } = paths[`/${index}`].post.requestBody
    return content['application/json'].schema.properties.it
  })
}

const text = { type: 'string' }
const count = { type: 'integer' }
const wide = { type: 'array', prefixItems: [text, count], items: false }
const rewritten: readonly (readonly [unknown, unknown])[] = [
  [true, {}],
  [false, { not: {} }],
  [{ type: ['string', 'null'] }, { type: 'string', nullable: true }],
  [
    { type: ['string', 'null'], enum: ['a'] },
    { type: 'string', enum: ['a'] },
  ],
  [{ type: 'null' }, { type: 'string', nullable: true, enum: [null] }],
  [{ const: null }, { type: 'string', nullable: true, enum: [null] }],
  [
    { type: ['string', 'integer'], minLength: 2, title: 'T' },
    { title: 'T', anyOf: [{ ...text, minLength: 2 }, count] },
  ],
  [
    { type: ['string', 'array'], anyOf: [{}, {}] },
    { anyOf: [{}, {}], allOf: [{ anyOf: [text, { type: 'array', items: {} }] }] },
  ],
  [
    { anyOf: [text, { type: 'null' }], title: 'T' },
    { title: 'T', type: 'string', nullable: true },
  ],
  [{ anyOf: [text, count, { type: 'null' }] }, { anyOf: [{ ...text, nullable: true }, count] }],
  [{ const: 1 }, { enum: [1] }],
  [{ enum: [] }, { not: {} }],
  [
    { exclusiveMinimum: 1, maximum: 5 },
    { minimum: 1, exclusiveMinimum: true, maximum: 5 },
  ],
  [{ minimum: 3, exclusiveMinimum: 1 }, { minimum: 3 }],
  [
    { maximum: 3, exclusiveMaximum: 3 },
    { maximum: 3, exclusiveMaximum: true },
  ],
  [{ type: 'array' }, { type: 'array', items: {} }],
  [wide, { type: 'array', items: { anyOf: [text, count] }, maxItems: 2 }],
  [
    { prefixItems: [text, text], items: text, minItems: 2 },
    { items: text, minItems: 2 },
  ],
  [{ prefixItems: [text] }, { items: {} }],
  [{ items: false }, { items: {}, maxItems: 0 }],
  [{ type: 'object', required: [] }, { type: 'object' }],
  [
    { patternProperties: { '^a': text }, additionalProperties: false },
    { 'x-patternProperties': { '^a': text }, additionalProperties: text },
  ],
  [{ patternProperties: { '^a': text } }, { 'x-patternProperties': { '^a': text } }],
  [
    { oneOf: [wide, text] },
    { anyOf: [{ type: 'array', items: { anyOf: [text, count] }, maxItems: 2 }, text] },
  ],
  [{ oneOf: [text, count] }, { oneOf: [text, count] }],
  [{ not: text }, { not: text }],
  [{ not: { contains: text } }, { 'x-not': { contains: text } }],
  [
    { if: text, then: { minLength: 1 } },
    { 'x-if': text, 'x-then': { minLength: 1 } },
  ],
  [{ dependentRequired: { a: ['b'] } }, { 'x-dependentRequired': { a: ['b'] } }],
  [{ examples: ['a', 'b'] }, { example: 'a' }],
  [
    { type: 'string', contentEncoding: 'base64' },
    { type: 'string', format: 'byte', 'x-contentEncoding': 'base64' },
  ],
  [
    { type: 'string', contentMediaType: 'application/octet-stream' },
    { type: 'string', format: 'binary' },
  ],
  [
    { type: 'string', contentMediaType: 'image/png' },
    { type: 'string', 'x-contentMediaType': 'image/png' },
  ],
  [
    { 'x-own': 1, unknown: 2 },
    { 'x-own': 1, 'x-unknown': 2 },
  ],
]

test('schemas are rewritten for OpenAPI 3.0', async () => {
  const told = await tellAll(
    rewritten.map(([schema]) => schema),
    '3.0',
  )
  for (const [index, [schema, expected]] of rewritten.entries()) {
    assert.deepEqual(told[index], expected, JSON.stringify(schema))
  }
})

test('beside a reference nothing stands', async () => {
  const app = untyped()
  app.addSchema({ $id: 'Place', type: 'object', properties: { near: { $ref: 'Place#' } } })
  const properties = { a: { $ref: 'Place#', description: 'Where' }, b: { $ref: 'Place#' } }
  app.post('/', { schema: { body: { type: 'object', properties } } }, () => ({}))
  const { paths, components }: any = await documentOf(app, { info, version: '3.0' })
  const { schema } = paths['/'].post.requestBody.content['application/json']
  const $ref = '#/components/schemas/Place'
  assert.deepEqual(schema.properties, {
    a: { description: 'Where', allOf: [{ $ref }] },
    b: { $ref },
  })
  assert.deepEqual(components.schemas.Place, { type: 'object', properties: { near: { $ref } } })
})

test('a document of 3.0 says nothing that this version does not know', async () => {
  const app = untyped()
  const nullable = { type: ['string', 'null'] }
  const media = { 'application/json': { schema: nullable } }
  const happened = { post: { requestBody: { content: media }, responses: {} } }
  const onRequest = secured(
    async () => {},
    { key: { type: 'apiKey', in: 'header', name: 'x-key' } },
    ['admin'],
  )
  const certificate = secured(async () => {}, { card: { type: 'mutualTLS' } })
  const schema = {
    callbacks: { done: { '{$request.body#/url}': happened } },
    response: { 200: { headers: { 'x-a': nullable } } },
  }
  app.get('/', { schema, onRequest }, () => ({}))
  app.get('/card', { onRequest: certificate }, () => ({}))
  const given = { ...info, summary: 'S', license: { name: 'MIT', identifier: 'MIT' } }
  const document: any = await documentOf(app, {
    info: given,
    version: '3.0',
    webhooks: { happened },
  })
  assert.equal(document.openapi, '3.0.4')
  assert.deepEqual(document.info, {
    ...info,
    'x-summary': 'S',
    license: { name: 'MIT', 'x-identifier': 'MIT' },
  })
  const { get } = document.paths['/']
  assert.deepEqual(get.security, [{ key: [] }])
  const said = { type: 'string', nullable: true }
  assert.deepEqual(get.responses[200].headers['x-a'].schema, said)
  const told = {
    post: { requestBody: { content: { 'application/json': { schema: said } } }, responses: {} },
  }
  assert.deepEqual(get.callbacks, { done: { '{$request.body#/url}': told } })
  assert.deepEqual([document['x-webhooks'], document.webhooks], [{ happened: told }, undefined])
  assert.deepEqual(document.paths['/card'].get.security, [{}])
  assert.deepEqual(Object.keys(document.components.securitySchemes), ['key'])
})

/** A schema of version 3.0 as ajv takes it, which reads `exclusiveMinimum` as later drafts do. */
function forAjv(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(forAjv)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [key, forAjv(each)])
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...made }: Record<string, unknown> =
    Object.fromEntries(entries)
  return {
    ...made,
    ...(minimum !== undefined && { [exclusiveMinimum ? 'exclusiveMinimum' : 'minimum']: minimum }),
    ...(maximum !== undefined && { [exclusiveMaximum ? 'exclusiveMaximum' : 'maximum']: maximum }),
  }
}

/** Random schemas of draft 2020-12. */
const { schema: schemas } = fc.letrec((tie) => {
  const inner = tie('schema')
  const small = fc.constantFrom<unknown>(
    null,
    true,
    0,
    1,
    2,
    'a',
    'ab',
    [],
    [1],
    {},
    { a: 1 },
    { a: 'a', b: null },
  )
  const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', 'array', 'object')
  const few = fc.array(inner, { minLength: 1, maxLength: 3 })
  const number = fc.integer({ min: 0, max: 2 })
  const keywords = fc.record(
    {
      type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
      const: small,
      enum: fc.uniqueArray(small, {
        minLength: 1,
        maxLength: 3,
        selector: (each) => JSON.stringify(each),
      }),
      minimum: number,
      exclusiveMinimum: number,
      maximum: number,
      exclusiveMaximum: number,
      minLength: number,
      maxItems: number,
      prefixItems: few,
      items: inner,
      contains: inner,
      properties: fc.dictionary(fc.constantFrom('a', 'b'), inner),
      patternProperties: fc.dictionary(fc.constantFrom('a', '^b'), inner),
      additionalProperties: inner,
      propertyNames: inner,
      required: fc.uniqueArray(fc.constantFrom('a', 'b')),
      dependentRequired: fc.constant({ a: ['b'] }),
      if: inner,
      then: inner,
      else: inner,
      not: inner,
      anyOf: few,
      oneOf: few,
      allOf: few,
    },
    { requiredKeys: [] },
  )
  // Schemas with many keywords take nothing, and so tell nothing.
  const sparse = keywords.chain((all) =>
    fc
      .subarray(Object.keys(all), { maxLength: 3 })
      .map((kept) => Object.fromEntries(Object.entries(all).filter(([key]) => kept.includes(key)))),
  )
  return { schema: fc.oneof({ maxDepth: 3, withCrossShrink: true }, fc.boolean(), sparse) }
})

const leaves: readonly unknown[] = [null, true, 0, 0.5, 1, 2, 3, '', 'a', 'ab', 'b']
const values: readonly unknown[] = [
  ...leaves,
  ...leaves.flatMap((one) => [[one], { a: one }, { b: one }, { ba: one }, [[one]], [one, one]]),
  ...leaves.flatMap((one) => leaves.flatMap((two) => [[one, two], { a: one, b: two }])),
  [],
  {},
  ['a', 1, null],
]

test('what a document of 3.1 takes, that of 3.0 takes too', async () => {
  const given = fc.sample(schemas, { numRuns: 400, seed: 7 })
  const [newer, older] = await Promise.all([tellAll(given, '3.1'), tellAll(given, '3.0')])
  const [ajv31, ajv30] = [new Ajv2020(quiet), new Ajv(quiet)]
  let [taken, alike] = [0, 0]
  for (const [index, schema] of newer.entries()) {
    const takes31 = ajv31.compile(schema)
    const takes30 = ajv30.compile(forAjv(older[index]) as AnySchema)
    for (const value of values) {
      const [before, after] = [takes31(value), takes30(value)]
      if (before) taken++
      if (before === after) alike++
      const told = [value, schema, older[index]].map((each) => JSON.stringify(each)).join('\n')
      assert.ok(after || !before, `the document of 3.0 refuses ${told}`)
    }
  }
  const all = given.length * values.length
  // Else the schemas would prove nothing.
  assert.ok(taken > all / 5 && taken < all * 0.8, `${taken} of ${all} are taken`)
  assert.ok(alike > all * 0.8, `${alike} of ${all} are judged alike`)
})

test('the calls of all forms fit the documents of 3.0 and 3.1', async (t) => {
  const app = everyForm()
  t.after(() => app.close())
  for (const version of ['3.0', '3.1'] as const) {
    const document: any = await documentOf(app, { ...allOptions, version })
    const ajv = new (version === '3.0' ? Ajv : Ajv2020)(quiet)
    addFormats.default(ajv)
    ajv.addSchema(forAjv({ $id: 'document', components: document.components }) as AnySchema)
    const judge = (schema: unknown, value: unknown, where: string): void => {
      const absolute = JSON.stringify(forAjv(schema)).replaceAll(
        '"#/components',
        '"document#/components',
      )
      const validate = ajv.compile(JSON.parse(absolute) as AnySchema)
      assert.ok(validate(value), `${version} ${where}: ${JSON.stringify(validate.errors)}`)
    }
    for (const [path, item] of Object.entries<any>(document.paths)) {
      for (const [method, operation] of Object.entries<any>(item)) {
        const { body, type = 'application/json', reply, status = 200 }: Call = operation['x-call']
        const where = `${method} ${path}`
        if (body !== undefined)
          judge(operation.requestBody.content[type].schema, body, `${where}, body`)
        const answer = operation.responses[status] ?? operation.responses['2XX']
        const schema = answer.content?.['application/json']?.schema
        if (schema !== undefined && typeof reply === 'object') judge(schema, reply, where)
      }
    }
  }
})
