import { validateHeaderName } from 'node:http'
import { errorCodes } from '../errors/codes.ts'
import { describe } from '../errors/describe.ts'

/** The functions that make trailers, by name in lower case. */
export type Trailers = Record<string, (...args: never[]) => unknown>

/** Fields that say how a message is framed, routed or authenticated may not be trailers (RFC
 *  9110, 6.5.1). */
const refused: ReadonlySet<string> = new Set([
  'authorization',
  'cache-control',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'host',
  'max-forwards',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
])

/** Checks a trailer. @throws ESP_ERR_BAD_TRAILER_NAME, ESP_ERR_BAD_TRAILER_VALUE, and
 *  Node's ERR_INVALID_HTTP_TOKEN */
export function readTrailer<Value>(name: string, value: Value): [name: string, value: Value] {
  const key = name.toLowerCase()
  validateHeaderName(key)
  if (refused.has(key)) throw new errorCodes.ESP_ERR_BAD_TRAILER_NAME(key)
  if (typeof value !== 'function') {
    throw new errorCodes.ESP_ERR_BAD_TRAILER_VALUE(key, describe(value))
  }
  return [key, value]
}
