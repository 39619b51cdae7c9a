// A bounded part of what `npm run strict` looks for: the same seeds each time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silenced } from '../support/silence.ts'
import { makeCase } from './cases.ts'
import { check, noFigures } from './check.ts'

const batch = 16

test('strict mode changes nothing silently: a value passes as it is, or is refused', async () => {
  const figures = noFigures()
  for (let first = 1; first <= 5 * batch; first += batch) {
    const cases = Array.from({ length: batch }, (_, index) => makeCase(first + index))
    const [findings] = await silenced(() => check(cases, figures))
    assert.deepEqual(
      findings.map(({ made, message }) => `seed ${made.seed}, ${made.part}: ${message}`),
      [],
    )
  }
  const { accepted, refused, sent, unsent } = figures
  assert.ok(Math.min(accepted, refused, sent, unsent) > 50, JSON.stringify(figures))
})
