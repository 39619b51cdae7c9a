import type { IncomingMessage } from 'node:http'
import type { HeaderValue } from '../http/headers.ts'
import type { Exchange } from './exchange.ts'

/** HTTP/2 has frames in place of chunks (RFC 9113, 8.1). */
export function frameInChunks({ request }: Exchange, headers: Record<string, HeaderValue>): void {
  const isHttp1 = request.raw.httpVersionMajor === 1
  if (isHttp1 && knowsChunks(request.raw)) headers['transfer-encoding'] = 'chunked'
}

/** HTTP/1.0 has no chunks and no trailers (RFC 9112, 6.1). */
export const knowsChunks = ({ httpVersionMajor, httpVersionMinor }: IncomingMessage): boolean =>
  httpVersionMajor > 1 || httpVersionMinor > 0
