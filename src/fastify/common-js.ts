import type { Front } from '#front'
import { errorCodePrefix, errorCodes } from '../errors/codes.ts'
import { isInstalledAsFastify } from '../errors/dialect.ts'
import { EspalierError } from '../errors/espalier-error.ts'
import { LogController } from '../route/logging/log-controller.ts'
import { t } from '../schema/builder.ts'
import type { Builder } from '../schema/builder.ts'
import { adopt, createFastify, defineRoute, espalier, plugin, shared } from '../server/factory.ts'
import type {
  AdoptFactory,
  EspalierFactory,
  HttpsFlag,
  OptionsOn,
  PluginFactory,
  RouteFactory,
  SharedFactory,
} from '../server/types/factories.ts'
import { version } from '../version.ts'
import type { FastifyFactory } from './factory.ts'
import { fastify } from './index.ts'
import type * as Types from './types/index.ts'

/** What `require('espalier')` gives: the factory, with everything else as its properties. */
export type EspalierModule = Front<EspalierFactory> & EspalierExports

/** What the factory has as properties there. */
export interface EspalierExports {
  readonly default: Front<EspalierFactory>
  readonly espalier: EspalierFactory
  readonly fastify: FastifyFactory
  readonly t: Builder
  readonly shared: SharedFactory
  readonly plugin: PluginFactory
  readonly defineRoute: RouteFactory
  readonly adopt: AdoptFactory
  readonly errorCodes: typeof errorCodes
  readonly errorCodePrefix: typeof errorCodePrefix
  readonly EspalierError: typeof EspalierError
  readonly LogController: typeof LogController
  readonly version: string
}

/** The factory; installed under the name `fastify`, it has the type of Fastify's, which the import map of
 *  package.json finds by that name. */
export const front: Front<EspalierFactory> = isInstalledAsFastify ? createFastify : espalier

// The doors of CommonJS are properties of the factory. It is a function of its own, since the
// default export of an ES module has no properties.
export const commonJs: EspalierModule = Object.assign(
  // It can be called with `new` too, as some call that of Fastify.
  function <const Http2 extends boolean = false, const Https extends HttpsFlag = false>(
    options?: OptionsOn<Http2, Https>,
  ) {
    return front(options)
  },
  { t, shared, plugin, defineRoute, adopt, errorCodes, errorCodePrefix, EspalierError, version },
  { LogController },
  // Filled in below, with the function itself.
  { default: front, espalier, fastify },
)
Object.assign(commonJs, {
  default: commonJs,
  [isInstalledAsFastify ? 'fastify' : 'espalier']: commonJs,
})

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
