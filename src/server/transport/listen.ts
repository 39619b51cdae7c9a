import type { AddressInfo, ListenOptions as NodeListenOptions, Server } from 'node:net'
import type { Dialect } from '../../dialect/dialect.ts'
import { errorCodes } from '../../errors/codes.ts'
import { moveTo } from '../../errors/origin.ts'
import { describe } from '../../errors/describe.ts'
import { isObject } from '../../types/objects.ts'
import { writeFailure } from '../log.ts'
import { anything, checkOptions, type Rules } from '../options/rules.ts'
import type { ListenOptions } from '../types/tools.ts'

/** Reads the arguments of `listen`: options, or the deprecated forms `(port, host?, backlog?)` and
 *  `(path, backlog?)`, and a callback as the last.
 *  @throws ESP_ERR_LISTEN_OPTIONS_INVALID, ESP_ERR_INIT_OPTS_INVALID for an unknown option */
export function readListen<Callback>(
  args: readonly unknown[],
  dialect: Dialect,
): readonly [options: ListenOptions, callback: Callback | undefined] {
  const last = args.findLast((each) => typeof each === 'function') as Callback | undefined
  const [first, second, third] = args.filter((each) => typeof each !== 'function')
  const options = isObject(first)
    ? (first as ListenOptions)
    : readPlace([first, second, third], dialect)
  if (dialect.boot.refusesUnknown) checkOptions(options, rules, { parent: 'listen' })
  const { signal } = options
  if (signal !== undefined && typeof signal.addEventListener !== 'function') {
    const found = describe(signal)
    throw new errorCodes.ESP_ERR_LISTEN_OPTIONS_INVALID('signal', 'an AbortSignal', found)
  }
  return [options, last]
}

/** Node and the code below check the values. */
const rules: Rules<ListenOptions> = {
  port: anything,
  host: anything,
  path: anything,
  backlog: anything,
  exclusive: anything,
  readableAll: anything,
  writableAll: anything,
  ipv6Only: anything,
  signal: anything,
  listenTextResolver: anything,
}

function readPlace([place, second, third]: readonly unknown[], { errors }: Dialect): ListenOptions {
  if (place !== undefined) errors.deprecate('ESP_DEP_LISTEN')
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

/** Resolves when a server listens. @throws the errors of Node (such as EADDRINUSE) */
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

/** The address of a listening server as a URL. Unspecified addresses become loopback addresses,
 *  which a browser can open. */
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

/** The used part of a `Host`. */
interface Listener {
  readonly dialect: Dialect
  readonly isClosing: boolean
  listen(options: ListenOptions, origin?: Error): Promise<string>
  close(): Promise<void>
}

/** Listens until the signal of the options is aborted, and closes the server then. Resolves to
 *  undefined if the abort comes first; in Fastify's dialect also if `close` comes first.
 *  @param origin the call that wants it
 *  @throws the errors of `listen` */
export async function listenUntil(
  host: Listener,
  options: ListenOptions,
  origin: Error | undefined,
): Promise<string | undefined> {
  const { signal } = options
  const mayBeClosed = host.dialect.boot.isThenable && !host.isClosing
  const stop = (): Promise<void> => host.close()
  if (signal?.aborted === true) return stop().then(() => undefined)
  const abort = (): void => {
    stop().catch(writeFailure)
  }
  signal?.addEventListener('abort', abort, { once: true })
  return host.listen(options, origin).catch((error: unknown) => {
    const isClosed = mayBeClosed && error instanceof errorCodes.ESP_ERR_REOPENED_CLOSE_SERVER
    if (isClosed || signal?.aborted === true) return undefined
    const { wrapsForeign } = host.dialect.errors
    throw wrapsForeign && error instanceof Error ? explainListen(error, options, origin) : error
  })
}

/** Adds to an error of Node what to do about it. */
function explainListen(error: Error, { path, port }: ListenOptions, origin?: Error): Error {
  const code = 'code' in error ? String(error.code) : ''
  const remedy = (path === undefined ? remediesOfPorts(String(port ?? 0)) : remediesOfPaths)[code]
  if (remedy === undefined) return error
  const message = `${error.message}. ${remedy}`
  return Object.assign(moveTo(origin, error), { message })
}

type Remedies = Readonly<Record<string, string>>

const remediesOfPaths: Remedies = {
  EADDRINUSE: 'A process listens there, or has left the file: end it, or delete the file',
  EACCES: 'This user may not make a file there: take another path',
}

const remediesOfPorts = (port: string): Remedies => ({
  EADDRINUSE:
    'Another process listens there, or another server of this one. ' +
    `\`lsof -i :${port}\` shows it (\`netstat -ano\` on Windows). ` +
    'End it, or listen on another port: port 0 takes a free one',
  EACCES:
    'This user may not listen there, as is usual for ports below 1024. Take a higher port: ' +
    'port 0 takes a free one',
})
