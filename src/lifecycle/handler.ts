import { errorCodes } from '../errors/codes.ts'
import { destroyPayload, kindOf, type PayloadKind } from '../http/payload-kind.ts'
import { isThenable } from '../types/promises.ts'
import { failStage, isExpected, send } from './answer.ts'
import { handlerChannel, routeOf, type HandlerCall } from './channels.ts'
import type { CompiledRoute } from './compiled-route.ts'
import { factsOf } from './errors.ts'
import { hasLeft, isOver, type Exchange, type Stage } from './exchange.ts'
import { report } from './hooks.ts'
import { isWhole, refusal } from './payload.ts'

/** The last stage: runs the handler and sends what it returns. A handler that is not async may
 *  also return nothing and reply later. An async one replies before it ends, chooses a status,
 *  or returns `reply`. */
export function createHandlerStage(route: CompiledRoute): Stage {
  const stage = new HandlerStage(route)
  return (exchange) => {
    exchange.phase = 'handler'
    if (handlerChannel.hasSubscribers && !route.is404) return stage.runTraced(exchange)
    const result = stage.call(exchange)
    if (result !== undefined && result !== exchange.reply) stage.take(exchange, result)
    return undefined
  }
}

class HandlerStage {
  readonly #route: CompiledRoute

  constructor(route: CompiledRoute) {
    this.#route = route
  }

  /** Takes what the handler returned: a payload, or a promise of it. */
  take(exchange: Exchange, result: unknown): void {
    if (result instanceof Promise) {
      this.#follow(exchange, result)
      return
    }
    const kind = kindOf(result)
    // Another thenable may call back twice.
    if (kind !== 'plain' && isThenable(result)) this.#follow(exchange, Promise.resolve(result))
    else this.#sendReturned(exchange, result, kind)
  }

  /** Runs the handler in the same way, and publishes each step. */
  runTraced(exchange: Exchange): Promise<void> | undefined {
    const { request, reply } = exchange
    const message: HandlerCall = { request, reply, async: false, route: routeOf(this.#route) }
    const { start, end } = handlerChannel
    return start.runStores(message, () => {
      try {
        const result = this.call(exchange)
        if (result === undefined || result === reply) return undefined
        if (isThenable(result)) {
          message.async = true
          return this.#followTraced(exchange, message, result)
        }
        message.result = result
        this.#sendReturned(exchange, result, kindOf(result))
        return undefined
      } catch (error) {
        this.#publishError(exchange, message, error)
        throw error
      } finally {
        end.publish(message)
      }
    })
  }

  call(exchange: Exchange): unknown {
    const { handler, dialect } = this.#route
    return dialect.reply.throwsInHandler
      ? this.#callRethrowing(exchange)
      : handler(exchange.request, exchange.reply)
  }

  /** Calls the handler. If it calls `send` with a payload that cannot be sent, `send` throws to
   *  it. */
  #callRethrowing(exchange: Exchange): unknown {
    const { request, reply } = exchange
    exchange.isInHandler = true
    try {
      return this.#route.handler(request, reply)
    } catch (error) {
      if (exchange.phase !== 'hijacked') throw error
      report(exchange, alreadySent(exchange, error), 'warn')
      return undefined
    } finally {
      exchange.isInHandler = false
    }
  }

  /** Follows the promise of an async handler. No stage comes after it, so none waits for it: this
   *  saves two promises a request. */
  #follow(exchange: Exchange, result: Promise<unknown>): void {
    const failed = (error: unknown): void => {
      // As Fastify does: an expected error of a handler is logged as an error.
      if (isExpected(exchange)) report(exchange, error)
      else failStage(exchange, this.#route, error)
    }
    result.then((payload) => {
      try {
        this.#sendResult(exchange, payload)
      } catch (error) {
        failed(error)
      }
    }, failed)
  }

  async #followTraced(
    exchange: Exchange,
    message: HandlerCall,
    result: PromiseLike<unknown>,
  ): Promise<void> {
    const { asyncStart, asyncEnd } = handlerChannel
    let payload
    try {
      payload = await result
    } catch (error) {
      this.#publishError(exchange, message, error)
      asyncStart.publish(message)
      asyncEnd.publish(message)
      throw error
    }
    message.result = payload
    asyncStart.publish(message)
    try {
      this.#sendResult(exchange, payload)
    } finally {
      asyncEnd.publish(message)
    }
  }

