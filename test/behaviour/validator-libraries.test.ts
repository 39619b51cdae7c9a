// Specification 4.3.5: validation libraries in ajv's place.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import Joi from 'joi'
import * as yup from 'yup'
import { z } from 'zod'
import { untyped, type UntypedServer } from '../support/untyped.ts'

async function send(app: UntypedServer, payload: unknown): Promise<any> {
  const headers = { 'content-type': 'application/json' }
  const text = JSON.stringify(payload)
  return (await app.inject({ method: 'POST', url: '/', headers, payload: text })).json()
}

const libraries: readonly (readonly [
  string,
  schema: unknown,
  compiler: (request: any) => unknown,
])[] = [
  [
    'joi',
    Joi.object({ age: Joi.number().required() }),
    ({ schema }) =>
      (data: unknown) =>
        schema.validate(data),
  ],
  [
    'yup, synchronously',
    yup.object({ age: yup.number().required() }),
    ({ schema }) =>
      (data: unknown) => {
        try {
          return { value: schema.validateSync(data) }
        } catch (error) {
          return { error }
        }
      },
  ],
  [
    'yup, by promises that reject',
    yup.object({ age: yup.number().required() }),
    ({ schema }) =>
      async (data: unknown) => ({ value: await schema.validate(data) }),
  ],
  [
    'zod',
    z.object({ age: z.coerce.number() }),
    ({ schema }) =>
      (data: unknown) => {
        const { data: value, error } = schema.safeParse(data)
        return error ? { error } : { value }
      },
  ],
]
for (const [name, body, validatorCompiler] of libraries) {
  test(`a schema of ${name} is handed to the compiler as it is, and its values to the handler`, async () => {
    const given: unknown[] = []
    const compile = (request: { schema: unknown }) => {
      given.push(request.schema)
      return validatorCompiler(request)
    }
    const app = untyped()
      .setErrorHandler((error, _request, reply) =>
        reply.send([error.statusCode, error.validation.name, error.message !== '']),
      )
      .post('/', { schema: { body }, validatorCompiler: compile }, (request) => request.body)
    assert.deepEqual(await send(app, { age: '36' }), { age: 36 })
    assert.deepEqual(await send(app, { age: 'x' }), [
      400,
      name === 'zod' ? 'ZodError' : 'ValidationError',
      true,
    ])
    assert.equal(given[0], body)
  })
}

test('a Standard Schema validates its part without any compiler', async () => {
  const schema = { querystring: z.object({ n: z.coerce.number().max(9) }) }
  const app = untyped().get('/', { schema }, ({ query }) => query)
  assert.deepEqual((await app.inject('/?n=7')).json(), { n: 7 })
  const { statusCode, message } = (await app.inject('/?n=10')).json()
  assert.equal(statusCode, 400)
  assert.match(message, /^querystring\/n /)
})

test("an $async validator of one's own ajv may be returned as it is", async () => {
  const ajv = new Ajv({ coerceTypes: true })
  const body = { $async: true, type: 'object', properties: { age: { type: 'integer' } } }
  const app = untyped()
    .setValidatorCompiler(({ schema }: { schema: object }) => ajv.compile(schema))
    .post('/', { schema: { body } }, (request) => request.body)
  assert.deepEqual(await send(app, { age: '36' }), { age: 36 })
  assert.equal((await send(app, { age: 'x' })).statusCode, 400)
  const named = { value: 1, error: 'no error' }
  assert.deepEqual(await send(app, named), named)
})
