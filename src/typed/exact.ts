import type { AnyCtx } from '../context/ctx.ts'
import type { ExtraField, OpenPart, OpenReference } from '../schema/infer/closed.ts'
import type { Misfit } from './misfit.ts'
import type { Success } from './payload.ts'
import type { Sender, Sent } from './sent.ts'
import type { Verdict } from '../types/verdict.ts'
import type { Returned } from './reply.ts'

/** The responses of a route whose success has no closed object in it: what its handler returns is
 *  checked by assignment alone. */
export interface OpenResponses<Context extends AnyCtx> {
  readonly 200?: OpenEntry<Context>
  readonly '2xx'?: OpenEntry<Context>
  readonly '2XX'?: OpenEntry<Context>
  readonly default?: OpenEntry<Context>
  // Without it the others would have to be among these.
  readonly [code: string]: unknown
}

type OpenEntry<Context extends AnyCtx> = OpenIn<OpenPart<OpenReference<Context['schemas']>>>

type OpenIn<Part> =
  Part | { readonly content: { readonly [media: string]: { readonly schema?: Part } } }

/** What a handler with a closed success returns: `Returned`, unless the value that it does return
 *  has fields too many. The compiler itself looks for these in literals only where they are written,
 *  and forgets what was one when a function returns it. */
export type ExactReturned<Result, Responses, Schemas, Taken> = UnlessExtra<
  ExtraField<GivenValue<Result>, Success<Responses, Schemas, 'exact'>>,
  SureReturned<Result, Responses, Schemas, Taken>
>

/** What a handler returns: `Returned`, unless it may forget to. An async one then has nothing to send; the reply of a
 *  sync one would be waited for in vain, unless it always sends by hand, and never returns a payload. What does not fit is
 *  told of by a sentence, where there is one; else `Returned` is written out: messages would name it, and not what it is. */
export type SureReturned<Result, Responses, Schemas, Taken> = Undefined extends Result
  ? ForgottenIf<MayBeMissing<Result, Taken>, Returned<Responses, Schemas>>
  : Promise<Undefined> extends Result
    ? ForgottenIf<Promise<Unlikely> extends Result ? false : true, Returned<Responses, Schemas>>
    : Verdict<unknown> extends Verdict<IsReturned<Result, Returned<Responses, Schemas>>>
      ? Misfit<
          Result,
          Success<Responses, Schemas, 'reply'>,
          | Success<Responses, Schemas, 'reply'>
          | Sent
          | Promise<Success<Responses, Schemas, 'reply'> | Sent>
          | void
        >
      : Returned<Responses, Schemas>

/** Whether a handler may return that, as a check for `Verdict`. */
type IsReturned<Result, Allowed> = Result extends Allowed ? true : unknown

type ForgottenIf<Missing, Otherwise> = Missing extends true
  ? "A handler returns a payload, or what 'reply.send' gives; this one may return undefined"
  : Otherwise

/** `void` is what a handler of declared type may return, which says no more, unless it takes no reply (`Taken` is never). */
type MayBeMissing<Result, Taken> = Unlikely extends Result
  ? false
  : [Taken] extends [never]
    ? true
    : undefined extends Extract<Result, undefined>
      ? [Exclude<Result, Sender | void | undefined>] extends [never]
        ? false
        : true
      : false

/** `undefined`; in a project without `strictNullChecks` it would extend any type. */
type Undefined = undefined extends 1 ? Unlikely : undefined

/** Tells `any` and `unknown` from other types, which it is not among. */
interface Unlikely {
  readonly [unlikely]: never
}
declare const unlikely: unique symbol

/** A field of a value that has an error itself is asked for by itself, so that nothing is said of it: the compiler gives such a
 *  question back as what it was asked of. */
type UnlessExtra<Field, Otherwise> = [Field] extends [never]
  ? Otherwise
  : Field extends string
    ? `'${Field}' is not in the response schema`
    : Otherwise

/** The value that a handler itself gives; not that of `Awaited`, which costs 200 instantiations. */
type GivenValue<Result> = Result extends Sender
  ? never
  : Result extends Promise<infer Value>
    ? Exclude<Value, Sender>
    : Result
