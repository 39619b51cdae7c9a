import type { EspalierError } from '../errors/espalier-error.ts'

/** Headers by name. What is undefined is left out. */
export type HeaderValues = Readonly<Record<string, string | number | boolean | undefined>>

/** What a call by route key takes besides its key. */
export interface RouteInput {
  readonly params?: unknown
  /** Lists repeat their name. An empty one is left out, since no URL can say it: a schema that requires the list
   *  refuses the call. */
  readonly query?: unknown
  readonly headers?: HeaderValues | undefined
  /** Bytes, streams, a Blob, FormData and URLSearchParams go as they are; text goes so where the `content-type` is another
   *  than JSON; all else is JSON. */
  readonly body?: unknown
}

/** A call by route key as a request has it. */
export interface RouteCall {
  readonly method: string
  /** The path with its parameters filled in, and the query behind it. */
  readonly target: string
  /** By name as they were given; what is undefined is left out. */
  readonly headers: Readonly<Record<string, string>>
  /** Text where it is JSON, else as it was given. */
  readonly body: unknown
  /** What the body is to `fetch`, unless it is text. */
  readonly kind?: BodyKind | undefined
}

const textType = /^\s*text\//i

/** A call by route key (`GET /users/:id`) as a request.
 *  @param refuse makes the error that is thrown where the path cannot be filled in, or the body not be sent */
export function toRouteCall(key: string, input: RouteInput, refuse: Refusal): RouteCall {
  const space = key.indexOf(' ')
  const path = fillPath(key.slice(space + 1), record(input.params), refuse)
  const query = toQuery(record(input.query))
  const headers = textRecord(record(input.headers))
  const call = { method: key.slice(0, space), target: query ? `${path}?${query}` : path }
  if (input.body === undefined) return { ...call, headers, body: undefined }
  const given = Object.keys(headers).find((name) => name.toLowerCase() === 'content-type')
  const name = given ?? 'content-type'
  const { type, ...sent } = toCallBody(input.body, headers[name], refuse)
  return { ...call, headers: textRecord({ ...headers, [name]: type }), ...sent }
}

/** The value that a body stands for: text of a text type is that text, for a string that a handler
 *  returns is sent so; no body is null, as in a request; all else is JSON, or text where its type does not say JSON.
 *  @throws SyntaxError where what is said to be JSON is not */
export function parseBody(contentType: unknown, body: string): unknown {
  const type = typeof contentType === 'string' ? contentType : 'application/json'
  if (textType.test(type)) return body
  if (body === '') return null
  try {
    return JSON.parse(body)
  } catch (error) {
    if (jsonType.test(type)) throw error
    return body
  }
}

type Given = Readonly<Record<string, unknown>>

function record(value: unknown): Given {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** Values as text; what is undefined is left out. */
export function textRecord(values: Given): Record<string, string> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.map(([name, value]) => [name, text(value)]))
}

const text = (value: unknown) => String(value)

/** Lists repeat their name; null is empty text, of which ajv makes it again. */
function toQuery(query: Given): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value]
    for (const item of items) if (item !== undefined) search.append(name, text(item ?? ''))
  }
  return String(search)
}

/** Puts parameters into a path pattern: `:name`, `:name(regex)`, `:name?` and `*`. */
function fillPath(pattern: string, params: Given, refuse: Refusal): string {
  const value = (name: string): string => {
    const param = params[name]
    // encodeURIComponent throws for half of a surrogate pair.
    if (/^(string|number|boolean)$/.test(typeof param) && !/\p{Cs}/u.test(String(param)))
      return String(param)
    throw refuse(`lacks the path parameter '${name}'`)
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
  // No encoding keeps such a segment: URL parsers resolve '%2e%2e' too, and would ask another route.
  if (/(^|[/\\])(\.|%2e){1,2}([/\\?#]|$)/i.test(path))
    throw refuse(`has '.' or '..' for a part of its path: ${path}`)
  return path
}

/** The index of the last character of a parameter whose name ends at an index: that of the bracket
 *  that closes its regular expression, if it has one. */
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

/** What a body is to `fetch`, which sends it as it is: bytes of any kind are an ArrayBuffer here, and a ReadableStream may be
 *  a stream of Node. */
export type BodyKind = 'FormData' | 'URLSearchParams' | 'Blob' | 'ArrayBuffer' | 'ReadableStream'

/** A body as a request has it. */
export interface CallBody {
  /** Undefined for text, and for what becomes text. */
  readonly kind?: BodyKind | undefined
  /** The content type; undefined where the body says its own. */
  readonly type: string | undefined
  /** Text where it is JSON, else as it was given. */
  readonly body: unknown
}

/** Makes the error of a call that cannot be a request, from what is wrong with it. */
export type Refusal = (problem: string) => EspalierError

export const jsonType: RegExp = /^\s*(application\/json|[^;\s]+\+json)\s*(;|$)/i
const formType = /^\s*multipart\/form-data\s*(;|$)/i
const kinds = ['FormData', 'URLSearchParams', 'Blob', 'ArrayBuffer', 'ReadableStream'] as const

/** A body by the content type of its call, if that has one: what `fetch` knows goes as it is, and all else as JSON, or as
 *  the text that it is.
 *  @param refuse makes the error that is thrown where a body cannot be of its type */
export function toCallBody(body: unknown, type: string | undefined, refuse: Refusal): CallBody {
  const kind = kindOf(body)
  if (kind === 'FormData') {
    // Whoever writes it makes up its boundary, which a type from elsewhere does not have.
    if (type === undefined || formType.test(type)) return { kind, type: undefined, body }
  } else if (kind !== undefined) {
    return { kind, type: type ?? typeOf(body, kind), body }
  } else if (type === undefined || jsonType.test(type)) {
    return { type: type ?? 'application/json', body: JSON.stringify(body) }
  } else if (Object(body) !== body) {
    return { type, body }
  }
  throw refuse(
    `has an object for a body of type '${type}'. Give text, bytes or URLSearchParams, or leave out the content-type`,
  )
}

/** By its tag, since not every platform has all of these, and another realm has its own. */
function kindOf(body: unknown): BodyKind | undefined {
  if (ArrayBuffer.isView(body)) return 'ArrayBuffer'
  // Streams of Node have no tag; old ones may have any, and are nothing to `fetch`.
  if (typeof get(body, 'pipe') === 'function') {
    return get(body, Symbol.asyncIterator) ? 'ReadableStream' : undefined
  }
  const tag = Object.prototype.toString.call(body).slice(8, -1)
  return kinds.find((kind) => kind === tag.replace('File', 'Blob'))
}

/** A Blob may have a type; bytes of which nothing is known have the one that they have in replies. */
function typeOf(body: unknown, kind: BodyKind): string | undefined {
  if (kind === 'URLSearchParams' || (kind === 'Blob' && get(body, 'type'))) return undefined
  return 'application/octet-stream'
}

const get = (body: unknown, name: string | symbol): unknown => Reflect.get(Object(body), name)
