// `content` in the schema of a body: the body is of any of its types.
import espalier, { defineRoute, t, type InjectArguments, type RouteKey } from 'espalier'
import { client } from 'espalier/client'
import { Readable } from 'node:stream'
import { expectError, expectType } from 'tsd'

const content = {
  'application/json': { schema: { count: t.Integer({ default: 1 }) } },
  'text/plain': { schema: t.String() },
  'application/x-list': { schema: t.Ref('tags#') },
} as const

const app = espalier()
  .addSchema(t.Array(t.Integer(), { $id: 'tags' }))
  .post('/', { schema: { body: { content } } }, (request) => {
    expectType<{ count: number } | string | number[]>(request.body)
    expectError(request.body.count)
    return null
  })

// A call may give any of them, and says which by its header; without one it is JSON.
const list = { 'content-type': 'application/x-list' } as const
await app.inject('POST /', { body: {} })
await app.inject('POST /', { headers: { authorization: 'x' }, body: { count: 1 } })
await app.inject('POST /', { headers: { 'content-type': 'application/json' }, body: {} })
await app.inject('POST /', {
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: {},
})
await app.inject('POST /', {
  headers: { 'content-type': 'text/plain', authorization: 'x' },
  body: 'a',
})
await app.inject('POST /', {
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'a',
})
await app.inject('POST /', { headers: { 'Content-Type': 'text/plain' }, body: 'a' })
expectError(app.inject('POST /', { headers: { 'Content-Type': 'text/plain' }, body: {} }))
expectError(app.inject('POST /', { body: { count: 'x' } }))
expectError(app.inject('POST /', { body: 'text' }))
expectError(app.inject('POST /', { body: [1] }))
expectError(app.inject('POST /', { headers: { authorization: 'x' }, body: 'text' }))
expectError(app.inject('POST /', { headers: { 'content-type': 'text/plain' }, body: {} }))
expectError(app.inject('POST /', { headers: { 'content-type': 'application/json' }, body: 'a' }))
expectError(app.inject('POST /', { headers: { 'content-type': 'text/csv' }, body: 'a' }))
expectError(app.inject('POST /', { headers: { 'content-type': 'text/plain' } }))

// What is not JSON goes as it is given, whatever its parser makes of it.
await app.inject('POST /', { headers: list, body: '1,2' })
await app.inject('POST /', { headers: list, body: new Uint8Array(1) })
expectError(app.inject('POST /', { headers: list, body: [1] }))

// So does what else fetch takes; a form is of one type, and JSON of none of these.
const form = espalier().post(
  '/',
  {
    schema: {
      body: { content: { 'multipart/form-data': { schema: t.Object({ a: t.String() }) } } },
    },
  },
  () => 1,
)
const multipart = { 'content-type': 'multipart/form-data' } as const
for (const body of [
  new Blob([]),
  new File([], 'x'),
  new URLSearchParams(),
  new Blob([]).stream(),
  Readable.from([]),
  new ArrayBuffer(1),
  new DataView(new ArrayBuffer(1)),
]) {
  await app.inject('POST /', { headers: list, body })
  await client<typeof app>('')('POST /', { headers: list, body })
  await form.inject('POST /', { headers: multipart, body })
}
await form.inject('POST /', { headers: multipart, body: new FormData() })
await client<typeof form>('')('POST /', { headers: multipart, body: new FormData() })
expectError(form.inject('POST /', { body: new FormData() }))
await form.inject('POST /', { headers: multipart, body: { a: 'x' } })
expectError(form.inject('POST /', { headers: multipart, body: { b: 'x' } }))
expectError(form.inject('POST /', { headers: multipart, body: new Map() }))
expectError(form.inject('POST /', { headers: multipart, body: new Response() }))
expectError(app.inject('POST /', { headers: list, body: new FormData() }))
expectError(app.inject('POST /', { headers: list, body: new Map() }))
expectError(app.inject('POST /', { body: new Blob([]) }))
expectError(app.inject('POST /', { body: new FormData() }))
expectError(app.inject('POST /', { body: new URLSearchParams() }))

// The same for clients.
const api = client<typeof app>('https://example.org')
await api('POST /', { body: { count: 1 } })
await api('POST /', { headers: { 'content-type': 'text/plain' }, body: 'a' })
expectError(api('POST /', { body: 'a' }))
expectError(api('POST /', { headers: list, body: [1] }))

