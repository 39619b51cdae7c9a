import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { problemJson, toProblem } from '../../http/problem-details.ts'
import { phraseOf } from '../../http/status.ts'
import { guard } from '../../lifecycle/log/guard.ts'
import type { ServerLog } from '../../lifecycle/log/route-log.ts'
import { isObject } from '../../types/objects.ts'
import { writeFailure } from '../log.ts'
import type { TransportSettings } from '../options/transport.ts'

/** Closes an HTTP/1 connection after a reply. HTTP/2 closes its sessions by itself. */
export function closeAfterReply(
  { httpVersionMajor }: IncomingMessage,
  response: ServerResponse,
): void {
  if (httpVersionMajor < 2) response.setHeader('connection', 'close')
}

/** Refuses a request to a closing server, and logs it.
 *  @param server the root server, for the log controller
 *  @param asProblem whether the answer is problem details */
export function refuseClosing(
  response: ServerResponse,
  { logger, isPresent, controller }: ServerLog,
  server: object,
  asProblem: boolean,
): void {
  if (isPresent) guard(() => controller.serviceUnavailable(logger, server), writeFailure)
  refuse(response, 503, 'The server is closing', asProblem)
}

/** The highest major version of HTTP that a server supports. A server of `serverFactory` supports
 *  any. */
export function highestVersion({ http2, serverFactory }: TransportSettings): number {
  if (serverFactory !== undefined) return Infinity
  return http2 ? 2 : 1
}

/** Refuses a request of an unsupported HTTP version, which the parser of Node may accept. */
export function refuseVersion(response: ServerResponse, asProblem: boolean): void {
  response.setHeader('connection', 'close')
  refuse(response, 505, 'The server does not speak this version of HTTP', asProblem)
}

/** Refuses a WebSocket where there is no connection to take over. */
export function refuseUpgrade(response: ServerResponse, asProblem: boolean): void {
  refuse(response, 501, 'WebSockets need a server that listens', asProblem)
}

export function refuseHosts(
  request: IncomingMessage,
  response: ServerResponse,
  asProblem: boolean,
): void {
  closeAfterReply(request, response)
  refuse(response, 400, 'The request has more than one Host header', asProblem)
}

/** Answers 500 to a request that failed before it had a route, or cuts a reply that has begun. */
export function refuseFailed(response: ServerResponse, asProblem: boolean): void {
  const answer = (): void => {
    if (!response.headersSent && !response.destroyed)
      refuse(response, 500, phraseOf(500), asProblem)
    else if (!response.writableEnded) response.destroy()
  }
  guard(answer, writeFailure)
}

function refuse(
  response: ServerResponse,
  statusCode: number,
  message: string,
  asProblem: boolean,
): void {
  const { headers, body } = contentOf(statusCode, message, asProblem)
  response.writeHead(statusCode, headers)
  response.end(body)
}

/** The content of an answer to a request that no route answers. */
function contentOf(statusCode: number, message: string, asProblem: boolean) {
  const body = JSON.stringify(
    asProblem
      ? toProblem(statusCode, { detail: message })
      : { statusCode, error: phraseOf(statusCode), message },
  )
  const headers = {
    'content-type': asProblem ? problemJson : 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  }
  return { headers, body }
}

const answers: Readonly<Record<string, readonly [statusCode: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long'],
}

/** Answers data that Node cannot read as a request, and closes the connection. No hooks run, since
 *  there is no request. */
export function answerClientError(
  { code = '' }: Error & { readonly code?: string },
  socket: Duplex,
  asProblem: boolean,
): void {
  if (socket.destroyed) return
  // The client has left, or a reply has begun already.
  const isBusy = '_httpMessage' in socket && hasBegun(socket._httpMessage)
  if (code === 'ECONNRESET' || !socket.writable || isBusy) {
    socket.destroy()
    return
  }
  const [statusCode, message] = answers[code] ?? [400, 'The request is no HTTP']
  const { headers, body } = contentOf(statusCode, message, asProblem)
  const head = [
    `HTTP/1.1 ${statusCode} ${phraseOf(statusCode)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

/** Whether a reply has begun and not ended. */
function hasBegun(response: unknown): boolean {
  if (!isObject(response) || response['writableEnded'] === true) return false
  return response['headersSent'] !== false
}
