declare const sent: unique symbol

/** What sends: a reply, or what `send` gives. */
export interface Sender {
  readonly [sent]: true
}

export declare const unsent: unique symbol

/** What a handler returns when the reply does the sending: the reply itself, or what `send` gives. No reply whose status
 *  or headers were set: who returns that has forgotten to send. */
export interface Sent extends Sender {
  readonly [unsent]?: false
}

/** What `send` and `redirect` give; it can be awaited until the response is finished. */
export type Sending = Sent & PromiseLike<Sent>

/** What a reply whose status or headers were set says against being returned. */
export type Unsent = "The reply was prepared, but not sent: return what 'reply.send' gives"

/** A reply whose status or headers were set. */
export interface Unfinished {
  readonly [unsent]: Unsent
}

/** Where a reply says in types whether its route declares responses: a handler that was written for some must not be
 *  one of a route without, which would send all that it returns. */
export declare const responses: unique symbol

/** What the reply of such a route says there. */
export type Declared = 'the handler was written for declared responses'

/** The key under which a reply says which status was set on it; in types only. */
export declare const status: unique symbol

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
