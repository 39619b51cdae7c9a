import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { bundleSchema } from '../../src/schema/bundle.ts'
import { isSure } from '../../src/schema/sure-schema.ts'
import { untyped, untypedFastify } from '../support/untyped.ts'

type Schema = Record<string, unknown>

const shared = { $id: 'shared', type: 'object', properties: { next: { $ref: 'shared#' } } }
const check = (schema: Schema): boolean => isSure(bundleSchema(schema, { shared }))

/** Random numbers of a seed (mulberry32). */
function generator(seed: number): (below: number) => number {
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0
    let bits = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) % below
  }
}

/** Values that keywords have, right and wrong ones. */
const values: readonly unknown[] = [
  ...[0, 1, 2, -1, 1.5, '', 'a', '^a', '(', 'date', 'email', 'other', true, false, null],
  ...[[], ['a'], ['a', 'a'], ['b', 1, null], {}, { a: 1 }, { type: 'string' }, [{ type: 'null' }]],
  ...[{ a: { type: 'integer' } }, { a: true }, { constructor: { type: 'string' } }],
]
const keywords = [
  ...['title', 'description', 'examples', 'readOnly', 'deprecated', 'default', 'enum', 'const'],
  ...['nullable', 'minLength', 'maxLength', 'pattern', 'format', 'minimum', 'exclusiveMaximum'],
  ...['multipleOf', 'minItems', 'maxItems', 'uniqueItems', 'additionalItems', 'minProperties'],
  ...['required', 'additionalProperties', 'patternProperties', 'type', 'not', 'if', 'requird'],
]
const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']
const fitting: Record<string, [string, readonly unknown[]][]> = {
  object: [
    ['required', [['a'], ['a', 'b'], []]],
    ['additionalProperties', [true, false, { type: 'number' }]],
    ['minProperties', [0, 1]],
  ],
  array: [
    ['minItems', [0, 1, 2]],
    ['maxItems', [1, 2]],
    ['uniqueItems', [true]],
    ['additionalItems', [false]],
  ],
  string: [
    ['minLength', [1]],
    ['pattern', ['^a+$', '^\\p{L}$']],
    ['format', ['date-time', 'email', 'uuid']],
    ['enum', [['a', 'b']]],
    ['default', ['a']],
  ],
  number: [
    ['minimum', [0, 1]],
    ['exclusiveMaximum', [10]],
    ['multipleOf', [2, 0.5]],
    ['default', [1, 2]],
  ],
}

function randomSchema(below: (limit: number) => number, depth: number): Schema {
  const pick = <Value>(list: readonly Value[]): Value => {
    const value = list[below(list.length)]
    assert.ok(value !== undefined)
    return value
  }
  const inner = (): Schema => randomSchema(below, depth - 1)
  const form = below(12)
  if (form === 0) return { const: pick(['a', 1, null, true]) }
  if (form === 1) return { enum: ['a', 1, null].slice(below(3)) }
  if (form === 2) return { $ref: 'shared#' }
  if (form === 3 && depth > 0) return { [pick(['anyOf', 'oneOf'])]: [inner(), inner()] }
  const type = pick(types)
  const schema: Schema = { type: below(10) === 0 ? [type, pick(types)] : type }
  for (const [keyword, list] of fitting[type === 'integer' ? 'number' : type] ?? []) {
    if (below(5) === 0) schema[keyword] = pick(list)
  }
  if (type === 'object' && below(4) > 0) {
    const map = below(6) === 0 ? 'patternProperties' : 'properties'
    schema[map] = depth > 0 ? { a: inner(), b: inner() } : {}
  }
  if (type === 'array' && below(4) > 0) {
    schema['items'] = depth > 0 ? (below(4) === 0 ? [inner(), inner()] : inner()) : {}
  }
  if (below(12) === 0) schema[pick(keywords)] = pick(values)
  return schema
}

const sure: Schema[] = []
const count = 200
for (let seed = 0; seed < 20 * count && sure.length < count; seed++) {
  const below = generator(seed)
  const schema = randomSchema(below, below(4))
  try {
    if (check(schema)) sure.push(schema)
  } catch {
    // A schema that cannot even be bundled is compiled at boot.
  }
}

for (const [name, create] of [
  ['espalier', untyped],
  ['fastify', untypedFastify],
] as const) {
  test(`what is sure to compile compiles, without a warning (${name})`, async () => {
    const warn = mock.method(console, 'warn', () => undefined)
    const error = mock.method(console, 'error', () => undefined)
    // Refused at boot also where it can wait.
    const isShadowed = (caught: unknown): boolean => String(caught).includes('is never written')
    for (const [index, schema] of sure.entries()) {
      const app = create({ compile: 'eager' })
      app.addSchema(shared)
      const handler = (): unknown => null
      const parts: Schema = index % 2 === 0 ? { body: schema } : { querystring: schema }
      app.post(`/parts`, { schema: parts }, handler)
      app.post(`/reply`, { schema: { response: { 200: schema } } }, handler)
      try {
        await app.ready()
      } catch (caught) {
        if (!isShadowed(caught)) assert.fail(`${JSON.stringify(schema)}: ${String(caught)}`)
      }
      const [warning] = [...warn.mock.calls, ...error.mock.calls]
      assert.equal(warning, undefined, `${JSON.stringify(schema)}: ${String(warning?.arguments)}`)
    }
    mock.restoreAll()
  })
}

test('enough of the random schemas are sure for the test to say something', () => {
  assert.equal(sure.length, count)
})
