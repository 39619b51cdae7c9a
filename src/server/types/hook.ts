import type { HookArities } from '../../context/hooks.ts'
import type { RootCtx } from '../../context/ctx.ts'
import type { UnlessNothing } from '../../typed/at-fault.ts'
import type { HookTypes } from '../../route/hook-types.ts'
import type { IsPromise } from '../../types/is-promise.ts'
import type { Saying } from '../../types/saying.ts'
import type { Sender, Unfinished, Unsent } from '../../typed/sent.ts'
import type { Verdict } from '../../types/verdict.ts'

/** Where the parameters and the result of a hook are inferred, and a sentence where it would end
 *  twice: by `done` and by a promise. It stands beside what the hook has to be, by which alone its
 *  parameters are known: so it shows the compiler no other. A misspelt name stands for all names,
 *  whose hooks are called with none to three arguments: nothing is asked then, since the compiler
 *  has not looked at what the hook returns. */
export type EndedOnce<Args extends readonly unknown[], Result, Name extends keyof HookArities> = ([
  Args,
] extends [never]
  ? (...args: Args) => Result
  : unknown) &
  NoInfer<
    [0 | 3] extends [HookArities[Name]]
      ? unknown
      : [IsPromise<Result>, Args] extends [true, readonly [unknown, ...infer Others]]
        ? [HookArities[Name], Others['length']] extends [Others['length'], HookArities[Name]]
          ? "A hook that is async, or returns a promise, takes no 'done': drop one of the two"
          : unknown
        : unknown
  > &
  AnyHook<Name>

/** By this the compiler takes `(...args)` for any number of parameters, which does not name `done`.
 *  It also says what the hook may give, before the compiler shows all of its type. */
type AnyHook<Name extends keyof HookArities> = (
  ...args: never[]
) => Told<HookTypes<RootCtx, unknown>[Name], Name>

type Told<Hook, Name> = Hook extends (...args: never) => infer Result
  ? Name extends keyof HookSentences
    ? Gives<HookSentences[Name], Result>
    : unknown
  : never

/** What a hook may give. Messages show the name of this type with the sentence, before they cut the
 *  others. */
type Gives<Sentence, Result> = Result | Saying<Sentence>

export interface HookSentences {
  readonly onRequest: 'an onRequest hook gives nothing, or the reply'
  readonly preParsing: 'a preParsing hook gives nothing, a stream, or the reply'
  readonly preValidation: 'a preValidation hook gives nothing, or the reply'
  readonly preHandler: 'a preHandler hook gives nothing, or the reply'
  readonly onSend: 'an onSend hook gives nothing, or what is sent: text, bytes, a stream or a Response'
  readonly onError: 'an onError hook gives nothing'
}

/** Where the reply is inferred that an error handler takes, and a sentence where one that takes
 *  none returns nothing. The function is there until the reply is known: so it shows the compiler
 *  no other parameters. */
export type ErrorAnswered<Taken, Result, Known> = (true extends Taken
  ? (error: never, request: never, reply: Taken) => unknown
  : unknown) &
  UnlessNothing<Result, Known, Taken>

/** The same for a not-found handler. */
export type NotFoundAnswered<Taken, Result, Known> = (true extends Taken
  ? (request: never, reply: Taken) => unknown
  : unknown) &
  UnlessNothing<Result, Known, Taken>

/** What a `derive` adds to requests. Where its hook may return nothing, which null is too, each of
 *  the members may be missing. */
export type Derived<Result> = [Extract<Value<Result>, undefined | null>] extends [never]
  ? Value<Result>
  : Missing<Exclude<Value<Result>, undefined | null>>

/** Nothing at all adds nothing. */
type Missing<Given> = [Given] extends [never] ? {} : Partial<Given>

/** `void` is what the compiler says of a function without a return. */
type Value<Result> =
  Exclude<Awaited<Result>, Sender> extends infer Given
    ? [Given] extends [void]
      ? undefined
      : Given
    : never

/** A sentence where a `derive` gives what has no names, a name that requests have already, or a
 *  reply that was not sent. It has the shape of a function, so that the hook's parameters keep
 *  their types.
 *  @template Known is inferred together with the result: until then nothing is decided, and then it
 *  is at once, also for a result of a type parameter of the function around */
export type Clash<Result, Taken, Known> =
  Verdict<Known extends unknown ? [...Harmless<Result, Taken>] : never> extends Verdict<[]>
    ? ClashOf<Result, Taken>
    : unknown

/** Is empty where there is a sentence. */
type Harmless<Result, Taken> = unknown extends ClashOf<Result, Taken> ? [1] : []

type ClashOf<Result, Taken> = [Extract<Exclude<Value<Result>, undefined>, Nameless>] extends [never]
  ? [Extract<KeyIn<Derived<Result>>, Taken>] extends [never]
    ? [unknown extends Awaited<Result> ? never : Extract<Awaited<Result>, Unfinished>] extends [
        never,
      ]
      ? unknown
      : (...args: never) => Unsent
    : (
        ...args: never
      ) => `Request decorator '${Extract<KeyIn<Derived<Result>>, Taken & string>}' already exists`
  : (
      ...args: never
    ) => 'derive gives an object whose names requests get: a list, a map, a number or a boolean has none'

/** A list, a map, a set, a number. */
type Nameless = { readonly [Symbol.iterator]: unknown } | number | boolean | bigint | symbol

/** The names that a `derive` adds, each with its phase. */
export type DerivedNames<Result, Phase> = { [Name in KeyIn<Derived<Result>>]: Phase }

/** The keys of an object, or of any member of a union. */
export type KeyIn<Type> = Type extends unknown ? keyof Type : never
