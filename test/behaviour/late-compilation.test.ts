import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import espalier, { t } from '../../src/index.ts'
import { Compilation, type Recipe } from '../../src/schema/compilation.ts'

const Body = t.Object({ id: t.Integer() })

test("a schema that may be wrong is refused at boot in each of the option's modes", async () => {
  for (const compile of ['lazy', 'idle', 'eager'] as const) {
    const app = espalier({ compile })
    const body = t.Object({ id: t.String({ pattern: '(' }) })
    app.post('/', { schema: { body } }, () => '')
    await assert.rejects(app.ready(), {
      code: 'ESP_ERR_SCH_VALIDATION_BUILD',
      message: /the body of POST \/ in root cannot be built: Invalid regular expression/,
    })
  }
})

test('a pattern that becomes no code of a serializer stops the boot', async () => {
  for (const key of ['\nx', '\r', '\u2028']) {
    const app = espalier()
    const patternProperties = { [key]: { type: 'string' } }
    const response = { 200: t.Unsafe<object>({ type: 'object', patternProperties }) }
    app.get('/', { schema: { response } }, () => ({}))
    await assert.rejects(app.ready(), { code: 'ESP_ERR_SCH_SERIALIZATION_BUILD' })
  }
})

test('a validator has the errors of its last value, however late it was compiled', async () => {
  const app = espalier()
  app.post('/', { schema: { body: Body } }, (request) => ({ id: request.body.id }))
  for (const id of [1, '2', 'x', 3]) {
    const response = await app.inject({ method: 'POST', url: '/', payload: { id } })
    if (id === 'x') assert.match(response.body, /body\/id must be integer/)
    else assert.deepEqual(response.json(), { id: Number(id) })
  }
})

test('a schema is compiled as it was at boot', async () => {
  const app = espalier()
  const schema = { type: 'object', properties: { id: { type: 'integer' } } }
  const handler = () => ({ id: 1 })
  app.get('/', { schema: { response: { 200: t.Unsafe<{ id: number }>(schema) } } }, handler)
  await app.ready()
  schema.properties.id.type = 'boolean'
  assert.deepEqual((await app.inject('/')).json(), { id: 1 })
})

test("with 'idle' all is compiled while the server listens, one schema in a turn", async () => {
  const made: string[] = []
  const bundle = (text: string) => ({
    schema: JSON.parse(text) as Record<string, unknown>,
    ...{ text, merges: false, origins: new Map() },
  })
  const compilation = new Compilation({
    time: 'idle',
    options: {},
    compiled: undefined,
    whenStale: 'fail',
    environment: () => [() => undefined, {}],
  })
  const recipe: Recipe<string, () => string> = {
    kind: 'type',
    compile({ schema }) {
      made.push(String(schema['type']))
      return String(schema['type'])
    },
    load: String,
    finish: (type) => () => type,
    later: (make) => () => make()(),
    mayWait: true,
  }
  const texts = ['{"type":"string"}', '{"type":"null"}']
  const functions = texts.map((text) => compilation.use(recipe, bundle(text)))
  assert.deepEqual(made, [])
  compilation.compileWaiting()
  await nextTurn()
  assert.deepEqual(made, ['string'])
  await nextTurn()
  await nextTurn()
  assert.deepEqual(made, ['string', 'null'])
  assert.equal(functions[1]?.(), 'null')
  assert.equal(made.length, 2)
})
