// Words in the schemas of responses that the default validator does not know.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod'
import { fastify, t } from '../../src/index.ts'
import { untyped, untypedFastify, type UntypedServer } from '../support/untyped.ts'

const integer = { type: 'integer' }

function serve(response: object, app = untyped()): UntypedServer {
  return app.get('/', { schema: { response } }, () => [{ id: 1, passwordHash: 'SECRET' }])
}

async function refusal(app: UntypedServer): Promise<string> {
  const error: unknown = await app.ready().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof Error && 'code' in error, 'the boot is stopped')
  assert.equal(error.code, 'ESP_ERR_SCH_SERIALIZATION_BUILD')
  return error.message
}

test("'itens' in the schema of a list is a boot error that says where: it sent every field of every item", async () => {
  const list = { type: 'array', itens: { type: 'object', properties: { id: integer } } }
  const app = untyped()
  app.register(async function users(child) {
    serve({ 200: list }, child)
  })
  assert.equal(
    await refusal(app),
    'The serializer for response 200 of GET / in root > users cannot be built: ' +
      "unknown keyword 'itens' at the top of the schema. Did you mean 'items'?",
  )
})

const misspelt: Record<string, [schema: object, word: string, place: string, meant: string]> = {
  'an object': [
    { type: 'object', propertis: { a: integer } },
    'propertis',
    'the top of the schema',
    'properties',
  ],
  'a list of t': [
    t.Array(t.String(), { minItmes: 1 }),
    'minItmes',
    'the top of the schema',
    'minItems',
  ],
  'a property': [{ a: { enumm: [1] } }, 'enumm', '/properties/a', 'enum'],
  'an alternative': [
    { anyOf: [integer, { type: 'array', items: { 'a/b': 1, tpye: 'string' } }] },
    'a/b',
    '/anyOf/1/items',
    '',
  ],
  'the schema of a media type': [
    { content: { 'application/json': { schema: t.Object({ a: t.String({ foramt: 'uuid' }) }) } } },
    'foramt',
    '/properties/a',
    'format',
  ],
}
for (const [what, [schema, word, place, meant]] of Object.entries(misspelt)) {
  test(`a misspelt keyword in ${what} is a boot error`, async () => {
    const message = await refusal(serve({ '2xx': schema }))
    const remedy =
      meant === ''
        ? `What is meant is declared by ajv: { customOptions: { keywords: ['${word}'] } }`
        : `Did you mean '${meant}'?`
    assert.match(message, /response 2xx of GET \/ in root/)
    assert.ok(message.endsWith(`unknown keyword '${word}' at ${place}. ${remedy}`), message)
  })
}

test('a misspelt keyword in a shared schema is a boot error that names the reference, where a response has it', async () => {
  const user = {
    $id: 'user',
    type: 'object',
    properties: { tags: { type: 'array', itms: integer } },
  }
  await untyped()
    .addSchema(user)
    .get('/', () => ({}))
    .ready()
  const message = await refusal(
    serve({ 200: { of: { $ref: 'user#' } } }, untyped().addSchema(user)),
  )
  assert.match(message, /unknown keyword 'itms' at \/properties\/tags of 'user#'/)
})

test('a misspelt format of text is a boot error: it promised nothing', async () => {
  const message = await refusal(serve({ 200: { mail: t.String({ format: 'emial' }) } }))
  assert.match(message, /unknown format 'emial' at \/properties\/mail\. Did you mean 'email'\?$/)
  const far = await refusal(serve({ 200: { a: { type: ['string', 'null'], format: 'zip-code' } } }))
  assert.match(far, /declared by ajv: { customOptions: { formats: { 'zip-code': true } } }$/)
})

test('a schema that is compiled by hand is looked at in the same way', async () => {
  const app = untyped().get('/', (_request, reply) =>
    reply.compileSerializationSchema({ type: 'array', itens: integer }),
  )
  app.setErrorHandler((error) => error.message)
  assert.match((await app.inject('/')).body, /unknown keyword 'itens'/)
})

test('what is in the place of data is no keyword, and documents have keywords of their own', async () => {
  const data = { propertis: 1, format: 'emial' }
  const schema = {
    type: 'object',
    title: 'A thing',
    description: 'of some kind',
    example: data,
    examples: [data],
    deprecated: true,
    discriminator: { propertyName: 'kind' },
    externalDocs: { url: 'https://example.org' },
    xml: { name: 'thing' },
    'x-internal': data,
    headers: { 'x-a': { type: 'string' } },
    properties: {
      itens: { type: 'string', contentMediaType: 'text/html', readOnly: true },
      size: { type: 'integer', format: 'of a number', default: 1, nullable: true },
      raw: { type: 'string', format: 'unsafe' },
      one: { enum: [data] },
      two: { const: data, default: data },
    },
    definitions: { unused: { tpye: 'string' } },
  }
  await serve({ 200: schema, 201: z.array(z.any()), 202: t.Recursive((me) => t.Array(me)) }).ready()
})

