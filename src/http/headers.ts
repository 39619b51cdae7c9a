import type { ServerResponse } from 'node:http'

/** The value of a header: a list is sent as several header lines. */
export type HeaderValue = string | number | readonly string[]

/** The headers of a reply, without a prototype: `constructor` and `__proto__` are names of headers like
 *  any other. Instances of a class cost a third of what Object.create(null) does. */
class HeaderTable {
  [name: string]: HeaderValue
}
Object.setPrototypeOf(HeaderTable.prototype, null)
Reflect.deleteProperty(HeaderTable.prototype, 'constructor')

export function createHeaders(): Record<string, HeaderValue> {
  return new HeaderTable()
}

/** Whether the head of a response was written. Node's own answer: middleware of Express sets `headersSent`
 *  on the response as it likes. */
export function hasHead(response: ServerResponse): boolean {
  if (!Object.hasOwn(response, 'headersSent')) return response.headersSent
  return Reflect.get(Object.getPrototypeOf(response) as object, 'headersSent', response) === true
}

/** The headers that hold for one connection alone, and so never for a message that is passed on
 *  (RFC 9110, 7.6.1). */
export const connectionHeaders: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
