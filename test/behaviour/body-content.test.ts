// `content` in the schema of a body: one schema for each media type.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client } from '../../src/client/client.ts'
import espalier, { t } from '../../src/index.ts'
import { untyped, type AnyHandler } from '../support/untyped.ts'

type Loose = Parameters<AnyHandler>[0]

const schema = {
  body: {
    content: {
      'application/json': { schema: { count: t.Integer({ default: 7 }) } },
      'Text/Plain; charset=utf-8': { schema: t.String({ maxLength: 3 }) },
    },
  },
}

function typed() {
  const app = espalier()
  app.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, body, done) => {
    done(null, body)
  })
  return app.post('/', { schema }, (request) => ({ body: request.body }))
}

const send = (app: Loose, type: string | undefined, payload: string | undefined) =>
  app.inject({
    method: 'POST',
    url: '/',
    headers: type === undefined ? {} : { 'content-type': type },
    ...(payload !== undefined && { payload }),
  })

test('a body is validated and coerced by the schema of its media type', async () => {
  const app = typed()
  const given = [
    ['application/json', '{"count":"2"}', 200, { body: { count: 2 } }],
    ['Application/JSON; charset=utf-8', '{}', 200, { body: { count: 7 } }],
    ['text/plain', 'abc', 200, { body: 'abc' }],
  ] as const
  for (const [type, payload, status, body] of given) {
    const response = await send(app, type, payload)
    assert.deepEqual([response.statusCode, response.json()], [status, body])
  }
  const long = await send(app, 'text/plain', 'abcd')
  const wrong = await send(app, 'application/json', '{"count":"x"}')
  assert.deepEqual([long.statusCode, wrong.statusCode], [400, 400])
  assert.equal(wrong.json().message, 'body/count must be integer')
})

test('a body of another type is refused, whatever its parser made of it', async () => {
  const response = await send(typed(), 'text/csv', 'a')
  assert.deepEqual(
    [response.statusCode, response.json().code],
    [415, 'ESP_ERR_CTP_INVALID_MEDIA_TYPE'],
  )
})

test('a body of any other type has the schema of */*', async () => {
  const content = { ...schema.body.content, '*/*': { schema: t.Literal('any') } }
  const app = untyped()
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: Loose, body: Loose) => body)
  app.post('/', { schema: { body: { content } } }, (request: Loose) => request.body)
  assert.equal((await send(app, 'text/csv', 'any')).body, 'any')
  assert.equal((await send(app, 'text/csv', 'other')).statusCode, 400)
  assert.equal((await send(app, 'text/plain', 'abc')).body, 'abc')
})

test('typed calls send a body as the type that they name: JSON of a value, all else as it is given', async (context) => {
  const content = { ...schema.body.content, 'a/bytes': { schema: t.Array(t.Integer()) } }
  const app = espalier().addContentTypeParser('a/bytes', { parseAs: 'buffer' }, async (_, body) => [
    ...body,
  ])
  const routes = app.post('/', { schema: { body: { content } } }, ({ body }) => ({ body }))
  const api = client<typeof routes>(await app.listen({ port: 0, host: '127.0.0.1' }))
  context.after(() => app.close())
  const inject = routes.inject.bind(routes) as Loose as typeof api
  const text = { 'content-type': 'text/plain; charset=utf-8' } as const
  const bytes = { 'content-type': 'a/bytes' } as const
  const slice = new Uint8Array([0, 1, 2, 3]).subarray(1, 3)
  const answers = await Promise.all(
    [inject, api].flatMap((call) => [
      call('POST /', { body: { count: 2 } }),
      call('POST /', { headers: { 'content-type': 'application/json' }, body: {} }),
      call('POST /', { headers: text, body: '"a"' }),
      call('POST /', { headers: bytes, body: slice }),
      call('POST /', { headers: bytes, body: slice.slice().buffer }),
      call('POST /', { headers: bytes, body: 'AB' }),
    ]),
  )
  const expected = [{ count: 2 }, { count: 7 }, '"a"', [1, 2], [1, 2], [65, 66]]
  assert.deepEqual(
    answers.map((answer) => answer.json()),
    [...expected, ...expected].map((body) => ({ body })),
  )
})

test('no body is validated as null, by the schema of */* or the first', async () => {
  const app = typed()
  const response = await send(app, undefined, undefined)
  assert.deepEqual([response.statusCode, response.json().message], [400, 'body must be object'])
  const content = { 'text/plain': { schema: t.String() }, '*/*': { schema: t.Null() } }
  const lax = untyped()
  lax.post('/', { schema: { body: { content } } }, (request: Loose) => String(request.body))
  assert.equal((await send(lax, undefined, undefined)).body, 'null')
})

