import { Readable } from 'node:stream'
import type {
  Chain,
  DispatchFunc,
  InjectOptions as LightOptions,
  InjectPayload,
  Response as LightResponse,
} from 'light-my-request'
import { errorCodes } from '../../errors/codes.ts'
import { isBytes, isStream, isWebStream, toBytes, toReadable } from '../../http/payload-kind.ts'
import type { JsonCodec } from '../../http/exact-json.ts'
import { kindOf, toCallBody } from '../../http/call-body.ts'
import {
  bodyTools,
  parseBody,
  type Refusal,
  type RouteInput,
  textRecord,
  toRouteCall,
} from '../../http/route-call.ts'
import type { Seen } from '../../plugin/seen-route.ts'
import type { InputArguments, KeyResponse, MissingInput } from '../../route/call-types.ts'
import type { Routed, RouteKey, RouteOf } from '../../route/route-entry.ts'
import { describe } from '../../errors/describe.ts'
import { isObject } from '../../types/objects.ts'
import { asNode, callRoute, type InjectedAnswer } from './injected-call.ts'
import { joinHeaders } from './injected-headers.ts'
import { anObject, type Rule, ruleOf, type Rules } from '../options/rules.ts'
import late from '../../packages/late.cjs'

/** A request by the options of light-my-request. This type and the response type have names here,
 *  since the declaration files of an application cannot name the types of an indirect
 *  dependency. */
export interface InjectOptions extends LightOptions {}

