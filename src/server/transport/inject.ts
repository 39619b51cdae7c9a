import inject, {
  type DispatchFunc,
  type InjectOptions,
  type Response as LightResponse,
} from 'light-my-request'
import type { InputArguments, ResponseOf } from '../../route/route-entry.ts'
import { errorCodes } from '../../errors/codes.ts'
import { isJson, mediaTypeOf } from '../../http/media-type.ts'
import { isObject } from '../../schema/values.ts'

/** Sends requests without a socket: to a route by its key, with the input that it takes, or to a
 *  URL, or as the options of light-my-request say.
 *  @example const { id } = (await app.inject('GET /users/:id', { params: { id: 1 } })).json() */
export interface Inject<Routes> {
  // A constraint of one union for both costs each call the comparison with all keys.
  <Key extends keyof Routes & string>(
    route: Key,
    ...input: InputArguments<Routes, Key>
  ): Promise<ResponseOf<Routes[Key]> & ResponseDetails>
  (target: `/${string}` | InjectOptions): Promise<LightResponse>
}

type ResponseDetails = Omit<LightResponse, 'statusCode' | 'headers' | 'body' | 'json'>

/** What an injected request by route key takes besides its key. */
export interface RouteInput {
  readonly params?: unknown
  readonly query?: unknown
  readonly headers?: unknown
  readonly body?: unknown
}

/** Sends a request to the server without a socket: by route key (`'GET /users/:id'` with params,
 *  query, headers and body), by URL, or by the options of light-my-request.
 *  @throws ESP_ERR_INJECT_ROUTE when a path parameter is missing */
export function injectRequest(
  dispatch: DispatchFunc,
  target: string | InjectOptions,
  input: RouteInput = {},
): Promise<LightResponse> {
  return inject(dispatch, toOptions(target, input)).then(decodeByType)
}

/** A string that a handler returned was sent as text, so `json()` gives it back as it is. */
function decodeByType(response: LightResponse): LightResponse {
  const type = response.headers['content-type']
  const isText = typeof type === 'string' && /^text\//i.test(type)
  return isText ? Object.assign(response, { json: () => response.payload }) : response
}

function toOptions(target: string | InjectOptions, input: RouteInput): InjectOptions {
  if (typeof target !== 'string') return target
  const space = target.indexOf(' ')
  const [method, path] = [target.slice(0, space), target.slice(space + 1)]
  if (space < 0 || target.startsWith('/')) return { method: 'GET', url: target }
  const { query, headers, body } = input
  const options: InjectOptions = {
    method: method as 'GET',
    url: fillPath(target, path, input.params),
  }
  if (isObject(query)) options.query = toQuery(query)
  if (isObject(headers)) options.headers = headers as NonNullable<InjectOptions['headers']>
  if (body === undefined) return options
  const given = Object.entries(options.headers ?? {})
  const type = given.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  if (typeof type === 'string' && !isJson(mediaTypeOf(type) ?? '')) {
    return { ...options, body: body as NonNullable<InjectOptions['body']> }
  }
  // Strings are JSON too, where light-my-request would send them as they are.
  const contentType = { 'content-type': 'application/json' }
  return { ...options, headers: { ...contentType, ...options.headers }, body: JSON.stringify(body) }
}

/** Puts parameters into a path pattern: `:name`, `:name(regex)`, `:name?` and `*`. */
function fillPath(key: string, pattern: string, params: unknown): string {
  const given: Readonly<Record<string, unknown>> = isObject(params) ? params : {}
  const value = (name: string): string => {
    const param = given[name]
    if (typeof param === 'string' || typeof param === 'number' || typeof param === 'boolean') {
      return String(param)
    }
    throw new errorCodes.ESP_ERR_INJECT_ROUTE(key, name)
  }
  let path = ''
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? ''
    if (char === '*') path += value('*').split('/').map(encodeURIComponent).join('/')
    else if (char !== ':') path += char
    else if (pattern[at + 1] === ':') path += pattern[++at] ?? ''
    else {
      const name = /^[^/\-.(:?*]*/.exec(pattern.slice(at + 1))?.[0] ?? ''
      at = skipPattern(pattern, at + name.length)
      const isOptional = pattern[at + 1] === '?'
      if (isOptional) at += 1
      if (!isOptional || given[name] !== undefined) path += encodeURIComponent(value(name))
      else if (path.endsWith('/') && path.length > 1) path = path.slice(0, -1)
    }
  }
  return path
}

/** The index of the last character of a parameter whose name ends at an index: that of the bracket
 *  that closes its regular expression, if it has one. */
function skipPattern(pattern: string, end: number): number {
  if (pattern[end + 1] !== '(') return end
  let depth = 0
  for (let at = end + 1; at < pattern.length; at++) {
    if (pattern[at] === '(') depth += 1
    if (pattern[at] === ')') depth -= 1
    if (depth === 0) return at
  }
  return end
}

function toQuery(query: Readonly<Record<string, unknown>>): Record<string, string | string[]> {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined)
  // ajv makes null of empty text.
  const orEmpty = (value: unknown): unknown => value ?? ''
  const toText = (value: unknown): string => String(orEmpty(value))
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(toText) : toText(value),
    ]),
  )
}
