import type { ConstraintStrategy, HTTPVersion } from 'find-my-way'
import type { ConstraintStore } from './constraints.ts'

/** The values that a request has for constraints, by the names of their strategies. */
export type Derived = Readonly<Record<string, unknown>>

export type Strategy = ConstraintStrategy<HTTPVersion.V1>

export interface Constrained {
  readonly constraints: Derived
}

/** The routes of one path and method. Of those whose constraints a request meets, the one with the
 *  most constraints answers it. */
export class ConstrainedRoutes<Route extends Constrained> {
  readonly #strategies: ReadonlyMap<string, Strategy>
  /** Those with more constraints come later. */
  readonly #routes: readonly Route[]
  /** For each constraint a store of the lists of routes with a value. */
  readonly #stores: ReadonlyMap<string, ConstraintStore>

  constructor(strategies: ReadonlyMap<string, Strategy>, routes: readonly Route[]) {
    this.#strategies = strategies
    this.#routes = [...routes].sort((one, other) => countOf(one) - countOf(other))
    const names = new Set(this.#routes.flatMap(({ constraints }) => Object.keys(constraints)))
    this.#stores = new Map([...names].map((name) => [name, this.#storeOf(name)]))
  }

  /** These routes and one more. */
  with(route: Route): ConstrainedRoutes<Route> {
    return new ConstrainedRoutes(this.#strategies, [...this.#routes, route])
  }

  /** The route of a request. Undefined stands for a request where nothing is constrained. */
  choose(derived: Derived | undefined): Route | undefined {
    if (derived === undefined) return this.#routes.find((route) => countOf(route) === 0)
    let left = this.#routes
    for (const [name, store] of this.#stores) {
      const value = derived[name]
      const met = value === undefined ? [] : listOf(store.get(value))
      const isOpen = value === undefined || !this.#mustMatch(name)
      left = left.filter(
        (route) => met.includes(route) || (isOpen && route.constraints[name] === undefined),
      )
      if (left.length === 0) return undefined
    }
    const others = [...this.#strategies.keys()].filter((name) => !this.#stores.has(name))
    const isRefused = others.some((name) => this.#mustMatch(name) && derived[name] !== undefined)
    return isRefused ? undefined : left.at(-1)
  }

  #storeOf(name: string): ConstraintStore {
    const store = this.#strategies.get(name)?.storage() as ConstraintStore | undefined
    if (store === undefined) throw new Error(`No strategy registered for constraint key ${name}`)
    for (const route of this.#routes) {
      const value = route.constraints[name]
      if (value !== undefined) store.set(value, [...listOf(store.get(value)), route])
    }
    return store
  }

  #mustMatch(name: string): boolean {
    return Boolean(this.#strategies.get(name)?.mustMatchWhenDerived)
  }
}

function countOf({ constraints }: Constrained): number {
  return Object.keys(constraints).length
}

/** The list that a store gives for a value. */
function listOf(stored: unknown): readonly unknown[] {
  return Array.isArray(stored) ? stored : []
}
