/** An error of the framework, with a stable code and the HTTP status of its response. */
export class EspalierError extends Error {
  override readonly name: string = 'EspalierError'
  readonly code: string
  statusCode: number

  constructor(code: string, message: string, statusCode: number, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.statusCode = statusCode
  }

  override toString(): string {
    return `${this.name} [${this.code}]: ${this.message}`
  }
}
