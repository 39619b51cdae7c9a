import type { IncomingMessage } from 'node:http'

/** What a log line may be: an object of bindings, with a message behind it, or a message alone. */
export interface LogFunction {
  (bindings: unknown, message?: string, ...details: unknown[]): void
  (message: string, ...details: unknown[]): void
}

/** The name of a level. There are those of pino, and any that a logger of one's own has besides. */
export type LogLevel =
  'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent' | (string & {})

/** The methods that a logger must have. */
export const logMethods = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'child'] as const

/** The part of a pino logger that the framework uses and hands to handlers as `log`. Any object that has
 *  these methods will do. */
export interface Logger {
  /** Lines below it are dropped. A logger need not have levels. */
  level?: string
  fatal: LogFunction
  error: LogFunction
  warn: LogFunction
  info: LogFunction
  debug: LogFunction
  trace: LogFunction
  /** A logger whose lines all have these bindings. */
  child(bindings: Record<string, unknown>, options?: ChildLoggerOptions): Logger
  /** Whether lines of a level are written: where it says that they are not, nothing is made for them. */
  isLevelEnabled?(level: string): boolean
}

/** Makes of a value what is logged for it. The parameter may be given any type. */
export type LogSerializer<Value = unknown> = { of(value: Value): unknown }['of']

/** Serializers by the names of the bindings that they are for. */
export type LogSerializers = Readonly<Record<string, LogSerializer>>

/** What a child logger has of its own. */
export interface ChildLoggerOptions {
  level?: string
  serializers?: Record<string, LogSerializer>
}

/** Makes the logger of one request; `this` is the server of the route's context.
 *  @param bindings the id of the request under `requestIdLogLabel`
 *  @param options the level and the serializers of the route, where it has any */
export type ChildLoggerFactory<Self = unknown> = (
  this: Self,
  ...args: [
    logger: Logger,
    bindings: Record<string, unknown>,
    options: ChildLoggerOptions,
    raw: IncomingMessage,
  ]
) => Logger

/** The factory where none is set. */
export const defaultChildLoggerFactory: ChildLoggerFactory = (logger, bindings, options) =>
  logger.child(bindings, options)

/** The methods that a value lacks to be a logger. */
export function missingLogMethods(value: unknown): string[] {
  const holder: object = Object(value) as object
  return logMethods.filter((name) => typeof Reflect.get(holder, name) !== 'function')
}

function silent(): void {}

/** The logger of a server without one: it writes nothing. */
export const silentLogger: Logger = {
  level: 'silent',
  fatal: silent,
  error: silent,
  warn: silent,
  info: silent,
  debug: silent,
  trace: silent,
  // One of its own, which a factory may add to.
  child: (): Logger => ({ ...silentLogger }),
  isLevelEnabled: () => false,
}
