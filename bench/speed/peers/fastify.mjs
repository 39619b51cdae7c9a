import fastify from 'fastify'
import { addOwnRoutes, addRoutes, portOf } from './fastify-routes.mjs'
import { accept } from './shared.mjs'

export async function start({ log, http2, many, zod }) {
  const app = fastify({ logger: log ?? false, ...(http2 && { http2 }) })
  await addRoutes(app, { many, zod: zod && addZodRoute })
  return portOf(app)
}

async function addZodRoute(app) {
  const { zodOrder } = await import('./zod.mjs')
  const validatorCompiler =
    ({ schema }) =>
    (sent) => {
      const { data: value, error } = schema.safeParse(sent)
      return error ? { error } : { value }
    }
  app.post('/zod', { schema: { body: zodOrder }, validatorCompiler }, ({ body }) => accept(body))
}

export async function startOwn(size) {
  const app = fastify()
  addOwnRoutes(app, size)
  return portOf(app)
}
