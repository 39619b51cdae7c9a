/* eslint-disable @typescript-eslint/no-explicit-any -- Fastify's own types have it here */
import type { ConstraintStrategy } from 'find-my-way'
import type { Chain, CallbackFunc, InjectOptions, Response } from 'light-my-request'
import type { AddressInfo } from 'node:net'
import type {
  AddContentTypeParser,
  FastifyBodyParser,
  getDefaultJsonParser,
  hasContentTypeParser,
  removeAllContentTypeParsers,
  removeContentTypeParser,
} from './content-parser.ts'
import type { Version } from './http-version.ts'
import type { Bindings, ChildLoggerOptions, FastifyBaseLogger } from './logger.ts'
import type {
  ContextConfigDefault,
  HTTPMethods,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
} from './raw.ts'
import type { FastifyReply } from './reply.ts'
import type { FastifyRequest } from './request.ts'
import type { RouteGenericInterface } from './route-generic.ts'
import type {
  CompilerFactory,
  FastifySchema,
  FastifySchemaCompiler,
  FastifySerializerCompiler,
  FastifyValidationResult,
  SchemaErrorFormatter,
} from './schema.ts'
import type { SafePromiseLike } from './safe-promise.ts'
import type {
  FastifyReplyType,
  FastifyRequestType,
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  ResolveFastifyReplyType,
  ResolveFastifyRequestType,
} from './type-provider.ts'

/** A server. Plugins declare more members; so do the files here that have the types for them. */
export interface FastifyInstance<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> {
  server: RawServer
  pluginName: string
  prefix: string
  version: string
  log: Logger
  listeningOrigin: string
  supportedMethods: string[]

  addresses(): (AddressInfo | string)[]
  /** Returns the server, with a provider of types for its schemas. */
  withTypeProvider<Provider extends FastifyTypeProvider>(): FastifyInstance<
    RawServer,
    RawRequest,
    RawReply,
    Logger,
    Provider
  >

