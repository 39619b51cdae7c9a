/** The result of a check: `CheckResult<true>`, or `CheckResult<unknown>` if it fails; in a union
 *  `unknown` prevails.
 *
 *  `CheckResult<unknown> extends CheckResult<Check<Value>>` asks whether the check fails. The
 *  compiler decides it at once, even for a type parameter, for which it takes `any`. It would defer
 *  `Check<Value> extends true`, and then no value would be assignable. */
export interface CheckResult<Result> {
  readonly result: Result
}

/** An error message as a type. No value has this type. A string literal could be a valid value, or
 *  an intersection with it could be reduced to `never`. */
export interface Saying<_Sentence> {
  readonly [said]: never
}
declare const said: unique symbol

/** A type that the compiler does not infer into. From the type that is expected of a generic
 *  function's result it would infer the function's type arguments: through each branch of a walk
 *  over schemas, or from a type that is wider than the arguments.
 *  @template Given a type parameter of the function */
export type Sealed<Given, Value> = Hidden<Given, Value> extends Box<infer Result> ? Result : never

/** Is deferred until `Given` is known. For a tuple of both the compiler would make the members of
 *  two arrays each time. */
type Hidden<Given, Value> = never extends Given ? Box<Value> : never

interface Box<Value> {
  readonly value: Value
}

/** Whether a result is always a promise. It is false for `any` and `never`, and for other types
 *  that can be awaited, like a reply. */
export type IsPromise<Result> = 0 extends 1 & Result
  ? false
  : [Result] extends [never]
    ? false
    : [Result] extends [Promise<unknown>]
      ? true
      : false
