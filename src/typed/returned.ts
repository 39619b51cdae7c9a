// The results of handlers.
import type { AnyCtx } from '../context/ctx.ts'
import type { ExtraField, OpenPart, OpenReference } from '../schema/infer/closed.ts'
import type { ToJson } from '../schema/infer/modes.ts'
import type { StreamEvent } from '../http/stream-event.ts'
import type { CheckResult, Saying } from '../types/checks.ts'
import type { AnyBlob, AnyForm, SentAsIs } from '../types/fetch-body.ts'
import type { NoPayload, Success } from './payload.ts'
import type { Sender, Sent, Unfinished, Unsent } from './sent.ts'

/** The result of a handler with declared responses. Only a sync handler may return nothing, if it
 *  has sent by hand. `void` in the promise would hide a forgotten `return`.
 *
 *  It is a type of the payload, and not of the schema: editors ask for the expected type twice, and
 *  a schema that is written in the call is another type each time. They leave out `then` only where
 *  both types are the same. */
export type Returned<Payload> = Payload | Replied | Promise<Payload | Replied> | void

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-arguments -- without it, it is another type at each use
type Replied = Sent<unknown>

/** Responses without a closed object in the success. The compiler checks results by assignment
 *  alone. */
export interface OpenResponses<Context extends AnyCtx> {
  readonly 200?: OpenEntry<Context>
  readonly '2xx'?: OpenEntry<Context>
  readonly '2XX'?: OpenEntry<Context>
  readonly default?: OpenEntry<Context>
  // This signature allows other codes.
  readonly [code: string]: unknown
}

type OpenEntry<Context extends AnyCtx> = OpenIn<OpenPart<OpenReference<Context['schemas']>>>

type OpenIn<Part> = Part | { readonly content: { readonly [media: string]: OpenMedia<Part> } }

interface OpenMedia<Part> {
  readonly schema?: Part
  readonly itemSchema?: Part
}

/** The result of a handler with a closed success: `Returned`, or an error message if the value has
 *  additional fields. The compiler itself finds these only in an object literal, where it is
 *  written. */
export type ExactReturned<Result, Responses, Schemas, Taken> = UnlessExtra<
  ExtraField<PayloadIn<Result>, Success<Responses, Schemas, 'exact'>>,
  SureReturned<Result, Success<Responses, Schemas, 'reply'>, Taken>
>

/** The result of a handler: `Returned`, or an error message if the handler may return undefined. An
 *  async handler then has nothing to send. A sync one would leave the request unanswered, unless it
 *  always sends by hand. A result that does not fit gets an error message too, or else the union is
 *  written out: messages would show the name `Returned`, and not its members. */
export type SureReturned<Result, Payload, Taken> = Undefined extends Result
  ? ForgottenIf<MayBeMissing<Result, Taken>, Result, Returned<Payload>>
  : Promise<Undefined> extends Result
    ? ForgottenIf<Promise<Unlikely> extends Result ? false : true, Result, Returned<Payload>>
    : CheckResult<unknown> extends CheckResult<IsReturned<Result, Returned<Payload>>>
      ? Misfit<Result, Payload, Payload | Replied | Promise<Payload | Replied> | void>
      : Returned<Payload>

/** Whether a handler may return a result, for `CheckResult`. */
type IsReturned<Result, Allowed> = Result extends Allowed ? true : unknown

type ForgottenIf<Missing, Result, Otherwise> = Missing extends true
  ? `This handler ${[Resolved<Result>] extends [void] ? 'returns nothing' : 'may return undefined'}: return a payload, or what reply.send returns`
  : Otherwise

/** `void` may be the declared result of a handler that sends by hand. It is refused if the handler
 *  does not take the reply. */
type MayBeMissing<Result, Taken> = Unlikely extends Result
  ? false
  : [Taken] extends [never]
    ? true
    : undefined extends Extract<Result, undefined>
      ? [Exclude<Result, Sender | void | undefined>] extends [never]
        ? false
        : true
      : false

/** `undefined`. Without `strictNullChecks` it would extend all types. */
type Undefined = undefined extends 1 ? Unlikely : undefined

/** Distinguishes `any` and `unknown` from other types, which it does not extend. */
interface Unlikely {
  readonly [unlikely]: never
}
declare const unlikely: unique symbol

/** A field is checked by itself, so that a value with an error type gets no message: the compiler
 *  resolves a condition on an error type to that error type. */
type UnlessExtra<Field, Otherwise> = [Field] extends [never]
  ? Otherwise
  : Field extends string
    ? `'${Field}' is not in the response schema`
    : Otherwise

