// Specification 1.7, 2.2, 2.3, 4.3.4: when schemas are compiled, and what compilers see of the shared ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import fastJsonStringify, { type Schema } from 'fast-json-stringify'
import { untyped } from '../support/untyped.ts'

const integer = { type: 'integer' }
const ok = () => ({})

test('schemas are compiled at boot, once for each part and each status, and by no request', async () => {
  const compiled: string[] = []
  const note = (what: string) => void compiled.push(what)
  const app = untyped()
    .setValidatorCompiler(({ httpPart }: { httpPart: string }) => {
      note(httpPart)
      return () => true
    })
    .setSerializerCompiler(({ httpStatus }: { httpStatus: string }) => {
      note(httpStatus)
      return JSON.stringify
    })
  const schema = { body: { n: integer }, query: { n: integer }, response: { 200: { n: integer } } }
  app.post('/', { schema }, ({ body }) => body)
  assert.deepEqual(compiled, [])
  await app.ready()
  const atBoot = [...compiled]
  assert.deepEqual(atBoot.sort(), ['200', 'body', 'querystring'])
  for (const n of [1, 2]) {
    const response = await app.inject({ method: 'POST', url: '/?n=1', payload: { n } })
    assert.equal(response.body, `{"n":${n}}`)
  }
  assert.equal(compiled.length, 3)
  await app.close()
})

test('what becomes of a schema after boot changes nothing: requests run what was compiled', async () => {
  const shared = { $id: 'count', type: 'integer' }
  const body = { type: 'object', properties: { n: { $ref: 'count#' } } }
  const response = { 200: { type: 'object', properties: { n: { $ref: 'count#' } } } }
  const app = untyped()
    .addSchema(shared)
    .post('/', { schema: { body, response } }, (request) => ({ ...request.body, secret: 1 }))
  await app.ready()
  Object.assign(shared, { type: 'boolean' })
  Object.assign(body.properties, { n: { type: 'boolean' } })
  Object.assign(response[200], { additionalProperties: true })
  const post = (n: unknown) => app.inject({ method: 'POST', url: '/', payload: { n } })
  assert.equal((await post('7')).body, '{"n":7}')
  assert.equal((await post('x')).statusCode, 400)
  await app.close()
})

const mine = { $id: 'mine', type: 'object', properties: { n: integer } }
for (const [where, schema] of [
  ['the validator of another route', { body: { $ref: 'mine#' } }],
  ['the serializer of another route', { response: { 200: { $ref: 'mine#' } } }],
] as const) {
  test(`the $id of a schema that was not added is unknown to ${where}`, async () => {
    const app = untyped()
      .post('/a', { schema: { body: mine, response: { 200: mine } } }, ok)
      .post('/b', { schema }, ok)
    await assert.rejects(async () => app.ready(), {
      code: 'ESP_ERR_SCH_MISSING_REF',
      message: /'mine#'.*POST \/b.*Visible there: none/,
    })
  })
}

test('the validator and the serializer of one route share no schema that was not added', async () => {
  const schema = { body: mine, response: { 200: { $ref: 'mine#' } } }
  const app = untyped().post('/', { schema }, ok)
  await assert.rejects(async () => app.ready(), { code: 'ESP_ERR_SCH_MISSING_REF' })
})

test('a custom serializer is given schemas as they were written, and reads getSchemas itself', async () => {
  const seen: unknown[] = []
  const user = { $id: 'user', type: 'object' }
  const entry = { $ref: 'user#' }
  const app = untyped().addSchema(user)
  app.setSerializerCompiler(({ schema }: { schema: unknown }) => {
    seen.push(schema, app.getSchemas()['user'])
    return JSON.stringify
  })
  app.get('/', { schema: { response: { 200: entry } } }, ok)
  app.get('/none', { schema: { response: { 200: { $ref: 'no-such-schema#' } } } }, ok)
  await app.ready()
  assert.equal(seen[0], entry)
  assert.deepEqual(seen[1], user)
  await app.close()
})

type Schemas = Record<string, Schema & object>

/** A route of a shared schema, with an ajv and a fast-json-stringify of its own, and what these are
 *  given of the schemas that getSchemas gives. */
function withOwnComponents(
  forValidator: (schemas: Schemas) => Schemas,
  forSerializer: (schemas: Schemas) => Schemas,
) {
  const app = untyped().addSchema({ $id: 'user', type: 'object', properties: { n: integer } })
  const schemas = app.getSchemas() as Schemas
  const ajv = new Ajv({ coerceTypes: true, schemas: forValidator(schemas) })
  const options = { schema: forSerializer(schemas) }
  const schema = { body: { $ref: 'user#' }, response: { 200: { $ref: 'user#' } } }
  return app
    .setValidatorCompiler((request: { schema: object }) => ajv.compile(request.schema))
    .setSerializerCompiler((request: { schema: Schema }) =>
      fastJsonStringify(request.schema, options),
    )
    .post('/', { schema }, ({ body }) => ({ ...body, secret: 1 }))
}

const all = (schemas: Schemas) => schemas
const none = () => ({})

test('a validator and a serializer of its own follow references to what getSchemas gave them', async () => {
  const app = withOwnComponents(all, all)
  const response = await app.inject({ method: 'POST', url: '/', payload: { n: '7' } })
  assert.equal(response.body, '{"n":7}')
  await app.close()
})

for (const [component, forValidator, forSerializer, code, where] of [
  ['validator', none, all, 'ESP_ERR_SCH_VALIDATION_BUILD', 'the body'],
  ['serializer', all, none, 'ESP_ERR_SCH_SERIALIZATION_BUILD', 'response 200'],
] as const) {
  test(`addSchema adds nothing to a ${component} of its own`, async () => {
    const app = withOwnComponents(forValidator, forSerializer)
    await assert.rejects(async () => app.ready(), {
      code,
      message: new RegExp(`${where} of POST / in root cannot be built: .*user#`),
    })
  })
}

test('a custom validator is given header names in lower case, as requests have them', async () => {
  const ajv = new Ajv({ coerceTypes: true })
  const headers = { type: 'object', required: ['X-Count'], properties: { 'X-Count': integer } }
  const app = untyped()
    .setValidatorCompiler(({ schema }: { schema: object }) => ajv.compile(schema))
    .get('/', { schema: { headers } }, (request) => request.headers['x-count'])
  assert.equal((await app.inject({ url: '/', headers: { 'X-Count': '7' } })).body, '7')
  assert.equal((await app.inject('/')).statusCode, 400)
  await app.close()
})

test('a compiler that throws for a part it has no validator for stops the boot and names the part', async () => {
  const ajv = new Ajv()
  const parts = { body: ajv, params: ajv, querystring: ajv }
  const app = untyped().setValidatorCompiler(
    ({ schema, httpPart }: { schema: object; httpPart?: 'body' }) => {
      if (!httpPart) throw new Error('Missing httpPart')
      const own = parts[httpPart]
      if (!own) throw new Error(`Missing compiler for ${httpPart}`)
      return own.compile(schema)
    },
  )
  app.post('/', { schema: { body: { n: integer }, headers: { n: integer } } }, ok)
  await assert.rejects(async () => app.ready(), {
    code: 'ESP_ERR_SCH_VALIDATION_BUILD',
    message: /the headers of POST \/ in root cannot be built: Missing compiler for headers/,
  })
})
