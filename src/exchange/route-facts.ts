import type { Logger } from '../http/logger.ts'
import type { GenerateId } from './identity/request-id.ts'
import type { SchemaFunctions } from './schema-functions.ts'

/** What a request shows of its route. */
export interface RouteOptionsFacts {
  /** The path of the route with its prefix, or undefined where no route was found. */
  readonly url: string | undefined
  readonly method: string | readonly string[]
  readonly schema: unknown
  readonly config: Readonly<Record<string, unknown>>
  readonly attachValidation: boolean
  readonly bodyLimit: number
}

/** What the request and the reply of a route need to know of it, and the ways into the lifecycle,
 *  which belongs to a room below. */
export interface RouteFacts<Reply> {
  readonly server: object
  readonly log: Logger
  /** Makes the id of a request. */
  readonly generateId: GenerateId
  readonly is404: boolean
  readonly routeOptions: RouteOptionsFacts
  readonly schemas: SchemaFunctions
  /** Sends a payload. */
  deliver(reply: Reply, payload: unknown): void
  /** The text of a payload as it would be sent now. */
  serialize(reply: Reply, payload: unknown): string | Uint8Array
  /** Has the not-found handler of the route's context answer. */
  callNotFound(reply: Reply): void
}
