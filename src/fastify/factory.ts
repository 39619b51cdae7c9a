import type { Server } from 'node:http'
import type { Http2SecureServer, Http2Server } from 'node:http2'
import type { Server as SecureServer } from 'node:https'
import { LogController } from '../lifecycle/log/log-controller.ts'
import { runAtBoot } from '../errors/origin.ts'
import { adopt, createFastify } from '../server/factory.ts'
import { errorCodes } from './error-codes.ts'
import type {
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
} from './raw.ts'
import type { FastifyBaseLogger } from './logger.ts'
import type {
  FastifyHttp2Options,
  FastifyHttp2SecureOptions,
  FastifyHttpOptions,
  FastifyHttpsOptions,
} from './server-options.ts'
import type { FastifyInstance } from './types.ts'
import type {
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  SafePromiseLike,
} from './type-provider.ts'

/** A new server. Awaiting it loads the plugins that were registered before. */
type FastifyServer<
  RawServer extends RawServerBase,
  Request extends RawRequestDefaultExpression<RawServer>,
  Reply extends RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider,
> = FastifyInstance<RawServer, Request, Reply, Logger, TypeProvider> &
  SafePromiseLike<FastifyInstance<RawServer, Request, Reply, Logger, TypeProvider>>

/** Makes a server with Fastify's types and behaviour. This form is for HTTP/2 over TLS. */
export function fastify<
  RawServer extends Http2SecureServer,
  Request extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  Reply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
>(
  options: FastifyHttp2SecureOptions<RawServer, Logger>,
): FastifyServer<RawServer, Request, Reply, Logger, TypeProvider>
/** Makes a server for HTTP/2 without TLS. */
export function fastify<
  RawServer extends Http2Server,
  Request extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  Reply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
>(
  options: FastifyHttp2Options<RawServer, Logger>,
): FastifyServer<RawServer, Request, Reply, Logger, TypeProvider>
/** Makes a server for HTTPS. */
export function fastify<
  RawServer extends SecureServer,
  Request extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  Reply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
>(
  options: FastifyHttpsOptions<RawServer, Logger>,
): FastifyServer<RawServer, Request, Reply, Logger, TypeProvider>
/** Makes a server with Fastify's types: routes declare their own types, and plugins add members to
 *  its interfaces. It answers errors as Fastify does: with their messages, and with the status
 *  that was set before. As in Fastify, it can be called with `new`, and has the exports of the
 *  module as properties: `require('espalier/fastify')` gives this function. */
export function fastify<
  RawServer extends Server,
  Request extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  Reply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
>(
  options?: FastifyHttpOptions<RawServer, Logger>,
): FastifyServer<RawServer, Request, Reply, Logger, TypeProvider>
export function fastify(options?: object): unknown {
  return runAtBoot(fastify, () => createFastify(options))
}
Object.assign(fastify, { default: fastify, fastify, errorCodes, adopt, LogController })

export type FastifyFactory = typeof fastify

// Declarations of CommonJS packages read types as members: `fastify.FastifyInstance`. The build
// adds these.
// eslint-disable-next-line @typescript-eslint/no-namespace -- no other form merges with a function
export declare namespace fastify {
  export { fastify as default, fastify, errorCodes, adopt, LogController }
}
