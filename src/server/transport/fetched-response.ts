import { type OutgoingHttpHeaders, validateHeaderName, validateHeaderValue } from 'node:http'
import { Writable } from 'node:stream'
import { errorCodes } from '../../errors/codes.ts'
import { connectionHeaders, createHeaders, type HeaderValue } from '../../http/headers.ts'
import { phraseOf } from '../../http/status.ts'
import type { FetchedRequest, FetchedSocket } from './fetched-request.ts'

type Done = (error?: Error | null) => void
type Controller = ReadableStreamDefaultController<Uint8Array>
type Chunk = string | Uint8Array
type GivenHeaders = Readonly<Record<string, HeaderValue | undefined>> | readonly HeaderValue[]

/** What a response needs of where it was made. */
interface Surroundings {
  /** Tells what a `Response` cannot carry. */
  warn(error: Error): void
  /** Waits for what goes on behind the response. */
  waitUntil(work: Promise<unknown>): void
  /** Called when the response has left, or is cut. */
  readonly closed: () => void
}

/** A response of Node that becomes a `Response` of the Fetch standard: with its first bytes, or
 *  with its whole body, if that is written at once. It has the members of a `ServerResponse` that
 *  hold without a connection. Its body waits until the caller reads. */
export class FetchedResponse extends Writable {
  statusCode = 200
  statusMessage = ''
  sendDate = false
  readonly req: FetchedRequest
  readonly socket: FetchedSocket
  readonly #around: Surroundings
  readonly #headers: Record<string, HeaderValue> = createHeaders()
  #hasHead = false
  #isAnswered = false
  /** Settles the promise of the `Response`, once. It would keep the body. */
  #settle: { answer(response: Response): void; refuse(error: unknown): void } | undefined
  #body: WeakRef<Controller> | undefined
  /** The same, while the caller waits for more of the body. */
  #reader: Controller | undefined
  /** What waits for the caller. */
  #waiting: { readonly chunk: Uint8Array; readonly done: Done } | undefined
  /** The `Response`, if its body was written at once. It is given when the listeners of its end
   *  have been called, as over HTTP. */
  #whole: Response | undefined
  #whyLeft: unknown

  constructor(request: FetchedRequest, around: Surroundings) {
    super()
    this.req = request
    this.socket = request.socket
    this.#around = around
    // What writes behind the end must not end the process.
    this.on('error', ignore)
  }

  /** Resolves once with the `Response`. @throws (the promise rejects) the error or the reason that
   *  ends it before */
  toResponse(): Promise<Response> {
    return new Promise((answer, refuse) => {
      this.#settle = { answer, refuse }
    })
  }

  get connection(): FetchedSocket {
    return this.socket
  }

  get headersSent(): boolean {
    return this.#hasHead
  }

  get finished(): boolean {
    return this.writableEnded
  }

  waitUntil(work: Promise<unknown>): void {
    this.#around.waitUntil(work)
  }

  /** Ends the response, since the caller does not want it any more. */
  leave(reason: unknown): void {
    this.#whyLeft = reason
    this.destroy()
  }

  setHeader(name: string, value: HeaderValue): this {
    this.#assertOpen('set')
    validateHeaderName(name)
    if (typeof value === 'object') for (const each of value) validateHeaderValue(name, each)
    else validateHeaderValue(name, String(value))
    this.#headers[name.toLowerCase()] = value
    return this
  }

  appendHeader(name: string, value: string | readonly string[]): this {
    const present = this.getHeader(name)
    return this.setHeader(name, present === undefined ? value : [present, value].flat().map(String))
  }

  setHeaders(headers: Headers | ReadonlyMap<string, HeaderValue>): this {
    for (const [name, value] of headers) this.setHeader(name, value)
    return this
  }

  getHeader(name: string): HeaderValue | undefined {
    return this.#headers[name.toLowerCase()]
  }

