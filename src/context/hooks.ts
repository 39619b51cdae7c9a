import { errorCodes } from '../errors/codes.ts'
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
const applicationHooks = { onReady: 0, onClose: 1 } as const

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
  readonly name: RequestHook
  readonly hook: HookFunction
  readonly order: number
}

/** The hooks of one context, linked to those of its parent. */
export class Hooks {
  readonly #own: Entry[] = []
  readonly #parent: Hooks | undefined
  readonly #clock: { now: number }

  constructor(parent?: Hooks) {
    this.#parent = parent
    this.#clock = parent === undefined ? { now: 0 } : parent.#clock
  }

  add(name: RequestHook, hook: HookFunction): void {
    this.#own.push({ name, hook, order: this.#clock.now++ })
  }

  /** The hooks of one name for the routes of this context, its own and its ancestors', in the order
   *  in which they were added. */
  collect(name: RequestHook): HookFunction[] {
    return this.#entries()
      .filter((entry) => entry.name === name)
      .sort((left, right) => left.order - right.order)
      .map((entry) => entry.hook)
  }

  #entries(): Entry[] {
    return this.#parent === undefined ? [...this.#own] : [...this.#parent.#entries(), ...this.#own]
  }
}

function isFunction(value: unknown): value is HookFunction {
  return typeof value === 'function'
}
