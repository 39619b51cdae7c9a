import type { FastifyFactory } from './factory.ts'

/** The type of the package's default export where it is installed under the name `fastify`: the
 *  import map of package.json finds this file by that name, and `own.ts` otherwise. */
export type Front<Own> = [Own] extends [never] ? never : FastifyFactory
