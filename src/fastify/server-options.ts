import type { Options as AjvOptions } from 'ajv'
import type { Config, ConstraintStrategy, HTTPVersion } from 'find-my-way'
import type { Server, ServerOptions } from 'node:http'
import type { Http2SecureServer, Http2Server, SecureServerOptions } from 'node:http2'
import type { Server as SecureServer, ServerOptions as SecureOptions } from 'node:https'
import type { Socket } from 'node:net'
import type { LogController } from '../lifecycle/log/log-controller.ts'
import type { ConstructorAction, ProtoAction } from './content-parser.ts'
import type { FastifyInstance } from './instance.ts'
import type {
  FastifyBaseLogger,
  FastifyChildLoggerFactory,
  FastifyLoggerOptions,
  PinoLoggerOptions,
} from './logger.ts'
import type {
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
} from './raw.ts'
import type { FastifyReply } from './reply.ts'
import type { FastifyRequest } from './request.ts'
import type {
  FastifyError,
  FastifySchemaControllerOptions,
  SchemaErrorFormatter,
} from './schema.ts'

type Version<RawServer extends RawServerBase> = RawServer extends Server
  ? HTTPVersion.V1
  : HTTPVersion.V2

/** An error of a connection before a request arrived. */
export interface ConnectionError extends Error {
  code: string
  bytesParsed: number
  rawPacket: { type: string; data: number[] }
}

/** Makes the server of Node. */
export type FastifyServerFactory<RawServer extends RawServerBase = RawServerDefault> = (
  handler: FastifyServerFactoryHandler<RawServer>,
  options: Record<string, unknown>,
) => RawServer

/** Answers the requests of a server. */
export type FastifyServerFactoryHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
> = (request: RawRequest, response: RawReply) => void

type BadPathHandler<RawServer extends RawServerBase> = (
  path: string,
  request: RawRequestDefaultExpression<RawServer>,
  response: RawReplyDefaultExpression<RawServer>,
) => void

type QuerystringParser = (text: string) => Record<string, unknown>

/** The options of the router. */
export type FastifyRouterOptions<RawServer extends RawServerBase> = Omit<
  Config<Version<RawServer>>,
  'defaultRoute' | 'onBadUrl' | 'onMaxParamLength' | 'querystringParser'
> & {
  compile?: boolean
  defaultRoute?: FastifyServerFactoryHandler<RawServer>
  onBadUrl?: BadPathHandler<RawServer>
  onMaxParamLength?: BadPathHandler<RawServer>
  querystringParser?: QuerystringParser
}

/** The options of routing, which `routerOptions` takes too. */
interface RoutingOptions<RawServer extends RawServerBase> {
  ignoreTrailingSlash?: boolean
  ignoreDuplicateSlashes?: boolean
  caseSensitive?: boolean
  /** Whether a schema may be only its properties, as in Fastify 4. */
  jsonShorthand?: boolean
  allowUnsafeRegex?: boolean
  maxParamLength?: number
  useSemicolonDelimiter?: boolean
  exposeHeadRoutes?: boolean
  querystringParser?: QuerystringParser
  constraints?: Record<string, ConstraintStrategy<Version<RawServer>, unknown>>
  routerOptions?: FastifyRouterOptions<RawServer>
}

interface LoggingOptions<RawServer extends RawServerBase, Logger extends FastifyBaseLogger> {
  logger?: boolean | (FastifyLoggerOptions<RawServer> & PinoLoggerOptions)
  loggerInstance?: Logger
  logController?: LogController
  disableRequestLogging?: boolean | ((request: FastifyRequest) => boolean)
  requestIdHeader?: string | false
  requestIdLogLabel?: string
  genReqId?: (request: RawRequestDefaultExpression<RawServer>) => string
  childLoggerFactory?: FastifyChildLoggerFactory
}

interface ContentOptions {
  bodyLimit?: number
  onProtoPoisoning?: ProtoAction
  onConstructorPoisoning?: ConstructorAction
  schemaController?: FastifySchemaControllerOptions
  schemaErrorFormatter?: SchemaErrorFormatter
  serializerOpts?: Record<string, unknown>
  ajv?: {
    customOptions?: AjvOptions & { jsonPointers?: boolean; mode?: 'JTD' }
    mode?: 'JTD'
    plugins?: AjvPlugin[]
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- of any version of ajv
    onCreate?: (ajv: any) => void
  }
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- for any version of ajv
type AjvPluginFunction = (ajv: any, options?: any) => unknown
type AjvPlugin = AjvPluginFunction | [AjvPluginFunction, unknown?]

interface ConnectionOptions<RawServer extends RawServerBase> {
  connectionTimeout?: number
  keepAliveTimeout?: number
  requestTimeout?: number
  handlerTimeout?: number
  pluginTimeout?: number
  maxRequestsPerSocket?: number
  forceCloseConnections?: boolean | 'idle'
  return503OnClosing?: boolean
  trustProxy?: boolean | string | string[] | number | ((address: string, hop: number) => boolean)
  serverFactory?: FastifyServerFactory<RawServer>
  clientErrorHandler?: (error: ConnectionError, socket: Socket) => void
}

/** The options of a server. */
export type FastifyServerOptions<
  RawServer extends RawServerBase = RawServerDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = ConnectionOptions<RawServer> &
  ContentOptions &
  LoggingOptions<RawServer, Logger> &
  RoutingOptions<RawServer> & {
    allowErrorHandlerOverride?: boolean
    /** Answers errors outside of routes, such as a malformed URL. */
    frameworkErrors?: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void
    rewriteUrl?: (
      this: FastifyInstance<
        RawServer,
        RawRequestDefaultExpression<RawServer>,
        RawReplyDefaultExpression<RawServer>,
        Logger
      >,
      request: RawRequestDefaultExpression<RawServer>,
    ) => string
  }

export type FastifyHttpOptions<
  RawServer extends Server,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = FastifyServerOptions<RawServer, Logger> & { http?: ServerOptions | null; http2?: false }

export type FastifyHttpsOptions<
  RawServer extends SecureServer,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = FastifyServerOptions<RawServer, Logger> & { https: SecureOptions | null; http2?: false }

export type FastifyHttp2Options<
  RawServer extends Http2Server,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = FastifyServerOptions<RawServer, Logger> & { http2: true; http2SessionTimeout?: number }

export type FastifyHttp2SecureOptions<
  RawServer extends Http2SecureServer,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = FastifyServerOptions<RawServer, Logger> & {
  http2: true
  https: SecureServerOptions
  http2SessionTimeout?: number
}

/** The options of a server that can be read. */
export type InitialConfig<RawServer extends RawServerBase = RawServerDefault> = Readonly<
  Pick<
    FastifyServerOptions<RawServer>,
    | 'connectionTimeout'
    | 'keepAliveTimeout'
    | 'bodyLimit'
    | 'caseSensitive'
    | 'allowUnsafeRegex'
    | 'ignoreTrailingSlash'
    | 'ignoreDuplicateSlashes'
    | 'disableRequestLogging'
    | 'maxParamLength'
    | 'onProtoPoisoning'
    | 'onConstructorPoisoning'
    | 'pluginTimeout'
    | 'requestIdHeader'
    | 'requestIdLogLabel'
    | 'useSemicolonDelimiter'
    | 'routerOptions'
  > & {
    forceCloseConnections?: boolean
    http2?: boolean
    https?: boolean | Readonly<{ allowHTTP1: boolean }>
    http2SessionTimeout?: number
  }
>
