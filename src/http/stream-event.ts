import { errorCodes } from '../errors/codes.ts'
import { once } from '../packages/once.ts'

/** The fields of an event beside its data (WHATWG HTML, 9.2.6). */
export interface EventFields {
  /** What a client sends back as `Last-Event-ID` when it connects again. */
  readonly id?: string | number | undefined
  /** The type of the event. @default 'message', by which browsers call `onmessage` */
  readonly event?: string | undefined
  /** The time after which a client connects again, in milliseconds. */
  readonly retry?: number | undefined
  /** A comment, which clients skip. It may have several lines. */
  readonly comment?: string | undefined
}

/** An item of an event stream with the fields of its event. `event` makes it. */
export class StreamEvent<Data> {
  /** The item, which is written by the `itemSchema`. Undefined for an event without data. */
  readonly data: Data | undefined
  /** The lines before the data, each with its line break. */
  readonly #head: string

  constructor(data: Data | undefined, head: string) {
    this.data = data
    this.#head = head
  }

  static headOf(value: unknown): string | undefined {
    return typeof value === 'object' && value !== null && #head in value ? value.#head : undefined
  }
}

const SharedEvent: typeof StreamEvent = once('StreamEvent', () => StreamEvent)

/** The lines before the data of an event. Undefined for any other value. */
export const headOf = (value: unknown): string | undefined => SharedEvent.headOf(value)

/** Makes an event with fields, for a handler to yield under `text/event-stream`.
 *  @param data the item. Undefined for fields alone, which browsers call no listener for
 *  @throws ESP_ERR_REP_EVENT for an `id` or `event` with a line break or a NUL, and a `retry` that
 *  is not a whole number
 *  @example yield event({ price: 3 }, { id: 7, event: 'price' }) */
export function event(data: undefined, fields: EventFields): StreamEvent<never>
export function event<const Data>(data: Data, fields?: EventFields): StreamEvent<Data>
export function event(data: unknown, fields: EventFields = {}): StreamEvent<unknown> {
  const { id, event: name, retry, comment } = fields
  const head = [
    ...(comment === undefined ? [] : prefixed(': ', comment)),
    ...(name === undefined ? [] : [`event: ${oneLine('event', name)}\n`]),
    ...(id === undefined ? [] : [`id: ${oneLine('id', String(id))}\n`]),
    ...(retry === undefined ? [] : [`retry: ${wholeNumber(retry)}\n`]),
  ]
  return new SharedEvent(data, head.join(''))
}

/** Each line of a text behind a prefix. */
export function prefixed(prefix: string, text: string): string[] {
  return text.split(/\r\n|\r|\n/).map((line) => `${prefix}${line}\n`)
}

function oneLine(field: string, text: string): string {
  if (!/[\r\n\0]/.test(text)) return text
  const rule = 'one line without NUL'
  throw new errorCodes.ESP_ERR_REP_EVENT(field, rule, JSON.stringify(text.slice(0, 60)))
}

function wholeNumber(retry: number): number {
  if (Number.isInteger(retry) && retry >= 0) return retry
  const rule = 'a whole number of milliseconds'
  throw new errorCodes.ESP_ERR_REP_EVENT('retry', rule, String(retry))
}
