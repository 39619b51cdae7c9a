/* eslint-disable @typescript-eslint/no-explicit-any -- other records take no interfaces */
import type { FastifyInstance } from './instance.ts'
import type { FastifyBaseLogger, LogLevel } from './logger.ts'
import type {
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
} from './raw.ts'
import type { FastifyTypeProvider, FastifyTypeProviderDefault } from './type-provider.ts'

export type FastifyPluginOptions = Record<string, any>

/** A plugin that takes a callback. */
export type FastifyPluginCallback<
  Options extends FastifyPluginOptions = Record<never, never>,
  Server extends RawServerBase = RawServerDefault,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  instance: InstanceOn<Server, Logger, TypeProvider>,
  options: Options,
  done: (error?: Error) => void,
) => void

/** A plugin that returns a promise. */
export type FastifyPluginAsync<
  Options extends FastifyPluginOptions = Record<never, never>,
  Server extends RawServerBase = RawServerDefault,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (instance: InstanceOn<Server, Logger, TypeProvider>, options: Options) => Promise<void>

/** A plugin that takes a callback or returns a promise. */
export type FastifyPlugin<Options extends FastifyPluginOptions = Record<never, never>> =
  FastifyPluginCallback<Options> | FastifyPluginAsync<Options>

type InstanceOn<
  Server extends RawServerBase,
  Logger extends FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider,
> = FastifyInstance<
  Server,
  RawRequestDefaultExpression<Server>,
  RawReplyDefaultExpression<Server>,
  Logger,
  TypeProvider
>

/** The options of `register` that the server reads itself. */
export interface RegisterOptions {
  prefix?: string
  logLevel?: LogLevel
  logSerializers?: Record<string, (value: any) => string>
}

/** The options of a plugin, or a function that makes them from the server. */
export type FastifyRegisterOptions<Options> =
  (RegisterOptions & Options) | ((instance: FastifyInstance) => RegisterOptions & Options)

type Imported<Plugin> = Promise<{ default: Plugin }>

/** Registers a plugin: a function, or the promise of a module that exports it as default. */
export interface FastifyRegister<
  T = void,
  RawServer extends RawServerBase = RawServerDefault,
  TypeProviderDefault extends FastifyTypeProvider = FastifyTypeProvider,
  LoggerDefault extends FastifyBaseLogger = FastifyBaseLogger,
> {
  <
    Server extends RawServerBase = RawServer,
    TypeProvider extends FastifyTypeProvider = TypeProviderDefault,
    Logger extends FastifyBaseLogger = LoggerDefault,
  >(
    plugin: FastifyPluginCallback<FastifyPluginOptions, Server, TypeProvider, Logger>,
  ): T
  <
    Options extends FastifyPluginOptions,
    Server extends RawServerBase = RawServer,
    TypeProvider extends FastifyTypeProvider = TypeProviderDefault,
    Logger extends FastifyBaseLogger = LoggerDefault,
  >(
    plugin: FastifyPluginCallback<Options, Server, TypeProvider, Logger>,
    options: FastifyRegisterOptions<Options>,
  ): T
  <
    Server extends RawServerBase = RawServer,
    TypeProvider extends FastifyTypeProvider = TypeProviderDefault,
    Logger extends FastifyBaseLogger = LoggerDefault,
  >(
    plugin: FastifyPluginAsync<FastifyPluginOptions, Server, TypeProvider, Logger>,
  ): T
  <
    Options extends FastifyPluginOptions,
    Server extends RawServerBase = RawServer,
    TypeProvider extends FastifyTypeProvider = TypeProviderDefault,
    Logger extends FastifyBaseLogger = LoggerDefault,
  >(
    plugin: FastifyPluginAsync<Options, Server, TypeProvider, Logger>,
    options: FastifyRegisterOptions<Options>,
  ): T
  <
    Server extends RawServerBase = RawServer,
    TypeProvider extends FastifyTypeProvider = TypeProviderDefault,
    Logger extends FastifyBaseLogger = LoggerDefault,
  >(
    plugin:
      | Imported<FastifyPluginCallback<FastifyPluginOptions, Server, TypeProvider, Logger>>
      | Imported<FastifyPluginAsync<FastifyPluginOptions, Server, TypeProvider, Logger>>,
  ): T
  <
    Options extends FastifyPluginOptions,
    Server extends RawServerBase = RawServer,
    TypeProvider extends FastifyTypeProvider = TypeProviderDefault,
    Logger extends FastifyBaseLogger = LoggerDefault,
  >(
    plugin:
      | FastifyPluginCallback<Options, Server, TypeProvider, Logger>
      | FastifyPluginAsync<Options, Server, TypeProvider, Logger>
      | Imported<FastifyPluginCallback<Options, Server, TypeProvider, Logger>>
      | Imported<FastifyPluginAsync<Options, Server, TypeProvider, Logger>>,
    options: FastifyRegisterOptions<Options>,
  ): T
}

/** The session of a client. The types of `@fastify/session` expect this interface here, and declare
 *  its members. */
export interface Session {}
