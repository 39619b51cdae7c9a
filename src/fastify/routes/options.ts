/* eslint-disable @typescript-eslint/no-explicit-any -- existing code reads these without asking for the type, and so did the types it was written for */
import type {
  onErrorHookHandler,
  onRequestAbortHookHandler,
  onResponseHookHandler,
  onTimeoutHookHandler,
} from '../hooks/end.ts'
import type {
  onSendHookHandler,
  preParsingHookHandler,
  preSerializationHookHandler,
} from '../hooks/payload.ts'
import type {
  onRequestHookHandler,
  preHandlerHookHandler,
  preValidationHookHandler,
} from '../hooks/request.ts'
import type { FastifyInstance } from '../types/instance.ts'
import type { FastifyBaseLogger, FastifyChildLoggerFactory, LogLevel } from '../types/logger.ts'
import type {
  ContextConfigDefault,
  HTTPMethods,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
} from '../types/raw.ts'
import type { FastifyReply } from '../types/reply.ts'
import type { FastifyRequest } from '../types/request.ts'
import type {
  FastifyError,
  FastifySchema,
  FastifySchemaCompiler,
  FastifySerializerCompiler,
  SchemaErrorFormatter,
} from '../types/schema.ts'
import type {
  FastifyContextConfig,
  RouteConstraint,
  RouteGenericInterface,
  RouteHandlerMethod,
} from '../types/route.ts'
import type { FastifyTypeProvider, FastifyTypeProviderDefault } from '../types/type-provider.ts'

/** A hook in either form: it may call back or return a promise. */
export type RouteShorthandHook<Hook extends (this: any, ...args: any) => unknown> = (
  this: ThisParameterType<Hook>,
  ...args: Parameters<Hook>
) => void | Promise<unknown>

type OneOrMore<Hook extends (this: any, ...args: any) => unknown> =
  RouteShorthandHook<Hook> | RouteShorthandHook<Hook>[]

/** The options of a route, without its method, path and handler. */
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
  errorHandler?: (
    this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
    error: FastifyError,
    request: FastifyRequest<
      RouteGeneric,
      RawServer,
      RawRequest,
      NoInfer<SchemaCompiler>,
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
      NoInfer<SchemaCompiler>,
      TypeProvider
    >,
  ) => void
  childLoggerFactory?: FastifyChildLoggerFactory<
    RawServer,
    RawRequest,
    RawReply,
    Logger,
    TypeProvider
  >
  schemaErrorFormatter?: SchemaErrorFormatter

  onRequest?: OneOrMore<
    onRequestHookHandler<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      NoInfer<SchemaCompiler>,
      TypeProvider,
      Logger
    >
  >
  preParsing?: OneOrMore<
    preParsingHookHandler<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      NoInfer<SchemaCompiler>,
      TypeProvider,
      Logger
    >
  >
  preValidation?: OneOrMore<
    preValidationHookHandler<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      NoInfer<SchemaCompiler>,
      TypeProvider,
      Logger
    >
  >
  preHandler?: OneOrMore<
    preHandlerHookHandler<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      NoInfer<SchemaCompiler>,
      TypeProvider,
      Logger
    >
  >
  preSerialization?: OneOrMore<
    preSerializationHookHandler<
      unknown,
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      NoInfer<SchemaCompiler>,
      TypeProvider,
      Logger
    >
  >
  onSend?: OneOrMore<
    onSendHookHandler<
      unknown,
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      NoInfer<SchemaCompiler>,
      TypeProvider,
      Logger
    >
  >
  onResponse?: OneOrMore<
    onResponseHookHandler<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      NoInfer<SchemaCompiler>,
      TypeProvider,
      Logger
    >
  >
  onTimeout?: OneOrMore<
    onTimeoutHookHandler<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      NoInfer<SchemaCompiler>,
      TypeProvider,
      Logger
    >
  >
  onError?: OneOrMore<
    onErrorHookHandler<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      FastifyError,
      NoInfer<SchemaCompiler>,
      TypeProvider,
      Logger
    >
  >
  onRequestAbort?: OneOrMore<
    onRequestAbortHookHandler<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      NoInfer<SchemaCompiler>,
      TypeProvider,
      Logger
    >
  >
}

/** The options of a route with its handler among them. */
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

/** A whole route. */
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
