// An application with schemas of all kinds, which tells what it answers: `node neighbours.mjs [compiled module]`.
// With `--no-formats`, and with a compiled module, it has no formats of its own: they are functions, which no module can have.
import { pathToFileURL } from 'node:url'
import espalier, { t } from 'espalier'

const item = t.Object(
  { id: t.Integer(), made: t.Optional(t.String({ format: 'date-time' })) },
  { $id: 'item' },
)
const day = t
  .Transform(t.String({ format: 'date' }))
  .Decode((text) => new Date(text))
  .Encode((date) => date.toISOString().slice(0, 10))
const kinds = t.Union([
  t.Object({ kind: t.Literal('a'), at: t.Integer() }),
  t.Object({ kind: t.Literal('b'), at: t.String({ format: 'email' }) }),
])
const body = t.Object({
  item: t.Ref('item#'),
  day,
  kinds: t.Array(kinds, { uniqueItems: true }),
})

export function build({ compiled } = {}) {
  return espalier({ compiled, compile: 'eager' })
    .addSchema(item)
    .post(
      '/all/:id',
      { schema: { params: { id: t.Integer() }, body, response: { 200: body } } },
      (request) => request.body,
    )
    .get(
      '/values',
      {
        schema: {
          querystring: { as: t.Union([t.Literal('same'), t.Literal('other'), t.Literal('date')]) },
          response: {
            200: t.Object({
              same: t.Unsafe({ const: { x: 1, y: ['z'] } }),
              at: t.Union([
                t.Object({ a: t.Optional(t.Integer()) }),
                t.String({ format: 'date-time' }),
              ]),
              day: t.Optional(t.Unsafe({ type: 'string', format: 'date' })),
              items: t.Record(t.String({ pattern: '^i' }), t.Union([t.Ref('item#'), t.Null()])),
            }),
          },
        },
      },
      ({ query }) => ({
        same: { y: ['z'], x: query.as === 'other' ? 2 : 1 },
        at: query.as === 'date' ? new Date(0) : { a: 1 },
        day: new Date(0),
        items: { i1: { id: 1, made: new Date(0) }, i2: null },
      }),
    )
}

const valid = {
  item: { id: '1' },
  day: '2024-02-29',
  kinds: [
    { kind: 'a', at: '2' },
    { kind: 'b', at: 'a@b.org' },
  ],
}
const bodies = [
  valid,
  { ...valid, day: 'today' },
  { ...valid, item: { id: 1, made: 'yesterday' } },
  { ...valid, kinds: [{ kind: 'b', at: 'nobody' }] },
  {
    ...valid,
    kinds: [
      { kind: 'a', at: 1 },
      { at: 1, kind: 'a' },
    ],
  },
]

function buildWithFormats() {
  const formats = {
    upper: /^[A-Z]+$/,
    even: { type: 'number', validate: (value) => value % 2 === 0 },
  }
  const either = t.Union([
    t.String({ format: 'upper' }),
    t.Object({ n: t.Integer({ format: 'even' }) }),
  ])
  return espalier({ ajv: { customOptions: { formats } } }).post(
    '/own',
    { schema: { body: { value: either }, response: { 200: t.Object({ value: either }) } } },
    ({ body }) => body,
  )
}

async function tell(file) {
  const compiled = file?.endsWith('.mjs') && (await import(pathToFileURL(file).href)).default
  const app = build({ compiled: compiled || undefined })
  const answers = []
  for (const payload of bodies)
    answers.push(await app.inject({ method: 'POST', url: '/all/7', payload }))
  for (const as of ['same', 'other', 'date'])
    answers.push(await app.inject({ url: '/values', query: { as } }))
  const own = buildWithFormats()
  for (const value of file ? [] : ['ABC', 'abc', { n: 2 }, { n: 3 }]) {
    answers.push(await own.inject({ method: 'POST', url: '/own', payload: { value } }))
  }
  console.log(
    JSON.stringify(
      answers.map(({ statusCode, body }) => [statusCode, JSON.parse(body)]),
      undefined,
      1,
    ),
  )
}

if (process.argv[1] === import.meta.filename) await tell(process.argv[2])
