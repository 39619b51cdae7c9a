import type { IncomingMessage } from 'node:http'
import type { InjectOptions } from 'light-my-request'

/** The headers of which Node keeps the first line (`message.headers` in its documentation). */
const single = new Set(
  `age authorization content-length content-type etag expires from host if-modified-since
  if-unmodified-since last-modified location max-forwards proxy-authorization referer retry-after
  server user-agent`.split(/\s+/),
)

/** Joins headers of several lines as Node does. light-my-request would join all by commas. */
export function joinHeaders(options: InjectOptions): InjectOptions {
  const entries = Object.entries(options.headers ?? {})
  if (!entries.some(([, value]) => Array.isArray(value))) return options
  const joined = entries.flatMap(([name, value]): [string, typeof value][] => {
    if (!Array.isArray(value)) return [[name, value]]
    if (value.length === 0) return []
    const key = name.toLowerCase()
    if (single.has(key)) return [[name, value[0]]]
    // `listCookies` splits at the line breaks.
    return [[name, value.join(key === 'set-cookie' ? '\n' : key === 'cookie' ? '; ' : ', ')]]
  })
  return { ...options, headers: Object.fromEntries(joined) }
}

/** Makes `set-cookie` of a request a list, as Node does, also of one line. */
export function listCookies({ headers, rawHeaders }: IncomingMessage): void {
  const given: unknown = headers['set-cookie']
  if (typeof given !== 'string') return
  const list = given.split('\n')
  headers['set-cookie'] = list
  const lines = list.flatMap((value) => ['set-cookie', value])
  rawHeaders.splice(rawHeaders.indexOf('set-cookie'), 2, ...lines)
}
