import { errorCodes } from '../errors/codes.ts'
import { EspalierError } from '../errors/espalier-error.ts'
import { describe } from '../schema/values.ts'
import type { Context } from '../context/context.ts'

/** A function that tells its end in one of three ways: by a promise, by a callback that it takes as
 *  its last parameter, or by returning. */
export type Callable = (...args: never[]) => unknown

type Callback = (error?: unknown) => void

/** Calls a function and waits for its end.
 *  @param before the arguments that stand before the callback
 *  @param self `this` inside the function */
export async function callAndWait(
  callable: Callable,
  before: readonly unknown[],
  self: object,
): Promise<void> {
  // cast: the caller knows what the function takes
  const call = callable.bind(self as never) as (...args: unknown[]) => unknown
  if (callable.length <= before.length) {
    await call(...before)
    return
  }
  await new Promise<void>((resolve, reject) => {
    const done: Callback = (error) => {
      if (error === undefined || error === null) resolve()
      else reject(error)
    }
    const returned = call(...before, done)
    if (returned instanceof Promise) returned.then(() => undefined, reject)
  })
}

/** Where a hook of the application stands. */
export interface HookPlace {
  readonly name: string
  readonly context: Context
  /** The time it has to end, in milliseconds; 0 for no limit. */
  readonly timeout?: number
}

/** Calls a hook of the application, and waits for its end. Whatever it fails with, undefined
 *  included, becomes the cause of an error that names it; coded errors name their place already.
 *  @throws ESP_ERR_HOOK_FAILED, ESP_ERR_HOOK_TIMEOUT */
export async function callHook(
  { name, context, timeout = 0 }: HookPlace,
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
    if (error instanceof EspalierError) throw show(error)
    if (!wrapsForeign && error instanceof Error) throw error
    const reason = error instanceof Error ? error.message : describe(error)
    throw show(new errorCodes.ESP_ERR_HOOK_FAILED(name, context.path, reason, error))
  }
}

/** Tells a promise's end to a callback. What the callback throws is not swallowed. */
export function tell<Value>(
  promise: Promise<Value>,
  callback: (error: unknown, value?: Value) => void,
): void {
  promise.then(
    (value) => process.nextTick(callback, null, value),
    (error: unknown) => process.nextTick(callback, error),
  )
}

/** What the boot of Fastify calls the cause. */
const timeoutCode = 'AVV_ERR_READY_TIMEOUT'

async function within(
  milliseconds: number,
  ended: Promise<void>,
  toError: (cause: Error) => Error,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const cause = Object.assign(new Error(`It took more than ${milliseconds} ms`), {
      code: timeoutCode,
    })
    timer = setTimeout(() => {
      reject(toError(cause))
    }, milliseconds)
  })
  await Promise.race([ended, late]).finally(() => {
    clearTimeout(timer)
  })
}
