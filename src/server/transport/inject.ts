import { ServerResponse } from 'node:http'
import inject, {
  type Chain,
  type DispatchFunc,
  type InjectOptions as LightOptions,
  type InjectPayload,
  type Response as LightResponse,
} from 'light-my-request'
import type { Seen } from '../../plugin/seen-route.ts'
import type { InputArguments, KeyResponse, MissingInput } from '../../route/call-types.ts'
import type { Routed, RouteKey, RouteOf } from '../../route/route-entry.ts'
import { errorCodes } from '../../errors/codes.ts'
import { parseBody, type RouteCall, type RouteInput, toRouteCall } from '../../http/route-call.ts'
import { type InjectCallOptions, leftOn, toLightOptions } from './inject-call-options.ts'
import { Readable } from 'node:stream'
import { isBytes, isStream, isWebStream, toBytes, toReadable } from '../../http/payload-kind.ts'

/** A request as the options of light-my-request say it. By a name of our own, as what is given back: declaration
 *  files of an application cannot name the types of a package that is none of its dependencies. */
export interface InjectOptions extends LightOptions {}

/** The response to a request that was sent without a socket. */
export interface InjectedResponse extends Omit<LightResponse, 'json'> {
  cookies: ResponseCookie[]
  /** The parsed body; of another type where that is written or expected, which nothing checks. */
  json: <Type = unknown>() => Type
}

/** A cookie that a response sets. */
export interface ResponseCookie {
  name: string
  value: string
  expires?: Date
  maxAge?: number
  secure?: boolean
  httpOnly?: boolean
  sameSite?: string
  [name: string]: unknown
}

/** What a response has besides what clients see of it. */
export interface ResponseDetails extends Omit<
  InjectedResponse,
  'statusCode' | 'headers' | 'body' | 'json'
> {}

/** Sends requests without a socket: to a route by its key, with the input that it takes and options, or
 *  to a URL, or as the options of light-my-request say.
 *  @example
 *  const { id } = (await app.inject('GET /users/:id', { params: { id: 1 } })).json()
 *  await app.inject('GET /me', {}, { cookies: { session: 'x' } }) */
export interface Inject<Routes, Schemas> extends Injections<
  Routes,
  Schemas,
  keyof Routes & string
> {}

/** The keys have a name of their own, since each call would find them out anew. */
interface Injections<Routes, Schemas, Known extends keyof Routes> {
  // A constraint of one union for both costs each call the comparison with all keys.
  /** Sends a request to a route without a socket, by its key, with the input that the route takes.
   *  @example const { id } = (await app.inject('GET /users/:id', { params: { id: 1 } })).json() */
  <Key extends Known | NoKey, Entry = Seen<Routes[Key & Known], Schemas>>(
    route: Key,
    ...input: KeyArguments<Entry, Key, Known>
  ): Promise<KeyResponse<Entry, Key> & ResponseDetails>
  // The wrong use of a route is told by one of the two signatures alone, which makes it shorter.
  /** Sends a request without a socket: a GET to a URL, or what the options say. */
  <Text extends string, Rest extends RestOf<Text, Routes>>(
    target: Target<Text, Routes, Schemas> | InjectOptions,
    ...rest: Rest
  ): Promise<InjectedResponse>
}

/** What `inject` takes behind the key of one route: for functions that call it.
 *  @example
 *  const call = <Key extends RouteKey<App>>(key: Key, ...input: InjectArguments<App, Key>) => app.inject(key, ...input) */
export type InjectArguments<App extends Routed, Key extends RouteKey<App>> = KeyArguments<
  RouteOf<App, Key>,
  Key,
  RouteKey<App>
>

type KeyArguments<Entry, Key, Known> = [
  ...InputArguments<Entry, Key, Known | NoKey, Unknown>,
  options?: InjectCallOptions | undefined,
]

type Url = `/${string}`

/** A URL, or text that is known at run time only; else what says why it is none: the input of a route
 *  is missing, or there is no such route. */
type Target<Text, Routes, Schemas> = Text extends Url
  ? Text
  : string extends Text
    ? Text
    : Text extends keyof Routes
      ? MissingInput<Seen<Routes[Text], Schemas>, Text & string>
      : (keyof Routes & string) | Url

/** What may stand behind the target, so that the number of arguments is no mistake of its own. */
type RestOf<Text, Routes> = Text extends Url | keyof Routes
  ? []
  : string extends Text
    ? []
    : [input?: unknown, options?: unknown]

