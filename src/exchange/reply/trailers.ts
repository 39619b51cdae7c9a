import { validateHeaderName, validateHeaderValue } from 'node:http'
import { format } from 'node:util'
import { errorCodes } from '../../errors/codes.ts'
import { describe, isThenable } from '../../schema/values.ts'
import { stateOf, type ReplyCore, type Trailers } from './state.ts'

/** What was written as a body; null for a stream, which nobody keeps. */
export type TrailedPayload = string | Uint8Array | null

/** Makes the value of a trailer: it returns it, or a promise of it, or calls back. */
export type TrailerFunction<Self> = (
  reply: Self,
  payload: TrailedPayload,
  done: (error?: Error | null, value?: string) => void,
) => string | Promise<string | undefined> | void

/** What says how a message is framed, routed or allowed may not come behind it (RFC 9110, 6.5.1). */
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

/** Ends a response whose body is written with the trailers of its reply. Those that fail are left out:
 *  the body has left. @param report told of each failure */
export function endWithTrailers(
  reply: ReplyCore<unknown>,
  trailers: Trailers,
  payload: TrailedPayload,
  report: (error: unknown) => void,
): void {
  const values: Record<string, string> = {}
  const make = async ([name, trailer]: [string, Trailers[string]]): Promise<void> => {
    try {
      const value = await valueOf(trailer, reply, payload)
      if (value === undefined || value === null) return
      const text = format('%s', value)
      validateHeaderValue(name, text)
      values[name] = text
    } catch (error) {
      report(error)
    }
  }
  const { raw } = reply
  void Promise.all(Object.entries(trailers).map(make)).then(() => {
    raw.addTrailers(values)
    raw.end()
  })
}

/** A function that takes `done` calls back; any other returns its value. */
function valueOf(
  trailer: Trailers[string],
  reply: ReplyCore<unknown>,
  payload: TrailedPayload,
): unknown {
  const call = trailer as (...args: unknown[]) => unknown
  return new Promise((resolve, reject) => {
    const returned = call(reply, payload, (error?: unknown, value?: unknown) => {
      if (error === undefined || error === null) resolve(value)
      else reject(error)
    })
    if (isThenable(returned)) returned.then(resolve, reject)
    else if (returned !== undefined || trailer.length < 3) {
      const { errors, reply: rules } = stateOf(reply).route.dialect
      if (rules.deprecatesSyncTrailers) errors.deprecate('ESP_DEP_TRAILER')
      resolve(returned)
    }
  })
}
