import type { Target } from '../../schema/reference.ts'
import type { Serializer, ValidatorFunction } from '../../schema/compiler-types.ts'
import { ignoreRejection } from '../../types/promises.ts'
import { isObject, type JsonObject } from '../../types/objects.ts'
import { runValidator } from '../../validation/run-validator.ts'

/** One schema of a route, with the function that the route has compiled of it. */
export interface Subject {
  /** The route or the scope that has it: `POST /users`. */
  readonly route: string
  readonly method: string
  /** The part: `body`, `body application/json`, `querystring`, `response 200`. */
  readonly part: string
  readonly isReply: boolean
  /** Whether scalars come as text, as they do but in JSON. */
  readonly isText: boolean
  readonly isStrict: boolean
  /** Whether the schema is one of another library, such as zod. */
  readonly isForeign: boolean
  readonly root: Target
  /** The shared schemas that the route sees. */
  readonly shared: Readonly<Record<string, JsonObject>>
  /** How many bytes an input may have. */
  readonly limit: number
  /** Runs the function on a value that comes as this JSON text. @throws NotExaminable */
  readonly run: (text: string) => Outcome
}

/** What came of an input: the value that reaches its reader, or that it was refused. */
export type Outcome = Accepted | Refused

export interface Accepted {
  readonly value: unknown
}

export interface Refused {
  readonly refusal: string
  /** The records of the validator, where it gives some. */
  readonly errors: readonly unknown[]
}

/** Thrown where a function cannot be examined. The message is the reason. */
export class NotExaminable extends Error {}

/** Runs a validator.
 *  @param raw the same without transforms, whose value can be compared with the input
 *  @param full what the route runs. Only what it takes counts */
export function validatorRun(
  raw: ValidatorFunction,
  full: ValidatorFunction,
  isText: boolean,
): Subject['run'] {
  const run = (validate: ValidatorFunction, text: string): Outcome => {
    const data: unknown = JSON.parse(text)
    return answerOf(validate, isText ? asItComes(data) : data)
  }
  return (text) => {
    const outcome = run(raw, text)
    if (raw === full || 'refusal' in outcome) return outcome
    const decoded = run(full, text)
    return 'refusal' in decoded ? decoded : outcome
  }
}

function answerOf(validate: ValidatorFunction, data: unknown): Outcome {
  try {
    const outcome = runValidator(validate, data)
    if (outcome === undefined) return { value: data }
    if (outcome instanceof Promise) {
      ignoreRejection(outcome)
      throw new NotExaminable('its validator answers by a promise')
    }
    return 'error' in outcome ? refusedBy(outcome.error) : { value: outcome.value }
  } catch (error) {
    if (error instanceof NotExaminable) throw error
    return refusedBy(error)
  }
}

function refusedBy(error: unknown): Refused {
  const errors: readonly unknown[] = Array.isArray(error) ? error : []
  const [first = error] = errors
  const { instancePath = '', message = String(first) } = isObject(first) ? first : {}
  return { refusal: `${String(instancePath)} ${String(message)}`.trim(), errors }
}

/** Queries and forms have no list of one: that is the value alone. */
const asItComes = (data: unknown): unknown =>
  isObject(data)
    ? Object.fromEntries(
        Object.entries(data).map(([name, value]) => {
          const isOne = Array.isArray(value) && value.length === 1
          return [name, isOne ? (value[0] as unknown) : value]
        }),
      )
    : data

/** Runs a serializer: the value is what a client reads. */
export function serializerRun(serialize: Serializer): Subject['run'] {
  return (text) => {
    try {
      return { value: JSON.parse(serialize(JSON.parse(text))) }
    } catch (error) {
      return refusedBy(error)
    }
  }
}

/** The most characters of a value that are shown. */
const mostShown = 200

const shortened = (text: string): string =>
  text.length > mostShown ? `${text.slice(0, mostShown)}… (${text.length} characters)` : text

/** An input as its sender writes it. */
export function showInput({ part, isText, isReply }: Subject, text: string): string {
  const data: unknown = isText ? JSON.parse(text) : undefined
  if (isReply || !isObject(data) || !/^(querystring|body)/.test(part)) return shortened(text)
  const pairs = Object.entries(data).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  )
  const query = new URLSearchParams(pairs).toString()
  return shortened(part === 'querystring' ? `?${query}` : query)
}

export const showValue = (value: unknown): string =>
  shortened(
    JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each)),
  )
