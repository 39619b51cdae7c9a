// Specification 2.3: what is wrong with a route is said when it is declared, or at boot.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untyped } from '../support/untyped.ts'

const ok = () => ({})

const refused: readonly (readonly [string, object, code: string, message: string])[] = [
  [
    'a path that does not begin with a slash',
    { method: 'GET', url: 'a', handler: ok },
    'ESP_ERR_INVALID_URL',
    "The path of a route in root must be a string that begins with '/' or '*', but is 'a'",
  ],
  [
    'no path',
    { method: 'GET', handler: ok },
    'ESP_ERR_INVALID_URL',
    "The path of a route in root must be a string that begins with '/' or '*', but is undefined",
  ],
  [
    'no method',
    { url: '/a', handler: ok },
    'ESP_ERR_ROUTE_METHOD_NOT_SUPPORTED',
    "Route '/a' in root has a method that is not supported: undefined",
  ],
  [
    'a method that is not supported',
    { method: ['GET', 'CONNECT'], url: '/a', handler: ok },
    'ESP_ERR_ROUTE_METHOD_NOT_SUPPORTED',
    "Route '/a' in root has a method that is not supported: 'CONNECT'",
  ],
  [
    'an empty list of methods',
    { method: [], url: '/a', handler: ok },
    'ESP_ERR_ROUTE_METHOD_NOT_SUPPORTED',
    "Route '/a' in root has a method that is not supported: none",
  ],
  [
    'no handler',
    { method: 'GET', url: '/a' },
    'ESP_ERR_ROUTE_MISSING_HANDLER',
    "Route 'GET /a' in root has no handler function",
  ],
  [
    'a schema that is no object',
    { method: 'GET', url: '/a', schema: 'user#', handler: ok },
    'ESP_ERR_SCH_NOT_OBJECT',
    "The schema of GET /a in root must be a schema object, but is 'user#'",
  ],
  [
    'an attachValidation that is no boolean',
    { method: 'GET', url: '/a', attachValidation: 1, handler: ok },
    'ESP_ERR_ROUTE_OPTION',
    "The option 'attachValidation' of route 'GET /a' in root must be a boolean, but is 1",
  ],
  [
    'a validatorCompiler that is no function',
    { method: 'GET', url: '/a', validatorCompiler: {}, handler: ok },
    'ESP_ERR_ROUTE_OPTION',
    "The option 'validatorCompiler' of route 'GET /a' in root must be a function, but is an object",
  ],
  [
    'a serializerCompiler that is no function',
    { method: 'GET', url: '/a', serializerCompiler: null, handler: ok },
    'ESP_ERR_ROUTE_OPTION',
    "The option 'serializerCompiler' of route 'GET /a' in root must be a function, but is null",
  ],
  [
    'a bodyLimit that is no size',
    { method: 'POST', url: '/a', bodyLimit: 0, handler: ok },
    'ESP_ERR_ROUTE_OPTION',
    "The option 'bodyLimit' of route 'POST /a' in root must be a positive integer of bytes, but is 0",
  ],
]
for (const [what, route, code, message] of refused) {
  test(`a route with ${what} is refused where it is declared`, () => {
    assert.throws(() => untyped().route(route), { code, message })
  })
}

test('a route that is declared twice is refused', () => {
  assert.throws(() => untyped().get('/a', ok).get('/a', ok), {
    code: 'ESP_ERR_DUPLICATED_ROUTE',
    message: "Route 'GET /a' is declared twice: first in root, again in root",
  })
})

for (const part of ['params', 'querystring', 'headers', 'body']) {
  test(`a schema of ${part} that is no object is a boot error that names part, route and plugin`, async () => {
    for (const [given, name] of [
      ['user#', "'user#'"],
      [null, 'null'],
      [[], 'an array'],
    ] as const) {
      const app = untyped().register(async function users(child) {
        child.post('/a', { schema: { [part]: given } }, ok)
      })
      await assert.rejects(() => Promise.resolve(app.ready()), {
        code: 'ESP_ERR_SCH_NOT_OBJECT',
        message: `the ${part} of POST /a in root > users must be a schema object, but is ${name}`,
      })
    }
  })
}