/** The payload that a handler itself returns. `Awaited` would cost 200 instantiations. */
type PayloadIn<Result> = Result extends Sender ? never : Exclude<Resolved<Result>, Sender>

type Resolved<Result> = Result extends Promise<infer Value> ? Value : Result

/** An error message for a result that does not fit, or the expected type if there is no message.
 *  The compiler's own message shows both types in full before the difference.
 *  @example type Wrong = Misfit<{ id: string }, { id: number }, Returned>
 *  // "The returned 'id' is a string, where the response schema has a number" */
type Misfit<Result, Payload, Otherwise> = [Extract<Resolved<Result>, Unfinished>] extends [never]
  ? [Exclude<Resolved<Result>, Sender>] extends [never]
    ? Otherwise
    : [Payload] extends [NoPayload<infer Reason>]
      ? `${Reason}: set another by 'reply.code', and return what its 'send' gives`
      : Message<Found<Exclude<Resolved<Result>, Sender>, Payload>, Payload, Otherwise>
  : Unsent

/** The error message. If only the path of a field is known, the message stands beside the expected
 *  type: literals and tuples keep their types only if such types are expected. */
type Message<Differs, Payload, Otherwise> = [Differs] extends [never]
  ? Otherwise
  : [Extract<Differs, string>] extends [never]
    ? | Otherwise
      | `The ${Named<Extract<Differs, Unfit>[0], 'value'>} does not fit the response schema`
    : [Extract<Differs, `${string}${Lacks}`>] extends [never]
      ? `The ${Extract<Differs, string>}`
      : BesideMessage<`The ${Extract<Differs, string>}`, Payload>

/** An object that lacks fields may be one that is being written. Editors take the names that they
 *  offer from the expected type. */
type BesideMessage<Sentence, Payload> = Sentence | Returned<Payload>

type Lacks = ', which the response schema requires'

/** The path of a field that does not fit. */
type Unfit<Path extends string = string> = readonly [Path]

/** The differences, as a union. A difference that has no short description, like one from a union,
 *  is only a path, or never for the value itself. Literals are not compared: from the text that an
 *  async handler returns, the compiler may infer only `string`.
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

type NameOfEmpty<Empty> = Empty extends null ? 'null' : 'undefined'

/** The differences of each member of a union. */
type FoundOf<Given, Expected, Path extends string, Level extends unknown[]> = Given extends Expected
  ? never
  : Given extends PromiseLike<unknown>
    ? `${Named<Path, 'value'>} is a promise, which has to be awaited`
    : Given extends AsyncIterable<infer Item> | IterableIterator<infer Item>
      ? FoundInItems<DataOf<Item>, ItemOf<Expected>, Path, Level>
      : [Exclude<Expected, null | undefined>] extends [never]
        ? Clash<Given, PlainOf<Expected>, Path>
        : [Exclude<Expected, AsyncIterable<unknown> | IterableIterator<unknown>>] extends [never]
          ? `${Named<Path, 'value'>} is ${KindOf<Given>}, where the response schema has a stream of items: return what a generator function returns`
          : FoundIn<
              Given,
              PlainOf<Exclude<Expected, null>>,
              Path,
              Level,
              null extends Expected ? ' or null' : ''
            >

/** The differences of the items of a stream. */
type FoundInItems<Item, Expected, Path extends string, Level extends unknown[]> = [
  Expected,
] extends [never]
  ? `${Named<Path, 'value'>} is an async iterable, whose items the response schema does not have: declare them as 'itemSchema', or for text a content type without 'schema'`
  : Found<Item, Expected, Path extends '' ? '*' : `${Path}[]`, Level>

type DataOf<Item> = Item extends StreamEvent<infer Data> ? Data : Item

/** The item that a stream may have; never for a type that is no stream. */
type ItemOf<Expected> =
  Expected extends AsyncIterable<infer Item> ? Exclude<Item, StreamEvent<unknown>> : never

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
                : Lacking<Named<Path, 'object'>, Missing & string, Plain>
              : never
            : Clash<Given, Plain, Path, OrNull>
        : Clash<Given, Plain, Path, OrNull>

/** A required field that is missing. A sensitive one is not for replies. */
type Lacking<Place extends string, Name extends string, Plain> = {
  [Key in Name]: Key extends keyof Plain
    ? [Plain[Key]] extends [Saying<string>]
      ? `'${Key}' of the response schema is sensitive${Remedy}`
      : `${Place} lacks '${Key}'${Lacks}`
    : never
}[Name]

