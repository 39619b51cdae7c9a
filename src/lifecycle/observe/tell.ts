import type { Logger } from '../../http/logger.ts'
import { stateOf, type Reply } from '../../exchange/reply.ts'
import { isStream } from '../../exchange/sendable.ts'
import type { Request } from '../../exchange/request.ts'
import type { CompiledRoute, RequestStep } from '../../route/compiled-route.ts'
import type { Line, LineWriter } from '../../route/logging/line-writer.ts'
import { messageOf } from '../../route/logging/log-controller.ts'
import { guard, writeError } from '../../route/logging/guard.ts'

/** The lines of errors that no client is told of. */
type FailureLine = 'streamError' | 'writeHeadError' | 'serializerError'
type ErrorLine = FailureLine | 'defaultErrorLog'

/** The stage that tells of a request that comes; undefined for a route that has nothing to tell. A logger
 *  that a function of the user's makes is made here, so that what it throws fails the request. */
export function createLogStage(route: CompiledRoute): RequestStep | undefined {
  const { tells, isCustom } = route.log
  if (tells === undefined && !isCustom) return undefined
  return (request, reply) => {
    if (isCustom) loggerOf(request)
    if (tells?.() === true) write(route, 'incomingRequest', [request, reply])
  }
}

/** Takes note of the end of a request: that its response has left, or that its connection is gone before.
 *  Returns what tells of it. */
export function noteEnd(route: CompiledRoute, reply: Reply): () => void {
  const { raw, elapsedTime: responseTime, request } = reply
  // An injected response is never `writableFinished`, but it is not destroyed either.
  const isWhole = raw.writableFinished || !raw.destroyed
  const cut = isStream(stateOf(reply).payload) ? 'stream closed prematurely' : 'premature close'
  const error = isWhole ? null : new Error(cut)
  return () => {
    write(route, 'requestCompleted', [error, request, reply, { responseTime }])
  }
}

/** Tells of a request that no route was found for. */
export function tellNotFound(route: CompiledRoute, reply: Reply): void {
  const { isPresent, isInfoOn } = route.log
  if (isPresent && isInfoOn()) write(route, 'routeNotFound', [reply.request, reply])
}

/** Tells of an error that is about to be answered by default. Those of clients go to a logger only. */
export function tellAnswered(route: CompiledRoute, reply: Reply, error: unknown): void {
  const { request, statusCode } = reply
  const { isPresent, isInfoOn } = route.log
  if (!isPresent) {
    if (statusCode >= 500) writeError(route.name, error)
  } else if (statusCode >= 500 || isInfoOn()) {
    writeErrorLine(route, 'defaultErrorLog', [error, request, reply, {}])
  }
}

/** Tells the logger, else stderr, of an error that no client is told of. */
export function tellFailure(
  route: CompiledRoute,
  line: FailureLine,
  given: unknown,
  reply: Reply,
): void {
  const error = route.dialect.errors.show(given)
  const { request, statusCode } = reply
  if (!route.log.isPresent) writeError(route.name, error)
  else writeErrorLine(route, line, [error, request, reply, { statusCode }])
}

/** The same of an error that has no line of its own.
 *  @param request whose logger is taken, if there is one */
export function tellError(
  route: CompiledRoute,
  error: unknown,
  request: Request | undefined,
  level: 'info' | 'warn' | 'error',
): void {
  const { isPresent, base } = route.log
  if (!isPresent) {
    writeError(route.name, error)
    return
  }
  if (request !== undefined) makeLogger(route, request)
  const message = messageOf(error)
  const write = (): unknown => {
    const log = request?.log ?? base
    return Reflect.apply(log[level], log, [
      { err: error },
      ...(message === undefined ? [] : [message]),
    ])
  }
  guard(write, (failure) => {
    writeError(route.name, failure)
    writeError(route.name, error)
  })
}

/** A line that cannot be written is no reason for a request to fail, nor for the process to end. */
function write<Name extends Line>(
  { name, log: { controller } }: CompiledRoute,
  line: Name,
  args: Parameters<LineWriter[Name]>,
): boolean {
  let isWritten = true
  guard(
    () => Reflect.apply(controller[line], controller, args),
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

/** A logger that cannot be made is told of, once: that of the server is taken then. */
function makeLogger(route: CompiledRoute, request: Request): void {
  try {
    loggerOf(request)
  } catch (failure) {
    writeError(route.name, failure)
  }
}

/** It is made when it is read. */
function loggerOf({ log }: Request): Logger {
  return log
}
