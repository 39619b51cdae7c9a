import { EspalierError } from '../errors/espalier-error.ts'
import { type HeaderValues, parseBody, type RouteInput, toRouteCall } from '../http/route-call.ts'
import type { RouteResponse } from '../route/call-types.ts'
import type { Routed } from '../route/route-entry.ts'
import type { CallOptions, Client, ClientOptions } from './client-types.ts'

/** Makes a function that calls the routes of a server by their keys. What a route takes and gives
 *  comes from the type of the server alone: no code of it is loaded.
 *
 *  Its promises reject with ESP_ERR_CLIENT_ROUTE where a path parameter is missing, or is '.' or
 *  '..', where the URL of the call would not be below the base URL, or where the body is an object
 *  that its content type cannot have; and with the errors of `fetch` where there is no answer. An
 *  error status is an answer.
 *  @param baseUrl an origin with a path or without, or a path alone (`''`, `'/api'`). It has no
 *  query and no fragment
 *  @example
 *  const api = client<typeof app>('https://example.org')
 *  const response = await api('GET /users/:id', { params: { id: 1 } })
 *  if (response.statusCode === 200) response.json().name */
export function client<App extends Routed>(
  baseUrl: string | URL,
  options?: ClientOptions,
): Client<App>
export function client(baseUrl: string | URL, options: ClientOptions = {}): unknown {
  const base = String(baseUrl).replace(/\/+$/, '')
  const call: Call = async (key, input = {}, { signal } = {}) => {
    const refuse = refusalOf(key)
    const { method, target, headers, body, kind } = toRouteCall(key, input, refuse)
    if (!isBase(base) || !isPath(target))
      throw refuse(`is not below its base URL: ${target}. ${rule}`)
    const response = await (options.fetch ?? fetch)(base + target, {
      method,
      headers: await allHeaders(options.headers, headers, body),
      ...(body === undefined ? {} : { body: body as NonNullable<RequestInit['body']> }),
      ...(kind === 'ReadableStream' ? { duplex: 'half' } : {}),
      ...(signal ? { signal } : {}),
    })
    const text = await response.text()
    return {
      statusCode: response.status,
      headers: headersOf(response.headers),
      body: text,
      json: () => parseBody(response.headers.get('content-type'), text),
    }
  }
  return call
}

/** A client that knows no routes. */
type Call = (
  key: string,
  input?: RouteInput,
  options?: CallOptions,
) => Promise<RouteResponse<number, unknown>>

const refusalOf = (key: string) => (problem: string) =>
  new EspalierError('ESP_ERR_CLIENT_ROUTE', `The call of '${key}' ${problem}`, 500)

const rule = 'A path begins with one slash, a base has a host or a path, and no query'

/** A base URL that no path leads out of: `https:` without a host would take it from the path. */
const isBase = (url: string) => !/[?#\\\p{Cc}]|^[^/]*:$/u.test(url)

/** A path on the host of its base URL: `fetch` reads a host behind two slashes, takes a backslash for
 *  a slash, and drops tabs and line breaks before. */
const isPath = (target: string) => /^\/(?!\/)[^\\\p{Cc}]*$/u.test(target)

/** The headers of a call stand before those that all calls have, of which none is the type of its body. */
async function allHeaders(
  common: ClientOptions['headers'],
  own: HeaderValues,
  body: unknown,
): Promise<Headers> {
  const headers = new Headers()
  for (const values of [typeof common === 'function' ? await common() : common, own]) {
    if (body !== undefined) headers.delete('content-type')
    for (const [name, value] of Object.entries(values ?? {})) {
      if (value !== undefined) headers.set(name, String(value))
    }
  }
  return headers
}

/** Cookies are a list, as in `inject`; browsers show none. */
function headersOf(headers: Headers): Record<string, string | string[]> {
  const cookies = headers.getSetCookie()
  const all = Object.fromEntries(headers)
  return cookies.length > 0 ? { ...all, 'set-cookie': cookies } : all
}
