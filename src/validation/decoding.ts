import type { ValidatorFunction } from '../schema/compiler-types.ts'
import type { Decoder } from './codecs.ts'
import { runValidator, type Verdict } from './run-validator.ts'

/** A validator that also decodes what it has found valid. What cannot be decoded is not valid. */
export function withDecoder(validate: ValidatorFunction, decode: Decoder): ValidatorFunction {
  return (data) => {
    const finish = (verdict: Verdict = { value: data }): Verdict =>
      'error' in verdict ? verdict : decode(verdict.value)
    const verdict = runValidator(validate, data)
    return verdict instanceof Promise ? verdict.then(finish) : finish(verdict)
  }
}
