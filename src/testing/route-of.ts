import type { Ctx, ScopeResponses, WithScope } from '../context/ctx.ts'
import type { SeenRoute } from '../plugin/seen-route.ts'
import type { EntryInput, ResponseOf } from '../route/call-types.ts'
import type { RouteRequest } from '../route/handler.ts'
import type { Routed, RouteKey, RouteOf as EntryOf } from '../route/route-entry.ts'
import type { Part } from '../schema/infer/part.ts'
import type { GivenPayload, OwnCodes } from '../typed/payload.ts'
import type { HasResponse } from '../types/has-part.ts'

/** The types of one route of a server.
 *  @example
 *  type User = RouteOf<typeof app, 'GET /users/:id'>['responses'][200] // { id: number } */
// With `RouteKey<App>`, compiler messages would show that alias instead of the keys.
export type RouteOf<App extends Routed, Key extends keyof App['~context']['routes'] & string> =
  Key extends RouteKey<App>
    ? TypesOfRoute<App, Key>
    : `There is no route '${Key}' in the type of this server`

/** The types of one route. Each is computed when it is read.
 *
 *  `params`, `query`, `headers`, `body`, `reply` and `websocket` are as the handler has them;
 *  `request` and `responses` as a caller has them. */
export interface TypesOfRoute<in out App extends Routed, in out Key extends RouteKey<App>> {
  /** The path parameters that the handler reads. */
  readonly params: Read<EntryOf<App, Key>, Key>['params']
  /** The query string that the handler reads. */
  readonly query: Read<EntryOf<App, Key>, Key>['query']
  /** The headers that the handler reads. */
  readonly headers: Read<EntryOf<App, Key>, Key>['headers']
  /** The body that the handler reads. As it is sent, it is `request['body']`. */
  readonly body: Read<EntryOf<App, Key>, Key>['body']
  /** What a caller sends, part by part: `InputOf`. */
  readonly request: EntryInput<EntryOf<App, Key>, Key>
  /** What the handler may send with each status. */
  readonly reply: Replies<EntryOf<App, Key>>
  /** What `json()` gives a caller for each status: `void` where there is no body, and the response
   *  itself where the body is no JSON (bytes, events, lines). */
  readonly responses: Responses<ResponseOf<App, Key>>
  /** The messages of a WebSocket, under the names of the route's schemas: what the handler receives
   *  and what it may send. It is never for other routes. */
  readonly websocket: MessagesOf<EntryOf<App, Key>>
}

type Read<Entry, Key> =
  Entry extends SeenRoute<infer Schema, infer Schemas, infer _Result>
    ? Key extends `${infer Method} ${infer Path}`
      ? RouteRequest<Method, Path, Schema, Ctx<'', {}, {}, {}, Schemas>>
      : never
    : never

type Replies<Entry> =
  Entry extends SeenRoute<infer Schema, infer Schemas, infer _Result>
    ? Schema extends HasResponse
      ? ByStatus<Schema['response'], Schemas, keyof WithScope<Schema['response'], Schemas>>
      : AnyStatus &
          (Schemas extends ScopeResponses<infer Scope>
            ? ByStatus<Scope, Schemas, keyof Scope>
            : unknown)
    : never

/** A status that is not declared takes any payload. */
interface AnyStatus {
  readonly [status: number]: unknown
}

type ByStatus<Declared, Schemas, Keys> = {
  readonly [Status in OwnCodes<Keys, Keys>]: GivenPayload<Declared, Status, Schemas, unknown>
}

type Responses<Each extends { readonly statusCode: unknown }> = {
  readonly [Status in Each['statusCode'] & number]: Payload<Each, Status>
}

type Payload<Each, Status> = Each extends { readonly statusCode: infer Own }
  ? Status extends Own
    ? Each extends { json(): infer Body }
      ? Body
      : Each extends { bytes(): unknown }
        ? Each
        : void
    : never
  : never

type MessagesOf<Entry> =
  Entry extends SeenRoute<
    { readonly websocket: { readonly receive: infer Receive; readonly send: infer Send } },
    infer Schemas,
    infer _Result
  >
    ? Messages<Receive, Send, Schemas>
    : never

/** The messages of a route for WebSockets. Without a schema they are text or bytes. */
export interface Messages<Receive, Send, Schemas> {
  readonly receive: Receive extends object ? Part<Receive, Schemas, 'out'> : string | Buffer
  readonly send: Send extends object ? Part<Send, Schemas, 'reply'> : string | Uint8Array
}
