import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PoisoningAction, TextParser } from '../../context/default-parsers.ts'
import type { GenerateId } from '../../lifecycle/request-id.ts'
import type { ChildLoggerFactory, Logger } from '../../http/logger.ts'
import type { SerializerCompiler, ValidatorCompiler } from '../../schema/compiler-types.ts'
import type { InitialConfig } from '../options/initial-config.ts'
import type { ConstraintStrategy } from '../routing/constraints.ts'
import type { FoundRoute, RouteQuery } from '../routing/found-route.ts'
import type { PrintRoutesOptions } from '../routing/print.ts'
import type { ListenOptions } from '../transport/listen.ts'
import type { NodeServer } from './node-server.ts'

type ListenCallback = (error: Error | null, address: string) => void

/** The part of a server that depends on no context. */
export interface ServerTools {
  /** Node's own server. */
  readonly server: NodeServer
  /** The version of Fastify whose plugins this host runs. */
  readonly version: string
  /** The logger of the server. Without the option `logger` it writes nothing. */
  readonly log: Logger
  /** What makes the loggers of this scope's requests. */
  readonly childLoggerFactory: ChildLoggerFactory
  /** The plugin that this scope was opened for, and the shared plugins that ran in it, as
   *  `users -> auth`; it begins with `fastify` at the root. */
  readonly pluginName: string
  /** The validator compiler of this scope; undefined until all plugins have loaded, unless one is set. */
  readonly validatorCompiler: ValidatorCompiler | undefined
  /** The serializer compiler of this scope, in the same way. */
  readonly serializerCompiler: SerializerCompiler | undefined
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
  /** The addresses that the server listens on; the path of a Unix socket. */
  addresses(): (AddressInfo | string)[]
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
  /** Whether content of this very type has a parser here. @throws ESP_ERR_CTP_INVALID_TYPE */
  hasContentTypeParser(type: string | RegExp): boolean
  /** Makes a parser as the built-in one for JSON, for other types, or with other actions on poisoned
   *  keys. @default 'error', 'error' */
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
