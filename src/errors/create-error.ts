import { format } from 'node:util'
import { EspalierError } from './espalier-error.ts'

/** One class of coded error: its arguments fill the template, one more becomes the `cause`. */
export interface ErrorClass {
  new (...details: unknown[]): EspalierError
  readonly prototype: EspalierError
  readonly code: string
}

/** Makes the class of one coded error.
 *  @param template a `node:util` format string, one `%s` for each detail */
export function createError(code: string, template: string, statusCode: number): ErrorClass {
  const details = template.split('%s').length - 1
  const CodedError = class extends EspalierError {
    static readonly code = code
    constructor(...given: unknown[]) {
      super(code, format(template, ...given.slice(0, details)), statusCode, given[details])
    }
  }
  return Object.defineProperty(CodedError, 'name', { value: code })
}
