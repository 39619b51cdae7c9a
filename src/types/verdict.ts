/** Holds what a check says: `true`, or `unknown` where it fails, which prevails in a union. By
 *  `Verdict<unknown> extends Verdict<Check<Value>>`, which asks whether it fails, the compiler decides at once also
 *  where a value is of a type parameter of the function around: it asks with `any` in its place. To ask
 *  `Check<Value> extends true` would be put off, and nothing could be given where that is expected. */
export interface Verdict<Said> {
  readonly said: Said
}
