import { hasHead } from '../../http/headers.ts'
import { errorCodes } from '../../errors/codes.ts'
import type { EspalierError } from '../../errors/espalier-error.ts'
import { Deadline, setDeadline } from '../../exchange/end/deadline.ts'
import { abortSignal } from '../../exchange/end/signal.ts'
import { stateOf, type Reply } from '../../exchange/reply.ts'
import type { Request } from '../../exchange/request.ts'
import { discard } from '../../exchange/sendable.ts'
import type { CompiledRoute } from '../../route/compiled-route.ts'
import { answerError, isOver, writeBare } from '../error-path.ts'
import { report } from '../hooks.ts'

/** Bounds the time from the first hook to the head of the response. What is too late is answered as an error, and
 *  `request.signal` is aborted: whatever the handler still does ends by that, or comes to nothing. */
export function watchDeadline(route: CompiledRoute): (request: Request, reply: Reply) => void {
  return (request, reply) => {
    const deadline = new Deadline(route.handlerTimeout, (due) => {
      expire(route, reply, due)
    })
    setDeadline(request, deadline)
    const clear = (): void => {
      deadline.clear()
    }
    reply.raw.once('finish', clear).once('close', clear)
  }
}

/** The error handlers and the hooks of the reply have as much time again; behind that the answer is bare. */
function expire(route: CompiledRoute, reply: Reply, deadline: Deadline): void {
  const { raw, request } = reply
  const state = stateOf(reply)
  if (hasHead(raw) || raw.destroyed || state.isHijacked || state.isRerouted) return
  deadline.expired += 1
  const late = new errorCodes.ESP_ERR_HANDLER_TIMEOUT(route.handlerTimeout)
  const error = route.dialect.errors.show(late)
  deadline.abandon?.()
  deadline.abandon = undefined
  discard(state.payload)
  state.sending = false
  if (state.onError === 'running') state.onError = 'done'
  if (deadline.expired > 1) {
    answerBare(route, reply, error)
    return
  }
  abortSignal(request, error)
  // Whoever listens to the signal may have answered.
  if (isOver(route, reply)) return
  answerError(route, reply, error)
  if (!hasHead(reply.raw)) deadline.start()
}

function answerBare(route: CompiledRoute, reply: Reply, error: EspalierError): void {
  report(route, error, reply)
  reply.code(503)
  stateOf(reply).sending = true
  const { code, message } = error
  const payload = { statusCode: 503, code, error: 'Service Unavailable', message }
  writeBare(route, reply, JSON.stringify(payload))
}
