import { finished, type Readable } from 'node:stream'
import { errorCodes } from '../errors/codes.ts'
import { hasHead } from '../http/headers.ts'
import { destroyPayload } from '../http/payload-kind.ts'
import { describe } from '../errors/describe.ts'
import type { Exchange } from './exchange.ts'
import { cut, refusal } from './payload.ts'

/** How a stream writer reaches its reply. */
interface StreamPort {
  writeHead(): void
  /** Ends the response after its body. */
  end(): void
  /** Answers an error if nothing was written yet. */
  fail(error: unknown): void
}

/** Writes a stream as the body of a reply, as fast as the client reads. The head is written with
 *  the first bytes. A stream that fails before is answered as an error. If it fails later, the
 *  connection is cut, since nothing else tells the client. */
export class StreamWriter {
  readonly #exchange: Exchange
  readonly #stream: Readable
  readonly #port: StreamPort
  readonly #promised: number | undefined
  #written = 0
  #unwatch: (() => void) | undefined

  constructor(exchange: Exchange, stream: Readable, port: StreamPort) {
    this.#exchange = exchange
    this.#stream = stream
    this.#port = port
    const promised = exchange.reply.getHeader('content-length')
    this.#promised = promised === undefined ? undefined : Number(promised)
  }

  start(): void {
    const { response, deadline } = this.#exchange
    if (response.destroyed) {
      destroyPayload(this.#stream)
      return
    }
    response.on('drain', this.#resume).once('close', this.#abandon)
    if (deadline !== undefined) deadline.abandon = this.#abandon
    this.#unwatch = finished(this.#stream, { writable: false }, (error) => {
      this.#attempt(() => {
        if (error) throw error
        this.#end()
      })
    })
    this.#stream.on('data', this.#write)
  }

  readonly #write = (chunk: unknown): void => {
    this.#attempt(() => {
      assertChunk(this.#exchange, chunk)
      if (this.#promised !== undefined) this.#count(chunk, this.#promised)
      this.#begin()
      // Node sends the head with an empty chunk, and Bun does not.
      if (chunk.length === 0) this.#exchange.response.flushHeaders()
      else if (!this.#exchange.response.write(chunk)) this.#stream.pause()
    })
  }

  readonly #resume = (): void => {
    this.#stream.resume()
  }

  /** The client has left: the stream is destroyed. */
  readonly #abandon = (): void => {
    this.#stop()
    destroyPayload(this.#stream)
  }

  #begin(): void {
    if (!hasHead(this.#exchange.response)) this.#port.writeHead()
  }

  /** Counts the bytes of a stream whose length was promised. To count those of text costs as much
   *  as to write it. */
  #count(chunk: string | Uint8Array, promised: number): void {
    this.#written += Buffer.byteLength(chunk)
    this.#assertLength(this.#written > promised)
  }

  #end(): void {
    this.#assertLength(this.#written !== (this.#promised ?? this.#written))
    this.#begin()
    this.#stop()
    this.#port.end()
  }

  /** A body of another length than promised would shift the replies after it (RFC 9112, 6.3). */
  #assertLength(isWrong: boolean): void {
    if (!isWrong) return
    const details = [this.#exchange.route.name, this.#written, this.#promised]
    throw new errorCodes.ESP_ERR_REP_STREAM_LENGTH(...details)
  }

  #attempt(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    this.#stop()
    destroyPayload(this.#stream)
    if (hasHead(this.#exchange.response)) cut(this.#exchange, error)
    else this.#port.fail(error)
  }

  #stop(): void {
    this.#unwatch?.()
    this.#stream.off('data', this.#write)
    this.#exchange.response.off('drain', this.#resume).off('close', this.#abandon)
  }
}

/** Checks a chunk: a stream in object mode may give any value. */
function assertChunk(exchange: Exchange, chunk: unknown): asserts chunk is string | Uint8Array {
  if (typeof chunk === 'string' || chunk instanceof Uint8Array) return
  throw refusal(exchange, `its stream gave ${describe(chunk)}, not text or bytes`)
}
