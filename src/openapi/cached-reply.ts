import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { HeaderValue } from '../http/headers.ts'
import type { Sending, Sent } from '../typed/sent.ts'

/** What is read of a request. */
export interface Asking {
  readonly headers: IncomingHttpHeaders
}

/** What is set on a reply. */
export interface Answering {
  code(status: 304): unknown
  header(name: string, value: string): unknown
  hasHeader(name: string): boolean
  getHeader(name: string): HeaderValue | undefined
  send(payload: string | Uint8Array): Sending
}

/** A handler that sends a text. */
export type CachedReply = (request: Asking, reply: Answering) => Promise<Sent>

const compress = promisify(gzip)
/** The smallest text that is compressed, in bytes: a smaller one fits into one packet anyway. */
const compressedFrom = 1024

/** Answers requests with one text: 304 to clients that have it, else the text, by gzip if they take
 *  it. It is compressed once, at the first such request.
 *  @param type the content type
 *  @example app.get('/text', cachedReply('text/plain; charset=utf-8', 'a text')) */
export function cachedReply(type: string, text: string | Uint8Array): CachedReply {
  const plain = Buffer.from(text)
  // A weak tag, since it stands for the text in every encoding.
  const tag = `W/"${createHash('sha256').update(plain).digest('base64url')}"`
  let compressed: Promise<Buffer> | undefined
  return async ({ headers }, reply) => {
    reply.header('etag', tag)
    addVary(reply)
    // With `no-cache` even a shared cache asks first, so a guard sees each request.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache')
    if (hasTag(headers['if-none-match'], tag)) {
      reply.code(304)
      return reply.send('')
    }
    reply.header('content-type', type)
    if (plain.length < compressedFrom || !takesGzip(headers['accept-encoding'])) {
      return reply.send(plain)
    }
    const payload = await (compressed ??= compress(plain))
    reply.header('content-encoding', 'gzip')
    return reply.send(payload)
  }
}

function addVary(reply: Answering): void {
  const before = reply.getHeader('vary')
  const names = before === undefined ? [] : [before].flat().map(String)
  const isThere = names.some((name) => /(^|,)\s*(accept-encoding|\*)\s*(,|$)/i.test(name))
  if (!isThere) reply.header('vary', [...names, 'accept-encoding'].join(', '))
}

/** The weak comparison of RFC 9110, 8.8.3.2. */
function hasTag(header: string | undefined, tag: string): boolean {
  const given = header?.split(',').map((each) => each.trim()) ?? []
  return given.some((each) => each === '*' || each === tag || `W/${each}` === tag)
}

/** Whether a client takes gzip (RFC 9110, 12.5.3). */
function takesGzip(header: string | string[] | undefined): boolean {
  const codings = [header ?? []].flat().join().toLowerCase().split(',')
  const weights = new Map(
    codings.map((coding) => {
      const [name = '', ...parameters] = coding.split(';').map((part) => part.trim())
      return [name, parameters.some((each) => /^q=0(\.0*)?$/.test(each)) ? 0 : 1]
    }),
  )
  return (weights.get('gzip') ?? weights.get('*')) === 1
}
