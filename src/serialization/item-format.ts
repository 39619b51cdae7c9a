import { headOf, prefixed, type StreamEvent } from '../http/stream-event.ts'
import type { Serializer } from '../schema/compiler-types.ts'
import { withPlace } from './failure-place.ts'
import { describe } from '../errors/describe.ts'
import { ignoreRejection } from '../types/promises.ts'

/** How the items of a stream are written under a media type. */
export interface ItemFormat {
  /** The content type, as it is declared. */
  readonly contentType: string
  readonly isEvents: boolean
  /** The text of one item. @throws what the serializer throws */
  readonly write: (item: unknown) => string
}

type Write = (serialize: Serializer) => ItemFormat['write']

const lines: Write = (serialize) => (item) => `${textOf(serialize, item)}\n`

/** The formats by media type: WHATWG HTML, 9.2; JSON Lines; RFC 7464. */
const formats: Readonly<Record<string, Write>> = {
  'text/event-stream': (serialize) => (item) => {
    const head = headOf(item)
    if (head === undefined) return `${dataOf(serialize, item)}\n`
    const { data } = item as StreamEvent<unknown>
    return `${head}${data === undefined ? '' : dataOf(serialize, data)}\n`
  },
  'application/jsonl': lines,
  'application/x-ndjson': lines,
  'application/json-seq': (serialize) => (item) => `\x1e${textOf(serialize, item)}\n`,
}

/** The media types whose items may have a schema. */
export const itemTypes: readonly string[] = Object.keys(formats)

/** The format of a media type. Undefined for a type that is no stream of items.
 *  @param type the media type, in lower case without parameters
 *  @param contentType the type as it is declared */
export function itemFormat(
  type: string,
  contentType: string,
  serialize: Serializer,
): ItemFormat | undefined {
  const format = Object.hasOwn(formats, type) ? formats[type] : undefined
  if (format === undefined) return undefined
  return {
    contentType,
    isEvents: type === 'text/event-stream',
    write: format(withPlace(serialize)),
  }
}

/** The `data` of an event. Clients join its lines again. */
function dataOf(serialize: Serializer, item: unknown): string {
  const text = textOf(serialize, item)
  return /[\r\n]/.test(text) ? prefixed('data: ', text).join('') : `data: ${text}\n`
}

/** A serializer may be the user's own code, and JSON has no undefined. */
function textOf(serialize: Serializer, item: unknown): string {
  const text: unknown = serialize(item)
  if (typeof text === 'string') return text
  ignoreRejection(text)
  throw new Error(`the serializer gave ${describe(text)} for ${describe(item)}, not text`)
}
