import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorCodes } from '../errors/codes.ts'
import { deadlineOf } from '../exchange/end/deadline.ts'
import { stateOf, type Reply } from '../exchange/reply.ts'
import { rerouteRequest, type Request } from '../exchange/request.ts'
import type { RouteFacts } from '../exchange/route-facts.ts'
import { isThenable } from '../schema/values.ts'
import { isFailure } from '../route/hook-step.ts'
import type { CompiledRoute, HookDone, HookStart, RequestStep } from '../route/compiled-route.ts'
import { deliver } from './deliver.ts'
import { failStage, isDone, nothingThrown } from './error-path.ts'
import { handlerChannel, hasListeners, traceRequest } from './observe/channels.ts'
import { lend, type Lent } from './lent.ts'
import { createLogStage, tellNotFound } from './observe/tell.ts'
import { traceHandler } from './observe/trace-handler.ts'
import { sendNotFoundAgain } from './not-found.ts'
import { serializeNow } from './payload.ts'
import { createBodyStage, createPreParsingStage } from './stages/body.ts'
import { runHandler } from './stages/run-handler.ts'
import { createValidation, StageFailure } from './stages/validation.ts'
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
 *  A stage that returns nothing is done; one that returns a promise is waited for; one that throws or
 *  returns a failure ends in the error path; one that replies ends the request. */
export class Lifecycle {
  readonly #route: CompiledRoute
  readonly #stages: readonly RequestStep[]
  readonly #facts: RouteFacts<Reply>
  readonly #watch: Watcher | undefined

  /** @param notFound the lifecycle that `callNotFound` hands a request over to; undefined for the one
   *  that answers then */
  constructor(route: CompiledRoute, notFound?: Lifecycle) {
    this.#route = route
    this.#stages = createStages(route)
    this.#watch = createWatcher(route)
    const lent = lend(route, notFound === undefined ? route : notFound.#route)
    this.#facts = createFacts(route, (reply) => {
      if (stateOf(reply).onError === 'running') {
        throw new errorCodes.ESP_ERR_SEND_INSIDE_ONERR(route.name)
      }
      if (reply.sent) return
      if (notFound === undefined) sendNotFoundAgain(reply)
      else notFound.#takeOver(reply, lent)
    })
  }

  readonly run: RouteRunner = (raw, response, params, query) => {
    const route = this.#route
    const request = new route.Request(raw, this.#facts, params, query)
    const reply = new route.Reply(response, request, this.#facts)
    this.#watch?.(request, reply)
    const exchange = { route, stages: this.#stages, request, reply }
    if (hasListeners()) {
      traceRequest(route, reply, () => {
        advance(exchange, 0)
      })
    } else advance(exchange, 0)
  }

  /** Goes on with a request of another route, at the handler. */
  #takeOver(reply: Reply, lent: Lent): void {
    const route = this.#route
    const { request } = reply
    const state = stateOf(reply)
    if (state.isRerouted) return
    state.isRerouted = true
    deadlineOf(request)?.clear()
    state.isFailing = false
    // The error handlers of this route have not had their turn, and an error that another has left to
    // it is no error any more.
    state.errorHandlersUsed = 0
    if (reply.statusCode === state.errorStatus) reply.code(200)
    state.errorStatus = undefined
    state.route = this.#facts
    rerouteRequest(request, this.#facts)
    if (lent.request !== undefined) Object.setPrototypeOf(request, lent.request)
    if (lent.reply !== undefined) Object.setPrototypeOf(reply, lent.reply)
    const stages = [...route.ownPreHandlers, createHandlerStage(route)]
    advance({ route, stages, request, reply }, 0)
  }
}

interface Exchange {
  readonly route: CompiledRoute
  readonly stages: readonly RequestStep[]
  readonly request: Request
  readonly reply: Reply
}

function createFacts(
  route: CompiledRoute,
  callNotFound: (reply: Reply) => void,
): RouteFacts<Reply> {
  const { dialect, server, log, generateId, is404, routeOptions, schemas } = route
  return {
    dialect,
    server,
    log,
    generateId,
    is404,
    routeOptions,
    schemas,
    callNotFound,
    deliver: (reply, payload) => {
      deliver(route, reply, payload)
    },
    tellNotFound: (reply) => {
      tellNotFound(route, reply)
    },
    serialize: (reply, payload) => serializeNow(route, reply, payload),
  }
}

function createStages(route: CompiledRoute): RequestStep[] {
  const { hooks, body, validators } = route
  const log = createLogStage(route)
  return [
    ...(log === undefined ? [] : [log]),
    ...hooks.onRequest,
    ...hooks.preParsing.map((hook) => createPreParsingStage(route, hook)),
    ...(body === undefined ? [] : [createBodyStage(route, body)]),
    ...hooks.preValidation,
    ...(validators.length > 0 ? [createValidation(route)] : []),
    ...hooks.preHandler,
    createHandlerStage(route),
  ]
}

function createHandlerStage(route: CompiledRoute): RequestStep {
  const { is404 } = route
  return (request, reply) =>
    handlerChannel.hasSubscribers && !is404
      ? traceHandler(route, request, reply)
      : runHandler(route, request, reply)
}

/** Synchronous stages run in one go: only a promise that a stage returns is waited for. */
function advance(exchange: Exchange, from: number): void {
  const { route, stages, request, reply } = exchange
  try {
    for (let at = from; at < stages.length; at++) {
      const stage = stages[at]
      if (stage?.start !== undefined) {
        startStage(exchange, stage.start, at + 1)
        return
      }
      const pending = stage?.(request, reply)
      if (pending instanceof StageFailure) {
        failStage(route, reply, pending.error)
        return
      }
      // A promise is followed even where a reply was sent: it may still reject.
      if (isThenable(pending)) {
        resume(exchange, pending, at + 1)
        return
      }
      if (isDone(route, reply)) return
    }
  } catch (error) {
    failStage(route, reply, error)
  }
}

/** What follows a hook that takes `done` runs inside `done`: so a hook can wrap all of it, as
 *  `AsyncLocalStorage.run(store, done)` does. */
function startStage(exchange: Exchange, start: HookStart, next: number): void {
  const { route, request, reply } = exchange
  let isSettled = false
  const fail = (error: unknown): void => {
    isSettled = true
    failStage(route, reply, error)
  }
  try {
    const done: HookDone = (error) => {
      if (isSettled) return
      isSettled = true
      if (isFailure(error)) failStage(route, reply, error, true)
      else if (!isDone(route, reply)) advance(exchange, next)
    }
    const returned = start(done, request, reply)
    // A hook that takes `done` and returns a promise all the same ends with whichever comes first.
    if (returned instanceof Promise)
      returned.then(() => {
        done()
      }, fail)
  } catch (error) {
    fail(error)
  }
}

function resume(exchange: Exchange, pending: PromiseLike<unknown>, next: number): void {
  const { route, reply } = exchange
  pending.then(
    (value) => {
      if (value instanceof StageFailure) failStage(route, reply, value.error)
      else if (!isDone(route, reply)) advance(exchange, next)
    },
    (error: unknown) => {
      const isOfHook = next < exchange.stages.length
      failStage(route, reply, isOfHook ? (error ?? nothingThrown(route, error)) : error)
    },
  )
}