// The header is beside those of a schema.
const several = espalier()
  .post(
    '/own',
    {
      schema: {
        headers: { 'x-n': t.Integer() },
        body: { content: { 'Text/Plain; charset=utf-8': { schema: t.Integer() } } },
      },
    },
    () => 1,
  )
  .post(
    '/json',
    { schema: { body: { content: { 'application/json': { schema: t.String() } } } } },
    () => 1,
  )
  .post(
    '/vendor',
    { schema: { body: { content: { 'a/b+json': { schema: t.Array(t.Null()) } } } } },
    () => 1,
  )
  .post(
    '/none',
    {
      schema: {
        body: { content: { 'text/plain': { schema: t.Union([t.Literal('a'), t.Null()]) } } },
      },
    },
    () => 1,
  )
  .post('/any', { schema: { body: { content: { '*/*': { schema: t.Literal('a') } } } } }, () => 1)
  .post(
    '/other',
    {
      schema: {
        body: {
          content: { 'application/json': { schema: t.Null() }, '*/*': { schema: t.Literal('a') } },
        },
      },
    },
    () => 1,
  )
await several.inject('POST /own', {
  headers: { 'x-n': 1, 'content-type': 'Text/Plain; charset=utf-8' },
  body: 1,
})
await several.inject('POST /own', {
  headers: { 'x-n': 1, 'content-type': 'text/plain' },
  body: 1,
})
expectError(several.inject('POST /own', { headers: { 'content-type': 'text/plain' }, body: 1 }))
expectError(several.inject('POST /own', { headers: { 'x-n': 1 }, body: 1 }))
await several.inject('POST /json', { body: 'a' })
await several.inject('POST /json', { headers: { 'content-type': 'application/json' }, body: 'a' })
await several.inject('POST /vendor', { headers: { 'content-type': 'a/b+json' }, body: [null] })
expectError(several.inject('POST /vendor', { body: [null] }))
expectError(
  several.inject('POST /vendor', { headers: { 'content-type': 'a/b+json' }, body: '[null]' }),
)

// Without a body there is no type.
await several.inject('POST /none')
await several.inject('POST /none', { headers: { authorization: 'x' } })
await several.inject('POST /none', { headers: { 'content-type': 'text/plain' }, body: 'a' })
expectError(several.inject('POST /none', { body: 'a' }))
expectError(several.inject('POST /none', { headers: { 'content-type': 'text/plain' }, body: 'b' }))

// Where any type is taken, JSON is.
await several.inject('POST /any', { body: 'a' })
await several.inject('POST /any', { headers: { 'content-type': 'x/y' }, body: 'a' })
expectError(several.inject('POST /any', { body: 'b' }))
expectError(several.inject('POST /other'))
await several.inject('POST /other', { body: null })
await several.inject('POST /other', { headers: { 'content-type': 'x/y' }, body: 'a' })
expectError(several.inject('POST /other', { body: 'a' }))

// A function around a call takes what it takes.
const call = <Key extends RouteKey<typeof app>>(
  key: Key,
  ...input: InjectArguments<typeof app, Key>
) => app.inject(key, ...input)
await call('POST /', { headers: list, body: '1' })
expectError(call('POST /', { body: '1' }))

// A media type without a schema may be anything, which is refused at boot.
espalier().post(
  '/',
  { schema: { body: { content: { 'a/b': {}, 'a/c': { schema: t.Null() } } } } },
  (request) => {
    expectType<unknown>(request.body)
    return null
  },
)

// Plain JSON Schema is read in the same way.
const plain = {
  body: { content: { 'a/b': { schema: { type: 'array', items: { type: 'string' } } } } },
} as const
espalier().put('/', { schema: plain }, (request) => {
  expectType<string[]>(request.body)
  return null
})

// A property of that name is a property.
espalier().post('/', { schema: { body: { content: t.String(), tag: t.Null() } } }, (request) => {
  expectType<{ content: string; tag: null }>(request.body)
  return null
})
espalier().post('/', { schema: { body: t.Object({ content: t.Null() }) } }, (request) => {
  expectType<{ content: null }>(request.body)
  return null
})

// References of each entry are checked.
expectError(
  espalier().post(
    '/',
    { schema: { body: { content: { 'a/b': { schema: t.Ref('none#') } } } } },
    () => null,
  ),
)

// The schema of a media type belongs under `schema`.
expectError(
  espalier().post('/', { schema: { body: { content: { 'a/b': t.String() } } } }, () => null),
)

// Other parts have one schema only; so has a method without a body.
expectError(espalier().get('/', { schema: { body: { content } } }, () => null))

export const route = defineRoute({
  method: 'POST',
  url: '/',
  schema: { body: { content: { 'text/plain': { schema: t.String() } } } },
  handler: (request) => request.body.length,
})
