import { requestHooks, type HookFunction, type RequestHook } from '../context/hooks.ts'
import type { Dialect } from '../dialect/dialect.ts'
import {
  isFailure,
  type HookDone,
  type HookStart,
  type HookStep,
} from '../lifecycle/compiled-route.ts'

type Call = (...args: unknown[]) => unknown

/** Brings a hook into one form, whichever it has: async, or with `done` as its last parameter. `this`
 *  is the server inside it. */
export function toStep(
  name: RequestHook,
  hook: HookFunction,
  server: object,
  { boot }: Dialect,
): HookStep {
  // cast: a hook is typed by its scope, which the route belongs to
  const bound = hook.bind(server as never) as Call
  const arity = requestHooks[name]
  const mayTakeAny =
    boot.awaitsUnnamed && hook.length === 0 && hook.constructor.name !== 'AsyncFunction'
  const takesDone = hook.length > arity || mayTakeAny
  if (!takesDone) return arity === 1 ? (request) => bound(request) : bound
  // Written out: to spread a list of arguments would cost more than all else that is done for a hook.
  const start: HookStart =
    arity === 1
      ? (done, request) => bound(request, done)
      : arity === 2
        ? (done, request, reply) => bound(request, reply, done)
        : (done, request, reply, value) => bound(request, reply, value, done)
  const step: HookStep = (request, reply, value) =>
    runCallback((done) => start(done, request, reply, value))
  return Object.assign(step, { start })
}

/** No promise is made for a hook that calls back before it returns. */
function runCallback(start: (done: HookDone) => unknown): unknown {
  let outcome: { error: unknown; value: unknown } | undefined
  let settle: (() => void) | undefined
  const returned = start((error, value) => {
    outcome ??= { error, value }
    settle?.()
  })
  if (outcome === undefined) {
    return new Promise((resolve, reject) => {
      settle = () => {
        if (isFailure(outcome?.error)) reject(outcome.error)
        else resolve(outcome?.value)
      }
      // A hook that takes `done` and returns a promise all the same ends with whichever comes first.
      if (returned instanceof Promise) returned.then(resolve, reject)
    })
  }
  const { error, value } = outcome
  if (isFailure(error)) throw error
  return returned instanceof Promise ? returned.then(() => value) : value
}
