// Bodies of calls. Clients load this file when they send one that is no plain JSON.
import type { CallBody, BodyTools } from './route-call.ts'

/** A body that `fetch` sends as it is. All bytes count as `ArrayBuffer`, and a stream of Node
 *  counts as `ReadableStream`. */
type BodyKind = 'FormData' | 'URLSearchParams' | 'Blob' | 'ArrayBuffer' | 'ReadableStream'

const formType = /^\s*multipart\/form-data\s*(;|$)/i
const kinds = /^(FormData|URLSearchParams|Blob|ArrayBuffer|ReadableStream)$/

/** The body of a call, by its content type if it has one.
 *  @throws what `refuse` makes for a body that does not fit its type */
export function toCallBody(body: unknown, type: string | undefined, tools: BodyTools): CallBody {
  const kind = kindOf(body)
  if (kind === 'FormData') {
    // The boundary is made when the form is written, so a given type does not have it.
    if (formType.test(type ?? 'multipart/form-data')) return { type: undefined, body }
  } else if (kind !== undefined) {
    const hasOwn = kind === 'URLSearchParams' || memberOf(body, 'type')
    return { type: type ?? (hasOwn ? undefined : 'application/octet-stream'), body }
  } else if (body === undefined) {
    return { type, body }
  } else if (tools.isJsonType(type)) {
    return { type: type ?? 'application/json', body: tools.write(body) }
  } else if (Object(body) !== body) {
    return { type, body }
  } else if (formType.test(String(type))) {
    return { type: undefined, body: toForm(body, tools) }
  }
  throw tools.refuse(
    `has an object for a body of type '${type}'. Give text or bytes, or no content-type`,
  )
}

/** A form of fields and files. An object is a part of JSON, in which nothing can be a file. */
function toForm(body: unknown, { refuse, write, textOf }: BodyTools): FormData {
  const form = new FormData()
  const isObject = (value: unknown) => textOf(value) === undefined && kindOf(value) !== 'Blob'
  const toItem = (value: unknown, name: string): Blob => {
    const kind = kindOf(value)
    if (kind === 'Blob') return value as Blob
    if (kind) throw refuse(`has an object at '${name}' of a form`)
    return new Blob([write(value)], { type: 'application/json' })
  }
  for (const [name, value] of Object.entries({ ...(body as object) }))
    // A list with an object is one part: parts of their own would not tell a list of one from it.
    for (const item of Array.isArray(value) && !value.some(isObject) ? value : [value])
      if (item !== undefined) form.append(name, textOf(item) ?? toItem(item, name))
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

const memberOf = (value: unknown, name: string | symbol): unknown =>
  Reflect.get(Object(value), name)

/** Whether the platform sends streams. One that does not sends the text `[object ReadableStream]`
 *  instead. */
export function sendsStreams(): boolean {
  const init = { method: 'POST', body: new ReadableStream(), duplex: 'half' } as const
  return !new Request('http://localhost', init).headers.has('content-type')
}