  /** Publishes an error. The status is set before, so that a listener sees it. */
  #publishError(exchange: Exchange, message: HandlerCall, error: unknown): void {
    if (!isOver(exchange, this.#route))
      exchange.reply.code(factsOf(error, this.#route).status ?? 500)
    message.error = error
    handlerChannel.error.publish(message)
  }

  /** Sends the value that an async handler resolved to.
   *  @throws ESP_ERR_PROMISE_NOT_FULFILLED, ESP_ERR_REP_INVALID_PAYLOAD_TYPE */
  #sendResult(exchange: Exchange, payload: unknown): void {
    if (payload !== undefined) {
      this.#sendReturned(exchange, payload, kindOf(payload))
      return
    }
    if (isOver(exchange, this.#route) || exchange.response.destroyed) return
    // A status that the handler set is an answer: `reply.code(204)` needs no payload.
    const { name, dialect } = this.#route
    if (exchange.response.statusCode === 200 && !dialect.reply.allowsNothing)
      throw new errorCodes.ESP_ERR_PROMISE_NOT_FULFILLED('handler', name)
    send(exchange, undefined, 'nothing')
  }

  /** Sends a value that a handler returned. @throws ESP_ERR_REP_INVALID_PAYLOAD_TYPE */
  #sendReturned(exchange: Exchange, payload: unknown, kind: PayloadKind): void {
    if (exchange.phase === 'handler' && exchange.route === this.#route) {
      if (!this.#route.responses.isOpen) this.#assertDeclared(exchange, kind)
      // A hook may have put a function of its own in place of `send`, as tools for tracing do.
      if (Object.hasOwn(exchange.reply, 'send')) sendByOwn(exchange, payload)
      else send(exchange, payload, kind)
    } else this.#leave(exchange, payload, kind)
  }

  /** Leaves a value that a handler returned after its answer. If a reply was sent before, it is
   *  logged as a second payload. If the reply was hijacked, it is ignored. */
  #leave(exchange: Exchange, payload: unknown, kind: PayloadKind): void {
    if (hasLeft(exchange, this.#route) || exchange.phase === 'hijacked') destroyPayload(payload)
    else if (exchange.reply.sent) send(exchange, payload, kind)
    else {
      // The first payload was an error, which is being answered.
      destroyPayload(payload)
      report(exchange, alreadySent(exchange), 'warn')
    }
  }

  /** Refuses an object under a status that the response schema does not declare: without a
   *  schema, every field would be sent. A hook may have set such a status and not sent.
   *  @throws ESP_ERR_REP_INVALID_PAYLOAD_TYPE */
  #assertDeclared(exchange: Exchange, kind: PayloadKind): void {
    const { dialect, replySerializer, responses } = this.#route
    const { status, isDeclared, isBodyless } = responses.at(exchange.response.statusCode)
    if (isDeclared || isBodyless || !isWhole(exchange, kind)) return
    if (!dialect.reply.refusesUndeclared) return
    if ((replySerializer ?? exchange.serializer) !== undefined) return
    const what = `its response declares no status ${status}`
    throw refusal(exchange, `${what}, and without a schema every field would leave`)
  }
}

function sendByOwn({ reply }: Exchange, payload: unknown): void {
  const own: unknown = Reflect.get(reply, 'send')
  if (typeof own === 'function') Reflect.apply(own, reply, [payload])
}

function alreadySent({ request, route }: Exchange, cause?: unknown): Error {
  const { method, url } = request
  const shown = route.redaction?.url(url) ?? url
  return new errorCodes.ESP_ERR_REP_ALREADY_SENT(method, shown, cause)
}
