import type { AnyCtx } from '../context/ctx.ts'
import type { ExtraField, OpenPart, OpenReference } from '../schema/infer/closed.ts'
import type { NoPayload, Success } from './payload.ts'
import type { Sender, Sent, Unfinished, Unsent } from './sent.ts'
import type { Saying, CheckResult } from '../types/checks.ts'
import type { ToJson } from '../schema/infer/shape.ts'
import type { AnyBlob, AnyForm, SentAsIs } from '../types/fetch-body.ts'

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
    : CheckResult<unknown> extends CheckResult<IsReturned<Result, Returned<Responses, Schemas>>>
      ? Misfit<
          Result,
          Success<Responses, Schemas, 'reply'>,
          | Success<Responses, Schemas, 'reply'>
          | Sent
          | Promise<Success<Responses, Schemas, 'reply'> | Sent>
          | void
        >
      : Returned<Responses, Schemas>

/** Whether a handler may return that, as a check for `CheckResult`. */
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

// What is wrong with the payload that a handler returns, in words.
/** What a handler returns that is no reply of its route, told of by a sentence: the compiler shows the whole of both types first,
 *  and what differs last. Where there is nothing to say, what it may return.
 *  @example type Wrong = Misfit<{ id: string }, { id: number }, Returned>
 *  // "The returned 'id' is a string, where the response schema has a number" */
export type Misfit<Result, Payload, Otherwise> = [Extract<Given<Result>, Unfinished>] extends [
  never,
]
  ? [Exclude<Given<Result>, Sender>] extends [never]
    ? Otherwise
    : [Payload] extends [NoPayload<infer Reason>]
      ? `${Reason}: set another by 'reply.code', and return what its 'send' gives`
      : Told<Found<Exclude<Given<Result>, Sender>, Payload>, Otherwise>
  : Unsent

/** The sentence. Where it says no more than that a field does not fit, it stands beside what may be returned: literals and tuples
 *  keep their types only where such are expected. */
type Told<Differs, Otherwise> = [Differs] extends [never]
  ? Otherwise
  : [Extract<Differs, string>] extends [never]
    ? Otherwise | `The returned '${Extract<Differs, Unfit>[0]}' does not fit the response schema`
    : `The returned ${Extract<Differs, string>}`

type Given<Result> = Result extends Promise<infer Value> ? Value : Result

/** The path of a field that does not fit. */
type Unfit<Path extends string = string> = readonly [Path]

/** What differs, as a union; the path alone where it cannot be said in a few words, as where one of several is expected, and nothing
 *  where that is the value itself. No more is said of a literal either: of the text that an async handler returns, the compiler may
 *  infer no more than that it is text.
 *  @template Path the names on the way
 *  @template Level bounds the recursion */
type Found<Given, Expected, Path extends string = '', Level extends unknown[] = []> = [
  Given,
] extends [Expected]
  ? never
  : unknown extends Given
    ? never
    : Level['length'] extends 6
      ? never
      : [Extract<Given, null | undefined>] extends [Expected]
        ? OrUnfit<FoundOf<Given, Expected, Path, [...Level, unknown]>, Path>
        : `${Named<Path, 'value'>} may be ${NameOfEmpty<Extract<Given, null | undefined>>}, which the response schema does not allow`

type OrUnfit<Differs, Path extends string> = [Differs] extends [never]
  ? Path extends ''
    ? never
    : Unfit<Path>
  : Differs

/** The same for each of several that a value may be. */
type FoundOf<Given, Expected, Path extends string, Level extends unknown[]> = Given extends Expected
  ? never
  : Given extends PromiseLike<unknown>
    ? `${Named<Path, 'value'>} is a promise, which has to be awaited`
    : [Exclude<Expected, null | undefined>] extends [never]
      ? Clash<Given, PlainOf<Expected>, Path>
      : FoundIn<
          Given,
          PlainOf<Exclude<Expected, null>>,
          Path,
          Level,
          null extends Expected ? ' or null' : ''
        >

type NameOfEmpty<Empty> = Empty extends null ? 'null' : 'undefined'

type FoundIn<Given, Plain, Path extends string, Level extends unknown[], OrNull extends string> =
  true extends IsUnion<Plain>
    ? never
    : Given extends readonly (infer Item)[]
      ? Plain extends readonly (infer Known)[]
        ? number extends Plain['length']
          ? Found<Item, Known, `${Path}[]`, Level>
          : never
        : Clash<Given, Plain, Path, OrNull>
      : Given extends object
        ? Plain extends readonly unknown[]
          ? Clash<Given, Plain, Path, OrNull>
          : Plain extends object
            ? Exclude<RequiredOf<Plain>, Present<Given>> extends infer Missing
              ? [Missing] extends [never]
                ? {
                    [Key in keyof Given & keyof Plain]: Found<
                      Given[Key],
                      Plain[Key],
                      Path extends '' ? Key & string : `${Path}.${Key & string}`,
                      Level
                    >
                  }[keyof Given & keyof Plain]
                : `${Named<Path, 'object'>} lacks '${Missing & string}', which the response schema requires`
              : never
            : Clash<Given, Plain, Path, OrNull>
        : Clash<Given, Plain, Path, OrNull>

/** The keys of what is not undefined: the compiler adds others to a literal beside one that has them. */
type Present<Given> = {
  [Key in keyof Given]-?: [Given[Key]] extends [undefined] ? never : Key
}[keyof Given]

type RequiredOf<Type> = {
  [Key in keyof Type]-?: {} extends Pick<Type, Key> ? never : Key
}[keyof Type]

