import { errorCodes } from '../errors/codes.ts'
import type { BootPolicy } from '../dialect/dialect.ts'
import { describe } from '../schema/values.ts'

/** The hooks that run for a request, in the order in which they run, each with the number of the
 *  arguments that it is called with. One that declares one more takes `done`. */
export const requestHooks = {
  /** `(request, reply)` */
  onRequest: 2,
  /** `(request, reply, payload)`: the body as a stream. */
  preParsing: 3,
  preValidation: 2,
  preHandler: 2,
  /** `(request, reply, error)` */
  onError: 3,
  /** `(request, reply, payload)`: what is about to be serialized. */
  preSerialization: 3,
  /** `(request, reply, payload)`: what is about to be written. */
  onSend: 3,
  onResponse: 2,
  onTimeout: 2,
  /** `(request)` */
  onRequestAbort: 1,
} as const

/** The hooks of the application, in the same form. */
const applicationHooks = {
  onReady: 0,
  /** After listening. */
  onListen: 0,
  /** Before the server stops listening. */
  preClose: 0,
  /** `(server)` */
  onClose: 1,
  /** `(route)`: what is being declared, to be changed; called at once. */
  onRoute: 1,
  /** `(server, options)`: a context that was opened for a plugin; called at once. */
  onRegister: 2,
} as const

/** With how many arguments each hook is called, `done` apart. */
export type HookArities = typeof requestHooks & typeof applicationHooks

/** The name of a hook of the application that holds for a context and those below. */
export type ScopeHook = 'onRoute' | 'onRegister'

/** The name of a hook that runs for a request. */
export type RequestHook = keyof typeof requestHooks

/** The name of a hook of the application. */
export type ApplicationHook = keyof typeof applicationHooks

/** A hook function: async, or with `done` as its last parameter. */
export type HookFunction = (...args: never[]) => unknown

/** One value for each hook that runs for a request. */
export type PerHook<Value> = Readonly<Record<RequestHook, Value>>

/** Makes one value for each hook that runs for a request. */
export function mapHooks<Value>(make: (name: RequestHook) => Value): PerHook<Value> {
  const names = Object.keys(requestHooks) as RequestHook[]
  // cast: fromEntries forgets the keys, which are the names of the hooks
  return Object.fromEntries(names.map((name) => [name, make(name)])) as PerHook<Value>
}

export function isRequestHook(name: string): name is RequestHook {
  return Object.hasOwn(requestHooks, name)
}

export function isScopeHook(name: string): name is ScopeHook {
  return name === 'onRoute' || name === 'onRegister'
}

/** Checks a hook.
 *  @param place what messages call the context
 *  @throws ESP_ERR_HOOK_NOT_SUPPORTED, ESP_ERR_HOOK_INVALID_HANDLER, ESP_ERR_HOOK_INVALID_ASYNC_HANDLER */
export function readHook(name: string, hook: unknown, place: string): HookFunction {
  const arities: Readonly<Record<string, number>> = { ...requestHooks, ...applicationHooks }
  const arity = Object.hasOwn(arities, name) ? arities[name] : undefined
  if (arity === undefined) {
    throw new errorCodes.ESP_ERR_HOOK_NOT_SUPPORTED(name, place, Object.keys(arities).join(', '))
  }
  if (!isFunction(hook)) {
    throw new errorCodes.ESP_ERR_HOOK_INVALID_HANDLER(name, place, describe(hook))
  }
  if (hook.length > arity && hook.constructor.name === 'AsyncFunction') {
    throw new errorCodes.ESP_ERR_HOOK_INVALID_ASYNC_HANDLER(name, place)
  }
  return hook
}

interface Entry {
  readonly name: RequestHook | ScopeHook
  readonly hook: HookFunction
  /** A number, or one for each place that holds the next. */
  readonly order: readonly number[]
}

/** The hooks of one context, linked to those of its parent. */
export class Hooks {
  readonly #own: Entry[] = []
  readonly #parent: Hooks | undefined
  readonly #clock: { now: number }
  /** The place that is being filled. Where hooks are ordered by loading, each plugin has one, encapsulated or not, and
   *  loading fills one at a time. */
  readonly #filling: { place: readonly number[] }

  constructor({ ordersByLoading }: BootPolicy, parent?: Hooks) {
    this.#parent = parent
    this.#clock = parent === undefined ? { now: 0 } : parent.#clock
    const isOne = ordersByLoading && parent !== undefined
    this.#filling = isOne ? parent.#filling : { place: [] }
  }

  add(name: RequestHook | ScopeHook, hook: HookFunction): void {
    this.#own.push({ name, hook, order: this.#next() })
  }

  /** Keeps a place for the hooks of a shared plugin, which is loaded later than it is registered: what
   *  follows in the same context comes behind them. Returns what begins to fill it, which returns what
   *  ends that. */
  hold(): () => () => void {
    const place = this.#next()
    return () => {
      const { place: before } = this.#filling
      this.#filling.place = place
      return () => {
        this.#filling.place = before
      }
    }
  }

  /** The hooks of one name for the routes of this context, its own and its ancestors', in the order
   *  in which they were added. */
  collect(name: RequestHook | ScopeHook): HookFunction[] {
    return this.#entries()
      .filter((entry) => entry.name === name)
      .sort((left, right) => compare(left.order, right.order))
      .map((entry) => entry.hook)
  }

  #next(): readonly number[] {
    return [...this.#filling.place, this.#clock.now++]
  }

  #entries(): Entry[] {
    return this.#parent === undefined ? [...this.#own] : [...this.#parent.#entries(), ...this.#own]
  }
}

/** No two hooks have the same numbers, so one differs. */
function compare(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((number, index) => number !== right[index])
  return (left[at] ?? 0) - (right[at] ?? 0)
}

function isFunction(value: unknown): value is HookFunction {
  return typeof value === 'function'
}
