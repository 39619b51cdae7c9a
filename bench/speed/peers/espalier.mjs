import espalier from 'espalier'
import { addOwnRoutes, addRoutes, portOf } from './fastify-routes.mjs'
import { accept } from './shared.mjs'

export const start = async (options) => portOf(await create(options))

export async function create({ log, http2, many, zod }) {
  const app = espalier({ logger: log ?? false, ...(http2 && { http2 }) })
  await addRoutes(app, { many, zod: zod && addZodRoute })
  return app
}

async function addZodRoute(app) {
  const { zodOrder } = await import('./zod.mjs')
  app.post('/zod', { schema: { body: zodOrder } }, ({ body }) => accept(body))
}

export const startOwn = (options) => portOf(createOwn(options))

/** The application alone, as `espalier compile` takes it. */
export function createOwn({ compiled, ...size }) {
  const app = espalier({ compiled })
  addOwnRoutes(app, size)
  return app
}
