import type { Server } from 'node:http'
import { errorCodes } from '../../errors/codes.ts'
import { describe, isObject } from '../../schema/values.ts'
import type { Context } from '../../context/context.ts'
import { messageOf } from '../../lifecycle/log/log-controller.ts'
import { readLogOptions } from '../../lifecycle/log/log-options.ts'
import type { ServerLog } from '../../lifecycle/log/route-log.ts'
import { guard, writeError } from '../../lifecycle/log/guard.ts'

/** Takes what `register` was told of the logs of a plugin's routes.
 *  @throws ESP_ERR_LOG_OPTION */
export function applyLogOptions({ settings }: Context, options: unknown, plugin: string): void {
  if (!isObject(options)) return
  const { level, serializers } = readLogOptions((name, fits, rule) => {
    const value = name === 'childLoggerFactory' ? undefined : options[name]
    if (value === undefined || value === null || fits(value)) return value ?? undefined
    throw new errorCodes.ESP_ERR_LOG_OPTION(name, plugin, rule, describe(value))
  })
  if (level !== undefined) settings.logLevel = level
  if (serializers !== undefined) settings.logSerializers = serializers
}

/** Tells, at level trace, of what could not be read as a request. That a client has left is no news. */
export function logClientErrors(server: Server, { logger, isPresent }: ServerLog): void {
  if (!isPresent) return
  server.on('clientError', (err: NodeJS.ErrnoException) => {
    const write = (): unknown => Reflect.apply(logger.trace, logger, [{ err }, 'client error'])
    if (err.code !== 'ECONNRESET') guard(write, writeFailure)
  })
}

/** Tells of what failed and is part of no request, as a hook of the application: to the logger, else to
 *  stderr. */
export function reportFailure(
  { logger, isPresent }: ServerLog,
  level: 'warn' | 'error',
  err: unknown,
): void {
  if (!isPresent) writeFailure(err)
  else {
    const message = messageOf(err) ?? describe(err)
    const write = (): unknown => Reflect.apply(logger[level], logger, [{ err }, message])
    guard(write, (failure) => {
      writeFailure(failure)
      writeFailure(err)
    })
  }
}

/** Writes what has failed to stderr. */
export function writeFailure(error: unknown): void {
  writeError('root', error)
}
