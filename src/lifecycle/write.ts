import { isBodyless } from '../http/status.ts'
import { stateOf, type Reply } from '../exchange/reply.ts'
import type { Bytes } from './payload.ts'

/** Writes a reply in one go: one `writeHead` with a flat list is twice as fast as setting headers
 *  one by one. A reply to HEAD keeps the length that its body would have (RFC 9110, 9.3.2). */
export function writeReply(reply: Reply, body: Bytes): void {
  const { raw } = reply
  const headers = stateOf(reply).headers ?? {}
  if (isBodyless(raw.statusCode)) {
    delete headers['content-type']
    delete headers['content-length']
    raw.writeHead(raw.statusCode, flatten(headers)).end()
    return
  }
  headers['content-length'] ??= lengthOf(body)
  raw.writeHead(raw.statusCode, flatten(headers))
  raw.end(reply.request.raw.method === 'HEAD' ? undefined : body)
}

function lengthOf(body: Bytes): string {
  if (body === undefined) return '0'
  return String(typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength)
}

function flatten(headers: Readonly<Record<string, unknown>>): string[] {
  const list: unknown[] = []
  for (const name in headers) list.push(name, headers[name])
  // cast: Node takes numbers and lists as values too, which its types do not say of flat lists
  return list as string[]
}
