import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http'
import type {
  Http2SecureServer,
  Http2Server,
  Http2ServerRequest,
  Http2ServerResponse,
} from 'node:http2'
import type { Server as SecureServer } from 'node:https'

/** The servers of Node. */
export type RawServerBase = Server | SecureServer | Http2Server | Http2SecureServer
export type RawServerDefault = Server

/** Node's request on a server of this type. */
export type RawRequestDefaultExpression<RawServer extends RawServerBase = RawServerDefault> =
  RawServer extends Server | SecureServer
    ? IncomingMessage
    : RawServer extends Http2Server | Http2SecureServer
      ? Http2ServerRequest
      : never

/** Node's response on a server of this type. */
export type RawReplyDefaultExpression<RawServer extends RawServerBase = RawServerDefault> =
  RawServer extends Server | SecureServer
    ? ServerResponse
    : RawServer extends Http2Server | Http2SecureServer
      ? Http2ServerResponse
      : never

// The types of request parts and replies that no type or schema describes.
export type RequestBodyDefault = unknown
export type RequestQuerystringDefault = unknown
export type RequestParamsDefault = unknown
export type RequestHeadersDefault = unknown
export type ContextConfigDefault = unknown
export type ReplyDefault = unknown

/** A string. Unlike `string`, a union keeps its literals beside it, and editors complete them. */
type OrAnyString = string & Record<never, never>

type KnownMethod =
  | 'DELETE'
  | 'GET'
  | 'HEAD'
  | 'PATCH'
  | 'POST'
  | 'PUT'
  | 'OPTIONS'
  | 'QUERY'
  | 'PROPFIND'
  | 'PROPPATCH'
  | 'MKCOL'
  | 'COPY'
  | 'MOVE'
  | 'LOCK'
  | 'UNLOCK'
  | 'TRACE'
  | 'SEARCH'
  | 'REPORT'
  | 'MKCALENDAR'

/** A method in upper or lower case, or any string: `addHttpMethod` adds methods. */
export type HTTPMethods = KnownMethod | Lowercase<KnownMethod> | OrAnyString

/** The name of a header: any string. Editors complete the names that Node knows. */
export type HttpHeader = keyof WithoutIndex<OutgoingHttpHeaders> | OrAnyString

type WithoutIndex<Values> = {
  [
    Key in keyof Values as string extends Key ? never : number extends Key ? never : Key
  ]: Values[Key]
}

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
type StatusClass = 1 | 2 | 3 | 4 | 5
type NumberIn<Text extends string> = Text extends `${infer Value extends number}` ? Value : never

/** The statuses from 100 to 599. */
export type HttpCodes = NumberIn<`${StatusClass}${Digit}${Digit}`>
/** A key of a route's `Reply`: a status, or a class of statuses as `4xx`. */
export type HttpKeys = HttpCodes | `${Digit}xx`

/** The statuses of a key of `Reply`. Any number for another key.
 *  @example type Codes = ReplyKeysToCodes<'4xx' | 200> // 200 | 400 | 401 | … | 499 */
export type ReplyKeysToCodes<Key> = [Key] extends [never]
  ? number
  : Key extends HttpCodes
    ? Key
    : Key extends `${infer Class extends StatusClass}xx`
      ? NumberIn<`${Class}${Digit}${Digit}`>
      : number

/** The class of a status, as a key of `Reply`. */
export type CodeToReplyKey<Code extends number> =
  `${Code}` extends `${infer Class extends StatusClass}${number}` ? `${Class}xx` : never

/** The headers of a request, whose names Node writes in lower case. */
export type RecordKeysToLowercase<Input> =
  Input extends Record<string, unknown>
    ? { [Key in keyof Input as Key extends string ? Lowercase<Key> : Key]: Input[Key] }
    : Input
