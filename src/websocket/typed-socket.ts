/** A WebSocket of one route.
 *  @template Received what the client sends: the values of the schema `receive`, else text as a
 *  string and binary messages as a Buffer
 *  @template Sent what `send` takes: the values of the schema `send`, else text or bytes */
export interface TypedSocket<out Received, in Sent> extends AsyncIterable<Received> {
  /** The WebSocket of the package `ws`, for all that is not here, such as `ping`. */
  readonly raw: RawSocket
  /** Resolves once the socket is closed. */
  readonly closed: Promise<SocketClosed>
  /** Sends a message. On a closed socket it does nothing.
   *  @returns a promise that resolves when the message has left the process, or never will. Await
   *  it, so that messages for a slow client do not pile up in memory. It does not reject
   *  @throws an error if the message does not fit the schema */
  send(message: Sent): Promise<void>
  /** Begins to close the socket (RFC 6455, section 7).
   *  @param code 1000, or 3000 to 4999 for codes of the application. @default 1000
   *  @param reason up to 123 bytes of UTF-8
   *  @throws for another code, and for a longer reason */
  close(code?: number, reason?: string): void
  /** The messages in their order, until the socket is closed. Up to 16 wait for being read; after
   *  that the client has to wait. Messages that no loop reads are dropped when the handler has
   *  ended, or when the client has waited for 10 seconds. */
  [Symbol.asyncIterator](): AsyncIterator<Received, void, undefined>
}

/** How a socket was closed (RFC 6455, section 7.4): 1005 without a code, 1006 without a closing
 *  handshake. */
export interface SocketClosed {
  readonly code: number
  readonly reason: string
}

/** The part of the WebSocket of the package `ws` that is used here. Its own type, from `@types/ws`,
 *  is `socket.raw as WebSocket`. */
export interface RawSocket {
  /** 1: open, 2: closing, 3: closed. */
  readonly readyState: number
  /** The bytes that were sent and have not left the process. */
  readonly bufferedAmount: number
  /** The subprotocol; empty for none. */
  readonly protocol: string
  send(data: string | Uint8Array, done: (error?: Error) => void): void
  close(code?: number, reason?: string): void
  /** Ends the connection without a closing handshake. */
  terminate(): void
  ping(): void
  pause(): void
  resume(): void
  on(event: string, listener: (...args: never[]) => void): unknown
}
