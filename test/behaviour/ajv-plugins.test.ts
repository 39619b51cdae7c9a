// Specification 1.8, 2.4, 7.5, 7.6: plugins of ajv, and asynchronous validation.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import ajvErrors from 'ajv-errors'
import languages from 'ajv-i18n'
import ajvKeywords from 'ajv-keywords'
// @ts-expect-error -- it has no typings
import mergePatch from 'ajv-merge-patch'
import { silenced } from '../support/silence.ts'
import { deepFreeze, untyped, type UntypedServer } from '../support/untyped.ts'

async function send(app: UntypedServer, payload: unknown, url = '/'): Promise<any> {
  const headers = { 'content-type': 'application/json' }
  const text = JSON.stringify(payload)
  return (await app.inject({ method: 'POST', url, headers, payload: text })).json()
}

// Its typings say that the functions stand below `default`; they do not.
const { de: localizeGerman } = languages as unknown as { de: (errors: unknown) => void }
const customOptions = { allErrors: true, jsonPointers: true }
const integer = { type: 'integer' }

test('ajv-errors gives messages per property and per constraint', async () => {
  const body = {
    type: 'object',
    required: ['name', 'age'],
    properties: {
      name: {
        type: 'string',
        maxLength: 3,
        errorMessage: { type: 'no text', maxLength: 'too long' },
      },
      age: integer,
    },
    errorMessage: { required: { age: 'why no age?' }, properties: { age: 'a whole number' } },
  }
  const app = untyped({ ajv: { customOptions, plugins: [ajvErrors] } })
  app.post('/', { schema: deepFreeze({ body }) }, () => ({}))
  assert.deepEqual(await send(app, { name: 'Ada', age: 36 }), {})
  const message = async (payload: object) => (await send(app, payload)).message
  assert.equal(await message({ name: 'Adam', age: 1 }), 'body/name too long')
  assert.equal(await message({ name: [1, 2], age: 1 }), 'body/name no text')
  assert.equal(await message({ name: 'Ada' }), 'body why no age?')
  assert.equal(await message({ name: 'Ada', age: 'x' }), 'body/age a whole number')
})

test('a plugin may come with its options', async () => {
  const body = { a: integer, b: integer }
  const schema = { body: { type: 'object', properties: body, errorMessage: 'all wrong' } }
  const singleError = [ajvErrors, { singleError: true }]
  const app = untyped({ ajv: { customOptions, plugins: [singleError] } })
  app.post('/', { schema }, () => ({}))
  assert.equal((await send(app, { a: 'x', b: 'y' })).message, 'body all wrong')
})

test('a plugin is applied to the ajv of its own server, after the formats', async () => {
  const even = (ajv: any) => ajv.addFormat('date', /^today$/)
  const schema = { body: { at: { type: 'string', format: 'date' } } }
  const app = untyped({ ajv: { plugins: [{ default: even }] } }).post('/', { schema }, () => ({}))
  const other = untyped().post('/', { schema }, () => ({}))
  assert.deepEqual(await send(app, { at: 'today' }), {})
  assert.equal((await send(other, { at: 'today' })).statusCode, 400)
})

test('onCreate is given the ajv of its server, behind the plugins', async () => {
  const even = (ajv: any) => ajv.addFormat('date', /^today$/)
  const onCreate = (ajv: any) => ajv.addFormat('name', /^[A-Z]/).addFormat('date', /^now$/)
  const schema = {
    body: { at: { type: 'string', format: 'date' }, by: { type: 'string', format: 'name' } },
  }
  const app = untyped({ ajv: { plugins: [even], onCreate } }).post('/', { schema }, () => ({}))
  assert.deepEqual(await send(app, { at: 'now', by: 'Ada' }), {})
  assert.equal((await send(app, { at: 'today' })).statusCode, 400)
  assert.equal((await send(app, { by: 'ada' })).statusCode, 400)
})

test('ajv-i18n translates the list in error.validation before it is sent', async () => {
  const schema = { body: { type: 'object', required: ['name'] } }
  const app = untyped()
    .setErrorHandler((error, _request, reply) => {
      localizeGerman(error.validation)
      reply.code(400).send(error.validation)
    })
    .post('/', { schema }, () => ({}))
  const [record] = await send(app, {})
  assert.equal(record.keyword, 'required')
  assert.equal(record.message, 'muss das erforderliche Attribut name enthalten')
})

