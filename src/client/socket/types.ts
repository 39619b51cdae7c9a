import type { HeaderValues } from '../../http/route-call.ts'
import type { SeenRoute } from '../../plugin/seen-route.ts'
import type { InputArguments, InputOf } from '../../route/call-types.ts'
import type { Routed, RouteKey, RouteOf, SocketSchema } from '../../route/route-entry.ts'
import type { Part } from '../../schema/infer/part.ts'

/** Opens routes for WebSockets by their paths: `open('/room/:id', { params: { id: 1 } })`. */
export interface OpenSocket<App extends Routed> {
  <Path extends SocketPath<App>>(
    path: Path,
    ...input: SocketArguments<App, Path, SocketMessages<App, Path>>
  ): Promise<OpenedSocket<SocketMessages<App, Path>>>
}

/** The paths of the routes for WebSockets of a server. */
export type SocketPath<App extends Routed> = {
  [Key in RouteKey<App>]: Key extends `GET ${infer Path}`
    ? [EntryMessages<RouteOf<App, Key>>] extends [never]
      ? never
      : Path
    : never
}[RouteKey<App>]

type KeyOf<App extends Routed, Path extends string> = `GET ${Path}` & RouteKey<App>

/** The messages of a route, as its client sees them; undefined for text and bytes. */
export interface Messages<Sent, Received> {
  readonly send: Sent
  readonly receive: Received
}

/** The messages of a route by its path.
 *  @example type Said = SocketMessages<typeof app, '/room/:id'>['send'] */
export type SocketMessages<App extends Routed, Path extends string> = EntryMessages<
  RouteOf<App, KeyOf<App, Path>>
>

/** What the server receives is what the client sends. An emitted contract leaves out what is text
 *  or bytes. */
type EntryMessages<Entry> =
  Entry extends SeenRoute<infer Schema, infer Schemas, infer _Result>
    ? Schema extends SocketSchema<infer Receive, infer Send>
      ? Messages<MessageOf<Receive, Schemas, 'in'>, MessageOf<Send, Schemas, 'json'>>
      : never
    : Entry extends { readonly websocket: infer Own }
      ? Messages<
          Own extends { readonly send: infer Sent } ? Sent : undefined,
          Own extends { readonly receive: infer Received } ? Received : undefined
        >
      : never

type MessageOf<Schema, Schemas, Side extends 'in' | 'json'> = Schema extends object
  ? Part<Schema, Schemas, Side>
  : undefined

type OpenedSocket<Each> =
  Each extends Messages<infer Sent, infer Received>
    ? ClientSocket<
        [Received] extends [undefined] ? string | ArrayBuffer : Received,
        [Sent] extends [undefined] ? string | ArrayBuffer | Uint8Array<ArrayBuffer> : Sent
      >
    : never

type SocketArguments<App extends Routed, Path extends string, Each> =
  RawOption<Each> extends infer Raw
    ? {} extends Raw
      ? [
          ...InputArguments<RouteOf<App, KeyOf<App, Path>>, KeyOf<App, Path>, RouteKey<App>>,
          options?: SocketCallOptions & Raw,
        ]
      : [input: InputOf<App, KeyOf<App, Path>>, options: SocketCallOptions & Raw]
    : never

/** Only the type of the route knows which messages are no JSON, so that the call says it. */
type RawOption<Each> =
  Each extends Messages<infer Sent, infer Received>
    ? [Sent] extends [undefined]
      ? [Received] extends [undefined]
        ? { readonly raw: true }
        : { readonly raw: 'send' }
      : [Received] extends [undefined]
        ? { readonly raw: 'receive' }
        : { readonly raw?: undefined }
    : never

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
