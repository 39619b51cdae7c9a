// A bounded part of what `npm run truth` looks for: the same seeds each time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silenced } from '../support/silence.ts'
import { checkSeeds } from './check.ts'

const batch = 20

test('an application takes what its document accepts, refuses what it does not, and answers as it says', async () => {
  const all = { accepted: 0, refused: 0, replies: 0, unclaimed: 0 }
  for (let first = 1; first < 60; first += batch) {
    const seeds = Array.from({ length: batch }, (_, index) => first + index)
    // fast-json-stringify warns of schemas that are loose.
    const [{ findings, figures }] = await silenced(() => checkSeeds(seeds))
    assert.deepEqual(
      findings.map(({ seed, message }) => `seed ${seed}: ${message}`),
      [],
    )
    for (const name of ['accepted', 'refused', 'replies', 'unclaimed'] as const) {
      all[name] += figures[name]
    }
  }
  const { accepted, refused, replies, unclaimed } = all
  assert.ok(Math.min(accepted, refused) > 400 && replies > 2000, JSON.stringify(all))
  assert.ok(unclaimed < accepted + refused, JSON.stringify(all))
})
