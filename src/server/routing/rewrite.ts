import type { IncomingMessage } from 'node:http'
import { errorCodes } from '../../errors/codes.ts'
import { describe } from '../../schema/values.ts'
import type { Host } from '../host.ts'

/** Gives a request the URL that `rewriteUrl` returns, and keeps the one that came as `originalUrl`.
 *  False where it gives none: the connection is cut then, for there is nothing to route by. */
export function rewriteUrl({ options, root }: Host, request: IncomingMessage): boolean {
  const { url = '/' } = request
  const { rewriteUrl: rewrite } = options
  if (rewrite === undefined) return true
  Object.assign(request, { originalUrl: url })
  try {
    const rewritten: unknown = Reflect.apply(rewrite, root.faces.server, [request])
    if (typeof rewritten !== 'string') {
      throw new errorCodes.ESP_ERR_ROUTE_REWRITE_NOT_STR(url, describe(rewritten))
    }
    request.url = rewritten
    return true
  } catch (error) {
    process.stderr.write(`${String(error)}\n`)
    request.destroy(error instanceof Error ? error : new Error(String(error)))
    return false
  }
}