type Clash<Given, Plain, Path extends string, OrNull extends string = ''> = [
  KindOf<Given>,
] extends [KindOf<Plain>]
  ? never
  : [KindOf<Plain>] extends [never]
    ? never
    : `${Named<Path, 'value'>} is ${KindOf<Given>}, where the response schema has ${KindOf<Plain>}${OrNull}`

type Named<Path extends string, Otherwise extends string> = Path extends ''
  ? Otherwise
  : `'${Path}'`

type KindOf<Type> = [Type] extends [string]
  ? 'a string'
  : [Type] extends [number]
    ? 'a number'
    : [Type] extends [boolean]
      ? 'a boolean'
      : [Type] extends [bigint]
        ? 'a bigint'
        : [Type] extends [null]
          ? 'null'
          : [Type] extends [readonly unknown[]]
            ? 'a list'
            : [Type] extends [Date]
              ? 'a Date'
              : [Type] extends [object]
                ? 'an object'
                : never

/** What a schema says, without the objects that `toJSON` makes it of, and the dates that are written as text. */
type PlainOf<Type> = Type extends ToJson<unknown> | Date | undefined ? never : Type

/** Lists and `boolean` are one. */
type IsUnion<Type, All = Type> = [Type] extends [boolean]
  ? false
  : Type extends unknown
    ? [All] extends [Type]
      ? false
      : true
    : never

/** What a handler with declared responses returns. Only a sync one may return nothing, having sent
 *  by hand; `void` in the promise would let a forgotten `return` through. */
export type Returned<Responses, Schemas> =
  | Success<Responses, Schemas, 'reply'>
  | Sent
  | Promise<Success<Responses, Schemas, 'reply'> | Sent>
  | void

// What is wrong with the result of a handler where no response is declared, in words.
/** What the result must be besides: a sentence for a reply that was prepared, and not sent, and for a payload with something in it
 *  that cannot be sent. It stands before the result, which messages cut. `Known` is a type parameter that is inferred
 *  together with the result: until then nothing is decided, and then it is at once. */
export type UnlessAtFault<Result, Known> =
  CheckResult<
    Known extends unknown ? [...Unless<FaultOf<Value<Result>>>] : never
  > extends CheckResult<[]>
    ? NoInfer<Exclude<FaultOf<Value<Result>>, 0>>
    : unknown

/** A sentence for a handler that gives nothing, and takes no reply to send one: no request that comes to it is answered, and
 *  one that an async handler ends is a 500. It stands beside the handler: undefined, and what else it is to be, would be never.
 *  @template Taken the reply that the handler takes; never where it takes none, and sends nothing by hand */
export type UnlessNothing<Result, Known, Taken> =
  CheckResult<
    Known extends unknown ? [...Unless<IfNothing<Value<Result>, Taken>>] : never
  > extends CheckResult<[]>
    ? [Known] extends [never]
      ? unknown
      : Nothing
    : unknown

type Nothing = "The handler returns nothing, and takes no 'reply' to send one"

type Value<Result> = Result extends Promise<infer Value> ? Value : Result

/** Is empty where a value is at fault, be it in one case among others. Spread, it is a list of any length to the
 *  compiler where the result is of a type parameter of the function around. */
type Unless<Fault> = 1 extends (Fault extends 0 ? 0 : 1) ? [] : [1]

/** What has no type yet, or never comes, is something. */
type IfNothing<Value, Taken> = [Taken] extends [never]
  ? [Value] extends [never]
    ? 0
    : [Value] extends [void]
      ? unknown extends Value
        ? 0
        : 1
      : 0
  : 0

/** What is wrong with a value that a handler returns; 0 where nothing is. Text beside a bigint or a symbol would be never. */
type FaultOf<Value> = unknown extends Value
  ? 0
  : Value extends Unfinished
    ? Unsent
    : Value extends { toJSON: unknown }
      ? 0
      : Value extends bigint | symbol
        ? NoJson<Value>
        : Value extends (...given: never) => unknown
          ? 'A function has no JSON'
          : FaultIn<Value>

/** What was thrown may be a bigint, and have the fields of an error besides. */
type NoJson<Value> = Value extends object
  ? 0
  : Value extends bigint
    ? Saying<NoBigint>
    : Saying<'A symbol has no JSON'>

type NoBigint = 'A bigint has no JSON: send its text, or a number'

/** What cannot be sent, in a payload and in the lists and objects in it. Functions and symbols are left out there, or are null.
 *  @template Level bounds the recursion */
type FaultIn<Value, Level extends 0[] = []> = unknown extends Value
  ? 0
  : Value extends Plain
    ? 0
    : Value extends bigint
      ? NoBigint
      : Value extends Promise<unknown>
        ? "A promise in the payload has to be awaited: it would be sent as '{}'"
        : Value extends AsItIs
          ? 0
          : Value extends AnyBlob
            ? "A Blob would be sent as '{}': send a Response of it"
            : Value extends AnyForm
              ? "A form would be sent as '{}': send a Response of it"
              : Level['length'] extends 5
                ? 0
                : Value extends readonly (infer Item)[]
                  ? FaultIn<Item, [...Level, 0]>
                  : Value extends object
                    ? FaultIn<Value[keyof Value & string], [...Level, 0]>
                    : 0

/** What is JSON, or says itself what it is as JSON. Most payloads are, which a comparison finds out. */
type Plain =
  | string
  | number
  | boolean
  | null
  | undefined
  | void
  | { toJSON: unknown }
  | readonly Plain[]
  | { readonly [name: string]: Plain }

/** What says itself what is sent of it, and functions, which are not sent. */
type AsItIs = Sender | SentAsIs | { then: unknown } | ((...given: never) => unknown)
