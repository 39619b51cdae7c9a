import type { EspalierError } from '../errors/espalier-error.ts'

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
