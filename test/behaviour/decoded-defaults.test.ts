// What the functions of a t.Transform are given around schemas with defaults, and what they may leave out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from '@sinclair/typebox'
import espalier, { t } from '../../src/index.ts'

const Sized = t.Object({ size: t.Optional(t.Integer({ default: 20 })) })
const Named = t.Object({ name: t.Optional(t.String()) })

/** What a handler reads of a body. */
async function read(schema: TSchema, payload: object): Promise<unknown> {
  const app = espalier().post('/', { schema: { body: schema } }, ({ body }) => ({ body }))
  const response = await app.inject({ method: 'POST', url: '/', payload })
  assert.equal(response.statusCode, 200, response.payload)
  return response.json<{ body: unknown }>().body
}

const decoding: readonly (readonly [string, TSchema, sent: object, read: unknown])[] = [
  [
    'an object',
    t
      .Transform(t.Object({ page: t.Integer({ default: 2 }), size: Sized.properties.size }))
      .Decode(({ page, size }) => page * size)
      .Encode((size) => ({ page: 1, size })),
    {},
    40,
  ],
  [
    'a list',
    t
      .Transform(t.Array(Sized))
      .Decode((rows) => rows.map(({ size }) => size + 1))
      .Encode((sizes) => sizes.map((size) => ({ size }))),
    [{}, { size: 1 }],
    [21, 2],
  ],
  [
    'a record',
    t
      .Transform(t.Record(t.String(), Sized))
      .Decode((rows) => Object.values(rows).map(({ size }) => size + 1))
      .Encode(() => ({})),
    { a: {} },
    [21],
  ],
  [
    'a tuple',
    t
      .Transform(t.Tuple([Sized]))
      .Decode(([{ size }]) => size + 1)
      .Encode((size) => [{ size }]),
    [{}],
    21,
  ],
  [
    'what is made of an object',
    t
      .Transform(t.Partial(t.Object({ a: t.Integer({ default: 1 }) })))
      .Decode(({ a }) => a + 1)
      .Encode((a) => ({ a })),
    {},
    2,
  ],
  [
    'objects that are put together',
    t
      .Transform(t.Composite([Sized, Named]))
      .Decode(({ size, name = 'none' }) => [size + 1, name])
      .Encode(() => ({})),
    {},
    [21, 'none'],
  ],
  [
    'an intersection',
    t
      .Transform(t.Intersect([Sized, Named]))
      .Decode(({ size, name = 'none' }) => [size + 1, name])
      .Encode(() => ({})),
    {},
    [21, 'none'],
  ],
  [
    'another transform',
    t
      .Transform(
        t
          .Transform(Sized)
          .Decode(({ size }) => size)
          .Encode((size) => ({ size })),
      )
      .Decode((size) => size + 1)
      .Encode((size) => size),
    {},
    21,
  ],
]
for (const [place, schema, sent, expected] of decoding) {
  test(`defaults are there when ${place} is decoded`, async () => {
    assert.deepEqual(await read(schema, sent), expected)
  })
}

test('the parts in a URL are coerced before they are decoded', async () => {
  const Page = t
    .Transform(t.Object({ page: t.Integer({ default: 1 }), size: Sized.properties.size }))
    .Decode(({ page, size }) => [page + 1, size + 1])
    .Encode(() => ({ page: 1 }))
  const app = espalier().get('/', { schema: { querystring: Page } }, ({ query }) => query)
  assert.deepEqual((await app.inject('/?page=2')).json(), [3, 21])
})

test('what an Encode leaves out is filled in, or is left out, also inside of a union', async () => {
  const Whole = t
    .Transform(
      t.Object({
        size: Sized.properties.size,
        name: t.Optional(t.String()),
        at: t.Optional(t.String({ format: 'date' })),
      }),
    )
    .Decode(({ size }) => ({ size }))
    .Encode(({ size }) => ({ name: undefined, ...(size > 1 && { size, at: new Date(0) }) }))
  const schema = t.Object({ one: Whole, other: t.Union([Whole, t.Null()]) })
  const app = espalier()
    .get('/least', { schema: { response: { 200: schema } } }, () => ({
      one: { size: 1 },
      other: { size: 1 },
    }))
    .get('/most', { schema: { response: { 200: schema } } }, () => ({
      one: { size: 2 },
      other: { size: 2 },
    }))
  const least = { size: 20 }
  assert.deepEqual((await app.inject('/least')).json(), { one: least, other: least })
  const most = { size: 2, at: '1970-01-01' }
  assert.deepEqual((await app.inject('/most')).json(), { one: most, other: most })
})
