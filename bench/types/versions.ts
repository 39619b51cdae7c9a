/** The packages that peers are measured with, and nothing else of them: the one place to renew them. */
export const versions = {
  '@hono/zod-validator': '0.9.1',
  '@elysiajs/eden': '1.4.9',
  '@fastify/type-provider-typebox': '6.3.0',
  '@orpc/client': '1.16.1',
  '@orpc/server': '1.16.1',
  '@sinclair/typebox': '0.34.52',
  '@trpc/client': '11.25.2',
  '@trpc/server': '11.25.2',
  '@types/node': '20.19.0',
  elysia: '1.4.30',
  fastify: '5.12.8',
  hono: '4.13.19',
  typebox: '1.4.3',
  zod: '4.6.7',
} as const

export type PackageName = keyof typeof versions
