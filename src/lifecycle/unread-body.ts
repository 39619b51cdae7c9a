import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { isObject } from '../types/objects.ts'

/** Whether a request announces content (RFC 9112, 6.3). */
export function announcesBody(request: IncomingMessage): boolean {
  const { headers } = request
  if (headers['transfer-encoding'] !== undefined) return true
  const length = headers['content-length']
  return length === undefined ? hasFrames(request) : length !== '0'
}

/** HTTP/2 sends content in frames, and need not announce it (RFC 9113, 8.1). */
function hasFrames(request: IncomingMessage): boolean {
  if (!('stream' in request) || !isObject(request.stream)) return false
  return request.stream['endAfterHeaders'] === false
}

/** Whether a body is still being read. */
export function isRead(body: Readable): boolean {
  if (body.destroyed || body.readableEnded) return false
  if (body.listenerCount('readable') > 0) return true
  if (body.listenerCount('data') === 0) return false
  return !body.isPaused() || isPiped(body)
}

/** A pipe pauses its source as long as its destination is full. */
function isPiped(body: Readable): boolean {
  const state: unknown = Reflect.get(body, '_readableState')
  return isObject(state) && Array.isArray(state['pipes']) && state['pipes'].length > 0
}

/** Whether a body may have more bytes than a limit. A body in chunks does not say its length. */
function isLong({ headers }: IncomingMessage, limit: number): boolean {
  return Number(headers['content-length'] ?? Infinity) > limit
}

/** Whether reading a body has begun, and has not ended. Node reads a body that nobody began to
 *  read, and HTTP/2 closes the stream after the response. Injected requests are never
 *  incomplete. */
export function isHalfRead(raw: IncomingMessage): boolean {
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-boolean-literal-compare -- may be undefined
  const isIncomplete = raw.complete === false
  return raw.readableDidRead && isIncomplete && raw.httpVersionMajor < 2
}

/** Removes the rest of a half-read body from a connection once the response has left. A short
 *  rest is read. If the rest is long, or cannot be read any more, the connection is closed.
 *  @returns whether it is closed, unless somebody reads the rest after all */
export function leaveRest(raw: IncomingMessage, response: ServerResponse, limit: number): boolean {
  restoreSocket(raw, response)
  const isClosed = (): boolean =>
    !raw.complete && !isRead(raw) && (raw.destroyed || isLong(raw, limit))
  // When the response has finished, it has lost its socket.
  const { socket } = response
  response.once('finish', () => {
    if (isClosed()) socket?.destroySoon()
    else if (!isRead(raw)) raw.removeAllListeners('data').resume()
  })
  return isClosed()
}

interface OnSocket {
  socket: Socket | null
}

/** Gives a request its socket back. Node removes it when `for await` leaves the body early. The
 *  response has the same socket until it has left. */
export function restoreSocket(raw: OnSocket, response?: OnSocket): Socket | null {
  raw.socket ??= response?.socket ?? null
  return raw.socket
}
