/** What the package `espalier-fastify` gives as Fastify's inner files `lib/reply.js` and
 *  `lib/symbols.js`: NestJS loads these two. */
export { Reply } from '../server/fastify/reply.ts'
export * as symbols from '../server/fastify/symbols.ts'
