/* eslint-disable @typescript-eslint/no-explicit-any -- Fastify's own types have it here */
import type { ConstraintStrategy, FindResult, HTTPVersion } from 'find-my-way'
import type { Chain, CallbackFunc, InjectOptions, Response } from 'light-my-request'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type {
  AddContentTypeParser,
  FastifyBodyParser,
  getDefaultJsonParser,
  hasContentTypeParser,
  removeAllContentTypeParsers,
  removeContentTypeParser,
} from './content-parser.ts'
import type {
  ApplicationHook,
  LifecycleHook,
  onCloseHookHandler,
  onErrorHookHandler,
  onReadyHookHandler,
  onRegisterHookHandler,
  onRequestAbortHookHandler,
  onRequestHookHandler,
  onRouteHookHandler,
  onSendHookHandler,
  preParsingHookHandler,
} from './hooks.ts'
import type { FastifyBaseLogger, FastifyChildLoggerFactory } from './logger.ts'
import type { FastifyRegister } from './plugin.ts'
import type {
  ContextConfigDefault,
  HTTPMethods,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
} from './raw.ts'
import type { FetchFunction } from '../server/types/fetch.ts'
import type { FastifyReply } from './reply.ts'
import type { FastifyRequest } from './request.ts'
import type {
  RouteGenericInterface,
  RouteHandlerMethod,
  RouteOptions,
  RouteShorthandHook,
  RouteShorthandMethod,
  RouteShorthandOptions,
} from './route.ts'
import type {
  FastifyError,
  FastifySchema,
  FastifySchemaCompiler,
  FastifySchemaControllerOptions,
  FastifySerializerCompiler,
  SchemaErrorFormatter,
} from './schema.ts'
import type { InitialConfig } from './server-options.ts'
import type {
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  SafePromiseLike,
} from './type-provider.ts'

type Version<RawServer extends RawServerBase> = RawServer extends Server
  ? HTTPVersion.V1
  : HTTPVersion.V2

/** A server. Plugins declare more members. */
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
  initialConfig: InitialConfig<RawServer>
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
  readonly fetch: FetchFunction

  register: FastifyRegister<
    FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider> &
      SafePromiseLike<undefined>
  >
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

  route<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    const SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    options: RouteOptions<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      SchemaCompiler,
      TypeProvider,
      Logger
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  delete: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  get: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  head: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  patch: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  post: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  put: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  options: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  propfind: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  proppatch: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  mkcalendar: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  mkcol: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  copy: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  move: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  lock: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  unlock: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  trace: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  report: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  search: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  query: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  all: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>
  hasRoute(options: RouteFinder): boolean
  findRoute(options: RouteFinder): Omit<FindResult<Version<RawServer>>, 'store'>
  printRoutes(options?: PrintRoutesOptions): string
  addHttpMethod(
    method: string,
    options?: { hasBody?: boolean; overrideExisting?: boolean },
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  addConstraintStrategy(strategy: ConstraintStrategy<Version<RawServer>, unknown>): void
  hasConstraintStrategy(name: string): boolean

  addHook<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    InnerLogger extends FastifyBaseLogger = Logger,
  >(
    name: 'onRequest' | 'preValidation' | 'preHandler' | 'onResponse' | 'onTimeout',
    hook: RouteShorthandHook<
      onRequestHookHandler<
        RawServer,
        RawRequest,
        RawReply,
        RouteGeneric,
        ContextConfig,
        SchemaCompiler,
        TypeProvider,
        InnerLogger
      >
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  addHook<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    InnerLogger extends FastifyBaseLogger = Logger,
  >(
    name: 'preParsing',
    hook: RouteShorthandHook<
      preParsingHookHandler<
        RawServer,
        RawRequest,
        RawReply,
        RouteGeneric,
        ContextConfig,
        SchemaCompiler,
        TypeProvider,
        InnerLogger
      >
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  addHook<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    InnerLogger extends FastifyBaseLogger = Logger,
  >(
    name: 'preSerialization' | 'onSend',
    hook: RouteShorthandHook<
      onSendHookHandler<
        any,
        RawServer,
        RawRequest,
        RawReply,
        RouteGeneric,
        ContextConfig,
        SchemaCompiler,
        TypeProvider,
        InnerLogger
      >
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  addHook<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    InnerLogger extends FastifyBaseLogger = Logger,
  >(
    name: 'onRequestAbort',
    hook: RouteShorthandHook<
      onRequestAbortHookHandler<
        RawServer,
        RawRequest,
        RawReply,
        RouteGeneric,
        ContextConfig,
        SchemaCompiler,
        TypeProvider,
        InnerLogger
      >
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  addHook<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    InnerLogger extends FastifyBaseLogger = Logger,
  >(
    name: 'onError',
    hook: RouteShorthandHook<
      onErrorHookHandler<
        RawServer,
        RawRequest,
        RawReply,
        RouteGeneric,
        ContextConfig,
        FastifyError,
        SchemaCompiler,
        TypeProvider,
        InnerLogger
      >
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  addHook<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    InnerLogger extends FastifyBaseLogger = Logger,
  >(
    name: 'onRoute',
    hook: onRouteHookHandler<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      SchemaCompiler,
      TypeProvider,
      InnerLogger
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  addHook(
    name: 'onRegister',
    hook: onRegisterHookHandler<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  addHook(
    name: 'onReady' | 'onListen' | 'preClose',
    hook: RouteShorthandHook<
      onReadyHookHandler<RawServer, RawRequest, RawReply, Logger, TypeProvider>
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  addHook(
    name: 'onClose',
    hook: RouteShorthandHook<
      onCloseHookHandler<RawServer, RawRequest, RawReply, Logger, TypeProvider>
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  addHook(
    name: 'onClose',
    hook: AsyncDisposable | Disposable,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  addHook(
    name: LifecycleHook | ApplicationHook,
    hook: (...args: any) => any,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>

  setNotFoundHandler<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig extends ContextConfigDefault = ContextConfigDefault,
    Provider extends FastifyTypeProvider = FastifyTypeProviderDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    handler: RouteHandlerMethod<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      SchemaCompiler,
      Provider,
      Logger
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  setNotFoundHandler<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig extends ContextConfigDefault = ContextConfigDefault,
    Provider extends FastifyTypeProvider = FastifyTypeProviderDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    options: Pick<
      RouteShorthandOptions<
        RawServer,
        RawRequest,
        RawReply,
        RouteGeneric,
        ContextConfig,
        SchemaCompiler,
        Provider
      >,
      'preValidation' | 'preHandler'
    >,
    handler: RouteHandlerMethod<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      SchemaCompiler,
      Provider,
      Logger
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
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

type RouteFinder = Pick<RouteOptions, 'url' | 'constraints'> & { method: HTTPMethods }

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