  getHeaders(): OutgoingHttpHeaders {
    return Object.assign(createHeaders(), this.#headers) as OutgoingHttpHeaders
  }

  getHeaderNames(): string[] {
    return Object.keys(this.#headers)
  }

  getRawHeaderNames(): string[] {
    return this.getHeaderNames()
  }

  hasHeader(name: string): boolean {
    return this.getHeader(name) !== undefined
  }

  removeHeader(name: string): void {
    this.#assertOpen('remove')
    Reflect.deleteProperty(this.#headers, name.toLowerCase())
  }

  /** @param rest a reason phrase or none, and headers: an object, or a list of names and values */
  writeHead(status: number, ...rest: readonly [(string | GivenHeaders)?, GivenHeaders?]): this {
    this.#assertOpen('write')
    const phrase = typeof rest[0] === 'string' ? rest[0] : this.statusMessage
    const headers = typeof rest[0] === 'string' ? rest[1] : rest[0]
    if (phrase !== '') validateHeaderValue('statusMessage', phrase)
    if (Array.isArray(headers)) this.#replace(headers as readonly HeaderValue[])
    else for (const [name, value = ''] of Object.entries(headers ?? {})) this.setHeader(name, value)
    this.statusCode = status
    this.statusMessage = phrase || phraseOf(status)
    this.#hasHead = true
    return this
  }

  flushHeaders(): void {
    if (!this.#hasHead) this.writeHead(this.statusCode)
    if (!this.#isAnswered) this.#answer(this.#open())
  }

  /** A `Response` has no trailers. */
  addTrailers(trailers: object): void {
    const names = Object.keys(trailers).join(', ')
    const { method, url } = this.req
    if (names !== '') this.#around.warn(new errorCodes.ESP_ERR_FETCH_TRAILERS(method, url, names))
  }

  /** A `Response` has no informational responses before it, which a client need not get. */
  writeEarlyHints(_hints: object, callback?: () => void): void {
    callback?.()
  }

  writeContinue(callback?: () => void): void {
    callback?.()
  }

  writeProcessing(callback?: () => void): void {
    callback?.()
  }

  setTimeout(): this {
    return this
  }

  override write(chunk: unknown, ...rest: readonly [(BufferEncoding | Done)?, Done?]): boolean {
    if (!this.destroyed && !this.writableEnded) this.flushHeaders()
    // cast: the overloads of Node, with all arguments passed on
    return (super.write as (...all: unknown[]) => boolean)(chunk, ...rest)
  }

  override end(...args: readonly [(Chunk | Done | null)?, (BufferEncoding | Done)?, Done?]): this {
    const [chunk, encoding] = args
    const done = args.find((each) => typeof each === 'function')
    const body = typeof chunk === 'function' || chunk === null ? undefined : chunk
    if (!this.#isAnswered && !this.destroyed && !this.writableEnded) {
      if (!this.#hasHead) this.writeHead(this.statusCode)
      const isText = typeof body === 'string' && typeof encoding === 'string'
      this.#answer(isText ? Buffer.from(body, encoding) : body)
    } else if (body !== undefined) {
      this.write(body, typeof encoding === 'string' ? encoding : undefined)
    }
    return done === undefined ? super.end() : super.end(done)
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: Done): void {
    if (this.#body === undefined) {
      done()
      return
    }
    this.#waiting = { chunk, done }
    this.#flow()
  }

  override _final(done: Done): void {
    this.#body?.deref()?.close()
    done()
  }

  override _destroy(error: Error | null, done: Done): void {
    if (!this.writableFinished) {
      const { method, url } = this.req
      const cut = error ?? this.#whyLeft ?? new errorCodes.ESP_ERR_FETCH_CUT(method, url)
      this.#settle?.refuse(cut)
      this.#body?.deref()?.error(cut)
    } else if (this.#whole !== undefined) this.#give(this.#whole)
    done(error)
    // Behind the event 'close', at which streams of the reply are left.
    process.nextTick(this.#around.closed)
  }

  #assertOpen(what: string): void {
    if (!this.#hasHead) return
    const error = new Error(`Cannot ${what} headers after they are sent to the client`)
    throw Object.assign(error, { code: 'ERR_HTTP_HEADERS_SENT' })
  }

  /** Sets the headers of a list, in which a name may come more than once. */
  #replace(list: readonly HeaderValue[]): void {
    const seen = new Set<string>()
    for (let at = 0; at < list.length; at += 2) {
      const name = String(list[at]).toLowerCase()
      const value = list[at + 1] ?? ''
      if (seen.has(name)) this.appendHeader(name, [value].flat().map(String))
      else this.setHeader(name, value)
      seen.add(name)
    }
  }

  /** The stream of a body that is written in pieces. Undefined where there is no content. */
  #open(): ReadableStream<Uint8Array> | undefined {
    if (this.#isSilent) return undefined
    const start = (controller: Controller): void => {
      this.#body = new WeakRef(controller)
    }
    const pull = (controller: Controller): void => {
      this.#reader = controller
      this.#flow()
    }
    const cancel = (reason: unknown): void => {
      this.#body = undefined
      this.leave(reason)
    }
    const stream = new ReadableStream({ start, pull, cancel }, { highWaterMark: 0 })
    dropped.register(stream, this)
    return stream
  }

  /** Gives the caller the next chunk, when both are there. */
  #flow(): void {
    if (this.#reader === undefined || this.#waiting === undefined) return
    const { chunk, done } = this.#waiting
    const reader = this.#reader
    this.#reader = this.#waiting = undefined
    reader.enqueue(chunk)
    done()
  }

  /** Whether there is no content, whatever is written (RFC 9110, 6.4.1). */
  get #isSilent(): boolean {
    const { statusCode: status, req } = this
    return req.method === 'HEAD' || status === 204 || status === 205 || status === 304
  }

  #answer(body: Chunk | ReadableStream<Uint8Array> | undefined): void {
    this.#isAnswered = true
    const { statusCode: status, statusMessage: statusText } = this
    const headers: [string, string][] = []
    for (const name in this.#headers) {
      const value = this.#headers[name]
      if (connectionHeaders.has(name) || (name === 'content-length' && !this.#mayHave(value)))
        continue
      if (typeof value === 'object') for (const each of value) headers.push([name, each])
      else headers.push([name, String(value)])
    }
    // `Response` gives text a content type, unless it has one.
    const isUntyped = typeof body === 'string' && !this.hasHeader('content-type')
    const content = this.#isSilent ? null : isUntyped ? Buffer.from(body) : (body ?? null)
    const init = { status, statusText, headers }
    // cast: the types of Node say nothing of a buffer here
    const response = new Response(content as string | null, init)
    if (this.#body === undefined) this.#whole = response
    else this.#give(response)
  }

  /** Whether a length may be sent: a client would wait for content that a status cannot have. */
  #mayHave(length: unknown): boolean {
    return !this.#isSilent || this.req.method === 'HEAD' || String(length) === '0'
  }

  #give(response: Response): void {
    this.#settle?.answer(response)
    this.#settle = undefined
  }
}

function ignore(): void {}

/** Ends the responses whose body was dropped before it was read to its end. This is why a response
 *  holds its body only while somebody waits for more of it. */
const dropped = new FinalizationRegistry<FetchedResponse>((response) => {
  response.leave(undefined)
})
