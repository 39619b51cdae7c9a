import { errorCodes } from '../errors/codes.ts'
import { stateOf, type Reply } from '../exchange/reply.ts'
import type { CompiledRoute } from '../route/compiled-route.ts'
import { answerError, report } from './error-path.ts'
import { serializePayload } from './payload.ts'
import { writeReply } from './write.ts'

/** Sends the payload of a reply. The first payload is the one that is sent. */
export function deliver(route: CompiledRoute, reply: Reply, payload: unknown): void {
  if (reply.sent) {
    const { method, url } = reply.request
    report(route, new errorCodes.ESP_ERR_REPLY_ALREADY_SENT(method, url))
    return
  }
  if (payload instanceof Error) {
    answerError(route, reply, payload, true)
    return
  }
  const state = stateOf(reply)
  state.sending = true
  try {
    writeReply(reply, serializePayload(route, reply, payload))
  } catch (error) {
    // Nothing has left yet, so an error handler can still answer.
    state.sending = reply.raw.headersSent
    answerError(route, reply, error)
  }
}
