import { isThenable } from '../../schema/values.ts'
import type { Reply } from '../../exchange/reply.ts'
import type { Request } from '../../exchange/request.ts'
import type { CompiledRoute } from '../../route/compiled-route.ts'
import { isDone, statusOf } from '../error-path.ts'
import { sendResult, sendReturned } from '../stages/run-handler.ts'
import { handlerChannel, routeOf, type Handled } from './channels.ts'

/** Runs the handler as `runHandler` does, and tells the channels of each step. */
export function traceHandler(
  route: CompiledRoute,
  request: Request,
  reply: Reply,
): Promise<void> | undefined {
  const message: Handled = { request, reply, async: false, route: routeOf(route) }
  const { start, end } = handlerChannel
  return start.runStores(message, () => {
    try {
      return runTraced(route, reply, message)
    } catch (error) {
      fail(route, message, error)
      throw error
    } finally {
      end.publish(message)
    }
  })
}

function runTraced(
  route: CompiledRoute,
  reply: Reply,
  message: Handled,
): Promise<void> | undefined {
  const result = route.handler(message.request, reply)
  if (result === undefined || result === reply) return undefined
  if (isThenable(result)) {
    message.async = true
    return followTraced(route, message, result)
  }
  message.result = result
  sendReturned(route, reply, result)
  return undefined
}

async function followTraced(
  route: CompiledRoute,
  message: Handled,
  result: PromiseLike<unknown>,
): Promise<void> {
  const { asyncStart, asyncEnd } = handlerChannel
  let payload
  try {
    payload = await result
  } catch (error) {
    fail(route, message, error)
    asyncStart.publish(message)
    asyncEnd.publish(message)
    throw error
  }
  message.result = payload
  asyncStart.publish(message)
  try {
    sendResult(route, message.reply, payload)
  } finally {
    asyncEnd.publish(message)
  }
}

/** The status is set before, so that who listens sees it. */
function fail(route: CompiledRoute, message: Handled, error: unknown): void {
  const { reply } = message
  if (!isDone(route, reply)) reply.code(statusOf(error))
  message.error = error
  handlerChannel.error.publish(message)
}
