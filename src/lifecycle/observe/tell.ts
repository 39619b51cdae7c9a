import { inspect } from 'node:util'
import type { Logger } from '../../http/logger.ts'
import { isObject } from '../../schema/values.ts'
import { stateOf, type Reply } from '../../exchange/reply.ts'
import { isStream } from '../../exchange/sendable.ts'
import type { Request } from '../../exchange/request.ts'
import type { CompiledRoute, RequestStep } from '../../route/compiled-route.ts'

/** The levels that the framework itself writes at. */
type Level = 'info' | 'warn' | 'error'
type Line = readonly [level: Level, message: string | undefined]

/** The stage that tells of a request that comes; undefined for a route that has nothing to tell. A logger
 *  that a function of the user's makes is made here, so that what it throws fails the request. */
export function createLogStage(route: CompiledRoute): RequestStep | undefined {
  const { tellsOf, isCustom } = route.log
  if (tellsOf === undefined && !isCustom) return undefined
  return (request) => {
    const isTold = tellsOf?.(request) === true
    if (!isTold && !isCustom) return
    const { log } = request
    if (isTold) writeTo(log, route, ['info', 'incoming request'], { req: request })
  }
}

/** Takes note of the end of a request: that its response has left, or that its connection is gone before.
 *  Returns what tells of it. */
export function noteEnd(route: CompiledRoute, reply: Reply): () => void {
  const { raw, elapsedTime: responseTime, request } = reply
  // An injected response is never `writableFinished`, but it is not destroyed either.
  const isWhole = raw.writableFinished || !raw.destroyed
  const cut = isStream(stateOf(reply).payload) ? 'stream closed prematurely' : 'premature close'
  const message = isWhole ? 'request completed' : cut
  return () => {
    write(route, request, ['info', message], { res: reply, responseTime })
  }
}

/** Tells of a request that no route was found for. */
export function tellNotFound(request: Request, reply: Reply, message: string): void {
  if (stateOf(reply).route.log.isInfoOn()) request.log.info(message)
}

/** Tells of an error that is about to be answered by default. Those of clients go to a logger only. */
export function tellAnswered(route: CompiledRoute, reply: Reply, error: unknown): void {
  const { request, statusCode } = reply
  const { isPresent, isInfoOn } = route.log
  if (!isPresent) {
    if (statusCode >= 500) tellStderr(route.name, error)
    return
  }
  const message = messageOf(error)
  if (statusCode >= 500) {
    write(route, request, ['error', message], { req: request, res: reply, err: error })
  } else if (isInfoOn()) write(route, request, ['info', message], { res: reply, err: error })
}

/** Tells the logger, else stderr, of an error that no client is told of. */
export function tellError(
  route: CompiledRoute,
  error: unknown,
  request: Request | undefined,
  level: Level,
): void {
  if (!route.log.isPresent) tellStderr(route.name, error)
  else write(route, request, [level, messageOf(error)], { err: error })
}

function write(
  route: CompiledRoute,
  request: Request | undefined,
  line: Line,
  bindings: Readonly<Record<string, unknown>>,
): void {
  let log = route.log.base
  try {
    log = request?.log ?? log
  } catch (failure) {
    tellStderr(route.name, failure)
  }
  writeTo(log, route, line, bindings)
}

/** A line that cannot be written is no reason for a request to fail, nor for the process to end. */
function writeTo(
  log: Logger,
  route: CompiledRoute,
  [level, message]: Line,
  bindings: Readonly<Record<string, unknown>>,
): void {
  try {
    if (message === undefined) log[level](bindings)
    else log[level](bindings, message)
  } catch (failure) {
    tellStderr(route.name, failure)
    if ('err' in bindings) tellStderr(route.name, bindings['err'])
  }
}

function tellStderr(name: string, error: unknown): void {
  process.stderr.write(`${name}: ${textOf(error)}\n`)
}

/** Whatever is thrown may have getters. */
function messageOf(error: unknown): string | undefined {
  try {
    const message = isObject(error) ? error['message'] : error
    return typeof message === 'string' ? message : undefined
  } catch {
    return undefined
  }
}

/** Whatever is thrown may have getters, and a stack that is no text. */
function textOf(error: unknown): string {
  try {
    // With the stack go the code and the cause.
    return inspect(error)
  } catch {
    return 'an error that cannot be shown'
  }
}
