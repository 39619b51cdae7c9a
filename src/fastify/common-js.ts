import { LogController } from '../lifecycle/log/log-controller.ts'
import { adopt } from '../server/factory.ts'
import { errorCodes, type FastifyErrorCodes } from './error-codes.ts'
import { fastify, type FastifyFactory } from './factory.ts'
import type * as Types from './types/index.ts'

/** What `require('espalier/fastify')` gives: the factory, with everything else as its properties. */
export interface FastifyModule extends FastifyFactory {
  readonly default: FastifyFactory
  readonly fastify: FastifyFactory
  readonly errorCodes: FastifyErrorCodes
  readonly adopt: typeof adopt
  readonly LogController: typeof LogController
}

// A function of its own, since the default export of an ES module has no properties. It can be called
// with `new` too, as some call that of Fastify.
export const commonJs: FastifyModule = Object.assign(
  function (...options: never[]): unknown {
    return Reflect.apply(fastify, undefined, options)
  },
  { default: fastify, fastify, errorCodes, adopt, LogController },
) as FastifyModule
Object.assign(commonJs, { default: commonJs, fastify: commonJs })

/** Fastify's types as members of the module: declarations for CommonJS that import it as a whole say
 *  `Fastify.FastifyInstance`. A namespace beside a constant may have types of its own only, and no exports of others':
 *  so their parameters are repeated. */
