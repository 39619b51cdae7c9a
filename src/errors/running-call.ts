import { once } from '../packages/once.ts'

export type Callable = (...args: never[]) => unknown

/** The method that the application has called, and that has not returned. */
export const running: { method: Callable | undefined } = once('running', () => ({
  method: undefined,
}))

/** The errors whose stack begins at a line of the application. */
export const placed: WeakSet<object> = once('placed', () => new WeakSet())

/** Begins the stack of an error at the line of the application that has called the running method.
 *  @returns whether such a method runs */
export function beginAtCall(error: Error): boolean {
  if (running.method === undefined) return false
  Error.captureStackTrace(error, running.method)
  placed.add(error)
  return true
}
