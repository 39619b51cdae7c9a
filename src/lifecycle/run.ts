import type { IncomingMessage, ServerResponse } from 'node:http'
import { borrowDecorators, lendDecorators, type Borrowed } from '../context/decorators.ts'
import { errorCodes } from '../errors/codes.ts'
import { factsOfHook, hooksBefore, type RequestHook } from '../context/hooks.ts'
import { kindOf } from '../http/payload-kind.ts'
import { isGivenError } from '../errors/given-error.ts'
import { isThenable } from '../types/promises.ts'
import { createPreParsingStage } from './parsing-hook.ts'
import { createBodyStage } from './read-body.ts'
import { problemJson, toProblem } from '../http/problem-details.ts'
import { json } from '../serialization/responses.ts'
import { failStage, fail, send, sendJson } from './answer.ts'
import { ended, started, traceRequest } from './channels.ts'
import type { CompiledRoute, HookDone } from './compiled-route.ts'
import { nothingThrown } from './errors.ts'
import {
  Exchange,
  exchangeOf,
  type Handover,
  hookStage,
  isOver,
  type Stage,
  StageFailure,
} from './exchange.ts'
import { createHandlerStage } from './handler.ts'
import { createLogStage, logNotFound, warnNotFoundAgain } from './log/lines.ts'
import type { Reply } from './reply.ts'
import type { Request } from './request.ts'
import { createValidation } from './validation.ts'
import { createWatcher, type Watcher } from './watch.ts'

/** Answers one request to one route. */
export type RouteRunner = (
  raw: IncomingMessage,
  response: ServerResponse,
  params: unknown,
  query: unknown,
) => void

/** The lifecycle of a route's requests, as the ordered list of the stages that it has:
 *
 *  onRequest → preParsing → body → preValidation → validation → preHandler → handler → reply
 *
 *  A stage that returns nothing is done. One that returns a promise is waited for. One that
 *  throws or returns a failure ends in `fail`. One that replies ends the request. */
export class Lifecycle {
  readonly route: CompiledRoute
  readonly #notFound: Lifecycle | undefined
  #handover: HandoverTo | undefined
  readonly #stages: readonly Stage[]
  readonly #watch: Watcher | undefined

  /** @param notFound the lifecycle that `callNotFound` hands a request over to. Undefined for a
   *  not-found route itself */
  constructor(route: CompiledRoute, notFound?: Lifecycle) {
    this.route = route
    this.#notFound = notFound
    // A list that grew has room for 17 entries, its copy has not.
    this.#stages = createStages(route).slice()
    this.#watch = createWatcher(route)
  }

  /** How `callNotFound` hands a request over. Made when it is needed, since few routes call it. */
  get handover(): Handover | undefined {
    if (this.#notFound !== undefined) this.#handover ??= new HandoverTo(this.route, this.#notFound)
    return this.#handover
  }

  readonly run: RouteRunner = (raw, response, params, query) => {
    const exchange = new Exchange(this.route, this, raw, response, params, query)
    this.#watch?.(exchange)
    if (started.hasSubscribers || ended.hasSubscribers) {
      traceRequest(exchange, () => {
        // A subscriber may have replied.
        if (!isOver(exchange, this.route)) this.advance(exchange, this.#stages, 0)
      })
    } else this.advance(exchange, this.#stages, 0)
  }

  /** Runs stages in one go: only a promise that a stage returns is waited for. */
  advance(exchange: Exchange, stages: readonly Stage[], from: number): void {
    try {
      for (let at = from; at < stages.length; at++) {
        const stage = stages[at]
        if (stage?.start !== undefined) {
          this.#start(exchange, stages, at)
          return
        }
        const pending = stage?.(exchange)
        if (pending instanceof StageFailure) {
          fail(exchange, pending.error)
          return
        }
        // A promise is followed even if a reply was sent: it may still reject.
        if (pending instanceof Promise || (pending !== undefined && isThenable(pending))) {
          this.#resume(exchange, stages, pending, at + 1)
          return
        }
        if (isOver(exchange, this.route)) return
      }
    } catch (error) {
      this.#fail(exchange, error)
    }
  }

  /** Runs a hook that takes `done`. The stages after it run inside `done`, so that a hook can
   *  wrap all of them, as `AsyncLocalStorage.run(store, done)` does. */
  #start(exchange: Exchange, stages: readonly Stage[], at: number): void {
    let isSettled = false
    const done: HookDone = (error) => {
      if (isSettled) return
      isSettled = true
      if (isGivenError(error)) this.#fail(exchange, error, true)
      else if (!isOver(exchange, this.route)) this.advance(exchange, stages, at + 1)
    }
    try {
      const returned = stages[at]?.start?.(exchange, done)
      // If a hook takes `done` and also returns a promise, the first of the two counts.
      if (returned instanceof Promise)
        returned.then(
          () => {
            done()
          },
          (error: unknown) => {
            isSettled = true
            this.#fail(exchange, error)
          },
        )
    } catch (error) {
      isSettled = true
      this.#fail(exchange, error)
    }
  }

  #resume(
    exchange: Exchange,
    stages: readonly Stage[],
    pending: PromiseLike<unknown>,
    next: number,
  ): void {
    pending.then(
      (value) => {
        if (value instanceof StageFailure) this.#fail(exchange, value.error)
        else if (!isOver(exchange, this.route)) this.advance(exchange, stages, next)
      },
      (error: unknown) => {
        const isOfHook = next < stages.length
        this.#fail(exchange, isOfHook ? (error ?? nothingThrown(this.route, error)) : error)
      },
    )
  }

  #fail(exchange: Exchange, error: unknown, isOfDone = false): void {
    failStage(exchange, this.route, error, isOfDone ? 'done' : 'thrown')
  }
}

