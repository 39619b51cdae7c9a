import { guard, writeError } from '../route/logging/guard.ts'
import { stateOf, type Reply } from '../exchange/reply.ts'
import type { Request } from '../exchange/request.ts'

/** The answer where no route was found, and no not-found handler is set. */
export function sendNotFound(request: Request, reply: Reply): Reply {
  const { method, url } = request
  const message = `Route ${method}:${url} not found`
  stateOf(reply).route.tellNotFound(reply)
  return reply.code(404).send(stateOf(reply).route.dialect.errors.notFound(message))
}

/** The answer where what answers for a route that was not found calls `callNotFound` itself. */
export function sendNotFoundAgain(reply: Reply): void {
  const { request } = reply
  const line = 'callNotFound was called where there is no handler left: the default answer is sent'
  guard(
    () => Reflect.apply(request.log.warn, request.log, [line]),
    (error) => {
      writeError('callNotFound', error)
    },
  )
  const { notFoundAgain } = stateOf(reply).route.dialect.errors
  if (notFoundAgain === undefined) sendNotFound(request, reply)
  else reply.code(404).send(notFoundAgain)
}
