import type { CallMiddleware } from '../middleware.ts'

/** Middleware that aborts a request after a time: the call rejects with ESP_ERR_CLIENT_ABORTED, and
 *  its `name` is `TimeoutError`. A body that is read before the call ends counts, a stream that is
 *  read later does not. In front of `retry` it limits all requests of a call and the waits between
 *  them, behind it each request.
 *  @param milliseconds up to 2,147,483,647
 *  @example client<typeof app>(url, { use: [timeLimit(10_000)] }) */
export function timeLimit(milliseconds: number): CallMiddleware {
  return async (request, next) => {
    const limit = new AbortController()
    const timer = setTimeout(() => {
      limit.abort(new DOMException(`took more than ${milliseconds} ms`, 'TimeoutError'))
    }, milliseconds)
    try {
      const signals = [request.signal, limit.signal].filter((signal) => signal !== undefined)
      return await next({ ...request, signal: AbortSignal.any(signals) })
    } finally {
      clearTimeout(timer)
    }
  }
}
