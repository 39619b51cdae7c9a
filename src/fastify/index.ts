import { LogController } from '../route/logging/log-controller.ts'
import { adopt, createFastify } from '../server/factory.ts'
import type { EspalierFactory } from '../server/types/factories.ts'
import { errorCodes, type FastifyErrorCodes } from './error-codes.ts'
import type { FastifyFactory } from './factory.ts'

/** What `require('espalier/fastify')` gives: the factory, with everything else as its properties. */
export interface FastifyModule extends FastifyFactory {
  readonly default: FastifyFactory
  readonly fastify: FastifyFactory
  readonly errorCodes: FastifyErrorCodes
  readonly adopt: typeof adopt
  readonly LogController: typeof LogController
}

/** The factory, with servers typed as Fastify's are: routes that say their own types, and interfaces
 *  that plugins add to. Errors are answered as Fastify does: with their messages, and with the status
 *  that was set before. */
export const fastify: FastifyFactory = untyped(createFastify) as FastifyFactory

function untyped(factory: (options?: never) => unknown): (options?: never) => unknown {
  return factory
}

// A function of its own, since the default export of an ES module has no properties.
const commonJs: FastifyModule = Object.assign(
  (...options: Parameters<EspalierFactory>): unknown => createFastify(...options),
  { default: fastify, fastify, errorCodes, adopt, LogController },
) as FastifyModule
Object.assign(commonJs, { default: commonJs, fastify: commonJs })

export default fastify
export { adopt, errorCodes, LogController }
export { commonJs as 'module.exports' }
export type { FastifyErrorCodes, FastifyFactory }
export type * from './types/index.ts'
