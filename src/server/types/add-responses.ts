import type { AnyCtx, IsSameEntry, ResponsesIn } from '../../context/ctx.ts'
import type { AnyErrorClass, ErrorBodies, ErrorResponses } from '../../schema/http-error.ts'
import type { ResponseError } from '../../route/route-schema.ts'

/** `unknown` for what a scope can declare, or a sentence for each status that it cannot.
 *  @template Given responses by status, or a class of errors
 *  @template Context the scope */
export type Answerable<Given, Context extends AnyCtx> = Given extends AnyErrorClass
  ? ErrorAnswerable<Given, Given['statusCode'], ResponsesIn<Context['schemas']>>
  : AnswerableMap<Given, Context>

/** The same for several classes of errors. */
export type AnswerableErrors<Errors extends readonly AnyErrorClass[], Context extends AnyCtx> = {
  readonly [Index in keyof Errors]: Errors[Index] & NoInfer<Answerable<Errors[Index], Context>>
}

/** The responses in what `addResponses` was given. */
export type Answers<Given, Errors extends readonly AnyErrorClass[]> = Given extends AnyErrorClass
  ? ErrorResponses<Given | Errors[number]>
  : [Errors] extends [readonly []]
    ? Given
    : Given & ErrorResponses<Errors[number]>

type AnswerableMap<Responses, Context extends AnyCtx> = [
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
    ? IsSameEntry<Entry, Present[Code]> extends true
      ? never
      : Otherwise<Code>
    : never
  : `'${Code & (string | number)}' is no status for a scope: it takes codes (401) and classes ('4xx') other than 2xx`

type ErrorAnswerable<
  Given extends AnyErrorClass,
  Status extends number,
  Present,
> = Status extends keyof Present
  ? IsSameEntry<ErrorResponses<Given>[Status], Present[Status]> extends true
    ? unknown
    : Present[Status] extends ErrorBodies<unknown>
      ? `The error '${Given['code']}' has other fields in this scope`
      : Otherwise<Status>
  : unknown

type Otherwise<Code> = `Response ${Code & (string | number)} has another schema in this scope`

/** The statuses that a scope can declare. */
type Answered = `${1 | 3 | 4 | 5}${Digit}${Digit}` | `${1 | 3 | 4 | 5}xx`
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
