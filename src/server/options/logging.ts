import type { LoggerOptions as PinoOptions } from 'pino'
import { errorCodes } from '../../errors/codes.ts'
import type { ChildLoggerFactory, Logger, LogSerializer } from '../../http/logger.ts'
import { isLineWriter, type LineWriter } from '../../lifecycle/log/line-writer.ts'
import {
  isLabel,
  isSwitch,
  LogController,
  type LogControllerOptions,
} from '../../lifecycle/log/log-controller.ts'
import { describe } from '../../errors/describe.ts'
import { isObject } from '../../types/objects.ts'
import type { HookReply } from '../../typed/reply.ts'
import type { HookRequest } from '../../typed/request.ts'
import type { ServerTools } from '../types/tools.ts'
import { aFunction, anything, type Rules } from './rules.ts'

/** The options of pino, and where it writes.
 *  @throws ESP_ERR_LOG_INVALID_DESTINATION, by `espalier()`, for both a stream and a file */
export interface LoggerOptions extends Omit<PinoOptions, 'serializers'> {
  /** The stream that lines are written to. @default stdout */
  readonly stream?: { write(line: string): unknown }
  /** The path of the file that lines are appended to. */
  readonly file?: string
  /** Serializers in addition to those for `req`, `res` and `err`, or instead of them. */
  readonly serializers?: LoggerSerializers
}

/** Serializers by the names of bindings. The framework itself logs `req`, `res` and `err`. */
export interface LoggerSerializers {
  readonly [name: string]: LogSerializer | undefined
  readonly req?: LogSerializer<HookRequest<unknown>>
  readonly res?: LogSerializer<HookReply>
  readonly err?: LogSerializer<Error>
}

/** The options of `espalier()` for logging. They include those of a `LogController`, for a server
 *  without one. */
export interface LoggingOptions extends LogControllerOptions {
  /** True or options for a logger of pino, or a logger. @default false */
  readonly logger?: boolean | LoggerOptions | Logger
  /** A logger: of pino, or any object with its methods. */
  readonly loggerInstance?: Logger
  /** Writes the lines of the framework. It replaces `disableRequestLogging` and
   *  `requestIdLogLabel`. */
  readonly logController?: LogController
  /** Makes the logger of each request. @default the `child` of the server's logger */
  readonly childLoggerFactory?: ChildLoggerFactory<ServerTools>
}

export interface NormalizedLogging {
  readonly logger?: unknown
  readonly loggerInstance?: unknown
  readonly childLoggerFactory?: ChildLoggerFactory
  readonly controller: LineWriter
}

/** `createServerLog` checks loggers, `normalizeLogging` the controller. */
export const loggingRules: Rules<LoggingOptions> = {
  logger: anything,
  loggerInstance: anything,
  logController: anything,
  disableRequestLogging: [isSwitch, 'a boolean or a function'],
  requestIdLogLabel: [isLabel, 'a name'],
  childLoggerFactory: aFunction,
}

/** Fills in the defaults.
 *  @param isLenient whether options of the controller may be given together with a controller,
 *  which ignores them
 *  @throws ESP_ERR_LOG_INVALID_LOG_CONTROLLER, ESP_ERR_INIT_OPTS_INVALID */
export function normalizeLogging(options: LoggingOptions, isLenient: boolean): NormalizedLogging {
  const { logController: controller = new LogController(options) } = options
  if (!isLineWriter(controller)) {
    throw new errorCodes.ESP_ERR_LOG_INVALID_LOG_CONTROLLER(describe(controller))
  }
  const lost = (['disableRequestLogging', 'requestIdLogLabel'] as const).find(
    (name) => options[name] !== undefined,
  )
  if (lost !== undefined && !isLenient && options.logController !== undefined) {
    const problem = `The option '${lost}' is that of the logController: give it to its constructor`
    throw new errorCodes.ESP_ERR_INIT_OPTS_INVALID(problem)
  }
  // `isObject` drops the type of `this` from the factory, which the core does not know.
  const given: Partial<NormalizedLogging> = isObject(options) ? options : {}
  return { ...given, controller }
}
