import {
  attempt,
  type HeaderValues,
  memberOf,
  type RouteInput,
  textRecord,
  toRouteCall,
} from '../../http/route-call.ts'
import type { Routed } from '../../route/route-entry.ts'
import { checkBase } from '../base.ts'
import { ClientError, failure } from '../errors.ts'
import { Room, type Opening } from './room.ts'
import type { OpenSocket, RawClientSocket, SocketCallOptions, SocketOptions } from './types.ts'

/** Makes a function that opens the routes for WebSockets of a server. Its types come from the type
 *  of the server. No code of the server is loaded.
 *  @param server an origin with or without a path, or in browsers a path alone: `''`, `'/api'`
 *  @throws ESP_ERR_CLIENT_ROUTE (the promise of a call rejects, as for all errors) for an input
 *  that makes no request; for headers in a browser, which sends none; where there is no class of
 *  WebSockets
 *  @throws ESP_ERR_CLIENT_SOCKET if the server cannot be reached, or refuses to upgrade
 *  @throws ESP_ERR_CLIENT_ABORTED if the signal of the call is aborted
 *  @example
 *  const open = socket<typeof app>('https://example.org')
 *  const room = await open('/room/:id', { params: { id: 1 } })
 *  room.send({ text: 'hello' })
 *  for await (const message of room) console.log(message) */
export function socket<App extends Routed>(
  server: string | URL,
  options?: SocketOptions,
): OpenSocket<App>
export function socket(server: string | URL, options: SocketOptions = {}): unknown {
  const base = String(server).replace(/\/+$/, '')
  return async (
    path: string,
    input: RouteInput = {},
    call: SocketCallOptions & Pick<Opening, 'raw'> = { raw: undefined },
  ): Promise<Room> => {
    const asked = { key: `GET ${path}`, method: 'GET', url: base }
    const refuse = (problem: string, kind = 'ROUTE', cause?: unknown) =>
      new ClientError(`ESP_ERR_CLIENT_${kind}`, problem, asked, cause)
    const { target, headers } = toRouteCall(asked.key, input, refuse)
    checkBase(base, target, false, refuse)
    asked.url = attempt(refuse, () => toSocketUrl(base + target))
    const connect = async (): Promise<RawClientSocket> => {
      const { headers: common } = options
      const given = typeof common === 'function' ? await common() : common
      return attempt(refuse, () => make(asked.url, options, { ...given, ...headers }))
    }
    const abort = (reason: unknown): Error => failure(asked, AbortSignal.abort(reason), reason)
    const room = new Room({ ...call, connect, refuse, abort })
    await room.open()
    return room
  }
}

/** The URL of a WebSocket. A path is one of the page. */
function toSocketUrl(url: string): string {
  // cast: that of a page, if there is one
  const page = memberOf(memberOf(globalThis, 'location'), 'href') as string | undefined
  const absolute = new URL(url, page)
  absolute.protocol = absolute.protocol.replace('http', 'ws')
  return absolute.href
}

/** @throws TypeError for headers that the platform does not send, and without a class */
function make(
  url: string,
  { protocols = [], WebSocket: own }: SocketOptions,
  given: HeaderValues,
): RawClientSocket {
  const names = [...protocols]
  const headers = textRecord(given)
  const hasHeaders = Object.keys(headers).length > 0
  if (hasHeaders && memberOf(globalThis, 'document'))
    throw new TypeError('browsers send no headers with a WebSocket. Use the query or a cookie')
  // cast: a class of WebSockets
  const Class = (own ?? memberOf(globalThis, 'WebSocket')) as AnyClass | undefined
  if (!Class) throw new TypeError("there is no WebSocket. Give that of 'ws': { WebSocket }")
  // Node, Bun and Deno take the headers in the second argument, `ws` in the third.
  const second = hasHeaders && !own ? { protocols: names, headers } : names
  const socket = new Class(url, second, { headers })
  socket.binaryType = 'arraybuffer'
  return socket
}

type AnyClass = new (...args: unknown[]) => RawClientSocket
