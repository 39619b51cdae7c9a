// Parameters that a schema requires and the path of its route does not have, which is known at boot.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import * as z from 'zod'
import espalier, { fastify, plugin, t } from '../../src/index.ts'
import { untyped, type UntypedServer } from '../support/untyped.ts'

const integer = { type: 'integer' }
const plain = { type: 'object', properties: { id: integer }, required: ['id'] }

function serve(path: string, params: unknown, options: object = {}): UntypedServer {
  return untyped().get(path, { schema: { params }, ...options }, () => 'ok')
}

test('a plugin whose route requires a parameter that no prefix has is a boot error: each request was refused', async () => {
  const orders = plugin()(async function orders(app) {
    return app.get(
      '/orders/:id',
      { schema: { params: { id: t.Integer(), usrId: t.Integer() } } },
      ({ params }) => params.usrId.toFixed(),
    )
  })
  await assert.rejects(
    async () => {
      await espalier().register(orders, { prefix: '/users/:userId' }).ready()
    },
    {
      code: 'ESP_ERR_ROUTE_PARAM',
      message:
        "The params of GET /users/:userId/orders/:id in root > orders require 'usrId', which is no parameter of that path. " +
        'It has: userId, id. Rename one of the two, or make it optional in the schema',
    },
  )
  const app = espalier().register(orders, { prefix: '/users/:usrId' })
  assert.equal((await app.inject('/users/7/orders/1')).body, '7')
})

const lacking: readonly (readonly [what: string, params: unknown])[] = [
  ['in short form', { id: t.Integer() }],
  ['of t', t.Object({ id: t.Integer() })],
  ['of TypeBox 1', Type.Object({ id: Type.Integer() })],
  ['of plain JSON Schema', plain],
  ['that requires what it does not describe', { type: 'object', required: ['id'] }],
  ['that refers to a shared schema', { $ref: 'named#' }],
  ['with allOf', { type: 'object', allOf: [{ $ref: 'named#' }] }],
]
for (const [what, params] of lacking) {
  test(`a schema ${what} is asked what it requires`, async () => {
    const app = serve('/plain', params).addSchema({ ...plain, $id: 'named' })
    await assert.rejects(async () => app.ready(), {
      code: 'ESP_ERR_ROUTE_PARAM',
      message: /^The params of GET \/plain in root require 'id', .* It has: none\. /,
    })
    await serve('/:id', params)
      .addSchema({ ...plain, $id: 'named' })
      .ready()
  })
}

const paths = [
  '/:id?',
  '/:id(^\\d+$)',
  '/:other(^(a|b(c))$)/:id',
  '/:other(^\\(\\d+$)/:id',
  '/:from-:id',
  '/:name.:id',
  '/at/:hour(^\\d{2})h:id(^\\d{2})m',
]
for (const path of paths) {
  test(`${path} has the parameter id, and boots where it is required`, async () => {
    await serve(path, plain).ready()
    const other = { ...plain, required: ['id', 'i'] }
    await assert.rejects(async () => serve(path, other).ready(), { code: 'ESP_ERR_ROUTE_PARAM' })
  })
}

test('a wildcard is a parameter, two colons are none', async () => {
  const rest = { type: 'object', required: ['*'] }
  await serve('/files/*', rest).ready()
  await assert.rejects(async () => serve('/files', rest).ready(), { code: 'ESP_ERR_ROUTE_PARAM' })
  await assert.rejects(async () => serve('/::id', plain).ready(), {
    message: /'id', which is no parameter of that path\. It has: none\./,
  })
})

test('both routes of / below a prefix have the parameters of that', async () => {
  const app = untyped()
  app.register(async (child) => void child.get('/', { schema: { params: plain } }, () => 'ok'), {
    prefix: '/:id',
  })
  assert.equal((await app.inject('/1')).body + (await app.inject('/1/')).body, 'okok')
})

test('what is filled in, or may be, is not missed', async () => {
  const filled = { ...plain, properties: { id: { type: 'integer', default: 1 } } }
  assert.equal((await serve('/', filled).inject('/')).body, 'ok')
  assert.equal((await serve('/', { ...plain, allOf: [filled] }).inject('/')).body, 'ok')
  const preValidation = async (request: any) => void (request.params.id = 1)
  assert.equal((await serve('/', plain, { preValidation }).inject('/')).body, 'ok')
  const hooked = untyped().addHook('preValidation', preValidation)
  hooked.get('/', { schema: { params: plain } }, () => 'ok')
  assert.equal((await hooked.inject('/')).body, 'ok')
  const fill = { keyword: 'fill', modifying: true }
  const validate = (_: unknown, data: any) => (data.id = 1) === 1
  const extended = untyped({
    ajv: { onCreate: (ajv: any) => ajv.addKeyword({ ...fill, validate }) },
  })
  extended.get('/', { schema: { params: { fill: 1, allOf: [plain] } } }, () => 'ok')
  await extended.ready()
})

test('what other validators require is theirs to say', async () => {
  await serve('/', z.object({ id: z.string() })).ready()
  const validatorCompiler = () => () => true
  await serve('/', plain, { validatorCompiler }).ready()
  const app = untyped()
  app.register(async (child: any) => {
    child.setValidatorCompiler(validatorCompiler)
    child.get('/', { schema: { params: plain } }, () => 'ok')
  })
  assert.equal((await app.inject('/')).body, 'ok')
})

test('installed as fastify requests are refused, as by Fastify', async () => {
  const app: any = fastify()
  app.get('/', { schema: { params: plain } }, () => 'ok')
  assert.equal((await app.inject('/')).json().message, "params must have required property 'id'")
})
