// A recursive union with a transform: what is asked of each value. The keyword that counts is a function of the application,
// which no compiled module can have.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ajv } from 'ajv'
import espalier, { t } from '../../src/index.ts'

const Day = t
  .Transform(t.String())
  .Decode((text) => ({ day: text }))
  .Encode(({ day }) => day)

test('a recursive union is decoded without asking for each value at each level above it', async () => {
  let count = 0
  const counts = { keyword: 'counts', validate: () => Boolean((count += 1)) }
  const ajv = { plugins: [(each: Ajv) => each.addKeyword(counts)] }
  const leaf = t.Object({ at: Day }, { counts: true })
  const Node = t.Recursive((This) => t.Union([leaf, t.Object({ kids: t.Array(This) })]))
  const app = espalier({ ajv }).post('/', { schema: { body: Node } }, ({ body }) => {
    let inner: unknown = body
    while (!(inner as { at?: unknown }).at) inner = (inner as { kids: unknown[] }).kids[0]
    return { first: inner }
  })
  const countAt = async (depth: number): Promise<number> => {
    let payload: object = { kids: Array.from({ length: 20 }, () => ({ at: 'monday' })) }
    for (let level = 0; level < depth; level++) payload = { kids: [payload] }
    count = 0
    const reply = await app.inject({ method: 'POST', url: '/', payload })
    assert.deepEqual(reply.json(), { first: { at: { day: 'monday' } } })
    return count
  }
  const shallow = await countAt(4)
  assert.ok(shallow >= 20)
  // A level more costs the same, whatever is below it: it is asked for itself alone.
  assert.ok((await countAt(100)) - shallow <= 4 * 96)
})