  listen(
    options: FastifyListenOptions,
    callback: (error: Error | null, address: string) => void,
  ): void
  listen(options?: FastifyListenOptions): Promise<string>
  listen(callback: (error: Error | null, address: string) => void): void
  ready(): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider> &
    SafePromiseLike<undefined>
  ready(
    listener: (error: Error | null) => void | Promise<void>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  after(): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider> &
    SafePromiseLike<undefined>
  after(
    listener: (error: Error | null) => void,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  close(): Promise<undefined>
  close(listener: () => void): undefined
  [Symbol.asyncDispose](): Promise<undefined>
  inject(options: InjectOptions | string, callback: CallbackFunc): void
  inject(options: InjectOptions | string): Promise<Response>
  inject(): Chain
  routing(request: RawRequest, response: RawReply): void

  hasPlugin(name: string): boolean
  printPlugins(): string

  decorate: DecorationMethod<FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>>
  decorateRequest: DecorationMethod<
    FastifyRequest,
    FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  >
  decorateReply: DecorationMethod<
    FastifyReply,
    FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  >
  getDecorator<T>(name: string | symbol): T
  hasDecorator(decorator: string | symbol): boolean
  hasRequestDecorator(decorator: string | symbol): boolean
  hasReplyDecorator(decorator: string | symbol): boolean

  printRoutes(options?: PrintRoutesOptions): string
  addHttpMethod(
    method: string,
    options?: { hasBody?: boolean; overrideExisting?: boolean },
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  addConstraintStrategy(strategy: ConstraintStrategy<Version<RawServer>, unknown>): void
  hasConstraintStrategy(name: string): boolean

  errorHandler: <TError = unknown>(
    error: TError,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => void
  setErrorHandler<
    TError = unknown,
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    SchemaCompiler extends FastifySchema = FastifySchema,
    Provider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  >(
    handler: (
      this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, Provider>,
      error: TError,
      request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, Provider>,
      reply: FastifyReply<
        RouteGeneric,
        RawServer,
        RawRequest,
        RawReply,
        ContextConfigDefault,
        SchemaCompiler,
        Provider
      >,
    ) => any,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>

  setGenReqId(
    generate: (request: RawRequestDefaultExpression<RawServer>) => string,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  childLoggerFactory: FastifyChildLoggerFactory<
    RawServer,
    RawRequest,
    RawReply,
    Logger,
    TypeProvider
  >
  setChildLoggerFactory(
    factory: FastifyChildLoggerFactory<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>

  addSchema(schema: unknown): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  getSchema(schemaId: string): unknown
  getSchemas(): Record<string, unknown>
  validatorCompiler: FastifySchemaCompiler<FastifySchema> | undefined
  setValidatorCompiler<T = FastifySchema>(
    compiler: FastifySchemaCompiler<T>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  serializerCompiler: FastifySerializerCompiler<FastifySchema> | undefined
  setSerializerCompiler<T = FastifySchema>(
    compiler: FastifySerializerCompiler<T>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  setSchemaController(
    options: FastifySchemaControllerOptions,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  setReplySerializer(
    serialize: (payload: unknown, statusCode: number) => string,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  setSchemaErrorFormatter(
    formatter: SchemaErrorFormatter,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>

  addContentTypeParser: AddContentTypeParser<
    RawServer,
    RawRequest,
    RouteGenericInterface,
    FastifySchema,
    TypeProvider
  >
  hasContentTypeParser: hasContentTypeParser
  removeContentTypeParser: removeContentTypeParser
  removeAllContentTypeParsers: removeAllContentTypeParsers
  getDefaultJsonParser: getDefaultJsonParser
  defaultTextParser: FastifyBodyParser<string>
}

/** Adds a decorator: a value, a method, or a getter and a setter. If `This` declares a member of
 *  the name, the decorator has its type. */
interface DecorationMethod<This, Return = This> {
  <
    T extends (Property extends keyof This ? This[Property] : unknown),
    Property extends string | symbol = string | symbol,
  >(
    property: Property,
    value: Accessor<
      This,
      T extends (...args: any[]) => any ? (this: This, ...args: Parameters<T>) => ReturnType<T> : T
    >,
    dependencies?: string[],
  ): Return
  (property: string | symbol): Return
  (property: string | symbol, value: null | undefined, dependencies: string[]): Return
}

type Accessor<This, Value> =
  Value | { getter: (this: This) => Value; setter?: (this: This, value: Value) => void }

/** The options of `listen`. */
export interface FastifyListenOptions {
  /** @default 0, which is any free port */
  port?: number
  /** @default 'localhost' */
  host?: string
  /** The path of a Unix socket or a named pipe, instead of a port. */
  path?: string
  /** The maximum number of connections that wait to be accepted. @default 511 */
  backlog?: number
  /** @default false */
  exclusive?: boolean
  /** Whether all users may read the pipe. @default false */
  readableAll?: boolean
  /** Whether all users may write to the pipe. @default false */
  writableAll?: boolean
  /** Whether the host `::` excludes IPv4. @default false */
  ipv6Only?: boolean
  /** Closes the server on abort. */
  signal?: AbortSignal
  /** Returns the message that is logged when the server listens. */
  listenTextResolver?: (address: string) => string
}

/** The options of `printRoutes`. */
export interface PrintRoutesOptions {
  method?: HTTPMethods
  includeMeta?: boolean | (string | symbol)[]
  commonPrefix?: boolean
  includeHooks?: boolean
}

/** Makes the logger of one request. `this` is the server. */
export type FastifyChildLoggerFactory<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  logger: Logger,
  bindings: Bindings,
  options: ChildLoggerOptions,
  rawRequest: RawRequest,
) => Logger

/** The store of shared schemas, and the factories of compilers. */
export interface FastifySchemaControllerOptions {
  bucket?: (parentSchemas?: unknown) => {
    add(schema: unknown): FastifyInstance
    getSchema(schemaId: string): unknown
    getSchemas(): Record<string, unknown>
  }
  compilersFactory?: {
    buildValidator?: CompilerFactory<(routeSchema: any) => FastifyValidationResult>
    buildSerializer?: CompilerFactory<(routeSchema: any) => (data: any) => string>
  }
}

/* eslint-disable @typescript-eslint/no-unused-vars -- who adds members repeats all parameters */
declare module './request.ts' {
  interface FastifyRequest<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    RawServer extends RawServerBase = RawServerDefault,
    RawRequest extends RawRequestDefaultExpression<RawServer> =
      RawRequestDefaultExpression<RawServer>,
    SchemaCompiler extends FastifySchema = FastifySchema,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
    ContextConfig = ContextConfigDefault,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    RequestType extends FastifyRequestType = ResolveFastifyRequestType<
      TypeProvider,
      SchemaCompiler,
      RouteGeneric
    >,
  > {
    server: FastifyInstance
  }
}

declare module './reply.ts' {
  interface FastifyReply<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    RawServer extends RawServerBase = RawServerDefault,
    RawRequest extends RawRequestDefaultExpression<RawServer> =
      RawRequestDefaultExpression<RawServer>,
    RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
    ReplyType extends FastifyReplyType = ResolveFastifyReplyType<
      TypeProvider,
      SchemaCompiler,
      RouteGeneric
    >,
  > {
    server: FastifyInstance
  }
}
