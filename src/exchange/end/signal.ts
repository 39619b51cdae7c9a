import type { ServerResponse } from 'node:http'

/** Most requests have no signal: nothing is kept for them. */
const controllers = new WeakMap<object, AbortController>()

/** The signal of a request, which is made when it is first asked for: it is aborted when the connection is
 *  gone before the response is whole. */
export function signalOf(request: object, response: ServerResponse | undefined): AbortSignal {
  const present = controllers.get(request)
  if (present !== undefined) return present.signal
  const controller = new AbortController()
  controllers.set(request, controller)
  if (response !== undefined) followClient(controller, response)
  return controller.signal
}

/** Aborts the signal of a request, whether it was asked for or not. */
export function abortSignal(request: object, reason: unknown): void {
  const controller = controllers.get(request) ?? new AbortController()
  controllers.set(request, controller)
  controller.abort(reason)
}

/** What the signal of a request was aborted with; undefined while it is not. */
export function abortReason(request: object): unknown {
  return controllers.get(request)?.signal.reason
}

function followClient(controller: AbortController, response: ServerResponse): void {
  if (response.writableEnded) return
  if (response.destroyed) {
    controller.abort()
    return
  }
  const left = (): void => {
    controller.abort()
  }
  // An injected response is never `writableFinished`, but it does finish.
  response.once('close', left).once('finish', () => response.off('close', left))
}
