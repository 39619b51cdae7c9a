import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { errorCodes } from '../errors/codes.ts'
import { hasBody } from '../http/methods.ts'
import { describe } from '../errors/describe.ts'
import { isThenable } from '../types/promises.ts'
import { failStage } from './answer.ts'
import type { BodyRules, CompiledRoute } from './compiled-route.ts'
import type { Stage } from './exchange.ts'
import type { Request } from './request.ts'
import { announcesBody } from './unread-body.ts'

/** Whether there is a body to read: content, or a content type. */
function expectsBody(request: IncomingMessage, rules: BodyRules): boolean {
  const { mayBeTyped, refusesUntyped, isOptional } = rules
  const { headers, method = 'GET' } = request
  // No route was found, and the method has no body.
  if (isOptional && !hasBody(method)) return false
  if (headers['content-type'] === undefined) return refusesUntyped && announcesBody(request)
  return !mayBeTyped || headers['content-length'] !== undefined || announcesBody(request)
}

/** The stage that reads and parses the body. */
export function createBodyStage(route: CompiledRoute, rules: BodyRules): Stage {
  const readOptional = async (request: Request, payload: Readable): Promise<void> => {
    try {
      await readBody(request, payload, rules)
    } catch (error) {
      // Without a route, an unknown content type is no error. Other errors depend on the dialect.
      const isUnknown = error instanceof errorCodes.ESP_ERR_CTP_INVALID_MEDIA_TYPE
      if (route.dialect.methods.readsUnrouted && !isUnknown) throw error
    }
  }
  const read: Stage = (exchange) => {
    const { request, bodyStream } = exchange
    if (!expectsBody(request.raw, rules)) return undefined
    if (rules.isOptional) return readOptional(request, bodyStream ?? request.raw)
    if (bodyStream === undefined) return readBody(request, request.raw, rules)
    return readBody(request, bodyStream, rules, (error) => {
      failStage(exchange, route, error)
    })
  }
  return rules.isSensitive ? (exchange) => withoutText(() => read(exchange)) : read
}

/** Reads a body of which no error may have a text. Those of `JSON.parse` quote it. */
function withoutText(read: () => unknown): unknown {
  const fail = (error: unknown): never => {
    const isCoded = error instanceof errorCodes.ESP_ERR_CTP_INVALID_JSON_BODY
    if (isCoded) throw new errorCodes.ESP_ERR_CTP_INVALID_JSON_BODY(untold)
    if (error instanceof SyntaxError)
      Object.assign(error, { message: untold, stack: `SyntaxError: ${untold}` })
    throw error
  }
  try {
    const pending = read()
    return isThenable(pending) ? pending.then(undefined, fail) : pending
  } catch (error) {
    return fail(error)
  }
}

const untold = 'its text has sensitive values, and is not quoted'

/** Reads and parses the body of a request by its media type, and sets `request.body`. Case, blanks
 *  and parameters make no difference (RFC 9110, 8.3.1).
 *  @param payload the body: the request itself, or the stream that preParsing hooks put in its
 *  place
 *  @param fail called at once when the stream fails, in place of a rejection. The owner of the
 *  stream may destroy the request right after that, so a promise would answer too late.
 *  @throws what the parser throws; ESP_ERR_CTP_INVALID_MEDIA_TYPE for a type without a parser;
 *  and where the body is collected, ESP_ERR_CTP_BODY_TOO_LARGE,
 *  ESP_ERR_CTP_INVALID_CONTENT_LENGTH, ESP_ERR_CTP_NO_UTF8 */
