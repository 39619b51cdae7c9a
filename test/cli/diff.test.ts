import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compareDocuments } from '../../src/cli/diff.ts'
import { type Case, cases, type Level } from './diff-cases.ts'

const order: readonly Level[] = ['breaking', 'warning', 'info']

/** The highest level among the changes, and the changes. */
function compared(before: Case['before'], after: Case['before']) {
  const changes = compareDocuments(before, after)
  const level = order.find((each) => changes.some((change) => change.level === each))
  return { level, changes }
}

describe('what a change does to clients', () => {
  for (const { name, before, after, level, back } of cases) {
    test(`${name}: ${level ?? 'nothing'}`, () => {
      const found = compared(before, after)
      assert.equal(found.level, level, JSON.stringify(found.changes))
    })
    test(`the change back, ${name}: ${back ?? 'nothing'}`, () => {
      const found = compared(after, before)
      assert.equal(found.level, back, JSON.stringify(found.changes))
    })
  }
})
