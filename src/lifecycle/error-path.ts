import { EspalierError } from '../errors/espalier-error.ts'
import { errorCodes } from '../errors/codes.ts'
import { phraseOf } from '../http/status.ts'
import { isObject, isThenable, readSafely } from '../schema/values.ts'
import { announcesBody } from '../exchange/body.ts'
import { hasHead, connectionHeaders, type HeaderValue } from '../http/headers.ts'
import { isError } from '../exchange/sendable.ts'
import { stateOf, type Reply } from '../exchange/reply.ts'
import type { CompiledRoute } from '../route/compiled-route.ts'
import { report, runAll } from './hooks.ts'
import { traceError } from './observe/channels.ts'
import { tellAnswered, tellFailure } from './observe/tell.ts'
import { serializeError } from './failure/error-payload.ts'
import type { Body } from './payload.ts'
import { sendBody, writeReply } from './send.ts'

const json = 'application/json; charset=utf-8'

/** The headers that describe one payload (RFC 9110, 8 and 14.4; RFC 9530; RFC 6266). */
const representationHeaders: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'content-location',
  'content-range',
  'content-disposition',
  'content-digest',
  'repr-digest',
  'content-md5',
  'digest',
  'etag',
  'last-modified',
])

/** Whether a route has nothing more to do with a request: it is answered, or was left to the
 *  not-found handler. */
export function isOver(route: CompiledRoute, reply: Reply): boolean {
  return reply.sent || (stateOf(reply).isRerouted && !route.is404)
}

/** Whether the stages of a route have nothing more to do: it is over, or an error is being answered. */
export function isDone(route: CompiledRoute, reply: Reply): boolean {
  return isOver(route, reply) || stateOf(reply).isFailing
}

/** Answers the error of a stage. While another is being answered, it is only reported.
 *  @param isGiven whether a hook gave the error to `done`, rather than throwing it: one without a status of its
 *    own is answered with the status that was set for it then, as if it were sent */
export function failStage(
  route: CompiledRoute,
  reply: Reply,
  thrown: unknown,
  isGiven = false,
): void {
  if (stateOf(reply).isFailing && !isOver(route, reply)) report(route, thrown, reply)
  else answerError(route, reply, thrown, isGiven && ownStatus(thrown) === undefined)
}

/** Answers an error. The onError hooks run first, once for a request; then the error handlers of the
 *  route's context and its ancestors have their turn, the nearest first, each when the one before
 *  it throws; the default answer comes last.
 *  @param isSent whether the error was given to `send`, rather than thrown */
export function answerError(
  route: CompiledRoute,
  reply: Reply,
  given: unknown,
  isSent = false,
): void {
  const thrown = route.dialect.errors.show(given)
  const state = stateOf(reply)
  if (isOver(route, reply)) {
    cutBehind(route, reply, thrown)
    return
  }
  if (state.onError === 'running') {
    // An earlier error is being answered.
    report(route, thrown, reply)
    return
  }
  const error = route.dialect.errors.keepsStatus ? thrown : (thrown ?? nothingThrown(route, thrown))
  state.isFailing = true
  if (!route.dialect.errors.keepsStatus) {
    setErrorStatus(reply, error, isSent)
    setHeadersOf(error, reply)
  }
  closeBehindLong(reply)
  dropRepresentation(reply)
  traceError(route, reply, error)
  const { onError } = route.hooks
  if (onError.length === 0 || state.onError !== 'waiting') {
    handleError(route, reply, error)
    return
  }
  state.onError = 'running'
  void runAll(route, onError, [reply.request, reply, error]).then(() => {
    // The time that the route has may have run out meanwhile.
    if (state.onError !== 'running') return
    state.onError = 'done'
    handleError(route, reply, error)
  })
}

/** An error behind the reply is told of. What somebody has begun to write to `raw` cannot be whole then. */
function cutBehind(route: CompiledRoute, reply: Reply, thrown: unknown): void {
  const { raw } = reply
  const state = stateOf(reply)
  // What a hook throws once it has taken the reply over may be its own affair.
  const isOwnAffair = route.dialect.errors.hijackEndsErrors && state.isHijacked
  report(route, thrown, reply, isOwnAffair ? 'info' : 'error')
  // A stream that is being sent is whole all the same.
  if (!hasHead(raw) || raw.writableEnded || state.isHijacked || state.sending) return
  state.isCut = true
  raw.destroy()
}

