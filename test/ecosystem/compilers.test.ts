// @fastify/ajv-compiler and @fastify/fast-json-stringify-compiler in place of the compilers that Espalier has.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import buildValidators from '@fastify/ajv-compiler'
import buildSerializers from '@fastify/fast-json-stringify-compiler'
import { t as type } from '../../src/index.ts'
import { posted, serve } from '../support/serve.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

const { StandaloneValidator } = buildValidators
const { StandaloneSerializer } = buildSerializers
const user = {
  $id: 'user',
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, age: { type: 'integer', default: 1 } },
}

/** Options that plug compilers in by what makes them. */
const compiledBy = (compilersFactory: object, options: object = {}) => ({
  schemaController: { compilersFactory },
  ...options,
})

test('@fastify/ajv-compiler validates, coerces and follows shared schemas', async (t) => {
  const app = untyped(compiledBy({ buildValidator: buildValidators() }))
  app.addSchema(user)
  const schema = { body: { $ref: 'user#' }, querystring: { n: { type: 'integer' } } }
  app.post('/', { schema }, ({ body, query }) => ({ body, query }))
  const ask = await serve(t, app)
  const read = await (await ask('/?n=1', posted({ name: 'Ada', age: '36' }))).json()
  assert.deepEqual(read, { body: { name: 'Ada', age: 36 }, query: { n: 1 } })
  const refused = await ask('/', posted({ age: 1 }))
  const { message, code } = await refused.json()
  assert.deepEqual([refused.status, code], [400, 'ESP_ERR_VALIDATION'])
  assert.equal(message, "body must have required property 'name'")
  assert.equal((await ask('/?n=x', posted({ name: 'Ada' }))).status, 400)
})

test('@fastify/ajv-compiler takes the options, plugins and contexts of the server', async (t) => {
  const even = (ajv: any) =>
    ajv.addKeyword({ keyword: 'even', validate: (_: unknown, n: number) => n % 2 === 0 })
  const ajv = { customOptions: { coerceTypes: false }, plugins: [even] }
  const app = untyped(compiledBy({ buildValidator: buildValidators() }, { ajv }))
  for (const [prefix, maximum] of [
    ['/a', 10],
    ['/b', 100],
  ] as const) {
    app.register(
      async (inside) => {
        inside.addSchema({ $id: 'count', type: 'integer', maximum, even: true })
        inside.post('/', { schema: { body: { n: { $ref: 'count#' } } } }, () => 'taken')
      },
      { prefix },
    )
  }
  const ask = await serve(t, app)
  const status = async (path: string, n: unknown) => (await ask(path, posted({ n }))).status
  assert.deepEqual([await status('/a', 20), await status('/b', 20)], [400, 200])
  assert.deepEqual([await status('/b', 3), await status('/b', '20')], [400, 400])
})

test('@fastify/ajv-compiler compiles JSON Type Definition, for both ways', async (t) => {
  const factories = {
    buildValidator: buildValidators(),
    buildSerializer: buildValidators({ jtdSerializer: true }),
  }
  const app = untyped(compiledBy(factories, { ajv: { customOptions: {}, mode: 'JTD' } }))
  const mapping = { a: { properties: { n: { type: 'int32' } } } }
  const body = type.Unsafe({ discriminator: 'kind', mapping })
  const response = { 200: type.Unsafe({ elements: { type: 'int32' } }) }
  app.post('/', { schema: { body, response } }, ({ body }) => [body.n, body.n])
  const ask = await serve(t, app)
  assert.equal(await (await ask('/', posted({ kind: 'a', n: 1 }))).text(), '[1,1]')
  assert.equal((await ask('/', posted({ kind: 'b', n: 1 }))).status, 400)
})

test('@fastify/ajv-compiler writes validators as code, and reads them again', async (t) => {
  const stored = new Map<string, string>()
  const route = { schema: { body: user } }
  const write = StandaloneValidator({
    readMode: false,
    storeFunction: ({ url, httpPart }: any, code: string) => stored.set(`${url} ${httpPart}`, code),
  })
  await untyped(compiledBy({ buildValidator: write }))
    .post('/', route, () => 'taken')
    .ready()
  assert.deepEqual([...stored.keys()], ['/ body'])
  const read = StandaloneValidator({
    readMode: true,
    restoreFunction: ({ url, httpPart }: any) => loaded(stored.get(`${url} ${httpPart}`)),
  })
  const app = untyped(compiledBy({ buildValidator: read })).post('/', route, () => 'taken')
  const ask = await serve(t, app)
  assert.equal((await ask('/', posted({ name: 'Ada' }))).status, 200)
  assert.equal((await ask('/', posted({}))).status, 400)
})

/** What a module of a text exports. */
function loaded(code = ''): any {
  const module = { exports: {} }
  new Function('module', 'require', code)(module, (name: string) => process.getBuiltinModule(name))
  return module.exports
}

test('@fastify/fast-json-stringify-compiler serializes what the schema has, and shared schemas', async (t) => {
  const app = untyped(compiledBy({ buildSerializer: buildSerializers() }))
  app.addSchema(user)
  const schema = { response: { 200: { $ref: 'user#' }, '4xx': { why: { type: 'string' } } } }
  app
    .get('/', { schema }, () => ({ name: 'Ada', age: '36', secret: 'x' }))
    .get('/none', { schema }, (_request, reply) => reply.code(404).send({ why: 'x', secret: 'x' }))
    .get('/wrong', { schema }, () => ({ age: 36 }))
  const ask = await serve(t, app)
  assert.equal(await (await ask('/')).text(), '{"name":"Ada","age":36}')
  assert.equal(await (await ask('/none')).text(), '{"why":"x"}')
  const [wrong, log] = await silenced(() => ask('/wrong'))
  assert.equal(wrong.status, 500)
  assert.match(log, /"name" is required/)
})

test('@fastify/fast-json-stringify-compiler takes the options of the server', async (t) => {
  const options = { serializerOpts: { rounding: 'ceil' } }
  const app = untyped(compiledBy({ buildSerializer: buildSerializers() }, options))
  const schema = { response: { 200: { n: { type: 'integer' } } } }
  app.get('/', { schema }, () => ({ n: 1.2 }))
  const ask = await serve(t, app)
  assert.equal(await (await ask('/')).text(), '{"n":2}')
})

test('@fastify/fast-json-stringify-compiler writes serializers as code', async () => {
  const stored: string[] = []
  const write = StandaloneSerializer({
    readMode: false,
    storeFunction: ({ method, url, httpStatus }: any, code: string) => {
      stored.push(`${method} ${url} ${httpStatus}`)
      assert.match(code, /module\.exports/)
    },
  })
  const options = { exposeHeadRoutes: false }
  const app = untyped(compiledBy({ buildSerializer: write }, options))
  await app.get('/', { schema: { response: { 200: user } } }, () => ({ name: 'x' })).ready()
  assert.deepEqual(stored, ['GET / 200'])
})
