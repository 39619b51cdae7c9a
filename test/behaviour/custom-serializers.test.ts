// Specification 2.6, 4.3.7: serializers of one's own, for a server, a context or a route.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deepFreeze, untyped } from '../support/untyped.ts'

const entry = { type: 'object', properties: { a: { type: 'integer' } } }
const route = { schema: { response: { 200: entry } } }
const handler = () => ({ a: 1 })
const naming = (name: string) => () => () => JSON.stringify(name)

test('a compiler holds for the context that sets it and its children; the nearest one is taken', async () => {
  const app = untyped().get('/default', route, handler)
  app.register(async (child) => {
    child.setSerializerCompiler(naming('child')).get('/child', route, handler)
    child.get('/route', { ...route, serializerCompiler: naming('route') }, handler)
    child.register(async (nested) => void nested.get('/inherited', route, handler))
  })
  app.register(async (sibling) => void sibling.get('/sibling', route, handler))
  for (const [path, body] of [
    ['/default', '{"a":1}'],
    ['/child', '"child"'],
    ['/route', '"route"'],
    ['/inherited', '"child"'],
    ['/sibling', '{"a":1}'],
  ] as const) {
    assert.equal((await app.inject(path)).body, body, path)
  }
})

test('a compiler that the root sets serves every route with a response schema, and no other', async () => {
  const app = untyped().setSerializerCompiler(naming('mine')).get('/none', handler)
  app.register(async (child) => void child.get('/some', route, handler))
  const some = await app.inject('/some')
  assert.equal(some.body, '"mine"')
  assert.equal(some.headers['content-type'], 'application/json; charset=utf-8')
  assert.equal((await app.inject('/none')).body, '{"a":1}')
})

test('a compiler is called with schema, method, url, httpStatus, contentType, and nothing else', async () => {
  const calls: any[][] = []
  const media = { type: 'object', title: 'media' }
  const response = deepFreeze({
    200: entry,
    '4XX': { type: 'null' },
    default: { content: { 'application/x+json': { schema: media } } },
  })
  const app = untyped().setSerializerCompiler((...args: unknown[]) => {
    calls.push(args)
    return () => ''
  })
  const register = async (child: ReturnType<typeof untyped>) => {
    child.post('/a/:id', { schema: { response } }, handler)
  }
  await app.register(register, { prefix: '/v1' })
  await app.ready()
  const where = { method: 'POST', url: '/v1/a/:id' }
  assert.deepEqual(calls, [
    [{ schema: entry, ...where, httpStatus: '200' }],
    [{ schema: { type: 'null' }, ...where, httpStatus: '4xx' }],
    [{ schema: media, ...where, httpStatus: 'default', contentType: 'application/x+json' }],
  ])
  assert.equal(calls[0]?.[0]?.schema, entry)
})

test('a serializer is given the payload as it was sent', async () => {
  let seen: unknown
  const payload = { a: 1, b: undefined }
  const serializerCompiler = () => (given: unknown) => {
    seen = given
    return '{}'
  }
  await untyped()
    .get('/', { ...route, serializerCompiler }, () => payload)
    .inject('/')
  assert.equal(seen, payload)
})

test('a compiler that throws is a boot error that names status, route and plugin', async () => {
  const app = untyped().register(async function users(child) {
    child.setSerializerCompiler(() => {
      throw new Error('no idea')
    })
    child.get('/a', { schema: { response: { '2xx': entry } } }, handler)
  })
  await assert.rejects(() => Promise.resolve(app.ready()), {
    code: 'ESP_ERR_SCH_SERIALIZATION_BUILD',
    message: 'The serializer for response 2xx of GET /a in root > users cannot be built: no idea',
  })
})

test('a compiler that returns no function is a boot error that names status, route and plugin', async () => {
  for (const [rubbish, name] of [
    [undefined, 'undefined'],
    [null, 'null'],
    ['x', "'x'"],
    [{}, 'an object'],
  ] as const) {
    const app = untyped()
      .setSerializerCompiler(() => rubbish)
      .get('/a', route, handler)
    await assert.rejects(() => Promise.resolve(app.ready()), {
      code: 'ESP_ERR_SCH_SERIALIZATION_BUILD',
      message: `The serializer for response 200 of GET /a in root cannot be built: the serializerCompiler returned ${name}, not a function`,
    })
  }
})

test('a type that is not JSON may be sent where the schema of the status names it', async () => {
  const content = { 'application/xml': { schema: entry } }
  for (const status of [200, 201, 404]) {
    const app = untyped()
      .setSerializerCompiler(
        () =>
          ({ a }: { a: number }) =>
            `<a>${a}</a>`,
      )
      .get('/', { schema: { response: { [status]: { content } } } }, (_request, reply) =>
        reply.code(status).type('application/xml').send({ a: 1 }),
      )
    const response = await app.inject('/')
    assert.deepEqual([response.statusCode, response.body], [status, '<a>1</a>'])
  }
})

test('setSerializerCompiler refuses what is no function', () => {
  assert.throws(() => untyped().setSerializerCompiler(null), {
    code: 'ESP_ERR_FUNCTION_EXPECTED',
    message: 'serializerCompiler in root takes a function, but was given null',
  })
})