type Remedy = ': leave it out by t.Omit, or name it as one that leaves by t.Reveal'

/** The keys of defined fields: the compiler adds undefined fields to the members of a union of
 *  object literals. */
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
    : [Plain] extends [Saying<string>]
      ? `${Named<Path, 'value'>} is sensitive${Remedy}`
      : `${Named<Path, 'value'>} is ${KindOf<Given>}, where the response schema has ${KindOf<Plain>}${OrNull}`

/** The place in a result. A path that begins with `*` is one in what the handler yields. */
type Named<Path extends string, Otherwise extends string> = Path extends `*${infer Rest}`
  ? `yielded ${Placed<Rest, 'item'>}`
  : `returned ${Placed<Path, Otherwise>}`

type Placed<Path extends string, Otherwise extends string> = Path extends ''
  ? Otherwise
  : Path extends '[]'
    ? 'item'
    : Path extends `[].${infer Rest}`
      ? `'${Rest}' of an item`
      : Path extends `.${infer Rest}`
        ? `'${Rest}'`
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

/** The types of a schema, without the objects with `toJSON` that serialize to them, and without
 *  dates that are written as text. */
type PlainOf<Type> = Type extends ToJson<unknown> | Date | undefined ? never : Type

/** Is false for `boolean`, which is a union for the compiler. */
type IsUnion<Type, All = Type> = [Type] extends [boolean]
  ? false
  : Type extends unknown
    ? [All] extends [Type]
      ? false
      : true
    : never

/** Part of the type of a result without declared responses: an error message for a reply that was
 *  prepared and not sent, and for a payload that cannot be sent. It stands before the result, since
 *  messages truncate long types. `Known` is a type parameter that is inferred together with the
 *  result. The check waits for it, and is not deferred afterwards. */
export type UnlessAtFault<Result, Known> =
  CheckResult<
    Known extends unknown ? [...Unless<FaultOf<Resolved<Result>>>] : never
  > extends CheckResult<[]>
    ? NoInfer<Exclude<FaultOf<Resolved<Result>>, 0>>
    : unknown

/** An error message for a handler that returns nothing, and takes no reply: a sync one leaves each
 *  request unanswered, and an async one replies with status 500. It is part of the type of the
 *  handler, since an intersection with undefined would be never.
 *  @template Taken the reply that the handler takes; never if it takes none, and sends nothing by
 *  hand */
export type UnlessNothing<Result, Known, Taken> =
  CheckResult<
    Known extends unknown ? [...Unless<IfNothing<Resolved<Result>, Taken>>] : never
  > extends CheckResult<[]>
    ? [Known] extends [never]
      ? unknown
      : Nothing
    : unknown

type Nothing = "The handler returns nothing, and takes no 'reply' to send one"

/** Is empty if the value, or a member of its union, has a fault. In a spread, the result of a type
 *  parameter is an array of unknown length. */
type Unless<Fault> = 1 extends (Fault extends 0 ? 0 : 1) ? [] : [1]

/** `any`, `unknown` and `never` are not nothing. */
type IfNothing<Value, Taken> = [Taken] extends [never]
  ? [Value] extends [never]
    ? 0
    : [Value] extends [void]
      ? unknown extends Value
        ? 0
        : 1
      : 0
  : 0

/** The fault of a returned value; 0 if there is none. The intersection of a text with a bigint or a
 *  symbol would be never. */
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

/** A `ThrownValue` may be a bigint with the fields of an error. */
type NoJson<Value> = Value extends object
  ? 0
  : Value extends bigint
    ? Saying<NoBigint>
    : Saying<'A symbol has no JSON'>

type NoBigint = 'A bigint has no JSON: send its text, or a number'

/** The fault of a payload, or of a value in its lists and objects. Functions and symbols in it are
 *  omitted, or are null.
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
          : Value extends AsyncIterable<infer Chunk> | IterableIterator<infer Chunk>
            ? ChunkFault<Chunk>
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

/** The fault of what an iterable gives where no response is declared. */
type ChunkFault<Chunk> = unknown extends Chunk
  ? 0
  : [Chunk] extends [string | Uint8Array]
    ? 0
    : "Without a response schema an async iterable gives text or bytes: declare its items, as in content: { 'text/event-stream': { itemSchema } }"

/** JSON, and objects with `toJSON`. Most payloads are, which one comparison shows. */
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

/** Values that are sent in their own way, and functions, which are not sent. */
type AsItIs = Sender | SentAsIs | { then: unknown } | ((...given: never) => unknown)
