import {
  validateHeaderName,
  validateHeaderValue,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import { constants, Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { connectionHeaders } from '../../http/headers.ts'
import { isRead } from '../../lifecycle/unread-body.ts'

/** Has a request and a response of HTTP/2 behave as those of HTTP/1 do, so that all else need not
 *  know the version. Classes of the user's own stay as they are. */
export function adaptHttp2(request: IncomingMessage, response: ServerResponse): void {
  adaptRequest(request)
  adaptResponse(response)
}

function adaptRequest(request: object): void {
  if (Object.getPrototypeOf(request) === Http2ServerRequest.prototype)
    Object.setPrototypeOf(request, AdaptedRequest.prototype)
}

function adaptResponse(response: object): void {
  if (Object.getPrototypeOf(response) !== Http2ServerResponse.prototype) return
  Object.setPrototypeOf(response, AdaptedResponse.prototype)
  if (response instanceof AdaptedResponse) response.follow()
}

/** A request whose body is cut off fails, rather than come to its end. */
class AdaptedRequest extends Http2ServerRequest {
  declare isTold?: boolean

  override emit(name: string | symbol, ...args: unknown[]): boolean {
    // A stream that was destroyed says so itself, and Node says it again when the connection is gone.
    if (name === 'close') {
      if (this.isTold === true) return false
      this.isTold = true
    }
    const isHeard = super.emit(name, ...args)
    if (name === 'aborted' && !this.readableEnded) {
      this.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))
    }
    return isHeard
  }

  /** An error that nobody listens to does not end the process. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    done(this.listenerCount('error') > 0 ? error : null)
  }
}

class AdaptedResponse extends Http2ServerResponse {
  declare isTold?: boolean
  declare failure?: Error | undefined

  follow(): void {
    const { stream, req } = this
    // Node says it only when the stream is closed, whether the client has all of it or not.
    stream.once('finish', () => this.emit('finish'))
    if (stream.endAfterHeaders) return
    // The client is asked to send no more than what somebody reads (RFC 9113, 8.1).
    const leave = (): void => {
      if (stream.closed || !this.writableFinished || isRead(req)) return
      stream.close()
      // What has come already is dropped: Node keeps a stream until all of it was read.
      stream.removeAllListeners('data').resume()
    }
    // Trailers, even none, end a response that has a body. Node sends them a turn later.
    stream.once('wantTrailers', () => setImmediate(leave))
    this.once('finish', () => {
      if (!stream.closed && stream.state.localClose === 1) leave()
    })
  }

  override emit(name: string | symbol, ...args: unknown[]): boolean {
    if (name === 'finish') {
      if (this.isTold === true || !this.writableFinished) return false
      this.isTold = true
    }
    return super.emit(name, ...args)
  }

  /** Cuts a response that is not whole, so that its client does not take it for one that is. */
  override destroy(error?: Error): this {
    this.failure ??= error
    if (!this.writableFinished && !this.stream.closed)
      this.stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    return super.destroy(error)
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
      for (const each of rest) if (typeof each === 'object' && each !== null) take(this, each)
      return super.writeHead(statusCode)
    } catch (error) {
      // Headers that are refused are gone, so that an error can be answered.
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

/** Node's types have properties for these, which a class cannot override by accessors. */
Object.defineProperties(AdaptedResponse.prototype, {
  destroyed: accessor(({ stream }) => stream.destroyed),
  errored: accessor(({ failure }) => failure ?? null),
  writableFinished: accessor(isWhole),
  // HTTP/2 has none (RFC 9113, 8.3.2). Node warns of those that are set.
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

/** Whether all of a response has been handed over. For HEAD Node ends the stream before the response. */
function isWhole({ stream, writableEnded }: AdaptedResponse): boolean {
  return writableEnded && stream.headersSent && stream.writableFinished && !stream.aborted
}

/** Whether a header may be sent: HTTP/2 forbids those of a connection (RFC 9113, 8.2.2).
 *  @throws what Node throws over HTTP/1 of one that cannot be */
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

/** Takes headers as `writeHead` is given them: they replace those of the same names. */
function take(response: Http2ServerResponse, headers: object): void {
  const pairs = Array.isArray(headers) ? pairsOf(headers) : Object.entries<unknown>({ ...headers })
  for (const [name] of pairs) response.removeHeader(name)
  for (const [name, value] of pairs) if (isAllowed(name, value)) response.appendHeader(name, value)
}

/** The headers of a list: of pairs, or of names and values in turn. */
function pairsOf(list: readonly unknown[]): (readonly [name: string, value: unknown])[] {
  const names = list.filter((_each, at) => Array.isArray(list[0]) || at % 2 === 0)
  return names.map((name, at) =>
    Array.isArray(name) ? [String(name[0]), name[1]] : [String(name), list[2 * at + 1]],
  )
}
