// Defaults, which are tried at boot, and are in replies what they are in requests.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod'
import { fastify, t } from '../../src/index.ts'
import { deepFreeze, untyped, type UntypedServer } from '../support/untyped.ts'

const requestParts = ['params', 'querystring', 'headers', 'body']
const wrong = { type: 'integer', default: 'x' }
const filled = { type: 'object', properties: { e: { type: 'integer', default: 9 } } }

function serve(schema: object, app = untyped()): UntypedServer {
  return app
    .addSchema(filledAs('filled'))
    .addSchema({ $id: 'further', type: 'object', properties: { to: { $ref: 'filled#' } } })
    .post('/:id', { schema: deepFreeze(schema) }, (request) => ({
      body: request.body,
    }))
}

function filledAs($id: string): object {
  return { ...filled, $id }
}

/** What a request part, and a reply, are without what has a default. */
async function filledIn(properties: object, app = untyped()): Promise<readonly [string, string]> {
  const schema = { type: 'object', properties }
  app.addSchema(filledAs('filled'))
  app.post('/in', { schema: deepFreeze({ body: schema }) }, ({ body }, reply) =>
    reply.serializer(JSON.stringify).send(body),
  )
  app.get('/out', { schema: deepFreeze({ response: { 200: schema } }) }, () => ({}))
  const asked = await app.inject({ method: 'POST', url: '/in', payload: {} })
  return [asked.body, (await app.inject('/out')).body]
}

for (const part of requestParts) {
  test(`a default in ${part} that its schema refuses is a boot error: each request without the field was a 400`, async () => {
    const app = untyped()
    app.register(async function things(child) {
      serve({ [part]: { id: wrong } }, child)
    })
    await assert.rejects(() => app.ready(), {
      code: 'ESP_ERR_SCH_VALIDATION_BUILD',
      message:
        `The validator for the ${part} of POST /:id in root > things cannot be built: the default at ` +
        '/properties/id is refused by its own schema: must be integer. Give one that fits, or none',
    })
  })
}

test('a default in a response that its schema refuses is a boot error: it was sent', async () => {
  await assert.rejects(() => serve({ response: { '2xx': { n: wrong } } }).ready(), {
    code: 'ESP_ERR_SCH_SERIALIZATION_BUILD',
    message:
      /^The serializer for response 2xx of POST .* at \/properties\/n is refused by its own schema/,
  })
})

const refused: Record<string, [schema: object, said: RegExp]> = {
  'of a format': [{ type: 'string', format: 'date', default: 'soon' }, /must match format "date"/],
  'of an enum': [{ enum: ['a', 'b'], default: 'c' }, /must be equal to one of the allowed values/],
  'with a wrong field': [{ ...filled, default: { e: 'x' } }, /: \/e must be integer/],
  'without a required field': [
    { type: 'object', required: ['a'], default: {} },
    /must have required property 'a'/,
  ],
  'of what it refers to': [{ $ref: 'filled#', default: { e: 'x' } }, /: \/e must be integer/],
  'with references inside': [
    { type: 'array', items: { $ref: 'filled#' }, default: {} },
    /\/properties\/v is refused by its own schema: must be array/,
  ],
  'where a reference leads further': [
    { type: 'array', items: { $ref: 'further#/properties/to' }, default: [{ e: 'x' }] },
    /: \/0\/e must be integer/,
  ],
  'inside of an item': [
    { type: 'array', items: { type: 'object', properties: { n: wrong } } },
    /\/properties\/v\/items\/properties\/n/,
  ],
}
for (const [what, [schema, said]] of Object.entries(refused)) {
  test(`a default ${what} that does not fit is refused`, async () => {
    await assert.rejects(() => serve({ body: { v: schema } }).ready(), { message: said })
    await assert.rejects(() => serve({ response: { 200: { v: schema } } }).ready(), {
      message: said,
    })
  })
}

const needy = {
  type: 'object',
  required: ['x'],
  default: {},
  properties: { x: { type: 'string' } },
}
const passed: Record<string, object> = {
  'that nothing fills in, of a list or a map': {
    list: { type: 'array', items: needy },
    map: { type: 'object', additionalProperties: needy },
  },
  'that nothing fills in, of what is referred to': { shared: { $ref: 'needy#' } },
  'that would be filled in without end': {
    shared: { $ref: 'endless#' },
  },
}
for (const [what, properties] of Object.entries(passed)) {
  test(`a default ${what} is not asked whether it fits`, async () => {
    const endless = { v: { $ref: 'endless#', default: {} } }
    const app = untyped()
      .addSchema({ ...needy, $id: 'needy' })
      .addSchema({ $id: 'endless', type: 'object', properties: endless })
    await serve({ body: properties, response: { 200: properties } }, app).ready()
    await app.close()
  })
}

