import espalier from 'espalier'
import { addRoutes, portOf } from './fastify-routes.mjs'

export async function start({ log, http2, many }) {
  const app = espalier({ strict: true, logger: log ?? false, ...(http2 && { http2 }) })
  await addRoutes(app, { many })
  return portOf(app)
}
