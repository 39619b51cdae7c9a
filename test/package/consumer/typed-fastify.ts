// An application of Fastify, for any resolution.
import Fastify, { fastify, type FastifyInstance, type FastifyRequest } from 'fastify'
import type {
  ContextConfigDefault,
  FastifyReply,
  FastifySchema,
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
} from 'fastify'
import type { FastifyReplyType, ResolveFastifyReplyType } from 'fastify/types/type-provider'
import type { RouteGenericInterface } from 'fastify/types/route'

declare module 'fastify' {
  interface FastifyRequest {
    tenant: string
  }
  // An overload of a method that is there.
  /* eslint-disable @typescript-eslint/no-unused-vars -- declarations that merge have the same names */
  interface FastifyReply<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    RawServer extends RawServerBase = RawServerDefault,
    RawRequest extends RawRequestDefaultExpression<RawServer> =
      RawRequestDefaultExpression<RawServer>,
    RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
    ReplyType extends FastifyReplyType = ResolveFastifyReplyType<
      TypeProvider,
      SchemaCompiler,
      RouteGeneric
    >,
  > {
    redirect(to: { readonly route: string }): this
  }
  /* eslint-enable @typescript-eslint/no-unused-vars */
}

export const app: FastifyInstance = Fastify({ logger: false })
app.addHook('onRequest', async (request: FastifyRequest) => {
  request.tenant = 'one'
})
app.get<{ Params: { id: string } }>('/:id', async (request) => request.params.id + request.tenant)
app.get('/old', (_, reply: FastifyReply) => reply.redirect('/new'))
app.get('/named', (_, reply: FastifyReply) => reply.redirect({ route: 'new' }))
// @ts-expect-error nothing has declared it
void fastify().nothing
export type Generic = RouteGenericInterface['Body']
