// The mistakes that README counts, by the built package.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { allMistakes, compile } from '../bench/mistakes/mistakes.ts'

const folder = mkdtempSync(join(resolve(import.meta.dirname, '..'), '.bench-mistakes-'))
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

test('the compiler finds each mistake of the benchmark', () => {
  const { made, found } = compile('espalier', folder)
  assert.deepEqual(made.toSorted(), allMistakes.toSorted())
  assert.deepEqual(found, made)
})
