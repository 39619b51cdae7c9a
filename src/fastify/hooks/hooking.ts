/* eslint-disable @typescript-eslint/no-explicit-any -- existing code reads these without asking for the type, and so did the types it was written for */
import type {
  ApplicationHook,
  LifecycleHook,
  onCloseHookHandler,
  onReadyHookHandler,
  onRegisterHookHandler,
  onRouteHookHandler,
} from '../hooks/application.ts'
import type { onErrorHookHandler, onRequestAbortHookHandler } from '../hooks/end.ts'
import type { onSendHookHandler, preParsingHookHandler } from '../hooks/payload.ts'
import type { onRequestHookHandler } from '../hooks/request.ts'
import type { RouteShorthandHook, RouteShorthandOptions } from '../routes/options.ts'
import type { FastifyBaseLogger } from '../types/logger.ts'
import type {
  ContextConfigDefault,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
} from '../types/raw.ts'
import type { FastifyReply } from '../types/reply.ts'
import type { FastifyRequest } from '../types/request.ts'
import type { FastifyInstance } from '../types/instance.ts'
import type { RouteGenericInterface, RouteHandlerMethod } from '../types/route.ts'
import type { FastifyError, FastifySchema } from '../types/schema.ts'
import type { FastifyTypeProvider, FastifyTypeProviderDefault } from '../types/type-provider.ts'

/** The part of a server that adds hooks, and the handlers of errors and of unknown paths. */
export interface FastifyHooking<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> {
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
}
