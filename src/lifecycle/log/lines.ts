import type { Logger } from '../../http/logger.ts'
import { isStream } from '../../http/payload-kind.ts'
import type { CompiledRoute } from '../compiled-route.ts'
import type { Exchange, Stage } from '../exchange.ts'
import type { Request } from '../request.ts'
import type { Line, LineWriter } from './line-writer.ts'
import { messageOf } from './log-controller.ts'
import { guard, writeError } from './guard.ts'

/** The log lines of errors that the client does not see. */
type FailureLine = 'streamError' | 'writeHeadError' | 'serializerError'
type ErrorLine = FailureLine | 'defaultErrorLog'

/** The stage that logs an incoming request. Undefined for a route that logs none. A custom logger
 *  is made here, so that its error fails the request. */
export function createLogStage(route: CompiledRoute): Stage | undefined {
  const { logsRequests, isCustom } = route.log
  if (logsRequests === undefined && !isCustom) return undefined
  return ({ request, reply }) => {
    if (isCustom) loggerOf(request)
    if (logsRequests?.() === true) write(route, 'incomingRequest', [request, reply])
  }
}

/** Notes the time at the end of a request. Returns a function that writes the log line. */
export function noteEnd({ route, request, reply, payload }: Exchange): () => void {
  const { raw, elapsedTime: responseTime } = reply
  // An injected response is never `writableFinished`, but it is not destroyed either.
  const isWhole = raw.writableFinished || !raw.destroyed
  const cut = isStream(payload) ? 'stream closed prematurely' : 'premature close'
  const error = isWhole ? null : new Error(cut)
  return () => {
    write(route, 'requestCompleted', [error, request, reply, { responseTime }])
  }
}

/** Logs a request that no route was found for. */
export function logNotFound({ route, request, reply }: Exchange): void {
  const { isPresent, isInfoOn } = route.log
  if (isPresent && isInfoOn()) write(route, 'routeNotFound', [request, reply])
}

/** Logs that a not-found handler has called `callNotFound`. */
export function warnNotFoundAgain({ request }: Exchange): void {
  const line = 'callNotFound was called where there is no handler left: the default answer is sent'
  guard(
    () => Reflect.apply(request.log.warn, request.log, [line]),
    (error) => {
      writeError('callNotFound', error)
    },
  )
}

/** Logs an error that is answered by default. Without a logger, an error of the server goes to
 *  stderr. */
export function logAnswered({ route, request, reply }: Exchange, error: unknown): void {
  const { isPresent, isInfoOn } = route.log
  const { statusCode } = reply
  if (!isPresent) {
    if (statusCode >= 500) writeError(route.name, error)
  } else if (statusCode >= 500 || isInfoOn()) {
    writeErrorLine(route, 'defaultErrorLog', [error, request, reply, {}])
  }
}

/** Logs an error that the client does not see, by a line of its own. Without a logger, it goes to
 *  stderr. */
export function logFailure(
  { route, request, reply }: Exchange,
  line: FailureLine,
  given: unknown,
): void {
  const error = route.dialect.errors.show(given)
  const { statusCode } = reply
  if (!route.log.isPresent) writeError(route.name, error)
  else writeErrorLine(route, line, [error, request, reply, { statusCode }])
}

/** Logs an error that has no line of its own. */
export function logError(
  { request }: Exchange,
  route: CompiledRoute,
  error: unknown,
  level: 'info' | 'warn' | 'error',
): void {
  if (!route.log.isPresent) {
    writeError(route.name, error)
    return
  }
  makeLogger(route, request)
  const message = messageOf(error)
  const args = message === undefined ? [{ err: error }] : [{ err: error }, message]
  guard(
    () => Reflect.apply(request.log[level], request.log, args),
    (failure) => {
      writeError(route.name, failure)
      writeError(route.name, error)
    },
  )
}

/** Writes a line. If that fails, the request goes on, and the failure goes to stderr. */
function write<Name extends Line>(
  { name, log: { controller }, redaction }: CompiledRoute,
  line: Name,
  args: Parameters<LineWriter[Name]>,
): boolean {
  let isWritten = true
  const shown = redaction === undefined ? args : args.map((each) => redaction.show(each))
  guard(
    () => Reflect.apply(controller[line], controller, shown),
    (failure) => {
      isWritten = false
      writeError(name, failure)
    },
  )
  return isWritten
}

/** An error whose line cannot be written goes to stderr. */
function writeErrorLine(
  route: CompiledRoute,
  line: ErrorLine,
  args: Parameters<LineWriter[ErrorLine]>,
): void {
  const [error, request] = args
  makeLogger(route, request)
  if (!write(route, line, args)) writeError(route.name, error)
}

/** A logger that cannot be made is reported once. The server's logger is used then. */
function makeLogger(route: CompiledRoute, request: Request): void {
  try {
    loggerOf(request)
  } catch (failure) {
    writeError(route.name, failure)
  }
}

/** The logger is made when it is read. */
function loggerOf({ log }: Request): Logger {
  return log
}
