import type { EventMessage, EventsOptions, ItemSource, readItems } from './events.ts'
import { messageOf, parseBody } from './route-call.ts'

/** The members of a response that read its body. */
export interface BodyMembers {
  json(): unknown
  text(): Promise<string>
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>
  formData(): Promise<FormData>
  events(options?: EventsOptions): AsyncIterableIterator<unknown>
  messages(options?: EventsOptions): AsyncIterableIterator<EventMessage<unknown>>
}

/** A body that was received. */
export interface ReceivedBody extends Omit<ItemSource, 'body'> {
  /** The whole body; undefined if it was not read. */
  readonly buffer: ArrayBuffer | Uint8Array<ArrayBuffer> | undefined
  /** A response with this body: for a body that was read, a new one each time. */
  readonly open: () => Response
  /** The reader of streams of items, or a promise of it: browsers load it when it is used. */
  readonly reader: () => ItemReader | Promise<ItemReader>
}

interface ItemReader {
  readonly readItems: typeof readItems
}

const bytesType =
  /^\s*((image|audio|video|font|multipart)\/|(text\/event-stream|application\/(octet-stream|pdf|zip|gzip|jsonl|x-ndjson|json-seq))\s*(;|$))/i

/** Whether a body of this type is left to be read when it is asked for: bytes that may be many, and
 *  streams of items, which may not end. */
export const isBytesType = (type: string): boolean => bytesType.test(type)

/** Whether a body of this type is a page. Proxies, and servers of single-page applications, answer
 *  with one instead of the route, with status 200. */
export const isPage = (type: string): boolean => /^\s*text\/html/i.test(type)

/** Whether a response is one that its route declares.
 *  @param ok whether its status is 2xx
 *  @param mark its header `declared`
 *  @param type its content type */
export const isDeclared = (ok: boolean, mark: unknown, type: string): boolean =>
  mark === '?1' || (ok && mark !== '?0' && !isPage(type))

/** Reads a body to its end, or cancels it once it has more bytes than the limit.
 *  @throws what `refuse` makes; errors of the platform */
export async function readWhole(
  response: Response,
  { limit, refuse }: Pick<ItemSource, 'limit' | 'refuse'>,
): Promise<ArrayBuffer> {
  // No body, React Native, which has no streams, and a body that was read before: an error.
  if (!response.body || response.bodyUsed) return response.arrayBuffer()
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    size += value.length
    if (size <= limit) continue
    reader.cancel().catch(() => undefined)
    throw refuse(`gave more than ${limit} bytes`, 'SIZE')
  }
  const whole = new Uint8Array(size)
  for (const chunk of chunks.reverse()) whole.set(chunk, (size -= chunk.length))
  return whole.buffer
}

/** Makes the members that read a body. */
export function readersOf(body: ReceivedBody): BodyMembers {
  const { type, json, buffer, open, cut, refuse } = body
  const read = async <Value>(from: (response: Response) => Promise<Value>): Promise<Value> => {
    try {
      const whole = buffer ?? (await readWhole(open(), body))
      return await from(new Response(whole, { headers: { 'content-type': type } }))
    } catch (error) {
      throw cut(error)
    }
  }
  return {
    json: () => {
      try {
        if (buffer === undefined) throw new TypeError(`${type} is not read`)
        return parseBody(type, new TextDecoder().decode(buffer), json)
      } catch (error) {
        throw refuse(`gave no JSON: ${messageOf(error)}`, 'JSON', error)
      }
    },
    text: () => read((response) => response.text()),
    bytes: () => read(async (response) => new Uint8Array(await response.arrayBuffer())),
    stream: () => streamOf(body),
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- for uploads to servers
    formData: () => read((response) => response.formData()),
    events: (options) => itemsOf(body, ({ data }) => data, options),
    messages: (options) => itemsOf(body, (message) => message, options),
  }
}

/** The bytes of a body. A body without bytes has been read, and was opened as an empty one. */
const streamOf = ({ open }: ReceivedBody) => open().body as ReadableStream<Uint8Array<ArrayBuffer>>

/** The items of a body. Their reader is asked for with the first one. */
function itemsOf<Item>(
  body: ReceivedBody,
  pick: (message: EventMessage<unknown>) => Item,
  options?: EventsOptions,
): AsyncIterableIterator<Item> {
  const load = async () => {
    const { readItems } = await body.reader()
    return readItems({ ...body, body: streamOf(body) }, pick, options)
  }
  let loaded: ReturnType<typeof load> | undefined
  const on = (name: 'next' | 'return') => async () => (await (loaded ??= load()))[name]()
  return {
    next: on('next'),
    return: on('return'),
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
