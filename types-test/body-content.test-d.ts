// `content` in the schema of a body: the body is of any of its types.
import espalier, { defineRoute, t } from 'espalier'
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

// A client may give any of them.
app.inject('POST /', { body: {} })
app.inject('POST /', { body: 'text' })
app.inject('POST /', { body: [1] })
expectError(app.inject('POST /', { body: { count: 'x' } }))

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
