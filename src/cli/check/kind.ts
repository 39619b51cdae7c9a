import type { Probe, Shown } from './probe.ts'

/** A kind of hazard: something that a schema lets happen, and that its reader does not expect. */
export interface Kind {
  /** Its name, as schemas say that it is meant. */
  readonly name: string
  readonly sentence: string
  readonly remedy: string
  /** Where it is looked for. */
  readonly of: 'request' | 'reply' | 'both'
  /** Whether it is looked for where no value is known that fits. @default false */
  readonly needsNoValue?: boolean
  /** Looks for it at one place of a schema, by running the compiled function. */
  probe(probe: Probe): Shown | undefined
}
