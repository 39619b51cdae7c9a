import type { status } from './sent.ts'

/** A decorator of replies that gives back the reply, of which it set no status, as one that gives what it is called on:
 *  `send` then takes what the route says. Any other decorator is what it is.
 *  @example type SetCookie = Chained<(this: Reply, name: string) => Reply>
 *  // <This>(this: This, name: string) => This */
export type Chained<Value> = Value extends (
  this: never,
  ...parameters: infer Parameters
) => infer Result
  ? IsReply<Result> extends true
    ? <This>(this: This, ...parameters: Parameters) => This
    : Value
  : Value

/** Not of `any` or `never`, which fit everything. */
type IsReply<Result> = unknown extends Result
  ? false
  : [Result] extends [never]
    ? false
    : Result extends { readonly [status]: 'initial' | 'prepared' }
      ? true
      : false
