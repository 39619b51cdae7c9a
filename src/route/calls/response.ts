// What a call gives.
import type { EntryPayload, OwnCodes } from '../../typed/payload.ts'
import type { Sender } from '../../typed/sent.ts'
import type { SeenRoute } from '../../plugin/seen-route.ts'
import type { SentAsIs } from '../../types/fetch-body.ts'
import type { HasResponse } from '../../types/has-part.ts'
import type { Json } from '../../types/json.ts'
import type { Sealed } from '../../types/sealed.ts'
import type { Routed, RouteKey, RouteOf } from '../route-entry.ts'

/** The response of a route with one status. */
export interface RouteResponse<Status, Payload> {
  readonly statusCode: Status
  readonly headers: Readonly<Record<string, number | string | string[] | undefined>>
  /** The text of the body. */
  readonly body: string
  /** The parsed body; of a `text/…` type it is the text, and of another that does not say JSON, where it is none. */
  json(): Payload
}

/** What a client receives from a route: one member for each declared status.
 *  @example type Out = ResponseOf<App, 'GET /users/:id'> // RouteResponse<200, User> | … */
export type ResponseOf<App extends Routed, Key extends RouteKey<App>> = Key extends `HEAD ${string}`
  ? HeadResponse<EntryResponse<RouteOf<App, Key>>>
  : EntryResponse<RouteOf<App, Key>>

/** The same of one route, by its entry. Not what the former stands for: of an alias of another, declaration files forget the
 *  name. */
export type KeyResponse<Entry, Key> = Key extends `HEAD ${string}`
  ? HeadResponse<EntryResponse<Entry>>
  : EntryResponse<Entry>

/** To HEAD nothing is sent but a head (RFC 9110, 9.3.2): JSON is null then, and text empty. */
type HeadResponse<Each> =
  Each extends RouteResponse<infer Status, unknown> ? RouteResponse<Status, null | ''> : never

/** What a route gives, whatever its method. It is inferred of itself (`Each`), so that nothing is inferred into it: where a call is
 *  expected to give what has `json()`, the compiler would look for the call's key in every branch of the walk over schemas. */
export type EntryResponse<Entry> =
  Entry extends SeenRoute<infer Schema, infer Schemas, infer Result>
    ? Schema extends HasResponse
      ? {
          [Code in keyof Schema['response']]: RouteResponse<
            OwnCodes<Code, keyof Schema['response']>,
            EntryPayload<Schema['response'][Code], Schemas, 'json'>
          >
        } extends infer Each
        ? Each[keyof Each]
        : never
      : RouteResponse<number, Sealed<Entry, SentPayload<Result>>>
    : never

/** A handler that sends by hand, be it now and then, says nothing of what it sends. Bytes and streams are no JSON. */
type SentPayload<Result> = [Awaited<Result>] extends [never]
  ? unknown
  : [Extract<Awaited<Result>, Sender | void | SentAsIs>] extends [never]
    ? Json<Awaited<Result>>
    : unknown
