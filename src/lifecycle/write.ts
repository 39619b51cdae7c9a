import type { Readable } from 'node:stream'
import { errorCodes } from '../errors/codes.ts'
import { createHeaders, type HeaderValue } from '../http/headers.ts'
import { destroyPayload, isStream, isStructured } from '../http/payload-kind.ts'
import { isBodyless } from '../http/status.ts'
import { describe } from '../errors/describe.ts'
import type { HeaderCheck } from '../serialization/reply-headers.ts'
import { isThenable } from '../types/promises.ts'
import { frameInChunks } from './chunks.ts'
import { setMark } from './declared.ts'
import type { Exchange } from './exchange.ts'
import { passThrough } from './hooks.ts'
import { logFailure } from './log/lines.ts'
import { readSendable, refusal, type Body } from './payload.ts'
import { StreamWriter } from './stream.ts'
import { isHalfRead, leaveRest } from './unread-body.ts'
import { announceTrailers, endWithTrailers } from './write-trailers.ts'

/** Answers an error of a reply of which nothing was written yet. */
type OnFailure = (exchange: Exchange, error: unknown) => void

/** Wraps a continuation: it is skipped, and its value discarded, if the timeout has taken over
 *  since. */
export function inTime<Value>(
  exchange: Exchange,
  next: (value: Value) => void,
): (value: Value) => void {
  if (exchange.deadline === undefined) return next
  const { turn } = exchange
  return (value) => {
    if (exchange.turn === turn) next(value)
    else destroyPayload(value)
  }
}

/** Hands a body to the onSend hooks, and writes what they leave of it. */
export function sendBody(exchange: Exchange, body: Body, fail: OnFailure): void {
  if (exchange.route.hooks.onSend.length > 0) {
    passToHooks(exchange, body, fail)
    return
  }
  try {
    writeReply(exchange, body, fail)
  } catch (error) {
    destroyPayload(body)
    fail(exchange, error)
  }
}

function passToHooks(exchange: Exchange, body: Body, fail: OnFailure): void {
  const failed = (error: unknown): void => {
    destroyPayload(body)
    fail(exchange, error)
  }
  const write = (changed: unknown): void => {
    try {
      writeReply(exchange, toBody(exchange, changed), fail)
    } catch (error) {
      destroyPayload(changed)
      fail(exchange, error)
    }
  }
  try {
    const changed = passThrough(exchange.route.hooks.onSend, exchange, body)
    if (isThenable(changed)) changed.then(inTime(exchange, write), inTime(exchange, failed))
    else write(changed)
  } catch (error) {
    failed(error)
  }
}

/** The body that the onSend hooks left. They may return any body that a handler may send. */
function toBody(exchange: Exchange, body: unknown): Body {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return body
  if (!isStructured(body)) return readSendable(exchange, body)
  const { reply: rules } = exchange.route.dialect
  if (rules.ignoresHookResults && isBodyless(exchange.reply.statusCode, rules)) return undefined
  throw refusal(exchange, `an onSend hook returned ${describe(body)}, not text, bytes or a stream`)
}

/** Writes a reply. Text and bytes are written in one piece: one `writeHead` with a flat list is
 *  twice as fast as setting headers one by one. The length of a stream is not known. */
export function writeReply(exchange: Exchange, body: Body, fail: OnFailure = raise): void {
  const { request, response, route } = exchange
  const headers = joinRaw(exchange)
  const responses = route.responses.at(response.statusCode)
  if (responses.headerCheck !== undefined) assertHeaders(exchange, responses.headerCheck)
  if (route.dialect.reply.marksDeclared) {
    const fits = exchange.declaredStatus === response.statusCode
    // One that was set before stays: it came from the server behind a proxy.
    const mark = headers['declared'] ?? responses.mark(headers['content-type'], fits)
    if (mark !== undefined) setMark(exchange, headers, mark)
  }
  const isEmpty = responses.isBodyless
  if (isEmpty || request.raw.method === 'HEAD') writeSilent(exchange, headers, body, isEmpty)
  else if (typeof body === 'object' && isStream(body)) writeStream(exchange, headers, body, fail)
  else if (exchange.trailers !== undefined && announceTrailers(exchange)) {
    writeHead(exchange)
    endChunked(exchange, body)
  } else {
    headers['content-length'] = lengthOf(body)
    writeHead(exchange)
    response.end(body)
  }
}

/** Refuses a header that its schema refuses. It is removed, or the answer of the error would be
 *  refused too.
 *  @throws ESP_ERR_REP_NOT_VALID */
function assertHeaders({ route, reply }: Exchange, check: HeaderCheck): void {
  const unfit = check((name) => reply.getHeader(name))
  if (unfit === undefined) return
  reply.removeHeader(unfit.name)
  throw new errorCodes.ESP_ERR_REP_NOT_VALID(reply.statusCode, route.name, unfit.problem)
}

/** Writes a reply without content: to HEAD, or of a status that has none. A reply to HEAD keeps the
 *  length that its body would have (RFC 9110, 9.3.2). */
