import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { errorCodes } from '../errors/codes.ts'
import { isBodyless } from '../http/status.ts'
import { describe, isThenable } from '../schema/values.ts'
import { createHeaders, type HeaderValue } from '../http/headers.ts'
import { stateOf, type Reply } from '../exchange/reply.ts'
import { endWithTrailers, type TrailedPayload } from '../exchange/reply/trailers.ts'
import { isHalfRead, leaveRest } from '../exchange/end/rest.ts'
import { discard, isStream, isStructured } from '../exchange/sendable.ts'
import type { CompiledRoute } from '../route/compiled-route.ts'
import { passThrough, report } from './hooks.ts'
import { tellFailure } from './observe/tell.ts'
import { readSendable, type Body } from './payload.ts'
import { inTime } from './stages/in-time.ts'
import { StreamWriter } from './stream.ts'

/** Answers what went wrong with a reply, while nothing of it has left yet. */
export type Fail = (route: CompiledRoute, reply: Reply, error: unknown) => void

/** Hands a body to the onSend hooks, and writes what they leave of it. */
export function sendBody(route: CompiledRoute, reply: Reply, body: Body, fail: Fail): void {
  const { onSend } = route.hooks
  if (onSend.length === 0) {
    tryToWrite(route, reply, body, fail)
    return
  }
  const failed = (error: unknown): void => {
    discard(body)
    fail(route, reply, error)
  }
  const write = (changed: unknown): void => {
    tryToWrite(route, reply, changed, fail)
  }
  try {
    const changed = passThrough(onSend, reply, body)
    if (isThenable(changed)) {
      changed.then(inTime(route, reply, write), inTime(route, reply, failed))
    } else write(changed)
  } catch (error) {
    failed(error)
  }
}

function tryToWrite(route: CompiledRoute, reply: Reply, body: unknown, fail: Fail): void {
  try {
    writeReply(route, reply, toBody(route, reply, body), fail)
  } catch (error) {
    discard(body)
    fail(route, reply, error)
  }
}

/** A hook may put anything in the place of a body: what a handler may send as it is can be sent. */
function toBody(route: CompiledRoute, reply: Reply, body: unknown): Body {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return body
  const { reply: rules } = route.dialect
  const isIgnored = rules.ignoresHookResults && isBodyless(reply.statusCode, rules)
  if (isIgnored && isStructured(body)) return undefined
  if (!isStructured(body)) return readSendable(route, reply, body)
  const what = `an onSend hook returned ${describe(body)}, not text, bytes or a stream`
  throw new errorCodes.ESP_ERR_REP_INVALID_PAYLOAD_TYPE(route.name, what)
}

/** Writes a reply. Text and bytes go in one piece: one `writeHead` with a flat list is twice as fast as
 *  setting headers one by one. A reply to HEAD keeps the length that its body would have (RFC 9110,
 *  9.3.2); that of a stream is not known. */
export function writeReply(
  route: CompiledRoute,
  reply: Reply,
  body: Body,
  fail: Fail = raise,
): void {
  const { raw } = reply
  const headers = joinRaw(reply)
  const isHead = reply.request.raw.method === 'HEAD'
  const isEmpty = isBodyless(raw.statusCode, route.dialect.reply)
  if (isEmpty) frameEmpty(route, reply, headers, body)
  const isSilent = isHead || isEmpty
  const hasTrailers = announceTrailers(route, reply, isSilent)
  if (isHead || isStream(body)) assertLength(route, headers['content-length'])
  if (isStream(body)) {
    if (!isSilent) {
      if (headers['content-length'] === undefined) frameInChunks(reply, headers)
      writeStream(route, reply, body, fail)
      return
    }
    body.once('error', (error) => {
      tellFailure(route, 'streamError', error, reply)
    })
    discard(body)
    // A length that is not the body's would shift the replies behind it (RFC 9112, 6.3).
  } else if (!hasTrailers && !isEmpty && !(isHead && headers['content-length'] !== undefined)) {
    headers['content-length'] = lengthOf(body)
  }
  writeHead(reply)
  if (hasTrailers && !isStream(body)) endChunked(route, reply, body)
  else raw.end(isSilent || isStream(body) ? undefined : body)
}

const framing: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'trailer',
  'transfer-encoding',
])

/** The headers of a reply, with those of `raw` that have the same names, or say how a body is framed.
 *  Node writes the others beside them. */
function joinRaw(reply: Reply): Record<string, HeaderValue> {
  const { raw } = reply
  const headers = (stateOf(reply).headers ??= createHeaders())
  for (const name of raw.getHeaderNames()) {
    const value = reply.getHeader(name)
    const isJoined = headers[name] !== undefined || framing.has(name)
    if (isJoined && value !== undefined) reply.removeHeader(name).header(name, value)
  }
  // How a body is framed is decided here; both ways at once are none (RFC 9112, 6.1). Node refuses a head that
  // names trailers of a body without chunks.
  for (const name of ['trailer', 'transfer-encoding']) {
    if (headers[name] !== undefined) Reflect.deleteProperty(headers, name)
  }
  return headers
}

