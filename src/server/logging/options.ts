import type { LoggerOptions as PinoOptions } from 'pino'
import { errorCodes } from '../../errors/codes.ts'
import type { ChildLoggerFactory, Logger, LogSerializer } from '../../http/logger.ts'
import { describe, isObject } from '../../schema/values.ts'
import { anything } from '../options/rules.ts'
import {
  isLabel,
  isSwitch,
  LogController,
  type LogControllerOptions,
} from '../../lifecycle/log/log-controller.ts'
import { isLineWriter, type LineWriter } from '../../lifecycle/log/line-writer.ts'
import type { HookReply } from '../../typed/reply.ts'
import type { HookRequest } from '../../typed/request.ts'
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

/** The options of `espalier()` that say how it logs: also those of a `LogController`, where none is given. */
export interface LoggingOptions extends LogControllerOptions {
  /** Whether to log with pino, and how; or a logger. pino is loaded only when it is asked for.
   *  @default false */
  readonly logger?: boolean | LoggerOptions | Logger
  /** A logger: one of pino, or any object with its methods. */
  readonly loggerInstance?: Logger
  /** Writes the lines of the framework itself. It says `disableRequestLogging` and `requestIdLogLabel` too. */
  readonly logController?: LogController
  /** Makes the logger of each request. @default the `child` of the server's logger */
  readonly childLoggerFactory?: ChildLoggerFactory<ServerTools>
}

/** The same, each with its value where it has a default. */
export interface NormalizedLogging {
  readonly logger: unknown
  readonly loggerInstance: unknown
  readonly controller: LineWriter
  readonly childLoggerFactory: ChildLoggerFactory | undefined
}

type LoggingRules = Readonly<
  Record<keyof LoggingOptions, readonly [fits: (value: unknown) => boolean, expected: string]>
>

/** What the values of the options must be. Loggers are judged when they are taken. */
export const loggingRules: LoggingRules = {
  logger: [anything[0], 'a boolean, an object or a logger'],
  loggerInstance: [anything[0], 'a logger'],
  logController: [anything[0], 'a LogController'],
  disableRequestLogging: [isSwitch, 'a boolean or a function'],
  requestIdLogLabel: [isLabel, 'a name'],
  childLoggerFactory: [(value) => typeof value === 'function', 'a function'],
}

/** Fills in the defaults.
 *  @param isLenient whether an option may stand beside the controller that says the same, rather than being an
 *  error
 *  @throws ESP_ERR_LOG_INVALID_LOG_CONTROLLER, ESP_ERR_INIT_OPTS_INVALID */
export function normalizeLogging(options: LoggingOptions, isLenient: boolean): NormalizedLogging {
  // Its functions are typed by what users see of a server.
  const given: Partial<NormalizedLogging> = isObject(options) ? options : {}
  return {
    logger: given.logger,
    loggerInstance: given.loggerInstance,
    controller: readController(options, isLenient),
    childLoggerFactory: given.childLoggerFactory,
  }
}

function readController(options: LoggingOptions, isLenient: boolean): LineWriter {
  const { logController = new LogController(options) } = options
  if (isLineWriter(logController)) {
    const lost = (['disableRequestLogging', 'requestIdLogLabel'] as const).find(
      (name) => options[name] !== undefined,
    )
    if (lost === undefined || isLenient || options.logController === undefined) return logController
    const problem = `The option '${lost}' is that of the logController: give it to its constructor`
    throw new errorCodes.ESP_ERR_INIT_OPTS_INVALID(problem)
  }
  throw new errorCodes.ESP_ERR_LOG_INVALID_LOG_CONTROLLER(describe(logController))
}
