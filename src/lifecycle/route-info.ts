import type { IncomingMessage } from 'node:http'
import type { Dialect } from '../dialect/dialect.ts'
import type { Logger } from '../http/logger.ts'
import type { RouteOptionsFacts } from '../typed/request.ts'
import type { GenerateId } from './request-id.ts'
import type { SchemaFunctions } from './schema-functions.ts'

/** How the requests of a route log. */
export interface RequestLogs {
  /** The logger of the server. */
  readonly base: Logger
  /** Makes the logger of one request; undefined where the server's logger is used. */
  readonly child: ((id: string, raw: IncomingMessage) => Logger) | undefined
  /** Whether there is a logger at all. */
  readonly isPresent: boolean
  /** Whether lines of level info are written. */
  readonly isInfoOn: () => boolean
}

/** The part of a `Redaction` for requests and replies. */
interface Redacting {
  url(url: string): string
}

/** The part of `CompiledRoute` for the classes of requests and replies. They cannot import
 *  `CompiledRoute`, which names them. */
export interface RouteInfo {
  /** What messages call the route: `GET /users/:id in root > users`. */
  readonly name: string
  readonly dialect: Dialect
  readonly server: object
  readonly log: RequestLogs
  /** Hides sensitive values of requests. Undefined where there are none. */
  readonly redaction: Redacting | undefined
  /** Makes the id of a request. */
  readonly generateId: GenerateId
  /** Whether the route answers requests that no route was found for. */
  readonly is404: boolean
  readonly routeOptions: RouteOptionsFacts
  readonly schemas: SchemaFunctions
}
