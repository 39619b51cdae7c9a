// A bounded part of what `npm run soundness` looks for: the same seeds each time, and one call of the compiler for each of both.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silenced } from '../support/silence.ts'
import { checkSchemas } from './batch.ts'
import type { Broken } from './program.ts'
import { checkTrees } from './tree-batch.ts'

const seeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const show = ({ seed, about, message }: Broken) => `seed ${seed}: ${about}\n  ${message}`

test('what a server reads, takes and sends is of the types that its schemas have', async () => {
  // fast-json-stringify warns of schemas that are loose.
  const [{ broken, figures }] = await silenced(() => checkSchemas(seeds(200)))
  assert.deepEqual(broken.map(show), [])
  const { accepted, refused, sent, outside } = figures
  assert.ok(Math.min(accepted, refused, sent, outside) > 500, JSON.stringify(figures))
})

test('a number in a field that no name describes is of no object, though that may leave out all of its fields', async () => {
  const [{ broken, figures }] = await silenced(() => checkSchemas([20397824]))
  assert.deepEqual(broken.map(show), [])
  assert.ok(figures.sent > 0, JSON.stringify(figures))
})

test('a context has at run time what its type shows, and where nothing is declared late nothing else', async () => {
  const { broken, figures } = await checkTrees(seeds(40))
  assert.deepEqual(broken.map(show), [])
  assert.ok(figures.exact > 100, JSON.stringify(figures))
})
