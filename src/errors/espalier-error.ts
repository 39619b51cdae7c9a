import { once } from '../packages/once.ts'

/** An error of the framework, with a stable code and the HTTP status of its response. */
export interface EspalierError extends Error {
  readonly code: string
  /** The status of its response. An error of the boot has none. */
  statusCode?: number
}

interface EspalierErrorClass {
  new (code: string, message: string, statusCode: number, cause?: unknown): EspalierError
  readonly prototype: EspalierError
}

/** The class of all errors of the framework. */
export const EspalierError: EspalierErrorClass = once(
  'EspalierError',
  () =>
    class EspalierError extends Error {
      override readonly name: string = 'EspalierError'
      readonly code: string
      statusCode?: number

      constructor(code: string, message: string, statusCode: number, cause?: unknown) {
        super(message, cause === undefined ? undefined : { cause })
        this.code = code
        this.statusCode = statusCode
      }

      override toString(): string {
        return `${this.name} [${this.code}]: ${this.message}`
      }
    },
)
