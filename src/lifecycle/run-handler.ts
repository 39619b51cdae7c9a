import { errorCodes } from '../errors/codes.ts'
import type { Reply } from '../exchange/reply.ts'
import type { Request } from '../exchange/request.ts'
import { isThenable } from '../schema/values.ts'
import type { CompiledRoute } from '../route/compiled-route.ts'
import { isOver } from './error-path.ts'

/** Runs the handler and sends what it returns. A handler that is not async may also return nothing
 *  and reply later; an async one has to reply before it ends, or return `reply`. */
export function runHandler(
  route: CompiledRoute,
  request: Request,
  reply: Reply,
): Promise<void> | undefined {
  const result = route.handler(request, reply)
  if (result === undefined || result === reply) return undefined
  if (isThenable(result)) return sendResult(route, reply, result)
  if (!isOver(route, reply)) reply.send(result)
  return undefined
}

async function sendResult(
  route: CompiledRoute,
  reply: Reply,
  result: PromiseLike<unknown>,
): Promise<void> {
  const payload = await result
  if (isOver(route, reply)) return
  if (payload === undefined) throw new errorCodes.ESP_ERR_PROMISE_NOT_FULFILLED(route.name)
  reply.send(payload)
}
