declare const sent: unique symbol

/** What a handler returns when the reply does the sending: the reply itself, or what `send` gives. */
export interface Sent {
  readonly [sent]: true
}

/** What `send` and `redirect` give; it can be awaited until the response is finished. */
export type Sending = Sent & PromiseLike<Sent>