test('a response schema that is no object is a boot error that names route and plugin', async () => {
  const app = untyped().get('/a', { schema: { response: 'user#' } }, ok)
  await assert.rejects(() => Promise.resolve(app.ready()), {
    code: 'ESP_ERR_SCH_NOT_OBJECT',
    message: "The response schema of GET /a in root must be a schema object, but is 'user#'",
  })
})

test('a response entry that is no object is a boot error that names status, route and plugin', async () => {
  const app = untyped().get('/a', { schema: { response: { 404: 'user#' } } }, ok)
  await assert.rejects(() => Promise.resolve(app.ready()), {
    code: 'ESP_ERR_SCH_NOT_OBJECT',
    message: "The response 404 of GET /a in root must be a schema object, but is 'user#'",
  })
})

test('a key of a response schema that is no status is a boot error', async () => {
  for (const key of ['20x', '2x', '600', '099', 'ok', '200 ', 'xxx']) {
    const app = untyped().get('/a', { schema: { response: { [key]: { type: 'null' } } } }, ok)
    await assert.rejects(() => Promise.resolve(app.ready()), {
      code: 'ESP_ERR_SCH_RESPONSE_KEY',
      message: `'${key}' in the response schema of GET /a in root is no status. Use a code (200), a class ('2xx') or 'default'`,
    })
  }
})

test('a schema of a media type that is no object is a boot error that names route and plugin', async () => {
  const content = { 'application/json': { schema: 'user#' } }
  const app = untyped().get('/a', { schema: { response: { 200: { content } } } }, ok)
  await assert.rejects(() => Promise.resolve(app.ready()), {
    code: 'ESP_ERR_SCH_NOT_OBJECT',
    message:
      "The response 200 of GET /a in root, application/json must be a schema object, but is 'user#'",
  })
})

test('a schema that ajv refuses is a boot error that names part, route, plugin and place', async () => {
  const app = untyped().register(async function users(child) {
    const value = { anyOf: [{ type: 'integr' }, { type: 'null' }] }
    child.post('/a', { schema: { body: { value } } }, ok)
  })
  await assert.rejects(() => Promise.resolve(app.ready()), {
    code: 'ESP_ERR_SCH_VALIDATION_BUILD',
    message:
      /^The validator for the body of POST \/a in root > users cannot be built: schema is invalid: data\/properties\/value\/anyOf\/0\/type /,
  })
})

test('a keyword that ajv does not know is a boot error that names part, route, plugin and keyword', async () => {
  const app = untyped().get('/a', { schema: { querystring: { n: { typ: 'integer' } } } }, ok)
  await assert.rejects(() => Promise.resolve(app.ready()), {
    code: 'ESP_ERR_SCH_VALIDATION_BUILD',
    message: `The validator for the querystring of GET /a in root cannot be built: strict mode: unknown keyword: "typ". Did you mean 'type'?`,
  })
})

test('a schema that the serializer refuses is a boot error that names status, route and plugin', async () => {
  const app = untyped().register(async function users(child) {
    child.get('/a', { schema: { response: { 200: { n: { type: 'strin' } } } } }, ok)
  })
  await assert.rejects(() => Promise.resolve(app.ready()), {
    code: 'ESP_ERR_SCH_SERIALIZATION_BUILD',
    message: /^The serializer for response 200 of GET \/a in root > users cannot be built: ./,
  })
})

test('a map of media types is for bodies and responses: on another part it is a boot error', async () => {
  const content = { 'application/json': { schema: { n: { type: 'integer' } } } }
  const app = untyped().post('/a', { schema: { headers: { content } } }, ok)
  await assert.rejects(() => Promise.resolve(app.ready()), {
    code: 'ESP_ERR_SCH_VALIDATION_BUILD',
    message: /^The validator for the headers of POST \/a in root cannot be built: ./,
  })
})
