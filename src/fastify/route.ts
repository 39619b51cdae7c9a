/* eslint-disable @typescript-eslint/no-explicit-any -- Fastify's own types have it here */
import type { DoneFuncWithErrOrRes, HookHandlerDoneFunction, RequestPayload } from './hooks.ts'
import type { FastifyInstance } from './instance.ts'
import type { FastifyBaseLogger, FastifyChildLoggerFactory, LogLevel } from './logger.ts'
import type {
  ContextConfigDefault,
  HTTPMethods,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
} from './raw.ts'
import type { FastifyReply, ReplyGenericInterface } from './reply.ts'
import type { FastifyRequest, RequestGenericInterface } from './request.ts'
import type {
  FastifyError,
  FastifySchema,
  FastifySchemaCompiler,
  FastifySerializerCompiler,
  SchemaErrorFormatter,
} from './schema.ts'
import type {
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  ResolveFastifyReplyReturnType,
} from './type-provider.ts'

/** A hook that calls `done` or returns a promise. */
export type RouteShorthandHook<Hook extends (this: any, ...args: any) => unknown> = (
  this: ThisParameterType<Hook>,
  ...args: Parameters<Hook>
) => void | Promise<unknown>

/** The hooks and the error handler of one route. A hook is a function or a list of functions. */
interface RouteHooks<Server, Request, Reply> {
  onRequest?: RouteHook<Server, [request: Request, reply: Reply, done: HookHandlerDoneFunction]>
  preParsing?: RouteHook<
    Server,
    [
      request: Request,
      reply: Reply,
      payload: RequestPayload,
      done: (error?: Error | null, payload?: RequestPayload) => void,
    ]
  >
  preValidation?: RouteHook<Server, [request: Request, reply: Reply, done: HookHandlerDoneFunction]>
  preHandler?: RouteHook<Server, [request: Request, reply: Reply, done: HookHandlerDoneFunction]>
  preSerialization?: RouteHook<
    Server,
    [request: Request, reply: Reply, payload: unknown, done: DoneFuncWithErrOrRes]
  >
  onSend?: RouteHook<
    Server,
    [request: Request, reply: Reply, payload: unknown, done: DoneFuncWithErrOrRes]
  >
  onResponse?: RouteHook<Server, [request: Request, reply: Reply, done: HookHandlerDoneFunction]>
  onTimeout?: RouteHook<Server, [request: Request, reply: Reply, done: HookHandlerDoneFunction]>
  onError?: RouteHook<
    Server,
    [request: Request, reply: Reply, error: FastifyError, done: () => void]
  >
  onRequestAbort?: RouteHook<Server, [request: Request, done: HookHandlerDoneFunction]>
  errorHandler?: (this: Server, error: FastifyError, request: Request, reply: Reply) => void
}

type RouteHook<Server, Parameters extends unknown[]> = OneOrMore<
  (this: Server, ...parameters: Parameters) => void | Promise<unknown>
>

type OneOrMore<Value> = Value | Value[]

/** The options of a route, except method, path and handler. */
export interface RouteShorthandOptions<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> extends RouteHooks<
  FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  FastifyRequest<
    RouteGeneric,
    RawServer,
    RawRequest,
    NoInfer<SchemaCompiler>,
    TypeProvider,
    ContextConfig,
    Logger
  >,
  FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    NoInfer<SchemaCompiler>,
    TypeProvider
  >
> {
  schema?: SchemaCompiler
  attachValidation?: boolean
  exposeHeadRoute?: boolean
  validatorCompiler?: FastifySchemaCompiler<NoInfer<SchemaCompiler>>
  serializerCompiler?: FastifySerializerCompiler<NoInfer<SchemaCompiler>>
  bodyLimit?: number
  handlerTimeout?: number
  logLevel?: LogLevel
  logSerializers?: Record<string, (value: any) => any>
  config?: FastifyContextConfig & ContextConfig
  constraints?: RouteConstraint
  prefixTrailingSlash?: 'slash' | 'no-slash' | 'both'
  childLoggerFactory?: FastifyChildLoggerFactory<
    RawServer,
    RawRequest,
    RawReply,
    Logger,
    TypeProvider
  >
  schemaErrorFormatter?: SchemaErrorFormatter
}

/** The options of a route, except method and path. */
export interface RouteShorthandOptionsWithHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> extends RouteShorthandOptions<
  RawServer,
  RawRequest,
  RawReply,
  RouteGeneric,
  ContextConfig,
  SchemaCompiler,
  TypeProvider,
  Logger
> {
  handler: RouteHandlerMethod<
    RawServer,
    RawRequest,
    RawReply,
    RouteGeneric,
    ContextConfig,
    NoInfer<SchemaCompiler>,
    TypeProvider,
    Logger
  >
}

/** All options of a route. */
export interface RouteOptions<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> extends RouteShorthandOptions<
  RawServer,
  RawRequest,
  RawReply,
  RouteGeneric,
  ContextConfig,
  SchemaCompiler,
  TypeProvider,
  Logger
> {
  method: HTTPMethods | HTTPMethods[]
  url: string
  handler: RouteHandlerMethod<
    RawServer,
    RawRequest,
    RawReply,
    RouteGeneric,
    ContextConfig,
    SchemaCompiler,
    TypeProvider,
    Logger
  >
}

/** Optional fields in the `config` of every route. Plugins declare them. */
export interface FastifyContextConfig {}

/** The fields that the `config` of every route has. */
export interface FastifyRouteConfig {
  url: string
  method: HTTPMethods | HTTPMethods[]
}

/** The type of `request.context` in earlier versions of Fastify. */
export interface FastifyRequestContext<ContextConfig = ContextConfigDefault> {
  config: FastifyContextConfig & FastifyRouteConfig & ContextConfig
}

/** The type of `reply.context` in earlier versions of Fastify. */
export interface FastifyReplyContext<ContextConfig = ContextConfigDefault> {
  config: FastifyContextConfig & FastifyRouteConfig & ContextConfig
}

/** The generic type of a route: its request parts and payloads. */
export interface RouteGenericInterface extends RequestGenericInterface, ReplyGenericInterface {}

/** The conditions of a route besides method and path. */
export interface RouteConstraint {
  version?: string
  host?: RegExp | string
  [name: string]: unknown
}

/** Answers requests. `this` is the server. */
export type RouteHandlerMethod<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<
    RouteGeneric,
    RawServer,
    RawRequest,
    SchemaCompiler,
    TypeProvider,
    ContextConfig,
    Logger
  >,
  reply: FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider
  >,
) => ResolveFastifyReplyReturnType<TypeProvider, SchemaCompiler, RouteGeneric>

/** Declares a route of one method. */
export interface RouteShorthandMethod<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> {
  <
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    const SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    path: string,
    options: RouteShorthandOptions<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      SchemaCompiler,
      TypeProvider,
      Logger
    >,
    handler: RouteHandlerMethod<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      NoInfer<SchemaCompiler>,
      TypeProvider,
      Logger
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  <
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    const SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    path: string,
    handler: RouteHandlerMethod<
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
  <
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    const SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    path: string,
    options: RouteShorthandOptionsWithHandler<
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
}

/** A handler, with the generic type of its route as first parameter. */
export type RouteHandler<
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<
    RouteGeneric,
    RawServer,
    RawRequest,
    SchemaCompiler,
    TypeProvider,
    ContextConfig,
    Logger
  >,
  reply: FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider
  >,
) => RouteGeneric['Reply'] | void | Promise<RouteGeneric['Reply'] | void>
