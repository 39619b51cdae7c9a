import type { Logger } from '../http/logger.ts'

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

/** What the request and the reply of a route need to know of it. The reply hands payloads to `deliver`,
 *  which belongs to a room below. */
export interface RouteFacts<Reply> {
  readonly server: object
  readonly log: Logger
  readonly is404: boolean
  readonly routeOptions: RouteOptionsFacts
  deliver(reply: Reply, payload: unknown): void
}
