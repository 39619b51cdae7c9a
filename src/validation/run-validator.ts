import { EspalierError } from '../errors/espalier-error.ts'
import { isObject, isThenable } from '../schema/values.ts'
import type { ValidatorFunction } from '../schema/compiler-types.ts'

/** What a validator said of a part: a failure, or the value to go on with. */
export type Verdict = { readonly error: NonNullable<unknown> } | { readonly value: unknown }

/** Runs a validator on the data of one part. Undefined means valid, and coerced in place.
 *
 *  A validator answers in ajv's way (true or false, with `errors`), or with `{ error }` or
 *  `{ value }`, or with a promise of either; a promise that rejects is a failed validation. */
export function runValidator(
  validator: ValidatorFunction,
  data: unknown,
): Verdict | undefined | Promise<Verdict | undefined> {
  const answer = validator(data)
  if (answer === true) return undefined
  if (isThenable(answer)) return judgeLater(answer, validator)
  return judge(answer, validator)
}

function judge(answer: unknown, validator: ValidatorFunction): Verdict | undefined {
  if (answer === false) return { error: validator.errors ?? [] }
  if (answer instanceof Error) return { error: answer }
  if (!isObject(answer)) return undefined
  const { error } = answer
  if (error !== undefined && error !== null) return { error }
  return 'value' in answer ? { value: answer['value'] } : undefined
}

async function judgeLater(
  answer: PromiseLike<unknown>,
  validator: ValidatorFunction,
): Promise<Verdict | undefined> {
  try {
    const settled: unknown = await answer
    // An $async validator of ajv answers with the data, which is no verdict, whatever its keys are.
    return '$async' in validator ? undefined : judge(settled, validator)
  } catch (error) {
    // A coded error says that validating itself went wrong, which is no fault of the client.
    if (error instanceof EspalierError) throw error
    return { error: error ?? [] }
  }
}
