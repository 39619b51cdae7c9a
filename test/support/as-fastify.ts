/** The public door, whose factory `fastify` speaks Fastify's dialect. */
export async function asFastify(): Promise<typeof import('../../src/index.ts')> {
  return import('../../src/index.ts')
}
