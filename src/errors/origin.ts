import { mistake } from './codes.ts'
import { EspalierError } from './espalier-error.ts'
import { beginAtCall, type Callable, placed, running } from './running-call.ts'

/** Runs what a method does that applications call at boot. The stacks of its coded errors begin at
 *  the line that calls the method, so that Node shows that line. */
export function runAtBoot<Result>(method: Callable, run: () => Result): Result {
  if (running.method !== undefined) return run()
  running.method = method
  try {
    return run()
  } catch (error) {
    // Node shows the line of a `throw` above the error, unless it has this text. Builds may break
    // the line inside of a string, and drop a comment.
    throw unmarked(/node-do-not-add-exception-line/, error)
  } finally {
    running.method = undefined
  }
}

/** Makes a function that applications call at boot. */
export function calledAtBoot<Self, Args extends readonly unknown[], Result>(
  method: (this: Self, ...args: Args) => Result,
): (this: Self, ...args: Args) => Result {
  const called = function (this: Self, ...args: Args): Result {
    return runAtBoot(called, () => Reflect.apply(method, this, args))
  }
  return Object.defineProperty(called, 'name', { value: method.name })
}

const unmarked = (_mark: RegExp, error: unknown): unknown => error

/** Makes functions that applications call at boot of all methods of a prototype. */
export function callMethodsAtBoot(prototype: object): void {
  const members = Object.entries(Object.getOwnPropertyDescriptors(prototype))
  for (const [name, member] of members) {
    const method: unknown = member.value
    if (typeof method !== 'function' || name === 'constructor') continue
    Object.defineProperty(prototype, name, { ...member, value: calledAtBoot(method as Callable) })
  }
}

/** The line of the application that has called the running method: an error that is filled in if
 *  what the line declares fails later. */
export function originOfCall(): Error | undefined {
  const origin = new Error()
  return beginAtCall(origin) ? origin : undefined
}

/** Moves an error of Node, or one that this package has made, to an origin.
 *  @returns the origin, which is the error then; the error itself if it has an origin already */
export function moveTo<Given extends Error>(origin: Error | undefined, error: Given): Given {
  if (origin === undefined || placed.has(error)) return error
  const { stack: _stack, ...own } = Object.getOwnPropertyDescriptors(error)
  Object.defineProperties(origin, own)
  // cast: it is of the class of the error, with the same members
  return Object.setPrototypeOf(origin, Object.getPrototypeOf(error) as object) as Given
}

/** The folder of this package, as stacks name it. Undefined for a path with spaces. */
const ownFolder = /[^\s()]+[\\/](?:dist|src)[\\/]/.exec(new Error().stack ?? '')?.[0]

/** Removes the stack of an error that has no line of the application. What it says stands in the
 *  message of the error whose cause it is. */
export function dropForeignStack(error: unknown): void {
  if (!(error instanceof Error) || ownFolder === undefined) return
  const lines = (error.stack ?? '').split('\n').filter((line) => /^ +at /.test(line))
  const isForeign = (line: string): boolean =>
    /[\\/]node_modules[\\/]|\bnode:|<anonymous>/.test(line) || line.includes(ownFolder)
  if (lines.every(isForeign)) Reflect.set(error, 'stack', `${error.name}: ${error.message}`)
}

/** An error of the boot: one of the framework begins at the line of the application that declared
 *  what has failed. Other errors stay as they are. */
export function bootError(origin: Error | undefined, error: unknown): unknown {
  if (!(error instanceof EspalierError)) return error
  if (error.statusCode === mistake) Reflect.deleteProperty(error, 'statusCode')
  return moveTo(origin, error)
}
