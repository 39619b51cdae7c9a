// An application of Fastify, for any resolution.
import Fastify, { fastify, type FastifyInstance, type FastifyRequest } from 'fastify'
import type { RouteGenericInterface } from 'fastify/types/route'

declare module 'fastify' {
  interface FastifyRequest {
    tenant: string
  }
}

export const app: FastifyInstance = Fastify({ logger: false })
app.addHook('onRequest', async (request: FastifyRequest) => {
  request.tenant = 'one'
})
app.get<{ Params: { id: string } }>('/:id', async (request) => request.params.id + request.tenant)
// @ts-expect-error nothing has declared it
void fastify().nothing
export type Generic = RouteGenericInterface['Body']
