// What is wrong with the result of a handler where no response is declared, in words.
import type { SentAsIs } from '../../types/fetch-body.ts'
import type { Verdict } from '../../types/verdict.ts'
import type { Sender, Unfinished, Unsent } from './sent.ts'

/** What the result must be besides: a sentence for a reply that was prepared, and not sent, for a promise that was not
 *  awaited. It stands before the result, which messages cut. `Known` is a type parameter that is inferred
 *  together with the result: until then nothing is decided, and then it is at once. */
export type UnlessAtFault<Result, Known> =
  Verdict<Known extends unknown ? [...Unless<IfAtFault<Value<Result>>>] : never> extends Verdict<[]>
    ? Fault<Value<Result>>
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

type IfAtFault<Value> = IfUnfinished<Value> | IfPending<Value>

type Fault<Value> =
  1 extends IfUnfinished<Value>
    ? Unsent
    : "A promise in the payload has to be awaited: it would be sent as '{}'"

type Nothing = "The handler returns nothing, and takes no 'reply' to send one"

type Value<Result> = Result extends Promise<infer Value> ? Value : Result

/** Is empty where a value is at fault, be it in one case among others. Spread, it is a list of any length to the
 *  compiler where the result is of a type parameter of the function around. */
type Unless<Fault> = 1 extends Fault ? [] : [1]

type IfUnfinished<Value> = Value extends Unfinished ? (unknown extends Value ? 0 : 1) : 0

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
