// The responses of a route, as clients and `inject` give them.
import type { EventMessage, EventsOptions } from '../http/events.ts'
import type { CodesOfKey } from '../typed/payload.ts'

/** The statuses of success: 200 to 299. */
// A union, since messages name a union by its alias.
export type SuccessStatus = 200 | CodesOfKey<'2xx'>

/** What differs between the responses of a client and those of `inject`. */
export interface AnyOrigin {
  readonly declared: boolean
  readonly raw: unknown
}

/** The origin of a response that a client has fetched. */
export interface Fetched {
  readonly declared: true
  readonly raw: Response
}

/** A response that has no body, with one status. */
export interface EmptyResponse<Status, Origin extends AnyOrigin = Fetched> {
  /** Whether the route declares the response, as far as types know. */
  readonly declared: Origin['declared']
  readonly statusCode: Status
  /** Whether the status is 2xx. */
  readonly ok: IsSuccess<Status>
  /** By name in lower case. `set-cookie` is a list. */
  readonly headers: Readonly<Record<string, number | string | string[] | undefined>>
  /** The response of `fetch`. If its body was read before the call ended, each access gives a copy,
   *  whose body is not read yet. In `inject`, the objects of Node. */
  readonly raw: Origin['raw']
}

type IsSuccess<Status> = [Status] extends [SuccessStatus]
  ? true
  : SuccessStatus extends Status
    ? boolean
    : Extract<Status, SuccessStatus> extends never
      ? false
      : boolean

/** A response of bytes that are no JSON, with one status. A body that was not read before the call
 *  ended can be read once. A body that is cut throws ESP_ERR_CLIENT_NETWORK. */
export interface BytesResponse<Status, Origin extends AnyOrigin = Fetched> extends EmptyResponse<
  Status,
  Origin
> {
  text(): Promise<string>
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>
}

/** The response of a route with one status. */
export interface RouteResponse<
  Status,
  Payload,
  Origin extends AnyOrigin = Fetched,
> extends BytesResponse<Status, Origin> {
  /** The parsed body. For a `text/…` type it is the text; for a type that does not name JSON, the
   *  text if it is no JSON.
   *  @throws ESP_ERR_CLIENT_JSON for JSON that is malformed, and for a body of bytes, which is read
   *  later (in `inject`, a SyntaxError) */
  json(): Payload
}

/** A body of the type `multipart/form-data` or `application/x-www-form-urlencoded`. */
export interface FormBody {
  formData(): Promise<FormData>
}

/** A body of JSON lines. */
export interface LinesBody<Item> {
  /** The items of the body, as they come. To leave the loop cancels the body.
   *  @example for await (const item of response.events()) console.log(item)
   *  The iterator throws the errors of a call.
   *  @throws ESP_ERR_CLIENT_NETWORK for a body that was cut
   *  @throws ESP_ERR_CLIENT_JSON for an item that is no JSON */
  events(): AsyncIterableIterator<Item>
}

/** A body that is an event stream. */
export interface EventsBody<Item> {
  /** The data of the events, as they come. To leave the loop cancels the body.
   *  @example for await (const item of response.events()) console.log(item)
   *  The iterator throws the errors of a call.
   *  @throws ESP_ERR_CLIENT_NETWORK for a body that was cut
   *  @throws ESP_ERR_CLIENT_JSON for data that is no JSON */
  events(options?: EventsOptions): AsyncIterableIterator<Item>
  /** The same with the names and ids of the events. */
  messages(options?: EventsOptions): AsyncIterableIterator<EventMessage<Item>>
}

/** The payload of the framework's answer to a request that is not valid. */
export interface BadRequest {
  readonly statusCode: 400
  readonly code?: string
  readonly error: string
  readonly message: string
}

/** A response that its route does not declare: nothing is known of its body. */
export interface UndeclaredMembers {
  readonly declared: false
  readonly statusCode: number
  readonly ok: boolean
  readonly headers: Readonly<Record<string, number | string | string[] | undefined>>
  readonly raw: Response
  /** The parsed body, or its text. @throws ESP_ERR_CLIENT_JSON, as a declared response does */
  json(): unknown
  text(): Promise<string>
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>
  formData(): Promise<FormData>
}
