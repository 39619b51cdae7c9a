// Streams of items: event streams and JSON lines. Clients load this file when they read one.
import type { JsonCodec } from './exact-json.ts'

/** One message of an event stream (WHATWG HTML, 9.2.6). */
export interface EventMessage<Data> {
  /** The value of the JSON in its `data`. */
  readonly data: Data
  /** @default 'message' */
  readonly event: string
  /** The last id that the stream has given; `''` before the first. */
  readonly id: string
}

type Bytes = ReadableStream<Uint8Array>

const itemsType = /^\s*(text\/event-stream|application\/(jsonl|x-ndjson|json-seq))\s*(;|$)/i

/** Whether a body of this type is a stream of items: events, or JSON lines. */
export const isItemsType = (type: string): boolean => itemsType.test(type)

/** A body that is read item by item. */
export interface ItemSource {
  readonly body: Bytes
  /** The `content-type`; `''` if there is none. */
  readonly type: string
  /** Parses the JSON of the body. */
  readonly json: JsonCodec
  /** The signal of the call. */
  readonly signal: AbortSignal | undefined
  /** Makes the error of a body that was cut, or of an aborted signal. */
  readonly cut: (error: unknown) => Error
  /** The most characters of an item. */
  readonly limit: number
  /** Makes the error of a body, or of an item of it, that cannot be read; of an id that no request
   *  can have. */
  readonly refuse: (problem: string, kind: 'JSON' | 'SIZE' | 'ROUTE', cause?: unknown) => Error
  /** Asks for the rest of the stream. Without it the stream is read once.
   *  @param lastEventId in UTF-8, each byte as one character, as headers have it
   *  @throws ESP_ERR_CLIENT_NETWORK, after which it is asked once more */
  readonly again: ((lastEventId: string) => Promise<Continued>) | undefined
  /** Makes the error of an answer that is not the rest of the stream. */
  readonly other: (response: Continued) => Error
}

/** The answer to a call that asks for the rest of a stream. */
export interface Continued {
  readonly declared: boolean
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  stream(): Bytes
}

/** The longest time that timers take. They end at once for a longer one. */
const longest = 2 ** 31 - 1

/** What stays when a stream is asked for again. */
interface Memory {
  id: string
  /** The time until then, in milliseconds. */
  retry: number
}

/** How an event stream is read. */
export interface EventsOptions {
  /** Whether the same call is made again, with the header `last-event-id`, when the stream ends
   *  or is cut: after the time that the stream said by `retry`, 3 seconds if it said none. An
   *  answer of status 204 ends it (WHATWG HTML, 9.2.3). With `after`, an answer of one of these
   *  statuses counts as a failed connection: it is asked again. @default false
   *  @example response.events({ reconnect: { after: [502, 503, 504] } }) */
  readonly reconnect?: boolean | { readonly after: readonly number[] } | undefined
}

/** The items of a body. When the iterator returns, the body is cancelled, even while an item is
 *  awaited. The iterator throws what `cut` and `refuse` make.
 *  @param pick makes an item of a message */
export function readItems<Item>(
  source: ItemSource,
  pick: (message: EventMessage<unknown>) => Item,
  { reconnect = false }: EventsOptions = {},
): Required<AsyncIterator<Item, undefined, undefined>> {
  const stop = new AbortController()
  const again = reconnect === false ? undefined : source.again
  const after = typeof reconnect === 'object' ? reconnect.after : []
  const items = itemsOf({ ...source, again, after }, pick, stop.signal)
  return {
    next: () => items.next(),
    throw: (error) => items.throw(error),
    return: () => {
      stop.abort()
      if (!source.body.locked) source.body.cancel().catch(() => undefined)
      return items.return(undefined)
    },
  }
}

/** A body that may be asked for again, also after answers of these statuses. */
interface Followed extends ItemSource {
  readonly after: readonly number[]
}

async function* itemsOf<Item>(
  source: Followed,
  pick: (message: EventMessage<unknown>) => Item,
  stop: AbortSignal,
): AsyncGenerator<Item, undefined> {
  const { type, again, signal, cut, refuse } = source
  if (!isItemsType(type)) throw refuse(`gave no JSON: '${type}' is no stream of items`, 'JSON')
  const memory = { id: '', retry: 3000 }
  let body: Bytes | null | undefined = source.body
  while (body !== null) {
    if (body !== undefined)
      for await (const message of messagesIn(body, source, memory, stop)) yield pick(message)
    if (again === undefined || stop.aborted) return undefined
    await pause(memory.retry, [stop, signal])
    if (signal?.aborted === true) throw cut(signal.reason)
    // A stop while this waits ends the next round.
    body = await restOf(source, again, memory.id)
  }
  return undefined
}

/** What the value of a header cannot have (RFC 9110, 5.5). */
const isControl = /[^\t\P{Cc}\x80-\x9f]/u

