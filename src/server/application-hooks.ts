import { errorCodes } from '../errors/codes.ts'
import { bootError, dropForeignStack } from '../errors/origin.ts'
import { EspalierError } from '../errors/espalier-error.ts'
import type { Context } from '../context/context.ts'
import { describe } from '../errors/describe.ts'

/** The application hooks that the host runs itself. */
type HostHook = 'onReady' | 'onListen' | 'preClose'

export function isHostHook(name: string): name is HostHook {
  return name === 'onReady' || name === 'onListen' || name === 'preClose'
}

type Report = (error: unknown) => void

/** Runs one hook. Rejects with an error that names its place. */
type Run = () => Promise<void>

/** The application hooks of a server, each list in the order of registration. */
export class ApplicationHooks {
  readonly #hooks: Readonly<Record<HostHook, Run[]>> = { onReady: [], onListen: [], preClose: [] }

  add(name: HostHook, run: Run): void {
    this.#hooks[name].push(run)
  }

  has(name: HostHook): boolean {
    return this.#hooks[name].length > 0
  }

  /** Runs all hooks of one name. Hooks that are added meanwhile do not run.
   *  @param report gets the errors. By default the first error ends the run. */
  async run(name: HostHook, report: Report = raise): Promise<void> {
    for (const run of [...this.#hooks[name]]) {
      try {
        await run()
      } catch (error) {
        report(error)
      }
    }
  }

  /** Runs the onListen hooks, and waits at most for one turn of the event loop. */
  async runOnListen(report: Report): Promise<void> {
    if (!this.has('onListen')) return
    await Promise.race([
      this.run('onListen', report),
      new Promise<void>((resolve) => setImmediate(resolve)),
    ])
  }
}

function raise(error: unknown): never {
  throw error
}

/** A function that ends by a promise, by a callback as its last parameter, or by returning. */
export type Callable = (...args: never[]) => unknown

/** Calls a function and waits for its end.
 *  @param before the arguments before the callback
 *  @param self `this` inside the function */
export async function callAndWait(
  callable: Callable,
  before: readonly unknown[],
  self: object,
): Promise<void> {
  // cast: the caller knows the parameters of the function
  const call = callable.bind(self as never) as (...args: unknown[]) => unknown
  if (callable.length <= before.length) {
    await call(...before)
    return
  }
  await new Promise<void>((resolve, reject) => {
    const done: Report = (error) => {
      if (error === undefined || error === null) resolve()
      else reject(error)
    }
    const returned = call(...before, done)
    if (returned instanceof Promise) returned.then(() => undefined, reject)
  })
}

/** The place of an application hook. */
interface HookPlace {
  readonly name: string
  readonly context: Context
  /** The time limit in milliseconds; 0 for no limit. */
  readonly timeout?: number
  /** The call that added it. */
  readonly origin?: Error | undefined
}

/** Calls an application hook and waits for its end. Coded errors pass, since they name their place.
 *  Any other value, undefined included, becomes the cause of an error that names the hook.
 *  @throws ESP_ERR_HOOK_FAILED, ESP_ERR_HOOK_TIMEOUT */
export async function callHook(
  { name, context, timeout = 0, origin }: HookPlace,
  hook: Callable,
  before: readonly unknown[],
): Promise<void> {
  try {
    const ended = callAndWait(hook, before, context.objects.server)
    const late = (cause: Error): Error =>
      new errorCodes.ESP_ERR_HOOK_TIMEOUT(name, context.path, timeout, cause)
    await (timeout === 0 ? ended : within(timeout, ended, late))
  } catch (error) {
    const { show, wrapsForeign } = context.objects.dialect.errors
    if (error instanceof EspalierError) throw show(bootError(origin, error))
    if (!wrapsForeign && error instanceof Error) throw error
    const reason = error instanceof Error ? error.message : describe(error)
    const failed = new errorCodes.ESP_ERR_HOOK_FAILED(name, context.path, reason, error)
    throw show(bootError(origin, failed))
  }
}

/** Calls back when a promise settles. An error that the callback throws is not caught. */
export function nodeify<Value>(
  promise: Promise<Value>,
  callback: (error: unknown, value?: Value) => void,
): void {
  promise.then(
    (value) => process.nextTick(callback, null, value),
    (error: unknown) => process.nextTick(callback, error),
  )
}

/** The code of avvio for a hook that takes too long. */
const timeoutCode = 'AVV_ERR_READY_TIMEOUT'

async function within(
  milliseconds: number,
  ended: Promise<void>,
  toError: (cause: Error) => Error,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const cause = new Error(`It took more than ${milliseconds} ms`)
    dropForeignStack(cause)
    timer = setTimeout(() => {
      reject(toError(Object.assign(cause, { code: timeoutCode })))
    }, milliseconds)
  })
  await Promise.race([ended, late]).finally(() => {
    clearTimeout(timer)
  })
}
