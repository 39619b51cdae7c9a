import type { AnyCtx, ResponsesIn } from '../../context/ctx.ts'
import type { ResponseError } from '../../route/route-schema.ts'

/** `unknown` for responses that a scope can declare, or a sentence for each status that it cannot.
 *  @template Context the scope */
export type Answerable<Responses, Context extends AnyCtx> = [
  ResponseError<Responses, Context['schemas']>,
] extends [never]
  ? {
      readonly [
        Code in keyof Responses as [
          Mistake<Code, Responses[Code], ResponsesIn<Context['schemas']>>,
        ] extends [never]
          ? never
          : Code
      ]: Mistake<Code, Responses[Code], ResponsesIn<Context['schemas']>>
    }
  : ResponseError<Responses, Context['schemas']>

type Mistake<Code, Entry, Present> = `${Code & (string | number)}` extends Answered
  ? Code extends keyof Present
    ? [Entry, Present[Code]] extends [Present[Code], Entry]
      ? never
      : `Response ${Code & (string | number)} has another schema in this scope`
    : never
  : `'${Code & (string | number)}' is no status for a scope: it takes codes (401) and classes ('4xx') other than 2xx`

/** The statuses that a scope can declare. */
type Answered = `${1 | 3 | 4 | 5}${Digit}${Digit}` | `${1 | 3 | 4 | 5}xx`
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
