// ajv.onCreate and ajv.mode: what is done with the ajv of the default validator, and which of ajv's it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ajv } from 'ajv'
import espalier, { t } from '../../src/index.ts'
import { untyped, type AnyHandler } from '../support/untyped.ts'

type Loose = Parameters<AnyHandler>[0]

test('onCreate is given ajv behind its plugins', async () => {
  const order: string[] = []
  const onCreate = (ajv: Ajv): void => {
    order.push('onCreate')
    ajv.addFormat('even', {
      type: 'number',
      validate: (value: number) => value % 2 === 0,
    })
  }
  const plugin = (ajv: Loose): Loose => {
    order.push('plugin')
    return ajv
  }
  const app = espalier({ ajv: { onCreate, plugins: [plugin] } }).get(
    '/',
    { schema: { querystring: { n: t.Integer({ format: 'even' }) } } },
    ({ query }) => query.n,
  )
  assert.equal((await app.inject('/?n=2')).body, '2')
  assert.equal((await app.inject('/?n=3')).statusCode, 400)
  assert.deepEqual(order, ['plugin', 'onCreate'])
})

test('mode JTD validates by JSON Type Definition, in every form it has', async () => {
  const tree = t.Unsafe<{ name: string; tags?: string[] }>({
    properties: { name: { type: 'string' } },
    optionalProperties: { tags: { elements: { type: 'string' } } },
  })
  const app = espalier({ ajv: { mode: 'JTD' } }).post(
    '/',
    { schema: { body: tree } },
    (request) => ({
      count: request.body.tags?.length ?? 0,
    }),
  )
  const send = (payload: object) => (app as Loose).inject({ method: 'POST', url: '/', payload })
  assert.deepEqual((await send({ name: 'a', tags: ['x'] })).json(), { count: 1 })
  assert.equal((await send({ name: 1 })).statusCode, 400)
  assert.equal((await send({ name: 'a', tags: [1] })).statusCode, 400)
  const short = untyped({ ajv: { mode: 'JTD' } })
  short.post(
    '/',
    { schema: { body: { elements: { type: 'int8' } } } },
    (request: Loose) => request.body,
  )
  const list = await short.inject({ method: 'POST', url: '/', payload: [1, 2] as Loose })
  assert.deepEqual(list.json(), [1, 2])
})

test('mode JTD has the plugins, too', async () => {
  const asked: string[] = []
  const ajv = {
    mode: 'JTD',
    plugins: [(made: Ajv) => made.addKeyword({ keyword: 'note' })],
    onCreate: () => asked.push('onCreate'),
  }
  const app = untyped({ ajv }).post(
    '/',
    { schema: { body: { type: 'int8', metadata: { note: 'small' } } } },
    (request: Loose) => ({ got: request.body }),
  )
  const send = (payload: Loose) =>
    app.inject({
      method: 'POST',
      url: '/',
      payload,
      headers: { 'content-type': 'application/json' },
    })
  assert.deepEqual((await send('7')).json(), { got: 7 })
  assert.equal((await send('700')).statusCode, 400)
  assert.deepEqual(asked, ['onCreate'])
})

test('wrong values of both are refused, and a schema that is none is a boot error', async () => {
  for (const ajv of [{ mode: 'jtd' }, { onCreate: true }]) {
    assert.throws(() => untyped({ ajv }), { code: 'ESP_ERR_INIT_OPTS_INVALID' })
  }
  const app = untyped({ ajv: { mode: 'JTD' } })
  app.post('/', { schema: { body: { type: 'integer' } } }, () => null)
  await assert.rejects(async () => app.ready(), { code: 'ESP_ERR_SCH_VALIDATION_BUILD' })
})
