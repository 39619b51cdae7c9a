import type { HeaderValues } from '../http/route-call.ts'
import type { Seen } from '../plugin/seen-route.ts'
import type { InputArguments, ResponseOf } from '../route/call-types.ts'
import type { Routed, RouteKey, RouteOf, SchemasOf } from '../route/route-entry.ts'

/** Calls the routes of a server by key: `api('GET /users/:id', { params: { id: 1 } })`. */
export interface Client<App extends Routed> extends Calls<
  App,
  SchemasOf<App>,
  // Its alias would stand in messages, in the place of the keys.
  keyof App['~context']['routes'] & string,
  IfNone<keyof App['~context']['routes']>
> {}

/** A sentence where there are no keys. */
type IfNone<Key> = [Key] extends [never]
  ? "The type of this client has no routes: it is that of 'client<typeof app>', where 'app' is what the last route of a chain gave"
  : never

/** The keys have a name of their own, since each call would find them out anew. */
interface Calls<App extends Routed, Schemas, Known extends RouteKey<App>, None> {
  <Key extends Known, Entry = EntryOf<App, Key, Schemas>>(
    route: Key | None,
    ...input: [...InputArguments<Entry, Key, Known>, options?: CallOptions | undefined]
  ): Promise<ResponseOf<App, Key>>
}

/** What a call of one route takes behind its key: for functions that call a client.
 *  @example
 *  const call = <Key extends RouteKey<App>>(key: Key, ...input: CallArguments<App, Key>) => api(key, ...input) */
export type CallArguments<App extends Routed, Key extends RouteKey<App>> = [
  ...InputArguments<RouteOf<App, Key>, Key, RouteKey<App>>,
  options?: CallOptions | undefined,
]

/** What one call takes besides the input of its route. */
export interface CallOptions {
  /** Ends the call, whose promise then rejects. */
  readonly signal?: AbortSignal | undefined
}

/** The options of a client. */
export interface ClientOptions {
  /** Takes the place of the global `fetch`: to add credentials, to retry, to test. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Headers of all calls; a function is asked before each. Those of a call itself win, and where it has a body, so does the
   *  type of that. */
  readonly headers?: HeaderValues | (() => HeaderValues | Promise<HeaderValues>)
}

/** One route, whose type keeps the server as it is given: a call looks at no more of one that is an interface. The routes of a
 *  server as an argument would be looked through by each call. */
type EntryOf<App extends Routed, Key extends RouteKey<App>, Schemas> = Key extends unknown
  ? Seen<App['~context']['routes'][Key], Schemas>
  : never
