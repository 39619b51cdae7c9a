import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { ParserChoice } from '../context/content-type-parsers.ts'
import { errorCodes } from '../errors/codes.ts'
import { hasBody } from '../http/methods.ts'
import { describe, isObject } from '../schema/values.ts'
import type { Request } from './request.ts'

/** What a route reads the bodies of its requests by. */
export interface BodyRules {
  readonly parsers: ParserChoice
  /** What the route says of the most bytes that are collected; a parser may say so where it does not. */
  readonly ownLimit: number | undefined
  /** The limit where neither does. */
  readonly serverLimit: number
  /** Whether there may be a type without content, as clients send it with DELETE. */
  readonly mayBeTyped: boolean
  /** Whether content without a type is refused, rather than left. */
  readonly refusesUntyped: boolean
  /** Whether a body that cannot be read is none, as where no route was found. */
  readonly isOptional: boolean
}

/** Whether a request announces content (RFC 9112, 6.3). */
export function announcesBody(request: IncomingMessage): boolean {
  const { headers } = request
  if (headers['transfer-encoding'] !== undefined) return true
  const length = headers['content-length']
  return length === undefined ? hasFrames(request) : length !== '0'
}

/** HTTP/2 has frames for content, and need not announce it (RFC 9113, 8.1). */
function hasFrames(request: IncomingMessage): boolean {
  if (!('stream' in request) || !isObject(request.stream)) return false
  return request.stream['endAfterHeaders'] === false
}

/** Whether there is a body to read: content, or a type that says so. */
export function expectsBody(request: IncomingMessage, rules: BodyRules): boolean {
  const { mayBeTyped, refusesUntyped, isOptional } = rules
  const { headers, method = 'GET' } = request
  // A route of no method.
  if (isOptional && !hasBody(method)) return false
  if (headers['content-type'] === undefined) return refusesUntyped && announcesBody(request)
  return !mayBeTyped || headers['content-length'] !== undefined || announcesBody(request)
}

/** Reads and parses the body of a request by its media type, which is compared as RFC 9110 (8.3.1)
 *  has it: without regard to case, blanks and parameters.
 *  @param payload the body: the request itself, or the stream that preParsing hooks put in its place
 *  @param fail is told of a stream that fails, at once, and then nothing else follows: whoever made the stream may
 *  destroy the request right behind it, and a promise would come too late to answer
 *  @throws what the parser throws; ESP_ERR_CTP_INVALID_MEDIA_TYPE for a type without a parser; and where
 *  the body is collected, ESP_ERR_CTP_BODY_TOO_LARGE, ESP_ERR_CTP_INVALID_CONTENT_LENGTH */
export async function readBody(
  request: Request,
  payload: Readable,
  rules: BodyRules,
  fail?: (error: Error) => void,
): Promise<unknown> {
  const { raw } = request
  const parser = rules.parsers.find(raw.headers['content-type'] ?? '')
  if (parser === undefined) throw new errorCodes.ESP_ERR_CTP_INVALID_MEDIA_TYPE()
  if (parser.parseAs === 'stream') return parseStream(request, payload, parser.parse)
  const limit = rules.ownLimit ?? parser.bodyLimit ?? rules.serverLimit
  const announced = raw.headers['content-length']
  if (announced !== undefined && Number(announced) > limit) {
    throw new errorCodes.ESP_ERR_CTP_BODY_TOO_LARGE()
  }
  assertReadable(payload)
  const pending = readBytes(payload, limit, fail)
  // A preParsing hook may have left a stream that it has paused.
  if (payload.isPaused()) payload.resume()
  const bytes = await pending
  const encoded = payload === raw ? bytes.length : encodedLength(payload)
  if (announced !== undefined && encoded !== undefined && Number(announced) !== encoded) {
    throw new errorCodes.ESP_ERR_CTP_INVALID_CONTENT_LENGTH()
  }
  return parser.parseAs === 'buffer'
    ? parser.parse(request, bytes)
    : parser.parse(request, bytes.toString('utf8'))
}

/** What a parser that fails has left is read, or the next request on the connection would wait for it. */
async function parseStream(
  request: Request,
  payload: Readable,
  parse: (request: object, payload: Readable) => unknown,
): Promise<unknown> {
  try {
    return await parse(request, payload)
  } catch (error) {
    request.raw.unpipe().resume()
    throw error
  }
}

/** What a stream in the place of the request has read of it, if it says so: decompressed bytes must
 *  not be compared with the length of compressed ones. */
function encodedLength(payload: Readable): number | undefined {
  const { receivedEncodedLength: length } = payload as { receivedEncodedLength?: unknown }
  return typeof length === 'number' ? length : undefined
}

/** A stream that has ended emits nothing any more, and the request would wait for ever. */
function assertReadable(payload: Readable): void {
  if (payload.readableEnded) throw new errorCodes.ESP_ERR_CTP_BODY_ALREADY_READ()
  if (payload.destroyed) throw aborted(payload.errored ?? new Error('aborted'))
}

function joined(chunks: readonly Uint8Array[]): Buffer {
  const [first] = chunks
  return chunks.length === 1 && Buffer.isBuffer(first) ? first : Buffer.concat(chunks)
}

/** Listeners rather than `for await`: iterating costs a tenth of such a request's time. */
function readBytes(
  payload: Readable,
  limit: number,
  fail?: (error: Error) => void,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0
    const stop = (): void => {
      payload.off('data', onData).off('end', onEnd).off('error', onAbort).off('close', onClose)
    }
    const onError = (error: Error): void => {
      stop()
      // What else goes wrong with a stream that is not read any more is of no interest.
      payload.on('error', () => undefined)
      if (fail === undefined) reject(error)
      else fail(error)
    }
    const onData = (chunk: unknown): void => {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      if (!(bytes instanceof Uint8Array)) {
        onError(new errorCodes.ESP_ERR_CTP_INVALID_CHUNK(describe(chunk)))
        return
      }
      size += bytes.length
      if (Math.max(size, encodedLength(payload) ?? 0) <= limit) chunks.push(bytes)
      else onError(new errorCodes.ESP_ERR_CTP_BODY_TOO_LARGE())
    }
    const onEnd = (): void => {
      stop()
      resolve(joined(chunks))
    }
    const onAbort = (error: Error): void => {
      onError(aborted(error))
    }
    const onClose = (): void => {
      onAbort(new Error('aborted'))
    }
    payload.on('data', onData).on('end', onEnd).on('error', onAbort).on('close', onClose)
  })
}

/** That the client went away, or sent what cannot be decoded, is no fault of the server, so it is not
 *  reported as one. An error that says otherwise by a status of its own keeps it. */
function aborted(error: Error): Error {
  if ('statusCode' in error && isErrorStatus(error.statusCode)) return error
  const blamed = Object.isExtensible(error) ? error : new Error(error.message, { cause: error })
  return Object.assign(blamed, { statusCode: 400 })
}

function isErrorStatus(status: unknown): boolean {
  return typeof status === 'number' && status >= 400
}
