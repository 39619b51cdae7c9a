// The answer to a request: by a payload, or by an error where that fails.
import { errorCodes } from '../errors/codes.ts'
import { hasHead } from '../http/headers.ts'
import { destroyPayload, isError, kindOf, type PayloadKind } from '../http/payload-kind.ts'
import { isThenable } from '../types/promises.ts'
import { json } from '../serialization/responses.ts'
import { failed, traceError } from './channels.ts'
import type { CompiledRoute } from './compiled-route.ts'
import { isDeclared } from './declared.ts'
import {
  bodyOf,
  closeBehindLong,
  dropRepresentation,
  factsOf,
  nothingThrown,
  setErrorStatus,
  setHeaders,
  undeclaredError,
  writeBare,
} from './errors.ts'
import { hasLeft, type Exchange } from './exchange.ts'
import { passThrough, report, runAll } from './hooks.ts'
import { logAnswered, logFailure } from './log/lines.ts'
import { isWhole, serializePayload, textByScope } from './payload.ts'
import { inTime, sendBody, setJsonType } from './write.ts'

/** Sends a payload: preSerialization → serializer → onSend → socket. The first payload of a reply
 *  is sent; later ones are refused. @throws ESP_ERR_SEND_INSIDE_ONERR */
export function send(exchange: Exchange, payload: unknown, kind: PayloadKind): void {
  const { route, phase } = exchange
  if (phase === 'onError') {
    destroyPayload(payload)
    throw new errorCodes.ESP_ERR_SEND_INSIDE_ONERR(route.name)
  }
  if (phase === 'sending' || phase === 'hijacked' || hasHead(exchange.response)) {
    refuseSecond(exchange, payload)
    return
  }
  if (kind === 'error') {
    failInstead(exchange, payload, 'sent')
    return
  }
  exchange.sentIn = phase
  exchange.phase = 'sending'
  exchange.payload = payload
  const { preSerialization } = route.hooks
  if (preSerialization.length === 0 || !isWhole(exchange, kind))
    serializeAndSend(exchange, payload, kind)
  else passToSerializer(exchange, payload)
}

/** Sends a payload of the framework, which no hook in front of onSend and no serializer sees. */
export function sendJson(exchange: Exchange, payload: object, type: string): void {
  exchange.phase = 'sending'
  exchange.payload = payload
  setJsonType(exchange, type)
  sendBody(exchange, JSON.stringify(payload), failInstead)
}

function refuseSecond(exchange: Exchange, payload: unknown): void {
  if (payload !== exchange.payload) destroyPayload(payload)
  exchange.isRefused = true
  const { method, url } = exchange.request
  const shown = exchange.route.redaction?.url(url) ?? url
  report(exchange, new errorCodes.ESP_ERR_REP_ALREADY_SENT(method, shown), 'warn')
}

function passToSerializer(exchange: Exchange, payload: unknown): void {
  const next = (changed: unknown): void => {
    serializeAndSend(exchange, changed, kindOf(changed))
  }
  const failed = (error: unknown): void => {
    failInstead(exchange, error)
  }
  let changed
  try {
    changed = passThrough(exchange.route.hooks.preSerialization, exchange, payload)
  } catch (error) {
    failed(error)
    return
  }
  if (isThenable(changed)) changed.then(inTime(exchange, next), inTime(exchange, failed))
  else next(changed)
}

function serializeAndSend(exchange: Exchange, payload: unknown, kind: PayloadKind): void {
  const { route, response } = exchange
  const responses = route.responses.at(response.statusCode)
  let body
  try {
    body = serializePayload(exchange, payload, kind, responses)
    if (response.statusCode >= 300 && route.dialect.reply.marksDeclared)
      exchange.declaredStatus = isDeclared(exchange, payload) ? response.statusCode : undefined
  } catch (error) {
    destroyPayload(payload)
    const isRefused = isError(error) && error instanceof errorCodes.ESP_ERR_REP_INVALID_PAYLOAD_TYPE
    if (isRefused && exchange.isInHandler) {
      if (exchange.phase === 'sending') exchange.phase = exchange.sentIn
      throw error
    }
    body = textByScope(exchange, payload)
    if (body === undefined) {
      markSerialization(exchange, error)
      failInstead(exchange, error)
      return
    }
    exchange.declaredStatus = undefined
  }
  sendBody(exchange, body, failInstead)
}

