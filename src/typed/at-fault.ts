// What is wrong with the result of a handler where no response is declared, in words.
import type { AnyBlob, AnyForm, SentAsIs } from '../types/fetch-body.ts'
import type { Saying } from '../types/saying.ts'
import type { Verdict } from '../types/verdict.ts'
import type { Sender, Unfinished, Unsent } from './sent.ts'

/** What the result must be besides: a sentence for a reply that was prepared, and not sent, and for a payload with something in it
 *  that cannot be sent. It stands before the result, which messages cut. `Known` is a type parameter that is inferred
 *  together with the result: until then nothing is decided, and then it is at once. */
export type UnlessAtFault<Result, Known> =
  Verdict<Known extends unknown ? [...Unless<FaultOf<Value<Result>>>] : never> extends Verdict<[]>
    ? NoInfer<Exclude<FaultOf<Value<Result>>, 0>>
    : unknown

/** A sentence for a handler that gives nothing, and takes no reply to send one: no request that comes to it is answered, and
 *  one that an async handler ends is a 500. It stands beside the handler: undefined, and what else it is to be, would be never.
 *  @template Taken the reply that the handler takes; never where it takes none, and sends nothing by hand */
export type UnlessNothing<Result, Known, Taken> =
  Verdict<
    Known extends unknown ? [...Unless<IfNothing<Value<Result>, Taken>>] : never
  > extends Verdict<[]>
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
