import { LogController } from '../lifecycle/log/log-controller.ts'
import { adopt } from '../server/factory.ts'
import { errorCodes, type FastifyErrorCodes } from './error-codes.ts'
import { fastify, type FastifyFactory } from './factory.ts'

export { adopt, errorCodes, fastify, LogController }
export default fastify
export { commonJs as 'module.exports' } from './common-js.ts'
export type { FastifyErrorCodes, FastifyFactory }
export type * from './types/index.ts'
