export declare const sent: unique symbol

/** What a handler returns when the reply does the sending: the reply itself, or what `send` gives. */
export interface Sent {
  readonly [sent]: true
}

/** What a reply says of itself in types: handlers may send by hand and return it, also later, but who sets a status and returns
 *  that has forgotten to. */
export type SentWith<Code> = Code extends 'initial'
  ? true
  : 'a status was set, and nothing was sent'

/** Where a reply says in types whether its route declares responses: a handler that was written for some must not be
 *  one of a route without, which would send all that it returns. */
export declare const responses: unique symbol

/** What `send` and `redirect` give; it can be awaited until the response is finished. */
export type Sending = Sent & PromiseLike<Sent>
