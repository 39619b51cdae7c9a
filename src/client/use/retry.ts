import type { CallMiddleware, CallResponse } from '../middleware.ts'

/** The options of `retry`.
 *  @template Key the keys of the routes that the client may call */
export interface RetryOptions<Key extends string = string> {
  /** The most requests after the first one. @default 2 */
  readonly limit?: number | undefined
  /** The statuses that are asked again. @default [408, 429, 502, 503, 504] */
  readonly on?: readonly number[] | undefined
  /** Methods or routes that are asked again beside GET, HEAD, OPTIONS, PUT and DELETE, which are
   *  idempotent (RFC 9110, 9.2.2). A request that failed may have had its effect. @default [] */
  readonly also?: readonly ('POST' | 'PATCH' | Key)[] | undefined
  /** The milliseconds to wait if the answer does not say, by the number of the retry, from 1.
   *  @default up to 300, 600, 1200, …, at random from the half on */
  readonly wait?: ((retry: number) => number) | undefined
  /** The longest wait that an answer may ask for, in milliseconds. Above it there is no retry.
   *  @default 30,000 */
  readonly longest?: number | undefined
}

const idempotent = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']

const atRandom = (retry: number): number => 150 * 2 ** (retry - 1) * (1 + Math.random())

/** Middleware that asks again after an answer of some statuses, and after an error of the network.
 *  It waits as long as the header `retry-after` says (RFC 9110, 10.2.3). A request whose body is a
 *  stream is made once. The last answer, or the last error, is that of the call.
 *  @example client<typeof app>(url, { use: [retry({ limit: 3, also: ['POST /orders'] })] }) */
export function retry<Key extends string = string>({
  limit = 2,
  on = [408, 429, 502, 503, 504],
  also = [],
  wait = atRandom,
  longest = 30_000,
}: RetryOptions<NoInfer<Key>> = {}): CallMiddleware<Key> {
  const again: readonly string[] = [...idempotent, ...also]
  return async (request, next) => {
    const may = !isStream(request.body) && [request.method, request.key].some(isIn(again))
    for (let made = 1; ; made++) {
      const mayMore = may && made <= limit && !request.signal?.aborted
      const answer = await next(request).catch((error: unknown) => {
        if (!mayMore || Reflect.get(Object(error), 'code') !== 'ESP_ERR_CLIENT_NETWORK') throw error
        return undefined
      })
      if (answer && (!mayMore || !on.includes(answer.statusCode))) return answer
      const time = (answer && askedTime(answer)) ?? wait(made)
      if (answer && time > longest) return answer
      // It may be long, and nobody reads it.
      answer
        ?.stream()
        .cancel()
        .catch(() => undefined)
      await pause(time, request.signal)
    }
  }
}

const isIn = (list: readonly string[]) => (name: string) => list.includes(name)

const isStream = (body: unknown): boolean =>
  body instanceof Object && ('getReader' in body || Symbol.asyncIterator in body)

/** The milliseconds of `retry-after`: seconds, or a date. Undefined if there are none. */
function askedTime({ headers }: CallResponse): number | undefined {
  const given = String(headers['retry-after'])
  const time = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given) - Date.now()
  return Number.isNaN(time) ? undefined : Math.max(time, 0)
}

/** Waits, until the signal is aborted. The next request then fails with its reason. */
function pause(time: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, time)
    signal?.addEventListener('abort', end)
  })
}
