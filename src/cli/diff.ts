import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../types/objects.ts'
import type { Change, Level } from './diff/change.ts'
import { compareOperation, readersOf } from './diff/compare-operation.ts'
import { type OperationEntry, operationsOf, urlsOf } from './diff/operations.ts'

/** Compares two OpenAPI documents: what the newer one changes for clients of the older one. Names
 *  of components and words make no difference.
 *  @returns the changes in the order of the paths of the older document, then what is new
 *  @throws UsageError for a reference that leads nowhere */
export function compareDocuments(before: JsonObject, after: JsonObject): Change[] {
  const [old, now] = [operationsOf(before), operationsOf(after)]
  const readers = readersOf(before, after)
  const changes = [...compareWhole(before, after)]
  for (const [key, was] of old) {
    const is = now.get(key)
    if (is !== undefined) changes.push(...compareOperation(was, is, readers))
    else changes.push(change('breaking', was, removal(was, [...now.values()])))
  }
  for (const [key, is] of now) {
    if (!old.has(key)) changes.push(change('info', is, 'was added'))
  }
  return changes
}

const change = (level: Level, { method, path }: OperationEntry, text: string): Change => ({
  level,
  method,
  path,
  place: 'operation',
  text,
})

/** That an operation is gone, and where it is now if its operationId tells. */
function removal({ operation }: OperationEntry, now: readonly OperationEntry[]): string {
  const { operationId: id } = operation
  const moved = now.find((each) => id !== undefined && each.operation['operationId'] === id)
  return moved === undefined ? 'was removed' : `became ${moved.method} ${moved.path}`
}

/** The changes of what stands beside operations. */
function compareWhole(before: JsonObject, after: JsonObject): Change[] {
  const whole = { level: 'warning', method: '', path: '' } as const
  const now = urlsOf(after)
  const lost = urlsOf(before).filter((url) => !now.includes(url))
  const gone = lost.map((url) => ({ ...whole, place: `server ${url}`, text: 'was removed' }))
  if (isDeepStrictEqual(before['webhooks'], after['webhooks'])) return gone
  return [...gone, { ...whole, place: 'webhooks', text: 'changed: they are not compared' }]
}