test('ajv-keywords brings keywords that check, and some that change, what comes', async () => {
  const body = {
    type: 'object',
    properties: {
      name: { type: 'string', transform: ['trim', 'toLowerCase'] },
      age: { type: 'integer', range: [18, 99] },
      code: { type: 'string', regexp: '/^[a-z]+$/i' },
      tags: { type: 'array', uniqueItemProperties: ['id'] },
    },
    anyRequired: ['name', 'code'],
    prohibited: ['secret'],
  }
  const app = untyped({ ajv: { plugins: [ajvKeywords] } })
  app.post('/', { schema: deepFreeze({ body }) }, (request) => request.body)
  assert.deepEqual(await send(app, { name: '  Ada ', age: '36' }), { name: 'ada', age: 36 })
  assert.deepEqual(await send(app, { code: 'Abc' }), { code: 'Abc' })
  for (const wrong of [
    { name: 'Ada', age: 17 },
    { code: 'a1' },
    { name: 'Ada', tags: [{ id: 1 }, { id: 1 }] },
    { age: 36 },
    { name: 'Ada', secret: 1 },
  ]) {
    assert.equal((await send(app, wrong)).statusCode, 400, JSON.stringify(wrong))
  }
})

test('ajv-keywords may be given the names of its keywords, and makes defaults of a request', async () => {
  const dynamicDefaults = { at: 'datetime', id: { func: 'seq', args: { name: 'ids' } } }
  const body = { type: 'object', properties: { at: {}, id: {} }, dynamicDefaults }
  const named = [ajvKeywords, ['dynamicDefaults']]
  const app = untyped({ ajv: { plugins: [named] } })
  app.post('/', { schema: { body } }, (request) => request.body)
  const [first, second] = [await send(app, {}), await send(app, {})]
  assert.equal(second.id, Number(first.id) + 1)
  assert.ok(!Number.isNaN(Date.parse(first.at)))
  const other = untyped({ ajv: { plugins: [named] } })
  other.post('/', { schema: { body: { a: { type: 'integer', range: [1, 2] } } } }, () => ({}))
  await assert.rejects(Promise.resolve(other.ready()), /range/)
})

/** Behind the message of a schema that a keyword stands for, ajv puts one of the keyword itself. */
const firstMessage = async (app: UntypedServer, payload: object): Promise<string> =>
  (await send(app, payload)).message.split(', ')[0]

const base = { $id: 'base', type: 'object', properties: { a: integer }, required: ['a'] }
const withB = { properties: { b: integer }, required: ['b'] }
const patchB = [
  { op: 'add', path: '/properties/b', value: integer },
  { op: 'add', path: '/required/0', value: 'b' },
  { op: 'remove', path: '/required/1' },
]
const { $id: _id, ...inline } = base
const merges: readonly (readonly [string, body: object])[] = [
  ['$merge with an inline source', { $merge: { source: inline, with: withB } }],
  ['$merge with a shared source', { $merge: { source: { $ref: 'base#' }, with: withB } }],
  [
    '$merge with a source in its own definitions',
    {
      definitions: { base: inline },
      $merge: { source: { $ref: '#/definitions/base' }, with: withB },
    },
  ],
  ['$merge with a shared with', { $merge: { source: inline, with: { $ref: 'extra#' } } }],
  ['$patch with an inline source', { $patch: { source: inline, with: patchB } }],
  ['$patch with a shared source', { $patch: { source: { $ref: 'base#' }, with: patchB } }],
]
for (const [what, body] of merges) {
  test(`ajv-merge-patch: ${what} works, and changes nobody's schema`, async () => {
    const app = untyped({ ajv: { plugins: [mergePatch] } })
      .addSchema(deepFreeze(base))
      .addSchema(deepFreeze({ $id: 'extra', ...withB }))
      .post('/', { schema: deepFreeze({ body }) }, (request) => request.body)
      .post('/base', { schema: { body: { $ref: 'base#' } } }, (request) => request.body)
    assert.deepEqual(await send(app, { b: '2' }), { b: 2 })
    assert.equal(await firstMessage(app, { a: 1 }), "body must have required property 'b'")
    assert.equal(await firstMessage(app, { a: 'x', b: 1 }), 'body/a must be integer')
    assert.deepEqual(await send(app, { a: '1' }, '/base'), { a: 1 })
    assert.equal((await send(app, { b: 1 }, '/base')).statusCode, 400)
  })
}

test('ajv-merge-patch: $merge may stand inside a schema, twice with one source', async () => {
  const small = { $merge: { source: { $ref: 'count#' }, with: { maximum: 9 } } }
  const large = { $merge: { source: { $ref: 'count#' }, with: { minimum: 10 } } }
  const app = untyped({ ajv: { plugins: [mergePatch] } })
    .addSchema(deepFreeze({ $id: 'count', type: 'integer' }))
    .post('/', { schema: deepFreeze({ body: { small, large } }) }, ({ body }) => body)
  assert.deepEqual(await send(app, { small: 9, large: 10 }), { small: 9, large: 10 })
  assert.equal(await firstMessage(app, { small: 10 }), 'body/small must be <= 9')
  assert.equal(await firstMessage(app, { large: 9 }), 'body/large must be >= 10')
})

