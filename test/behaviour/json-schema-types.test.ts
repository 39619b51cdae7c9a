// What ajv lets pass of plain JSON Schema is what its type says: the values below are checked by the
// compiler, and read by a handler.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Output } from '../../src/schema/infer/part.ts'
import { silenced } from '../support/silence.ts'
import { untyped } from '../support/untyped.ts'

type Field<Schema> = Output<{
  readonly type: 'object'
  readonly properties: { readonly value: Schema }
  readonly required: readonly ['value']
}>['value']

/** Claims that a field with this schema is read so. What is sent is the same, unless it is given. */
function agrees<const Schema>(
  name: string,
  schema: Schema,
  reads: readonly NoInfer<Field<Schema>>[],
  sent: readonly unknown[] = reads,
): void {
  test(`the type of ${name} has what ajv lets pass`, async () => {
    const [, words] = await silenced(async () => {
      const app = untyped({ ajv: { customOptions: { logger: false } } })
      const body = { type: 'object', properties: { value: schema }, required: ['value'] }
      app.post('/', { schema: { body } }, (request) => request.body)
      const answers: unknown[] = []
      for (const value of sent) {
        const response = await app.inject({
          method: 'POST',
          url: '/',
          payload: { value } as object,
        })
        answers.push(response.json<{ value: unknown }>().value)
      }
      assert.deepEqual(answers, reads)
    })
    assert.equal(words, '')
  })
}

/** The type of these fields is not told: the bound is wide. */
const wide = <Value>(value: Value): Value => value

const a = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } as const
const b = { properties: { b: { type: 'integer' } }, required: ['b'] } as const

agrees('`not`', { type: 'string', not: { const: 'x' } }, ['y'])
agrees('`not` alone', { not: { type: 'object' } }, ['x', [1], null, 1])
agrees('`nullable`', { type: 'object', nullable: true, properties: a.properties }, [
  null,
  {},
  { a: '' },
])
agrees('a nullable list', { type: 'array', nullable: true, items: { type: 'integer' } }, [
  null,
  [1],
])

agrees(
  '`nullable` beside a schema that lets null pass',
  {
    type: 'object',
    nullable: true,
    allOf: [{ type: 'object', nullable: true, properties: a.properties }, { required: ['a'] }],
  },
  [null, { a: 'x' }],
)

agrees('`properties` without a type', { properties: a.properties }, [
  { a: 'x' },
  'x',
  1,
  true,
  null,
  [1],
])
agrees(
  'one in a list of alternatives',
  { anyOf: [{ properties: a.properties }, { type: 'null' }] },
  [{ a: 'x' }, 'x', null],
)
agrees('alternatives of an object', { type: 'object', anyOf: [a, b] }, [{ a: 'x' }, { b: 1 }])
agrees('alternatives beside `properties`', { ...a, oneOf: [b, { required: ['c'] }] }, [
  wide({ a: 'x', b: 1 }),
])
agrees('parts that all hold', { allOf: [a, b] }, [{ a: 'x', b: 1 }])
agrees(
  'both kinds of alternatives',
  { anyOf: [a, { type: 'null' }], oneOf: [{ type: 'object', ...b }, { type: 'null' }] },
  [null, { a: '', b: 1 }],
)

