import type { Duplex } from 'node:stream'
import { isObject } from '../../schema/values.ts'

/** What Node reports of a request that is no HTTP, or comes too slowly. */
interface ClientError extends Error {
  readonly code?: string
}

const answers: Readonly<Record<string, readonly [line: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long'],
}

/** Answers what cannot be read as a request, as clearly as it does any other: such a connection has no
 *  request that hooks could run for, and is closed. */
export function answerClientError(error: ClientError, socket: Duplex): void {
  if (socket.destroyed) return
  // The client has left, or a reply is under way already.
  const isBusy = '_httpMessage' in socket && hasBegun(socket._httpMessage)
  if (error.code === 'ECONNRESET' || !socket.writable || isBusy) {
    socket.destroy()
    return
  }
  const [line, message] = answers[error.code ?? ''] ?? ['400 Bad Request', 'The request is no HTTP']
  const statusCode = Number(line.slice(0, 3))
  const body = JSON.stringify({ statusCode, error: line.slice(4), message })
  const head = [
    `HTTP/1.1 ${line}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

/** Whether a reply is under way. One that waits for its request's body is not, nor one that is written. */
function hasBegun(response: unknown): boolean {
  if (!isObject(response) || response['writableEnded'] === true) return false
  return response['headersSent'] !== false
}
