import { errorCodes } from '../../errors/codes.ts'
import { deadlineOf } from '../../exchange/end/deadline.ts'
import { abortReason } from '../../exchange/end/signal.ts'
import type { Reply } from '../../exchange/reply.ts'
import type { Request } from '../../exchange/request.ts'
import { discard } from '../../exchange/sendable.ts'
import type { CompiledRoute } from '../../route/compiled-route.ts'

/** What follows a wait, unless the time ran out meanwhile: the answer is another then, and the value is let go of. */
export function inTime<Value>(
  route: CompiledRoute,
  { request }: Reply,
  next: (value: Value) => void,
): (value: Value) => void {
  const deadline = route.handlerTimeout > 0 ? deadlineOf(request) : undefined
  if (deadline === undefined) return next
  const { expired } = deadline
  return (value) => {
    if (deadline.expired === expired) next(value)
    else discard(value)
  }
}

/** Has a stream that is about to be sent let go of when the time runs out. */
export function onExpiry(route: CompiledRoute, { request }: Reply, abandon: () => void): void {
  const deadline = route.handlerTimeout > 0 ? deadlineOf(request) : undefined
  if (deadline !== undefined) deadline.abandon = abandon
}

/** Whether an error is what comes of it that the time had run out: a reply that is too late, or work that was
 *  stopped by the signal. */
export function isOutdated(request: Request, error: unknown): boolean {
  if ((deadlineOf(request)?.expired ?? 0) === 0) return false
  if (error instanceof errorCodes.ESP_ERR_REP_ALREADY_SENT) return true
  if (!(error instanceof Error)) return false
  const reason = abortReason(request)
  return error === reason || error.cause === reason || error.name === 'AbortError'
}
