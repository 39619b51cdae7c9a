import { inspect } from 'node:util'
import { isPlainObject, isThenable } from '../../schema/values.ts'

/** Calls code of the user's where nobody else catches what it throws, nor what its promise rejects
 *  with: in a listener of Node, before a request has a route, and where a line is logged. */
export function guard(run: () => unknown, fail: (error: unknown) => void): void {
  try {
    const result = run()
    if (isThenable(result)) result.then(undefined, fail)
  } catch (error) {
    fail(error)
  }
}

/** Writes an error to stderr, behind the name of what has failed. */
export function writeError(name: string, error: unknown): void {
  process.stderr.write(`${name}: ${textOf(error)}\n`)
}

/** Whatever is thrown may have getters, and a stack that is no text. */
function textOf(error: unknown): string {
  try {
    // With the stack go the code and the cause.
    return inspect(error)
  } catch {
    return 'an error that cannot be shown'
  }
}

/** A copy of an object whose functions may return promises that nobody waits for: those that reject
 *  are written to stderr. What the functions throw is thrown.
 *  @param depth how many levels of plain objects are copied */
export function guardPromises<Value>(name: string, value: Value, depth?: number): Value
export function guardPromises(name: string, value: unknown, depth = 1): unknown {
  const fail = (error: unknown): void => {
    writeError(name, error)
  }
  if (typeof value === 'function') {
    return function guarded(this: unknown, ...args: unknown[]): unknown {
      const result: unknown = Reflect.apply(value, this, args)
      if (isThenable(result)) result.then(undefined, fail)
      return result
    }
  }
  if (depth === 0 || !isPlainObject(value)) return value
  const entries = Reflect.ownKeys(value).map((key) => [key, Reflect.get(value, key)] as const)
  return Object.fromEntries(
    entries.map(([key, each]) => [key, guardPromises(name, each, depth - 1)]),
  )
}
