import type { HookFunction } from '../context/hooks.ts'
import type { Request } from '../exchange/request.ts'
import type { Reply } from '../exchange/reply.ts'
import type { RequestStep } from './compiled-route.ts'

type Callback = (error?: unknown) => void

/** Brings a hook into one form, whichever it has: async `(request, reply)` or callback
 *  `(request, reply, done)`. `this` is the server inside it. */
export function toStep(hook: HookFunction, server: object): RequestStep {
  // cast: a hook is typed by its scope, which the route belongs to
  const bound = hook.bind(server as never) as (...args: unknown[]) => unknown
  if (hook.length < 3) return bound
  return (request, reply) => runCallback(bound, request, reply)
}

/** No promise is made for a hook that calls back before it returns. */
function runCallback(
  hook: (...args: unknown[]) => unknown,
  request: Request,
  reply: Reply,
): Promise<void> | undefined {
  let outcome: { error: unknown } | undefined
  let settle: Callback | undefined
  const returned = hook(request, reply, (error?: unknown) => {
    outcome ??= { error }
    settle?.()
  })
  if (outcome === undefined) {
    return new Promise((resolve, reject) => {
      settle = () => {
        if (isFailure(outcome?.error)) reject(outcome.error)
        else resolve()
      }
      // A hook that takes `done` and returns a promise all the same fails when the promise does.
      if (returned instanceof Promise) returned.catch(reject)
    })
  }
  if (isFailure(outcome.error)) throw outcome.error
  return returned instanceof Promise ? returned.then(() => undefined) : undefined
}

function isFailure(error: unknown): error is NonNullable<unknown> {
  return error !== undefined && error !== null
}