/** Marks an error of the serializer, as error handlers of Fastify expect. */
function markSerialization({ route }: Exchange, error: unknown): void {
  if (route.dialect.errors.wrapsForeign || !(error instanceof Error)) return
  Object.assign(error, { serialization: route.routeOptions.config })
}

/** How an error came: it was thrown or rejected, given to `done` by a hook, or given to `send`. */
export type Origin = 'thrown' | 'done' | 'sent'

/** Answers an error. All errors of a request come here.
 *
 *  The onError hooks run first, once for a request. Then the error handlers of the route's
 *  context and its ancestors are called, the nearest first, each when the one before it throws.
 *  The default answer comes last. While an error is being answered, another is only reported.
 *  After a reply was sent, an error is reported, and a response that somebody has begun on `raw`
 *  is cut. */
export function fail(exchange: Exchange, error: unknown, origin: Origin = 'thrown'): void {
  const { phase, response } = exchange
  if (phase === 'sending' || phase === 'hijacked' || hasHead(response))
    reportAfterReply(exchange, error, phase === 'sending')
  else if (phase === 'onError' || phase === 'failing') report(exchange, error)
  else answerError(exchange, error, origin)
}

/** Answers an error in place of the answer that is under way. A reply that was hijacked, or has
 *  begun to be written, stays. */
export function failInstead(exchange: Exchange, error: unknown, origin: Origin = 'thrown'): void {
  const isWritten = hasHead(exchange.response)
  if (exchange.phase === 'hijacked' || isWritten) reportAfterReply(exchange, error, false)
  else answerError(exchange, error, origin)
}

/** Answers an error of a stage. Once the request has left the route for the not-found handler,
 *  the error is only reported. */
export function failStage(
  exchange: Exchange,
  route: CompiledRoute,
  error: unknown,
  origin: Origin = 'thrown',
): void {
  if (hasLeft(exchange, route)) report(exchange, error, 'error', route)
  else fail(exchange, error, origin)
}

function answerError(exchange: Exchange, given: unknown, origin: Origin): void {
  const { route, reply } = exchange
  const { errors } = route.dialect
  const thrown = errors.show(given)
  const error = errors.keepsStatus ? thrown : (thrown ?? nothingThrown(route, thrown))
  exchange.phase = 'failing'
  if (!errors.keepsStatus) {
    const { status, headers } = factsOf(error, route)
    const isSent = origin === 'sent' || (origin === 'done' && status === undefined)
    setErrorStatus(exchange, error, status, isSent)
    if (status !== undefined && headers !== null) setHeaders(headers, reply)
  }
  if (!reply.request.raw.complete) closeBehindLong(reply)
  if (exchange.headers !== undefined || reply.raw.getHeaderNames().length > 0)
    dropRepresentation(reply)
  if (failed.hasSubscribers) traceError(exchange, error)
  const { onError } = route.hooks
  if (onError.length === 0 || exchange.hasRunOnError) handleError(exchange, error)
  else runErrorHooks(exchange, error)
}

function runErrorHooks(exchange: Exchange, error: unknown): void {
  exchange.hasRunOnError = true
  exchange.phase = 'onError'
  void runAll(exchange.route.hooks.onError, exchange, error).then(() => {
    if (exchange.phase === 'hijacked') report(exchange, error)
    // A timeout may have been answered meanwhile.
    if (exchange.phase !== 'onError') return
    exchange.phase = 'failing'
    handleError(exchange, error)
  })
}

/** Reports an error that comes after the reply. If somebody has begun to write to `raw`, the
 *  response is incomplete: the connection is cut.
 *  @param isWhole whether a payload is being sent, which goes on */
function reportAfterReply(exchange: Exchange, error: unknown, isWhole: boolean): void {
  const { phase, response } = exchange
  report(exchange, error, isExpected(exchange) ? 'info' : 'error')
  if (!hasHead(response) || response.writableEnded) return
  if (isWhole || phase === 'hijacked') return
  exchange.isCut = true
  response.destroy()
}

/** Whether an error is expected: Fastify logs one that comes after `hijack` as info. */
export function isExpected({ route, phase }: Exchange): boolean {
  return route.dialect.errors.hijackEndsErrors && phase === 'hijacked'
}

