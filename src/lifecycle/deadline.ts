/** The most milliseconds that a timer of Node takes: one of more ends at once. */
export const longestDelay = 2_147_483_647

/** Whether a value is a time that may be waited, in milliseconds; 0 for no limit. */
export function isDelay(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= longestDelay
}

/** The time that one request has to be answered. */
export class Deadline {
  /** How many times it has run out. */
  expired = 0
  /** Destroys the stream that is about to be sent. */
  abandon: (() => void) | undefined = undefined
  readonly #milliseconds: number
  readonly #expire: () => void
  #timer: NodeJS.Timeout | undefined = undefined

  constructor(milliseconds: number, expire: () => void) {
    this.#milliseconds = milliseconds
    this.#expire = expire
    this.start()
  }

  start(): void {
    this.#timer = setTimeout(this.#expire, this.#milliseconds)
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}
