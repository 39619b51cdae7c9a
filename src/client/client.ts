import type { ItemSource } from '../http/events.ts'
import { isBytesType, isDeclared, readersOf, readWhole } from '../http/response-body.ts'
import {
  attempt,
  type BodyTools,
  bodyTools,
  type HeaderValues,
  memberOf,
  type RouteInput,
  textRecord,
  toRouteCall,
} from '../http/route-call.ts'
import type { JsonCodec } from '../http/exact-json.ts'
import type { Seen } from '../plugin/seen-route.ts'
import type { InputArguments, ResponseOf } from '../route/call-types.ts'
import type { UndeclaredMembers } from '../route/response-types.ts'
import type { Routed, RouteKey, RouteOf, SchemasOf } from '../route/route-entry.ts'
import { checkBase } from './base.ts'
import { type CalledRequest, ClientError, failure, UndeclaredResponse } from './errors.ts'
import type { CallMiddleware, CallRequest, CallResponse, NextCall } from './middleware.ts'

/** Calls the routes of a server by key: `api('GET /users/:id', { params: { id: 1 } })`.
 *  @template Undeclared what a call does with an answer that its route does not declare: it throws
 *  it, or returns it */
export interface Client<
  App extends Routed,
  Undeclared extends 'throw' | 'return' = 'throw',
> extends Calls<
  App,
  SchemasOf<App>,
  // With `RouteKey<App>`, compiler messages would show that alias instead of the keys.
  keyof App['~context']['routes'] & string,
  IfNone<keyof App['~context']['routes']>,
  Undeclared extends 'return' ? UndeclaredMembers : never
> {
  /** For types only: it is no value. Functions infer the server of a client from it, since to infer
   *  it from `Client<App>` costs half a million instantiations. */
  readonly '~app'?: readonly [App, Undeclared] | undefined
}

/** A client that throws what its routes do not declare, as a parameter of a generic function. */
export interface ClientOf<App extends Routed> {
  readonly '~app'?: readonly [App, 'throw'] | undefined
}

/** The message in the place of the keys, if there are no routes. */
type IfNone<Key> = [Key] extends [never]
  ? "The type of this client has no routes: it is that of 'client<typeof app>', where 'app' is what the last route of a chain gave"
  : never

/** The keys are a type parameter, so that the compiler computes them once, not for each call. */
interface Calls<App extends Routed, Schemas, Known extends RouteKey<App>, None, Undeclared> {
  <Key extends Known, Entry = EntryOf<App, Key, Schemas>>(
    route: Key | None,
    ...input: [...InputArguments<Entry, Key, Known>, options?: CallOptions | undefined]
  ): Promise<ResponseOf<App, Key> | Undeclared>
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
  /** The most bytes of a body that is read as a whole, decompressed, and the most characters of an
   *  item of a stream. What `stream()` and `raw` give has no limit. A larger body is cancelled, and
   *  an error (ESP_ERR_CLIENT_SIZE). `Infinity` for no limit.
   *  @default that of the client */
  readonly maxResponseSize?: number | undefined
}

/** The options of a client.
 *  @template Key the keys of the routes that it may call */
export interface ClientOptions<Key extends string = string> {
  /** Stands around each request: to change it, to ask again, to measure. The first one is the
   *  outermost. `espalier/client/use` has some. @default [] */
  readonly use?: readonly CallMiddleware<Key>[] | undefined
  /** Is called with each answer, behind all middleware, and awaited. An error that it throws is
   *  that of the call. */
  readonly onResponse?: ((response: CallResponse, request: CallRequest<Key>) => unknown) | undefined
  /** Replaces the global `fetch`: to use another one, or to test. It makes all requests. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** The headers of all calls, or a function that returns them before each call. The headers of the
   *  call itself take precedence. If the call has a body, so does the content type of the body. */
  readonly headers?: HeaderValues | (() => HeaderValues | Promise<HeaderValues>)
  /** Whether cookies are sent to other origins: the option of `fetch`. @default 'same-origin' */
  readonly credentials?: RequestInit['credentials'] | undefined
  /** What happens to a redirect, which may lead to another origin: the option of `fetch`. With
   *  `'manual'` a call is answered with the redirect. In browsers that has status 0.
   *  @default 'follow' */
  readonly redirect?: RequestInit['redirect'] | undefined
  /** The option of calls, for all that do not have it. @default 100,000,000 */
  readonly maxResponseSize?: number | undefined
  /** What a call does with an answer that its route does not declare: it throws
   *  `UndeclaredResponse`. @default 'throw' */
  readonly undeclared?: 'throw' | undefined
  /** Reads and writes JSON. With `exactJson` the whole numbers of `t.BigInt` are never rounded.
   *  `JSON` refuses to write a bigint. @default JSON */
  readonly json?: JsonCodec | undefined
}

