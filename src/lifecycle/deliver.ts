import { errorCodes } from '../errors/codes.ts'
import { isThenable } from '../schema/values.ts'
import { stateOf, type Reply } from '../exchange/reply.ts'
import { discard, isError, isStructured } from '../exchange/sendable.ts'
import type { CompiledRoute } from '../route/compiled-route.ts'
import { answerError } from './error-path.ts'
import { passThrough, report } from './hooks.ts'
import { serializePayload } from './payload.ts'
import { sendBody } from './send.ts'
import { inTime } from './stages/in-time.ts'

/** Sends the payload of a reply: preSerialization → serializer → onSend → socket. The first payload is
 *  the one that is sent. @throws ESP_ERR_SEND_INSIDE_ONERR */
export function deliver(route: CompiledRoute, reply: Reply, payload: unknown): void {
  const state = stateOf(reply)
  if (state.onError === 'running') {
    discard(payload)
    throw new errorCodes.ESP_ERR_SEND_INSIDE_ONERR(route.name)
  }
  if (reply.sent) {
    const { method, url } = reply.request
    if (payload !== state.payload) discard(payload)
    state.isRefused = true
    report(route, new errorCodes.ESP_ERR_REP_ALREADY_SENT(method, url), reply, 'warn')
    return
  }
  if (isError(payload)) {
    answerError(route, reply, payload, true)
    return
  }
  state.sending = true
  state.payload = payload
  const { preSerialization } = route.hooks
  if (preSerialization.length === 0 || !isStructured(payload)) {
    serializeAndSend(route, reply, payload)
    return
  }
  try {
    const changed = passThrough(preSerialization, reply, payload)
    if (isThenable(changed)) {
      changed.then(
        inTime(route, reply, (later) => {
          serializeAndSend(route, reply, later)
        }),
        inTime(route, reply, (error) => {
          recover(route, reply, error)
        }),
      )
    } else serializeAndSend(route, reply, changed)
  } catch (error) {
    recover(route, reply, error)
  }
}

function serializeAndSend(route: CompiledRoute, reply: Reply, payload: unknown): void {
  let body
  try {
    body = serializePayload(route, reply, payload)
  } catch (error) {
    discard(payload)
    const isRefused = isError(error) && error instanceof errorCodes.ESP_ERR_REP_INVALID_PAYLOAD_TYPE
    if (isRefused && stateOf(reply).isInHandler) {
      stateOf(reply).sending = false
      throw error
    }
    markSerialization(route, error)
    recover(route, reply, error)
    return
  }
  sendBody(route, reply, body, recover)
}

/** Error handlers that were written for Fastify know by this that it was the serializer that failed. */
function markSerialization({ dialect, routeOptions }: CompiledRoute, error: unknown): void {
  if (dialect.errors.wrapsForeign || !(error instanceof Error)) return
  Object.assign(error, { serialization: routeOptions.config })
}

/** As long as nothing has left, an error handler can still answer. */
function recover(route: CompiledRoute, reply: Reply, error: unknown): void {
  stateOf(reply).sending = false
  answerError(route, reply, error)
}
