import type { Dialect } from '../dialect/dialect.ts'
import type { IncomingMessage } from 'node:http'
import type { Logger } from '../http/logger.ts'
import type { GenerateId } from './identity/request-id.ts'
import type { SchemaFunctions } from './schema-functions.ts'

/** What a request shows of its route. */
export interface RouteOptionsFacts {
  /** The path of the route with its prefix, or undefined where no route was found. */
  readonly url: string | undefined
  readonly method: string | readonly string[]
  readonly schema: unknown
  /** What the route was given, with its own url and method. */
  readonly config: Readonly<Record<string, unknown>>
  readonly attachValidation: boolean
  readonly bodyLimit: number
  /** The most milliseconds that a request may take; 0 for any time. */
  readonly handlerTimeout: number
  readonly handler: (...args: never[]) => unknown
  /** As the route was given it; undefined where it was not. */
  readonly exposeHeadRoute: boolean | undefined
  readonly logLevel: unknown
  readonly prefixTrailingSlash: unknown
  /** The version that the route is constrained to. */
  readonly version: unknown
}

/** How the requests of a route log. */
export interface RequestLogs {
  /** The logger of the server. */
  readonly base: Logger
  /** Makes the logger of one request; undefined where that of the server will do. */
  readonly child: ((id: string, raw: IncomingMessage) => Logger) | undefined
  /** Whether there is a logger at all. */
  readonly isPresent: boolean
  /** Whether lines of level info are written. */
  readonly isInfoOn: () => boolean
}

/** What the request and the reply of a route need to know of it, and the ways into the lifecycle,
 *  which belongs to a room below. */
export interface RouteFacts<Reply> {
  readonly dialect: Dialect
  readonly server: object
  readonly log: RequestLogs
  /** Makes the id of a request. */
  readonly generateId: GenerateId
  readonly is404: boolean
  readonly routeOptions: RouteOptionsFacts
  readonly schemas: SchemaFunctions
  /** Sends a payload. */
  deliver(reply: Reply, payload: unknown): void
  /** The text of a payload as it would be sent now. */
  serialize(reply: Reply, payload: unknown): string | Uint8Array
  /** Tells of a request that no route was found for. */
  tellNotFound(reply: Reply): void
  /** Has the not-found handler of the route's context answer. */
  callNotFound(reply: Reply): void
}