/** The response to a request that was sent without a socket. */
export interface InjectedResponse extends Omit<LightResponse, 'json'> {
  cookies: ResponseCookie[]
  /** The parsed body. Its type may be stated; nothing checks it. */
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

/** The members of a response that a client of the network does not have. `body`, `payload` and
 *  `rawPayload` throw ESP_ERR_INJECT_ROUTE for a stream of items, which may not end. */
export interface ResponseDetails extends Omit<
  InjectedResponse,
  'statusCode' | 'headers' | 'json' | 'raw' | 'stream'
> {}

/** The origin of a response of `inject`, which gives any answer. */
export interface Injected {
  readonly declared: boolean
  readonly raw: InjectedResponse['raw']
}

/** Sends requests without a socket: by route key with input and options, by URL, or by the options
 *  of light-my-request.
 *  @example
 *  const { id } = (await app.inject('GET /users/:id', { params: { id: 1 } })).json()
 *  await app.inject('GET /me', {}, { cookies: { session: 'x' } }) */
export interface Inject<Routes, Schemas> extends Injections<
  Routes,
  Schemas,
  keyof Routes & string
> {}

/** The keys are a type parameter, since each call would compute them anew. */
interface Injections<Routes, Schemas, Known extends keyof Routes> {
  // With one union as the constraint of both, each call would compare all keys.
  /** Sends a request without a socket: by route key, with the input of the route.
   *  @example const { id } = (await app.inject('GET /users/:id', { params: { id: 1 } })).json() */
  <Key extends Known | NoKey, Entry = Seen<Routes[Key & Known], Schemas>>(
    route: Key,
    ...input: KeyArguments<Entry, Key, Known>
  ): Promise<KeyResponse<Entry, Key, Injected> & ResponseDetails>
  // Only one of the two signatures reports a wrong use of a route, which makes the message shorter.
  /** Sends a request without a socket: a GET to a URL, or by options. */
  <Text extends string, Rest extends RestOf<Text, Routes>>(
    target: Target<Text, Routes, Schemas> | InjectOptions,
    ...rest: Rest
  ): Promise<InjectedResponse>
}

/** The arguments of `inject` after a route key, for functions that call it.
 *  @example
 *  function call<Key extends RouteKey<App>>(key: Key, ...input: InjectArguments<App, Key>) {
 *    return app.inject(key, ...input)
 *  } */
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

/** A URL, or text that is known at run time only. For other text, a sentence: the input of a route
 *  is missing, or there is no such route. */
type Target<Text, Routes, Schemas> = Text extends Url
  ? Text
  : string extends Text
    ? Text
    : Text extends keyof Routes
      ? MissingInput<Seen<Routes[Text], Schemas>, Text & string>
      : (keyof Routes & string) | Url

/** The arguments after the target. A wrong target is the only mistake, not the number of
 *  arguments. */
type RestOf<Text, Routes> = Text extends Url | keyof Routes
  ? []
  : string extends Text
    ? []
    : [input?: unknown, options?: unknown]

/** A key that no route has. It lets the compiler distinguish the constraint from all keys at
 *  once. */
interface NoKey {
  readonly [none]: never
}
declare const none: unique symbol

/** Too many arguments: a call of an unknown route must not match this signature. */
type Unknown = [input: unknown, options: unknown, none: never, neither: never]

/** Sends a request without a socket: by route key (`'GET /users/:id'`) with input and options, by
 *  URL, or by the options of light-my-request.
 *  @throws ESP_ERR_INJECT_ROUTE for a missing path parameter, or one that is '.' or '..'; for a
 *  body object that does not fit its content type; for unknown or wrong options, and for options of
 *  a URL
 *  @throws the reason of an aborted signal */
export function injectRequest(
  dispatch: DispatchFunc,
  target: string | InjectOptions,
  input: RouteInput = {},
  options?: InjectCallOptions,
): Promise<LightResponse | InjectedAnswer> {
  const request = toOptions(target, input, options)
  if (typeof target === 'string' && isKey(target))
    return callRoute(dispatch, { key: target, options: request, ...options })
  return late
    .lightMyRequest()(asNode(dispatch), request)
    .then((response) =>
      Object.assign(response, {
        json: () =>
          parseBody(String(response.headers['content-type'] ?? ''), response.payload, JSON),
      }),
    )
}

const isKey = (target: string): boolean => !target.startsWith('/') && target.includes(' ')

/** The request builder: `chainRequest(dispatch).get('/').query({ a: 1 }).end()`. */
export function chainRequest(dispatch: DispatchFunc): Chain {
  return late.lightMyRequest()(asNode(dispatch))
}

function toOptions(
  target: string | InjectOptions,
  input: RouteInput,
  options: InjectCallOptions | undefined,
): InjectOptions {
  const request = typeof target === 'string' ? { url: target } : target
  const refuse = (problem: string) =>
    new errorCodes.ESP_ERR_INJECT_ROUTE(typeof target === 'string' ? target : '…', problem)
  if (typeof target !== 'string' || !isKey(target)) {
    if (options === undefined) return joinHeaders(request)
    throw refuse('takes no options behind a URL. Give all as inject({ url, … })')
  }
  const { method, target: url, type, headers: given } = toRouteCall(target, input, refuse)
  const sent = toCallBody(toSendable(input.body), type, bodyTools(refuse, options?.json ?? JSON))
  const own = Object.entries(given).filter(([name]) => !/^content-type$/i.test(name))
  const headers = textRecord({ ...Object.fromEntries(own), 'content-type': sent.type })
  const others = options === undefined ? {} : toLightOptions(options, refuse)
  return { method: method as 'GET', url, ...toPayload(headers, sent.body), ...others }
}

/** The body of a call in a form that light-my-request does not turn into JSON, with the headers
 *  that `fetch` adds to such a body. Given headers win. */
function toPayload(
  headers: Readonly<Record<string, string>>,
  body: unknown,
): {
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: InjectPayload
} {
  if (body === undefined || body === null) return { headers }
  const kind = kindOf(body)
  if (kind === 'FormData') return { headers, payload: body }
  if (isBytes(body)) {
    const { buffer, byteOffset, byteLength } = toBytes(body)
    return { headers, payload: Buffer.from(buffer, byteOffset, byteLength) }
  }
  if (isBlob(body)) {
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

/** Wraps streams of old libraries, which `fetch` does not accept, in a stream of Node. */
function toSendable(body: unknown): unknown {
  if (!isStream(body) || Reflect.has(body, Symbol.asyncIterator)) return body
  const readable = new Readable({ objectMode: true }).wrap(body)
  // Some streams start only by `resume`.
  if (Reflect.has(body, 'resume')) body.resume()
  return readable
}

const isBlob = (body: object): body is Blob => kindOf(body) === 'Blob'

const text = (value: unknown) => String(value)

/** The options of `inject` after the input of a route. `payloadAsStream` is not among them, since
 *  such a response has no text; it is available with a URL. */
export interface InjectCallOptions {
  /** Cookies by name, in addition to a `cookie` header. Values are percent-encoded; undefined ones
   *  are left out. @default {} */
  readonly cookies?: Readonly<Record<string, string | undefined>> | undefined
  /** The address of the client. @default '127.0.0.1' */
  readonly remoteAddress?: string | undefined
  /** The `host` header, if the input has none. @default 'localhost:80' */
  readonly authority?: string | undefined
  /** Aborts the call: its promise rejects with the reason, and the client leaves the server. */
  readonly signal?: AbortSignal | undefined
  /** Reads and writes JSON: with `exactJson` the whole numbers of `t.BigInt` are never rounded.
   *  @default JSON */
  readonly json?: JsonCodec | undefined
  /** Events of a body that is no stream: whether it has an `end`, is `split` in two, and is
   *  followed by an `error` or the `close` of the connection.
   *  @default { end: true, split: false, error: false, close: false } */
  readonly simulate?:
    { readonly [Event in 'end' | 'split' | 'error' | 'close']?: boolean | undefined } | undefined
}

const aText: Rule = [(value) => typeof value === 'string', 'text']

const callRules: Rules<InjectCallOptions> = {
  cookies: anObject,
  remoteAddress: aText,
  authority: aText,
  signal: [(value) => value instanceof AbortSignal, 'an AbortSignal'],
  json: anObject,
  simulate: anObject,
}

/** The options of a call for light-my-request, without the signal, which it ignores after the body.
 *  @param refuse makes the error for invalid options */
function toLightOptions(options: InjectCallOptions, refuse: Refusal): LightOptions {
  refuseUnfit(options, refuse)
  const { remoteAddress = '127.0.0.1', authority = 'localhost:80' } = options
  const { end = true, split = false, error = false, close = false } = options.simulate ?? {}
  const cookies = textRecord(options.cookies)
  const others = { remoteAddress, authority, simulate: { end, split, error, close } }
  return Object.keys(cookies).length > 0 ? { ...others, cookies } : others
}

function refuseUnfit(options: unknown, refuse: Refusal): void {
  if (!isObject(options)) throw refuse(`has ${describe(options)} for its options, not an object`)
  for (const [name, value] of Object.entries(options)) {
    const rule = ruleOf(callRules, name)
    if (!rule) throw refuse(`has no option '${name}', but ${Object.keys(callRules).join(', ')}`)
    const [fits, expected] = rule
    if (value !== undefined && !fits(value))
      throw refuse(`has ${describe(value)} for its option '${name}', not ${expected}`)
  }
}
