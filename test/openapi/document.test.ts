// Documents, as `documentOf` gives them. `tools.mjs` shows them to validators and to generators of clients.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import basicAuth from '@fastify/basic-auth'
import bearerAuth from '@fastify/bearer-auth'
import jwt from '@fastify/jwt'
import multipart, { ajvFilePlugin } from '@fastify/multipart'
import { t } from '../../src/index.ts'
import { documentOf, type OpenApiDocument, secured } from '../../src/openapi/index.ts'
import { untyped, type UntypedServer } from '../support/untyped.ts'

const info = { title: 'Album', version: '1.0.0' }
const loose = { ajv: { customOptions: { strict: false } } }

/** The document of what a function adds to a server. */
async function tell(add: (app: UntypedServer) => void, options: object = {}): Promise<any> {
  const app = untyped(loose)
  add(app)
  const document: OpenApiDocument = await documentOf(app, { info, ...options })
  await app.close()
  return document
}

/** A body schema as the document has it. */
async function tellBody(body: unknown): Promise<any> {
  const { paths, components } = await tell((app) => app.post('/', { schema: { body } }, () => ({})))
  return { schema: paths['/'].post.requestBody.content['application/json'].schema, components }
}

const pet = (kind: object, id?: string) => ({
  ...(id !== undefined && { $id: id }),
  type: 'object',
  required: ['kind'],
  properties: { kind },
})

test('a discriminator leads to components by the values of its property', async () => {
  const discriminator = { propertyName: 'kind' }
  const oneOf = [pet({ const: 'cat' }, 'Cat'), pet({ enum: ['dog', 'wolf'] }, 'Dog')]
  const { schema } = await tellBody({ type: 'object', discriminator, oneOf })
  const [cat, dog] = ['#/components/schemas/Cat', '#/components/schemas/Dog']
  assert.deepEqual(schema.discriminator, {
    propertyName: 'kind',
    mapping: { cat, dog, wolf: dog },
  })
  const named = await tellBody(
    t.Union([
      t.Object({ a: t.Literal('x') }, { $id: 'X' }),
      t.Object({ a: t.Literal('y') }, { $id: 'Y' }),
    ]),
  )
  assert.equal(named.schema.discriminator.propertyName, 'a')
})

test('alternatives without names have no discriminator', async () => {
  const discriminator = { propertyName: 'kind' }
  const oneOf = [pet({ const: 'cat' }), pet({ const: 'dog' })]
  const { schema } = await tellBody({ type: 'object', discriminator, oneOf })
  assert.deepEqual(schema, { type: 'object', oneOf })
  const alike = [pet({ const: 'cat' }, 'A'), pet({ const: 'cat' }, 'B')]
  assert.equal('discriminator' in (await tellBody({ anyOf: alike })).schema, false)
})

test('callbacks are told as they are written', async () => {
  const oneOf = [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }]
  const schema = { oneOf, discriminator: { propertyName: 'kind' } }
  const post = { requestBody: { content: { 'application/json': { schema } } }, responses: {} }
  const callbacks = { done: { '{$request.body#/url}': { post } } }
  const { paths } = await tell((app) => app.get('/', { schema: { callbacks } }, () => ({})))
  assert.deepEqual(paths['/'].get.callbacks, callbacks)
})

