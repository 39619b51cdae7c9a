/** The packages that peers are measured with, and nothing else of them: the one place to renew them. */
export const versions = {
  '@elysiajs/eden': '1.4.9',
  '@elysiajs/node': '1.4.5',
  '@fastify/type-provider-typebox': '6.3.0',
  '@hono/node-server': '2.1.9',
  '@hono/zod-validator': '0.9.1',
  '@orpc/client': '1.16.1',
  '@orpc/server': '1.16.1',
  '@sinclair/typebox': '0.34.52',
  '@trpc/client': '11.25.2',
  '@trpc/server': '11.25.2',
  '@types/node': '20.19.0',
  bun: '1.4.5',
  deno: '2.9.6',
  elysia: '1.4.30',
  express: '5.3.0',
  fastify: '5.12.8',
  h3: '2.0.8',
  hono: '4.13.19',
  miniflare: '4.20260426.0',
  morgan: '1.12.1',
  typebox: '1.4.3',
  zod: '4.6.7',
} as const

export type PackageName = keyof typeof versions
