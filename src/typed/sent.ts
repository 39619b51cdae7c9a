declare const sent: unique symbol

/** A reply, or the result of `send`. */
export interface Sender {
  readonly [sent]: true
}

export declare const unsent: unique symbol

declare const payload: unique symbol

/** The result of a handler that has sent its reply: the reply itself, or the result of `send`. A
 *  reply that was prepared and not sent is not assignable.
 *  @template Payload what was sent with a status of success, for routes without declared responses;
 *  never for other statuses, and `unknown` if types do not know it */
export interface Sent<out Payload = unknown> extends Sender {
  readonly [unsent]?: false
  readonly [payload]?: readonly [Payload]
}

/** The result of `send` and `redirect`. To await it is to wait until the response is finished.
 *  `void` lets an async hook return it in one branch, and nothing in another, under
 *  `noImplicitReturns`. */
export type Sending<Payload = unknown> = Sent<Payload> & PromiseLike<Sent<Payload> & void>

/** The error message for returning a reply that was not sent. */
export type Unsent = "The reply was prepared, but not sent: return what 'reply.send' gives"

/** A reply whose status or headers were set. */
export interface Unfinished {
  readonly [unsent]: Unsent
}

/** The key under which the type of a reply says whether its route declares responses. A handler for
 *  a route with responses is not assignable to one without, which would send any result
 *  unchecked. */
export declare const responses: unique symbol

/** The value under that key for a route with responses. */
export type Declared = 'the handler was written for declared responses'

/** The key of the status that was set on a reply. It exists in types only. */
export declare const status: unique symbol

/** A reply decorator that returns the reply with an unchanged status, as a function that returns
 *  its `this`. So `send` still takes the payload of the route. Other decorators are unchanged.
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

/** Is false for `any` and `never`. */
type IsReply<Result> = unknown extends Result
  ? false
  : [Result] extends [never]
    ? false
    : Result extends { readonly [status]: 'initial' | 'prepared' }
      ? true
      : false
