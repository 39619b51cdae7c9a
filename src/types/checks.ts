/** Holds what a check says: `true`, or `unknown` where it fails, which prevails in a union. By
 *  `Verdict<unknown> extends Verdict<Check<Value>>`, which asks whether it fails, the compiler decides at once also
 *  where a value is of a type parameter of the function around: it asks with `any` in its place. To ask
 *  `Check<Value> extends true` would be put off, and nothing could be given where that is expected. */
export interface Verdict<Said> {
  readonly said: Said
}

/** A sentence that a type is asked for where it is wrong. Nothing is of this type: a text could be among what is right, or be
 *  reduced to never beside what has nothing in common with it. */
export interface Saying<_Sentence> {
  readonly [said]: never
}
declare const said: unique symbol

/** A type that nothing is inferred into. Where a generic function returns it, the compiler would look in the type that is
 *  expected there for what the function's parameters are: through every branch of a walk over schemas, or in what
 *  another function takes, which is wider than what is given. `Given` is a type parameter of the function. */
export type Sealed<Given, Value> = Hidden<Given, Value> extends Box<infer Result> ? Result : never

/** Asks nothing, but waits for `Given`. Of a tuple of both the compiler would make the members of two arrays each time. */
type Hidden<Given, Value> = never extends Given ? Box<Value> : never

interface Box<Value> {
  readonly value: Value
}

/** Whether a result is a promise in any case. What is `any`, or never comes, is not known to be one, and what can
 *  be awaited besides, as a reply, is none. */
export type IsPromise<Result> = 0 extends 1 & Result
  ? false
  : [Result] extends [never]
    ? false
    : [Result] extends [Promise<unknown>]
      ? true
      : false