function readBody(
  request: Request,
  payload: Readable,
  rules: BodyRules,
  fail?: (error: Error) => void,
): PromiseLike<void> {
  const { raw } = request
  const parser = rules.parsers.find(raw.headers['content-type'] ?? '')
  if (parser === undefined) throw new errorCodes.ESP_ERR_CTP_INVALID_MEDIA_TYPE()
  if (parser.parseAs === 'stream') return keepLater(request, parseStream(request, payload, parser))
  const limit = rules.ownLimit ?? parser.bodyLimit ?? rules.serverLimit
  const announced = Number(raw.headers['content-length'] ?? NaN)
  if (announced > limit) throw new errorCodes.ESP_ERR_CTP_BODY_TOO_LARGE()
  // A stream that has ended emits nothing, and the request would wait for ever.
  if (payload.readableEnded) throw new errorCodes.ESP_ERR_CTP_BODY_ALREADY_READ()
  if (payload.destroyed) throw aborted(payload.errored ?? new Error('aborted'))
  const pending = readBytes(payload, limit, fail)
  // A preParsing hook may have paused the stream.
  if (payload.isPaused()) payload.resume()
  return pending.then((bytes) => {
    const encoded = payload === raw ? bytes.length : encodedLength(payload)
    if (encoded !== undefined && !Number.isNaN(announced) && announced !== encoded) {
      throw new errorCodes.ESP_ERR_CTP_INVALID_CONTENT_LENGTH()
    }
    const isText = parser.isDefault || parser.parseAs === 'string'
    if (rules.refusesOtherText && isText && !isUtf8(bytes))
      throw new errorCodes.ESP_ERR_CTP_NO_UTF8()
    const { readNumbers } = rules
    const body =
      parser.parseAs === 'string'
        ? parser.parse(request, bytes.toString('utf8'))
        : readNumbers !== undefined && parser.parseNumbers !== undefined
          ? parser.parseNumbers(bytes, readNumbers)
          : parser.parse(request, bytes)
    if (!parser.isDefault && isThenable(body)) return keepLater(request, body)
    request.body = body
    return undefined
  })
}

async function keepLater(request: Request, body: PromiseLike<unknown>): Promise<void> {
  request.body = await body
}

/** Calls a parser of streams. If it fails, the rest of the body is read, or the next request on
 *  the connection would wait for it. */
async function parseStream(
  request: Request,
  payload: Readable,
  parser: { parse(request: object, payload: Readable): unknown },
): Promise<unknown> {
  try {
    return await parser.parse(request, payload)
  } catch (error) {
    request.raw.unpipe().resume()
    throw error
  }
}

/** How many bytes of the request a stream has read, if it says so. The length of compressed bytes
 *  must not be compared with that of decompressed ones. */
function encodedLength(payload: Readable): number | undefined {
  const { receivedEncodedLength: length } = payload as { receivedEncodedLength?: unknown }
  return typeof length === 'number' ? length : undefined
}

// Listeners, since `for await` would cost a tenth of such a request's time.
function readBytes(
  payload: Readable,
  limit: number,
  fail?: (error: Error) => void,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0
    // The listeners stay at the end. Later errors of the stream are ignored.
    let isOver = false
    const onError = (error: Error): void => {
      if (isOver) return
      isOver = true
      payload.off('data', onData)
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
      if (isOver) return
      isOver = true
      const [first] = chunks
      resolve(chunks.length === 1 && Buffer.isBuffer(first) ? first : Buffer.concat(chunks))
    }
    const onAbort = (error?: unknown): void => {
      // Each body that was read is closed too, and an error captures a stack.
      if (!isOver) onError(aborted(error instanceof Error ? error : new Error('aborted')))
    }
    payload.on('data', onData).on('end', onEnd).on('error', onAbort).on('close', onAbort)
  })
}

/** Gives an error of the body status 400: the client went away, or its content cannot be decoded.
 *  An error with a status of its own keeps that. */
function aborted(error: Error): Error {
  if ('statusCode' in error && isErrorStatus(error.statusCode)) return error
  const blamed = Object.isExtensible(error) ? error : new Error(error.message, { cause: error })
  return Object.assign(blamed, { statusCode: 400 })
}

function isErrorStatus(status: unknown): boolean {
  return typeof status === 'number' && status >= 400
}
