// Unions whose alternatives a literal tells apart: the answers are those of trying one after the other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ajv } from 'ajv'
import fc from 'fast-check'
import { untyped } from '../support/untyped.ts'

const alternative = (kind: unknown, extra: object): object => ({
  type: 'object',
  properties: {
    kind: typeof kind === 'string' ? { type: 'string', const: kind } : { enum: [kind] },
    n: { type: 'integer' },
    inner: { anyOf: [{ type: 'integer' }, { type: 'null' }, { type: 'string', maxLength: 2 }] },
    list: { type: 'array', items: { type: 'number' } },
  },
  required: ['kind', 'n'],
  additionalProperties: kind === 'a' || kind === 1 ? false : { type: 'boolean' },
  ...extra,
})

const scalar = fc.constantFrom<unknown>(
  '1',
  1,
  'a',
  'b',
  '2',
  2,
  null,
  true,
  'true',
  1.5,
  '',
  'long',
)
const valueOf = (kinds: readonly unknown[]) =>
  fc.record(
    {
      kind: fc.oneof(fc.constantFrom(...kinds), scalar),
      n: fc.oneof(fc.constantFrom(1, '1'), scalar),
      inner: scalar,
      list: fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })),
      more: scalar,
    },
    { requiredKeys: [] },
  )

test('values, verdicts and errors are those of a union that is tried in order', async () => {
  for (const kinds of [
    ['a', 'b', 'c'],
    [1, 2, 3],
    ['a', '1', 1],
  ])
    for (const keyword of ['anyOf', 'oneOf']) {
      const app = untyped({ exposeErrors: true })
      // A union with `minProperties` beside a literal is tried in order.
      for (const [path, extra] of Object.entries({
        '/chosen': {},
        '/tried': { minProperties: 0 },
      })) {
        const union = { [keyword]: kinds.map((kind) => alternative(kind, extra)) }
        const body = { type: 'object', properties: { value: union } }
        app.post(path, { schema: { body }, attachValidation: true }, (request) => ({
          body: request.body,
          errors: request.validationError?.validation ?? null,
        }))
      }
      const send = async (url: string, value: unknown) =>
        (await app.inject({ method: 'POST', url, payload: { value } })).body
      await fc.assert(
        fc.asyncProperty(fc.oneof(valueOf(kinds), scalar), async (value) => {
          assert.equal(await send('/chosen', value), await send('/tried', value))
        }),
        { numRuns: 60 },
      )
    }
})

test('a value that is coerced is tried by its own alternative alone', async () => {
  let count = 0
  const counts = { keyword: 'counts', validate: () => Boolean((count += 1)) }
  const ajv = { plugins: [(each: Ajv) => each.addKeyword(counts)] }
  const kinds = Array.from({ length: 30 }, (_, index) => `k${index}`)
  const union = (properties: object) =>
    kinds.map((kind) => ({
      type: 'object',
      required: ['kind'],
      properties: { n: { type: 'integer', counts: true }, kind: { const: kind }, ...properties },
    }))
  const app = untyped({ ajv })
  app.post('/', { schema: { body: { anyOf: union({}) } } }, ({ body }) => body)
  const send = async (kind: string) =>
    (await app.inject({ method: 'POST', url: '/', payload: { kind, n: '1' } })).body
  assert.equal(await send('k29'), '{"kind":"k29","n":1}')
  assert.ok(count <= 2)
  assert.match(await send('k30'), /"message":"body\/kind must be equal to constant/)
})
