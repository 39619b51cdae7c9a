import { errorCodes } from '../errors/codes.ts'
import { destroyPayload, isError } from '../http/payload-kind.ts'
import { isThenable } from '../types/promises.ts'
import { isDeclared } from './declared.ts'
import { failInstead } from './errors.ts'
import type { Exchange } from './exchange.ts'
import { passThrough, report } from './hooks.ts'
import { isWhole, serializePayload, textByScope } from './payload.ts'
import { inTime, sendBody } from './write.ts'

/** Sends a payload: preSerialization → serializer → onSend → socket. The first payload of a reply
 *  is sent; later ones are refused. @throws ESP_ERR_SEND_INSIDE_ONERR */
export function send(exchange: Exchange, payload: unknown): void {
  const { route, request, reply, phase } = exchange
  if (phase === 'onError') {
    destroyPayload(payload)
    throw new errorCodes.ESP_ERR_SEND_INSIDE_ONERR(route.name)
  }
  if (reply.sent) {
    if (payload !== exchange.payload) destroyPayload(payload)
    exchange.isRefused = true
    const { method, url } = request
    report(exchange, new errorCodes.ESP_ERR_REP_ALREADY_SENT(method, url), 'warn')
    return
  }
  if (isError(payload)) {
    failInstead(exchange, payload, 'sent')
    return
  }
  exchange.sentIn = phase
  exchange.phase = 'sending'
  exchange.payload = payload
  const { preSerialization } = route.hooks
  if (preSerialization.length === 0 || !isWhole(exchange, payload))
    serializeAndSend(exchange, payload)
  else passToSerializer(exchange, payload)
}

function passToSerializer(exchange: Exchange, payload: unknown): void {
  const next = (changed: unknown): void => {
    serializeAndSend(exchange, changed)
  }
  const failed = (error: unknown): void => {
    failInstead(exchange, error)
  }
  let changed
  try {
    changed = passThrough(exchange.route.hooks.preSerialization, exchange, payload)
  } catch (error) {
    failed(error)
    return
  }
  if (isThenable(changed)) changed.then(inTime(exchange, next), inTime(exchange, failed))
  else next(changed)
}

function serializeAndSend(exchange: Exchange, payload: unknown): void {
  let body
  try {
    body = serializePayload(exchange, payload)
    const { statusCode } = exchange.reply
    if (statusCode >= 300 && exchange.route.dialect.reply.marksDeclared)
      exchange.declaredStatus = isDeclared(exchange, payload) ? statusCode : undefined
  } catch (error) {
    destroyPayload(payload)
    const isRefused = isError(error) && error instanceof errorCodes.ESP_ERR_REP_INVALID_PAYLOAD_TYPE
    if (isRefused && exchange.isInHandler) {
      if (exchange.phase === 'sending') exchange.phase = exchange.sentIn
      throw error
    }
    body = textByScope(exchange, payload)
    if (body === undefined) {
      markSerialization(exchange, error)
      failInstead(exchange, error)
      return
    }
    exchange.declaredStatus = undefined
  }
  sendBody(exchange, body, failInstead)
}

/** Marks an error of the serializer, as error handlers of Fastify expect. */
function markSerialization({ route }: Exchange, error: unknown): void {
  if (route.dialect.errors.wrapsForeign || !(error instanceof Error)) return
  Object.assign(error, { serialization: route.routeOptions.config })
}
