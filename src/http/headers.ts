import { type IncomingMessage, OutgoingMessage, ServerResponse } from 'node:http'

/** The value of a header: a list is sent as several header lines. */
export type HeaderValue = string | number | readonly string[]

/** The headers of a reply. They have no prototype, since `constructor` and `__proto__` are valid
 *  names of headers. An instance of a class costs a third of `Object.create(null)`. */
class HeaderTable {
  [name: string]: HeaderValue
}
Object.setPrototypeOf(HeaderTable.prototype, null)
Reflect.deleteProperty(HeaderTable.prototype, 'constructor')

export function createHeaders(): Record<string, HeaderValue> {
  return new HeaderTable()
}

const describe = ({ prototype }: { readonly prototype: OutgoingMessage }) =>
  Object.getOwnPropertyDescriptor(prototype, 'headersSent')

/** The getter of the runtime: to look for own properties would cost ten times as much. Node has it
 *  in `OutgoingMessage`; that of Bun's `ServerResponse` differs. */
// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called on a response
const headersSent = (describe(ServerResponse) ?? describe(OutgoingMessage))?.get

/** Whether the head of a response was written. This ignores an own property `headersSent`, which
 *  Express middleware may set. */
export function hasHead(response: ServerResponse): boolean {
  if (headersSent !== undefined && response instanceof ServerResponse)
    return Reflect.apply(headersSent, response, []) === true
  if (!Object.hasOwn(response, 'headersSent')) return response.headersSent
  return Reflect.get(Object.getPrototypeOf(response) as object, 'headersSent', response) === true
}

/** Whether a request has more than one Host header (RFC 9112, 3.2). Node takes the first, but a
 *  proxy may take another. Requests of a `serverFactory` may have no `rawHeaders`. */
export function hasTwoHosts({ rawHeaders = [] }: Partial<IncomingMessage>): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count > 1
}

/** The headers of one connection, which a proxy must not forward (RFC 9110, 7.6.1). */
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
