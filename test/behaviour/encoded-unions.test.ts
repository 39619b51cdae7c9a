// Unions with a t.Transform in replies: which member a returned value is of, and what is sent for it.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import type { Ajv } from 'ajv'
import espalier, { t } from '../../src/index.ts'
import { untyped } from '../support/untyped.ts'

const { default: unevaluated } = createRequire(import.meta.url)(
  'ajv/dist/vocabularies/unevaluated/index.js',
)

const iso = '2020-01-02T03:04:05.000Z'
const date = new Date(iso)

// Their functions make something of any value, as such functions often do.
const Big = t
  .Transform(t.Integer())
  .Decode((n) => BigInt(n))
  .Encode((b) => Number(b))
const When = t
  .Transform(t.String({ format: 'date-time' }))
  .Decode((s) => new Date(s))
  .Encode((d) => new Date(d).toISOString())
const Csv = t
  .Transform(t.String())
  .Decode((s) => s.split(','))
  .Encode((l) => `${l}`)
const Loud = t
  .Transform(t.String())
  .Decode((s) => s.toLowerCase())
  .Encode((s) => s.toUpperCase())
const Text = t
  .Transform(t.Unknown())
  .Decode((value) => JSON.stringify(value))
  .Encode((text): unknown => JSON.parse(text))

/** What is sent for a value that a handler returns for a schema. */
async function sent(schema: object, v: unknown): Promise<unknown> {
  const app = untyped().get('/', { schema: { response: { 200: { v: schema } } } }, () => ({ v }))
  const response = await app.inject('/')
  assert.equal(response.statusCode, 200, response.payload)
  return response.json<{ v: unknown }>().v
}

const open = t.Object({ id: t.Integer() })
const counted = t.Object({ id: t.Integer(), n: Big })

test('a union gave null, true and 5 to the Encode of another member, and sent what that made of them', async () => {
  const app = espalier()
    .get('/flag', { schema: { response: { 200: { v: t.Union([Big, t.Boolean()]) } } } }, () => ({
      v: true,
    }))
    .get('/when', { schema: { response: { 200: { v: t.Union([When, t.Null()]) } } } }, () => ({
      v: null,
    }))
  assert.deepEqual((await app.inject('GET /flag')).json(), { v: true })
  assert.deepEqual((await app.inject('GET /when')).json(), { v: null })
  assert.equal(await sent(t.Union([Csv, t.Null()]), null), null)
  assert.equal(await sent(t.Union([Csv, t.Integer()]), 5), 5)
  assert.equal(await sent(t.Union([Csv, t.Integer({ nullable: true })]), null), null)
  assert.equal(await sent({ oneOf: [Csv, { type: 'integer' }] }, 5), 5)
})

test('a union inside of a union is asked for its members, by reference too', async () => {
  const late = t.Union([When, t.Null()])
  assert.equal(await sent(t.Union([Csv, late]), null), null)
  assert.equal(await sent(t.Union([late, Big]), 5n), 5)
  const Boxed = t
    .Transform(t.Union([t.Integer(), t.Null()]))
    .Decode((value) => ({ value }))
    .Encode(({ value }) => value)
  assert.equal(await sent(t.Union([Boxed, t.Boolean()]), { value: null }), null)
  const app = untyped()
    .addSchema({ ...late, $id: 'late' })
    .get('/', { schema: { response: { 200: { v: t.Union([Csv, t.Ref('late')]) } } } }, () => ({
      v: null,
    }))
  assert.deepEqual((await app.inject('/')).json(), { v: null })
})

test('the members of a union with a transform are encoded by it, behind others too', async () => {
  assert.equal(await sent(t.Union([Big, t.Boolean()]), 5n), 5)
  assert.equal(await sent(t.Union([t.Null(), When]), date), iso)
  assert.equal(await sent(t.Union([t.Integer(), Csv]), ['a', 'b']), 'a,b')
})

test('items of a list are each of their own member, and a list is of that of its items', async () => {
  const items = t.Array(t.Union([Big, t.Boolean(), t.Null()]))
  assert.deepEqual(await sent(items, [true, 5n, null]), [true, 5, null])
  assert.deepEqual(await sent(t.Union([t.Array(Csv), t.Array(t.Integer())]), [1, 2]), [1, 2])
  assert.deepEqual(await sent(t.Union([Csv, t.Tuple([t.Integer(), t.Null()])]), [1, null]), [
    1,
    null,
  ])
})

