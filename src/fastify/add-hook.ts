/* eslint-disable @typescript-eslint/no-explicit-any -- Fastify's own types have it here */
import type {
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
import type { FastifyBaseLogger } from './logger.ts'
import type {
  ContextConfigDefault,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
} from './raw.ts'
import type { RouteGenericInterface } from './route-generic.ts'
import type { RouteShorthandHook } from './route.ts'
import type { FastifyError, FastifySchema } from './schema.ts'
import type { FastifyTypeProvider, FastifyTypeProviderDefault } from './type-provider.ts'

/** The hooks of a request. */
export type LifecycleHook =
  | 'onRequest'
  | 'preParsing'
  | 'preValidation'
  | 'preHandler'
  | 'preSerialization'
  | 'onSend'
  | 'onResponse'
  | 'onError'
  | 'onTimeout'
  | 'onRequestAbort'

/** The hooks of a server. */
export type ApplicationHook =
  'onRoute' | 'onRegister' | 'onReady' | 'onListen' | 'onClose' | 'preClose'

declare module './instance.ts' {
  interface FastifyInstance<
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
  }
}