/** Hands a request over from its route to a not-found handler. That may belong to a sibling
 *  context, since a plugin without a prefix may set it for its parent. Then the request and the
 *  reply borrow the decorators of that context. */
class HandoverTo implements Handover {
  readonly #to: Lifecycle
  readonly #stages: readonly Stage[]
  readonly #request: Borrowed | undefined
  readonly #reply: Borrowed | undefined

  constructor(from: CompiledRoute, to: Lifecycle) {
    const { route } = to
    this.#to = to
    this.#stages = [...route.ownPreHandlers.map(hookStage), createHandlerStage(route)]
    this.#request = borrowDecorators(from.Request.prototype, route.Request.prototype)
    this.#reply = borrowDecorators(from.Reply.prototype, route.Reply.prototype)
  }

  run(exchange: Exchange): void {
    const { request, reply } = exchange
    exchange.deadline?.clear()
    exchange.route = this.#to.route
    exchange.lifecycle = undefined
    exchange.phase = 'hooks'
    exchange.turn += 1
    // The error handlers of the new route have not been called, and an earlier error is over.
    exchange.errorHandlersUsed = 0
    if (reply.statusCode === exchange.errorStatus) reply.code(200)
    exchange.errorStatus = undefined
    lendDecorators(request, this.#request)
    lendDecorators(reply, this.#reply)
    this.#to.advance(exchange, this.#stages, 0)
  }
}

/** Leaves the answer to the not-found handler of the route's context.
 *  @throws ESP_ERR_SEND_INSIDE_ONERR */
export function callNotFound(exchange: Exchange): void {
  if (exchange.phase === 'onError') {
    throw new errorCodes.ESP_ERR_SEND_INSIDE_ONERR(exchange.route.name)
  }
  if (exchange.reply.sent) return
  const handover = exchange.lifecycle?.handover
  if (handover === undefined) sendNotFoundAgain(exchange)
  else handover.run(exchange)
}

/** Answers when a not-found handler calls `callNotFound` itself. */
function sendNotFoundAgain(exchange: Exchange): void {
  warnNotFoundAgain(exchange)
  const { notFoundAgain } = exchange.route.dialect.errors
  if (notFoundAgain === undefined) answerNotFound(exchange)
  else {
    exchange.response.statusCode = 404
    send(exchange, notFoundAgain, kindOf(notFoundAgain))
  }
}

/** Answers as the framework does where no route was found. */
function answerNotFound(exchange: Exchange): void {
  const { route, request, reply, response } = exchange
  if (route.log.isPresent) logNotFound(exchange)
  const message = `Route ${request.method}:${request.url} not found`
  const payload = route.problemDetails
    ? toProblem(404, { detail: message })
    : route.dialect.errors.notFound(message)
  response.statusCode = 404
  const type = route.problemDetails ? problemJson : json
  if (route.responses.at(404).isDeclared) exchange.ownPayload = payload
  else if (isUnseen(exchange) && reply.getHeader('content-type') === undefined) {
    sendJson(exchange, payload, type)
    return
  } else if (route.problemDetails) reply.header('content-type', type)
  send(exchange, payload, 'plain')
}

/** Whether neither a hook nor a serializer sees a payload. */
const isUnseen = ({ route, serializer, phase }: Exchange): boolean =>
  phase === 'handler' &&
  route.hooks.preSerialization.length === 0 &&
  (serializer ?? route.replySerializer) === undefined

/** A reply for a response that no lifecycle answers: whoever holds the reply does.
 *  @param route decides how it is sent: its hooks, error handlers and serializers */
export function openReply(
  route: CompiledRoute,
  raw: IncomingMessage,
  response: ServerResponse,
): Reply {
  return new Exchange(route, undefined, raw, response, {}, {}).reply
}

/** The handler for requests without a route, if no not-found handler is set. */
export function sendNotFound(_request: Request, reply: Reply): Reply {
  answerNotFound(exchangeOf(reply))
  return reply
}

const before = {
  body: hooksBefore('body'),
  validation: hooksBefore('validation'),
  handler: hooksBefore('handler'),
}

function createStages(route: CompiledRoute): Stage[] {
  const { hooks, body, validators } = route
  const log = createLogStage(route)
  const stagesOf = (names: readonly RequestHook[]): Stage[] =>
    names.flatMap((name) =>
      hooks[name].map(factsOfHook(name).changes === 'body' ? createPreParsingStage : hookStage),
    )
  return [
    ...(log === undefined ? [] : [log]),
    ...stagesOf(before.body),
    ...(body === undefined ? [] : [createBodyStage(route, body)]),
    ...stagesOf(before.validation),
    ...(validators.length > 0 ? [createValidation(route)] : []),
    ...stagesOf(before.handler),
    createHandlerStage(route),
  ]
}
