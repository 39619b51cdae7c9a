import type { IncomingMessage } from 'node:http'
import { errorCodes } from '../../errors/codes.ts'
import { describe, ignoreRejection } from '../../schema/values.ts'
import type { Host } from '../host.ts'

/** Gives a request the URL that `rewriteUrl` returns, and keeps the one that came as `originalUrl`.
 *  @throws ESP_ERR_ROUTE_REWRITE_NOT_STR, and what `rewriteUrl` throws */
export function rewriteUrl({ options, root }: Host, request: IncomingMessage): void {
  const { url = '/' } = request
  const { rewriteUrl: rewrite } = options
  if (rewrite === undefined) return
  Object.assign(request, { originalUrl: url })
  const rewritten: unknown = Reflect.apply(rewrite, root.faces.server, [request])
  if (typeof rewritten === 'string') {
    request.url = rewritten
    return
  }
  ignoreRejection(rewritten)
  throw new errorCodes.ESP_ERR_ROUTE_REWRITE_NOT_STR(url, describe(rewritten))
}