/** @throws ESP_ERR_REP_STATUS for a status that is not final (RFC 9110, 15.2) */
function frameEmpty(
  route: CompiledRoute,
  { statusCode }: Reply,
  headers: Record<string, HeaderValue>,
  body: Body,
): void {
  const { keepsTypeUnmodified, tellsEmptyLength } = route.dialect.reply
  if (statusCode < 200) throw new errorCodes.ESP_ERR_REP_STATUS(route.name, statusCode)
  if (!keepsTypeUnmodified || statusCode !== 304) delete headers['content-type']
  const isZero = body === '' || String(headers['content-length']) === '0'
  delete headers['content-length']
  // A client waits for the content of a 205 unless it has a length (RFC 9112, 6.3).
  if (statusCode === 205 || (tellsEmptyLength && isZero)) headers['content-length'] = '0'
}

/** A stream, and a reply to HEAD, have the length that was set: it must be one (RFC 9110, 8.6). */
function assertLength(route: CompiledRoute, length: HeaderValue | undefined): void {
  if (length === undefined || /^\d+$/.test(String(length))) return
  const what = `its content-length is ${describe(length)}, not a number of bytes`
  throw new errorCodes.ESP_ERR_REP_INVALID_PAYLOAD_TYPE(route.name, what)
}

/** Trailers come behind the last chunk: a body that has them is sent in chunks, and without a body
 *  there are none. The names are told ahead, as a list (RFC 9110, 6.6.2). */
function announceTrailers(route: CompiledRoute, reply: Reply, isSilent: boolean): boolean {
  const { trailers, headers = {} } = stateOf(reply)
  if (trailers === undefined || isSilent) return false
  if (!knowsChunks(reply.request.raw)) {
    stateOf(reply).trailers = undefined
    return false
  }
  delete headers['content-length']
  frameInChunks(reply, headers)
  headers['trailer'] = Object.keys(trailers).join(route.dialect.reply.trailerSeparator)
  return true
}

/** HTTP/2 has frames in the place of chunks (RFC 9113, 8.1). */
function frameInChunks({ request }: Reply, headers: Record<string, HeaderValue>): void {
  const isHttp1 = request.raw.httpVersionMajor === 1
  if (isHttp1 && knowsChunks(request.raw)) headers['transfer-encoding'] = 'chunked'
}

/** HTTP/1.0 has no chunks, nor what may stand behind them (RFC 9112, 6.1). */
const knowsChunks = ({ httpVersionMajor, httpVersionMinor }: IncomingMessage): boolean =>
  httpVersionMajor > 1 || httpVersionMinor > 0

function endChunked(route: CompiledRoute, reply: Reply, body: string | Uint8Array = ''): void {
  if (body.length > 0) reply.raw.write(body)
  end(route, reply, body)
}

/** Ends a response whose body is written, with its trailers where it has any. */
function end(route: CompiledRoute, reply: Reply, payload: TrailedPayload): void {
  const { trailers } = stateOf(reply)
  if (trailers === undefined) reply.raw.end()
  else {
    endWithTrailers(reply, trailers, payload, (error) => {
      report(route, error)
    })
  }
}

function writeStream(route: CompiledRoute, reply: Reply, stream: Readable, fail: Fail): void {
  const port = {
    fail: (error: unknown): void => {
      fail(route, reply, error)
    },
    writeHead: (): void => {
      writeHead(reply)
    },
    end: (): void => {
      end(route, reply, null)
    },
  }
  new StreamWriter(route, reply, stream, port).start()
}

function raise(_route: CompiledRoute, _reply: Reply, error: unknown): never {
  throw error
}

/** Headers that Node refuses are dropped: an error handler would only fail with them again. So is the
 *  phrase, which Node has set by then to that of the status that failed. */
function writeHead(reply: Reply): void {
  const { raw, request } = reply
  const state = stateOf(reply)
  if (isHalfRead(request.raw)) {
    const isClosed = leaveRest(request.raw, raw, request.routeOptions.bodyLimit)
    if (isClosed) reply.header('connection', 'close')
  }
  try {
    raw.writeHead(raw.statusCode, flatten(state.headers ?? {}))
  } catch (error) {
    state.headers = undefined
    raw.statusMessage = ''
    // Node remembers that a refused head was one without a body, and would leave out that of the error.
    Reflect.set(raw, '_hasBody', request.method !== 'HEAD')
    throw error
  }
}

function lengthOf(body: string | Uint8Array | undefined): string {
  if (body === undefined) return '0'
  return String(typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength)
}

function flatten(headers: Readonly<Record<string, unknown>>): string[] {
  const list: unknown[] = []
  for (const name in headers) list.push(name, headers[name])
  // cast: Node takes numbers and lists as values too, which its types do not say of flat lists
  return list as string[]
}