/** The rest of a stream: null if there is none, undefined if the network failed. */
async function restOf(
  { type, other, refuse, after }: Followed,
  again: (lastEventId: string) => Promise<Continued>,
  id: string,
): Promise<Bytes | null | undefined> {
  const bytes = new TextEncoder().encode(id)
  // Servers refuse longer headers, many by closing the connection.
  if (bytes.length > 8192 || isControl.test(id)) {
    const shown = JSON.stringify(id.slice(0, 40))
    throw refuse(`cannot go on: the id of its last event fits no header: ${shown}`, 'ROUTE')
  }
  try {
    const response = await again(String.fromCharCode(...bytes))
    if (response.statusCode === 204) return null
    if (after.includes(response.statusCode)) {
      response
        .stream()
        .cancel()
        .catch(() => undefined)
      return undefined
    }
    const isSame = essenceOf(response.headers['content-type']) === essenceOf(type)
    if (response.declared && isSame) return response.stream()
    throw other(response)
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'ESP_ERR_CLIENT_NETWORK') return undefined
    throw error
  }
}

async function* messagesIn(
  body: Bytes,
  source: ItemSource,
  memory: Memory,
  stop: AbortSignal,
): AsyncGenerator<EventMessage<unknown>, void> {
  const check = (size: number) => {
    const { limit } = source
    if (size > limit) throw source.refuse(`gave an item of more than ${limit} characters`, 'SIZE')
  }
  const decode = isLines(source.type) ? lineDecoder(check) : eventDecoder(memory, check)
  const parse = (text: string): unknown => {
    try {
      return source.json.parse(text)
    } catch (error) {
      throw source.refuse(`gave no JSON: ${(error as Error).message}`, 'JSON', error)
    }
  }
  for await (const chunk of textOf(body, source, stop)) {
    for (const { data, event, id } of decode(chunk)) yield { data: parse(data), event, id }
  }
}

/** The text of a body, as it comes; at the end of lines of JSON, a line break. */
async function* textOf(
  body: Bytes,
  { type, again, signal, cut }: ItemSource,
  stop: AbortSignal,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  const cancel = (): void => {
    reader.cancel().catch(() => undefined)
  }
  stop.addEventListener('abort', cancel)
  if (stop.aborted) cancel()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        if (again === undefined || signal?.aborted === true) throw cut(error)
        return { done: true, value: undefined }
      })
      if (done) break
      yield decoder.decode(value, { stream: true })
    }
    if (isLines(type)) yield '\n'
  } finally {
    stop.removeEventListener('abort', cancel)
    cancel()
  }
}

const essenceOf = (type: unknown): string => String(type).replace(/;.*/, '').trim().toLowerCase()

const isLines = (type: string): boolean => /^\s*application\//i.test(type)

type Decoder = (chunk: string) => Iterable<EventMessage<string>>

/** Throws if an item, as far as it was read, has too many characters. */
type SizeCheck = (size: number) => void

/** Decodes JSON lines. A record separator before a line is left out (RFC 7464). */
function lineDecoder(check: SizeCheck): Decoder {
  let rest = ''
  return function* (chunk) {
    const [first = '', ...others] = chunk.split('\n')
    const lines = [rest + first, ...others]
    rest = lines.pop() ?? ''
    for (const line of lines) {
      check(line.length)
      const data = line.replace('\x1e', '').trim()
      if (data !== '') yield { data, event: 'message', id: '' }
    }
    check(rest.length)
  }
}

/** Decodes an event stream as WHATWG HTML, 9.2.6 says. A message that the stream does not end with
 *  an empty line is dropped. */
function eventDecoder(memory: Memory, check: SizeCheck): Decoder {
  let rest = ''
  let isAfterReturn = false
  /** The characters of the lines of a message. */
  let size = 0
  const read = fieldReader(memory)
  return function* (chunk) {
    // The line feed belongs to the carriage return at the end of the chunk before.
    const text = isAfterReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk
    if (chunk !== '') isAfterReturn = chunk.endsWith('\r')
    const [first = '', ...others] = text.split(/\r\n|\n|\r/)
    const lines = [rest + first, ...others]
    rest = lines.pop() ?? ''
    for (const line of lines) {
      check(size + line.length)
      if (line === '') size = 0
      else if (!line.startsWith(':')) size += line.length
      const message = read(line)
      if (message !== undefined) yield message
    }
    check(size + rest.length)
  }
}

/** Reads the lines of an event stream. An empty line gives the message before it, if that has
 *  data. */
function fieldReader(memory: Memory): (line: string) => EventMessage<string> | undefined {
  let data: string[] = []
  let event = ''
  let { id } = memory
  return (line) => {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'data') data.push(value)
    else if (name === 'event') event = value
    else if (name === 'id' && !value.includes('\0')) id = value
    else if (name === 'retry' && /^\d+$/.test(value))
      memory.retry = Math.min(Number(value), longest)
    if (line !== '') return undefined
    memory.id = id
    const message = { data: data.join('\n'), event: event || 'message', id }
    data = []
    event = ''
    return message.data === '' ? undefined : message
  }
}

/** Waits, until one of the signals is aborted. */
function pause(time: number, signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      for (const signal of signals) signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, time)
    for (const signal of signals) signal?.addEventListener('abort', end)
    if (signals.some((signal) => signal?.aborted)) end()
  })
}
