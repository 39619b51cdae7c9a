import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { isObject } from '../schema/values.ts'

/** Whether somebody reads a body still, so that all of it may come. */
export function isRead(body: Readable): boolean {
  if (body.destroyed) return false
  if (body.listenerCount('readable') > 0) return true
  if (body.listenerCount('data') === 0) return false
  return !body.isPaused() || isPiped(body)
}

/** A pipe pauses its source as long as its destination is full. */
function isPiped(body: Readable): boolean {
  const state: unknown = Reflect.get(body, '_readableState')
  return isObject(state) && Array.isArray(state['pipes']) && state['pipes'].length > 0
}

/** Whether a body may have more bytes than a limit: one in chunks does not say how many. */
export function isLong({ headers }: IncomingMessage, limit: number): boolean {
  return Number(headers['content-length'] ?? Infinity) > limit
}

/** Whether a body was begun to be read, and is not all there. Node itself reads those that nobody
 *  began; HTTP/2 closes a stream behind its response. Injected requests are never incomplete. */
export function isHalfRead(raw: IncomingMessage): boolean {
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-boolean-literal-compare -- or undefined
  const isIncomplete = raw.complete === false
  return raw.readableDidRead && isIncomplete && raw.httpVersionMajor < 2
}

/** Frees a connection of the rest of a half-read body, as soon as its response has left. A short
 *  rest is read. Behind a long one, or one that cannot be read any more, the connection is closed.
 *  @returns whether it is closed, unless somebody reads the rest after all */
export function leaveRest(raw: IncomingMessage, response: ServerResponse, limit: number): boolean {
  restoreSocket(raw, response)
  const isClosed = (): boolean =>
    !raw.complete && !isRead(raw) && (raw.destroyed || isLong(raw, limit))
  // By then the request may have lost its socket again, and the response has.
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

/** Node takes the socket off a request whose body is left by `for await`. That of its response is the same, until
 *  it has left. */
export function restoreSocket(raw: OnSocket, response?: OnSocket): Socket | null {
  raw.socket ??= response?.socket ?? null
  return raw.socket
}
