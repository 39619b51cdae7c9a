import type { HTTPMethods } from '../types/raw.ts'

/** The options of `listen`. */
export interface FastifyListenOptions {
  /** @default 0, a free one */
  port?: number
  /** @default 'localhost' */
  host?: string
  /** A Unix socket or a pipe, instead of a port. */
  path?: string
  /** The most connections that wait to be accepted. @default 511 */
  backlog?: number
  /** @default false */
  exclusive?: boolean
  /** Whether all users may read the pipe. @default false */
  readableAll?: boolean
  /** Whether all users may write to the pipe. @default false */
  writableAll?: boolean
  /** Whether `::` is not to mean IPv4 too. @default false */
  ipv6Only?: boolean
  /** Closes the server when it is aborted. */
  signal?: AbortSignal
  /** Makes the line that is logged when the server listens. */
  listenTextResolver?: (address: string) => string
}

/** The options of `printRoutes`. */
export interface PrintRoutesOptions {
  method?: HTTPMethods
  includeMeta?: boolean | (string | symbol)[]
  commonPrefix?: boolean
  includeHooks?: boolean
}