test('a default that a keyword of the user refuses may fit beside other values', async () => {
  const after = {
    keyword: 'after',
    validate: (name: string, value: number, _: object, { parentData }: Record<string, never>) =>
      value > Number(parentData?.[name]),
  }
  const app = untyped({ ajv: { customOptions: { keywords: [after] } } })
  const from = { type: 'integer', default: 1 }
  const to = { type: 'integer', after: 'from', default: 2 }
  assert.equal((await filledIn({ from, to }, app))[0], '{"from":1,"to":2}')
})

test('a wrong default in a shared schema is refused where the schema is used', async () => {
  const app = untyped().addSchema({ $id: 'shared', type: 'object', properties: { n: wrong } })
  app.post('/', { schema: { body: { $ref: 'shared#' } } }, () => ({}))
  await assert.rejects(() => app.ready(), { message: /at \/properties\/n of 'shared#'/ })
})

const taken: Record<string, [schema: object, body: string]> = {
  'that is coerced': [{ type: 'integer', default: '5' }, '{"v":5}'],
  'that is filled in itself': [{ ...filled, default: {} }, '{"v":{"e":9}}'],
  'that is filled in at any depth': [
    { type: 'object', properties: { d: { ...filled, default: {} } }, default: {} },
    '{"v":{"d":{"e":9}}}',
  ],
  'whose items are filled in': [
    { type: 'array', items: filled, default: [{}, { e: 1 }] },
    '{"v":[{"e":9},{"e":1}]}',
  ],
  'that a reference fills in': [{ $ref: 'filled#', default: {} }, '{"v":{"e":9}}'],
  'whose items are referred to': [
    { type: 'array', items: { $ref: 'filled#' }, default: [{}, { e: '1' }] },
    '{"v":[{"e":9},{"e":1}]}',
  ],
  'that looks like a reference': [
    { type: 'object', additionalProperties: true, default: { $ref: 'none#' } },
    '{"v":{"$ref":"none#"}}',
  ],
  'of t': [t.Object({ e: t.Integer({ default: 9 }) }, { default: {} }), '{"v":{"e":9}}'],
}
for (const [what, [schema, body]] of Object.entries(taken)) {
  test(`a default ${what} is the same in a request and in a reply`, async () => {
    assert.deepEqual(await filledIn({ v: schema }), [body, body])
  })
}

test('a default that fits as it stands is sent as it is, where ajv would make the 0 of another alternative of null', async () => {
  const schema = { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null }
  assert.equal((await filledIn({ v: schema }))[1], '{"v":null}')
})

test('what ajv cannot say of a default alone stops no boot', async () => {
  const around = {
    type: 'integer',
    maximum: { $data: '1/max' },
    const: { $data: '1/max' },
    default: 3,
  }
  await serve({ body: { v: around } }, untyped({ ajv: { customOptions: { $data: true } } })).ready()
  const endless = {
    $id: 'endless',
    type: 'object',
    properties: { next: { $ref: '#', default: {} } },
  }
  await untyped()
    .addSchema(endless)
    .get('/', { schema: { response: { 200: { $ref: 'endless#' } } } }, () => ({}))
    .ready()
  await serve({ response: { 200: { at: { type: 'string', default: new Date(0) } } } }).ready()
})

test('a default of a whole reply is none that is filled in, and one of a Standard Schema is its own', async () => {
  const whole = {
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'integer' } },
    default: {},
  }
  const querystring = z.object({ a: z.string().default('x') })
  await untyped()
    .post('/', { schema: { response: { 200: whole }, querystring } }, () => ({}))
    .ready()
})

test('where useDefaults is false requests are given none, and replies the same', async () => {
  const app = untyped({ ajv: { customOptions: { useDefaults: false } } })
  assert.deepEqual(await filledIn({ v: { ...filled, default: {} } }, app), ['{}', '{"v":{"e":9}}'])
  await serve(
    { body: { v: wrong } },
    untyped({ ajv: { customOptions: { useDefaults: false } } }),
  ).ready()
})

test('a compiler is given defaults as they are, and so is Fastify’s', async () => {
  const body = { type: 'object', properties: { n: wrong } }
  await serve(
    { body },
    untyped().setValidatorCompiler(() => () => true),
  ).ready()
  const d = { ...filled, default: {} }
  const app = fastify()
  app.route({ method: 'POST', url: '/', schema: { body }, handler: async () => '' })
  app.route({
    method: 'GET',
    url: '/',
    schema: { response: { 200: { d } } },
    handler: async () => ({}),
  })
  assert.equal((await app.inject('/')).body, '{"d":{}}')
})
