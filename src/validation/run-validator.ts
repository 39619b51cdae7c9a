import { EspalierError } from '../errors/espalier-error.ts'
import { isObject } from '../types/objects.ts'
import { isThenable } from '../types/promises.ts'
import type { ValidatorFunction } from '../schema/compiler-types.ts'

/** The result of validating one part: what is wrong, or the value that replaces the data. */
export type ValidationOutcome = Refusal | { readonly value: unknown }

/** What is wrong with a part. */
export interface Refusal {
  readonly error: NonNullable<unknown>
  /** The issues of a Standard Schema, of which `error` has the messages. */
  readonly issues?: unknown
}

/** Runs a validator on the data of one part. Undefined means that the data is valid, and was
 *  coerced in place.
 *  @throws EspalierError which the promise rejects with: the validator itself has failed */
export function runValidator(
  validator: ValidatorFunction,
  data: unknown,
): ValidationOutcome | undefined | Promise<ValidationOutcome | undefined> {
  return readOutcome(validator(data), validator)
}

/** Reads the answer of a validator. It is true or false, with `errors`, as those of ajv are; or
 *  `{ error }` or `{ value }`; or a promise of either. A promise that rejects is a failed
 *  validation. */
export function readOutcome(
  answer: unknown,
  validator: ValidatorFunction,
): ValidationOutcome | undefined | Promise<ValidationOutcome | undefined> {
  if (answer === true) return undefined
  return isThenable(answer) ? readLater(answer, validator) : read(answer, validator)
}

function read(answer: unknown, validator: ValidatorFunction): ValidationOutcome | undefined {
  if (answer === false) return { error: validator.errors ?? [] }
  if (answer instanceof Error) return { error: answer }
  if (!isObject(answer)) return undefined
  const { error, issues } = answer
  if (error !== undefined && error !== null)
    return issues === undefined ? { error } : { error, issues }
  return 'value' in answer ? { value: answer['value'] } : undefined
}

async function readLater(
  answer: PromiseLike<unknown>,
  validator: ValidatorFunction,
): Promise<ValidationOutcome | undefined> {
  try {
    const settled: unknown = await answer
    // An $async validator of ajv returns the data, which may have a field `error` or `value`.
    return '$async' in validator ? undefined : read(settled, validator)
  } catch (error) {
    if (error instanceof EspalierError) throw error
    return { error: error ?? [] }
  }
}
