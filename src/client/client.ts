import { EspalierError } from '../errors/espalier-error.ts'
import { parseBody, toRouteCall, type HeaderValues, type RouteInput } from '../http/route-call.ts'
import type { Seen } from '../plugin/seen-route.ts'
import type { InputArguments } from '../route/call-types.ts'
import type { ResponseOf, RouteResponse } from '../route/call-types.ts'
import type { Routed, RouteKey, RouteOf, SchemasOf } from '../route/route-entry.ts'

/** Calls the routes of a server by key: `api('GET /users/:id', { params: { id: 1 } })`. */
export interface Client<App extends Routed> extends Calls<
  App,
  SchemasOf<App>,
  // With `RouteKey<App>`, compiler messages would show that alias instead of the keys.
  keyof App['~context']['routes'] & string,
  IfNone<keyof App['~context']['routes']>
> {}

/** The message in the place of the keys, if there are no routes. */
type IfNone<Key> = [Key] extends [never]
  ? "The type of this client has no routes: it is that of 'client<typeof app>', where 'app' is what the last route of a chain gave"
  : never

/** The keys are a type parameter, so that the compiler computes them once, not for each call. */
interface Calls<App extends Routed, Schemas, Known extends RouteKey<App>, None> {
  <Key extends Known, Entry = EntryOf<App, Key, Schemas>>(
    route: Key | None,
    ...input: [...InputArguments<Entry, Key, Known>, options?: CallOptions | undefined]
  ): Promise<ResponseOf<App, Key>>
}

/** The type of one route. `App` is an argument as it is: with the routes of the server as an
 *  argument, the compiler would compare all of them at each call. */
type EntryOf<App extends Routed, Key extends RouteKey<App>, Schemas> = Key extends unknown
  ? Seen<App['~context']['routes'][Key], Schemas>
  : never

/** The arguments of a call after the key, for functions that wrap a client.
 *  @example
 *  const call = <Key extends RouteKey<App>>(key: Key, ...input: CallArguments<App, Key>) =>
 *    api(key, ...input) */
export type CallArguments<App extends Routed, Key extends RouteKey<App>> = [
  ...InputArguments<RouteOf<App, Key>, Key, RouteKey<App>>,
  options?: CallOptions | undefined,
]

/** The options of one call. */
export interface CallOptions {
  /** Aborts the call. Its promise then rejects. */
  readonly signal?: AbortSignal | undefined
}

/** The options of a client. */
export interface ClientOptions {
  /** Replaces the global `fetch`: to add credentials, to retry, or to test. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** The headers of all calls, or a function that returns them before each call. The headers of the
   *  call itself take precedence. If the call has a body, so does the content type of the body. */
  readonly headers?: HeaderValues | (() => HeaderValues | Promise<HeaderValues>)
}

/** Makes a function that calls the routes of a server by their keys. The input and the responses of
 *  the routes come from the type of the server. No code of the server is loaded.
 *
 *  A response with an error status resolves the promise of a call. Without a response, the promise
 *  rejects with the error of `fetch`.
 *  @param baseUrl an origin with or without a path, or a path alone (`''`, `'/api'`). It has no
 *  query and no fragment
 *  @throws ESP_ERR_CLIENT_ROUTE (the promise of a call rejects) if a path parameter is missing, or
 *  is '.' or '..'; if the URL of the call is not below the base URL; if the body is an object that
 *  its content type cannot express
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
    const refuse = (problem: string) =>
      new EspalierError('ESP_ERR_CLIENT_ROUTE', `The call of '${key}' ${problem}`, 500)
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

/** A client without the types of routes. */
type Call = (
  key: string,
  input?: RouteInput,
  options?: CallOptions,
) => Promise<RouteResponse<number, unknown>>

const rule = 'A path begins with one slash, a base has a host or a path, and no query'

/** Whether a path after this base URL stays below it. After `https:` without a host, the path would
 *  become the host. */
const isBase = (url: string) => !/[?#\\\p{Cc}]|^[^/]*:$/u.test(url)

/** Whether a path stays on the host of its base URL. `fetch` reads a host after two slashes, reads
 *  a backslash as a slash, and removes tabs and line breaks first. */
const isPath = (target: string) => /^\/(?!\/)[^\\\p{Cc}]*$/u.test(target)

/** Merges the headers of all calls and those of one call, which win. If the call has a body, the
 *  content type of all calls is left out. */
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

/** The headers of a response. Cookies are a list, as in `inject`. Browsers hide them. */
function headersOf(headers: Headers): Record<string, string | string[]> {
  const cookies = headers.getSetCookie()
  const all = Object.fromEntries(headers)
  return cookies.length > 0 ? { ...all, 'set-cookie': cookies } : all
}
