import type { IncomingMessage, ServerResponse } from 'node:http'
import { phraseOf } from '../../http/status.ts'
import { guard } from '../../lifecycle/log/guard.ts'
import type { ServerLog } from '../../lifecycle/log/route-log.ts'
import { writeFailure } from '../logging/host-log.ts'
import type { TransportSettings } from '../options/transport.ts'
import type { Duplex } from 'node:stream'
import { isObject } from '../../schema/values.ts'

/** Tells a client that this is the last answer on its connection. HTTP/2 does so by itself. */
export function tellClosing({ httpVersionMajor }: IncomingMessage, response: ServerResponse): void {
  if (httpVersionMajor < 2) response.setHeader('connection', 'close')
}

/** Refuses such a request.
 *  @param server that of the root, for the line that tells of it */
export function refuseClosing(
  response: ServerResponse,
  { logger, isPresent, controller }: ServerLog,
  server: object,
): void {
  if (isPresent) guard(() => controller.serviceUnavailable(logger, server), writeFailure)
  refuse(response, 503, 'The server is closing')
}

/** The highest major version of HTTP that a server speaks. Who makes a server knows it. */
export function highestVersion({ http2, serverFactory }: TransportSettings): number {
  if (serverFactory !== undefined) return Infinity
  return http2 ? 2 : 1
}

/** Refuses a request of a version that the server does not speak: Node's parser lets some through. */
export function refuseVersion(response: ServerResponse): void {
  response.setHeader('connection', 'close')
  refuse(response, 505, 'The server does not speak this version of HTTP')
}

/** Whether a request has more than one Host header, of which Node takes the first, and a proxy in front
 *  may take another (RFC 9112, 3.2). A server of one's own may make requests without a list of headers. */
export function hasTwoHosts({ rawHeaders = [] }: Partial<IncomingMessage>): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count > 1
}

/** Refuses such a request. */
export function refuseHosts(request: IncomingMessage, response: ServerResponse): void {
  tellClosing(request, response)
  refuse(response, 400, 'The request has more than one Host header')
}

/** The last resort for a request that failed before it had a route: 500 where nothing has left, else its
 *  connection is cut. */
export function refuseFailed(response: ServerResponse): void {
  const answer = (): void => {
    if (!response.headersSent && !response.destroyed) refuse(response, 500, phraseOf(500))
    else if (!response.writableEnded) response.destroy()
  }
  guard(answer, writeFailure)
}

function refuse(response: ServerResponse, statusCode: number, message: string): void {
  const body = JSON.stringify({ statusCode, error: phraseOf(statusCode), message })
  response.writeHead(statusCode, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

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
