import { LogController, type LoggedReply, type LoggedRequest } from 'espalier'
import type { Config } from './config.ts'

/** The options of the server that say what it logs: JSON, and during development lines for people. */
export function logging({ LOG_LEVEL: level, NODE_ENV }: Config) {
  if (NODE_ENV !== 'development') return { logger: { level } }
  const options = { ignore: 'pid,hostname,reqId', translateTime: 'HH:MM:ss' }
  const transport = { target: 'pino-pretty', options }
  return { logger: { level, transport }, logController: new ShortLines() }
}

/** One line for a request, when its response has left. */
class ShortLines extends LogController {
  // `requestCompleted` tells of both.
  override incomingRequest() {}
  override routeNotFound() {}

  override requestCompleted(error: Error | null, request: LoggedRequest, reply: LoggedReply) {
    if (this.isLogDisabled(request)) return
    const route = request.routeOptions.url ?? request.url
    const status = error === null ? reply.statusCode : 'cut'
    request.log.info(`${request.method} ${route} ${status} ${reply.elapsedTime.toFixed(1)} ms`)
  }

  override defaultErrorLog(error: unknown, request: LoggedRequest, reply: LoggedReply) {
    if (reply.statusCode >= 500) request.log.error(ownStack(error))
    else if (!this.isLogDisabled(request)) request.log.info(messageOf(error))
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The stack of an error, and that of its cause, without the frames of packages, of Node and of JavaScript. */
function ownStack(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const lines = (error.stack ?? error.message).split('\n')
  const own = lines.filter((line) => !/^ +at .*(node_modules|node:|\(<anonymous>\))/.test(line))
  if (error.cause !== undefined) own.push(`caused by ${ownStack(error.cause)}`)
  return own.join('\n')
}