function handleError(exchange: Exchange, error: unknown): void {
  const { route, request, reply } = exchange
  const handler = route.errorHandlers[exchange.errorHandlersUsed]
  exchange.errorHandlersUsed += 1
  exchange.turn += 1
  if (handler === undefined) {
    answerByDefault(exchange, error)
    return
  }
  const call = new ErrorHandlerCall(exchange, error)
  try {
    const result = handler(error, request, reply)
    if (result === reply) return
    if (isThenable(result)) call.follow(result)
    else if (result !== undefined) call.send(result)
  } catch (thrown) {
    call.fail(thrown)
  }
}

/** One call of an error handler. Its turn ends when the handler has replied, or when the next error
 *  handler or the not-found handler takes over. Later results of the handler are ignored. */
class ErrorHandlerCall {
  readonly #exchange: Exchange
  readonly #error: unknown
  readonly #number: number

  constructor(exchange: Exchange, error: unknown) {
    this.#exchange = exchange
    this.#error = error
    this.#number = exchange.turn
  }

  follow(result: PromiseLike<unknown>): void {
    result.then(
      (payload) => {
        if (payload === undefined) this.#end()
        else this.send(payload)
      },
      (thrown: unknown) => {
        this.fail(thrown)
      },
    )
  }

  send(payload: unknown): void {
    if (this.#mayReply) send(this.#exchange, payload, kindOf(payload))
    else destroyPayload(payload)
  }

  fail(thrown: unknown): void {
    if (this.#mayReply) failInstead(this.#exchange, thrown)
    else if (this.#isCurrent) fail(this.#exchange, thrown)
    else report(this.#exchange, thrown)
  }

  /** The handler has ended without a reply. The new error has the old one as its cause. */
  #end(): void {
    const { route } = this.#exchange
    if (!this.#mayReply) return
    if (route.dialect.reply.allowsNothing) send(this.#exchange, undefined, 'nothing')
    else {
      const { name } = route
      const error = this.#error
      this.fail(new errorCodes.ESP_ERR_PROMISE_NOT_FULFILLED('error handler', name, error))
    }
  }

  /** Whether nobody else has taken over. */
  get #isCurrent(): boolean {
    return this.#exchange.turn === this.#number
  }

  get #mayReply(): boolean {
    return this.#isCurrent && !this.#exchange.reply.sent
  }
}

/** Answers `{ statusCode, code, error, message }`. The message of an unforeseen error is only
 *  logged: it may say what the client must not know. */
function answerByDefault(exchange: Exchange, thrown: unknown): void {
  const { route, reply, response } = exchange
  const { undeclared } = factsOf(thrown, route)
  const error =
    undeclared === undefined || exchange.isForeseen
      ? (thrown ?? nothingThrown(route, thrown))
      : undeclaredError(route, undeclared)
  const { keepsStatus } = route.dialect.errors
  if (keepsStatus) {
    const { status, headers } = factsOf(error)
    setErrorStatus(exchange, error, status, reply.statusCode !== 200)
    if (status !== undefined && headers !== null) setHeaders(headers, reply)
  }
  // An onError hook may have set another status.
  if (response.statusCode < 400) response.statusCode = factsOf(error).status ?? 500
  const { statusCode } = response
  if (route.log.isPresent || statusCode >= 500) logAnswered(exchange, error)
  // A value that is no Error is sent as it is, but once: its serializer may throw another.
  const isFirst = exchange.errorHandlersUsed === route.errorHandlers.length + 1
  if (route.exposeErrors && !isError(error) && isFirst) {
    send(exchange, error, kindOf(error))
    return
  }
  exchange.phase = 'sending'
  const body = bodyOf(exchange, error)
  const { 'content-type': type = json } = exchange.headers ?? {}
  sendBody(exchange, body, (_exchange, cause) => {
    const failure = cause ?? nothingThrown(route, cause)
    logFailure(exchange, 'writeHeadError', failure)
    // The failed hook may have set another status. Fastify answers its error with that.
    if (!keepsStatus) reply.code(statusCode)
    else if (reply.statusCode < 400) reply.code(factsOf(failure).status ?? 500)
    writeBare(exchange, keepsStatus ? bodyOf(exchange, failure) : body, type)
  })
}
