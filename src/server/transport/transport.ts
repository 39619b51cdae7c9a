import { lookup } from 'node:dns/promises'
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
import type { AddressInfo, Socket } from 'node:net'
import { errorCodes } from '../../errors/codes.ts'
import { refusePromise } from '../../errors/refuse-promise.ts'
import { describe } from '../../errors/describe.ts'
import { isObject } from '../../types/objects.ts'
import type { Dispatch, TransportSettings } from '../options/transport.ts'
import type { ListenOptions } from '../types/tools.ts'
import { adaptedClasses } from './http2-exchange.ts'
import { IdleConnections } from './idle-connections.ts'
import { addressOf, listenOn } from './listen.ts'
import late from '../../packages/late.cjs'

/** A server of Node, with control of its connections. */
interface ManagedServer {
  readonly server: HttpServer
  readonly closeIdle: () => void
  readonly closeAll: () => void
  /** Sets `connection: close` on the HTTP/1 replies that have not begun. */
  readonly announceClose: () => void
}

/** The servers of Node: the main one, and those for the other addresses of `localhost`. */
export class Transport {
  readonly #settings: TransportSettings
  readonly #dispatch: Dispatch
  readonly #prepare: (server: HttpServer) => void
  readonly #others: ManagedServer[] = []
  #made: ManagedServer | undefined
  #hasListened = false

  /** @param prepare is called with the main server, once it is made
   *  @throws the errors of Node for wrong options, and those of `serverFactory` */
  constructor(
    settings: TransportSettings,
    dispatch: Dispatch,
    prepare: (server: HttpServer) => void,
  ) {
    this.#settings = settings
    this.#dispatch = dispatch
    this.#prepare = prepare
    const { serverFactory, http, https, http2 } = settings
    // Given options are checked at once. Without any, the server waits until somebody needs it:
    // `app.fetch` does not, and a runtime may have none.
    const isPlain = serverFactory === undefined && https === undefined && !http2
    if (!isPlain || Object.keys(http).length > 0) this.#make()
  }

  get server(): HttpServer {
    return this.#make().server
  }

