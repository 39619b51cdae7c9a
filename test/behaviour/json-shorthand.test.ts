// jsonShorthand: whether a list of properties stands for a schema.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import JtdAjv from 'ajv/dist/jtd.js'
import espalier, { t } from '../../src/index.ts'
import { untyped, type AnyHandler } from '../support/untyped.ts'

type Loose = Parameters<AnyHandler>[0]

test('without it compilers are given what was written, for each part and each response', async () => {
  const app = untyped({ jsonShorthand: false })
  const given: unknown[] = []
  const keep = ({ schema }: Loose) => {
    given.push(schema)
    return Object.assign(() => true, { toString: () => '' })
  }
  app.setValidatorCompiler(keep)
  app.setSerializerCompiler((request: Loose) => {
    keep(request)
    return JSON.stringify
  })
  const [body, querystring, answer, typed] = [
    { elements: {} },
    { a: {} },
    { values: {} },
    { b: {} },
  ]
  const content = { 'application/json': { schema: typed } }
  let shown: Loose
  app.addHook('onRoute', (route: Loose) => (shown = route.schema))
  app.post(
    '/',
    { schema: { body, querystring, response: { 200: answer, 201: { content } } } },
    (_request, reply: Loose) => ({ text: reply.compileSerializationSchema({ c: {} })('x') }),
  )
  await app.ready()
  assert.ok([body, querystring, answer, typed].every((schema, at) => given[at] === schema))
  assert.deepEqual([shown.body, shown.response[200]], [body, answer])
  await app.inject({ method: 'POST', url: '/', payload: {} })
  assert.deepEqual(given[4], { c: {} })
})

test('schemas of JSON Type Definition can be used as they are', async () => {
  const { default: Ajv } = JtdAjv as unknown as { default: new () => Loose }
  const ajv = new Ajv()
  const app = espalier({ jsonShorthand: false }).setValidatorCompiler(({ schema }) =>
    ajv.compile(schema),
  )
  const list = t.Unsafe<string[]>({ elements: { type: 'string' } })
  const typed = app.post('/', { schema: { body: list } }, (request) => request.body.length)
  const send = (payload: Loose) => typed.inject('POST /', { body: payload })
  assert.equal((await send(['a', 'b'])).json(), 2)
  assert.equal((await send([1])).statusCode, 400)
})

test('the default compilers refuse short forms then, and take full forms', async () => {
  const short = untyped({ jsonShorthand: false })
  short.get('/', { schema: { querystring: { a: { type: 'string' } } } }, () => null)
  await assert.rejects(async () => short.ready(), {
    code: 'ESP_ERR_SCH_VALIDATION_BUILD',
    message: /unknown keyword: "a"/,
  })
  const full = untyped({ jsonShorthand: false })
  const headers = { type: 'object', properties: { 'X-A': { type: 'integer' } } }
  full.get('/', { schema: { headers } }, (request: Loose) => ({ a: request.headers['x-a'] }))
  assert.deepEqual((await full.inject({ url: '/', headers: { 'x-a': '1' } })).json(), { a: 1 })
})

test('it is a boolean, and is shown where it was given', () => {
  assert.throws(() => untyped({ jsonShorthand: 'no' }), {
    code: 'ESP_ERR_INIT_OPTS_INVALID',
    message: /'jsonShorthand' must be a boolean/,
  })
  assert.equal(espalier({ jsonShorthand: false }).initialConfig['jsonShorthand'], false)
})
