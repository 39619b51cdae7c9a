import {
  validateHeaderName,
  validateHeaderValue,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { connectionHeaders } from '../../http/headers.ts'
import { isRead } from '../../lifecycle/unread-body.ts'

/** Makes a request and a response of HTTP/2 behave as over HTTP/1, so that other code need not know
 *  the version. Those of `adaptedClasses` behave so from the start, those of Node's own classes get
 *  the methods here: a server of `serverFactory` makes them. Objects of other classes stay
 *  unchanged. */
export function adaptHttp2(request: IncomingMessage, response: ServerResponse): void {
  if (Object.getPrototypeOf(request) === Http2ServerRequest.prototype) {
    Object.setPrototypeOf(request, AdaptedRequest.prototype)
  }
  if (Object.getPrototypeOf(response) === Http2ServerResponse.prototype) {
    const adapted: object = response
    Object.setPrototypeOf(adapted, AdaptedResponse.prototype)
  }
  if (response instanceof AdaptedResponse && response.isFollowed !== true) response.follow()
}

/** A request that fails if its body is cut off. The one of Node ends. */
class AdaptedRequest extends Http2ServerRequest {
  declare isClosed?: boolean

  override emit(name: string | symbol, ...args: unknown[]): boolean {
    // A destroyed stream emits `close`, and Node emits it again at the end of the connection.
    if (name === 'close') {
      if (this.isClosed === true) return false
      this.isClosed = true
    }
    const hasListeners = super.emit(name, ...args)
    if (name === 'aborted' && !this.readableEnded) {
      this.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))
    }
    return hasListeners
  }

  /** An error without a listener does not end the process. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    done(this.listenerCount('error') > 0 ? error : null)
  }
}

class AdaptedResponse extends Http2ServerResponse {
  declare isFollowed?: boolean
  declare isFinished?: boolean
  declare failure?: Error | undefined

  follow(): void {
    this.isFollowed = true
    const { stream, req } = this
    // Node emits `finish` only when the stream is closed, even if the client has left.
    stream.once('finish', () => this.emit('finish'))
    if (stream.endAfterHeaders) return
    // Asks the client to stop sending a body that nobody reads (RFC 9113, 8.1).
    const leave = (): void => {
      if (stream.closed || !this.writableFinished || isRead(req)) return
      stream.close()
      // Drops received data: Node keeps a stream until all of it was read.
      stream.removeAllListeners('data').resume()
    }
    // Trailers end a response with a body, even if there are none. Node sends them one turn later.
    stream.once('wantTrailers', () => setImmediate(leave))
    this.once('finish', () => {
      if (!stream.closed && stream.state.localClose === 1) leave()
    })
  }

  override emit(name: string | symbol, ...args: unknown[]): boolean {
    if (name === 'finish') {
      if (this.isFinished === true || !this.writableFinished) return false
      this.isFinished = true
    }
    return super.emit(name, ...args)
  }

  /** Resets the stream of an incomplete response, so that the client does not take it as complete:
   *  with an error, since Bun ends a stream that is closed with a code. */
  override destroy(error?: Error): this {
    this.failure ??= error
    const isCut = !this.writableFinished && !this.stream.closed
    return super.destroy(isCut ? (error ?? new Error('The response was cut')) : error)
  }

  override setHeader(name: string, value: number | string | readonly string[]): void {
    if (isAllowed(name, value)) super.setHeader(name, value)
  }

  override appendHeader(name: string, value: string | string[]): void {
    if (isAllowed(name, value)) super.appendHeader(name, value)
  }

  override addTrailers(trailers: OutgoingHttpHeaders): void {
    super.addTrailers(allowedOf(trailers))
  }

  override writeHead(statusCode: number, ...rest: readonly unknown[]): this {
    try {
      for (const each of rest) if (typeof each === 'object' && each !== null) setAll(this, each)
      return super.writeHead(statusCode)
    } catch (error) {
      // Without the refused headers, an error can be answered.
      if (!this.headersSent) for (const name of this.getHeaderNames()) this.removeHeader(name)
      throw error
    }
  }

  override writeEarlyHints(hints: Record<string, string | string[]>, callback?: () => void): void {
    if (hints['link'] === undefined || this.stream.closed) return
    super.writeEarlyHints(allowedOf(hints))
    callback?.()
  }
}

/** Options of a server of Node: the classes of its requests and responses. */
export const adaptedClasses: {
  readonly Http2ServerRequest: typeof Http2ServerRequest
  readonly Http2ServerResponse: typeof Http2ServerResponse<Http2ServerRequest>
} = { Http2ServerRequest: AdaptedRequest, Http2ServerResponse: AdaptedResponse }

/** The types of Node declare properties for these, so the class cannot declare accessors. */
Object.defineProperties(AdaptedResponse.prototype, {
  destroyed: accessor(({ stream }) => stream.destroyed),
  errored: accessor(({ failure }) => failure ?? null),
  // All of the response has been handed over. For HEAD Node ends the stream before the response.
  writableFinished: accessor(
    ({ stream, writableEnded }) =>
      writableEnded && stream.headersSent && stream.writableFinished && !stream.aborted,
  ),
  // HTTP/2 has no reason phrase (RFC 9113, 8.3.2). Node warns if one is set.
  statusMessage: { ...accessor(() => ''), set: () => undefined },
})

function accessor(get: (response: AdaptedResponse) => unknown): PropertyDescriptor {
  return {
    configurable: true,
    get(this: AdaptedResponse) {
      return get(this)
    },
  }
}

/** Whether a header may be sent. HTTP/2 forbids connection headers (RFC 9113, 8.2.2).
 *  @throws the errors of Node over HTTP/1 for an invalid header */
function isAllowed<Value>(name: string, value: Value): value is Value & string {
  const key = name.trim().toLowerCase()
  if (connectionHeaders.has(key) && key !== 'trailer') return false
  validateHeaderName(name)
  validateHeaderValue(name, String(value))
  return true
}

function allowedOf<Value>(headers: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(headers).filter((each) => isAllowed(...each)))
}

/** Sets the headers in an argument of `writeHead`. They replace headers of the same names. */
function setAll(response: Http2ServerResponse, headers: object): void {
  if (!Array.isArray(headers)) {
    const entries = Object.entries<string>({ ...headers })
    for (const [name, value] of entries) response.setHeader(name, value)
    return
  }
  // Pairs, or names and values in turn.
  const list: readonly unknown[] = Array.isArray(headers[0]) ? headers.flat() : headers
  for (let at = 0; at < list.length; at += 2) response.removeHeader(String(list[at]))
  for (let at = 0; at < list.length; at += 2) {
    const [name, value] = [String(list[at]), list[at + 1]]
    if (isAllowed(name, value)) response.appendHeader(name, value)
  }
}
