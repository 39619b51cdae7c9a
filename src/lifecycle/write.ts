import { isBodyless } from '../http/status.ts'
import { stateOf, type Reply } from '../exchange/reply.ts'
import type { Bytes } from './payload.ts'

/** Writes a reply in one go: one `writeHead` with a flat list is twice as fast as setting headers
 *  one by one. A reply to HEAD keeps the length that its body would have (RFC 9110, 9.3.2). */
export function writeReply(reply: Reply, body: Bytes): void {
  const { raw } = reply
  const { method } = reply.request.raw
  const headers = stateOf(reply).headers ?? {}
  if (isBodyless(raw.statusCode)) {
    delete headers['content-type']
    delete headers['content-length']
    writeHead(reply, headers)
    raw.end()
    return
  }
  // A length that is not the body's would shift the replies behind it (RFC 9112, 6.3).
  const keepsLength = method === 'HEAD' && headers['content-length'] !== undefined
  if (!keepsLength) headers['content-length'] = lengthOf(body)
  writeHead(reply, headers)
  raw.end(method === 'HEAD' ? undefined : body)
}

/** Headers that Node refuses are dropped: an error handler would only fail with them again. */
function writeHead(reply: Reply, headers: Readonly<Record<string, unknown>>): void {
  const { raw } = reply
  try {
    raw.writeHead(raw.statusCode, flatten(headers))
  } catch (error) {
    stateOf(reply).headers = undefined
    throw error
  }
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
