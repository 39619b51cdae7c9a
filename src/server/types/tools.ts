import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { GenerateId } from '../../exchange/identity/request-id.ts'
import type { Logger } from '../../http/logger.ts'
import type { InitialConfig } from '../options/initial-config.ts'
import type { ConstraintStrategy } from '../routing/constraints.ts'
import type { FoundRoute, RouteQuery } from '../routing/found-route.ts'
import type { PrintRoutesOptions } from '../routing/print.ts'
import type { ListenOptions } from '../transport/listen.ts'

type ListenCallback = (error: Error | null, address: string) => void

/** The part of a server that depends on no context. */
export interface ServerTools {
  /** Node's own server. */
  readonly server: HttpServer
  /** The version of Fastify whose plugins this host runs. */
  readonly version: string
  readonly log: Logger
  /** Listens, booting first where that has not been done.
   *  @throws ESP_ERR_REOPENED_SERVER, and Node's errors (EADDRINUSE…) */
  listen(options?: ListenOptions | number | string | null): Promise<string>
  listen(callback: ListenCallback): void
  listen(options: ListenOptions | number | string | null, callback: ListenCallback): void
  /** @deprecated give options */
  listen(place: number | string, host: string, callback?: ListenCallback): unknown
  /** @deprecated give options */
  listen(place: number, host: string, backlog: number, callback?: ListenCallback): unknown
  /** Where the server listens, as a URL; empty where it does not. */
  readonly listeningOrigin: string
  /** The options of the server, with their defaults: a frozen copy. */
  readonly initialConfig: InitialConfig
  /** Makes the ids of the requests of this scope. */
  readonly genReqId: GenerateId
  /** Sets what makes the ids of the requests of this scope and below. */
  setGenReqId(generate: GenerateId): void
  [Symbol.asyncDispose](): Promise<void>
  /** Stops listening, lets requests in flight finish, then runs the onClose hooks. */
  close(): Promise<void>
  close(callback: (error?: Error) => void): void
  /** The addresses that the server listens on. */
  addresses(): AddressInfo[]
  /** The routes as text: as a tree, cut where paths part, unless the options say else. */
  printRoutes(options?: PrintRoutesOptions): string
  /** What a URL would be answered by; null where no route is for it. */
  findRoute(query: RouteQuery): FoundRoute | null
  /** The methods that routes may have. */
  readonly supportedMethods: string[]
  /** Answers a request of Node's as the server itself does, booted before. */
  readonly routing: (request: IncomingMessage, response: ServerResponse) => void
  /** Adds a strategy for the route option `constraints`.
   *  @throws ESP_ERR_CONSTRAINT_STRATEGY where it is none, or its name is taken */
  addConstraintStrategy(strategy: ConstraintStrategy): void
  /** Whether `constraints` may name this strategy; a built-in one only where a route does. */
  hasConstraintStrategy(name: string): boolean
  /** The tree of contexts as text. */
  printContexts(): string
  /** Whether a route was declared for this very path; names of parameters make no difference. */
  hasRoute(query: RouteQuery): boolean
  /** The plugins as text, with the time that each took to load. */
  printPlugins(): string
  /** Whether a plugin of this name was registered here or above. */
  hasPlugin(name: string): boolean
  hasDecorator(name: string | symbol): boolean
  hasRequestDecorator(name: string | symbol): boolean
  hasReplyDecorator(name: string | symbol): boolean
}
