import { errorCodes } from '../../errors/codes.ts'
import type { Logger } from '../../http/logger.ts'
import { once } from '../../packages/once.ts'
import { refusePromise } from '../../errors/refuse-promise.ts'
import { describe } from '../../errors/describe.ts'
import { isThenable } from '../../types/promises.ts'
import { readSafely } from '../../types/objects.ts'
import { writeError } from './guard.ts'
import type { HookReply } from '../../typed/reply.ts'
import type { HookRequest } from '../../typed/request.ts'

/** The part of a request that a line may show. */
export type LoggedRequest = Pick<
  HookRequest<unknown>,
  'raw' | 'id' | 'log' | 'method' | 'url' | 'headers' | 'host' | 'hostname' | 'ip' | 'is404'
> & {
  /** `url` is the path of the route, as `/users/:id`. A request without a route has none. */
  readonly routeOptions: { readonly url?: string | undefined }
}

/** The part of a reply that a line may show. */
export type LoggedReply = Pick<HookReply, 'raw' | 'log' | 'statusCode' | 'elapsedTime' | 'sent'>

/** Whether the lines of requests are left out: for all requests, or for those that a function
 *  chooses. */
export type DisableRequestLogging = boolean | { of(request: LoggedRequest): boolean }['of']

/** All instances of `LogController`, also of its subclasses. */
export const controllers: WeakSet<object> = once('controllers', () => new WeakSet())

/** The options of a `LogController`. */
export interface LogControllerOptions {
  /** Whether these lines are left out: an incoming request, its end, an error below 500, and a
   *  route that was not found. @default false */
  readonly disableRequestLogging?: DisableRequestLogging | undefined
  /** The name of the request's id among the bindings of its logger. @default 'reqId' */
  readonly requestIdLogLabel?: string | undefined
}

/** Further values of a line. */
export type LogMetadata = Readonly<Record<string, unknown>>

/** Writes the framework's own log lines of requests. A subclass may write others: its methods are
 *  called for every request, whatever the level of the logger and `disableRequestLogging` are. If
 *  a method throws, the request goes on, and the error goes to stderr. */
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
    controllers.add(this)
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

  /** A response has left, or its connection was cut.
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

  /** An error is answered by default. Level error from status 500 on, whatever `isLogDisabled`
   *  returns; level info below. */
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

  /** The stream of a reply failed after its first bytes. */
  streamError(
    error: unknown,
    request: LoggedRequest,
    _reply: LoggedReply,
    _metadata?: LogMetadata,
  ): void {
    write(request.log, 'error', { err: error }, messageOf(error))
  }

  /** No route was found, and no not-found handler is set. */
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

  /** A request came while the server closes. It is refused with 503.
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

/** A subclass may override `isLogDisabled`. */
const isOff = (controller: LogController, request: LoggedRequest): boolean =>
  refusePromise('isLogDisabled', controller.isLogDisabled(request))

/** Writes a line. A logger may return a promise. Its rejection goes to stderr. */
function write(log: Logger, level: 'info' | 'error', ...line: readonly [unknown, string?]): void {
  const args = line[1] === undefined ? [line[0]] : line
  const written: unknown = Reflect.apply(log[level], log, args)
  if (!isThenable(written)) return
  written.then(undefined, (error: unknown) => {
    writeError('The logger', error)
  })
}

/** The message of a thrown value, which may be a string. */
export function messageOf(error: unknown): string | undefined {
  const message = typeof error === 'string' ? error : readSafely(error, 'message')
  return typeof message === 'string' ? message : undefined
}

function refusal(name: string, expected: string, value: unknown): Error {
  const problem = `must be ${expected}, but is ${describe(value)}`
  return new errorCodes.ESP_ERR_INIT_OPTS_INVALID(
    `The option '${name}' of a LogController ${problem}`,
  )
}
