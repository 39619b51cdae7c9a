// A module of a CommonJS package, which compiles for Node.
import espalier, {
  type EspalierError,
  LogController,
  t,
  type ListenOptions,
  type Server,
} from 'espalier'
import required = require('espalier')
import { client, ClientError, type CallOptions } from 'espalier/client'
import { openapi } from 'espalier/openapi'
import { t as schemas } from 'espalier/schema'
import fastify, { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import other = require('fastify')
import type { RouteGenericInterface } from 'fastify/types/route'

declare module 'fastify' {
  interface FastifyRequest {
    tenant: string
  }
}

const app = espalier()
  .register(openapi({ info: { title: 'x', version: '1' }, docs: false }))
  .get(
    '/:id',
    { schema: { params: { id: t.Integer() }, response: { 200: { a: schemas.Integer() } } } },
    ({ params }) => {
      const id: number = params.id
      // @ts-expect-error a parameter that the schema does not name
      void params.name
      return { a: id }
    },
  )
const own: FastifyInstance = fastify()
own.addHook('onRequest', async (request: FastifyRequest) => {
  request.tenant = 'x'
})
own.get('/', async (request) => request.tenant)
// @ts-expect-error nothing has declared it
export const wrong = (): unknown => [app.nothing, own.nothing]
class Lines extends LogController {}

const server: required.Server = required()
const again: other.FastifyInstance = other()
const options: ListenOptions = { port: 0 }
export type Others = [Server, CallOptions, RouteGenericInterface, required.RootCtx]
export const call = client<typeof app>('http://127.0.0.1')
void [server, again, options, ClientError, Lines]

const error: EspalierError = new errorCodes.FST_ERR_VALIDATION('x')
void Promise.all([app.inject('GET /:id', { params: { id: 1 } }), own.inject('/')]).then(
  ([one, two]) => {
    console.log(one.body, two.body, error instanceof required.EspalierError)
  },
)
