import { EventEmitter } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { errorCodes } from '../../errors/codes.ts'

/** The parts of a `Request` of the Fetch standard that are read. */
export type FetchRequest = Pick<Request, 'method' | 'url' | 'headers' | 'body'>

/** A `Request` of the Fetch standard as a request of Node: a stream of the body, with the members
 *  of an `IncomingMessage` that hold without a connection. */
export class FetchedRequest extends Readable {
  readonly httpVersion = '1.1'
  readonly httpVersionMajor = 1
  readonly httpVersionMinor = 1
  readonly headers: IncomingHttpHeaders = {}
  readonly rawHeaders: string[] = []
  readonly trailers: object = {}
  readonly rawTrailers: readonly string[] = []
  readonly method: string
  url: string
  aborted = false
  /** Whether the body has been read to its end. */
  complete: boolean
  readonly socket: FetchedSocket
  readonly #body: ReadableStream<Uint8Array> | null
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined

  /** @param ip the address of the client, if it is known */
  constructor({ method, url, headers, body }: FetchRequest, ip: string) {
    super()
    const host = url.indexOf('//') + 2
    const path = url.indexOf('/', host)
    const end = url.indexOf('#', host)
    this.method = method
    this.url = url.slice(path, end < 0 ? undefined : end)
    this.complete = body === null
    this.socket = new FetchedSocket(ip, url.startsWith('https:'))
    this.#body = body
    for (const [name, value] of headers) this.#add(name, value)
    if (this.headers.host === undefined) this.#add('host', url.slice(host, path))
    const hasLength = this.headers['content-length'] !== undefined
    // As HTTP/1.1 frames a body of unknown length: whether there is one is read in the headers.
    if (body !== null && !hasLength && this.headers['transfer-encoding'] === undefined)
      this.#add('transfer-encoding', 'chunked')
  }

  get connection(): FetchedSocket {
    return this.socket
  }

  setTimeout(): this {
    return this
  }

  /** Ends the body as Node does when the client leaves. */
  abort(): void {
    if (this.complete || this.destroyed) return
    this.aborted = true
    this.emit('aborted')
    this.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))
  }

  override _read(): void {
    if (this.#body === null) {
      this.push(null)
      return
    }
    try {
      this.#reader ??= this.#body.getReader()
    } catch (error) {
      // Somebody else reads it.
      this.destroy(error as Error)
      return
    }
    this.#reader.read().then(
      ({ done, value }) => {
        this.complete = done
        this.push(done ? null : value)
      },
      (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
    )
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.complete) {
      const cancelled = this.#reader?.cancel(error) ?? cancelUnread(this.#body)
      cancelled?.catch(() => undefined)
    }
    // As in Node, an error is emitted where somebody listens: it must not end the process.
    done(this.listenerCount('error') > 0 ? error : null)
  }

  #add(name: string, value: string): void {
    this.rawHeaders.push(name, value)
    // Node has a list of these only.
    if (name === 'set-cookie') (this.headers[name] ??= []).push(value)
    else this.headers[name] = value
  }
}

function cancelUnread(body: ReadableStream | null): Promise<void> | undefined {
  return body === null || body.locked ? undefined : body.cancel()
}

/** What stands for the socket of a request that came through `fetch`. */
export class FetchedSocket extends EventEmitter {
  readonly remoteAddress: string
  declare readonly encrypted?: true
  readonly writable = true
  destroyed = false

  constructor(ip: string, isSecure: boolean) {
    super()
    this.remoteAddress = ip
    // Plugins ask whether the member is there, so a plain connection has none.
    if (isSecure) Object.assign(this, { encrypted: true })
  }

  destroy(): this {
    this.destroyed = true
    return this
  }

  destroySoon(): void {
    this.destroy()
  }

  setTimeout(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  setNoDelay(): this {
    return this
  }

  cork(): void {}

  uncork(): void {}

  write(): never {
    throw new errorCodes.ESP_ERR_FETCH_SOCKET('write')
  }

  end(): never {
    throw new errorCodes.ESP_ERR_FETCH_SOCKET('end')
  }

  pipe(): never {
    throw new errorCodes.ESP_ERR_FETCH_SOCKET('pipe')
  }
}
