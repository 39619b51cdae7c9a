import { inspect } from 'node:util'
import { isPlainObject } from '../../types/objects.ts'
import { isThenable } from '../../types/promises.ts'

/** Calls user code and catches its errors, also those of its promise. For code that nothing else
 *  guards: in listeners of Node, before a request has a route, and in logging. */
export function guard(run: () => unknown, fail: (error: unknown) => void): void {
  try {
    const result = run()
    if (isThenable(result)) result.then(undefined, fail)
  } catch (error) {
    fail(error)
  }
}

/** Writes an error to stderr, after the name of the part that failed. */
export function writeError(name: string, error: unknown): void {
  process.stderr.write(`${name}: ${textOf(error)}\n`)
}

/** The text of an error. A getter of a thrown value may throw. */
function textOf(error: unknown): string {
  try {
    // This shows the code and the cause, too.
    return inspect(error)
  } catch {
    return 'an error that cannot be shown'
  }
}

/** Copies an object whose functions may return promises. Rejections go to stderr, since nobody
 *  waits for them. Errors that the functions throw are thrown.
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
