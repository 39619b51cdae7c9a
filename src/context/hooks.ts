import { errorCodes } from '../errors/codes.ts'
import { suggestion } from '../errors/near-miss.ts'
import type { BootPolicy } from '../dialect/dialect.ts'
import { describe } from '../errors/describe.ts'

/** The hooks of a request, in the order in which they run, each with the number of its arguments
 *  without `done`. A hook that declares one parameter more takes `done`. */
export const requestHooks = {
  /** `(request, reply)` */
  onRequest: 2,
  /** `(request, reply, payload)`; the payload is the body as a stream. */
  preParsing: 3,
  preValidation: 2,
  preHandler: 2,
  /** `(request, reply, error)` */
  onError: 3,
  /** `(request, reply, payload)`, before the payload is serialized. */
  preSerialization: 3,
  /** `(request, reply, payload)`, before the payload is written. */
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
  /** `(route)`: the options of a new route, which the hook may change. It is called
   *  synchronously. */
  onRoute: 1,
  /** `(server, options)`: the new context of a plugin. It is called synchronously. */
  onRegister: 2,
} as const

/** The number of arguments of each hook, without `done`. */
export type HookArities = typeof requestHooks & typeof applicationHooks

type ScopeHook = 'onRoute' | 'onRegister'

export type RequestHook = keyof typeof requestHooks

export type ApplicationHookName = keyof typeof applicationHooks

/** A hook function: async, or with `done` as its last parameter. */
export type HookFunction = (...args: never[]) => unknown

/** One value for each hook of a request. */
export type PerHook<Value> = Readonly<Record<RequestHook, Value>>

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
 *  @param place the name of the context in error messages
 *  @throws ESP_ERR_HOOK_NOT_SUPPORTED, ESP_ERR_HOOK_INVALID_HANDLER,
 *  ESP_ERR_HOOK_INVALID_ASYNC_HANDLER */
export function readHook(name: string, hook: unknown, place: string): HookFunction {
  const arities: Readonly<Record<string, number>> = { ...requestHooks, ...applicationHooks }
  const arity = Object.hasOwn(arities, name) ? arities[name] : undefined
  if (arity === undefined) {
    throw new errorCodes.ESP_ERR_HOOK_NOT_SUPPORTED(
      name,
      place,
      suggestion(name, Object.keys(arities)),
    )
  }
  if (!isFunction(hook)) {
    throw new errorCodes.ESP_ERR_HOOK_INVALID_HANDLER(name, place, describe(hook))
  }
  if (hook.length > arity && hook.constructor.name === 'AsyncFunction') {
    throw new errorCodes.ESP_ERR_HOOK_INVALID_ASYNC_HANDLER(name, place)
  }
  return hook
}

/** A hook of a context. */
export interface AddedHook {
  readonly hook: HookFunction
  /** Who added it, for error messages. */
  readonly place: string
}

interface Entry extends AddedHook {
  readonly name: RequestHook | ScopeHook
  /** The position: a number, after the position of the shared plugin that it was added in. */
  readonly position: readonly number[]
}

/** The hooks of one context. They are linked to those of the parent context. */
export class Hooks {
  readonly #own: Entry[] = []
  readonly #parent: Hooks | undefined
  readonly #clock: { now: number }
  /** The position of the plugin that is loading now. If hooks are ordered by loading, all contexts
   *  share it, since only one plugin loads at a time. */
  readonly #loading: { position: readonly number[] }

  constructor({ ordersByLoading }: BootPolicy, parent?: Hooks) {
    this.#parent = parent
    this.#clock = parent === undefined ? { now: 0 } : parent.#clock
    const isShared = ordersByLoading && parent !== undefined
    this.#loading = isShared ? parent.#loading : { position: [] }
  }

  /** @param place who adds the hook, for error messages */
  add(name: RequestHook | ScopeHook, hook: HookFunction, place: string): void {
    this.#own.push({ name, hook, place, position: this.#next() })
  }

  /** A number that grows with each hook of any context. */
  get now(): number {
    return this.#clock.now
  }

  /** Reserves a position in the hook order for a plugin that loads later. Returns `start()`, which
   *  returns `stop()`. */
  hold(): () => () => void {
    const position = this.#next()
    return () => {
      const { position: before } = this.#loading
      this.#loading.position = position
      return () => {
        this.#loading.position = before
      }
    }
  }

  /** The hooks of this context and its ancestors, in the order in which they were added. */
  collect(name: RequestHook | ScopeHook): HookFunction[] {
    return this.addedSince(0, name).map((entry) => entry.hook)
  }

  /** Those of these hooks that were added when `now` was `since`, or later. */
  addedSince(since: number, name: RequestHook | ScopeHook): AddedHook[] {
    if (since === this.now) return []
    return this.#entries()
      .filter((entry) => entry.name === name && Number(entry.position.at(-1)) >= since)
      .sort((left, right) => compare(left.position, right.position))
  }

  /** The hooks of this context itself, in the order in which they were added. */
  own(name: RequestHook): HookFunction[] {
    return this.#own.filter((entry) => entry.name === name).map((entry) => entry.hook)
  }

  #next(): readonly number[] {
    return [...this.#loading.position, this.#clock.now++]
  }

  #entries(): Entry[] {
    return this.#parent === undefined ? [...this.#own] : [...this.#parent.#entries(), ...this.#own]
  }
}

/** No two hooks have the same position. */
function compare(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((number, index) => number !== right[index])
  return (left[at] ?? 0) - (right[at] ?? 0)
}

function isFunction(value: unknown): value is HookFunction {
  return typeof value === 'function'
}
