import type {
  ClientSocketClosed,
  MessageCheck,
  RawClientSocket,
  ReconnectOptions,
  SocketCallOptions,
} from './types.ts'

/** What a socket needs of its call. */
export interface Opening extends Omit<SocketCallOptions, 'raw'> {
  readonly raw: true | 'send' | 'receive' | undefined
  readonly connect: () => Promise<RawClientSocket>
  readonly refuse: (problem: string, kind: 'SOCKET' | 'JSON' | 'SIZE', cause?: unknown) => Error
  readonly abort: (reason: unknown) => Error
}

/** The codes after which a socket is not opened again: the client wanted it, or is wrong. */
const isFinal = (code: number): boolean =>
  code >= 4000 || [1000, 1002, 1003, 1005, 1007, 1008, 1009].includes(code)

const atRandom = (attempt: number): number =>
  Math.min(500 * 2 ** (attempt - 1), 15_000) * (1 + Math.random())

/** A WebSocket of a client, which may be opened again. */
export class Room {
  readonly closed: Promise<ClientSocketClosed>
  readonly #opening: Opening
  /** The messages that nobody has read yet. */
  readonly #waiting: unknown[] = []
  /** Wake the readers. */
  readonly #readers: (() => void)[] = []
  /** Is aborted when the client leaves. */
  readonly #left = new AbortController()
  #raw: RawClientSocket | undefined
  #isEnded = false
  /** Ends the loop of a reader. */
  #error: Error | undefined
  #resolve: (closed: ClientSocketClosed) => void = () => undefined

  constructor(opening: Opening) {
    const { signal } = opening
    this.#opening = opening
    this.closed = new Promise((resolve) => (this.#resolve = resolve))
    const abort = (): void => {
      this.#waiting.length = 0
      this.#fail(opening.abort(signal?.reason))
    }
    signal?.addEventListener('abort', abort)
    void this.closed.then(() => signal?.removeEventListener('abort', abort))
    if (signal?.aborted) abort()
  }

  send(message: unknown): boolean {
    if (this.#raw?.readyState !== 1) return false
    const { raw } = this.#opening
    const isRaw = raw === true || raw === 'send'
    // cast: the types of the call say so
    this.#raw.send(isRaw ? (message as string) : JSON.stringify(message))
    return true
  }

  close(code = 1000, reason?: string): void {
    this.#raw?.close(code, reason)
    this.#left.abort()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void> {
    for (;;) {
      while (this.#waiting.length > 0) yield await this.#read(this.#waiting.shift())
      if (this.#error) throw this.#error
      if (this.#isEnded) return
      await new Promise<void>((resolve) => this.#readers.push(resolve))
    }
  }

  /** Opens the socket. It listens before anything can come.
   *  @throws ESP_ERR_CLIENT_SOCKET, ESP_ERR_CLIENT_ABORTED */
  async open(): Promise<void> {
    const { connect, refuse } = this.#opening
    const raw = this.#error ? undefined : await connect()
    if (this.#error || raw === undefined) throw this.#error
    this.#raw = raw
    let isOpen = false
    let why = ''
    // cast: each class has types of its own for its events
    const target = raw as { addEventListener(type: string, listener: (event: never) => void): void }
    const on: typeof target.addEventListener = (type, listener) =>
      target.addEventListener(type, listener)
    await new Promise<void>((resolve, reject) => {
      on('open', () => {
        isOpen = true
        resolve()
      })
      on('message', ({ data }: { readonly data: unknown }) => {
        this.#take(data)
      })
      // A close follows. The package `ws` says the status, browsers say nothing.
      on('error', ({ message }: { readonly message?: string }) => {
        why = message ? `: ${message}` : ''
      })
      on('close', (closed: ClientSocketClosed) => {
        if (isOpen) void this.#lose(closed)
        else reject(this.#error ?? refuse(`was not upgraded${why}. ${remedy}`, 'SOCKET'))
      })
    })
  }

  #take(data: unknown): void {
    const { buffer = 1000, refuse } = this.#opening
    if (this.#left.signal.aborted) return
    if (this.#waiting.length < buffer) this.#waiting.push(data)
    else this.#fail(refuse(`has more than ${buffer} messages that nobody reads`, 'SIZE'))
    this.#wake()
  }

  async #read(data: unknown): Promise<unknown> {
    const { raw, check, refuse } = this.#opening
    if (raw === true || raw === 'receive') return data
    try {
      const message: unknown = JSON.parse(String(data))
      const problem = check && (await problemOf(message, check))
      if (problem) throw new TypeError(problem)
      return message
    } catch (error) {
      const { message } = error as Error // cast: of JSON.parse, or the one above
      const refusal = refuse(`gave a message that does not fit: ${message}`, 'JSON', error)
      this.#fail(refusal)
      throw refusal
    }
  }

  /** Closes the socket. The reader gets the error behind the messages that wait. */
  #fail(error: Error): void {
    this.#error ??= error
    this.close()
    this.#wake()
  }

  #wake(): void {
    for (const wake of this.#readers.splice(0)) wake()
  }

  async #lose({ code, reason }: ClientSocketClosed): Promise<void> {
    const { reconnect, refuse } = this.#opening
    if (reconnect && !isFinal(code) && (await this.#openAgain(reconnect))) return
    const isMeant = code === 1000 || code === 1005 || this.#left.signal.aborted
    if (!isMeant)
      this.#error ??= refuse(`was closed with ${code}${reason && `: ${reason}`}`, 'SOCKET')
    this.#isEnded = true
    this.#resolve({ code, reason })
    this.#wake()
  }

  /** @returns whether the socket is open again */
  async #openAgain({ limit = 5, wait = atRandom, onOpen }: ReconnectOptions): Promise<boolean> {
    const { signal } = this.#left
    const isLeft = () => signal.aborted
    for (let attempt = 1; attempt <= limit; attempt++) {
      await pause(wait(attempt), signal)
      if (isLeft()) return false
      const isOpen = await this.open().then(
        () => true,
        () => false,
      )
      if (!isOpen) continue
      // It was left while it was opened.
      if (isLeft()) this.close()
      else onOpen?.()
      return true
    }
    return false
  }
}

const remedy = 'A call of the same route by a client says what the server answers'

/** Waits, until the signal is aborted. */
function pause(time: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, time)
    const end = (): void => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
}

/** What is wrong with a message; undefined if it fits. */
async function problemOf(message: unknown, check: MessageCheck): Promise<string | undefined> {
  if (typeof check === 'function') return check(message) ? undefined : 'the check refused it'
  const { issues } = await check['~standard'].validate(message)
  return issues?.map((issue) => issue.message).join('; ')
}
