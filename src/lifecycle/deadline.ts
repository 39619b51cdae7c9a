/** The longest delay of Node's timers, in milliseconds. A longer one ends at once. */
export const longestDelay = 2_147_483_647

/** Whether a value is a valid timeout in milliseconds. 0: no limit. */
export function isDelay(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= longestDelay
}

/** The time in which one request has to be answered. */
export class Deadline {
  /** How many times it has passed. */
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