/** The options of a client that also returns what routes do not declare. */
export interface ReturningOptions<Key extends string = string> extends Omit<
  ClientOptions<Key>,
  'undeclared'
> {
  /** A call returns every answer. One that its route does not declare has `declared: false`. */
  readonly undeclared: 'return'
}

/** Makes a function that calls the routes of a server by their keys. The input and the responses of
 *  the routes come from the type of the server. No code of the server is loaded.
 *
 *  A call gives a response that its route declares: of a declared status, or a success if the route
 *  declares no responses. The header `declared` tells whether an error status, or a page
 *  (`text/html`), is one of these; only servers of Espalier send it. A redirected answer is not
 *  declared.
 *  @param server an origin with or without a path, or a path alone (`''`, `'/api'`), without query
 *  and fragment; or a server in the same process, which is called by its `fetch`, without a network
 *  @throws UndeclaredResponse (the promise of a call rejects, as for all errors) for any other
 *  response, unless the option `undeclared` is `'return'`
 *  @throws ESP_ERR_CLIENT_ROUTE if a path parameter is missing, or is '.' or '..'; if the URL of
 *  the call is not below the base URL; if the body is an object that its content type cannot
 *  express
 *  @throws ESP_ERR_CLIENT_NETWORK if `fetch` fails, or the answer is cut
 *  @throws ESP_ERR_CLIENT_ABORTED if the signal of the call is aborted
 *  @throws ESP_ERR_CLIENT_SIZE if the answer has more than `maxResponseSize` bytes
 *  @example
 *  const api = client<typeof app>('https://example.org')
 *  const response = await api('GET /users/:id', { params: { id: 1 } })
 *  if (response.statusCode === 200) response.json().name */
export function client<App extends Routed>(
  server: string | URL | (App & InProcess),
  options: ReturningOptions<RouteKey<App>>,
): Client<App, 'return'>
export function client<App extends Routed>(
  server: string | URL | (App & InProcess),
  options?: ClientOptions<RouteKey<App>>,
): Client<App>
export function client(
  given: string | URL | InProcess,
  own: ClientOptions | ReturningOptions = {},
): unknown {
  // cast: text and URLs have no such member
  const { fetch } = given as Partial<InProcess>
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- it is no server here
  const base = fetch ? 'http://localhost' : String(given).replace(/\/+$/, '')
  const options = fetch ? { fetch, ...own } : own
  const server = { base, options }
  const call: Call = async (key, input, callOptions) => {
    const sending = toSending(server, key, input, callOptions)
    const response = await sending.again()
    if (response.declared || options.undeclared === 'return') return response
    throw new UndeclaredResponse(sending.request, response)
  }
  return call
}

/** A server in the same process. */
interface InProcess {
  readonly fetch: NonNullable<ClientOptions['fetch']>
}

/** A client without the types of routes. */
type Call = (key: string, input?: RouteInput, options?: CallOptions) => Promise<unknown>

/** The server that is called. */
interface Called {
  readonly base: string
  readonly options: ClientOptions | ReturningOptions
}

/** The request of a call. */
interface Sending extends Pick<ItemSource, 'limit' | 'refuse' | 'json'> {
  readonly request: CalledRequest
  /** Sends the request. It reads the body, unless that may be long or endless.
   *  @throws ESP_ERR_CLIENT_NETWORK, ESP_ERR_CLIENT_ABORTED */
  readonly again: (lastEventId?: string) => Promise<CallResponse>
}

