// The content type of a reply for which none was set, where the response declares one.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import espalier, { t, type HookFor } from '../../src/index.ts'
import { client } from '../../src/client/client.ts'
import { deepFreeze, untyped, untypedFastify } from '../support/untyped.ts'

const text = { schema: { type: 'string' } }
const object = { schema: { a: { type: 'integer' } } }
const plain = 'text/plain; charset=utf-8'
const json = 'application/json; charset=utf-8'
const octets = 'application/octet-stream'

type Make = (options?: object) => ReturnType<typeof untyped>

/** The content type and the body of a reply with this payload, by the `content` of status 200. */
async function sent(content: object, payload: unknown, make: Make = untyped) {
  const schema = deepFreeze({ response: { 200: { content } } })
  const app = make().get('/', { schema }, async (_request, reply) => reply.send(payload))
  const { headers, body } = await app.inject('/')
  return [headers['content-type'], body]
}

test('a string leaves under the only type that is declared: it left as text/plain, which was not', async () => {
  assert.deepEqual(await sent({ 'text/csv': text }, 'a,b'), ['text/csv; charset=utf-8', 'a,b'])
  assert.deepEqual(await sent({ 'text/html': {} }, '<p>'), ['text/html; charset=utf-8', '<p>'])
  assert.deepEqual(await sent({ 'application/xml': text }, '<a/>'), ['application/xml', '<a/>'])
  const latin = 'Text/CSV; charset=latin1'
  assert.deepEqual(await sent({ [latin]: text }, 'a,b'), [latin, 'a,b'])
})

for (const [what, payload] of [
  ['bytes leave', () => Buffer.from('x')],
  ['a stream leaves', () => Readable.from(['x'])],
  ['a web stream leaves', () => new Blob(['x']).stream()],
] as const) {
  test(`${what} under the only type that is declared, be it JSON`, async () => {
    for (const [type, expected] of [
      ['image/png', 'image/png'],
      ['text/csv', 'text/csv; charset=utf-8'],
      ['application/json', json],
    ] as const) {
      assert.deepEqual(await sent({ [type]: {} }, payload()), [expected, 'x'])
    }
    assert.deepEqual(await sent({ 'image/*': {} }, payload()), [octets, 'x'])
    assert.deepEqual(await sent({ '*/*': {} }, payload()), [octets, 'x'])
  })
}

test('an object leaves under the only type that is declared, with the charset that reply.type gives it', async () => {
  for (const [type, expected] of [
    ['application/vnd.api+json', 'application/vnd.api+json'],
    ['application/json', json],
    ['application/json;charset=utf-8', 'application/json;charset=utf-8'],
  ] as const) {
    assert.deepEqual(await sent({ [type]: object }, { a: 1, b: 2 }), [expected, '{"a":1}'])
  }
})

test('a string is no JSON because JSON alone is declared: it leaves as text', async () => {
  for (const type of ['application/json', 'application/vnd.api+json']) {
    assert.deepEqual(await sent({ [type]: text }, 'a'), [plain, 'a'])
  }
})

test('where several types are declared, or any, a string leaves as text', async () => {
  for (const others of [{ 'text/html': text }, { 'application/json': object }, { '*/*': text }]) {
    assert.deepEqual(await sent({ 'text/csv': text, ...others }, 'a,b'), [plain, 'a,b'])
  }
  assert.deepEqual(await sent({ '*/*': text }, 'a,b'), [plain, 'a,b'])
  assert.deepEqual(await sent({ 'text/*': text }, 'a,b'), [plain, 'a,b'])
})

test('a type that was set is kept, and that of another status is none', async () => {
  const schema = {
    response: {
      200: { content: { 'text/csv': text } },
      '4xx': { content: { 'text/html': text } },
      404: text.schema,
      500: { description: 'words', headers: { 'x-a': text.schema } },
    },
  }
  const typed: HookFor<'onRequest'> = async (_request, reply) => void reply.type('a/b')
  const app = untyped()
    .get('/set', { schema }, (_request, reply) => reply.type('text/tab-separated-values').send('a'))
    .get('/hook', { schema, onRequest: typed }, () => 'a')
    .get('/:status', { schema }, ({ params }, reply) => reply.code(params.status).send('a'))
  for (const [url, type] of [
    ['/set', 'text/tab-separated-values; charset=utf-8'],
    ['/hook', 'a/b'],
    ['/200', 'text/csv; charset=utf-8'],
    ['/418', 'text/html; charset=utf-8'],
    ['/404', plain],
    ['/201', plain],
    ['/500', plain],
  ] as const) {
    assert.equal((await app.inject(url)).headers['content-type'], type, url)
  }
})

