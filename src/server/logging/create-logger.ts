import { type DestinationStream, pino } from 'pino'
import { errorCodes } from '../../errors/codes.ts'
import {
  type Logger,
  logMethods,
  type LogSerializer,
  missingLogMethods,
  silentLogger,
} from '../../http/logger.ts'
import { describe, isObject, type JsonObject } from '../../schema/values.ts'
import type { ServerLog } from '../../lifecycle/log/route-log.ts'
import { guardPromises } from '../../lifecycle/log/guard.ts'
import type { NormalizedLogging } from './options.ts'

/** Makes the logger of a server, or takes the one that is given.
 *  @throws ESP_ERR_LOG_* for what is no logger */
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

/** Whether a value is a logger. What has some of the methods was meant to be one. */
function isLogger(value: unknown, what: string): value is Logger {
  const missing = missingLogMethods(value)
  if (missing.length === 0) return true
  if (missing.length === logMethods.length) return false
  throw new errorCodes.ESP_ERR_LOG_INVALID_LOGGER(`${what} is an object`, missing.join(', '))
}

/** A logger of pino is given the serializers that it has not; any other is left as it is. */
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
  const { err } = pino.stdSerializers
  const own = isObject(options['serializers']) ? options['serializers'] : {}
  const given = { level: 'info', ...options, serializers: { ...serializers, err, ...own } }
  const settings = guardPromises("A function of the option 'logger'", given, 2)
  if (typeof file === 'string') return pino(settings, pino.destination(file))
  return isObject(stream) ? pino(settings, guardStream(stream)) : pino(settings)
}

/** A stream for pino whose `write` may return a promise. pino reads and sets other properties too. */
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

/** What is logged for a request and for a reply. Whatever else is logged under these names may lack any
 *  of it. */
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
