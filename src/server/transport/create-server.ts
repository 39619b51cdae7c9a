import { createServer, type Server as HttpServer, type ServerOptions } from 'node:http'
import {
  createSecureServer,
  createServer as createHttp2Server,
  type Http2Server,
  type Http2SecureServer,
  type Http2ServerResponse,
  type ServerHttp2Session,
  type ServerOptions as Http2ServerOptions,
} from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import { errorCodes } from '../../errors/codes.ts'
import { atOnce, describe, isObject } from '../../schema/values.ts'
import type { Dispatch, TransportSettings } from '../options/transport.ts'
import { IdleConnections } from './idle-connections.ts'

/** One of Node's servers, with what can be done with its connections. */
export interface NodeServer {
  readonly server: HttpServer
  readonly closeIdle: () => void
  readonly closeAll: () => void
  /** Has the replies of HTTP/1 that have not begun say that their connection is closed. */
  readonly announceClose: () => void
}

/** Makes a server, as the options say. */
export function createNodeServer(settings: TransportSettings, dispatch: Dispatch): NodeServer {
  const { serverFactory, http2 } = settings
  if (serverFactory !== undefined) {
    const server: unknown = atOnce('serverFactory', serverFactory(dispatch))
    if (isServer(server)) return http1(server)
    const problem = `serverFactory must return a server of Node, but returned ${describe(server)}`
    throw new errorCodes.ESP_ERR_INIT_OPTS_INVALID(problem)
  }
  return http2 ? createHttp2(settings, dispatch) : createHttp1(settings, dispatch)
}

/** A server of one's own may be of any kind. */
function isServer(value: unknown): value is HttpServer {
  return isObject(value) && typeof value['on'] === 'function'
}

function createHttp1(settings: TransportSettings, dispatch: Dispatch): NodeServer {
  const { http, https, keepAliveTimeout, requestTimeout, maxRequestsPerSocket } = settings
  const timeouts = timeoutsOf(https === undefined ? http : https, requestTimeout)
  const server =
    https === undefined
      ? createServer({ ...http, ...timeouts }, dispatch)
      : createHttpsServer({ ...https, ...timeouts }, dispatch)
  Object.assign(server, { keepAliveTimeout, requestTimeout })
  if (maxRequestsPerSocket > 0) server.maxRequestsPerSocket = maxRequestsPerSocket
  server.setTimeout(settings.connectionTimeout)
  return http1(server)
}

/** Node looks every half a minute only for requests that take too long: too rarely for a shorter
 *  limit. Headers have no more time than the whole. */
function timeoutsOf(given: ServerOptions, requestTimeout: number): ServerOptions {
  if (requestTimeout === 0) return {}
  return {
    requestTimeout,
    headersTimeout: Math.min(given.headersTimeout ?? 60_000, requestTimeout),
    connectionsCheckingInterval:
      given.connectionsCheckingInterval ?? Math.min(30_000, Math.ceil(requestTimeout / 4)),
  }
}

function http1(server: HttpServer): NodeServer {
  const idle = new IdleConnections(server)
  return {
    server,
    closeIdle: () => {
      idle.close()
      // A connection whose request is in flight is idle after its reply: it is not kept then.
      Object.assign(server, { keepAliveTimeout: 1, keepAliveTimeoutBuffer: 0 })
    },
    closeAll: () => {
      if (typeof server.closeAllConnections === 'function') server.closeAllConnections()
    },
    announceClose: () => {
      idle.announceClose()
    },
  }
}

function createHttp2(settings: TransportSettings, dispatch: Dispatch): NodeServer {
  const { http, https, connectionTimeout, keepAliveTimeout, requestTimeout } = settings
  const server: Http2Server | Http2SecureServer =
    https === undefined ? createHttp2Server(http as Http2ServerOptions) : createSecureServer(https)
  if (connectionTimeout > 0) {
    server.on('request', (_request, response) => {
      if ('stream' in response) closeIdleStream(response, connectionTimeout)
    })
  }
  server.on('request', dispatch)
  const sessions = new Sessions(server, settings.http2SessionTimeout)
  server.setTimeout(connectionTimeout)
  // For the connections of HTTP/1 that `allowHTTP1` lets in.
  if (https !== undefined) {
    Object.assign(server, { keepAliveTimeout, ...timeoutsOf(https, requestTimeout) })
  }
  // Node's types have no common one: what differs is asked for before it is used.
  const shown = server as object as HttpServer
  const fallback = http1(shown)
  return {
    server: shown,
    closeIdle: () => {
      sessions.closeIdle()
      if (https !== undefined) fallback.closeIdle()
    },
    closeAll: () => {
      sessions.destroy()
      fallback.closeAll()
    },
    // A session says it by itself when it is closed.
    announceClose: fallback.announceClose,
  }
}

/** The sessions of a server of HTTP/2. */
class Sessions {
  readonly #all = new Set<ServerHttp2Session>()
  readonly #fresh = new WeakSet<ServerHttp2Session>()

  constructor(server: Http2Server | Http2SecureServer, timeout: number) {
    server.on('session', (session: ServerHttp2Session) => {
      this.#all.add(session)
      this.#fresh.add(session)
      session.once('stream', () => this.#fresh.delete(session))
      session.once('close', () => this.#all.delete(session))
      // What Node does by itself when a session is idle would cut streams whose time has not passed.
      session.removeAllListeners('timeout').setTimeout(timeout, () => {
        session.close()
      })
    })
  }

  /** Streams that are open finish first. A session is opened for a request: its first may be under way. */
  closeIdle(): void {
    for (const session of this.#all) {
      if (this.#fresh.has(session)) this.#fresh.delete(session)
      else session.close()
    }
  }

  destroy(): void {
    for (const session of this.#all) session.destroy()
  }
}

/** Ends one stream of a session that is idle for too long. As over HTTP/1, a listener has that to do. */
function closeIdleStream(response: Http2ServerResponse, milliseconds: number): void {
  response.setTimeout(milliseconds, () => {
    if (response.listenerCount('timeout') === 0) response.destroy()
  })
}
