import type { AnyCtx, HasCtx } from '../context/ctx.ts'
import type { Route, Seen } from '../plugin/seen-route.ts'
import type { HasResponse } from '../types/has-part.ts'

/** What a route adds to the routes of a server, unresolved until `inject` or a client asks for it. Its
 *  path is that of its key, which a prefix changes without the route being instantiated. An alias whose
 *  arguments are all final: a mapped type written in place would keep the method's own parameters as
 *  hidden arguments, and each later step of a chain would instantiate those of every earlier route. */
export type RouteEntry<Key extends string, Schema, Result> = {
  [Name in Key]: Route<Schema, Result>
}

/** The result of a handler, kept only where no response schema says more of it. */
export type KeptResult<Schema, Result, OptionResult = never> = Schema extends HasResponse
  ? unknown
  : unknown extends Result
    ? OptionResult
    : Result

/** The keys of the routes of a server. */
export type RouteKey<App extends Routed> = keyof App['~context']['routes'] & string

/** Any server, as far as a client reads its type. */
export type Routed = HasCtx<AnyCtx, unknown>

/** One route of a server. */
export type RouteOf<App extends Routed, Key extends RouteKey<App>> = Seen<
  App['~context']['routes'][Key],
  SchemasOf<App>
>

/** The shared schemas of a server. */
export type SchemasOf<App extends Routed> = App['~context']['context']['schemas']
