import type { Frame, Messages, Refusal } from './messages.ts'
import type { RawSocket, SocketClosed, TypedSocket } from './typed-socket.ts'

/** Handles a message that does not fit. It returns whether the socket was closed. */
type RefuseMessage = (refusal: Refusal) => Promise<boolean>

/** How many messages may wait for being read before the client has to wait. */
const mostUnread = 16

/** How many milliseconds they wait for a loop. A paused socket does not see that its client leaves,
 *  and a handler may wait for that alone. */
const patience = 10_000

/** The socket that a handler is given. */
export class SocketChannel implements TypedSocket<unknown, unknown> {
  readonly raw: RawSocket
  readonly closed: Promise<SocketClosed>
  readonly #messages: Messages
  readonly #refuse: RefuseMessage
  readonly #unread: Frame[] = []
  /** The loops that wait for a message or the end. */
  #waiting: (() => void)[] = []
  #loops = 0
  #isClosed = false
  #isHandled = false

  constructor(raw: RawSocket, messages: Messages, refuse: RefuseMessage) {
    this.raw = raw
    this.#messages = messages
    this.#refuse = refuse
    raw.on('message', (data: Buffer, isBinary: boolean) => {
      this.#take({ data, isBinary })
    })
    this.closed = new Promise((resolve) => {
      raw.on('close', (code: number, reason: Buffer) => {
        this.#isClosed = true
        this.#wake()
        resolve({ code, reason: String(reason) })
      })
    })
  }

  send(message: unknown): Promise<void> {
    const data = this.#messages.write(message)
    return new Promise((resolve) => {
      this.raw.send(data, () => {
        resolve()
      })
    })
  }

  close(code = 1000, reason?: string): void {
    this.raw.close(code, reason)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void, undefined> {
    this.#loops += 1
    try {
      for (;;) {
        const frame = this.#unread.shift()
        if (frame === undefined) {
          if (this.#isClosed) return
          await new Promise<void>((resolve) => this.#waiting.push(resolve))
          continue
        }
        if (this.#unread.length < mostUnread) this.raw.resume()
        const message = await this.#messages.read(frame)
        if ('value' in message) yield message.value
        else if (await this.#refuse(message.refusal)) return
      }
    } finally {
      this.#loops -= 1
      this.#dropUnread()
    }
  }

  /** Nobody is expected to read: messages are dropped from now on, except while a loop runs. */
  end(): void {
    this.#isHandled = true
    this.#dropUnread()
  }

  #take(frame: Frame): void {
    if (this.#isHandled && this.#loops === 0) return
    this.#unread.push(frame)
    if (this.#unread.length >= mostUnread) this.raw.pause()
    if (this.#unread.length === mostUnread && this.#loops === 0) this.#waitForLoop()
    this.#wake()
  }

  #waitForLoop(): void {
    setTimeout(() => {
      if (this.#loops === 0) this.end()
    }, patience).unref()
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }

  #dropUnread(): void {
    if (!this.#isHandled || this.#loops > 0) return
    this.#unread.length = 0
    this.raw.resume()
  }
}
