import type { DestinationStream } from 'pino'
import { errorCodes } from '../errors/codes.ts'
import {
  type Logger,
  logMethods,
  type LogSerializer,
  missingLogMethods,
  silentLogger,
} from '../http/logger.ts'
import type { Context } from '../context/context.ts'
import type { CompileOptions } from '../route/compile.ts'
import { guard, guardPromises, writeError } from '../lifecycle/log/guard.ts'
import { messageOf } from '../lifecycle/log/log-controller.ts'
import { readLogOptions } from '../lifecycle/log/log-options.ts'
import type { ServerLog } from '../lifecycle/log/route-log.ts'
import { describe } from '../errors/describe.ts'
import { isObject, type JsonObject } from '../types/objects.ts'
import type { NormalizedLogging } from './options/logging.ts'
import late from '../packages/late.cjs'

/** Makes the logger of a server, or takes the given one.
 *  @throws ESP_ERR_LOG_* for a value that is no logger */
export function createServerLog(options: NormalizedLogging): ServerLog {
  const logger = createLogger(options)
  const isPresent = logger !== undefined
  return { logger: logger ?? silentLogger, isPresent, controller: options.controller }
}

function createLogger({ logger, loggerInstance }: NormalizedLogging): Logger | undefined {
  if (isGiven(logger) && isGiven(loggerInstance)) {
    throw new errorCodes.ESP_ERR_LOG_LOGGER_AND_LOGGER_INSTANCE_PROVIDED()
  }
  if (isGiven(loggerInstance)) {
    if (isLogger(loggerInstance, "The option 'loggerInstance'")) return adopt(loggerInstance)
    throw new errorCodes.ESP_ERR_LOG_INVALID_LOGGER_INSTANCE(describe(loggerInstance))
  }
  if (!isGiven(logger)) return undefined
  if (isLogger(logger, "The option 'logger'")) return adopt(logger)
  if (logger === true) return createPino({})
  if (isObject(logger)) return createPino(logger)
  throw new errorCodes.ESP_ERR_LOG_INVALID_LOGGER_CONFIG(describe(logger))
}

function isGiven(option: unknown): boolean {
  return option !== undefined && option !== null && option !== false
}

/** Whether a value is a logger. @throws ESP_ERR_LOG_INVALID_LOGGER if it has only some of the
 *  methods */
function isLogger(value: unknown, what: string): value is Logger {
  const missing = missingLogMethods(value)
  if (missing.length === 0) return true
  if (missing.length === logMethods.length) return false
  throw new errorCodes.ESP_ERR_LOG_INVALID_LOGGER(`${what} is an object`, missing.join(', '))
}

/** Adds the missing serializers to a logger of pino. Any other logger stays as it is. */
function adopt(logger: Logger): Logger {
  const own: unknown = Reflect.get(logger, Symbol.for('pino.serializers'))
  if (!isObject(own)) return logger
  const all = { ...serializers, ...own }
  return logger.child({}, { serializers: guardPromises('A serializer of the logger', all) })
}

function createPino({ stream, file, ...options }: Readonly<Record<string, unknown>>): Logger {
  if (stream !== undefined && file !== undefined) {
    throw new errorCodes.ESP_ERR_LOG_INVALID_DESTINATION()
  }
  if (late.isForWorkers) {
    const remedy = "Give a logger by 'loggerInstance'"
    throw new errorCodes.ESP_ERR_FOR_WORKERS('pino', "the option 'logger'", remedy)
  }
  const { pino } = late.pino()
  const { err } = pino.stdSerializers
  const own = isObject(options['serializers']) ? options['serializers'] : {}
  const given = { level: 'info', ...options, serializers: { ...serializers, err, ...own } }
  const settings = guardPromises("A function of the option 'logger'", given, 2)
  if (typeof file === 'string') return pino(settings, pino.destination(file))
  return isObject(stream) ? pino(settings, guardStream(stream)) : pino(settings)
}

/** A stream for pino whose `write` may return a promise. pino uses other properties of it too. */
function guardStream(stream: JsonObject): DestinationStream {
  const write = guardPromises('The stream of the logger', (line: string) =>
    Reflect.apply(stream['write'] as (line: string) => unknown, stream, [line]),
  )
  return new Proxy(Object.create(stream) as DestinationStream, {
    get(_target, name): unknown {
      const value: unknown = name === 'write' ? write : Reflect.get(stream, name)
      return typeof value === 'function' && value !== write ? value.bind(stream) : value
    },
    set: (_target, name, value) => Reflect.set(stream, name, value),
  })
}

interface LoggedRequest {
  readonly method?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly host?: string
  readonly ip?: string
  readonly socket?: { readonly remotePort?: number }
}

/** Other values may be logged as `req` and `res`, so each property may be missing. */
const serializers: Readonly<Record<'req' | 'res', LogSerializer>> = {
  req: (request: LoggedRequest) => ({
    method: request.method,
    url: request.url,
    version: request.headers?.['accept-version'],
    host: request.host,
    remoteAddress: request.ip,
    remotePort: request.socket?.remotePort,
  }),
  res: (reply: { readonly statusCode?: number }) => ({ statusCode: reply.statusCode }),
}

/** Applies the log options of `register` to the context of a plugin.
 *  @throws ESP_ERR_LOG_OPTION */
export function applyLogOptions({ settings }: Context, options: unknown, plugin: string): void {
  if (!isObject(options)) return
  const { level, serializers } = readLogOptions((name, fits, rule) => {
    const value = name === 'childLoggerFactory' ? undefined : options[name]
    if (value === undefined || value === null || fits(value)) return value ?? undefined
    throw new errorCodes.ESP_ERR_LOG_OPTION(name, plugin, rule, describe(value))
  })
  if (level !== undefined) settings.logLevel = level
  if (serializers !== undefined) settings.logSerializers = serializers
}

/** Logs an error of reading a request, at level trace. A client that has left is not logged. */
export function logClientError(
  { logger, isPresent }: ServerLog,
  err: Error & { readonly code?: string },
): void {
  if (!isPresent || err.code === 'ECONNRESET') return
  guard(() => Reflect.apply(logger.trace, logger, [{ err }, 'client error']), writeFailure)
}

/** Logs what became of a place of a reply. Without a logger it is written to stderr. */
export function reportReply({ logger, isPresent }: ServerLog): CompileOptions['report'] {
  return (reply, place, what) => {
    const line = `The ${reply}: ${place || 'its payload'} ${what}`
    if (!isPresent) process.stderr.write(`${line}\n`)
    else
      guard(() => Reflect.apply(logger.warn, logger, [{ reply, place, what }, line]), writeFailure)
  }
}

/** Logs an error outside of requests, such as that of an application hook. Without a logger it is
 *  written to stderr. */
export function reportFailure(
  { logger, isPresent }: ServerLog,
  level: 'warn' | 'error',
  err: unknown,
): void {
  if (!isPresent) {
    writeFailure(err)
    return
  }
  const write = (): unknown =>
    Reflect.apply(logger[level], logger, [{ err }, messageOf(err) ?? describe(err)])
  guard(write, (failure) => {
    writeFailure(failure)
    writeFailure(err)
  })
}

/** Writes an error to stderr. */
export function writeFailure(error: unknown): void {
  writeError('root', error)
}