test('ajv-merge-patch: a source that is not there is a boot error', async () => {
  const body = { $merge: { source: { $ref: 'none#' }, with: {} } }
  const app = untyped({ ajv: { plugins: [mergePatch] } }).post(
    '/a',
    { schema: { body } },
    () => ({}),
  )
  await assert.rejects(() => Promise.resolve(app.ready()), {
    code: 'ESP_ERR_SCH_MISSING_REF',
    message: "No schema 'none#' is visible to the body of POST /a in root. Visible there: none",
  })
})

test('a reference inside the keyword of a plugin is followed where it names a schema', async () => {
  const isSchema = (ajv: any) =>
    ajv.addKeyword({ keyword: 'wrapped', macro: ({ schema }: { schema: object }) => schema })
  const body = { value: { type: 'integer', wrapped: { schema: { $ref: 'small#' } } } }
  const app = untyped({ ajv: { plugins: [isSchema] } })
    .addSchema({ $id: 'small', type: 'integer', maximum: 9 })
    .post('/', { schema: deepFreeze({ body }) }, (request) => request.body)
  assert.deepEqual(await send(app, { value: 9 }), { value: 9 })
  assert.equal(await firstMessage(app, { value: 10 }), 'body/value must be <= 9')
})

const known = (ajv: any) =>
  ajv.addKeyword({
    keyword: 'known',
    async: true,
    type: 'string',
    validate: async (_schema: unknown, name: string) => {
      if (name === 'down') throw new Error('secret')
      return name === 'Ada'
    },
  })
const $async = {
  $async: true,
  type: 'object',
  properties: { name: { type: 'string', known: true }, age: integer },
}

test('an $async schema validates by a promise, coerces, and fails with the list of ajv', async () => {
  const app = untyped({ ajv: { plugins: [known] } })
    .setErrorHandler((error, _request, reply) => reply.send(error.validation))
    .post('/', { schema: deepFreeze({ body: $async }) }, ({ body }) => body)
  assert.deepEqual(await send(app, { name: 'Ada', age: '36' }), { name: 'Ada', age: 36 })
  const [record] = await send(app, { name: 'Eve' })
  assert.deepEqual([record.keyword, record.instancePath], ['known', '/name'])
  assert.equal((await send(app, { age: 'x' }))[0].message, 'must be integer')
})

test('a body of an $async schema may have properties named value and error', async () => {
  const app = untyped({ ajv: { plugins: [known] } })
  app.post('/', { schema: { body: $async } }, ({ body }) => body)
  const body = { name: 'Ada', value: null, error: 'no error' }
  assert.deepEqual(await send(app, body), body)
})

test('an $async keyword that throws is a fault of the server, whose message is not sent', async () => {
  const app = untyped({ ajv: { plugins: [known] } })
  app.post('/', { schema: { body: $async } }, () => ({}))
  const [answer, log] = await silenced(() => send(app, { name: 'down' }))
  assert.equal(answer.statusCode, 500)
  assert.equal(answer.message, 'Internal Server Error')
  assert.match(log, /secret/)
})

/** A package once more, with new copies of all that it requires. What is loaded later finds those from before. */
function loadAgain(name: string): any {
  const require = createRequire(import.meta.url)
  const known = Object.entries(require.cache).filter(([path]) =>
    /[\\/]node_modules[\\/]ajv/.test(path),
  )
  for (const [path] of known) Reflect.deleteProperty(require.cache, path)
  const loaded = require(name)
  Object.assign(require.cache, Object.fromEntries(known))
  return loaded
}

test('a plugin that has loaded another copy of ajv stops the boot, with the remedy', async () => {
  const app = untyped({
    ajv: { customOptions: { allErrors: true }, plugins: [loadAgain('ajv-errors')] },
  })
  const errorMessage = { type: 'that is no integer' }
  app.post('/', { schema: { body: { type: 'integer', errorMessage } } }, () => 1)
  await silenced(() => assert.rejects(async () => app.ready(), /another copy of ajv.*npm ls ajv/))
})

test('an $async keyword may throw the ValidationError of another copy of ajv', async () => {
  const { ValidationError } = loadAgain('ajv')
  const keyword = {
    keyword: 'known',
    async: true,
    validate: async () => {
      throw new ValidationError([
        { keyword: 'known', message: 'is not known', instancePath: '', schemaPath: '', params: {} },
      ])
    },
  }
  const app = untyped({ ajv: { plugins: [(ajv: any) => ajv.addKeyword(keyword)] } })
  app.post('/', { schema: { body: { $async: true, type: 'object', known: true } } }, () => 1)
  assert.equal(await firstMessage(app, {}), 'body is not known')
})