test('an object is not encoded by a member with a transform where another says all of its fields', async () => {
  const either = t.Union([t.Object({ v: Csv }), t.Object({ v: t.Integer() })])
  assert.deepEqual(await sent(either, { v: 1 }), { v: 1 })
  assert.deepEqual(await sent(either, { v: ['a'] }), { v: 'a' })
  const joined = t.Intersect([t.Object({ v: t.Integer() }), t.Object({ w: t.Integer() })])
  const beside = t.Union([t.Object({ v: Csv, w: t.Integer() }), joined])
  assert.deepEqual(await sent(beside, { v: 1, w: 2 }), { v: 1, w: 2 })
  const tree = t.Recursive((This) => t.Object({ kids: t.Array(This) }))
  assert.deepEqual(await sent(t.Union([Csv, tree]), { kids: [{ kids: [] }] }), {
    kids: [{ kids: [] }],
  })
  const filled = t.Object({ v: t.Integer(), d: t.Optional(t.Integer({ default: 2 })) })
  assert.deepEqual(await sent(t.Union([t.Object({ v: Csv }), filled]), { v: 1 }), { v: 1, d: 2 })
  assert.deepEqual(await sent(t.Union([Csv, t.Record(t.String(), t.Integer())]), { a: 1 }), {
    a: 1,
  })
})

test('of two members with transforms, the one that leaves more of an object as it stands encodes it', async () => {
  const either = t.Union([t.Object({ v: Csv, at: When }), t.Object({ v: t.Integer(), at: When })])
  assert.deepEqual(await sent(either, { v: 1, at: date }), { v: 1, at: iso })
  assert.deepEqual(await sent(either, { v: ['a'], at: date }), { v: 'a', at: iso })
})

test('a value with no parts that both of two transforms encode is encoded by the first', async () => {
  const Count = t
    .Transform(t.Integer())
    .Decode(String)
    .Encode((text) => Number(text))
  assert.equal(await sent(t.Union([Count, Csv]), '5'), 5)
})

test('an open object does not take the values of an alternative that has more fields, and encodes them', async () => {
  assert.deepEqual(await sent(t.Union([counted, open]), { id: 1, n: 5n }), { id: 1, n: 5 })
  assert.deepEqual(await sent(t.Union([counted, open]), { id: 1 }), { id: 1 })
  const below = t.Union([t.Object({ u: counted }), t.Object({ u: open })])
  assert.deepEqual(await sent(below, { u: { id: 1, n: 5n } }), { u: { id: 1, n: 5 } })
  const map = {
    type: 'object',
    properties: { id: { type: 'integer' } },
    additionalProperties: true,
  }
  assert.deepEqual(await sent({ anyOf: [counted, map] }, { id: 1, n: 5n }), { id: 1, n: 5 })
})

test('a member of any value does not take what a transform is for', async () => {
  assert.equal(await sent(t.Union([Big, t.Unknown()]), 5n), 5)
  assert.deepEqual(
    await sent(t.Union([t.Object({ n: Big }), t.Object({ n: t.Any() })]), { n: 5n }),
    { n: 5 },
  )
})

test('a date is no object without fields', async () => {
  const empty = t.Object({ a: t.Optional(t.Integer()) })
  assert.equal(await sent(t.Union([When, empty]), date), iso)
  assert.deepEqual(await sent(t.Union([Csv, empty]), {}), {})
})

test('what the earlier of two members would decode is encoded by it, so that it leaves as it came', async () => {
  assert.equal(await sent(t.Union([Loud, t.String()]), 'a'), 'A')
  assert.equal(await sent(t.Union([t.String(), Loud]), 'a'), 'a')
  assert.deepEqual(await sent(t.Union([Text, t.String()]), '{"a":1}'), { a: 1 })
  assert.equal(await sent(t.Union([Text, t.String()]), 'no JSON'), 'no JSON')
})

test('instances are of the member that says all of their fields', async () => {
  class Row {
    readonly v = 1
  }
  const either = t.Union([t.Object({ v: Csv }), t.Object({ v: t.Integer() })])
  assert.deepEqual(await sent(either, new Row()), { v: 1 })
})

test("keywords of a user's ajv that are of the same name do not stop the boot", async () => {
  const onCreate = (ajv: Ajv) => void ajv.addVocabulary(unevaluated)
  const schema = { response: { 200: { v: t.Union([Csv, t.Null()]) } } }
  const app = espalier({ ajv: { onCreate } }).get('/', { schema }, () => ({ v: null }))
  assert.deepEqual((await app.inject('GET /')).json(), { v: null })
})

test('a union with an Encode took no member for a Date that its format leaves a part of, and nothing of it left', async () => {
  const day = t.Union([t.Object({ n: Big, day: t.String({ format: 'date' }) }), t.Null()])
  assert.deepEqual(await sent(day, { n: 1n, day: date }), { n: 1, day: '2020-01-02' })
  const time = t.Union([t.Object({ n: Big, time: t.String({ format: 'time' }) }), t.Null()])
  assert.deepEqual(await sent(time, { n: 1n, time: date }), { n: 1, time: '03:04:05' })
})

