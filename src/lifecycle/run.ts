import type { IncomingMessage, ServerResponse } from 'node:http'
import { expectsBody, readBody } from '../exchange/body.ts'
import type { Reply } from '../exchange/reply.ts'
import type { Request } from '../exchange/request.ts'
import { isThenable } from '../schema/values.ts'
import type { CompiledRoute, RequestStep } from '../route/compiled-route.ts'
import { deliver } from './deliver.ts'
import { answerError } from './error-path.ts'
import { runHandler } from './run-handler.ts'
import { createValidation, StageFailure } from './validation.ts'

/** Answers one request to one route. */
export type RouteRunner = (
  raw: IncomingMessage,
  response: ServerResponse,
  params: unknown,
  query: unknown,
) => void

/** The lifecycle of a route's requests, as the ordered list of the stages that it has:
 *
 *  onRequest → body → preValidation → validation → preHandler → handler → reply
 *
 *  A stage that returns nothing is done; one that returns a promise is waited for; one that throws or
 *  returns a failure ends in the error path; one that replies ends the request. */
export function createRunner(route: CompiledRoute): RouteRunner {
  const stages = createStages(route)
  const facts = {
    server: route.server,
    log: route.log,
    is404: route.is404,
    routeOptions: route.routeOptions,
    deliver: (reply: Reply, payload: unknown): void => {
      deliver(route, reply, payload)
    },
  }
  return (raw, response, params, query) => {
    const request = new route.Request(raw, facts, params, query)
    const reply = new route.Reply(response, request, facts)
    advance({ route, stages, request, reply }, 0)
  }
}

interface Exchange {
  readonly route: CompiledRoute
  readonly stages: readonly RequestStep[]
  readonly request: Request
  readonly reply: Reply
}

function createStages(route: CompiledRoute): RequestStep[] {
  const { hooks, validators } = route
  return [
    ...hooks.onRequest,
    ...(route.readsBody ? [createBodyStage(route)] : []),
    ...hooks.preValidation,
    ...(validators.length > 0 ? [createValidation(route)] : []),
    ...hooks.preHandler,
    (request, reply) => runHandler(route, request, reply),
  ]
}

function createBodyStage({ routeOptions }: CompiledRoute): RequestStep {
  const { bodyLimit } = routeOptions
  return (request) => {
    const { raw } = request
    if (!expectsBody(raw)) return undefined
    return readBody(raw, bodyLimit).then((body) => {
      request.body = body
    })
  }
}

/** Synchronous stages run in one go: only a promise that a stage returns is waited for. */
function advance(exchange: Exchange, from: number): void {
  const { route, stages, request, reply } = exchange
  try {
    for (let at = from; at < stages.length; at++) {
      const pending = stages[at]?.(request, reply)
      if (pending instanceof StageFailure) {
        answerError(route, reply, pending.error)
        return
      }
      // A promise is followed even where a reply was sent: it may still reject.
      if (isThenable(pending)) {
        resume(exchange, pending, at + 1)
        return
      }
      if (reply.sent) return
    }
  } catch (error) {
    answerError(route, reply, error)
  }
}

function resume(exchange: Exchange, pending: PromiseLike<unknown>, next: number): void {
  const { route, reply } = exchange
  pending.then(
    (value) => {
      if (value instanceof StageFailure) answerError(route, reply, value.error)
      else if (!reply.sent) advance(exchange, next)
    },
    (error: unknown) => {
      answerError(route, reply, error)
    },
  )
}