test('each schema may be a full one, a short form, a reference, a Standard Schema or a transform', async () => {
  const Tag = t.Object({ tag: t.String() }, { $id: 'tag' })
  const Upper = t
    .Transform(t.String())
    .Decode((text) => text.toUpperCase())
    .Encode((text) => text)
  const standard = {
    '~standard': { version: 1, vendor: 'x', validate: (value: unknown) => ({ value: [value] }) },
  }
  const app = untyped().addSchema(Tag)
  app.addContentTypeParser(
    /^x\//,
    { parseAs: 'string' },
    async (_request: Loose, body: Loose) => body,
  )
  const content = {
    'application/json': { schema: { $ref: 'tag#' } },
    'text/plain': { schema: Upper },
    'x/standard': { schema: standard },
  }
  app.post('/', { schema: { body: { content } } }, (request: Loose) => ({ body: request.body }))
  assert.deepEqual((await send(app, 'application/json', '{"tag":1}')).json(), {
    body: { tag: '1' },
  })
  assert.deepEqual((await send(app, 'text/plain', 'a')).json(), { body: 'A' })
  assert.deepEqual((await send(app, 'x/standard', 'a')).json(), { body: ['a'] })
})

test('compilers are told the media type; hooks see full forms', async () => {
  const app = untyped()
  const asked: unknown[] = []
  let seen: Loose
  app.addHook('onRoute', (route: Loose) => (seen = route.schema))
  app.setValidatorCompiler(({ httpPart, contentType, schema: given }: Loose) => {
    asked.push([httpPart, contentType, given.type])
    return () => true
  })
  app.post('/', { schema }, () => null)
  await app.ready()
  assert.deepEqual(asked, [
    ['body', 'application/json', 'object'],
    ['body', 'Text/Plain; charset=utf-8', 'string'],
  ])
  assert.equal(seen.body.content['application/json'].schema.type, 'object')
  assert.equal(
    seen.body.content['Text/Plain; charset=utf-8'],
    schema.body.content['Text/Plain; charset=utf-8'],
  )
})

test('the validator of the body can be had where there is one only', async () => {
  const app = untyped()
  const has: AnyHandler = (request) => ({
    has: request.getValidationFunction('body') !== undefined,
  })
  const one = { 'text/plain': { schema: t.String() } }
  app.post('/one', { schema: { body: { content: one } } }, has)
  app.post('/two', { schema: { body: { content: { ...one, 'a/b': { schema: t.Any() } } } } }, has)
  const ask = async (url: string) =>
    (
      await app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'text/plain' },
        payload: 'a',
      })
    ).json()
  assert.deepEqual([await ask('/one'), await ask('/two')], [{ has: true }, { has: false }])
})

test('a media type without a schema is a boot error, and so is content of another part', async () => {
  const app = untyped()
  app.post('/', { schema: { body: { content: { 'a/b': {} } } } }, () => null)
  await assert.rejects(async () => app.ready(), {
    code: 'ESP_ERR_SCH_CONTENT_MISSING_SCHEMA',
    message: /'a\/b' in the body of POST \/ in root has no schema/,
  })
  const misplaced = untyped()
  misplaced.post('/', { schema: { body: { content: { 'a/b': t.String() } } } }, () => null)
  await assert.rejects(async () => misplaced.ready(), {
    code: 'ESP_ERR_SCH_CONTENT_MISSING_SCHEMA',
    message: /has no schema, but 'type'\. A schema belongs under 'schema'/,
  })
  const other = untyped()
  other.get('/', { schema: { querystring: { content: { 'a/b': { schema: {} } } } } }, () => null)
  await assert.rejects(async () => other.ready(), { code: 'ESP_ERR_SCH_VALIDATION_BUILD' })
})

test('a property named content is a property', async () => {
  const app = espalier().post('/', { schema: { body: { content: t.String() } } }, (request) => ({
    content: request.body.content,
  }))
  assert.deepEqual((await send(app, 'application/json', '{"content":1}')).json(), { content: '1' })
})

test('false and 0 are bodies of calls: inject sent none', async () => {
  const body = {
    content: { 'text/plain': { schema: t.Union([t.Boolean(), t.Integer()]) } },
  }
  const app = espalier().post('/', { schema: { body } }, (request) => ({ body: request.body }))
  for (const body of [false, 0] as const) {
    const response = await app.inject('POST /', { headers: { 'content-type': 'text/plain' }, body })
    assert.deepEqual(response.json(), { body })
  }
})