function writeSilent(
  exchange: Exchange,
  headers: Record<string, HeaderValue>,
  body: Body,
  isEmpty: boolean,
): void {
  if (isEmpty) frameEmpty(exchange, headers, body)
  else assertLength(exchange, headers['content-length'])
  if (isStream(body)) {
    body.once('error', (error) => {
      logFailure(exchange, 'streamError', error)
    })
    destroyPayload(body)
  } else if (!isEmpty) headers['content-length'] ??= lengthOf(body)
  writeHead(exchange)
  exchange.response.end()
}

const framing: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'trailer',
  'transfer-encoding',
])

/** A length and chunks exclude each other (RFC 9112, 6.1), and Node refuses a `trailer` header
 *  without chunks. */
const decidedLater = ['trailer', 'transfer-encoding'] as const

/** The headers of a reply, with those headers of `raw` that have the same names or frame the
 *  body. Node writes the other headers of `raw` itself. */
function joinRaw(exchange: Exchange): Record<string, HeaderValue> {
  const { reply, response } = exchange
  const headers = (exchange.headers ??= createHeaders())
  for (const name of response.getHeaderNames()) {
    const value = reply.getHeader(name)
    const isJoined = headers[name] !== undefined || framing.has(name)
    if (isJoined && value !== undefined) reply.removeHeader(name).header(name, value)
  }
  for (const name of decidedLater) {
    if (headers[name] !== undefined) Reflect.deleteProperty(headers, name)
  }
  return headers
}

/** @throws ESP_ERR_REP_STATUS for a status that is not final (RFC 9110, 15.2) */
function frameEmpty(
  { route, reply: { statusCode } }: Exchange,
  headers: Record<string, HeaderValue>,
  body: Body,
): void {
  const { keepsTypeUnmodified, sendsEmptyLength } = route.dialect.reply
  if (statusCode < 200) throw new errorCodes.ESP_ERR_REP_STATUS(route.name, statusCode)
  if (!keepsTypeUnmodified || statusCode !== 304) delete headers['content-type']
  const isSet = String(headers['content-length']) === '0'
  delete headers['content-length']
  // Fastify keeps the length of a 204 only where there is no payload, be it empty.
  const isKept = statusCode === 204 ? isSet && body === undefined : isSet || body === ''
  // A client waits for the content of a 205 unless it has a length (RFC 9112, 6.3).
  if (statusCode === 205 || (sendsEmptyLength && isKept)) headers['content-length'] = '0'
}

/** Checks the length that was set for a stream or a reply to HEAD (RFC 9110, 8.6). */
function assertLength(exchange: Exchange, length: HeaderValue | undefined): void {
  if (length === undefined || /^\d+$/.test(String(length))) return
  throw refusal(exchange, `its content-length is ${describe(length)}, not a number of bytes`)
}

function endChunked(exchange: Exchange, body: string | Uint8Array = ''): void {
  if (body.length > 0) exchange.response.write(body)
  endWithTrailers(exchange, body)
}

function writeStream(
  exchange: Exchange,
  headers: Record<string, HeaderValue>,
  stream: Readable,
  fail: OnFailure,
): void {
  if (exchange.trailers !== undefined) announceTrailers(exchange)
  assertLength(exchange, headers['content-length'])
  if (headers['content-length'] === undefined) frameInChunks(exchange, headers)
  const port = {
    fail: (error: unknown): void => {
      fail(exchange, error)
    },
    writeHead: (): void => {
      writeHead(exchange)
    },
    end: (): void => {
      endWithTrailers(exchange, null)
    },
  }
  new StreamWriter(exchange, stream, port).start()
}

function raise(_exchange: Exchange, error: unknown): never {
  throw error
}

/** Writes the head. If Node refuses a header, all headers are dropped, or an error handler would
 *  fail with them again. Node has set the status phrase by then, so it is dropped too. */
function writeHead(exchange: Exchange): void {
  const { request, reply, response } = exchange
  if (request.raw.readableDidRead && !request.raw.complete && isHalfRead(request.raw)) {
    const isClosed = leaveRest(request.raw, response, request.routeOptions.bodyLimit)
    if (isClosed) reply.header('connection', 'close')
  }
  try {
    response.writeHead(response.statusCode, headOf(exchange))
  } catch (error) {
    exchange.headers = undefined
    response.statusMessage = ''
    // Node remembers if the refused head had no body, and would not write the error's body.
    Reflect.set(response, '_hasBody', request.method !== 'HEAD')
    throw error
  }
}

function lengthOf(body: string | Uint8Array | undefined): string {
  if (body === undefined) return '0'
  return String(typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength)
}

/** The headers as Node takes them fastest: over HTTP/2 as they are, else their names and values in
 *  one list. A list that grows would take room for 17 entries. */
function headOf({ request, headers = {} }: Exchange): string[] {
  let head: object = headers
  if (request.raw.httpVersionMajor < 2) {
    let size = 0
    for (const _name in headers) size += 2
    const list = new Array<unknown>(size)
    let at = 0
    for (const name in headers) {
      list[at++] = name
      list[at++] = headers[name]
    }
    head = list
  }
  // cast: Node takes objects, numbers and lists too, but its types do not say so
  return head as string[]
}

/** Sets the content type of a payload of the framework. */
export function setJsonType(exchange: Exchange, type: string): void {
  const { headers = createHeaders(), response } = exchange
  headers['content-type'] = type
  exchange.headers = headers
  if (response.hasHeader('content-type')) response.removeHeader('content-type')
}
