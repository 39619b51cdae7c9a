import { createServer, type Server as HttpServer, type ServerOptions } from 'node:http'
import {
  createSecureServer,
  createServer as createHttp2Server,
  type Http2Server,
  type Http2SecureServer,
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
  }
}

function createHttp2(settings: TransportSettings, dispatch: Dispatch): NodeServer {
  const { http, https, http2SessionTimeout, connectionTimeout } = settings
  const server: Http2Server | Http2SecureServer =
    https === undefined ? createHttp2Server(http as Http2ServerOptions) : createSecureServer(https)
  const sessions = new Set<ServerHttp2Session>()
  const fresh = new WeakSet<ServerHttp2Session>()
  server.on('request', dispatch)
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session)
    fresh.add(session)
    session.once('stream', () => fresh.delete(session))
    session.once('close', () => sessions.delete(session))
    session.setTimeout(http2SessionTimeout, () => {
      session.close()
    })
  })
  server.setTimeout(connectionTimeout)
  // Node's types have no common one: what differs is asked for before it is used.
  const shown = server as object as HttpServer
  const fallback = http1(shown)
  return {
    server: shown,
    closeIdle: () => {
      // Streams that are open finish first. A session is opened for a request: its first may be under way.
      for (const session of sessions) {
        if (fresh.has(session)) fresh.delete(session)
        else session.close()
      }
      if (https !== undefined) fallback.closeIdle()
    },
    closeAll: () => {
      for (const session of sessions) session.destroy()
      fallback.closeAll()
    },
  }
}
