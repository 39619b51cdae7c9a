import { createFastify } from '../server/factory.ts'
import type { Server } from 'node:http'
import type { Http2SecureServer, Http2Server } from 'node:http2'
import type { Server as SecureServer } from 'node:https'
import type {
  FastifyHttp2Options,
  FastifyHttp2SecureOptions,
  FastifyHttpOptions,
  FastifyHttpsOptions,
} from './server-options.ts'
import type { FastifyInstance } from './types/instance.ts'
import type { FastifyBaseLogger } from './types/logger.ts'
import type {
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
} from './types/raw.ts'
import type {
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  SafePromiseLike,
} from './types/type-provider.ts'

/** A server as it is made: it can be awaited, which loads what is registered so far. */
type FastifyServer<
  RawServer extends RawServerBase,
  Request extends RawRequestDefaultExpression<RawServer>,
  Reply extends RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider,
> = FastifyInstance<RawServer, Request, Reply, Logger, TypeProvider> &
  SafePromiseLike<FastifyInstance<RawServer, Request, Reply, Logger, TypeProvider>>

/** Makes a server, typed as Fastify's are. */
export interface FastifyFactory {
  <
    RawServer extends Http2SecureServer,
    Request extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
    Reply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  >(
    options: FastifyHttp2SecureOptions<RawServer, Logger>,
  ): FastifyServer<RawServer, Request, Reply, Logger, TypeProvider>
  <
    RawServer extends Http2Server,
    Request extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
    Reply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  >(
    options: FastifyHttp2Options<RawServer, Logger>,
  ): FastifyServer<RawServer, Request, Reply, Logger, TypeProvider>
  <
    RawServer extends SecureServer,
    Request extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
    Reply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  >(
    options: FastifyHttpsOptions<RawServer, Logger>,
  ): FastifyServer<RawServer, Request, Reply, Logger, TypeProvider>
  <
    RawServer extends Server,
    Request extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
    Reply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  >(
    options?: FastifyHttpOptions<RawServer, Logger>,
  ): FastifyServer<RawServer, Request, Reply, Logger, TypeProvider>
}

/** The factory, with servers typed as Fastify's are: routes that say their own types, and interfaces
 *  that plugins add to. Errors are answered as Fastify does: with their messages, and with the status
 *  that was set before. */
export const fastify: FastifyFactory = untyped(createFastify) as FastifyFactory

function untyped(factory: (options?: never) => unknown): (options?: never) => unknown {
  return factory
}
