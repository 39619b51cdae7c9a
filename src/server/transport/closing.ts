import type { IncomingMessage, ServerResponse } from 'node:http'

const body = JSON.stringify({
  statusCode: 503,
  error: 'Service Unavailable',
  message: 'The server is closing',
})

/** Tells a client whose request comes while the server closes to connect anew elsewhere. HTTP/2 does so by
 *  itself. */
export function tellClosing({ httpVersionMajor }: IncomingMessage, response: ServerResponse): void {
  if (httpVersionMajor < 2) response.setHeader('connection', 'close')
}

/** Refuses such a request. */
export function refuseClosing(response: ServerResponse): void {
  response.writeHead(503, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}
