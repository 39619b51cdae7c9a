// The header `declared` of a reply: whether the schema of its route describes the reply.
import type { HeaderValue } from '../http/headers.ts'
import { isStructured } from '../http/payload-kind.ts'
import type { StatusResponses } from '../serialization/responses.ts'
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

/** Sets the header `declared`, and shows it to browsers of other origins
 *  (`access-control-expose-headers`). */
export function setMark(
  { reply }: Exchange,
  headers: Record<string, HeaderValue>,
  mark: HeaderValue,
): void {
  headers['declared'] = mark
  if (!reply.hasHeader('access-control-allow-origin')) return
  const exposed = String(reply.getHeader('access-control-expose-headers') ?? '')
  if (/(^|,)\s*declared\s*(,|$)/i.test(exposed)) return
  reply.header('access-control-expose-headers', exposed ? `${exposed}, declared` : 'declared')
}
