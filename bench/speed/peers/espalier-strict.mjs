import espalier from 'espalier'
import { addOwnRoutes, addRoutes, portOf } from './fastify-routes.mjs'

export async function start({ log, http2, many }) {
  const app = espalier({ strict: true, logger: log ?? false, ...(http2 && { http2 }) })
  await addRoutes(app, { many })
  return portOf(app)
}

export function startOwn(size) {
  const app = espalier({ strict: true })
  addOwnRoutes(app, size)
  return portOf(app)
}
