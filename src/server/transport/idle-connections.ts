import { ServerResponse, type IncomingMessage, type Server as HttpServer } from 'node:http'
import type { Socket } from 'node:net'
import { isRead } from '../../lifecycle/unread-body.ts'
import { isObject } from '../../types/objects.ts'

interface NodeReply {
  readonly finished: boolean
  readonly req?: { readonly complete: boolean }
}

/** An HTTP/1 socket with the internal properties of Node. */
interface HttpSocket extends Socket {
  /** The current reply. */
  _httpMessage?: NodeReply | null | undefined
  /** Present while the socket reads requests, and not another protocol. */
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null
}

const unsent: NodeReply = { finished: false }

/** Bun closes a connection as idle before its reply has left, whatever `_httpMessage` says. */
const closesUnsent = 'bun' in process.versions

/** The last queued reply of a connection, by its socket. */
const queued = new WeakMap<Socket, ServerResponse>()

/** The replies that announce the end of their connection, because the server closes. */
const announced = new WeakSet<ServerResponse>()

/** Records a reply that waits for another on its connection. The reply before must not close it. */
export function noteQueued(socket: Socket, response: ServerResponse): void {
  const last = lastOf(socket)
  if (last !== undefined && announced.has(last) && !last.headersSent) {
    last.removeHeader('connection')
  }
  queued.set(socket, response)
}

/** The last unsent reply of a connection. */
function lastOf(socket: HttpSocket): ServerResponse | undefined {
  const waiting = queued.get(socket)
  const last = waiting?.writableFinished === false ? waiting : socket._httpMessage
  return last instanceof ServerResponse ? last : undefined
}

/** Closes the connections of a closing server that are idle or too slow. */
export class IdleConnections {
  readonly #server: HttpServer
  readonly #closeIdle: () => void = () => undefined
  readonly #sockets = new Set<HttpSocket>()
  /** The time since which a socket reads one request. */
  readonly #reading = new WeakMap<HttpSocket, readonly [reply: unknown, since: number]>()

  constructor(server: HttpServer) {
    this.#server = server
    const sockets = this.#sockets
    // One function for all: ten thousand idle connections would keep as many.
    const remove = function (this: Socket): void {
      sockets.delete(this)
    }
    const add = (socket: Socket): void => {
      sockets.add(socket)
      socket.on('close', remove)
    }
    server.on('connection', add).on('secureConnection', add)
    // A server of `serverFactory` may lack the method.
    if (typeof server.closeIdleConnections !== 'function') return
    const closeIdle = server.closeIdleConnections.bind(server)
    this.#closeIdle = () => {
      this.#withoutUnsent(closeIdle)
    }
    // Node calls this method too when a server closes.
    server.closeIdleConnections = this.#closeIdle
  }

  /** Closes the connections that are idle now. It has to be called repeatedly until the server is
   *  closed. */
  close(): void {
    this.#closeIdle()
    for (const socket of this.#sockets) this.#closeSlow(socket)
  }

  /** Sets `connection: close` on replies that have not begun (RFC 9112, 9.6). Node closes the
   *  connection after the first such reply, so only the last reply of each connection gets it. */
  announceClose(): void {
    for (const socket of this.#sockets) {
      const last = lastOf(socket)
      if (last === undefined || last.headersSent) continue
      last.setHeader('connection', 'close')
      announced.add(last)
    }
  }

  /** Calls a function while connections with unsent data look busy. Node regards a connection as
   *  idle as soon as its last reply was handed over, even if it was not sent yet. */
  #withoutUnsent(closeIdle: () => void): void {
    const busy = [...this.#sockets]
      .filter((socket) => isObject(socket._httpMessage) || socket.writableLength > 0)
      .map((socket) => [socket, socket._httpMessage] as const)
    if (closesUnsent && busy.length > 0) return
    for (const [socket] of busy) socket._httpMessage = unsent
    closeIdle()
    for (const [socket, reply] of busy) socket._httpMessage = reply
  }

  /** Applies the time limits, which Node does not do while a server closes. A connection without a
   *  first request has time until the next call. */
  #closeSlow(socket: HttpSocket): void {
    const { parser, _httpMessage: reply } = socket
    if (!isObject(parser) || reply?.req?.complete === true) return
    // The reply was sent, and nobody reads the rest of the request's body.
    const { incoming } = parser
    if (!isObject(reply) && incoming?.complete === false && !isRead(incoming)) socket.destroy()
    const [known, since] = this.#reading.get(socket) ?? []
    if (since === undefined || known !== reply) this.#reading.set(socket, [reply, Date.now()])
    else if (!isObject(reply) && socket.bytesRead === 0) socket.destroy()
    else if (Date.now() - since > this.#limitOf(reply)) {
      const error = Object.assign(new Error('Request timeout'), {
        code: 'ERR_HTTP_REQUEST_TIMEOUT',
      })
      this.#server.emit('clientError', error, socket)
    }
  }

  #limitOf(reply: unknown): number {
    const { headersTimeout, requestTimeout } = this.#server
    return (isObject(reply) ? requestTimeout : headersTimeout) || Infinity
  }
}
