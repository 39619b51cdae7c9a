import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import fastJsonStringify from 'fast-json-stringify'
import espalier from '../../src/index.ts'

type Loose = any

const untyped = (options?: Loose): Loose => espalier(options)
const item = { $id: 'item', type: 'object', properties: { n: { type: 'integer' } } }

/** Factories as the ecosystem's compilers are, with a list of what they were asked for. */
function factories() {
  const built: string[] = []
  const buildValidator = (schemas: Loose, options: Loose) => {
    built.push(`validator of ${Object.keys(schemas).join(', ')}`)
    const ajv = new Ajv({ coerceTypes: true, ...options.customOptions })
    for (const schema of Object.values(schemas)) ajv.addSchema(schema as Loose)
    return ({ schema }: Loose) => ajv.compile(schema)
  }
  const buildSerializer = (schemas: Loose) => {
    built.push(`serializer of ${Object.keys(schemas).join(', ')}`)
    return ({ schema }: Loose) => fastJsonStringify(schema, { schema: schemas })
  }
  return { built, compilersFactory: { buildValidator, buildSerializer } }
}

const schema = { body: { $ref: 'item#' }, response: { 200: { $ref: 'item#' } } }

test('factories of compilers are given the shared schemas and the options of ajv, once for all routes', async () => {
  const { built, compilersFactory } = factories()
  const app = untyped({ schemaController: { compilersFactory }, ajv: { customOptions: {} } })
    .addSchema(item)
    .post('/a', { schema }, ({ body }: Loose) => ({ ...body, extra: 1 }))
    .post('/b', { schema }, ({ body }: Loose) => body)
  const payload = { n: '7' }
  assert.equal((await app.inject({ method: 'POST', url: '/a', payload })).body, '{"n":7}')
  const refused = await app.inject({ method: 'POST', url: '/b', payload: { n: 'x' } })
  assert.deepEqual([refused.statusCode, refused.json().message], [400, 'body/n must be integer'])
  assert.deepEqual(built, ['validator of item', 'serializer of item'])
})

test('the nearest of a compiler and a factory is taken', async () => {
  const { built, compilersFactory } = factories()
  const app = untyped().setValidatorCompiler(() => () => true)
  app.post('/root', { schema: { body: { type: 'object' } } }, () => 'taken')
  app.register(async (child: Loose) => {
    child.setSchemaController({ compilersFactory }).addSchema(item)
    child.post('/child', { schema: { body: { $ref: 'item#' } } }, () => 'taken')
    child.register(async (grandchild: Loose) => {
      grandchild.setValidatorCompiler(() => () => true)
      grandchild.post('/grandchild', { schema: { body: { $ref: 'item#' } } }, () => 'taken')
    })
  })
  const ask = async (url: string) =>
    (await app.inject({ method: 'POST', url, payload: { n: 'x' } })).statusCode
  assert.deepEqual(
    [await ask('/root'), await ask('/child'), await ask('/grandchild')],
    [200, 400, 200],
  )
  assert.deepEqual(built, ['validator of item'])
})

test('a bucket keeps the schemas of each context, and begins with those of the context around', async () => {
  const begun: unknown[] = []
  const bucket = (parent: Loose) => {
    begun.push(parent)
    const store = { ...parent }
    return {
      add: (added: Loose) => void (store[added.$id] = added),
      getSchema: (id: string) => store[id],
      getSchemas: () => store,
    }
  }
  const app = untyped({ schemaController: { bucket } }).addSchema(item)
  app.register(async (child: Loose) => {
    child.addSchema({ $id: 'own', type: 'string' })
    assert.deepEqual(Object.keys(child.getSchemas()), ['item', 'own'])
    assert.equal(child.getSchema('item'), item)
    child.post('/', { schema }, ({ body }: Loose) => ({ ...body, extra: 1 }))
  })
  const response = await app.inject({ method: 'POST', url: '/', payload: { n: '7' } })
  assert.equal(response.body, '{"n":7}')
  assert.deepEqual(begun, [undefined, { item }])
  assert.deepEqual(Object.keys(app.getSchemas()), ['item'])
})

test('a bucket may answer a map, and schemas that nobody added', async () => {
  const bucket = () => ({
    add: () => undefined,
    getSchema: () => undefined,
    getSchemas: () => new Map([['item', item]]),
  })
  const app = untyped()
  app.register(async (child: Loose) => {
    child.setSchemaController({ bucket })
    child.get('/', { schema: { response: { 200: { $ref: 'item#' } } } }, () => ({ n: 1, m: 2 }))
  })
  assert.equal((await app.inject('/')).body, '{"n":1}')
})

test('a schema controller that is none is refused', async () => {
  const app = untyped({ schemaController: {} })
  const refuse = (controller: Loose, code: string) => {
    assert.throws(() => app.setSchemaController(controller), { code })
    if (typeof controller === 'object') {
      assert.throws(() => untyped({ schemaController: controller }), { code })
    }
  }
  refuse({ bucket: {} }, 'ESP_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN')
  refuse({ compilersFactory: { buildValidator: 1 } }, 'ESP_ERR_FUNCTION_EXPECTED')
  refuse('x', 'ESP_ERR_INIT_OPTS_INVALID')
  await app.ready()
  const code = 'ESP_ERR_INSTANCE_ALREADY_LISTENING'
  assert.throws(() => app.setSchemaController({}), { code })
})

test('the compilers of a scope can be read: those that are set, or after boot the default ones', async () => {
  const app = untyped().addSchema(item)
  const own = () => () => true
  let child: Loose
  app.register(async (server: Loose) => (child = server.setValidatorCompiler(own)))
  assert.equal(app.validatorCompiler, undefined)
  assert.equal(app.serializerCompiler, undefined)
  await app.ready()
  assert.equal(child.validatorCompiler, own)
  const request = { schema: { $ref: 'item#' }, method: 'GET', url: '/' }
  assert.equal(app.validatorCompiler({ ...request, httpPart: 'body' })({ n: 'x' }), false)
  assert.equal(app.serializerCompiler({ ...request, httpStatus: '200' })({ n: 1, m: 2 }), '{"n":1}')
})
