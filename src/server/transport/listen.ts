import type { Dialect } from '../../dialect/dialect.ts'
import type { AddressInfo, ListenOptions as NodeListenOptions, Server } from 'node:net'
import { errorCodes } from '../../errors/codes.ts'
import type { ErrorPolicy } from '../../dialect/dialect.ts'
import { describe, isObject } from '../../schema/values.ts'
import { writeFailure } from '../logging/host-log.ts'

/** Where a server listens. */
export interface ListenOptions {
  /** The TCP port; 0 for any that is free. @default 0 */
  readonly port?: number | string | null | undefined
  /** The host name or address; `localhost` is listened to on both families. @default 'localhost' */
  readonly host?: string | undefined
  /** A Unix socket, instead of a port. */
  readonly path?: string | undefined
  /** The length of the queue of connections that are not accepted yet. @default 511 */
  readonly backlog?: number | undefined
  /** Whether the port is not shared with other workers of a cluster. @default false */
  readonly exclusive?: boolean | undefined
  /** Whether a Unix socket can be read by all users. @default false */
  readonly readableAll?: boolean | undefined
  /** Whether a Unix socket can be written by all users. @default false */
  readonly writableAll?: boolean | undefined
  /** Whether an address of IPv6 is not bound for IPv4 too. @default false */
  readonly ipv6Only?: boolean | undefined
  /** Closes the server when it is aborted. */
  readonly signal?: AbortSignal | undefined
  /** Makes the line that is logged. */
  readonly listenTextResolver?: ((address: string) => string) | undefined
}

/** What a call of `listen` says: options, or as they were once `(port, host?, backlog?)` and
 *  `(path, backlog?)`; a callback last.
 *  @throws ESP_ERR_LISTEN_OPTIONS_INVALID */
export function readListen<Callback>(
  args: readonly unknown[],
  policy: ErrorPolicy,
): readonly [options: ListenOptions, callback: Callback | undefined] {
  const last = args.findLast((each) => typeof each === 'function') as Callback | undefined
  const [first, second, third] = args.filter((each) => typeof each !== 'function')
  const options = isObject(first)
    ? (first as ListenOptions)
    : readPlace([first, second, third], policy)
  const { signal } = options
  if (signal !== undefined && typeof signal.addEventListener !== 'function') {
    throw new errorCodes.ESP_ERR_LISTEN_OPTIONS_INVALID(
      'signal',
      'an AbortSignal',
      describe(signal),
    )
  }
  return [options, last]
}

function readPlace(
  [place, second, third]: readonly unknown[],
  { deprecate }: ErrorPolicy,
): ListenOptions {
  if (place !== undefined) deprecate('ESP_DEP_LISTEN')
  const port = Number(place ?? 0)
  if (typeof place === 'string' && Number.isNaN(port)) {
    return { path: place, backlog: readNumber(second) }
  }
  const host = typeof second === 'string' ? second : undefined
  return { port: Number.isInteger(port) && port >= 0 ? port : 0, host, backlog: readNumber(third) }
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** Listens. @throws Node's errors (EADDRINUSE…) */
export function listenOn(server: Server, options: ListenOptions): Promise<void> {
  const { port, host, path, signal: _signal, listenTextResolver: _text, ...others } = options
  const given = Object.entries({ backlog: 511, ...others }).filter(
    ([, value]) => value !== undefined,
  )
  const place = path === undefined ? { port: port ?? 0, host: host ?? 'localhost' } : { path }
  const where = { ...Object.fromEntries(given), ...place } as NodeListenOptions
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(where, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** The address of a listening server as a URL. An address that stands for all is shown as one that
 *  can be opened. */
export function addressOf(server: Server, scheme: string): string {
  const address = server.address()
  if (address === null || typeof address === 'string') return address ?? ''
  return `${scheme}://${hostOf(address)}:${address.port}`
}

function hostOf({ address, family }: AddressInfo): string {
  if (address === '::') return '[::1]'
  if (address === '0.0.0.0') return '127.0.0.1'
  return family === 'IPv6' ? `[${address}]` : address
}

/** What can listen, and be closed. */
interface Listener {
  readonly dialect: Dialect
  readonly isClosing: boolean
  listen(options: ListenOptions): Promise<string>
  close(): Promise<void>
}

/** Listens, until the signal of the options is aborted: the server is closed then. Resolves to undefined
 *  where that comes first, and in Fastify's dialect where `close` does.
 *  @throws what listening throws */
export async function listenUntil(
  host: Listener,
  options: ListenOptions,
): Promise<string | undefined> {
  const { signal } = options
  const mayBeClosed = host.dialect.boot.isThenable && !host.isClosing
  const stop = (): Promise<void> => host.close()
  if (signal?.aborted === true) return stop().then(() => undefined)
  const abort = (): void => {
    stop().catch(writeFailure)
  }
  signal?.addEventListener('abort', abort, { once: true })
  return host.listen(options).catch((error: unknown) => {
    const isClosed = mayBeClosed && error instanceof errorCodes.ESP_ERR_REOPENED_CLOSE_SERVER
    if (isClosed || signal?.aborted === true) return undefined
    throw error
  })
}
