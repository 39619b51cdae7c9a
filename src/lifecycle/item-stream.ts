import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { errorCodes } from '../errors/codes.ts'
import { iteratorOf, type AnyIterable, type AnyIterator } from '../http/payload-kind.ts'
import { isThenable } from '../types/promises.ts'

/** What an item stream needs of its route and its request. */
export interface ItemStreamOptions {
  /** What is written for an item. @throws for an item that cannot be written */
  readonly write: (item: unknown) => string | Uint8Array
  /** The open streams of the server. */
  readonly streams: ItemStreams
  /** The stream is destroyed when its response is closed, whatever hooks have made of it. */
  readonly response: ServerResponse
  /** Whether it is an event stream, which has comments, and no end of its own. */
  readonly isEvents: boolean
  /** The name of the route in error messages. */
  readonly route: string
  /** Aborts `request.signal`. */
  readonly abort: () => void
  /** Logs an error, and cuts the connection. */
  readonly cut: (error: unknown) => void
  /** Logs an error of an iterable that was left. */
  readonly report: (error: unknown) => void
}

/** A comment, which clients skip (WHATWG HTML, 9.2.7). */
const heartbeat = ':\n\n'

/** How long the head of the response waits for the first item, in milliseconds. An error that comes
 *  before is answered as any error. */
const patience = 100

/** Reads an iterable as a stream, one item at a time: the next item is asked for when the one
 *  before was taken. A stream that is destroyed calls `return` of its iterator. */
export class ItemStream extends Readable {
  readonly #iterator: AnyIterator
  readonly #options: ItemStreamOptions
  #silence: NodeJS.Timeout | undefined
  #deadline: NodeJS.Timeout | undefined
  #isOpen = false
  #isBegun = false
  #isReading = false
  #isOver = false

  /** @throws what the iterable throws when it is asked for its iterator */
  constructor(iterable: AnyIterable, options: ItemStreamOptions) {
    super({ objectMode: true, highWaterMark: 1 })
    this.#iterator = iteratorOf(iterable)
    this.#options = options
    options.response.once('close', this.#forget)
  }

  /** The server closes. An event stream ends before its next item. Another stream would look whole
   *  then, so it may end by itself. Either is cut if its client does not have it in time.
   *  @param gracePeriod in milliseconds; 0 for no limit */
  close(gracePeriod: number): void {
    const { abort, cut, isEvents, route } = this.#options
    if (isEvents) {
      abort()
      this.#leave(this.#iterator)
      this.push(null)
    }
    if (gracePeriod === 0) return
    this.#deadline = setTimeout(() => {
      abort()
      cut(new errorCodes.ESP_ERR_REP_STREAM_CUT(route, gracePeriod))
    }, gracePeriod).unref()
  }

  override _read(): void {
    if (!this.#isBegun) this.#begin()
    if (!this.#isReading && !this.#isOver) void this.#pull()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#leave(this.#iterator)
    done(error)
  }

  readonly #forget = (): void => {
    clearTimeout(this.#deadline)
    this.#options.streams.delete(this)
    this.destroy()
  }

  #begin(): void {
    this.#isBegun = true
    // It was closed before this stream was made, and will not emit `close`.
    if (this.#options.response.destroyed) {
      this.destroy()
      return
    }
    this.#silence = setTimeout(this.#beat, patience).unref()
    this.#options.streams.add(this)
  }

  /** Pushes items until one is left in the buffer. Between a full buffer and the end of this
   *  function nothing may be awaited, or a call of `_read` would be lost. */
  async #pull(): Promise<void> {
    this.#isReading = true
    try {
      for (let isTaken = true; isTaken && !this.#isOver;) {
        const next = this.#iterator.next()
        const { done, value } = isThenable(next) ? await next : next
        // As `for await` does with the promises of an iterator that is not async.
        isTaken = this.#take(isThenable(value) ? await value : value, done === true)
      }
    } catch (error) {
      // Behind the end it is an error of an iterator that was told to stop.
      if (this.#isOver) this.#options.report(error)
      else this.destroy(error as Error)
    } finally {
      this.#isReading = false
    }
  }

  /** @returns whether the next item is wanted */
  #take(item: unknown, isLast: boolean): boolean {
    // The client may have left meanwhile.
    if (this.#isOver) return false
    this.#rest()
    if (!isLast) return this.push(this.#options.write(item))
    this.#leave()
    return this.push(null)
  }

  /** Writes nothing, so that the head leaves, and then comments. */
  readonly #beat = (): void => {
    const text = this.#isOpen ? heartbeat : ''
    // What is pushed may fail, and end the stream with its timer.
    this.#rest()
    if (this.readableLength === 0) this.push(text)
  }

  /** Waits for the next item, or for the time of a comment. */
  #rest(): void {
    if (this.#isOpen) {
      this.#silence?.refresh()
      return
    }
    this.#isOpen = true
    clearTimeout(this.#silence)
    const { isEvents, streams } = this.#options
    const { heartbeatInterval } = streams.times
    const isBeating = isEvents && heartbeatInterval > 0
    this.#silence = isBeating ? setTimeout(this.#beat, heartbeatInterval).unref() : undefined
  }

  /** @param iterator the iterator, unless it has ended by itself */
  #leave(iterator?: AnyIterator): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#silence)
    this.#silence = undefined
    const { report } = this.#options
    try {
      const left = iterator?.return?.()
      if (isThenable(left)) left.then(undefined, report)
    } catch (error) {
      report(error)
    }
  }
}

/** Times of the streams of a server, in milliseconds. */
export interface StreamTimes {
  /** The silence after which a comment is written into an event stream; 0 for none. */
  readonly heartbeatInterval: number
  /** How long `close` waits until clients have the end of their streams; 0 for no limit. */
  readonly streamGracePeriod: number
}

/** The streams of items that a server writes. */
export class ItemStreams {
  readonly times: StreamTimes
  readonly #open = new Set<ItemStream>()
  #isClosed = false

  constructor(times: StreamTimes) {
    this.times = times
  }

  add(stream: ItemStream): void {
    this.#open.add(stream)
    if (this.#isClosed) stream.close(this.times.streamGracePeriod)
  }

  delete(stream: ItemStream): void {
    this.#open.delete(stream)
  }

  /** Closes all streams, and each that begins later. */
  close(): void {
    this.#isClosed = true
    for (const stream of this.#open) stream.close(this.times.streamGracePeriod)
  }
}