/** The error of what failed with undefined or null. */
export function nothingThrown({ name, dialect }: CompiledRoute, thrown: unknown): Error {
  return dialect.errors.show(new errorCodes.ESP_ERR_SEND_UNDEFINED_ERR(name, String(thrown)))
}

function handleError(route: CompiledRoute, reply: Reply, error: unknown): void {
  const state = stateOf(reply)
  const handler = route.errorHandlers[state.errorHandlersUsed]
  state.errorHandlersUsed += 1
  if (handler === undefined) {
    answerByDefault(route, reply, error)
    return
  }
  const turn = new Turn(route, reply, error)
  try {
    const result = handler(error, reply.request, reply)
    if (result === reply) return
    if (isThenable(result)) sendLater(turn, result)
    else if (result !== undefined) turn.send(result)
  } catch (thrown) {
    turn.fail(thrown)
  }
}

/** The turn of one error handler. It ends when the handler has replied, or has left the answer to the
 *  next error handler or to the not-found handler: what it still returns is of no interest then. */
class Turn {
  readonly #route: CompiledRoute
  readonly #reply: Reply
  readonly #error: unknown
  readonly #number: number

  constructor(route: CompiledRoute, reply: Reply, error: unknown) {
    this.#route = route
    this.#reply = reply
    this.#error = error
    this.#number = stateOf(reply).errorHandlersUsed
  }

