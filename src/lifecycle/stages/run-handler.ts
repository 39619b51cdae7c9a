import { errorCodes } from '../../errors/codes.ts'
import { isBodyless } from '../../http/status.ts'
import { stateOf, type Reply } from '../../exchange/reply.ts'
import type { Request } from '../../exchange/request.ts'
import { discard, isStructured } from '../../exchange/sendable.ts'
import { isThenable } from '../../schema/values.ts'
import type { CompiledRoute } from '../../route/compiled-route.ts'
import { failStage, isDone } from '../error-path.ts'
import { report } from '../hooks.ts'

/** Runs the handler and sends what it returns. A handler that is not async may also return nothing
 *  and reply later; an async one has to reply before it ends, to
 *  choose a status, or to return `reply`. */
export function runHandler(route: CompiledRoute, request: Request, reply: Reply): void {
  stateOf(reply).isHandled = true
  const { throwsInHandler } = route.dialect.reply
  const result = throwsInHandler ? call(route, request, reply) : route.handler(request, reply)
  if (result === undefined || result === reply) return
  if (isThenable(result)) follow(route, reply, result)
  else sendReturned(route, reply, result)
}

/** While a handler runs, what `send` cannot serialize is thrown to it. */
function call(route: CompiledRoute, request: Request, reply: Reply): unknown {
  const state = stateOf(reply)
  state.isInHandler = true
  try {
    return route.handler(request, reply)
  } catch (error) {
    if (!state.isHijacked) throw error
    report(route, alreadySent(reply, error), reply, 'warn')
    return undefined
  } finally {
    state.isInHandler = false
  }
}

/** Nothing comes behind the handler, so nothing waits for it: that saves two promises a request. */
function follow(route: CompiledRoute, reply: Reply, result: PromiseLike<unknown>): void {
  const fail = (error: unknown): void => {
    // As what a handler throws at once: unlike a hook's, it is told of as an error.
    const isOver = route.dialect.errors.hijackEndsErrors && stateOf(reply).isHijacked
    if (isOver) report(route, error, reply)
    else failStage(route, reply, error)
  }
  // What only resembles a promise may call back twice.
  const promise = result instanceof Promise ? result : Promise.resolve(result)
  promise.then((payload: unknown) => {
    try {
      sendResult(route, reply, payload)
    } catch (error) {
      fail(error)
    }
  }, fail)
}

function alreadySent({ request }: Reply, cause?: unknown): Error {
  return new errorCodes.ESP_ERR_REP_ALREADY_SENT(request.method, request.url, cause)
}

/** Sends what the promise of an async handler has given.
 *  @throws ESP_ERR_PROMISE_NOT_FULFILLED, ESP_ERR_REP_INVALID_PAYLOAD_TYPE */
export function sendResult(route: CompiledRoute, reply: Reply, payload: unknown): void {
  if (payload !== undefined) sendReturned(route, reply, payload)
  else if (!isDone(route, reply) && !reply.raw.destroyed) {
    // A status that was chosen is an answer: `reply.code(204)` needs no payload.
    if (reply.statusCode !== 200 || route.dialect.reply.allowsNothing) reply.send()
    else throw new errorCodes.ESP_ERR_PROMISE_NOT_FULFILLED('handler', route.name)
  }
}

/** A value that is returned behind a reply is a second one, and is told of as such. One of a handler
 *  that has taken the reply over is its own affair. @throws ESP_ERR_REP_INVALID_PAYLOAD_TYPE */
export function sendReturned(route: CompiledRoute, reply: Reply, payload: unknown): void {
  const { isHijacked, isRerouted, isFailing } = stateOf(reply)
  if (isRerouted && !route.is404) discard(payload)
  else if (isFailing && !reply.sent) {
    // The first payload was an error, which is being answered.
    discard(payload)
    report(route, alreadySent(reply), reply, 'warn')
  } else if (!isHijacked) {
    assertDeclared(route, reply, payload)
    reply.send(payload)
  }
}

/** What a handler returns was checked against the response that it declares. Where a hook has set a status that is
 *  not among those, as one that forgets to send, every field would leave.
 *  @throws ESP_ERR_REP_INVALID_PAYLOAD_TYPE */
function assertDeclared(route: CompiledRoute, reply: Reply, payload: unknown): void {
  const { dialect, replySerializer, serializers } = route
  if (serializers === undefined || serializers.declares(reply.statusCode)) return
  if (!dialect.reply.refusesUndeclared || replySerializer !== undefined) return
  if (!isStructured(payload)) return
  if (isBodyless(reply.statusCode, dialect.reply) || stateOf(reply).serializer !== undefined) return
  const what = `its response declares no status ${reply.statusCode}, and without a schema every field would leave`
  throw new errorCodes.ESP_ERR_REP_INVALID_PAYLOAD_TYPE(route.name, what)
}
