import { errorCodes } from '../../errors/codes.ts'
import type { Logger } from '../../http/logger.ts'
import { atOnce, describe, isThenable, readSafely } from '../../schema/values.ts'
import { writeError } from './guard.ts'
import type { HookReply } from '../../typed/reply.ts'
import type { HookRequest } from '../../typed/request.ts'

/** What a line may tell of a request, of whatever type it is. */
export type LoggedRequest = Pick<
  HookRequest<unknown>,
  'raw' | 'id' | 'log' | 'method' | 'url' | 'headers' | 'host' | 'hostname' | 'ip' | 'is404'
>

/** What a line may tell of a reply. */
export type LoggedReply = Pick<HookReply, 'raw' | 'log' | 'statusCode' | 'elapsedTime' | 'sent'>

/** Whether the lines of requests are left out: of all, or of those that a function says. Its parameter may
 *  be given the type that requests have elsewhere. */
export type DisableRequestLogging = boolean | { of(request: LoggedRequest): boolean }['of']

/** What the lines of a server are written by. */
export interface LogControllerOptions {
  /** Whether no line is written of a request that comes, of its end, and of what is the client's own doing:
   *  an error below 500, a route that is not found. @default false */
  readonly disableRequestLogging?: DisableRequestLogging | undefined
  /** The name of the request's id among the bindings of its logger. @default 'reqId' */
  readonly requestIdLogLabel?: string | undefined
}

/** What is known of a line beside the request and the reply. */
export type LogMetadata = Readonly<Record<string, unknown>>

/** Writes the lines that the framework itself writes of requests, where the server has a logger. A subclass
 *  may write others: what it overrides is called for every request, whatever the level of the logger and
 *  `disableRequestLogging`. What a method throws fails no request, and goes to stderr. */
export class LogController {
  readonly disableRequestLogging: DisableRequestLogging
  readonly requestIdLogLabel: string

  /** @throws ESP_ERR_INIT_OPTS_INVALID */
  constructor(options: LogControllerOptions = {}) {
    const { disableRequestLogging = false, requestIdLogLabel = 'reqId' } = options
    if (!isSwitch(disableRequestLogging)) {
      throw refusal('disableRequestLogging', 'a boolean or a function', disableRequestLogging)
    }
    if (!isLabel(requestIdLogLabel)) throw refusal('requestIdLogLabel', 'a name', requestIdLogLabel)
    this.disableRequestLogging = disableRequestLogging
    this.requestIdLogLabel = requestIdLogLabel
  }

  /** Whether the lines of a request are left out. */
  isLogDisabled(request: LoggedRequest): boolean {
    const { disableRequestLogging: switched } = this
    return typeof switched === 'function' ? switched(request) : switched
  }

  /** A request has come. */
  incomingRequest(request: LoggedRequest, _reply: LoggedReply, _metadata?: LogMetadata): void {
    if (isOff(this, request)) return
    write(request.log, 'info', { req: request }, 'incoming request')
  }

  /** A response has left, or its connection was cut before.
   *  @param error what cut it; null for a response that has left
   *  @param metadata `responseTime`, in milliseconds */
  requestCompleted(
    error: Error | null,
    request: LoggedRequest,
    reply: LoggedReply,
    metadata: LogMetadata = { responseTime: reply.elapsedTime },
  ): void {
    if (isOff(this, request)) return
    const { responseTime } = metadata
    const bindings = { res: reply, responseTime }
    write(request.log, 'info', bindings, error?.message ?? 'request completed')
  }

  /** An error is answered by default: at level error from status 500 on, at level info below. One of the
   *  server is written whatever `isLogDisabled` says. */
  defaultErrorLog(
    error: unknown,
    request: LoggedRequest,
    reply: LoggedReply,
    _metadata?: LogMetadata,
  ): void {
    if (reply.statusCode >= 500) {
      write(request.log, 'error', { req: request, res: reply, err: error }, messageOf(error))
    } else if (!isOff(this, request)) {
      write(request.log, 'info', { res: reply, err: error }, messageOf(error))
    }
  }

  /** The stream of a reply has failed behind its first bytes. */
  streamError(
    error: unknown,
    request: LoggedRequest,
    _reply: LoggedReply,
    _metadata?: LogMetadata,
  ): void {
    write(request.log, 'error', { err: error }, messageOf(error))
  }

  /** No route was found, and no handler of one's own answers. */
  routeNotFound(request: LoggedRequest, _reply: LoggedReply, _metadata?: LogMetadata): void {
    if (isOff(this, request)) return
    write(request.log, 'info', `Route ${request.method}:${request.url} not found`)
  }

  /** The head of the answer to an error could not be written. */
  writeHeadError(
    error: unknown,
    request: LoggedRequest,
    _reply: LoggedReply,
    _metadata?: LogMetadata,
  ): void {
    write(request.log, 'error', { err: error }, messageOf(error))
  }

  /** An error could not be serialized by the schema of its status.
   *  @param _metadata `statusCode` */
  serializerError(
    error: unknown,
    request: LoggedRequest,
    _reply: LoggedReply,
    _metadata?: LogMetadata,
  ): void {
    write(request.log, 'error', { err: error }, messageOf(error))
  }

  /** A request came while the server closes, and is refused with 503 before it has a route.
   *  @param logger that of the server */
  serviceUnavailable(logger: Logger, _server: object): void {
    const bindings = { res: { statusCode: 503 } }
    write(logger, 'info', bindings, 'request aborted: the server is closing')
  }
}

/** Whether a value may be `disableRequestLogging`. */
export function isSwitch(value: unknown): value is DisableRequestLogging {
  return typeof value === 'boolean' || typeof value === 'function'
}

/** Whether a value may be `requestIdLogLabel`. */
export function isLabel(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** A subclass may ask otherwise. */
const isOff = (controller: LogController, request: LoggedRequest): boolean =>
  atOnce('isLogDisabled', controller.isLogDisabled(request))

/** Writes a line. A logger may return a promise: what that rejects with goes to stderr. */
function write(log: Logger, level: 'info' | 'error', ...line: readonly [unknown, string?]): void {
  const args = line[1] === undefined ? [line[0]] : line
  const written: unknown = Reflect.apply(log[level], log, args)
  if (!isThenable(written)) return
  written.then(undefined, (error: unknown) => {
    writeError('The logger', error)
  })
}

/** The message of what was thrown, which may be text itself. */
export function messageOf(error: unknown): string | undefined {
  const message = typeof error === 'string' ? error : readSafely(error, 'message')
  return typeof message === 'string' ? message : undefined
}

function refusal(name: string, expected: string, value: unknown): Error {
  const problem = `The option '${name}' of a LogController must be ${expected}, but is ${describe(value)}`
  return new errorCodes.ESP_ERR_INIT_OPTS_INVALID(problem)
}
