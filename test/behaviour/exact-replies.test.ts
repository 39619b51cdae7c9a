// Replies whose schema leaves one value only, by `const` or by `type: 'null'`: another one is never
// written in its place.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { t } from '../../src/index.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

const a = (schema: object) => ({ type: 'object', properties: { a: schema } })

const holds: Record<string, [schema: object, right: unknown, wrong: unknown]> = {
  'const true': [a({ const: true }), { a: true }, { a: false }],
  'const of text': [a(t.Literal('x')), { a: 'x' }, { a: 'y' }],
  'const of text, and null': [a(t.Literal('x')), { a: 'x' }, { a: null }],
  'const of a number': [a({ const: 1, type: 'integer' }), { a: 1 }, { a: '1' }],
  'const null': [a({ const: null }), { a: null }, { a: 0 }],
  'const of an object': [a({ const: { b: 1, c: [2] } }), { a: { b: 1, c: [2] } }, { a: { b: 1 } }],
  'const of a list': [a({ const: [1, 2] }), { a: [1, 2] }, { a: [2, 1] }],
  "type 'null'": [a({ type: 'null' }), { a: null }, { a: 1 }],
  "type ['null']": [a({ type: ['null'] }), { a: null }, { a: 1 }],
  'const or null': [a({ const: 'x', type: ['string', 'null'] }), { a: null }, { a: 'y' }],
  'nullable const': [a({ const: 'x', type: 'string', nullable: true }), { a: null }, { a: 'y' }],
  'const in a list': [{ type: 'array', items: { const: 3 } }, [3, 3], [3, 4]],
  'const in a tuple': [
    { type: 'array', items: [{ const: 1 }, { type: 'null' }] },
    [1, null],
    [1, 2],
  ],
  'const in allOf': [{ allOf: [a({ const: 1 }), a({ type: 'number' })] }, { a: 1 }, { a: 2 }],
  'const of other fields': [
    { type: 'object', additionalProperties: { const: 3 } },
    { x: 3 },
    { x: 4 },
  ],
  'const of fields by pattern': [
    { type: 'object', patternProperties: { '^x': { const: 3 } } },
    { x: 3 },
    { x: 4 },
  ],
  'const beside alternatives': [a({ const: 1, anyOf: [{ type: 'number' }] }), { a: 1 }, { a: 2 }],
  'const in an alternative': [
    t.Union([t.Object({ a: t.Literal('x') }), t.Object({ a: t.Literal('y') })]),
    { a: 'y' },
    { a: 'z' },
  ],
  'const in then': [
    { ...a({}), if: { required: ['b'] }, then: a({ const: 1 }), else: a({ const: 2 }) },
    { a: 2 },
    { a: 1 },
  ],
  'const in a schema that leads to itself': [
    {
      ...a({ $ref: '#/definitions/n' }),
      definitions: {
        n: { type: 'object', properties: { m: { const: 'q' }, n: { $ref: '#/definitions/n' } } },
      },
    },
    { a: { m: 'q', n: { m: 'q' } } },
    { a: { m: 'q', n: { m: 'r' } } },
  ],
  'const for a whole payload': [{ const: { id: 1 } }, { id: 1 }, { id: 2 }],
  'null for a whole payload': [{ type: 'null' }, null, { id: 2 }],
}
for (const [what, [schema, right, wrong]] of Object.entries(holds)) {
  test(`a reply by ${what} leaves with its own value, or is a 500: it left with the value of the schema`, async () => {
    const app = untyped()
    app.get('/right', { schema: { response: { 200: schema } } }, (_request, reply) =>
      reply.send(right),
    )
    app.get('/wrong', { schema: { response: { 200: schema } } }, (_request, reply) =>
      reply.send(wrong),
    )
    const answer = await app.inject('/right')
    assert.deepEqual([answer.statusCode, answer.json()], [200, right])
    const [refused] = await silenced(async () => app.inject('/wrong'))
    assert.equal(refused.statusCode, 500)
  })
}

test('two const that contradict each other in allOf stop the boot', async () => {
  const app = untyped()
  const response = { 200: { allOf: [a({ const: 1 }), a({ const: 2 })] } }
  app.get('/', { schema: { response } }, () => ({ a: 1 }))
  await assert.rejects(async () => app.ready(), { code: 'ESP_ERR_SCH_SERIALIZATION_BUILD' })
})

test('the logged error of a reply with another value names the field', async () => {
  const lines: string[] = []
  const stream = { write: (line: string) => lines.push(line) }
  const app = untyped({ logger: { level: 'error', stream } })
  app.get('/', { schema: { response: { 200: a(a({ const: 1 })) } } }, () => ({ a: { a: 2 } }))
  await app.inject('/')
  assert.match(lines.join(''), /#\/properties\/a\/properties\/a/)
})

test("the answer of the framework keeps its own code where a response's code is const", async () => {
  const app = untyped()
  const schema = {
    querystring: { type: 'object', properties: { n: { type: 'integer' } } },
    response: { 400: { type: 'object', properties: { code: { const: 'NO_FUNDS' } } } },
  }
  app.get('/', { schema }, () => 'x')
  const [answer] = await silenced(async () => app.inject('/?n=x'))
  assert.equal(answer.statusCode, 400)
  assert.equal(answer.json().code, 'ESP_ERR_VALIDATION')
})
