import type { ServerResponse } from 'node:http'

/** Makes what aborts the signal of a request: it does so when the connection is gone before the
 *  response is whole. */
export function createSignal(response: ServerResponse): AbortController {
  const controller = new AbortController()
  if (response.writableEnded) return controller
  const abort = (): void => {
    controller.abort()
  }
  if (response.destroyed) abort()
  // An injected response is never `writableFinished`, but it does finish.
  else response.once('close', abort).once('finish', () => response.off('close', abort))
  return controller
}
