// What is plugged into ajv: ajv-errors, ajv-i18n, ajv-keywords, ajv-merge-patch. ../behaviour/ajv-plugins.test.ts has more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import ajvErrors from 'ajv-errors'
import languages from 'ajv-i18n'
import ajvKeywords from 'ajv-keywords'
// @ts-expect-error -- it has no typings
import mergePatch from 'ajv-merge-patch'
import { posted, serve } from '../support/serve.ts'
import { untyped } from '../support/untyped.ts'

// Its typings say that the functions stand below `default`; they do not.
const { fr: localizeFrench } = languages as unknown as { fr: (errors: unknown) => void }
const integer = { type: 'integer' }

test('ajv-errors says what a property should be, in the words of its schema', async (t) => {
  const errorMessage = { required: { age: 'why no age?' }, properties: { age: 'a whole number' } }
  const body = { type: 'object', required: ['age'], properties: { age: integer }, errorMessage }
  const app = untyped({ ajv: { customOptions: { allErrors: true }, plugins: [ajvErrors] } })
  app.post('/', { schema: { body } }, (request) => request.body)
  const ask = await serve(t, app)
  assert.deepEqual(await (await ask('/', posted({ age: '36' }))).json(), { age: 36 })
  for (const [payload, message] of [
    [{}, 'body why no age?'],
    [{ age: 'x' }, 'body/age a whole number'],
  ] as const) {
    const refused = await ask('/', posted(payload))
    assert.deepEqual([refused.status, (await refused.json()).message], [400, message])
  }
})

test('ajv-i18n tells of a refusal in the language of the client', async (t) => {
  const app = untyped()
  app.setErrorHandler((error, request, reply) => {
    if (request.headers['accept-language'] === 'fr') localizeFrench(error.validation)
    return reply.code(400).send({ message: error.validation[0].message })
  })
  app.post('/', { schema: { body: { type: 'object', required: ['name'] } } }, () => ({}))
  const ask = await serve(t, app)
  const messageIn = async (language: string): Promise<string> =>
    (await (await ask('/', posted({}, { 'accept-language': language }))).json()).message
  assert.equal(await messageIn('en'), "must have required property 'name'")
  assert.equal(await messageIn('fr'), 'requiert la propriété name')
})

test('ajv-keywords checks ranges, and trims what comes', async (t) => {
  const properties = {
    name: { type: 'string', transform: ['trim', 'toLowerCase'] },
    age: { type: 'integer', range: [18, 99] },
  }
  const app = untyped({ ajv: { plugins: [ajvKeywords] } })
  app.post('/', { schema: { body: { type: 'object', properties } } }, (request) => request.body)
  const ask = await serve(t, app)
  const answer = await ask('/', posted({ name: '  Ada ', age: '36' }))
  assert.deepEqual(await answer.json(), { name: 'ada', age: 36 })
  assert.equal((await ask('/', posted({ age: 17 }))).status, 400)
})

test('ajv-merge-patch adds to a shared schema', async (t) => {
  const base = { $id: 'base', type: 'object', properties: { a: integer }, required: ['a'] }
  const $merge = {
    source: { $ref: 'base#' },
    with: { properties: { b: integer }, required: ['b'] },
  }
  const app = untyped({ ajv: { plugins: [mergePatch] } }).addSchema(base)
  app.post('/', { schema: { body: { $merge } } }, (request) => request.body)
  const ask = await serve(t, app)
  assert.deepEqual(await (await ask('/', posted({ a: '1', b: '2' }))).json(), { a: 1, b: 2 })
  assert.equal((await ask('/', posted({ a: 1 }))).status, 400)
})
