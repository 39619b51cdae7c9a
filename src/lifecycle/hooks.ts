import { isThenable } from '../schema/values.ts'
import type { Reply } from '../exchange/reply.ts'
import { discard, isStream, toReadable } from '../exchange/sendable.ts'
import type { Request } from '../exchange/request.ts'
import type { CompiledRoute, HookStep } from '../route/compiled-route.ts'
import { isOutdated } from './stages/in-time.ts'
import { tellError } from './observe/tell.ts'

/** Passes a payload through hooks, each of which may return another in its place. Hooks run in one go:
 *  only a promise is waited for, and then a promise is returned. */
export function passThrough(hooks: readonly HookStep[], reply: Reply, payload: unknown): unknown {
  return passFrom(0, hooks, reply, payload)
}

function passFrom(
  first: number,
  hooks: readonly HookStep[],
  reply: Reply,
  payload: unknown,
): unknown {
  let current = payload
  const fail = (error: unknown): never => {
    discard(current)
    throw error
  }
  try {
    for (let at = first; at < hooks.length; at++) {
      const result = hooks[at]?.(reply.request, reply, current)
      // The reply can be awaited too, but not before it is sent.
      if (result === reply) continue
      if (isThenable(result)) {
        return result.then((later) => passFrom(at + 1, hooks, reply, chosen(later, current)), fail)
      }
      current = chosen(result, current)
    }
  } catch (error) {
    fail(error)
  }
  return current
}

/** A stream may fail while the next hook is waiting, which must not end the process. */
function chosen(result: unknown, given: unknown): unknown {
  if (result === undefined || result === given) return given
  return isStream(result) ? toReadable(result) : result
}

/** Runs hooks that can change nothing any more, one after the other. What one throws is reported, and
 *  the others still run. */
export async function runAll(
  route: CompiledRoute,
  hooks: readonly HookStep[],
  [request, reply, value]: readonly [request: Request, reply: Reply, value?: unknown],
): Promise<void> {
  for (const hook of hooks) {
    try {
      const result = hook(request, reply, value)
      if (result !== reply) await result
    } catch (error) {
      report(route, error, reply)
    }
  }
}

/** Tells the logger, or stderr where there is none, of an error that no client is told of, unless it is what comes
 *  of a request that has been given up.
 *  @param reply that of the request, whose logger is taken then */
export function report(
  route: CompiledRoute,
  error: unknown,
  reply?: Reply,
  level: 'info' | 'warn' | 'error' = 'error',
): void {
  const request = reply?.request
  if (request !== undefined && isOutdated(request, error)) return
  tellError(route, route.dialect.errors.show(error), request, level)
}
