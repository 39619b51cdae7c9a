/** The hooks that run for a request, in the order in which they run. */
export const requestHooks = ['onRequest', 'preValidation', 'preHandler'] as const

/** The name of a hook that runs for a request. */
export type RequestHook = (typeof requestHooks)[number]

/** A hook function: async `(request, reply)`, or `(request, reply, done)`. */
export type HookFunction = (...args: never[]) => unknown

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