// eslint-disable-next-line @typescript-eslint/no-namespace -- nothing else merges with a value
export declare namespace commonJs {
  export type FastifyInstance<
    RawServer extends RawServerBase = RawServerDefault,
    RawRequest extends RawRequestDefaultExpression<RawServer> =
      RawRequestDefaultExpression<RawServer>,
    RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  > = Types.FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  export type FastifyRequest<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    RawServer extends RawServerBase = RawServerDefault,
    RawRequest extends RawRequestDefaultExpression<RawServer> =
      RawRequestDefaultExpression<RawServer>,
    SchemaCompiler extends FastifySchema = FastifySchema,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
    ContextConfig = ContextConfigDefault,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    RequestType extends Types.FastifyRequestType = Types.ResolveFastifyRequestType<
      TypeProvider,
      SchemaCompiler,
      RouteGeneric
    >,
  > = Types.FastifyRequest<
    RouteGeneric,
    RawServer,
    RawRequest,
    SchemaCompiler,
    TypeProvider,
    ContextConfig,
    Logger,
    RequestType
  >
  export type FastifyReply<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    RawServer extends RawServerBase = RawServerDefault,
    RawRequest extends RawRequestDefaultExpression<RawServer> =
      RawRequestDefaultExpression<RawServer>,
    RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
    ReplyType extends Types.FastifyReplyType = Types.ResolveFastifyReplyType<
      TypeProvider,
      SchemaCompiler,
      RouteGeneric
    >,
  > = Types.FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider,
    ReplyType
  >
  export type FastifyPluginCallback<
    Options extends FastifyPluginOptions = Record<never, never>,
    Server extends RawServerBase = RawServerDefault,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
  > = Types.FastifyPluginCallback<Options, Server, TypeProvider, Logger>
  export type FastifyPluginAsync<
    Options extends FastifyPluginOptions = Record<never, never>,
    Server extends RawServerBase = RawServerDefault,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
  > = Types.FastifyPluginAsync<Options, Server, TypeProvider, Logger>
  export type FastifyPluginOptions = Types.FastifyPluginOptions
  export type FastifyListenOptions = Types.FastifyListenOptions
  export type FastifyBaseLogger = Types.FastifyBaseLogger
  export type FastifyLoggerOptions<
    RawServer extends RawServerBase = RawServerDefault,
    RawRequest extends FastifyRequest<
      RouteGenericInterface,
      RawServer,
      RawRequestDefaultExpression<RawServer>,
      FastifySchema,
      FastifyTypeProvider
    > = FastifyRequest<
      RouteGenericInterface,
      RawServer,
      RawRequestDefaultExpression<RawServer>,
      FastifySchema,
      FastifyTypeProviderDefault
    >,
    RawReply extends FastifyReply<
      RouteGenericInterface,
      RawServer,
      RawRequestDefaultExpression<RawServer>,
      RawReplyDefaultExpression<RawServer>,
      ContextConfigDefault,
      FastifySchema,
      FastifyTypeProvider
    > = FastifyReply<
      RouteGenericInterface,
      RawServer,
      RawRequestDefaultExpression<RawServer>,
      RawReplyDefaultExpression<RawServer>,
      ContextConfigDefault,
      FastifySchema,
      FastifyTypeProviderDefault
    >,
  > = Types.FastifyLoggerOptions<RawServer, RawRequest, RawReply>
  export type FastifyContextConfig = Types.FastifyContextConfig
  export type FastifyError = Types.FastifyError
  export type FastifySchema = Types.FastifySchema
  export type Session = Types.Session
  export type FastifySchemaCompiler<T> = Types.FastifySchemaCompiler<T>
  export type FastifySerializerCompiler<T> = Types.FastifySerializerCompiler<T>
  export type FastifyServerOptions<
    RawServer extends RawServerBase = RawServerDefault,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
  > = Types.FastifyServerOptions<RawServer, Logger>
  export type FastifyTypeProvider = Types.FastifyTypeProvider
  export type FastifyTypeProviderDefault = Types.FastifyTypeProviderDefault
  export type FastifyRegisterOptions<Options> = Types.FastifyRegisterOptions<Options>
  export type FastifyBodyParser<
    RawBody extends string | Buffer,
    RawServer extends RawServerBase = RawServerDefault,
    RawRequest extends RawRequestDefaultExpression<RawServer> =
      RawRequestDefaultExpression<RawServer>,
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    SchemaCompiler extends FastifySchema = FastifySchema,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  > = Types.FastifyBodyParser<
    RawBody,
    RawServer,
    RawRequest,
    RouteGeneric,
    SchemaCompiler,
    TypeProvider
  >
  export type RouteOptions<
    RawServer extends RawServerBase = RawServerDefault,
    RawRequest extends RawRequestDefaultExpression<RawServer> =
      RawRequestDefaultExpression<RawServer>,
    RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
  > = Types.RouteOptions<
    RawServer,
    RawRequest,
    RawReply,
    RouteGeneric,
    ContextConfig,
    SchemaCompiler,
    TypeProvider,
    Logger
  >
  export type RouteShorthandOptions<
    RawServer extends RawServerBase = RawServerDefault,
    RawRequest extends RawRequestDefaultExpression<RawServer> =
      RawRequestDefaultExpression<RawServer>,
    RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
  > = Types.RouteShorthandOptions<
    RawServer,
    RawRequest,
    RawReply,
    RouteGeneric,
    ContextConfig,
    SchemaCompiler,
    TypeProvider,
    Logger
  >
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
  > = Types.RouteHandlerMethod<
    RawServer,
    RawRequest,
    RawReply,
    RouteGeneric,
    ContextConfig,
    SchemaCompiler,
    TypeProvider,
    Logger
  >
  export type RouteGenericInterface = Types.RouteGenericInterface
  export type RequestGenericInterface = Types.RequestGenericInterface
  export type HTTPMethods = Types.HTTPMethods
  export type HookHandlerDoneFunction = Types.HookHandlerDoneFunction
  export type DoneFuncWithErrOrRes = Types.DoneFuncWithErrOrRes
  export type RawServerBase = Types.RawServerBase
  export type RawServerDefault = Types.RawServerDefault
  export type RawRequestDefaultExpression<RawServer extends RawServerBase = RawServerDefault> =
    Types.RawRequestDefaultExpression<RawServer>
  export type RawReplyDefaultExpression<RawServer extends RawServerBase = RawServerDefault> =
    Types.RawReplyDefaultExpression<RawServer>
  export type ContextConfigDefault = Types.ContextConfigDefault
  export type InjectOptions = Types.InjectOptions
  export type LightMyRequestResponse = Types.LightMyRequestResponse
  export type LogLevel = Types.LogLevel
}
