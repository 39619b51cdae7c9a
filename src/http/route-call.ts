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

/** The request of a call by route key. */
export interface RouteCall {
  readonly method: string
  /** The path with parameters, and the query. */
  readonly target: string
  /** By name, in the given case. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON as text, or the given body. */
  readonly body: unknown
}

const textType = /^\s*text\//i

/** Makes the request of a call by route key (`GET /users/:id`).
 *  @param refuse makes the error for a missing path parameter, or a body that does not fit its
 *  type
 *  @param json writes the body */
export function toRouteCall(
  key: string,
  input: RouteInput,
  refuse: Refusal,
  json: JsonCodec,
): RouteCall {
  const space = key.indexOf(' ')
  const path = fillPath(key.slice(space + 1), { ...(input.params as Given) }, refuse)
  const query = toQuery(input.query, refuse)
  const headers = textRecord(input.headers)
  const given = Object.keys(headers).find((name) => /^content-type$/i.test(name))
  const name = given ?? 'content-type'
  const { type, body } = toCallBody(input.body, headers[name], refuse, json)
  return {
    method: key.slice(0, space),
    target: query ? `${path}?${query}` : path,
    headers: textRecord({ ...headers, [name]: type }),
    body,
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
  if (kindOf(query) === 'URLSearchParams') return String(query)
  const search = new URLSearchParams()
  append<string>(search, query, (_, name) => {
    throw refuse(`has an object at '${name}' of a query`)
  })
  return String(search)
}

/** Appends values to a query or a form. A list repeats its name, unless it has an object: items of
 *  their own would not tell a list of one from its item. Null becomes empty text, which ajv coerces
 *  to null.
 *  @param toItem makes an item of an object */
function append<Item>(
  target: { append(name: string, item: string | Item): void },
  values: unknown,
  toItem: (value: unknown, name: string) => Item,
): void {
  const isObject = (value: unknown) => textOf(value) === undefined && kindOf(value) !== 'Blob'
  for (const [name, value] of Object.entries({ ...(values as Given) }))
    for (const item of Array.isArray(value) && !value.some(isObject) ? value : [value])
      if (item !== undefined) target.append(name, textOf(item ?? '') ?? toItem(item, name))
}

/** The text of a value in a form or a query: a date and the like have that of their JSON.
 *  Undefined for an object. */
function textOf(value: unknown): string | undefined {
  const given = (value as Partial<Date> | null)?.toJSON?.() ?? value
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

/** A body that `fetch` sends as it is. All bytes count as `ArrayBuffer`, and a stream of Node
 *  counts as `ReadableStream`. */
type BodyKind = 'FormData' | 'URLSearchParams' | 'Blob' | 'ArrayBuffer' | 'ReadableStream'

interface CallBody {
  /** The content type; undefined if the body has its own. */
  readonly type: string | undefined
  readonly body: unknown
}

/** Makes the error of an invalid call. */
export type Refusal = (problem: string) => EspalierError

const jsonType: RegExp = /^\s*(application\/json|[^;\s]+\+json)\s*(;|$)/i
const formType = /^\s*multipart\/form-data\s*(;|$)/i
const kinds = /^(FormData|URLSearchParams|Blob|ArrayBuffer|ReadableStream)$/

/** The body of a call, by its content type if it has one.
 *  @param refuse makes the error for a body that does not fit its type */
function toCallBody(
  body: unknown,
  type: string | undefined,
  refuse: Refusal,
  json: JsonCodec,
): CallBody {
  const kind = kindOf(body)
  if (kind === 'FormData') {
    // The boundary is made when the form is written, so a given type does not have it.
    if (type === undefined || formType.test(type)) return { type: undefined, body }
  } else if (kind !== undefined) {
    const hasOwn = kind === 'URLSearchParams' || memberOf(body, 'type')
    return { type: type ?? (hasOwn ? undefined : 'application/octet-stream'), body }
  } else if (body === undefined) {
    return { type, body }
  } else if (type === undefined || jsonType.test(type)) {
    const text = attempt(refuse, () => json.stringify(body))
    return { type: type ?? 'application/json', body: text }
  } else if (Object(body) !== body) {
    return { type, body }
  } else if (formType.test(type)) {
    return { type: undefined, body: toForm(body, refuse, json) }
  }
  throw refuse(`has an object for a body of type '${type}'. Give text or bytes, or no content-type`)
}

/** A form of fields and files. An object is a part of JSON, in which nothing can be a file. */
function toForm(body: unknown, refuse: Refusal, json: JsonCodec): FormData {
  const form = new FormData()
  append<Blob>(form, body, (value, name) => {
    const kind = kindOf(value)
    if (kind === 'Blob') return value as Blob
    if (kind) throw refuse(`has an object at '${name}' of a form`)
    const text = attempt(refuse, () => json.stringify(value))
    return new Blob([text], { type: 'application/json' })
  })
  return form
}

/** Compares tags, since a platform may lack some of these classes, and each realm has its own. */
export function kindOf(body: unknown): BodyKind | undefined {
  if (ArrayBuffer.isView(body)) return 'ArrayBuffer'
  // Streams of Node have no tag. `fetch` does not accept streams of old libraries.
  if (typeof memberOf(body, 'pipe') === 'function') {
    return memberOf(body, Symbol.asyncIterator) ? 'ReadableStream' : undefined
  }
  const tag = Object.prototype.toString.call(body).slice(8, -1)
  // cast: of the expression
  return kinds.exec(tag.replace('File', 'Blob'))?.[0] as BodyKind | undefined
}

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
