import type { LoggerOptions as PinoOptions } from 'pino'
import type { ChildLoggerFactory, Logger, LogSerializer } from '../../http/logger.ts'
import { isObject } from '../../schema/values.ts'
import type { Request } from '../../exchange/request.ts'
import type { HookReply } from '../../exchange/typed-reply.ts'
import type { HookRequest } from '../../exchange/typed-request.ts'
import type { ServerTools } from '../types/tools.ts'

/** What pino is made with, and where it writes to.
 *  @throws ESP_ERR_LOG_INVALID_DESTINATION, by `espalier()`, for both a stream and a file */
export interface LoggerOptions extends Omit<PinoOptions, 'serializers'> {
  /** Where the lines go. @default stdout */
  readonly stream?: { write(line: string): unknown }
  /** The path of a file that the lines are added to. */
  readonly file?: string
  /** Added to those for `req`, `res` and `err`, or put in their place. */
  readonly serializers?: LoggerSerializers
}

/** What becomes of the bindings that the framework itself logs, and of others. */
export interface LoggerSerializers {
  readonly [name: string]: LogSerializer | undefined
  readonly req?: LogSerializer<HookRequest<unknown>>
  readonly res?: LogSerializer<HookReply>
  readonly err?: LogSerializer<Error>
}

/** The options of `espalier()` that say how it logs. */
export interface LoggingOptions {
  /** Whether to log with pino, and how; or a logger. pino is loaded only when it is asked for.
   *  @default false */
  readonly logger?: boolean | LoggerOptions | Logger
  /** A logger: one of pino, or any object with its methods. */
  readonly loggerInstance?: Logger
  /** Whether no line is written of a request that comes, nor of its end. @default false */
  readonly disableRequestLogging?: boolean | ((request: HookRequest<unknown>) => boolean)
  /** The name of the request's id among the bindings of its logger. @default 'reqId' */
  readonly requestIdLogLabel?: string
  /** Makes the logger of each request. @default the `child` of the server's logger */
  readonly childLoggerFactory?: ChildLoggerFactory<ServerTools>
}

/** The same, each with its value where it has a default. */
export interface NormalizedLogging {
  readonly logger: unknown
  readonly loggerInstance: unknown
  readonly disableRequestLogging: boolean | ((request: Request) => boolean)
  readonly requestIdLogLabel: string
  readonly childLoggerFactory: ChildLoggerFactory | undefined
}

type LoggingRules = Readonly<
  Record<keyof LoggingOptions, readonly [fits: (value: unknown) => boolean, expected: string]>
>

/** What the values of the options must be. Loggers are judged when they are taken. */
export const loggingRules: LoggingRules = {
  logger: [() => true, 'a boolean, an object or a logger'],
  loggerInstance: [() => true, 'a logger'],
  disableRequestLogging: [
    (value) => typeof value === 'boolean' || typeof value === 'function',
    'a boolean or a function',
  ],
  requestIdLogLabel: [(value) => typeof value === 'string' && value !== '', 'a name'],
  childLoggerFactory: [(value) => typeof value === 'function', 'a function'],
}

/** Fills in the defaults. */
export function normalizeLogging(options: object): NormalizedLogging {
  // Its functions are typed by what users see of a request.
  const given: Partial<NormalizedLogging> = isObject(options) ? options : {}
  return {
    logger: given.logger,
    loggerInstance: given.loggerInstance,
    disableRequestLogging: given.disableRequestLogging ?? false,
    requestIdLogLabel: given.requestIdLogLabel ?? 'reqId',
    childLoggerFactory: given.childLoggerFactory,
  }
}
