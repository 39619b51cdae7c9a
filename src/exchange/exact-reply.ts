import type { AnyCtx } from '../context/ctx.ts'
import type { ExtraField, OpenPart, OpenReference } from '../schema/infer/closed.ts'
import type { Misfit } from './reply/misfit.ts'
import type { Success } from './payload.ts'
import type { Sender, Sent, Unfinished, Unsent } from './reply/sent.ts'
import type { SentAsIs } from '../types/fetch-body.ts'
import type { Verdict } from '../types/verdict.ts'
import type { Returned } from './typed-reply.ts'

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
export type ExactReturned<Result, Responses, Schemas> = UnlessExtra<
  ExtraField<GivenValue<Result>, Success<Responses, Schemas, 'exact'>>,
  SureReturned<Result, Responses, Schemas>
>

/** What a handler returns: `Returned`, unless it may forget to. An async one then has nothing to send; the reply of a
 *  sync one would be waited for in vain, unless it always sends by hand, and never returns a payload. What does not fit is
 *  told of by a sentence, where there is one; else `Returned` is written out: messages would name it, and not what it is. */
export type SureReturned<Result, Responses, Schemas> = undefined extends Result
  ? ForgottenIf<MayBeMissing<Result>, Returned<Responses, Schemas>>
  : Promise<undefined> extends Result
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

/** `void` is what a handler of declared type may return, which says no more. */
type MayBeMissing<Result> = Unlikely extends Result
  ? false
  : undefined extends Extract<Result, undefined>
    ? [Exclude<Result, Sender | void | undefined>] extends [never]
      ? false
      : true
    : false

/** What the result of a handler must be besides where no response is declared: a sentence for a reply that was prepared, and
 *  not sent, and for a promise that was not awaited. It stands before the result, which messages cut. `Known` is a type parameter
 *  that is inferred together with the result: until then nothing is decided, and then it is at once. */
export type UnlessUnsent<Result, Known> =
  Verdict<Known extends unknown ? [...Unless<IfUnfinished<Value<Result>>>] : never> extends Verdict<
    []
  >
    ? Unsent
    : Verdict<
          Known extends unknown ? [...Unless<IfPending<Value<Result>>>] : never
        > extends Verdict<[]>
      ? Unawaited
      : unknown

/** A sentence for a handler that gives nothing, and takes no reply (`Taken` is never) to send one: no request that comes to it
 *  is answered, and one that an async handler ends is a 500. A reply is asked for, since a handler that has one sends by hand. */
export type UnlessNothing<Result, Known, Taken> =
  Verdict<
    Known extends unknown
      ? [...Unless<[Taken] extends [never] ? IfNothing<Value<Result>> : 0>]
      : never
  > extends Verdict<[]>
    ? "The handler returns nothing, and takes no 'reply' to send one"
    : unknown

type Unawaited = "A promise in the payload has to be awaited: it would be sent as '{}'"

type Value<Result> = Result extends Promise<infer Value> ? Value : Result

/** Is empty where a value is at fault, be it in one case among others. Spread, it is a list of any length to the
 *  compiler where the result is of a type parameter of the function around. */
type Unless<Fault> = 1 extends Fault ? [] : [1]

type IfUnfinished<Value> = Value extends Unfinished ? (unknown extends Value ? 0 : 1) : 0

/** What has no type yet, or never comes, is something. */
type IfNothing<Value> = [Value] extends [never]
  ? 0
  : [Value] extends [void]
    ? unknown extends Value
      ? 0
      : 1
    : 0

/** Whether a value is a list of promises, or has one in a field, or in a list or an object there. What is sent as it is may
 *  have any. */
type IfPending<Value> = Value extends readonly (infer Item)[]
  ? IfPendingIn<Item>
  : Value extends AsItIs
    ? 0
    : Value extends object
      ? IfPendingIn<Value[keyof Value & string]>
      : 0

type IfPendingIn<Field> = unknown extends Field
  ? 0
  : Field extends readonly (infer Item)[]
    ? IfPromise<Item>
    : Field extends Promise<unknown>
      ? 1
      : Field extends AsItIs
        ? 0
        : Field extends object
          ? IfPromise<Field[keyof Field & string]>
          : 0

type IfPromise<Field> = unknown extends Field ? 0 : Field extends Promise<unknown> ? 1 : 0

/** What says itself what is sent of it, and functions, which are not sent. */
type AsItIs =
  Sender | SentAsIs | { then: unknown } | { toJSON: unknown } | ((...given: never) => unknown)

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
