import { validateHeaderValue } from 'node:http'
import { format } from 'node:util'
import { isThenable } from '../types/promises.ts'
import type { TrailedPayload } from '../typed/reply.ts'
import { frameInChunks, knowsChunks } from './chunks.ts'
import type { Exchange } from './exchange.ts'
import { report } from './hooks.ts'
import type { Trailers } from './trailers.ts'

/** Prepares a reply with a body for its trailers. They come after the last chunk, so the body is
 *  sent in chunks. A header lists their names (RFC 9110, 6.6.2).
 *  @returns whether the reply has trailers */
export function announceTrailers(exchange: Exchange): boolean {
  const { route, request, trailers, headers = {} } = exchange
  if (trailers === undefined) return false
  if (!knowsChunks(request.raw)) {
    exchange.trailers = undefined
    return false
  }
  delete headers['content-length']
  frameInChunks(exchange, headers)
  headers['trailer'] = Object.keys(trailers).join(route.dialect.reply.trailerSeparator)
  return true
}

/** Ends a response after its body, with its trailers. A trailer that fails is left out, since the
 *  body was sent. */
export function endWithTrailers(exchange: Exchange, payload: TrailedPayload): void {
  const { trailers, response } = exchange
  if (trailers === undefined) {
    response.end()
    return
  }
  const values: Record<string, string> = {}
  const make = async ([name, trailer]: [string, Trailers[string]]): Promise<void> => {
    try {
      const value = await trailerValue(exchange, trailer, payload)
      if (value === undefined || value === null) return
      const text = format('%s', value)
      validateHeaderValue(name, text)
      values[name] = text
    } catch (error) {
      report(exchange, error)
    }
  }
  void Promise.all(Object.entries(trailers).map(make)).then(() => {
    response.addTrailers(values)
    response.end()
  })
}

/** A function that takes `done` calls back; any other returns its value. */
function trailerValue(
  { route, reply }: Exchange,
  trailer: Trailers[string],
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
      const { errors, reply: rules } = route.dialect
      if (rules.deprecatesSyncTrailers) errors.deprecate('ESP_DEP_TRAILER')
      resolve(returned)
    }
  })
}
