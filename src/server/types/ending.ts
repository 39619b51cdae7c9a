import type { HookArities } from '../../context/hooks.ts'
import type { RootCtx } from '../../context/ctx.ts'
import type { UnlessNothing } from '../../typed/returned.ts'
import type { HookTypes } from '../../route/hook-types.ts'
import type { IsPromise, Saying } from '../../types/checks.ts'

/** Where the parameters and the result of a hook are inferred, and a sentence where it would end twice: by `done` and by a
 *  promise. It stands beside what the hook has to be, by which alone its parameters are known: so it shows the compiler
 *  no other. A misspelt name stands for all names, whose hooks are called with none to three arguments: nothing is asked then, since the
 *  compiler has not looked at what the hook returns. */
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

/** By this the compiler takes `(...args)` for any number of parameters, which does not name `done`. It also says what the
 *  hook may give, before the compiler shows all of its type. */
type AnyHook<Name extends keyof HookArities> = (
  ...args: never[]
) => Told<HookTypes<RootCtx, unknown>[Name], Name>

type Told<Hook, Name> = Hook extends (...args: never) => infer Result
  ? Name extends keyof HookSentences
    ? Gives<HookSentences[Name], Result>
    : unknown
  : never

/** What a hook may give. Messages show the name of this type with the sentence, before they cut the others. */
type Gives<Sentence, Result> = Result | Saying<Sentence>

export interface HookSentences {
  readonly onRequest: 'an onRequest hook gives nothing, or the reply'
  readonly preParsing: 'a preParsing hook gives nothing, a stream, or the reply'
  readonly preValidation: 'a preValidation hook gives nothing, or the reply'
  readonly preHandler: 'a preHandler hook gives nothing, or the reply'
  readonly onSend: 'an onSend hook gives nothing, or what is sent: text, bytes, a stream or a Response'
  readonly onError: 'an onError hook gives nothing'
}

/** Where the reply is inferred that an error handler takes, and a sentence where one that takes none returns nothing. The
 *  function is there until the reply is known: so it shows the compiler no other parameters. */
export type ErrorAnswered<Taken, Result, Known> = (true extends Taken
  ? (error: never, request: never, reply: Taken) => unknown
  : unknown) &
  UnlessNothing<Result, Known, Taken>

/** The same for a not-found handler. */
export type NotFoundAnswered<Taken, Result, Known> = (true extends Taken
  ? (request: never, reply: Taken) => unknown
  : unknown) &
  UnlessNothing<Result, Known, Taken>
