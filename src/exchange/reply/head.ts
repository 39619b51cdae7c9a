import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { errorCodes } from '../../errors/codes.ts'
import { hasHead, createHeaders, type HeaderValue } from '../../http/headers.ts'
import { withCharset } from '../../http/media-type.ts'
import { isStatus } from '../../http/status.ts'
import { ReplyCore, stateOf } from './state.ts'
import { readTrailer, type TrailerFunction } from './trailers.ts'

/** The head of a reply: its status and its headers, and the trailers behind its body. */
export class ReplyHead<Self> extends ReplyCore<Self> {
  get statusCode(): number {
    return this.raw.statusCode
  }

  set statusCode(status: number) {
    this.code(status)
  }

  /** Sets the status.
   *  @throws ESP_ERR_BAD_STATUS_CODE unless it is an integer from 100 to 599 */
  code(status: number): this {
    const given: unknown = typeof status === 'string' ? Number(status) : status
    const { truncatesStatus } = stateOf(this).route.dialect.reply
    const code = truncatesStatus && typeof given === 'number' ? Math.trunc(given) : given
    if (!isStatus(code)) throw new errorCodes.ESP_ERR_BAD_STATUS_CODE(String(status))
    this.raw.statusCode = code
    return this
  }

  /** The same as `code`. */
  status(status: number): this {
    return this.code(status)
  }

  /** Sets a header. `set-cookie` is added to what is there; any other replaces it, also where it was
   *  set on `raw`. What is set on `raw` later replaces it in turn. */
  header(name: string, value: HeaderValue = ''): this {
    const key = name.toLowerCase()
    const headers = (stateOf(this).headers ??= createHeaders())
    const present = key === 'set-cookie' ? this.getHeader(key) : undefined
    removeFromRaw(this.raw, key)
    if (present !== undefined) {
      headers[key] = [present, value].flat().map(String)
    } else {
      // A copy: what is done to the list later must not reach the reply, nor another that has it.
      headers[key] = isList(value) ? [...value] : value
    }
    return this
  }

  headers(headers: Readonly<Record<string, HeaderValue | undefined>>): this {
    for (const [name, value] of Object.entries(headers)) this.header(name, value)
    return this
  }

  /** The value of a header that was set here or on `raw`: the later one, and all cookies. */
  getHeader(name: string): HeaderValue | undefined {
    const key = name.toLowerCase()
    const own = stateOf(this).headers?.[key]
    // `header` removes a name from raw: one that is there was set later.
    const later = this.raw.getHeader(key)
    if (later === undefined) return own
    if (own === undefined || key !== 'set-cookie') return later
    return [...new Set([own, later].flat().map(String))]
  }

  getHeaders(): OutgoingHttpHeaders {
    const all = Object.assign(createHeaders(), stateOf(this).headers)
    for (const name of this.raw.getHeaderNames()) all[name] = this.getHeader(name) ?? ''
    // A copy: what a caller does to the list of a header must not reach the reply.
    return structuredClone(all) as OutgoingHttpHeaders
  }

  hasHeader(name: string): boolean {
    return this.getHeader(name) !== undefined
  }

  removeHeader(name: string): this {
    const key = name.toLowerCase()
    delete stateOf(this).headers?.[key]
    removeFromRaw(this.raw, key)
    return this
  }

  /** Sets the content type. Text types get `charset=utf-8` unless another is given. */
  type(contentType: string): this {
    return this.header(
      'content-type',
      withCharset(contentType, stateOf(this).route.dialect.reply.withCharset),
    )
  }

  /** Has a field sent behind the body, which is sent in chunks then. The function is given the body as
   *  it was written, or null for a stream, and returns the value, a promise of it, or calls back.
   *  A value that fails is left out.
   *  @throws ESP_ERR_BAD_TRAILER_NAME, ESP_ERR_BAD_TRAILER_VALUE */
  trailer(name: string, value: TrailerFunction<this>): this {
    const [key, checked] = readTrailer(name, value)
    const state = stateOf(this)
    state.trailers = { ...state.trailers, [key]: checked }
    return this
  }

  hasTrailer(name: string): boolean {
    return stateOf(this).trailers?.[name.toLowerCase()] !== undefined
  }

  removeTrailer(name: string): this {
    const state = stateOf(this)
    const { [name.toLowerCase()]: _removed, ...others } = state.trailers ?? {}
    state.trailers = Object.keys(others).length === 0 ? undefined : others
    return this
  }

  /** Tells the client of headers before the reply itself (status 103).
   *  @param callback called when they are written */
  writeEarlyHints(hints: Readonly<Record<string, string | string[]>>, callback?: () => void): this {
    this.raw.writeEarlyHints(hints, callback)
    return this
  }
}

function removeFromRaw(raw: ServerResponse, name: string): void {
  if (raw.hasHeader(name) && !hasHead(raw)) raw.removeHeader(name)
}

function isList(value: HeaderValue): value is readonly string[] {
  return Array.isArray(value)
}