test('what customOptions and plugins of ajv declare is known', async () => {
  const schema = { 200: { a: { type: 'string', format: 'zip', shout: true, unit: 'm' } } }
  const customOptions = { keywords: ['shout'], formats: { zip: /^\d+$/ } }
  const plugins = [(ajv: { addKeyword(name: string): unknown }) => ajv.addKeyword('unit')]
  await serve(schema, untyped({ ajv: { customOptions, plugins } })).ready()
  assert.match(await refusal(serve(schema, untyped({ ajv: { customOptions } }))), /'unit'/)
})

for (const [what, make] of Object.entries({
  'strict: false': () => untyped({ ajv: { customOptions: { strict: false } } }),
  'strictSchema: false': () => untyped({ ajv: { customOptions: { strictSchema: false } } }),
  'the factory fastify': untypedFastify,
})) {
  test(`with ${what} a word that nobody knows is passed over`, async () => {
    await serve({ 200: { a: { itens: integer, type: 'string', format: 'b' } } }, make()).ready()
  })
}

const anything = () => () => true
const validatorsOfOnesOwn: Record<string, () => UntypedServer> = {
  setValidatorCompiler: () => untyped().setValidatorCompiler(anything),
  buildValidator: () =>
    untyped({ schemaController: { compilersFactory: { buildValidator: () => anything } } }),
}
for (const [what, make] of Object.entries(validatorsOfOnesOwn)) {
  test(`with a validator by ${what}, words that it alone may know did not stop the boot of responses`, async () => {
    const own = { 200: { a: { type: 'string', cipher: 'rot13', format: 'zip' } } }
    const app = make()
    app.register(async (child) => serve(own, child))
    assert.equal((await app.inject('/')).statusCode, 200)
  })
}

test('a validator of one scope or route leaves the responses of others to the built-in one', async () => {
  const own = { 200: { a: { type: 'string', cipher: 'rot13' } } }
  const route = { schema: { response: own }, validatorCompiler: anything }
  const apart = untyped().get('/own', route, () => ({ a: '' }))
  apart.register(async (child) => serve(own, child.setValidatorCompiler(anything)))
  await apart.ready()
  const beside = untyped().get('/own', route, () => ({ a: '' }))
  beside.register(async (child) => child.setValidatorCompiler(anything))
  beside.register(async (child) => serve(own, child))
  assert.match(await refusal(beside), /unknown keyword 'cipher' at \/properties\/a/)
})

test("with strictSchema: 'log' it is told to the logger of ajv", async () => {
  const told: string[] = []
  const keep = (text: string) => void told.push(text)
  const customOptions = { strictSchema: 'log', logger: { log: keep, warn: keep, error: keep } }
  await serve({ 200: { a: { itens: 1 } } }, untyped({ ajv: { customOptions } })).ready()
  assert.deepEqual(told, ["unknown keyword 'itens' at /properties/a. Did you mean 'items'?"])
})

test('with validateFormats: false formats are not looked at', async () => {
  const ajv = { customOptions: { validateFormats: false } }
  await serve({ 200: { a: { type: 'string', format: 'emial' } } }, untyped({ ajv })).ready()
})

test('a serializer compiler is given any schema, and the factory fastify takes any', async () => {
  const response = { 200: { type: 'array', itens: integer } }
  await serve(
    response,
    untyped().setSerializerCompiler(() => JSON.stringify),
  ).ready()
  const app = fastify()
  app.route({ method: 'GET', url: '/', schema: { response }, handler: async () => [] })
  await app.ready()
})

test('a misspelt word of a request is told with the one that is near', async () => {
  for (const [field, near] of [
    [{ type: 'string', maxlength: 1 }, 'maxLength'],
    [{ type: 'string', format: 'datetime' }, 'date-time'],
  ]) {
    const app = untyped()
    const querystring = { type: 'object', properties: { field } }
    app.get('/', { schema: { querystring } }, () => 1)
    await assert.rejects(async () => app.ready(), {
      code: 'ESP_ERR_SCH_VALIDATION_BUILD',
      message: new RegExp(`Did you mean '${String(near)}'\\?$`),
    })
  }
})

test('a misspelt hook or phase is told with the one that is near', () => {
  const app = untyped()
  const hook = () => undefined
  assert.throws(() => app.addHook('onRequset', hook), /\(in root\)\. Did you mean 'onRequest'\?$/)
  assert.throws(() => app.addHook('zzzz', hook), /There are: onRequest, .*onRegister$/)
  assert.throws(() => untyped({ zzzz: 1 }), /There are: .*, and \d+ others: see docs\/options\.md$/)
})
