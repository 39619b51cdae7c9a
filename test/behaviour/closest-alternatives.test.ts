// Which alternative counts where a value fits several objects: the one that lists all of its fields.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import espalier, { fastify, t, type TProperties } from '../../src/index.ts'
import { untyped } from '../support/untyped.ts'

const Summary = t.Object({ id: t.Integer() })
const Detail = t.Object({ id: t.Integer(), guests: t.Array(t.String()) })
const detail = { id: 1, guests: ['Ada'] }
const either = (first: TProperties, second: TProperties) =>
  t.Union([t.Object(first), t.Object(second)])
const id = t.Integer()
const text = t.Optional(t.String())

const sent: Record<string, [schema: object, payload: unknown, body: unknown]> = {
  'of the second': [t.Union([Summary, Detail]), detail, detail],
  'of the first': [t.Union([Detail, Summary]), detail, detail],
  'of the smaller one': [t.Union([Summary, Detail]), { id: 1 }, { id: 1 }],
  'of oneOf': [{ oneOf: [Summary, Detail] }, detail, detail],
  'of references': [t.Union([t.Ref('summary#'), t.Ref('detail#')]), detail, detail],
  'inside of a list': [
    t.Array(t.Union([Summary, Detail])),
    [{ id: 2 }, detail],
    [{ id: 2 }, detail],
  ],
  'inside of an alternative': [t.Union([t.Null(), t.Union([Summary, Detail])]), detail, detail],
  'with an optional field of its own': [
    either({ id, a: text }, { id, b: text }),
    { id: 1, b: 'x' },
    { id: 1, b: 'x' },
  ],
  'with fields that no alternative has': [
    t.Union([Summary, Detail]),
    { ...detail, password: 'x' },
    { id: 1 },
  ],
  'beside one of another kind': [
    either({ kind: t.Literal('a'), n: id }, { kind: t.Literal('b'), m: id }),
    { kind: 'b', m: 1, n: 2 },
    { kind: 'b', m: 1 },
  ],
  'with a field that is undefined': [
    t.Union([Summary, Detail]),
    { id: 1, guests: undefined },
    { id: 1 },
  ],
  'with a date': [
    either({ id }, { id, at: t.String({ format: 'date-time' }) }),
    { id: 1, at: new Date(0) },
    { id: 1, at: '1970-01-01T00:00:00.000Z' },
  ],
}
for (const [what, [schema, payload, body]] of Object.entries(sent)) {
  test(`a payload ${what} is written by the alternative that has its fields: the first that it fits dropped the others'`, async () => {
    const app = untyped()
      .addSchema({ $id: 'summary', ...Summary })
      .addSchema({ $id: 'detail', ...Detail })
    app.get('/', { schema: { response: { 200: schema } } }, () => payload)
    assert.deepEqual((await app.inject('/')).json(), body)
  })
}

test('a tree of alternatives is written with all of its fields', async () => {
  const tree = {
    $id: 'tree',
    anyOf: [
      { type: 'object', properties: { leaf: { type: 'string' } } },
      {
        type: 'object',
        properties: { leaf: { type: 'string' }, nodes: { type: 'array', items: { $ref: '#' } } },
      },
    ],
  }
  const payload = { leaf: 'a', nodes: [{ leaf: 'b' }, { nodes: [{ leaf: 'c', nodes: [] }] }] }
  const app = untyped().addSchema(tree)
  app.get('/', { schema: { response: { 200: { $ref: 'tree#' } } } }, () => payload)
  assert.deepEqual((await app.inject('/')).json(), payload)
})

test('in the place of fastify the first alternative counts that the payload fits, as there', async () => {
  const schema = { response: { 200: t.Union([Summary, Detail]) } }
  const app = fastify().get('/', { schema }, () => detail)
  assert.deepEqual((await app.inject('GET /')).json(), { id: 1 })
})

test('what a Transform decodes and encodes is that of the alternative that has the fields of a value', async () => {
  const Day = t
    .Transform(t.String({ format: 'date' }))
    .Decode((day) => new Date(day))
    .Encode((day) => day.toISOString().slice(0, 10))
  const Stay = t.Union([t.Object({ room: id }), t.Object({ room: id, from: Day })])
  const app = espalier().post(
    '/',
    { schema: { body: Stay, response: { 200: Stay } } },
    ({ body }) =>
      'from' in body ? { room: 2, from: new Date(body.from.getTime() + 86_400_000) } : body,
  )
  const send = async (body: { room: number; from?: string }) =>
    (await app.inject({ method: 'POST', url: '/', payload: body })).json()
  assert.deepEqual(await send({ room: 1, from: '2026-01-01' }), { room: 2, from: '2026-01-02' })
  assert.deepEqual(await send({ room: 1 }), { room: 1 })
})
