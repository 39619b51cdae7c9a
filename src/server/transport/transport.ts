import { lookup } from 'node:dns/promises'
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Dispatch, TransportSettings } from '../options/transport.ts'
import { createNodeServer, type NodeServer } from './create-server.ts'
import { addressOf, listenOn, type ListenOptions } from './listen.ts'

/** The sockets of a server: the first, and those that listen on the other addresses of `localhost`. */
export class Transport {
  readonly #settings: TransportSettings
  readonly #dispatch: Dispatch
  readonly #main: NodeServer
  readonly #others: NodeServer[] = []
  #hasListened = false

  constructor(settings: TransportSettings, dispatch: Dispatch) {
    this.#settings = settings
    this.#dispatch = dispatch
    this.#main = createNodeServer(settings, dispatch)
  }

  get server(): HttpServer {
    return this.#main.server
  }

  get scheme(): 'http' | 'https' {
    return this.#settings.https === undefined ? 'http' : 'https'
  }

  /** Listens, and resolves to the address as a URL, or to the path of the Unix socket.
   *  @throws Node's errors (EADDRINUSE…) */
  async listen(options: ListenOptions): Promise<string> {
    const { server } = this.#main
    this.#hasListened = true
    // A server of one's own may listen already.
    if (!server.listening) await listenOn(server, options)
    const isLocal = options.path === undefined && (options.host ?? 'localhost') === 'localhost'
    if (isLocal && this.#settings.serverFactory === undefined) await this.#listenBeside(options)
    return addressOf(server, this.scheme)
  }

  addresses(): (AddressInfo | string)[] {
    return [this.#main, ...this.#others]
      .map(({ server }) => addressIn(server))
      .filter((address) => address !== null)
  }

  /** Where the server listens, as it was bound; empty where it does not. */
  get origin(): string {
    const address = addressIn(this.server)
    if (address === null || typeof address === 'string') return address ?? ''
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
    return `${this.scheme}://${host}:${address.port}`
  }

  /** Has the replies that have not begun say that their connection is closed behind them. */
  announceClose(): void {
    for (const { announceClose } of [this.#main, ...this.#others]) announceClose()
  }

  /** Stops listening, and waits for the requests in flight. */
  async close(): Promise<void> {
    // A server of one's own that was never asked to listen is not this one's to close.
    const isForeign = this.#settings.serverFactory !== undefined && !this.#hasListened
    const own = isForeign ? [] : [this.#main]
    await Promise.all([...own, ...this.#others].map((each) => this.#close(each)))
  }

  async #close({ server, closeIdle, closeAll }: NodeServer): Promise<void> {
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

  /** `localhost` stands for an address of each family. One that is not to be had is left out. */
  async #listenBeside(options: ListenOptions): Promise<void> {
    const own = this.server.address()
    if (own === null || typeof own === 'string') return
    const known = await lookup('localhost', { all: true }).catch(() => [])
    const hosts = new Set(known.map(({ address }) => address))
    hosts.delete(own.address)
    for (const host of hosts) {
      const beside = createNodeServer(this.#settings, this.#dispatch)
      follow(this.server, beside.server)
      try {
        await listenOn(beside.server, { ...options, host, port: own.port })
        this.#others.push(beside)
      } catch {
        beside.server.close()
      }
    }
  }
}

/** Node keeps the path of a Unix socket when it is closed. */
function addressIn(server: HttpServer): AddressInfo | string | null {
  return server.listening ? server.address() : null
}

/** What the first server does with connections is done with those of another too. */
function follow(main: HttpServer, other: HttpServer): void {
  for (const name of ['upgrade', 'connect', 'clientError']) {
    const forward = (...args: unknown[]): boolean => main.emit(name, ...args)
    // Node does by itself what nobody listens to.
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
