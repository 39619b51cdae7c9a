import type { HeaderValues } from '../../http/route-call.ts'
import type { SeenRoute } from '../../plugin/seen-route.ts'
import type { InputArguments, InputOf } from '../../route/call-types.ts'
import type { Routed, RouteKey, RouteOf, SocketSchema } from '../../route/route-entry.ts'
import type { Part } from '../../schema/infer/part.ts'

/** Opens routes for WebSockets by their paths: `open('/room/:id', { params: { id: 1 } })`. */
export interface OpenSocket<App extends Routed> {
  <Path extends SocketPath<App>>(
    path: Path,
    ...input: SocketArguments<App, Path, SchemasOf<App, Path>>
  ): Promise<ClientSocket<ReceivedOf<SchemasOf<App, Path>>, SentOf<SchemasOf<App, Path>>>>
}

/** The paths of the routes for WebSockets of a server. */
export type SocketPath<App extends Routed> = {
  [Key in RouteKey<App>]: Key extends `GET ${infer Path}`
    ? RouteOf<App, Key> extends SeenRoute<infer Schema, infer _Schemas, infer _Result>
      ? Schema extends SocketSchema<unknown, unknown>
        ? Path
        : never
      : never
    : never
}[RouteKey<App>]

type KeyOf<App extends Routed, Path extends string> = `GET ${Path}` & RouteKey<App>

/** The schemas of the messages of a route, with the shared schemas of its scope. */
interface MessagesOf<Receive, Send, Schemas> {
  readonly receive: Receive
  readonly send: Send
  readonly schemas: Schemas
}

type SchemasOf<App extends Routed, Path extends string> =
  RouteOf<App, KeyOf<App, Path>> extends SeenRoute<infer Schema, infer Schemas, infer _Result>
    ? Schema extends SocketSchema<infer Receive, infer Send>
      ? MessagesOf<Receive, Send, Schemas>
      : never
    : never

/** What the client gets: what the server sends. */
type ReceivedOf<Messages> =
  Messages extends MessagesOf<unknown, infer Send, infer Schemas>
    ? Send extends object
      ? Part<Send, Schemas, 'json'>
      : string | ArrayBuffer
    : never

type SentOf<Messages> =
  Messages extends MessagesOf<infer Receive, unknown, infer Schemas>
    ? Receive extends object
      ? Part<Receive, Schemas, 'in'>
      : string | ArrayBuffer | Uint8Array<ArrayBuffer>
    : never

type SocketArguments<App extends Routed, Path extends string, Messages> =
  Messages extends MessagesOf<infer Receive, infer Send, unknown>
    ? RawOption<Receive, Send> extends infer Raw
      ? {} extends Raw
        ? [
            ...InputArguments<RouteOf<App, KeyOf<App, Path>>, KeyOf<App, Path>, RouteKey<App>>,
            options?: SocketCallOptions & Raw,
          ]
        : [input: InputOf<App, KeyOf<App, Path>>, options: SocketCallOptions & Raw]
      : never
    : never

/** Only the type of the route knows which messages are no JSON, so that the call says it. */
type RawOption<Receive, Send> = Receive extends object
  ? Send extends object
    ? { readonly raw?: undefined }
    : { readonly raw: 'receive' }
  : Send extends object
    ? { readonly raw: 'send' }
    : { readonly raw: true }

/** The options of one socket. A route without a schema for messages also needs `raw`: `true` if
 *  neither direction has one, `'send'` or `'receive'` for the direction without one, as the client
 *  sees it. Its messages are text or bytes; all others are JSON. */
export interface SocketCallOptions {
  /** Closes the socket with 1000. What waits for it gets ESP_ERR_CLIENT_ABORTED. */
  readonly signal?: AbortSignal | undefined
  /** Opens the socket again after it was cut. @default none */
  readonly reconnect?: ReconnectOptions | undefined
  /** Checks each message that is received: a function that says whether it fits, or a Standard
   *  Schema. One that does not fit is ESP_ERR_CLIENT_JSON, and closes the socket with 1000. */
  readonly check?: MessageCheck | undefined
  /** The most messages that wait for being read. One more is ESP_ERR_CLIENT_SIZE, and closes the
   *  socket with 1000. @default 1000 */
  readonly buffer?: number | undefined
}

/** How a socket is opened again: after it was cut, or closed with a code that does not say that the
 *  client is wrong or wanted it. It is not after 1000, 1002, 1003, 1005, 1007, 1008, 1009, and 4000
 *  to 4999. What is sent until then is lost. */
export interface ReconnectOptions {
  /** The most failed attempts in a row. @default 5 */
  readonly limit?: number | undefined
  /** The milliseconds to wait, by the number of the attempt, from 1.
   *  @default up to 1, 2, 4, … seconds, at most 30, at random from the half on */
  readonly wait?: ((attempt: number) => number) | undefined
  /** Is called when the socket is open again, to say once more what the server has to know. */
  readonly onOpen?: (() => unknown) | undefined
}

/** A function that says whether a message fits, or a Standard Schema. */
export type MessageCheck =
  | ((message: unknown) => boolean)
  | {
      readonly '~standard': {
        readonly validate: (message: unknown) => CheckResult | Promise<CheckResult>
      }
    }

interface CheckResult {
  readonly issues?: readonly { readonly message: string }[] | undefined
}

/** A WebSocket of a client.
 *  @template Received what the server sends, as it comes from JSON
 *  @template Sent what `send` takes */
export interface ClientSocket<out Received, in Sent> extends AsyncIterable<Received> {
  /** Resolves once the socket is closed, and is not opened again. */
  readonly closed: Promise<ClientSocketClosed>
  /** @returns whether the socket is open. If it is not, the message is lost */
  send(message: Sent): boolean
  /** Closes the socket (RFC 6455, section 7). @param code 1000, or 3000 to 4999. @default 1000 */
  close(code?: number, reason?: string): void
  /** The messages in their order. It ends when the socket is closed with 1000 or without a code.
   *  To leave the loop does not close the socket.
   *  @throws ESP_ERR_CLIENT_SOCKET for another code, ESP_ERR_CLIENT_JSON for a message that is no
   *  JSON or does not fit, ESP_ERR_CLIENT_SIZE, ESP_ERR_CLIENT_ABORTED */
  [Symbol.asyncIterator](): AsyncIterator<Received, void, undefined>
}

/** How a socket was closed (RFC 6455, section 7.4): 1005 without a code, 1006 if it was cut. */
export interface ClientSocketClosed {
  readonly code: number
  readonly reason: string
}

/** The options of `socket`. */
export interface SocketOptions {
  /** The subprotocols that the server may choose from. @default [] */
  readonly protocols?: readonly string[] | undefined
  /** The headers of all sockets, or a function that returns them. Browsers send none. */
  readonly headers?: HeaderValues | (() => HeaderValues | Promise<HeaderValues>) | undefined
  /** The class of WebSockets, such as that of the package `ws`. @default the global one, which
   *  browsers, Bun, Deno, and Node from 22 on have */
  readonly WebSocket?: WebSocketClass | undefined
}

/** A class of WebSockets. One that is given gets a URL, subprotocols and `{ headers }`, as that of
 *  `ws` does. */
export type WebSocketClass = new (...args: never[]) => RawClientSocket

/** What is used of a WebSocket. */
export interface RawClientSocket {
  binaryType: string
  readonly readyState: number
  send(data: string | ArrayBuffer | Uint8Array<ArrayBuffer>): void
  close(code?: number, reason?: string): void
  addEventListener(type: never, listener: never): void
}