  /** The servers that are made. */
  get #all(): readonly ManagedServer[] {
    return this.#made === undefined ? this.#others : [this.#made, ...this.#others]
  }

  #make(): ManagedServer {
    if (this.#made === undefined) {
      this.#made = manageServer(this.#settings, this.#dispatch)
      this.#prepare(this.#made.server)
    }
    return this.#made
  }

  get #scheme(): 'http' | 'https' {
    return this.#settings.https === undefined ? 'http' : 'https'
  }

  /** Listens, and resolves to the address as a URL, or to the path of the Unix socket.
   *  @throws the errors of Node (such as EADDRINUSE) */
  async listen(options: ListenOptions): Promise<string> {
    const { server } = this
    this.#hasListened = true
    // A server of `serverFactory` may be listening already.
    if (!server.listening) await listenOn(server, options)
    const isLocal = options.path === undefined && (options.host ?? 'localhost') === 'localhost'
    if (isLocal && this.#settings.serverFactory === undefined) await this.#listenBeside(options)
    return addressOf(server, this.#scheme)
  }

  addresses(): (AddressInfo | string)[] {
    return this.#all.map(({ server }) => addressIn(server)).filter((address) => address !== null)
  }

  /** The bound address as a URL; empty if the server does not listen. */
  get origin(): string {
    const address = this.#made === undefined ? null : addressIn(this.#made.server)
    if (address === null || typeof address === 'string') return address ?? ''
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
    return `${this.#scheme}://${host}:${address.port}`
  }

  announceClose(): void {
    for (const { announceClose } of this.#all) announceClose()
  }

  /** Stops listening, and waits for the requests in flight. */
  async close(): Promise<void> {
    // The user closes a server of `serverFactory` that did not listen through this class.
    const isForeign = this.#settings.serverFactory !== undefined && !this.#hasListened
    const own = isForeign ? this.#others : this.#all
    await Promise.all(own.map((each) => this.#close(each)))
  }

  async #close({ server, closeIdle, closeAll }: ManagedServer): Promise<void> {
    if (!server.listening) return
    const { forceCloseConnections } = this.#settings
    await new Promise<void>((resolve) => {
      // A connection may become idle at any time from now on.
      const again = forceCloseConnections === 'idle' ? setInterval(closeIdle, 100) : undefined
      again?.unref()
      server.close(() => {
        clearInterval(again)
        resolve()
      })
      if (forceCloseConnections === true) closeAll()
      else if (forceCloseConnections === 'idle') closeIdle()
    })
  }

  /** Listens on the other addresses of `localhost`. An address that fails is left out. */
  async #listenBeside(options: ListenOptions): Promise<void> {
    const own = this.server.address()
    if (own === null || typeof own === 'string') return
    const known = await lookup('localhost', { all: true }).catch(() => [])
    const hosts = new Set(known.map(({ address }) => address))
    hosts.delete(own.address)
    for (const host of hosts) {
      const beside = manageServer(this.#settings, this.#dispatch)
      forwardEvents(this.server, beside.server)
      try {
        await listenOn(beside.server, { ...options, host, port: own.port })
        this.#others.push(beside)
      } catch {
        beside.server.close()
      }
    }
  }
}

/** Node keeps the path of a Unix socket after closing. */
function addressIn(server: HttpServer): AddressInfo | string | null {
  return server.listening ? server.address() : null
}

/** Forwards connection events of another server to the main server, and `unref` the other way. */
function forwardEvents(main: HttpServer, other: HttpServer): void {
  for (const name of ['upgrade', 'connect', 'clientError']) {
    const forward = (...args: unknown[]): boolean => main.emit(name, ...args)
    // Without a listener Node handles these events by itself.
    if (main.listenerCount(name) > 0) other.on(name, forward)
    else {
      main.on('newListener', (added) => {
        if (added === name && other.listenerCount(name) === 0) other.on(name, forward)
      })
    }
  }
  const unref = main.unref.bind(main)
  main.unref = () => {
    other.unref()
    return unref()
  }
}

/** @throws ESP_ERR_INIT_OPTS_INVALID if `serverFactory` returns no server */
function manageServer(settings: TransportSettings, dispatch: Dispatch): ManagedServer {
  const { serverFactory, http2 } = settings
  if (serverFactory === undefined) {
    return http2 ? createHttp2(settings, dispatch) : createHttp1(settings, dispatch)
  }
  const server: unknown = refusePromise('serverFactory', serverFactory(dispatch))
  if (isServer(server)) return manageHttp1(server)
  const problem = `serverFactory must return a server of Node, but returned ${describe(server)}`
  throw new errorCodes.ESP_ERR_INIT_OPTS_INVALID(problem)
}

/** `serverFactory` may return a server of another class. */
function isServer(value: unknown): value is HttpServer {
  return isObject(value) && typeof value['on'] === 'function'
}

function createHttp1(settings: TransportSettings, dispatch: Dispatch): ManagedServer {
  const { http, https, keepAliveTimeout, requestTimeout, maxRequestsPerSocket } = settings
  const timeouts = timeoutsOf(https === undefined ? http : https, requestTimeout)
  const server =
    https === undefined
      ? createServer({ ...http, ...timeouts }, dispatch)
      : late.https().createServer({ ...https, ...timeouts }, dispatch)
  Object.assign(server, { keepAliveTimeout, requestTimeout })
  if (maxRequestsPerSocket > 0) server.maxRequestsPerSocket = maxRequestsPerSocket
  server.setTimeout(settings.connectionTimeout)
  return manageHttp1(server)
}

/** By default Node checks for slow requests every 30 seconds, which is too rare for a shorter
 *  limit. The time for headers must not exceed the time for the whole request. */
function timeoutsOf(given: ServerOptions, requestTimeout: number): ServerOptions {
  if (requestTimeout === 0) return {}
  return {
    requestTimeout,
    headersTimeout: Math.min(given.headersTimeout ?? 60_000, requestTimeout),
    connectionsCheckingInterval:
      given.connectionsCheckingInterval ?? Math.min(30_000, Math.ceil(requestTimeout / 4)),
  }
}

function manageHttp1(server: HttpServer): ManagedServer {
  const idle = new IdleConnections(server)
  return {
    server,
    closeIdle: () => {
      idle.close()
      // A connection with a request in flight is not kept alive after its reply.
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

function createHttp2(settings: TransportSettings, dispatch: Dispatch): ManagedServer {
  const { http, https, connectionTimeout, keepAliveTimeout, requestTimeout } = settings
  const server: Http2Server | Http2SecureServer =
    https === undefined
      ? createHttp2Server({ ...adaptedClasses, ...(http as Http2ServerOptions) })
      : createSecureServer({ ...adaptedClasses, ...https })
  if (connectionTimeout > 0) {
    server.on('request', (_request, response) => {
      if ('stream' in response) closeIdleStream(response, connectionTimeout)
    })
  }
  server.on('request', dispatch)
  const sessions = new Sessions(server, https !== undefined, settings.http2SessionTimeout)
  server.setTimeout(connectionTimeout)
  // For the HTTP/1 connections that `allowHTTP1` accepts.
  if (https !== undefined) {
    Object.assign(server, { keepAliveTimeout, ...timeoutsOf(https, requestTimeout) })
  }
  // The types of Node have no common server type. Methods are checked before they are used.
  const shown = server as object as HttpServer
  const fallback = manageHttp1(shown)
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
    // An HTTP/2 session announces its end by itself.
    announceClose: fallback.announceClose,
  }
}

/** The sessions of an HTTP/2 server, and their connections. */
class Sessions {
  readonly #all = new Set<ServerHttp2Session>()
  readonly #fresh = new WeakSet<ServerHttp2Session>()
  readonly #sockets = new Set<Socket>()

  constructor(server: Http2Server | Http2SecureServer, isSecure: boolean, timeout: number) {
    server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    server.on('session', (session: ServerHttp2Session) => {
      this.#all.add(session)
      this.#fresh.add(session)
      session.once('stream', () => this.#fresh.delete(session))
      session.once('close', () => this.#all.delete(session))
      // The timeout listener of Node would destroy streams that still have time.
      session.removeAllListeners('timeout').setTimeout(timeout, () => {
        session.close()
      })
    })
  }

  /** Closes sessions after their open streams. A new session is spared once, since its first
   *  request may be on the way. A session without streams ends its connection, and Node then waits
   *  until the client ends it too. A client may never do that, so the connection is closed when all
   *  was sent, as over HTTP/1. */
  closeIdle(): void {
    for (const socket of this.#sockets) if (socket.writableFinished) socket.destroy()
    for (const session of this.#all) {
      if (this.#fresh.has(session)) this.#fresh.delete(session)
      else session.close()
    }
  }

  destroy(): void {
    for (const session of this.#all) session.destroy()
  }
}

/** Destroys a stream that is idle for too long, unless the response has a timeout listener, as over
 *  HTTP/1. */
function closeIdleStream(response: Http2ServerResponse, milliseconds: number): void {
  response.setTimeout(milliseconds, () => {
    if (response.listenerCount('timeout') === 0) response.destroy()
  })
}