  send(payload: unknown): void {
    if (this.#isOn()) this.#reply.send(payload)
  }

  end(): void {
    const { name } = this.#route
    if (!this.#isOn()) return
    if (this.#route.dialect.reply.allowsNothing) this.#reply.send()
    else this.fail(unanswered(name, this.#error))
  }

  fail(thrown: unknown): void {
    const isOn = this.#isOn() || isOver(this.#route, this.#reply)
    if (isOn) answerError(this.#route, this.#reply, thrown)
    else report(this.#route, thrown, this.#reply)
  }

  #isOn(): boolean {
    const isMine = stateOf(this.#reply).errorHandlersUsed === this.#number
    return isMine && !isOver(this.#route, this.#reply)
  }
}

/** What a log has to show of an error handler that answered nothing is the error that it was given, too. */
function unanswered(route: string, error: unknown): Error {
  return new errorCodes.ESP_ERR_PROMISE_NOT_FULFILLED('error handler', route, error)
}

function sendLater(turn: Turn, result: PromiseLike<unknown>): void {
  result.then(
    (payload) => {
      if (payload === undefined) turn.end()
      else turn.send(payload)
    },
    (thrown: unknown) => {
      turn.fail(thrown)
    },
  )
}

/** An error that was thrown is answered with its own status, else 500. One that was given to `send`
 *  is answered with the status that was chosen for it, if it is one of an error. */
function setErrorStatus(reply: Reply, error: unknown, isSent: boolean): void {
  const state = stateOf(reply)
  const { statusCode } = reply
  state.isForeseen = isSent && statusCode >= 400 && statusCode !== state.errorStatus
  if (!state.isForeseen) {
    const own = ownStatus(error)
    state.errorStatus = statusOf(error)
    // The framework's own errors of status 500 speak to the developer.
    state.isForeseen = own !== undefined && !(error instanceof EspalierError && own === 500)
    reply.code(state.errorStatus)
  }
}

function closeBehindLong(reply: Reply): void {
  // Node reads what is left of a body: it is not waited for where that may be long.
  const { raw, routeOptions } = reply.request
  const length = Number(raw.headers['content-length'] ?? Infinity)
  const isLong = announcesBody(raw) && length > routeOptions.bodyLimit
  if (isLong && !raw.complete && raw.httpVersionMajor < 2) reply.header('connection', 'close')
}

/** An error that has a status may bring headers along, such as `www-authenticate`, or `upgrade` with status 426.
 *  Those of a payload, and of a connection, do not hold for its answer: another server may have sent them. */
function setHeadersOf(error: unknown, reply: Reply): void {
  const headers = readSafely(error, 'headers')
  if (ownStatus(error) === undefined || !isObject(headers)) return
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase()
    const isForeign = connectionHeaders.has(key) && key !== 'upgrade'
    if (isForeign || representationHeaders.has(key) || !isHeaderValue(value)) continue
    reply.header(name, value)
  }
}

function isHeaderValue(value: unknown): value is HeaderValue {
  return ['string', 'number'].includes(typeof value) || Array.isArray(value)
}

/** The status that an error is answered with when it is thrown. */
export function statusOf(error: unknown): number {
  return ownStatus(error) ?? 500
}

function ownStatus(error: unknown): number | undefined {
  const status = readSafely(error, 'statusCode') ?? readSafely(error, 'status')
  const isError = Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599
  return isError ? Number(status) : undefined
}

/** `{ statusCode, code, error, message }`. The message of an error that nobody foresaw is for
 *  stderr, not for the client: it may tell what the client must not know. */
function answerByDefault(route: CompiledRoute, reply: Reply, thrown: unknown): void {
  const error = thrown ?? nothingThrown(route, thrown)
  if (route.dialect.errors.keepsStatus) {
    setErrorStatus(reply, error, reply.statusCode !== 200)
    setHeadersOf(error, reply)
  }
  // An onError hook may have set another.
  if (reply.statusCode < 400) reply.code(statusOf(error))
  const { statusCode } = reply
  tellAnswered(route, reply, error)
  if (route.exposeErrors && !isError(error) && !stateOf(reply).isThrownSent) {
    stateOf(reply).isThrownSent = true
    reply.send(error)
    return
  }
  stateOf(reply).sending = true
  const body = bodyOf(route, reply, error)
  reply.header('content-type', json)
  sendBody(route, reply, body, (_route, _reply, cause) => {
    const failure = cause ?? nothingThrown(route, cause)
    tellFailure(route, 'writeHeadError', failure, reply)
    // The hook that failed may have set another status. Fastify answers its error, with that status.
    if (!route.dialect.errors.keepsStatus) reply.code(statusCode)
    else if (reply.statusCode < 400) reply.code(statusOf(failure))
    writeBare(route, reply, route.dialect.errors.keepsStatus ? bodyOf(route, reply, failure) : body)
  })
}

/** The default body of an answer to an error. */
function bodyOf(route: CompiledRoute, reply: Reply, error: unknown): string | Uint8Array {
  const { statusCode } = reply
  const hides = statusCode >= 500 && !stateOf(reply).isForeseen && !route.exposeErrors
  const phrase = phraseOf(statusCode)
  const [code, message] = [readSafely(error, 'code'), readSafely(error, 'message')]
  const payload = {
    statusCode,
    ...(typeof code === 'string' && !hides && { code }),
    error: phrase,
    message: hides || typeof message !== 'string' ? phrase : message,
  }
  return serializeError(route, reply, payload, hides ? {} : error)
}

/** A hook failed again, or headers were refused, which are gone then: the answer goes out bare. A
 *  second attempt is for headers that are refused behind a hook that failed. */
export function writeBare(route: CompiledRoute, reply: Reply, body: Body): void {
  const { raw } = reply
  // They may come later, and this is the end.
  stateOf(reply).trailers = undefined
  for (let attempt = 0; attempt < 2 && !hasHead(raw); attempt++) {
    try {
      dropRepresentation(reply)
      reply.header('content-type', json)
      writeReply(route, reply, body)
    } catch (error) {
      tellFailure(route, 'writeHeadError', error, reply)
    }
  }
  // The hook wrote to raw.
  if (!raw.writableEnded) raw.destroy()
}

/** What was said of the payload that is not sent now (RFC 9110, 8) does not hold for the error. */
function dropRepresentation(reply: Reply): void {
  if (stateOf(reply).headers === undefined && reply.raw.getHeaderNames().length === 0) return
  for (const name of representationHeaders) reply.removeHeader(name)
}
