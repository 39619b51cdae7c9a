/** A mistake of whoever calls a command, or an application that does not load: it ends with 2. */
export class UsageError extends Error {
  /** What to do about it. */
  readonly remedy: string

  constructor(message: string, remedy: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'UsageError'
    this.remedy = remedy
  }
}
