import { isDeepStrictEqual } from 'node:util'
import { toPointer, valueAt } from '../../schema/json-pointer.ts'
import type { JsonObject } from '../../types/objects.ts'
import type { Place } from './places.ts'
import { NoSample, type Samples, type Size } from './samples.ts'
import { type Outcome, type Refused, showInput, showValue, type Subject } from './subject.ts'
import { facetsOf, typesIn, type Way } from './ways.ts'

/** What came of a value at a place. */
export interface Run {
  readonly text: string
  /** The value at the place, as its reader gets it. */
  readonly value: unknown
  readonly whole: unknown
}

/** The input that shows a hazard, and what came of it. */
export interface Shown {
  readonly input: string
  readonly result: string
}

/** Runs the compiled function with values at one place. */
export class Probe {
  readonly subject: Subject
  readonly place: Place
  readonly samples: Samples
  /** The schemas that hold here, by the way of the value that is known to fit. */
  readonly facets: readonly JsonObject[]
  readonly pointer: string

  constructor(subject: Subject, place: Place, samples: Samples) {
    this.subject = subject
    this.place = place
    this.samples = samples
    this.facets = facetsOf(place.base?.way ?? place.ways[0] ?? [])
    this.pointer = toPointer(place.keys)
  }

  /** The types that the value may have, by all ways. */
  get types(): readonly string[] {
    return [...new Set(this.place.ways.flatMap((way) => typesIn(facetsOf(way)) ?? []))]
  }

  /** Undefined where the value is refused. */
  run(value: unknown): Run | undefined {
    return this.runWhole(JSON.stringify(this.place.put(value)))
  }

  /** @param text a whole input */
  runWhole(text: string): Run | undefined {
    const outcome = this.subject.run(text)
    if ('refusal' in outcome) return undefined
    const { value: whole } = outcome
    return { text, value: valueAt(whole, this.place.keys), whole }
  }

  /** Undefined where the value is accepted. */
  refusalOf(value: unknown): (Refused & { readonly text: string }) | undefined {
    const text = JSON.stringify(this.place.put(value))
    const outcome: Outcome = this.subject.run(text)
    return 'refusal' in outcome ? { ...outcome, text } : undefined
  }

  /** A small value by a way, or undefined. */
  sample(way: Way, size: Size): unknown {
    try {
      return this.samples.of(way, size)
    } catch (error) {
      if (error instanceof NoSample) return undefined
      throw error
    }
  }

  /** The first of some values that is accepted and becomes another one. */
  firstChanged(values: readonly unknown[]): Shown | undefined {
    for (const value of values) {
      const ran = this.run(value)
      if (ran?.value === undefined || isDeepStrictEqual(ran.value, value)) continue
      return this.reached(ran)
    }
    return undefined
  }

  reached({ text, whole }: Pick<Run, 'text' | 'whole'>): Shown {
    const to = this.subject.isReply ? 'is sent as' : 'reaches the handler as'
    return { input: showInput(this.subject, text), result: `${to} ${showValue(whole)}` }
  }

  accepted({ text }: Pick<Run, 'text'>): Shown {
    const result = this.subject.isReply ? 'is sent' : 'is accepted'
    return { input: showInput(this.subject, text), result }
  }

  refused({ text }: { readonly text: string }, why: string): Shown {
    return { input: showInput(this.subject, text), result: `is refused: ${why}` }
  }
}
