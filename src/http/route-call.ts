import type { EspalierError } from '../errors/espalier-error.ts'
import type { JsonCodec } from './exact-json.ts'

/** Headers by name. Undefined ones are left out. */
export type HeaderValues = Readonly<Record<string, string | number | boolean | undefined>>

/** The input of a call by route key. */
export interface RouteInput {
  readonly params?: unknown
  /** A list repeats its name. An empty list is left out, since no URL can express it. A schema that
   *  requires the list refuses the call. */
  readonly query?: unknown
  readonly headers?: HeaderValues | undefined
  /** Bytes, streams, a Blob, FormData and URLSearchParams are sent as they are, and text with a
   *  `content-type` other than JSON. An object of type `multipart/form-data` is sent as a form;
   *  objects in it are parts of type `application/json`. Any other value is sent as JSON. */
  readonly body?: unknown
}

/** The request of a call by route key, without its body. */
export interface RouteCall {
  readonly method: string
  /** The path with parameters, and the query. */
  readonly target: string
  /** By name, in the given case. */
  readonly headers: Readonly<Record<string, string>>
  /** The given content type. */
  readonly type: string | undefined
}

const textType = /^\s*text\//i

/** Makes the request of a call by route key (`GET /users/:id`).
 *  @param refuse makes the error for a missing path parameter, or an object in the query */
export function toRouteCall(key: string, input: RouteInput, refuse: Refusal): RouteCall {
  const space = key.indexOf(' ')
  const path = fillPath(key.slice(space + 1), { ...(input.params as Given) }, refuse)
  const query = toQuery(input.query, refuse)
  const headers = textRecord(input.headers)
  const name = Object.keys(headers).find((each) => /^content-type$/i.test(each))
  return {
    method: key.slice(0, space),
    target: query ? `${path}?${query}` : path,
    headers,
    type: headers[name ?? ''],
  }
}

/** Parses a response body. A text type gives the text, and an empty body null. Any other body is
 *  parsed as JSON; it stays text if that fails and the type is not JSON.
 *  @param type its content type; `''` if there is none, as for JSON
 *  @throws SyntaxError for invalid JSON of a JSON type */
export function parseBody(type: string, body: string, json: JsonCodec): unknown {
  if (textType.test(type)) return body
  if (body === '') return null
  try {
    return json.parse(body)
  } catch (error) {
    if (type === '' || jsonType.test(type)) throw error
    return body
  }
}

type Given = Readonly<Record<string, unknown>>

/** The defined values as text. */
export function textRecord(values: Given | undefined): Record<string, string> {
  const entries = Object.entries(values ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

function toQuery(query: unknown, refuse: Refusal): string {
  if (Object.prototype.toString.call(query).endsWith('URLSearchParams]')) return String(query)
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...(query as Given) }))
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      const text = textOf(item)
      if (text === undefined) throw refuse(`has an object at '${name}' of a query`)
      if (item !== undefined) search.append(name, text)
    }
  return String(search)
}

/** The text of a value in a form or a query: a date and the like have that of their JSON, and null
 *  is empty text, which ajv coerces to null. Undefined for an object. */
function textOf(value: unknown): string | undefined {
  const given: unknown = (value as Partial<Date> | null)?.toJSON?.() ?? value ?? ''
  return Object(given) === given ? undefined : String(given)
}

/** Puts parameters into a path pattern: `:name`, `:name(regex)`, `:name?` and `*`. */
function fillPath(pattern: string, params: Given, refuse: Refusal): string {
  const value = (name: string): string => {
    const param: unknown = params[name] ?? {}
    // encodeURIComponent throws for a lone surrogate.
    if (Object(param) === param || /\p{Cs}/u.test(String(param)))
      throw refuse(`lacks the path parameter '${name}'`)
    return String(param)
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
      if (!isOptional || params[name] !== undefined) path += encodeURIComponent(value(name))
      else if (path.endsWith('/') && path.length > 1) path = path.slice(0, -1)
    }
  }
  // Encoding does not help: URL parsers resolve '%2e%2e' too, which leads to another route.
  if (/(^|[/\\])(\.|%2e){1,2}([/\\?#]|$)/i.test(path))
    throw refuse(`has '.' or '..' in its path: ${path}`)
  return path
}

/** The index of the last character of a path parameter: the closing bracket of its regular
 *  expression, or the end of its name.
 *  @param end the index of the last character of its name */
export function skipPattern(pattern: string, end: number): number {
  if (pattern[end + 1] !== '(') return end
  let depth = 0
  for (let at = end + 1; at < pattern.length; at++) {
    if (pattern[at] === '\\') at += 1
    else if (pattern[at] === '(') depth += 1
    else if (pattern[at] === ')') depth -= 1
    if (depth === 0) return at
  }
  return end
}

/** Makes the error of an invalid call. */
export type Refusal = (problem: string) => EspalierError

const jsonType = /^\s*(application\/json|[^;\s]+\+json)\s*(;|$)/i

/** A body as it is sent. */
export interface CallBody {
  /** The content type; undefined if there is none, or if the body has its own. */
  readonly type: string | undefined
  readonly body: unknown
}

/** What makes the bodies of calls. Clients load the rest when they need it. */
export interface BodyTools {
  readonly refuse: Refusal
  /** Writes JSON. @throws what `refuse` makes */
  readonly write: (value: unknown) => string
  readonly textOf: (value: unknown) => string | undefined
  /** Whether a value is sent as JSON under this type. */
  readonly isJsonType: (type: string | undefined) => boolean
}

export const bodyTools = (refuse: Refusal, json: JsonCodec): BodyTools => ({
  refuse,
  write: (value) => attempt(refuse, () => json.stringify(value)),
  textOf,
  isJsonType: (type) => type === undefined || jsonType.test(type),
})

/** Gives what a function makes of the input of a call. */
export function attempt<Value>(refuse: Refusal, make: () => Value): Value {
  try {
    return make()
  } catch (error) {
    throw refuse(`failed: ${messageOf(error)}`)
  }
}

export const messageOf = (error: unknown): string => String(memberOf(error, 'message') ?? error)

/** A member of any value. */
export const memberOf = (value: unknown, name: string | symbol): unknown =>
  Reflect.get(Object(value), name)
