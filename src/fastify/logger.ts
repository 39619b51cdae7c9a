import type { FastifyInstance } from './instance.ts'
import type {
  ContextConfigDefault,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
} from './raw.ts'
import type { FastifyReply } from './reply.ts'
import type { FastifyRequest } from './request.ts'
import type { RouteGenericInterface } from './route.ts'
import type { FastifyError, FastifySchema } from './schema.ts'
import type { FastifyTypeProvider, FastifyTypeProviderDefault } from './type-provider.ts'

/** Logs a message, or an object or error with a message. The values fill the message. */
export interface FastifyLogFn {
  (message: string, ...values: unknown[]): void
  (fields: unknown, message?: string, ...values: unknown[]): void
}

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/** The fields in each line of a child logger. */
export type Bindings = Record<string, unknown>

/** The options of a child logger. */
export interface ChildLoggerOptions {
  level?: string
  serializers?: Record<string, (value: never) => unknown>
  redact?: string[] | { paths: string[]; censor?: unknown; remove?: boolean }
  [option: string]: unknown
}

/** The methods of a logger that a server calls. */
export interface FastifyBaseLogger {
  level: string
  fatal: FastifyLogFn
  error: FastifyLogFn
  warn: FastifyLogFn
  info: FastifyLogFn
  debug: FastifyLogFn
  trace: FastifyLogFn
  silent: FastifyLogFn
  child(bindings: Bindings, options?: ChildLoggerOptions): FastifyBaseLogger
}

/** The former name of `FastifyBaseLogger`. */
export type FastifyLoggerInstance = FastifyBaseLogger

/** The destination of log lines. */
export interface FastifyLoggerStreamDestination {
  write(line: string): void
}

/** The options of pino that configure the logger of a server. */
export interface PinoLoggerOptions {
  name?: string
  level?: string
  enabled?: boolean
  base?: Record<string, unknown> | null
  timestamp?: boolean | (() => string)
  messageKey?: string
  errorKey?: string
  nestedKey?: string
  safe?: boolean
  customLevels?: Record<string, number>
  useOnlyCustomLevels?: boolean
  formatters?: {
    level?: (label: string, number: number) => object
    bindings?: (bindings: Bindings) => object
    log?: (fields: Record<string, unknown>) => Record<string, unknown>
  }
  hooks?: object
  mixin?: (fields: object, level: number, logger: never) => object
  transport?: object
  redact?: string[] | { paths: string[]; censor?: unknown; remove?: boolean }
  depthLimit?: number
  edgeLimit?: number
  msgPrefix?: string
}

/** The reply of a log serializer. It has at least a status. */
export type ResSerializerReply<
  RawServer extends RawServerBase,
  RawReply extends FastifyReply<RouteGenericInterface, RawServer>,
> = Partial<RawReply> & Pick<RawReply, 'statusCode'>

/** The option `logger`, if it is an object. */
export interface FastifyLoggerOptions<
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
> {
  serializers?: {
    req?: (request: RawRequest) => {
      method?: string
      url?: string
      version?: string
      host?: string
      remoteAddress?: string
      remotePort?: number
      [field: string]: unknown
    }
    err?: (error: FastifyError) => {
      type: string
      message: string
      stack: string
      [field: string]: unknown
    }
    res?: (reply: ResSerializerReply<RawServer, RawReply>) => {
      statusCode?: string | number
      [field: string]: unknown
    }
  }
  level?: string
  file?: string
  genReqId?: (request: RawRequest) => string
  stream?: FastifyLoggerStreamDestination
}

/** Makes the logger of one request. `this` is the server. */
export type FastifyChildLoggerFactory<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> =
    RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  logger: Logger,
  bindings: Bindings,
  options: ChildLoggerOptions,
  rawRequest: RawRequest,
) => Logger