function toSending(
  { base, options }: Called,
  key: string,
  input: RouteInput = {},
  { signal, maxResponseSize: limit = options.maxResponseSize ?? 100_000_000 }: CallOptions = {},
): Sending {
  const { json = JSON } = options
  const asked = { key, method: '', url: base }
  const refuse = (problem: string, kind = 'ROUTE', cause?: unknown) =>
    new ClientError(`ESP_ERR_CLIENT_${kind}`, problem, asked, cause)
  const call = toRouteCall(key, input, refuse)
  asked.method = call.method
  checkBase(base, call.target, options.fetch !== undefined, refuse)
  asked.url += call.target
  const again = async (lastEventId?: string): Promise<CallResponse> => {
    const { headers: common, use = [], onResponse } = options
    const given = [typeof common === 'function' ? await common() : common, call.headers]
    const { type, body } = await toBody(input.body, call.type, bodyTools(refuse, json))
    const headers = attempt(refuse, () => toHeaders(given, body !== undefined && { type }))
    if (lastEventId) headers.set('last-event-id', lastEventId)
    // cast: a body that `fetch` takes
    const request = { ...asked, headers, body: body as RequestInit['body'], signal }
    const send: NextCall = (changed) => ask(changed, options, sending)
    const all = use.reduceRight<NextCall>((next, each) => async (to) => each(to, next), send)
    const response = await all(request)
    await onResponse?.(response, request)
    return response
  }
  const sending: Sending = { request: asked, json, limit, refuse, again }
  return sending
}

/** The body of a call. All that is no plain JSON needs code that is loaded then. */
async function toBody(body: unknown, type: string | undefined, tools: BodyTools) {
  if (body === undefined) return { type, body }
  const isPlain = Object(body) !== body || plain.includes(memberOf(body, 'constructor'))
  if (isPlain && tools.isJsonType(type))
    return { type: type ?? 'application/json', body: tools.write(body) }
  const { kindOf, sendsStreams, toCallBody } = await import('../http/call-body.ts')
  if (kindOf(body) === 'ReadableStream' && !sendsStreams())
    throw tools.refuse(
      'has a stream as its body, which this platform cannot send. Give a Blob or bytes',
    )
  return toCallBody(body, type, tools)
}

const plain: readonly unknown[] = [Object, Array]

/** Makes a request by `fetch`. */
async function ask(
  { method, url, headers, body, signal }: CallRequest,
  { fetch: send = fetch, credentials, redirect }: Called['options'],
  sending: Sending,
): Promise<CallResponse> {
  const cut = (error: unknown) => failure(sending.request, signal, error)
  // For `fetch` a member that is undefined is absent. A stream needs `duplex`.
  const init = { method, headers, body, duplex: 'half', credentials, redirect, signal }
  try {
    signal?.throwIfAborted()
    const raw = await send(url, init as RequestInit)
    const isLeft = raw.body !== null && isBytesType(raw.headers.get('content-type') ?? '')
    const buffer = isLeft ? undefined : await readWhole(raw, sending)
    return toResponse(raw, buffer, { ...sending, signal, cut })
  } catch (error) {
    throw cut(error)
  }
}

/** @param buffer the whole body; undefined if it was not read */
function toResponse(
  raw: Response,
  buffer: ArrayBuffer | undefined,
  sending: Sending & Pick<ItemSource, 'signal' | 'cut'>,
): CallResponse {
  const { request } = sending
  const { status, statusText, ok, headers } = raw
  const type = headers.get('content-type') ?? ''
  const readers = readersOf({
    ...sending,
    type,
    buffer,
    reader: () => import('../http/events.ts'),
    open: () => (buffer ? new Response(buffer, { headers }) : raw),
    other: (response) => new UndeclaredResponse(request, response as CallResponse),
  })
  const declared = !raw.redirected && isDeclared(ok, headers.get('declared'), type)
  /** A response like that of `fetch`, whose body is not read yet. */
  const copy = () =>
    Object.defineProperties(new Response(buffer, { status, statusText, headers }), {
      url: { value: raw.url },
      redirected: { value: raw.redirected },
    })
  return {
    declared,
    statusCode: status,
    ok,
    headers: headersOf(headers),
    ...readers,
    get raw() {
      // A body that is null, as that of status 204, does not count as used.
      return buffer && raw.bodyUsed ? copy() : raw
    },
  }
}

/** Merges the headers of all calls and those of one call, which win.
 *  @param sent the type of the body, in place of all others; false if there is no body */
function toHeaders(
  given: readonly (HeaderValues | undefined)[],
  sent: false | { readonly type: string | undefined },
): Headers {
  const headers = new Headers()
  for (const values of given)
    for (const [name, value] of Object.entries(textRecord(values))) headers.set(name, value)
  if (sent) headers.delete('content-type')
  if (sent && sent.type) headers.set('content-type', sent.type)
  return headers
}

/** The headers of a response. Cookies are a list, as in `inject`. Browsers hide them, and old ones
 *  have no such method. */
function headersOf(headers: Partial<Headers> & Iterable<[string, string]>) {
  const cookies = headers.getSetCookie?.()
  return { ...Object.fromEntries(headers), ...(cookies?.[0] && { 'set-cookie': cookies }) }
}
