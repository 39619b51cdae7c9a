/** What a log line may be: an object of bindings, with a message behind it, or a message alone. */
export interface LogFunction {
  (bindings: unknown, message?: string, ...details: unknown[]): void
  (message: string, ...details: unknown[]): void
}

/** The part of a pino logger that the framework uses and hands to handlers as `log`. */
export interface Logger {
  fatal: LogFunction
  error: LogFunction
  warn: LogFunction
  info: LogFunction
  debug: LogFunction
  trace: LogFunction
  child(bindings: Record<string, unknown>): Logger
}

function silent(): void {}

/** The logger of a server without one: it writes nothing. */
export const silentLogger: Logger = {
  fatal: silent,
  error: silent,
  warn: silent,
  info: silent,
  debug: silent,
  trace: silent,
  child: (): Logger => silentLogger,
}
