import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import type { Http2SecureServer, Http2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { PoisoningAction, TextParser } from '../../context/default-parsers.ts'
import type { ChildLoggerFactory, Logger } from '../../http/logger.ts'
import type { GenerateId } from '../../lifecycle/request-id.ts'
import type { AnyHandler } from '../../route/declaration.ts'
import type { SerializerCompiler, ValidatorCompiler } from '../../schema/compiler-types.ts'
import type { InitialConfig } from '../options/initial-config.ts'
import type { ConstraintStrategy } from '../routing/constraints.ts'
import type { FetchFunction } from './fetch.ts'
import type { PrintRoutesOptions } from '../routing/print.ts'

type ListenCallback = (error: Error | null, address: string) => void

/** The part of a server that does not depend on its context. */
export interface ServerTools {
  /** The server of Node. */
  readonly server: NodeServer
  /** The version of Fastify whose plugins run here. */
  readonly version: string
  /** The logger of the server. It writes nothing without the option `logger`. */
  readonly log: Logger
  /** Makes the loggers of this scope's requests. */
  readonly childLoggerFactory: ChildLoggerFactory
  /** The plugin of this scope and the shared plugins that ran in it, as `users -> auth`. The first
   *  name at the root is `fastify`. */
  readonly pluginName: string
  /** The validator compiler of this scope. It is undefined before all plugins have loaded, unless
   *  one is set. */
  readonly validatorCompiler: ValidatorCompiler | undefined
  /** The serializer compiler of this scope, in the same way. */
  readonly serializerCompiler: SerializerCompiler | undefined
  /** Boots the server if necessary, and listens. Resolves to the address.
   *  @throws ESP_ERR_REOPENED_SERVER, and the errors of Node (such as EADDRINUSE) */
  listen(options?: ListenOptions | number | string | null): Promise<string>
  listen(callback: ListenCallback): void
  listen(options: ListenOptions | number | string | null, callback: ListenCallback): void
  /** @deprecated give options */
  listen(place: number | string, host: string, callback?: ListenCallback): unknown
  /** @deprecated give options */
  listen(place: number, host: string, backlog: number, callback?: ListenCallback): unknown
  /** The URL of the listening server; empty before it listens. */
  readonly listeningOrigin: string
  /** A frozen copy of the options, with defaults. */
  readonly initialConfig: InitialConfig
  /** Makes the ids of this scope's requests. */
  readonly genReqId: GenerateId
  /** Sets the function that makes the ids of requests, for this scope and below. */
  setGenReqId(generate: GenerateId): void
  [Symbol.asyncDispose](): Promise<void>
  /** Stops listening, waits for requests in flight, and runs the onClose hooks. */
  close(): Promise<void>
  close(callback: (error?: Error) => void): void
  /** The addresses that the server listens on. A Unix socket has its path. */
  addresses(): (AddressInfo | string)[]
  /** The routes as the text tree of Fastify, which branches where paths differ. `printContexts`
   *  shows which context they belong to. */
  printRoutes(options?: PrintRoutesOptions): string
  /** The route for a method and a URL, or null. */
  findRoute(query: RouteQuery): FoundRoute | null
  /** The methods that routes may have. */
  readonly supportedMethods: string[]
  /** Answers a request of Node. The server has to be booted before. */
  readonly routing: (request: IncomingMessage, response: ServerResponse) => void
  /** Answers a `Request` of the Fetch standard, where there is no server of Node: for `Bun.serve`,
   *  `Deno.serve`, Workers, and in the same process. The first call boots the server. It does not
   *  need `this`.
   *  @throws (the promise rejects) the error of the boot; the reason of the request's signal;
   *  ESP_ERR_FETCH_CUT if the reply was cut before its head
   *  @example
   *  const response = await app.fetch(new Request('http://localhost/users/1')) */
  readonly fetch: FetchFunction
  /** Adds a strategy for the route option `constraints`.
   *  @throws ESP_ERR_CONSTRAINT_STRATEGY if it is no strategy, or its name is taken */
  addConstraintStrategy(strategy: ConstraintStrategy): void
  /** Whether `constraints` may name this strategy. A built-in one has to be in use. */
  hasConstraintStrategy(name: string): boolean
  /** The tree of contexts as text. */
  printContexts(): string
  /** Whether a route was declared with this path. Names of parameters may differ. */
  hasRoute(query: RouteQuery): boolean
  /** The plugins as text, with the loading time of each. */
  printPlugins(): string
  /** Whether a plugin of this name was registered in this scope or above. */
  hasPlugin(name: string): boolean
  /** Whether this scope has a parser for a content type. @throws ESP_ERR_CTP_INVALID_TYPE */
  hasContentTypeParser(type: string | RegExp): boolean
  /** Makes a JSON parser as the built-in one, with the given actions for poisoned keys.
   *  @default 'error', 'error' */
  getDefaultJsonParser(
    onProtoPoisoning?: PoisoningAction,
    onConstructorPoisoning?: PoisoningAction,
  ): TextParser
  /** The built-in parser for text. */
  readonly defaultTextParser: TextParser
  hasDecorator(name: string | symbol): boolean
  hasRequestDecorator(name: string | symbol): boolean
  hasReplyDecorator(name: string | symbol): boolean
}

/** The options of `listen`. */
export interface ListenOptions {
  /** The TCP port; 0 for any free port. @default 0 */
  readonly port?: number | string | null | undefined
  /** The host name or address. `localhost` means its addresses of both families.
   *  @default 'localhost' */
  readonly host?: string | undefined
  /** The path of a Unix socket, instead of a port. */
  readonly path?: string | undefined
  /** The length of the queue of pending connections. @default 511 */
  readonly backlog?: number | undefined
  /** Whether the port is not shared with other workers of a cluster. @default false */
  readonly exclusive?: boolean | undefined
  /** Whether all users can read the Unix socket. @default false */
  readonly readableAll?: boolean | undefined
  /** Whether all users can write to the Unix socket. @default false */
  readonly writableAll?: boolean | undefined
  /** Whether an IPv6 address is not also bound for IPv4. @default false */
  readonly ipv6Only?: boolean | undefined
  /** Closes the server on abort. */
  readonly signal?: AbortSignal | undefined
  /** Makes the line that is logged. */
  readonly listenTextResolver?: ((address: string) => string) | undefined
}

/** The argument of `hasRoute` and `findRoute`. */
export interface RouteQuery {
  /** In any case. */
  readonly method?: string
  /** The full path, with its prefix. */
  readonly url?: string
  /** The constraints of the route. */
  readonly constraints?: Readonly<Record<string, unknown>>
}

/** The result of `findRoute`. */
export interface FoundRoute {
  readonly handler: AnyHandler
  /** The parameters in the given path. */
  readonly params: Readonly<Record<string, string | undefined>>
  readonly searchParams: unknown
}

/** Any server of Node that a server can use. */
export type NodeServer = HttpServer | Http2Server | Http2SecureServer

/** The part of a scope's type that says which server of Node it uses. Without it, the server is of
 *  HTTP/1 without TLS. */
export interface OnNode<Node> {
  readonly '~node': Node
}

/** The server of Node for the decorators of a scope. */
export type NodeServerOf<Added> =
  Added extends OnNode<infer Node extends NodeServer> ? Node : HttpServer
