import type { AddressInfo } from 'node:net'
import type { ListenOptions as NodeListenOptions, Server } from 'node:net'
import { errorCodes } from '../../errors/codes.ts'

/** Where a server listens. */
export interface ListenOptions {
  /** The TCP port; 0 for any that is free. @default 0 */
  readonly port?: number
  /** The host name or address. @default 'localhost' */
  readonly host?: string
  /** A Unix socket, instead of a port. */
  readonly path?: string
  /** The length of the queue of connections that are not accepted yet. @default 511 */
  readonly backlog?: number
}

/** Listens, and resolves to the address as a URL, or to the path of the Unix socket.
 *  @throws ESP_ERR_REOPENED_SERVER, and Node's errors (EADDRINUSE…) */
export function listen(server: Server, options: ListenOptions): Promise<string> {
  if (server.listening) {
    throw new errorCodes.ESP_ERR_REOPENED_SERVER(addressOf(server, options.host))
  }
  const { port = 0, host = 'localhost', path, backlog = 511 } = options
  const where: NodeListenOptions = path === undefined ? { port, host, backlog } : { path, backlog }
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(where, () => {
      server.off('error', reject)
      resolve(addressOf(server, host))
    })
  })
}

/** The address of a listening server as a URL. An address that stands for all is shown as one that
 *  can be opened. */
function addressOf(server: Server, host: string | undefined): string {
  const address = server.address()
  if (address === null || typeof address === 'string') return address ?? ''
  return `http://${hostOf(address, host)}:${address.port}`
}

function hostOf({ address, family }: AddressInfo, host: string | undefined): string {
  if (host === 'localhost' || address === '::') return host === 'localhost' ? 'localhost' : '[::1]'
  if (address === '0.0.0.0') return '127.0.0.1'
  return family === 'IPv6' ? `[${address}]` : address
}
