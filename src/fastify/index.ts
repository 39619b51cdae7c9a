import { fastify } from './factory.ts'

export default fastify
export { fastify, fastify as 'module.exports' }
export type { FastifyFactory } from './factory.ts'
export { LogController } from '../lifecycle/log/log-controller.ts'
export { adopt } from '../server/factory.ts'
export { errorCodes, type FastifyErrorCodes } from './error-codes.ts'
export type * from './types.ts'
