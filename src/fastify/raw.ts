import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http'
import type {
  Http2SecureServer,
  Http2Server,
  Http2ServerRequest,
  Http2ServerResponse,
} from 'node:http2'
import type { Server as SecureServer } from 'node:https'

/** The servers of Node that a host can stand on. */
export type RawServerBase = Server | SecureServer | Http2Server | Http2SecureServer
export type RawServerDefault = Server

/** Node's request on such a server. */
export type RawRequestDefaultExpression<RawServer extends RawServerBase = RawServerDefault> =
  RawServer extends Server | SecureServer
    ? IncomingMessage
    : RawServer extends Http2Server | Http2SecureServer
      ? Http2ServerRequest
      : never

/** Node's response on such a server. */
export type RawReplyDefaultExpression<RawServer extends RawServerBase = RawServerDefault> =
  RawServer extends Server | SecureServer
    ? ServerResponse
    : RawServer extends Http2Server | Http2SecureServer
      ? Http2ServerResponse
      : never

// What requests and replies are where nothing is said of them.
export type RequestBodyDefault = unknown
export type RequestQuerystringDefault = unknown
export type RequestParamsDefault = unknown
export type RequestHeadersDefault = unknown
export type ContextConfigDefault = unknown
export type ReplyDefault = unknown

/** Keeps the compiler from folding literals into `string`, so that editors still offer them. */
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

/** A method, in upper or lower case; any other string is one that `addHttpMethod` has added. */
export type HTTPMethods = KnownMethod | Lowercase<KnownMethod> | OrAnyString

/** The name of a header: those that Node knows, and any other. */
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
/** What may stand for a status in a route's `Reply`: the status, or its class as `4xx`. */
export type HttpKeys = HttpCodes | `${Digit}xx`

/** The statuses that such a key stands for; any number for other keys.
 *  @example type Codes = ReplyKeysToCodes<'4xx' | 200> // 200 | 400 | 401 | … | 499 */
export type ReplyKeysToCodes<Key> = [Key] extends [never]
  ? number
  : Key extends HttpCodes
    ? Key
    : Key extends `${infer Class extends StatusClass}xx`
      ? NumberIn<`${Class}${Digit}${Digit}`>
      : number

/** The class of a status, as a key. */
export type CodeToReplyKey<Code extends number> =
  `${Code}` extends `${infer Class extends StatusClass}${number}` ? `${Class}xx` : never

/** Headers as they arrive: their names are in lower case. */
export type RecordKeysToLowercase<Input> =
  Input extends Record<string, unknown>
    ? { [Key in keyof Input as Key extends string ? Lowercase<Key> : Key]: Input[Key] }
    : Input
