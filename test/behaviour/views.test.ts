// What types-test/views.test-d.ts says of the views of a schema, asked of a server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier, { t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

const User = t.Object({ id: t.Integer() })
const json = (value: unknown) => ({ toJSON: () => value })
const day = t.String({ format: 'date' })
const date = new Date(2020, 0, 2, 3, 4, 5)

/** What a client receives when a handler replies with this payload. */
async function send(schema: object, payload: unknown): Promise<unknown> {
  const app = untyped().get('/', { schema: { response: { 200: schema } } }, () => payload)
  const [response] = await silenced(() => app.inject('/'))
  await app.close()
  return response.statusCode === 200 ? response.json() : 'refused'
}

const event = t.Object({
  id: t.Integer(),
  at: t.String({ format: 'date-time' }),
  size: t.Integer({ default: 1 }),
  note: t.Optional(t.String({ default: '' })),
  tag: t.Optional(t.String()),
})
const either = t.Union([t.Object({ a: t.Integer({ default: 1 }), b: t.Optional(User) }), t.Null()])

const replies: readonly (readonly [string, object, payload: unknown, received: unknown])[] = [
  ['defaults', event, { id: 1, at: 'x' }, { id: 1, at: 'x', size: 1, note: '' }],
  ['what is missing', event, { at: 'x' }, 'refused'],
  ['a date-time', t.Array(t.String({ format: 'date-time' })), [date], [date.toISOString()]],
  ['a date', t.Array(day), [date], ['2020-01-02']],
  ['a time', t.Array(t.String({ format: 'time' })), [date], ['03:04:05']],
  ['a date by plain JSON Schema', { type: ['string', 'null'], format: 'date' }, date, '2020-01-02'],
  ['a date in a tuple', t.Tuple([day]), [date], ['2020-01-02']],
  ['a date in a record', t.Record(t.String(), day), { a: date }, { a: '2020-01-02' }],
  ['a date in a union', t.Array(t.Union([day, t.Null()])), [date, null], ['2020-01-02', null]],
  ['an object with toJSON', User, json({ id: 1, x: 2 }), { id: 1 }],
  ['objects with toJSON in a list', t.Array(User), [json({ id: 1 })], [{ id: 1 }]],
  ['one in a tuple', t.Tuple([User]), [json({ id: 1 })], [{ id: 1 }]],
  ['one in one', t.Object({ a: User }), json({ a: json({ id: 1 }) }), { a: { id: 1 } }],
  [
    'one of an intersection',
    t.Intersect([User, t.Object({ b: t.Integer() })]),
    json({ id: 1, b: 1 }),
    { id: 1, b: 1 },
  ],
  ['one in a union', either, json({ a: 1 }), 'refused'],
  ['one below a union', either, { a: 1, b: json({ id: 1 }) }, 'refused'],
  ['a default that a union lacks', either, {}, 'refused'],
  [
    'a default that an item behind the listed ones lacks',
    {
      type: 'array',
      items: [t.Object({ n: t.Integer({ default: 1 }) })],
      additionalItems: t.Object({ n: t.Integer({ default: 1 }) }),
    },
    [{}, {}],
    [{ n: 1 }, {}],
  ],
  ['a list with toJSON', t.Array(User), json([{ id: 1 }]), 'refused'],
  ['a number with toJSON', t.Integer(), json(1), 'refused'],
  ['text with toJSON', t.Array(t.String()), [json('x')], ['[object Object]']],
  ['a boolean with toJSON', t.Array(t.Boolean()), [json(false)], [true]],
]
for (const [name, schema, payload, received] of replies) {
  test(`as a payload, the serializer gives of ${name} what its type says`, async () => {
    assert.deepEqual(await send(schema, payload), received)
  })
}

const search = espalier().get(
  '/:id/:on',
  {
    schema: {
      params: { id: t.Integer(), on: t.Boolean() },
      querystring: {
        n: t.Optional(t.Number()),
        on: t.Optional(t.Boolean()),
        none: t.Optional(t.Null()),
        list: t.Optional(t.Array(t.Integer())),
        one: t.Optional(t.Literal(1)),
        kind: t.Optional(t.Union([t.Literal('a'), t.Literal('b')])),
        either: t.Optional(t.Union([t.Integer(), t.Null()])),
      },
    },
  },
  ({ params, query }) => ({ ...params, ...query }),
)
type Query = NonNullable<NonNullable<Parameters<typeof search.inject<'GET /:id/:on'>>[1]>['query']>

const queries: readonly (readonly [Query, read: object])[] = [
  [{ n: '1.5' }, { n: 1.5 }],
  [{ n: 1.5 }, { n: 1.5 }],
  [{ n: '1e3' }, { n: 1000 }],
  [{ on: 'false' }, { on: false }],
  [{ on: true }, { on: true }],
  [{ none: '' }, { none: null }],
  [{ none: null }, { none: null }],
  [{ list: '1' }, { list: [1] }],
  [{ list: 1 }, { list: [1] }],
  [{ list: ['1', 2] }, { list: [1, 2] }],
  [{ one: 1 }, { one: 1 }],
  [{ kind: 'a' }, { kind: 'a' }],
  [{ either: 2 }, { either: 2 }],
  [{ either: '' }, { either: null }],
]
for (const [query, read] of queries) {
  test(`the query ${JSON.stringify(query)} is read as ${JSON.stringify(read)}`, async () => {
    const params = { id: '5', on: 'true' } as const
    const response = await search.inject('GET /:id/:on', { params, query })
    assert.deepEqual(response.json(), { id: 5, on: true, ...read })
  })
}

test('what the type of a query does not have is refused', async () => {
  for (const text of ['n=x', 'on=1', 'none=null', 'list=x', 'one=2', 'kind=c', 'either=x']) {
    assert.equal((await search.inject(`/5/true?${text}`)).statusCode, 400, text)
  }
  assert.equal((await search.inject('/5/yes')).statusCode, 400)
  assert.equal((await search.inject('/x/true')).statusCode, 400)
})
