// The types of a contract that `espalier contract emit` has written.
import type { AnyCtx, HasCtx, NoResponses } from '../context/ctx.ts'
import type { RouteInput } from '../http/route-call.ts'
import type { OwnCodes } from '../typed/payload.ts'
import type {
  AnyOrigin,
  BytesResponse,
  EmptyResponse,
  EventsBody,
  FormBody,
  LinesBody,
  RouteResponse,
} from './response-types.ts'
import type { BodilessMethod } from './route-schema.ts'

/** The type of a server whose routes are plain types, as `espalier contract emit` writes them. A
 *  client of it reads nothing of the server.
 *  @example
 *  interface Routes {
 *    'GET /users/:id': { request: { params: { id: number } }; responses: { 200: { json: User } } }
 *  }
 *  export interface Api extends Emitted<Routes> {}
 *  const api = client<Api>('https://example.org') */
export interface Emitted<Routes> extends HasCtx<EmittedCtx, Routes> {}

interface EmittedCtx extends AnyCtx {
  schemas: NoResponses
}

/** The input of a call. Headers may be sent to each route, and anything to one without schemas. */
export type EmittedInput<Request, Key> = keyof Request extends never
  ? Key extends `${BodilessMethod} ${string}`
    ? Omit<RouteInput, 'body'>
    : RouteInput
  : 'headers' extends keyof Request
    ? Request
    : Request & Pick<RouteInput, 'headers'>

/** The responses of a call. */
export type EmittedResponse<Responses, Origin extends AnyOrigin> = {
  [Status in keyof Responses]: OfBody<
    Responses[Status],
    Status extends number ? Status : OwnCodes<Status, keyof Responses>,
    Origin
  >
}[keyof Responses]

/** A body is empty, or has one or several of these: JSON, bytes that are read later, a form,
 *  items. Most have JSON alone. */
type OfBody<Body, Codes, Origin extends AnyOrigin> = [keyof Body] extends ['json']
  ? 'json' extends keyof Body
    ? RouteResponse<Codes, Body['json'], Origin>
    : EmptyResponse<Codes, Origin>
  : (Body extends { readonly json: infer Payload }
      ? RouteResponse<Codes, Payload, Origin>
      : BytesResponse<Codes, Origin>) &
      (Body extends { readonly form: true } ? FormBody : unknown) &
      (Body extends { readonly events: infer Item } ? EventsBody<Item> : unknown) &
      (Body extends { readonly lines: infer Item } ? LinesBody<Item> : unknown)
