import type { LogSerializer } from '../../http/logger.ts'

interface LoggedRequest {
  readonly method?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly host?: string
  readonly ip?: string
  readonly socket?: { readonly remotePort?: number }
}

/** What is logged for a request and for a reply. Whatever else is logged under these names may lack any
 *  of it. */
export const serializers: Readonly<Record<'req' | 'res', LogSerializer>> = {
  req: (request: LoggedRequest) => ({
    method: request.method,
    url: request.url,
    version: request.headers?.['accept-version'],
    host: request.host,
    remoteAddress: request.ip,
    remotePort: request.socket?.remotePort,
  }),
  res: (reply: { readonly statusCode?: number }) => ({ statusCode: reply.statusCode }),
}
