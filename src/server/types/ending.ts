import type { HookArities } from '../../context/hooks.ts'
import type { IsPromise } from '../../types/is-promise.ts'

/** Where the parameters and the result of a hook are inferred, and a sentence where it would end twice: by `done` and by a
 *  promise. It stands beside what the hook has to be, by which alone its parameters are known: so it shows the compiler
 *  no other. A misspelt name stands for all names, and the compiler has not looked at what the hook returns then. */
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
  AnyNumber

/** By this the compiler takes `(...args)` for any number of parameters, which does not name `done`. */
type AnyNumber = (...args: never[]) => unknown
