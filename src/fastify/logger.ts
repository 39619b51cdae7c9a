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
