import type { AnyCtx, HasCtx } from '../context/ctx.ts'
import type { Route, Seen } from '../plugin/seen-route.ts'
import type { HasResponse } from '../types/has-part.ts'

/** The entry that a route adds to the routes of a server. It is resolved only when `inject` or a
 *  client reads it. Its path is that of its key, so a prefix changes it without instantiating the
 *  route. It is an alias whose arguments are all final: a mapped type written in place would keep
 *  the method's type parameters as hidden arguments, and each later step of a chain would
 *  instantiate those of all earlier routes. */
export type RouteEntry<Key extends string, Schema, Result> = {
  [Name in Key]: Route<Schema, Result>
}

/** What the schema of a route for WebSockets has beside those of its request: the schemas of the
 *  messages, as the server sees them; undefined for text and bytes. */
export interface SocketSchema<Receive, Send> {
  readonly websocket: { readonly receive: Receive; readonly send: Send }
}

/** The result of a handler, if there is no response schema. */
export type KeptResult<Schema, Result, OptionResult = never> = Schema extends HasResponse
  ? unknown
  : unknown extends Result
    ? OptionResult
    : Result

/** The keys of the routes of a server, such as `'GET /users/:id'`. */
export type RouteKey<App extends Routed> = keyof App['~context']['routes'] & string

/** Any server, as clients read its type. */
export type Routed = HasCtx<AnyCtx, unknown>

export type RouteOf<App extends Routed, Key extends RouteKey<App>> = Seen<
  App['~context']['routes'][Key],
  SchemasOf<App>
>

export type SchemasOf<App extends Routed> = App['~context']['context']['schemas']
