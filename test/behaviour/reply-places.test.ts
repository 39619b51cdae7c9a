// The place in the payload, in the log of a reply that does not fit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fastify, t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

const Animal = t.Union([
  t.Object({ kind: t.Literal('cat'), name: t.String() }),
  t.Object({ kind: t.Literal('dog'), age: t.Integer() }),
])
const Tree = t.Recursive((Self) =>
  t.Union([t.Object({ left: Self, right: Self }), t.Object({ leaf: t.Integer() })]),
)
const Rows = t.Object({ rows: t.Array(t.Object({ n: t.Integer(), m: t.Optional(t.Number()) })) })

class Row {
  readonly #n: unknown
  constructor(n: unknown) {
    this.#n = n
  }
  get n(): unknown {
    return this.#n
  }
}

const freeze = (value: object) => {
  for (const inner of Object.values(value)) if (typeof inner === 'object') freeze(inner)
  return Object.freeze(value)
}

const places: Record<string, [schema: object, payload: unknown, place: string]> = {
  'a text for an integer': [Rows, { rows: [{ n: 1 }, { n: 'x' }] }, '/rows/1/n'],
  'a missing field': [Rows, { rows: [{ n: 1 }, {}] }, '/rows/1/n'],
  'an object for a list': [Rows, { rows: {} }, '/rows'],
  'an optional number': [Rows, { rows: [{ n: 1, m: Infinity }] }, '/rows/0/m'],
  'a frozen payload': [Rows, freeze({ rows: [{ n: 1 }, { n: 'x' }] }), '/rows/1/n'],
  'an instance of a class': [Rows, { rows: [new Row(1), new Row('x')] }, '/rows/1/n'],
  'what toJSON gives': [Rows, { rows: [{ toJSON: () => ({ n: 'x' }) }] }, '/rows/0/n'],
  'a name with a slash': [t.Object({ 'a/b': t.Integer() }), { 'a/b': 'x' }, '/a~1b'],
  'a name that objects inherit': [
    t.Object({ toString: t.Integer() }),
    { toString: 'x' },
    '/toString',
  ],
  'a record': [t.Record(t.String(), t.Integer()), { a: 1, b: 'x' }, '/b'],
  'an item of a tuple': [t.Tuple([t.Integer(), t.Integer()]), [1, 'x'], '/1'],
  't.Any': [t.Object({ any: t.Any() }), { any: [1, { n: Number.NaN }] }, '/any/1/n'],
  'an object for a union': [
    t.Object({ list: t.Array(Animal) }),
    {
      list: [
        { kind: 'cat', name: 'a' },
        { kind: 'dog', age: 'x' },
      ],
    },
    '/list/1',
  ],
  'a text for a union': [t.Array(Animal), [{ kind: 'cat', name: 'a' }, 'x'], '/1'],
  'a value inside of a union': [
    t.Array(t.Union([t.Object({ list: t.Array(t.Any()) }), t.Null()])),
    [null, { list: [Infinity] }],
    '/1/list/0',
  ],
  'a recursive union': [
    t.Object({ tree: Tree }),
    { tree: { left: { leaf: 1 }, right: 1 } },
    '/tree',
  ],
  'one of several types': [
    { type: 'object', properties: { a: { type: ['integer', 'null'] } } },
    { a: 'x' },
    '/a',
  ],
  'an item without a schema': [{ content: { 'application/json': {} } }, [Number.NaN], '/0'],
}
for (const [what, [schema, payload, place]] of Object.entries(places)) {
  test(`the log says the place of ${what}, and the client does not learn it`, async () => {
    const app = untyped().get('/', { schema: { response: { 200: schema } } }, () => payload)
    const [{ statusCode, body }, log] = await silenced(() => app.inject('/'))
    assert.equal(statusCode, 500)
    assert.doesNotMatch(body, /Place|does not|cannot/)
    const [line = ''] = log.split('\n')
    assert.match(line, /^GET \/ in root: /)
    assert.equal(line.split(' Place in the value: ')[1], place, line)
  })
}

test('a line of a logger says the place too', async () => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const app = untyped({ logger: { level: 'error', stream } })
  app.get('/', { schema: { response: { 200: Rows } } }, () => ({ rows: [{}] }))
  await app.inject('/')
  const { err } = JSON.parse(lines[0] ?? '') as { err: { message: string; stack: string } }
  assert.equal(err.message, '"n" is required! Place in the value: /rows/0/n')
  assert.match(err.stack, /Place in the value: \/rows\/0\/n\n/)
})

test('the log says the place in an item of a stream, and without a schema', async () => {
  const content = { 'application/x-ndjson': { itemSchema: Rows } }
  const app = untyped()
  app.get('/items', { schema: { response: { 200: { content } } } }, async function* () {
    yield { rows: [{ n: 'x' }] }
  })
  app.get('/none', () => ({ rows: [{ n: null }, { n: Infinity }] }))
  const [, items] = await silenced(() => app.inject('/items'))
  assert.match(items, /Place in the value: \/rows\/0\/n/)
  const [, none] = await silenced(() => app.inject('/none'))
  assert.match(none, /Place in the value: \/rows\/1\/n/)
})

test('a payload whose root does not fit has no place, and one in a circle is no endless loop', async () => {
  const circle: Record<string, unknown> = { n: 1 }
  circle['self'] = circle
  const app = untyped()
    .get('/root', { schema: { response: { 200: t.Integer() } } }, (_request, reply) => {
      reply.send({})
    })
    .get('/circle', () => circle)
  for (const url of ['/root', '/circle']) {
    const [{ statusCode }, log] = await silenced(() => app.inject(url))
    assert.equal(statusCode, 500)
    assert.doesNotMatch(log, /Place in the value/)
  }
})

test("an error of the payload's own stays the same error", async () => {
  const own = Object.assign(new Error('gone'), { statusCode: 410 })
  const payload = {
    rows: [
      {
        get n() {
          throw own
        },
      },
    ],
  }
  const app = untyped().get('/', { schema: { response: { 200: Rows } } }, () => payload)
  const { statusCode, body } = await app.inject('/')
  assert.equal(statusCode, 410)
  assert.doesNotMatch(body, /Place/)
})

test('errors of servers of fastify are as those of Fastify', async () => {
  const app = fastify()
  app.get('/', { schema: { response: { 200: Rows } } }, () => ({ rows: [{ n: 'x' }] }))
  const [{ body }] = await silenced(() => app.inject('/'))
  assert.match(body, /cannot be converted to an integer\."/)
})
