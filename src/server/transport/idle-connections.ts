import type { Server as HttpServer } from 'node:http'
import type { Socket } from 'node:net'
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
  readonly parser?: object | null
}

const unsent: NodeReply = { finished: false }

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