test('a date beside a transform inside of a union is text, as types say: its object was not encoded, was by another member, or lost fields', async () => {
  const day = t.String({ format: 'date' })
  const Meeting = t.Object({ tags: Csv, on: day })
  const value = { tags: ['a'], on: date }
  const written = { tags: 'a', on: '2020-01-02' }
  assert.deepEqual(await sent(t.Union([Meeting, t.Null()]), value), written)
  assert.deepEqual(await sent({ oneOf: [{ type: 'null' }, Meeting] }, value), written)
  assert.deepEqual(await sent(t.Union([Meeting, t.Object({ on: day })]), value), written)
  assert.deepEqual(await sent(t.Union([t.Array(Meeting), t.Null()]), [value]), [written])
  const counted = t.Union([Meeting, t.Object({ tags: t.Integer(), on: day })])
  assert.deepEqual(await sent(counted, { tags: 1, on: date }), { tags: 1, on: '2020-01-02' })
  const twice = t.Union([Meeting, t.Object({ at: When, on: day })])
  assert.deepEqual(await sent(twice, { at: date, on: date }), { at: iso, on: '2020-01-02' })
  assert.equal(await sent(t.Union([Csv, t.String({ format: 'date-time' })]), date), iso)
})

test('what becomes text as JSON is text only where no transform is for it', async () => {
  class Id {
    toJSON = (): string => 'a1'
    toString = (): string => 'a1'
  }
  const Key = t
    .Transform(t.String())
    .Decode(() => new Id())
    .Encode(() => 'key')
  const Day = t
    .Transform(t.String())
    .Decode((s) => new Date(s))
    .Encode((d) => `day ${d.getUTCDate()}`)
  assert.equal(await sent(t.Union([t.String(), Key]), new Id()), 'key')
  assert.equal(await sent(t.Union([t.String(), Day]), date), 'day 2')
  const held = t.Union([t.Object({ tags: Csv, id: t.String() }), t.Null()])
  assert.deepEqual(await sent(held, { tags: ['b'], id: new Id() }), { tags: 'b', id: 'a1' })
})

test('inside of a union what has a default has to be given, as types say, with a transform as without', async () => {
  for (const at of [When, t.String({ format: 'date-time' })]) {
    const event = t.Object({ at, size: t.Integer({ default: 1 }) })
    const either = t.Union([event, t.Null()])
    assert.deepEqual(await sent(event, { at: date }), { at: iso, size: 1 })
    assert.deepEqual(await sent(either, { at: date, size: 2 }), { at: iso, size: 2 })
    await assert.rejects(sent(either, { at: date }), /"statusCode":500/)
  }
})

test('a value of a union that leads to itself is encoded in work that grows with its depth', async () => {
  let encodings = 0
  const when = t
    .Transform(t.String())
    .Decode((text) => ({ text }))
    .Encode(({ text }) => {
      encodings += 1
      return text
    })
  const Tree = t.Recursive((Self) =>
    t.Union([
      t.Object({ kind: t.Literal(1), when, below: t.Optional(Self) }),
      t.Object({ kind: t.Literal(2), when, below: t.Optional(Self) }),
    ]),
  )
  const app = untyped().post(
    '/',
    { schema: { body: Tree, response: { 200: Tree } } },
    ({ body }) => body,
  )
  const treeOf = (depth: number): object =>
    depth === 0
      ? { kind: 1, when: 'now' }
      : { kind: 1 + (depth % 2), when: 'now', below: treeOf(depth - 1) }
  for (const depth of [4, 8, 64]) {
    encodings = 0
    const response = await app.inject({ method: 'POST', url: '/', payload: treeOf(depth) as never })
    assert.deepEqual(response.json(), treeOf(depth))
    assert.ok(encodings <= 4 * (depth + 1), `${encodings} encodings at depth ${depth}`)
  }
})

test('what an application changes between two replies is encoded anew', async () => {
  const when = t
    .Transform(t.String())
    .Decode((text) => ({ text }))
    .Encode(({ text }) => text)
  const either = t.Union([t.Object({ when }), t.Null()])
  const kept = { when: { text: 'first' } }
  const app = untyped().get('/', { schema: { response: { 200: either } } }, () => kept)
  assert.deepEqual((await app.inject('/')).json(), { when: 'first' })
  kept.when.text = 'second'
  assert.deepEqual((await app.inject('/')).json(), { when: 'second' })
})
