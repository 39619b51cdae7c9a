import type { IncomingMessage } from 'node:http'

/** Writes a log line: an object of bindings and a message, or a message. */
export interface LogFunction {
  (bindings: unknown, message?: string, ...details: unknown[]): void
  (message: string, ...details: unknown[]): void
}

/** The name of a level: of pino, or of a custom logger. */
export type LogLevel =
  'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent' | (string & {})

export const logMethods = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'child'] as const

/** The part of a pino logger that the framework uses, and gives to handlers as `log`. Any object
 *  with these methods is a logger. */
export interface Logger {
  /** The lowest level that is written. A logger need not have levels. */
  level?: string
  fatal: LogFunction
  error: LogFunction
  warn: LogFunction
  info: LogFunction
  debug: LogFunction
  trace: LogFunction
  /** Makes a logger whose lines have these bindings. */
  child(bindings: Record<string, unknown>, options?: ChildLoggerOptions): Logger
  /** Whether lines of a level are written. If not, the framework does not make them. */
  isLevelEnabled?(level: string): boolean
}

/** Makes the logged form of a value. The parameter may have any type. */
export type LogSerializer<Value = unknown> = { of(value: Value): unknown }['of']

/** Serializers by the names of bindings. */
export type LogSerializers = Readonly<Record<string, LogSerializer>>

/** The options of a child logger. */
export interface ChildLoggerOptions {
  level?: string
  serializers?: Record<string, LogSerializer>
}

/** Makes the logger of one request. `this` is the server of the route's context.
 *  @param bindings the id of the request by `requestIdLogLabel`
 *  @param options the level and the serializers of the route */
export type ChildLoggerFactory<Self = unknown> = (
  this: Self,
  ...args: [
    logger: Logger,
    bindings: Record<string, unknown>,
    options: ChildLoggerOptions,
    raw: IncomingMessage,
  ]
) => Logger

export const defaultChildLoggerFactory: ChildLoggerFactory = (logger, bindings, options) =>
  logger.child(bindings, options)

/** The methods of a logger that a value does not have. */
export function missingLogMethods(value: unknown): string[] {
  const holder: object = Object(value) as object
  return logMethods.filter((name) => typeof Reflect.get(holder, name) !== 'function')
}

const silent = (): void => undefined

/** The logger of a server without a logger. */
export const silentLogger: Logger = {
  level: 'silent',
  fatal: silent,
  error: silent,
  warn: silent,
  info: silent,
  debug: silent,
  trace: silent,
  // A new object, since a factory may add properties.
  child: (): Logger => ({ ...silentLogger }),
  isLevelEnabled: () => false,
}
