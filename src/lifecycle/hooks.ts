import { errorCodes } from '../errors/codes.ts'
import { destroyPayload, isStream, toReadable } from '../http/payload-kind.ts'
import { isThenable } from '../types/promises.ts'
import type { CompiledRoute, HookStep } from './compiled-route.ts'
import type { Exchange } from './exchange.ts'
import { logError } from './log/lines.ts'

/** Passes a payload through hooks. Each may return another in its place. If a hook returns a
 *  promise, this returns a promise too. */
export function passThrough(
  hooks: readonly HookStep[],
  exchange: Exchange,
  payload: unknown,
  first = 0,
): unknown {
  const { request, reply } = exchange
  let current = payload
  const fail = (error: unknown): never => {
    destroyPayload(current)
    throw error
  }
  try {
    for (let at = first; at < hooks.length; at++) {
      const result = hooks[at]?.(request, reply, current)
      // The reply is thenable, but resolves only when it is sent.
      if (result === reply) continue
      if (isThenable(result)) {
        return result.then(
          (later) => passThrough(hooks, exchange, chosen(later, current), at + 1),
          fail,
        )
      }
      current = chosen(result, current)
    }
  } catch (error) {
    fail(error)
  }
  return current
}

/** The payload after a hook. A stream gets an error listener: it may fail while the next hook
 *  waits, which must not end the process. */
function chosen(result: unknown, given: unknown): unknown {
  if (result === undefined || result === given) return given
  return isStream(result) ? toReadable(result) : result
}

/** Runs hooks that cannot change the reply, one after the other. An error is reported, and the
 *  other hooks still run.
 *  @param value the third argument of the hooks that have one */
export async function runAll(
  hooks: readonly HookStep[],
  exchange: Exchange,
  value?: unknown,
): Promise<void> {
  const { request, reply } = exchange
  for (const hook of hooks) {
    try {
      const result = hook(request, reply, value)
      if (result !== reply) await result
    } catch (error) {
      report(exchange, error)
    }
  }
}

/** Logs an error that the client does not see, unless it follows from a timeout that was
 *  answered.
 *  @param route the route that the error comes from */
export function report(
  exchange: Exchange,
  error: unknown,
  level: 'info' | 'warn' | 'error' = 'error',
  route: CompiledRoute = exchange.route,
): void {
  if (isOutdated(exchange, error)) return
  logError(exchange, route, route.dialect.errors.show(error), level)
}

/** Whether an error follows from a timeout: a reply that is too late, or work that was stopped
 *  by the signal. */
function isOutdated({ deadline, abort }: Exchange, error: unknown): boolean {
  if (deadline === undefined || deadline.expired === 0) return false
  if (error instanceof errorCodes.ESP_ERR_REP_ALREADY_SENT) return true
  if (!(error instanceof Error)) return false
  const reason: unknown = abort?.signal.reason
  return error === reason || error.cause === reason || error.name === 'AbortError'
}
