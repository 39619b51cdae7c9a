// The header `declared` of a reply: whether the schema of its route describes the reply.
import type { HeaderValue } from '../http/headers.ts'
import { isStructured } from '../http/payload-kind.ts'
import { isPage } from '../http/response-body.ts'
import { isSuccess } from '../http/status.ts'
import { json, type StatusResponses } from '../serialization/responses.ts'
import type { Exchange } from './exchange.ts'

/** Whether a payload that was serialized is one that its route declares for the status. Text, bytes
 *  and streams are sent as they are: text of a handler has the type of its schema, other text has
 *  to be what the schema would write. The status has to be set before. */
export function isDeclared({ route, reply, sentIn }: Exchange, payload: unknown): boolean {
  const responses = route.responses.at(reply.statusCode)
  if (!responses.isDeclared) return false
  if (isStructured(payload)) return true
  const type = reply.getHeader('content-type')
  const given = type === undefined ? undefined : String(type)
  if (typeof payload === 'object' && payload !== null)
    return given !== undefined && responses.hasContent(given)
  return sentIn === 'handler' || isAsWritten(responses, given, payload ?? null)
}

function isAsWritten(
  responses: StatusResponses,
  type: string | undefined,
  value: unknown,
): boolean {
  if (value === null && responses.isBare) return true
  try {
    return responses.choose(type)?.(value) === JSON.stringify(value)
  } catch {
    return false
  }
}

/** Sets the header `declared` (RFC 9651, 3.3.6): `?1` for a status other than 2xx that the route
 *  declares, if the payload is the declared one, and for a declared page; `?0` for a 2xx that the
 *  route does not declare, or that a not-found handler sends. Other replies have no such header.
 *  One that was set before stays: it came from the server behind a proxy. Browsers show it to other
 *  origins (`access-control-expose-headers`). */
export function markDeclared(exchange: Exchange, headers: Record<string, HeaderValue>): void {
  const { reply } = exchange
  const mark = headers['declared'] ?? markOf(exchange, headers['content-type'])
  if (mark === undefined) return
  headers['declared'] = mark
  if (!reply.hasHeader('access-control-allow-origin')) return
  const exposed = String(reply.getHeader('access-control-expose-headers') ?? '')
  if (/(^|,)\s*declared\s*(,|$)/i.test(exposed)) return
  reply.header('access-control-expose-headers', exposed ? `${exposed}, declared` : 'declared')
}

function markOf(
  { route, response, declaredStatus }: Exchange,
  type: HeaderValue | undefined,
): string | undefined {
  const { responses, is404 } = route
  const { status, isDeclared, isBodyless } = responses.at(response.statusCode)
  if (isSuccess(status)) {
    if (!responses.infersSuccess && (is404 || !isDeclared)) return '?0'
    return type !== undefined && type !== json && isPage(String(type)) ? '?1' : undefined
  }
  if (is404) return undefined
  return (isBodyless ? isDeclared : declaredStatus === status) ? '?1' : undefined
}
