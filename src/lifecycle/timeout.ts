import { errorCodes } from '../errors/codes.ts'
import type { EspalierError } from '../errors/espalier-error.ts'
import { hasHead } from '../http/headers.ts'
import { destroyPayload } from '../http/payload-kind.ts'
import type { CompiledRoute } from './compiled-route.ts'
import { Deadline } from './deadline.ts'
import { fail } from './answer.ts'
import { problemJson, toProblem } from '../http/problem-details.ts'
import { json } from '../serialization/responses.ts'
import { writeBare } from './errors.ts'
import { hasLeft, type Exchange } from './exchange.ts'
import { report } from './hooks.ts'

/** Limits the time from the first hook to the head of the response. When it has passed, an error
 *  is answered and `request.signal` is aborted. Values that the handler returns later are
 *  ignored. */
export function watchDeadline(route: CompiledRoute): (exchange: Exchange) => void {
  return (exchange) => {
    const deadline = new Deadline(route.handlerTimeout, () => {
      if (!hasLeft(exchange, route)) expire(exchange, deadline)
    })
    exchange.deadline = deadline
    const clear = (): void => {
      deadline.clear()
    }
    exchange.response.once('finish', clear).once('close', clear)
  }
}

/** The error handlers and the hooks of the reply get the same time again. After that the error is
 *  written without hooks. */
function expire(exchange: Exchange, deadline: Deadline): void {
  const { route, reply, response } = exchange
  if (hasHead(response) || response.destroyed || exchange.phase === 'hijacked') return
  deadline.expired += 1
  exchange.turn += 1
  const error = route.dialect.errors.show(
    new errorCodes.ESP_ERR_HANDLER_TIMEOUT(route.handlerTimeout),
  )
  deadline.abandon?.()
  deadline.abandon = undefined
  destroyPayload(exchange.payload)
  exchange.phase = 'handler'
  if (deadline.expired > 1) {
    answerBare(exchange, error)
    return
  }
  exchange.abort ??= new AbortController()
  exchange.abort.abort(error)
  // A listener of the signal may have answered, or sent an error, which is being answered then.
  if (reply.sent || hasLeft(exchange, route)) return
  fail(exchange, error)
  if (!hasHead(response)) deadline.start()
}

function answerBare(exchange: Exchange, error: EspalierError): void {
  report(exchange, error)
  exchange.reply.code(503)
  exchange.phase = 'sending'
  const { code, message } = error
  const { problemDetails } = exchange.route
  const payload = problemDetails
    ? toProblem(503, { detail: message, code })
    : { statusCode: 503, code, error: 'Service Unavailable', message }
  writeBare(exchange, JSON.stringify(payload), problemDetails ? problemJson : json)
}