agrees('`required` without `properties`', { type: 'object', required: ['a'] }, [
  { a: null },
  wide({ a: 1, b: 2 }),
])
agrees(
  '`required` in one of the parts that all hold',
  {
    allOf: [
      { type: 'object', properties: a.properties },
      { type: 'object', required: ['a'] },
    ],
  },
  [{ a: 'x' }],
)
agrees(
  '`required` of a field that another part fills in',
  {
    allOf: [
      { type: 'object', properties: { a: { type: 'string', default: 'x' } } },
      { type: 'object', required: ['a'] },
    ],
  },
  [{ a: 'x' }],
  [{}],
)
agrees(
  '`required` alone in alternatives of an object',
  { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  [{ a: 1 }, { b: 1 }],
)

agrees(
  '`if`',
  { ...a, if: { properties: { a: { const: 'x' } } }, then: b, else: { required: ['c'] } },
  [wide({ a: 'x', b: 1 }), wide({ a: 'y', c: 1 })],
)
agrees('`if` without `else`', { ...a, if: { properties: { a: { const: 'x' } } }, then: b }, [
  wide({ a: 'x', b: 1 }),
  { a: 'y' },
])
agrees(
  '`if` of any value',
  { if: { type: 'boolean' }, then: { const: true }, else: { type: 'string' } },
  [true, 'x'],
)

agrees(
  '`patternProperties`',
  { type: 'object', patternProperties: { '^x-': { type: 'integer' } } },
  [{ 'x-a': 1, other: 'text' }],
  [{ 'x-a': '1', other: 'text' }],
)
agrees(
  '`patternProperties` that remove all else',
  {
    type: 'object',
    patternProperties: { '^x-': { type: 'integer' } },
    additionalProperties: false,
  },
  [{ 'x-a': 1 }],
  [{ 'x-a': '1', other: 'text' }],
)
agrees(
  '`patternProperties` beside `properties`',
  { ...a, patternProperties: { '^x-': { type: 'integer' } }, additionalProperties: false },
  [{ a: 'x', 'x-a': 1 }],
  [{ a: 'x', 'x-a': '1', other: 'text' }],
)
agrees(
  '`additionalProperties` beside `properties`',
  { ...a, additionalProperties: { type: 'integer' } },
  [{ a: 'x', b: 1 }],
  [{ a: 'x', b: '1' }],
)
agrees(
  'all three',
  {
    ...a,
    patternProperties: { '^x-': { type: 'boolean' } },
    additionalProperties: { type: 'integer' },
  },
  [{ a: 'x', 'x-a': true, b: 1 }],
  [{ a: 'x', 'x-a': 'true', b: '1' }],
)

const pair = [{ type: 'string' }, { type: 'integer' }] as const
agrees('listed items', { type: 'array', items: pair }, [[], ['x'], ['x', 1], ['x', 1, true]])
agrees('items that must be there', { type: 'array', items: pair, minItems: 2 }, [
  ['x', 1],
  ['x', 1, null],
])
agrees('items and no more', { type: 'array', items: pair, maxItems: 2 }, [[], ['x', 1]])
agrees(
  'items and more of one kind',
  { type: 'array', items: pair, minItems: 2, additionalItems: { type: 'boolean' } },
  [['x', 1, true]],
  [['x', '1', 'true']],
)
agrees('one item that is listed', { type: 'array', items: pair.slice(0, 1), minItems: 1 }, [['x']])

test('a part of `properties` without a type is an object, as its type says', async () => {
  const app = untyped().post('/', { schema: { body: { properties: a.properties } } }, (request) => [
    request.body,
  ])
  const post = async (payload: object | string) => {
    const headers = { 'content-type': 'application/json' }
    const text = JSON.stringify(payload)
    return app.inject({ method: 'POST', url: '/', headers, payload: text })
  }
  assert.deepEqual((await post({ a: 'x' })).json(), [{ a: 'x' }])
  assert.equal((await post('x')).json().message, 'body must be object')
})

test('what stands beside a reference holds too', async () => {
  const body = {
    type: 'object',
    properties: { value: { $ref: 'a#', properties: b.properties, required: ['b'] } },
  }
  const app = untyped({ ajv: { customOptions: { logger: false } } })
    .addSchema({ ...a, $id: 'a' })
    .post('/', { schema: { body } }, (request) => request.body)
  const post = async (value: object) =>
    (await app.inject({ method: 'POST', url: '/', payload: { value } })).json()
  assert.deepEqual(await post({ a: 'x', b: '1' }), { value: { a: 'x', b: 1 } })
  assert.equal((await post({ a: 'x' })).message, "body/value must have required property 'b'")
})

test('a reply with more items than are listed is a 500 unless more are declared, as its type says', async () => {
  const list = { type: 'array', items: [{ type: 'integer' }, { type: 'string' }] }
  const statusOf = async (schema: object): Promise<number> => {
    const [status] = await silenced(async () => {
      const app = untyped().get('/', { schema: { response: { 200: schema } } }, () => [1, 'a', 2])
      return (await app.inject('/')).statusCode
    })
    return status
  }
  assert.equal(await statusOf(list), 500)
  assert.equal(await statusOf({ anyOf: [list, { type: 'string' }] }), 500)
  assert.equal(await statusOf({ ...list, additionalItems: true }), 200)
  assert.equal(await statusOf({ ...list, additionalItems: { type: 'integer' } }), 200)
})

test('null is refused by a schema beside `nullable` that does not let it pass, as its type says', async () => {
  const inner = { type: 'object', properties: a.properties }
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const value = { type: 'object', nullable: true, [keyword]: [inner] }
    const body = { type: 'object', properties: { value }, required: ['value'] }
    const app = untyped().post('/', { schema: { body } }, (request) => request.body)
    const answer = await app.inject({ method: 'POST', url: '/', payload: { value: null } })
    assert.equal(answer.statusCode, 400, keyword)
  }
})

test('what is required without being described does not leave, as its type says', async () => {
  const sent = async (schema: object): Promise<unknown> => {
    const app = untyped().get('/', { schema: { response: { 200: schema } } }, () => ({
      a: 'x',
      b: 1,
    }))
    return (await app.inject('/')).json()
  }
  const described = { type: 'object', properties: { b: { type: 'integer' } } }
  const bare = { type: 'object', required: ['a'] }
  assert.deepEqual(await sent(bare), {})
  assert.deepEqual(await sent({ ...described, required: ['a'] }), { b: 1 })
  assert.deepEqual(await sent({ allOf: [described, bare] }), { b: 1 })
  assert.deepEqual(await sent({ ...described, required: ['a'], additionalProperties: true }), {
    a: 'x',
    b: 1,
  })
})