/** Tells a key that no route has, which stands for the constraint, from all keys at once. */
interface NoKey {
  readonly [none]: never
}
declare const none: unique symbol

/** Too many for a call of an unknown route, so that it is not of this form. */
type Unknown = [input: unknown, options: unknown, none: never, neither: never]

/** Sends a request to the server without a socket: by route key (`'GET /users/:id'` with params,
 *  query, headers and body, and options), by URL, or by the options of light-my-request.
 *  @throws ESP_ERR_INJECT_ROUTE when a path parameter is missing, or is '.' or '..', or the body is an
 *  object that its content type cannot have, or options are unknown, of a wrong type or behind no key
 *  @throws the reason of a signal that is aborted */
export function injectRequest(
  dispatch: DispatchFunc,
  target: string | InjectOptions,
  input: RouteInput = {},
  options?: InjectCallOptions,
): Promise<LightResponse> {
  const request = toOptions(target, input, options)
  const signal = options?.signal
  if (signal === undefined) return inject(asNode(dispatch), request).then(decodeByType)
  signal.throwIfAborted()
  const answered = inject(asNode(leftOn(signal, dispatch)), request)
  return answered.then(decodeByType, (error: unknown) => {
    signal.throwIfAborted()
    throw error
  })
}

/** A request that is built by calls: `chainRequest(dispatch).get('/').query({ a: 1 }).end()`. */
export function chainRequest(dispatch: DispatchFunc): Chain {
  return inject(asNode(dispatch))
}

/** On a socket Node writes no body of a reply to HEAD, also where a handler writes one to Node's response itself. */
function asNode(dispatch: DispatchFunc): DispatchFunc {
  return (request, response) => {
    if (request.method === 'HEAD') response.write = Reflect.get(ServerResponse.prototype, 'write')
    dispatch(request, response)
  }
}

/** `json()` as `parseBody` has it. */
function decodeByType(response: LightResponse): LightResponse {
  const type = response.headers['content-type']
  return Object.assign(response, { json: () => parseBody(type, response.payload) })
}

function toOptions(
  target: string | InjectOptions,
  input: RouteInput,
  options: InjectCallOptions | undefined,
): InjectOptions {
  const request = typeof target === 'string' ? { url: target } : target
  const refuse = (problem: string) =>
    new errorCodes.ESP_ERR_INJECT_ROUTE(typeof target === 'string' ? target : '…', problem)
  if (typeof target !== 'string' || target.startsWith('/') || !target.includes(' ')) {
    if (options === undefined) return request
    throw refuse('takes no options behind a URL. Give all as inject({ url, … })')
  }
  const call = toRouteCall(target, { ...input, body: toSendable(input.body) }, refuse)
  const others = options === undefined ? {} : toLightOptions(options, refuse)
  return { method: call.method as 'GET', url: call.target, ...toPayload(call), ...others }
}

/** What light-my-request sends as it is: it makes JSON of all but text, Buffers, streams of Node and FormData. */
interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: InjectPayload
}

/** The body of a call as light-my-request takes it, with the headers that `fetch` sends with it unless the call says them. */
function toPayload({ headers, body, kind }: RouteCall): Sent {
  if (body === undefined || body === null) return { headers }
  if (kind === 'FormData') return { headers, payload: body }
  if (isBytes(body)) {
    const { buffer, byteOffset, byteLength } = toBytes(body)
    return { headers, payload: Buffer.from(buffer, byteOffset, byteLength) }
  }
  if (isBlob(body, kind)) {
    const own = { 'content-length': text(body.size), 'content-type': body.type }
    return { headers: { ...own, ...headers }, payload: toReadable(body.stream()) }
  }
  if (isStream(body) || isWebStream(body)) {
    return { headers: { 'transfer-encoding': 'chunked', ...headers }, payload: toReadable(body) }
  }
  const own = kind === 'URLSearchParams' && { 'content-type': formType }
  return { headers: { ...own, ...headers }, payload: text(body) }
}

const formType = 'application/x-www-form-urlencoded;charset=UTF-8'

/** Streams of old libraries, which `fetch` does not take, as one of Node. */
function toSendable(body: unknown): unknown {
  if (!isStream(body) || Reflect.has(body, Symbol.asyncIterator)) return body
  const readable = new Readable({ objectMode: true }).wrap(body)
  // Some begin only then.
  if (Reflect.has(body, 'resume')) body.resume()
  return readable
}

const isBlob = (_body: object, kind: RouteCall['kind']): _body is Blob => kind === 'Blob'

const text = (value: unknown) => String(value)
