import { errorCodes } from '../errors/codes.ts'
import { suggestion } from '../errors/near-miss.ts'
import type { BootPolicy } from '../dialect/dialect.ts'
import { describe } from '../errors/describe.ts'

/** What a hook of a request is. */
interface HookFacts {
  /** The number of its arguments without `done`. A hook that declares one parameter more takes
   *  `done`. */
  readonly arity: number
  /** What it runs in front of, as a stage of the request. Such a hook may reply, so it may guard
   *  the handler. */
  readonly before?: 'body' | 'validation' | 'handler'
  /** What it may put another value in place of. */
  readonly changes?: 'body' | 'payload'
}

/** The hooks of a request, in the order in which they run. */
export const requestHooks = {
  /** `(request, reply)` */
  onRequest: { arity: 2, before: 'body' },
  /** `(request, reply, payload)`; the payload is the body as a stream. */
  preParsing: { arity: 3, before: 'body', changes: 'body' },
  preValidation: { arity: 2, before: 'validation' },
  preHandler: { arity: 2, before: 'handler' },
  /** `(request, reply, error)` */
  onError: { arity: 3 },
  /** `(request, reply, payload)`, before the payload is serialized. */
  preSerialization: { arity: 3, changes: 'payload' },
  /** `(request, reply, payload)`, before the payload is written. */
  onSend: { arity: 3, changes: 'payload' },
  onResponse: { arity: 2 },
  onTimeout: { arity: 2 },
  /** `(request)` */
  onRequestAbort: { arity: 1 },
} as const

/** The hooks of the application, each with its number of arguments. */
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
export type HookArities = {
  readonly [Name in RequestHook]: (typeof requestHooks)[Name]['arity']
} & typeof applicationHooks

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

/** What is known of a hook of a request. */
export const factsOfHook = (name: RequestHook): HookFacts => requestHooks[name]

/** The hooks that run in front of the handler, in their order.
 *  @param what those alone that run in front of this part of a request */
export function hooksBefore(what?: HookFacts['before']): RequestHook[] {
  return (Object.keys(requestHooks) as RequestHook[]).filter((name) => {
    const { before } = factsOfHook(name)
    return before !== undefined && before === (what ?? before)
  })
}

export function isRequestHook(name: string): name is RequestHook {
  return Object.hasOwn(requestHooks, name)
}

export function isScopeHook(name: string): name is ScopeHook {
  return name === 'onRoute' || name === 'onRegister'
}

function arityOf(name: string): number | undefined {
  if (isRequestHook(name)) return requestHooks[name].arity
  const others: Readonly<Record<string, number>> = applicationHooks
  return Object.hasOwn(others, name) ? others[name] : undefined
}

/** Checks a hook.
 *  @param place the name of the context in error messages
 *  @throws ESP_ERR_HOOK_NOT_SUPPORTED, ESP_ERR_HOOK_INVALID_HANDLER,
 *  ESP_ERR_HOOK_INVALID_ASYNC_HANDLER */
export function readHook(name: string, hook: unknown, place: string): HookFunction {
  const arity = arityOf(name)
  if (arity === undefined) {
    throw new errorCodes.ESP_ERR_HOOK_NOT_SUPPORTED(
      name,
      place,
      suggestion(name, [...Object.keys(requestHooks), ...Object.keys(applicationHooks)]),
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
