// What is measured, and what comes of it.
import type { Scenario } from './scenarios.ts'

export interface Plan {
  readonly node: string
  readonly requests: number
  /** The heap is looked at after each of so many portions of the requests. */
  readonly portions: number
  /** Seconds of load before the heap is looked at first. */
  readonly warmUp: number
  readonly connections: number
  /** For which the processor time of idle connections is taken. */
  readonly idleSeconds: number
  readonly scenarios: readonly Scenario[]
}

/** A table, and all figures. */
export interface Part {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly figures: readonly object[]
  /** What went wrong: the server does not do what it has to do. */
  readonly faults?: readonly string[]
}
