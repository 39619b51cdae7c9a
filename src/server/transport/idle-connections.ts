import { ServerResponse, type IncomingMessage, type Server as HttpServer } from 'node:http'
import type { Socket } from 'node:net'
import { isRead } from '../../lifecycle/unread-body.ts'
import { isObject } from '../../schema/values.ts'

interface NodeReply {
  readonly finished: boolean
  readonly req?: { readonly complete: boolean }
}

/** What Node keeps on a socket of HTTP/1. */
interface HttpSocket extends Socket {
  /** The reply that is being written. */
  _httpMessage?: NodeReply | null | undefined
  /** There while requests are read, rather than another protocol. */
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null
}

const unsent: NodeReply = { finished: false }

/** The last of the replies that wait for others on their connection, by its socket. */
const queued = new WeakMap<Socket, ServerResponse>()

/** The replies that say that their connection is closed because their server closes. */
const announced = new WeakSet<ServerResponse>()

/** Takes note of a reply that waits for another on its connection. The one before it must not close it. */
export function noteQueued(socket: Socket, response: ServerResponse): void {
  const last = lastOf(socket)
  if (last !== undefined && announced.has(last) && !last.headersSent) {
    last.removeHeader('connection')
  }
  queued.set(socket, response)
}

/** The last of the replies of a connection that have not left. */
function lastOf(socket: HttpSocket): ServerResponse | undefined {
  const waiting = queued.get(socket)
  const last = waiting?.writableFinished === false ? waiting : socket._httpMessage
  return last instanceof ServerResponse ? last : undefined
}

/** Finds the connections of a closing server that wait for a request, or would wait for ever. */
export class IdleConnections {
  readonly #server: HttpServer
  readonly #closeIdle: () => void = () => undefined
  readonly #sockets = new Set<HttpSocket>()
  /** Since when a socket is known to read one request. */
  readonly #reading = new WeakMap<HttpSocket, readonly [reply: unknown, since: number]>()

  constructor(server: HttpServer) {
    this.#server = server
    const add = (socket: Socket): void => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    }
    server.on('connection', add).on('secureConnection', add)
    // A server of one's own may be of any kind.
    if (typeof server.closeIdleConnections !== 'function') return
    const closeIdle = server.closeIdleConnections.bind(server)
    this.#closeIdle = () => {
      this.#withoutUnsent(closeIdle)
    }
    // Node calls it too, when a server closes.
    server.closeIdleConnections = this.#closeIdle
  }

  /** Closes the connections that are idle now. To be called again and again until the server is closed. */
  close(): void {
    this.#closeIdle()
    for (const socket of this.#sockets) this.#closeSlow(socket)
  }

  /** Has replies that have not begun say that their connection is closed (RFC 9112, 9.6). Node closes it
   *  behind the first that says so: of those that wait for each other only the last may. */
  announceClose(): void {
    for (const socket of this.#sockets) {
      const last = lastOf(socket)
      if (last === undefined || last.headersSent) continue
      last.setHeader('connection', 'close')
      announced.add(last)
    }
  }

  /** Node takes a connection for idle as soon as its last reply has been handed over, though it has not left yet,
   *  nor have those behind it. */
  #withoutUnsent(closeIdle: () => void): void {
    const busy = [...this.#sockets]
      .filter((socket) => isObject(socket._httpMessage) || socket.writableLength > 0)
      .map((socket) => [socket, socket._httpMessage] as const)
    for (const [socket] of busy) socket._httpMessage = unsent
    closeIdle()
    for (const [socket, reply] of busy) socket._httpMessage = reply
  }

  /** Node limits no times any more when a server closes. A connection that was opened ahead of its first
   *  request has until the next look. */
  #closeSlow(socket: HttpSocket): void {
    const { parser, _httpMessage: reply } = socket
    if (!isObject(parser) || reply?.req?.complete === true) return
    // The reply has left, and the rest of the request's body is of no use.
    const { incoming } = parser
    if (!isObject(reply) && incoming?.complete === false && !isRead(incoming)) socket.destroy()
    const [known, since] = this.#reading.get(socket) ?? []
    if (since === undefined || known !== reply) this.#reading.set(socket, [reply, Date.now()])
    else if (socket.bytesRead === 0) socket.destroy()
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
