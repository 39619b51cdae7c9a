import type { IncomingMessage } from 'node:http'
import { errorCodes } from '../../errors/codes.ts'
import {
  missingLogMethods,
  type ChildLoggerOptions,
  type Logger,
  type LogSerializer,
} from '../../http/logger.ts'
import { refusePromise } from '../../errors/refuse-promise.ts'
import { describe } from '../../errors/describe.ts'
import { ignoreRejection } from '../../types/promises.ts'
import { isObject } from '../../types/objects.ts'
import type { Context } from '../../context/context.ts'
import type { RequestLogs } from '../route-info.ts'
import { guardPromises } from './guard.ts'
import type { Redaction } from './redaction.ts'
import { isPlain, type LineWriter } from './line-writer.ts'
import type { LogOptions } from './log-options.ts'

/** How a server logs. */
export interface ServerLog {
  readonly logger: Logger
  /** Whether there is a logger. Without one, unforeseen errors go to stderr, and nothing else is
   *  logged. */
  readonly isPresent: boolean
  /** Writes the framework's own lines. */
  readonly controller: LineWriter
}

/** How the requests of one route log. */
export interface RouteLog extends RequestLogs {
  /** Whether a `childLoggerFactory` makes the logger of each request. */
  readonly isCustom: boolean
  /** Writes the lines of the framework itself. */
  readonly controller: LineWriter
  /** Whether an incoming request and its end are logged now. Undefined if they never are. */
  readonly logsRequests: (() => boolean) | undefined
}

/** The part of a route that its log reads. */
interface LoggingRoute {
  readonly name: string
  readonly context: Context
  readonly options: LogOptions
  readonly redaction: Redaction | undefined
}

/** Decides how the requests of a route log.
 *  @throws ESP_ERR_LOG_INVALID_LEVEL where the logger has no such level */
export function compileLog(registration: LoggingRoute, server: ServerLog): RouteLog {
  const { context, options } = registration
  const { logger, isPresent, controller } = server
  const factory = options.childLoggerFactory ?? context.resolve('childLoggerFactory')
  const isCustom = factory !== undefined
  const level = options.level ?? context.resolve('logLevel')
  if (level !== undefined) assertLevel(logger, level, registration.name)
  // A custom logger has its own level, and a custom controller writes its own lines.
  const isOwn = isCustom || !isPlain(controller)
  const isInfoOn = isOwn ? () => true : decideInfo(logger, level)
  const log = { base: logger, isPresent, isCustom, controller, isInfoOn: isInfoOn ?? (() => false) }
  if (!isPresent && !isCustom) return { ...log, child: undefined, logsRequests: undefined }
  const isOff = controller.disableRequestLogging === true && isPlain(controller)
  return {
    ...log,
    child: createChildMaker(registration, server, childOptions(registration, level, logger)),
    logsRequests: isPresent && !isOff ? isInfoOn : undefined,
  }
}

function createChildMaker(
  registration: LoggingRoute,
  { logger, controller }: ServerLog,
  options: ChildLoggerOptions,
): NonNullable<RouteLog['child']> {
  const { requestIdLogLabel } = controller
  const { server } = registration.context.objects
  const factory =
    registration.options.childLoggerFactory ?? registration.context.resolve('childLoggerFactory')
  if (factory === undefined) {
    return (id) => refusePromise('child', logger.child({ [requestIdLogLabel]: id }, options))
  }
  return (id: string, raw: IncomingMessage) => {
    const bindings = { [requestIdLogLabel]: id }
    const child: unknown = factory.call(server, logger, bindings, { ...options }, raw)
    if (isLogger(child)) return child
    ignoreRejection(child)
    const missing = missingLogMethods(child).join(', ')
    const what = `The childLoggerFactory of ${registration.name} returned ${describe(child)}`
    throw new errorCodes.ESP_ERR_LOG_INVALID_LOGGER(what, missing)
  }
}

function isLogger(value: unknown): value is Logger {
  return missingLogMethods(value).length === 0
}

/** The options of child loggers. Serializers of a context are added to those of its parent, and
 *  serializers of a route to both. */
function childOptions(
  { context, options, redaction }: LoggingRoute,
  level: string | undefined,
  logger: Logger,
): ChildLoggerOptions {
  let serializers: Record<string, LogSerializer> = {}
  for (let at: Context | undefined = context; at !== undefined; at = at.parent) {
    serializers = { ...at.settings.logSerializers, ...serializers }
  }
  serializers = { ...serializers, ...options.serializers }
  if (redaction !== undefined) {
    const own: unknown = Reflect.get(logger, Symbol.for('pino.serializers'))
    // cast: the serializers of pino
    const { req } = { ...(own as Record<string, LogSerializer> | undefined), ...serializers }
    if (req !== undefined) serializers['req'] = (value) => req(redaction.show(value))
  }
  return {
    ...(level !== undefined && { level }),
    ...(Object.keys(serializers).length > 0 && {
      serializers: guardPromises('A serializer of the logger', serializers),
    }),
  }
}

/** Returns whether lines of level info are written now, since the level of a logger may change.
 *  Undefined if they never are. */
function decideInfo(logger: Logger, level: string | undefined): (() => boolean) | undefined {
  if (level === 'silent') return undefined
  const values = levelsOf(logger)
  if (level !== undefined) {
    const isOff = Number(values?.[level]) > Number(values?.['info'])
    return isOff ? undefined : () => true
  }
  return () => {
    try {
      return refusePromise('isLevelEnabled', logger.isLevelEnabled?.('info')) ?? true
    } catch {
      return true
    }
  }
}

/** The levels of a pino logger, name to number. Higher numbers are more severe. */
function levelsOf(logger: Logger): Readonly<Record<string, unknown>> | undefined {
  const levels: unknown = Reflect.get(logger, 'levels')
  const values = isObject(levels) ? levels['values'] : undefined
  return isObject(values) ? values : undefined
}

function assertLevel(logger: Logger, level: string, name: string): void {
  const values = levelsOf(logger)
  if (values === undefined || level === 'silent' || Object.hasOwn(values, level)) return
  const known = Object.keys(values).join(', ')
  throw new errorCodes.ESP_ERR_LOG_INVALID_LEVEL(level, name, known)
}
