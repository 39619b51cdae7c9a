// Numbers that JSON does not have: a reply with one was sent, with null in its place.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { fastify, t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

const Animal = t.Union([
  t.Object({ kind: t.Literal('cat'), any: t.Any() }),
  t.Object({ kind: t.Literal('dog'), age: t.Number() }),
])
const Doubled = t
  .Transform(t.Number())
  .Decode((n) => n / 2)
  .Encode((n) => n * 2)

const places: Record<string, [schema: object, payload: (n: number) => unknown]> = {
  'at the top': [t.Number(), (n) => n],
  'in a field': [t.Object({ a: t.Object({ n: t.Number() }) }), (n) => ({ a: { n } })],
  'in a list': [t.Array(t.Number()), (n) => [1, n]],
  'in a long list': [t.Array(t.Number()), (n) => [...Array<number>(1000).fill(1), n]],
  'in a tuple': [t.Tuple([t.Integer(), t.Number()]), (n) => [1, n]],
  'in a record': [t.Record(t.String(), t.Number()), (n) => ({ a: n })],
  'in an extra field': [t.Object({}, { additionalProperties: true }), (n) => ({ a: [n] })],
  'in a field that may be null': [t.Object({ n: t.Union([t.Number(), t.Null()]) }), (n) => ({ n })],
  'in a list of types': [{ type: ['number', 'null'] }, (n) => n],
  'in a nullable field': [{ type: 'number', nullable: true }, (n) => n],
  'in t.Any': [t.Object({ any: t.Any() }), (n) => ({ any: { list: [null, n] } })],
  'in t.Unknown at the top': [t.Unknown(), (n) => n],
  'in what toJSON gives': [t.Any(), (n) => [{ toJSON: () => ({ n }) }]],
  'in a union': [Animal, (age) => ({ kind: 'dog', age })],
  'in t.Any of a union': [Animal, (any) => ({ kind: 'cat', any })],
  'in what a transform gives': [t.Object({ n: Doubled }), (n) => ({ n })],
  'in a schema of zod': [z.object({ n: z.any() }), (n) => ({ n })],
  'under a type without a schema': [{ content: { 'application/json': {} } }, (n) => ({ n })],
}
for (const [where, [schema, payload]] of Object.entries(places)) {
  test(`a number that JSON does not have is a 500 ${where}`, async () => {
    let n = 0
    const app = untyped()
    const route = { schema: { response: { 200: schema } } }
    app.get('/', route, (_request, reply) => void reply.send(payload(n)))
    for (n of [Number.NaN, Infinity, -Infinity]) {
      const [{ statusCode }, log] = await silenced(() => app.inject('/'))
      assert.equal(statusCode, 500, String(n))
      assert.match(log, /cannot be converted to a number|does not match schema|is not valid|null/)
    }
    n = 3
    const fine = await app.inject('/')
    assert.equal(fine.statusCode, 200)
    assert.match(fine.body, /3|6/)
  })
}

test('reply.serialize throws for a number that JSON does not have', async () => {
  const schema = { response: { 200: t.Any(), 201: t.Object({ n: t.Number() }) } }
  const app = untyped().get('/', { schema }, (_request, reply) => {
    assert.throws(() => reply.serialize({ n: Infinity }), /"Infinity" cannot be converted/)
    assert.throws(
      () => reply.code(201).serialize({ n: Infinity }),
      /"Infinity" cannot be converted/,
    )
    return { n: 1 }
  })
  assert.equal((await app.inject('/')).statusCode, 201)
})

test('a number that JSON does not have is a 500 without a schema', async () => {
  const app = untyped().get('/', () => ({ rows: [{ note: null }, { note: Number.NaN }] }))
  const [{ statusCode }, log] = await silenced(() => app.inject('/'))
  assert.equal(statusCode, 500)
  assert.match(log, /The value "NaN" cannot be converted to a number/)
})

test('a number that JSON does not have ends a stream of items', async () => {
  const itemSchema = t.Object({ any: t.Any(), n: t.Number() })
  for (const type of ['text/event-stream', 'application/x-ndjson', 'application/json-seq']) {
    const schema = { response: { 200: { content: { [type]: { itemSchema } } } } }
    const app = untyped()
    app.get('/any', { schema }, async function* () {
      yield { any: [Number.NaN], n: 1 }
    })
    app.get('/n', { schema }, async function* () {
      yield { any: 1, n: Infinity }
    })
    for (const url of ['/any', '/n']) {
      const [{ statusCode }] = await silenced(() => app.inject(url))
      assert.equal(statusCode, 500, type)
    }
  }
})

test('a number in a field that is not sent is of no concern', async () => {
  const schema = { response: { 200: t.Object({ a: t.Union([t.Integer(), t.Null()]) }) } }
  const app = untyped().get('/', { schema }, () => ({ a: null, left: Number.NaN }))
  assert.equal((await app.inject('/')).body, '{"a":null}')
})

test('null, dates and the text "null" are sent as before', async () => {
  const payload = { a: null, b: 'null', c: [new Date(0), undefined], d: new Date(Number.NaN) }
  const schema = { response: { 200: t.Any() } }
  const app = untyped()
    .get('/any', { schema }, () => payload)
    .get('/none', () => payload)
    .get('/list', { schema: { response: { 200: t.Array(t.Any()) } } }, () => [undefined, null])
  const text = '{"a":null,"b":"null","c":["1970-01-01T00:00:00.000Z",null],"d":null}'
  assert.equal((await app.inject('/any')).body, text)
  assert.equal((await app.inject('/none')).body, text)
  assert.equal((await app.inject('/list')).body, '[null,null]')
})

test('servers of fastify send null for Infinity, as Fastify does', async () => {
  const schema = { response: { 200: t.Object({ n: t.Number() }) } }
  const app = fastify()
    .get('/', { schema }, () => ({ n: Infinity }))
    .get('/none', () => ({ n: Number.NaN }))
  assert.equal((await app.inject('/')).body, '{"n":null}')
  assert.equal((await app.inject('/none')).body, '{"n":null}')
})