test('nothing, and what a Response says of itself, has no other type', async () => {
  assert.deepEqual(await sent({ 'text/csv': text }, undefined), [undefined, ''])
  const response = new Response('a', { headers: { 'content-type': 'text/x' } })
  assert.deepEqual(await sent({ 'text/csv': text }, response), ['text/x', 'a'])
})

test('a caller finds text under a type that is neither text nor JSON, where it is no JSON', async () => {
  const app = espalier()
    .get(
      '/xml',
      { schema: { response: { 200: { content: { 'application/xml': { schema: t.String() } } } } } },
      () => '<a/>',
    )
    .get('/broken', (_request, reply) => reply.type('application/json').send('<a/>'))
  assert.equal((await app.inject('GET /xml')).json(), '<a/>')
  const broken = await app.inject('GET /broken')
  assert.throws(() => broken.json(), SyntaxError)
  const fetched = client<typeof app>('http://here', {
    fetch: async () => new Response('<a/>', { headers: { 'content-type': 'application/xml' } }),
  })
  assert.equal((await fetched('GET /xml')).json(), '<a/>')
})

test('a caller finds text under a text type, whatever it was made of: types said rows, and a number', async () => {
  const rows = t.Array(t.Object({ id: t.Integer() }))
  const app = espalier()
    .setSerializerCompiler(({ contentType }) =>
      contentType === 'text/csv'
        ? (ids: { id: number }[]) => ids.map(({ id }) => id).join()
        : JSON.stringify,
    )
    .get(
      '/rows',
      { schema: { response: { 200: { content: { 'text/csv': { schema: rows } } } } } },
      () => [{ id: 1 }, { id: 2 }],
    )
    .get(
      '/number',
      { schema: { response: { 200: { content: { 'text/plain': { schema: t.Integer() } } } } } },
      () => 5,
    )
  const made: string = (await app.inject('GET /rows')).json()
  const number: string = (await app.inject('GET /number')).json()
  assert.deepEqual([made, number], ['1,2', '5'])
})

const xml = (payload: unknown) => `<a>${JSON.stringify(payload)}</a>`

/** The content types of replies that the serializer of a reply, and of a scope, has made. */
async function serialized(content: object, make: Make = untyped) {
  const schema = deepFreeze({ response: { 200: { content }, 404: object.schema } })
  const app = make()
    .get('/reply', { schema }, (_request, reply) => reply.serializer(xml).send({ a: 1 }))
    .get('/text', { schema }, (_request, reply) => reply.serializer(xml).send('a'))
    .get('/other', { schema }, (_request, reply) => reply.code(404).serializer(xml).send({ a: 1 }))
    .register(
      async (child) =>
        void child.setReplySerializer(xml).get('/scope', { schema }, () => ({ a: 1 })),
    )
  const types: unknown[] = []
  for (const url of ['/reply', '/scope', '/text', '/other']) {
    const { headers, body } = await app.inject(url)
    assert.match(body, /^<a>.*<\/a>$/)
    types.push(headers['content-type'])
  }
  return types
}

test('what the serializer of a reply or of a scope makes leaves under the only type that is declared: it left as JSON', async () => {
  const one = { 'application/xml': object }
  const type = 'application/xml'
  assert.deepEqual(await serialized(one), [type, type, type, json])
  assert.deepEqual(await serialized(one, untypedFastify), [json, json, json, json])
})

test('it leaves as JSON where several types are declared, or any', async () => {
  for (const content of [{ 'application/xml': object, 'text/xml': object }, { '*/*': object }]) {
    assert.deepEqual(await serialized(content), [json, json, json, json])
  }
})

test('for Fastify a string is text, and bytes are bytes, whatever one type is declared', async () => {
  const make = untypedFastify
  assert.deepEqual(await sent({ 'text/csv': text }, 'a,b', make), [plain, 'a,b'])
  assert.deepEqual(await sent({ 'image/png': {} }, Buffer.from('a'), make), [octets, 'a'])
})
