// The door `espalier/fastify`: servers typed as Fastify's are, for applications that were written for it.
import espalier, { espalier as own, fastify as named, type FastifyInstance as Same } from 'espalier'
import fastify, {
  adopt,
  errorCodes,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyPluginCallback,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchema,
  type FastifyTypeProvider,
  type HTTPMethods,
  type RouteHandlerMethod,
  type RouteShorthandOptions,
  type SafePromiseLike,
  type onRequestAsyncHookHandler,
  type preHandlerHookHandler,
} from 'espalier/fastify'
import { expectAssignable, expectError, expectType } from 'tsd'
import { isAny } from './support.js'

declare module 'espalier/fastify' {
  interface FastifyRequest {
    user: { id: string }
  }
  interface FastifyInstance {
    database: { find: () => number }
  }
  interface FastifyContextConfig {
    role?: string
  }
}

const app = fastify({ bodyLimit: 1024 })
expectType<FastifyInstance & SafePromiseLike<FastifyInstance>>(app)
expectType<FastifyInstance>(await app)
expectAssignable<Same>(app)
expectType<typeof fastify>(named)
expectType<typeof espalier>(own)
expectAssignable<typeof own>(espalier)
expectError(fastify({ bodyLimit: 'x' }))

// The type of a route is said, not inferred.
app.get<{
  Params: { id: string }
  Querystring: { page?: number }
  Headers: { 'X-Key': string }
  Reply: { 200: { ok: boolean }; '4xx': { error: string } }
}>('/users/:id', async (request, reply) => {
  expectType<string>(request.params.id)
  expectType<number | undefined>(request.query.page)
  expectType<string>(request.headers['x-key'])
  expectType<unknown>(request.body)
  reply.code(200).send({ ok: true })
  expectError(reply.code(200).send({ ok: 'x' }))
  reply.code(404).send({ error: 'x' })
  expectError(reply.code(404).send({ ok: true }))
  expectError(reply.code(500))
  return { ok: true }
})
app.post<{ Body: { name: string } }>('/users', {}, (request, reply) => {
  expectType<string>(request.body.name)
  reply.status(201).header('x-a', 1).type('text/plain').send(request.body.name)
})
app.get('/bare', (request, reply) => {
  expectType<false>(isAny(request))
  expectType<false>(isAny(reply))
  expectType<unknown>(request.params)
  return reply.send('x')
})

// What is declared for the module is a member of its interfaces.
app.get('/user', { config: { role: 'admin' } }, async (request) => {
  expectType<string>(request.user.id)
  expectType<string>(request.routeOptions.config.role)
  expectType<number>(request.server.database.find())
  expectError(request.nobody)
  return 1
})
expectError(app.get('/user', { config: { role: 1 } }, async () => 1))

// A type provider reads schemas.
interface ByExample extends FastifyTypeProvider {
  validator: this['schema'] extends { example: infer Type } ? Type : unknown
  serializer: this['schema'] extends { example: infer Type } ? Type : unknown
}
declare const schema: { body: { example: { a: number } }; response: { 200: { example: 'x' } } }
app.withTypeProvider<ByExample>().post('/provided', { schema }, async (request, reply) => {
  expectType<number>(request.body.a)
  reply.code(200).send('x')
  expectError(reply.code(200).send('y'))
  return 'x' as const
})

// Hooks, in both forms.
app.addHook('onRequest', async (request, reply) => {
  expectType<string>(request.id)
  expectType<number>(reply.statusCode)
})
app.addHook('preHandler', (request, reply, done) => {
  done(new Error(request.id))
})
app.addHook('onSend', async (request, reply, payload) => payload)
app.addHook('onError', async (request, reply, error) => {
  expectType<FastifyError>(error)
})
app.addHook('onRoute', (route) => {
  expectType<string>(route.url)
  expectType<HTTPMethods | HTTPMethods[]>(route.method)
  expectType<FastifySchema | undefined>(route.schema)
})
app.addHook('onClose', async (instance) => {
  expectType<FastifyInstance>(instance)
})
app.addHook<{ Querystring: { q: string } }>('preHandler', async (request) => {
  expectType<string>(request.query.q)
})
expectError(app.addHook('onNothing', async () => {}))
declare const before: onRequestAsyncHookHandler
declare const guard: preHandlerHookHandler
app.get('/guarded', { onRequest: before, preHandler: [guard, async () => {}] }, async () => 1)

// Plugins with options.
const plugin: FastifyPluginAsync<{ url: string }> = async (instance, options) => {
  expectType<FastifyInstance>(instance)
  expectType<string>(options.url)
}
const older: FastifyPluginCallback = (instance, _options, done) => {
  expectType<FastifyInstance>(instance)
  done()
}
app.register(plugin, { url: 'x', prefix: '/v1' })
expectError(app.register(plugin, { url: 1 }))
app.register(older)
app.register(async (instance) => {
  expectType<number>(instance.database.find())
})
app.register(
  import('node:fs').then(() => ({ default: plugin })),
  { url: 'x' },
)

// Decorators agree with what is declared.
app.decorate('database', { find: () => 1 })
expectError(app.decorate('database', { find: () => 'x' }))
app.decorateRequest('user', { getter: () => ({ id: 'x' }) })
app.decorate('anything', 1)

// The rest of what applications say of their parts.
export const options: RouteShorthandOptions = { schema: { body: {} }, bodyLimit: 1 }
export const handler: RouteHandlerMethod = async (request, reply) => reply.send(request.id)
export const ofTwo = (request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) =>
  reply.send(request.params.id)
app.get('/two/:id', ofTwo)
declare const logger: FastifyBaseLogger & { extra: 1 }
expectType<1>(fastify({ loggerInstance: logger }).log.extra)
app.setErrorHandler<FastifyError>((error, _request, reply) => {
  expectType<string>(error.code)
  reply.code(error.statusCode ?? 500).send(error)
})
expectType<typeof errorCodes.ESP_ERR_VALIDATION>(errorCodes.FST_ERR_VALIDATION)
expectError(errorCodes.FST_ERR_NOTHING)
expectType<string>((await app.inject('/')).body)
expectType<string>(await app.listen({ port: 3000 }))
expectError(adopt(1))
