// What an application may export without a type beside it: its declarations name all of these.
import espalier, {
  adopt,
  defineRoute,
  plugin,
  shared,
  t,
  type Ctx,
  type Handler,
  type HookFor,
  type Input,
  type InjectArguments,
  type Output,
  type Payload,
  type RouteKey,
  type Server,
  type TObject,
  type TProperties,
  type TSchema,
} from 'espalier'
import type { Needs } from './needs.js'

export const secure = espalier({ https: { key: '', cert: '' } })
export const two = espalier({ http2: true })
export const started = espalier({ http2: true, https: {} }).decorate('size', 1)
export const verbs = espalier().addHttpMethod('MKCOL')
export const made = espalier()
  .addHttpMethod('MKCOL')
  .mkcol('/x', () => 1)
export const mkcol = verbs.mkcol

const list = {
  schema: {
    querystring: { page: t.Integer({ default: 1 }) },
    response: {
      200: t.Object({ size: t.Integer() }),
      404: { content: { 'text/plain': { schema: t.String() } } },
    },
  },
}
export const listed = (async (request) => ({ size: request.query.page })) satisfies Handler<
  typeof list
>
export const missing = ((_request, reply) =>
  reply.code(404).type('text/plain').send('')) satisfies Handler<typeof list, Needs>
export const typed = ((_request, reply) => [
  reply.type('text/plain'),
  reply.code(404),
  reply.code(404).type('text/plain'),
  reply.header,
]) satisfies Handler<{}, Needs>
export const apart = (...args: Parameters<Handler<typeof list, Needs>>) => args
export const methods = {
  read: function (request, reply) {
    return { self: this, request, reply, log: request.log, send: reply.send }
  } satisfies Handler<{ attachValidation: true }, Needs>,
}

export const auth = (async (_request, reply) => reply.code(401).send()) satisfies HookFor<
  'onRequest',
  Needs
>
export const parsing = ((_request, _reply, payload, done) =>
  done(null, payload)) satisfies HookFor<'preParsing'>
export const sending = (...args: Parameters<HookFor<'onSend', Needs>>) => args
export const checking = (...args: Parameters<HookFor<'preHandler', Needs>>) => args

export const app = espalier()
  .addSchema(t.Object({ a: t.String() }, { $id: 'a' }))
  .decorate('now', () => new Date())
  .decorateReply('fail', null)
  .derive('preHandler', async (request, reply) =>
    request.headers.authorization ? { user: { id: 1 } } : reply.code(401).send(),
  )
  .get('/me', (request) => request.user)
  .get('/list', list, listed)
  .get('/a', { schema: { response: { 200: t.Ref('a#') } } }, () => ({ a: '' }))
  .register(shared((server) => server.decorateRequest('x', 1)))
export const handled = app.setErrorHandler((error, _request, reply) => reply.code(500).send(error))
export const failing = (...args: Parameters<typeof app.errorHandler>) => args
export const declaring = (...args: Parameters<Parameters<typeof app.addHook<'onRoute'>>[1]>) => args

export const { get, route, addRoutes, register, addHook, addSchema, addHttpMethod, inject } = app
export const call = <Key extends RouteKey<typeof app>>(
  key: Key,
  ...input: InjectArguments<typeof app, Key>
) => app.inject(key, ...input)
export const { decorate, decorateRequest, decorateReply, derive, errorHandler } = app
export const { setErrorHandler, setNotFoundHandler, setReplySerializer } = app
export const { setValidatorCompiler, setSerializerCompiler, setSchemaController } = app
export const { setSchemaErrorFormatter, setChildLoggerFactory, addContentTypeParser } = app
export const { getDefaultJsonParser, after, ready, listen, printRoutes, findRoute, log } = app
export const { initialConfig, server, childLoggerFactory, validatorCompiler } = app

export const seen = defineRoute<Needs>()({
  method: ['GET', 'POST'],
  url: '/seen/:id',
  attachValidation: true,
  schema: { params: { id: t.Integer() } },
  handler: (request, reply) => [request, reply],
})
export const tool = defineRoute<Needs>()
export const needing = plugin<Needs>()(async (given) => given.get('/', (request) => request.answer))
export const adding = plugin<Needs>().shared(async (given) => given.decorate('y', 1))
export const cookies = adopt<{ request: { cookies: object } }>()(
  async (_server: unknown, _options: { secret: string }) => undefined,
)
export const adopting = adopt<{ request: { cookies: object } }>()

export const paged = <Item extends TSchema>(item: Item) =>
  t.Object({ items: t.Array(item, { default: [] }), next: t.Optional(t.String()) })
export const nullable = <Item extends TSchema>(item: Item) => t.Union([item, t.Null()])
export const patch = <Fields extends TProperties>(whole: TObject<Fields>) => t.Partial(whole)
export const named = <Fields extends TProperties>(whole: TObject<Fields>) => t.Pick(whole, ['name'])
export const decoding = t.Transform(t.String())
export const encoding = t.Transform(t.String()).Decode(Number)
export const sharing = espalier().addSchema

// A function for any schema that gives what another one says of it.
const stored = <Schema extends TObject>(_schema: Schema) => new Map<number, Output<Schema>>()
const sent = <Schema extends TObject>(_schema: Schema) => new Map<number, Input<Schema>>()
export const repository = <Schema extends TObject>(schema: Schema) => ({
  stored: stored(schema),
  sent: sent(schema),
})

// Functions that add to any scope.
export const mounted = <Context extends Ctx, Routes>(scope: Server<Context, Routes>) =>
  scope.get('/mounted', { schema: { response: { 200: t.String() } } }, () => '')
export const routed = <Context extends Ctx, Routes>(scope: Server<Context, Routes>) =>
  scope.route({ method: 'GET', url: '/routed', handler: () => 1 })
export const listedIn = <Context extends Ctx, Routes>(scope: Server<Context, Routes>) =>
  scope.addRoutes([defineRoute({ method: 'GET', url: '/ping', handler: () => 'pong' })])
export const registered = <Context extends Ctx, Routes>(scope: Server<Context, Routes>) =>
  scope.register(async (inside) => inside.get('/', () => 1), { prefix: '/registered' })
export const injecting = <Context extends Ctx, Routes>(scope: Server<Context, Routes>) =>
  scope.inject

// A server with one of two plugins, and one of two servers.
const disk = plugin().shared(async (scope) => scope.decorate('store', new Map<string, Date>()))
const memory = plugin().shared(async (scope) => scope.decorate('store', new Set<string>()))
export const stocked = (onDisk: boolean) =>
  app.register(onDisk ? disk : memory).get('/stock', function () {
    return this.store.size
  })
export const documented = (isPublic: boolean) =>
  isPublic ? app.register(async (docs) => docs.get('/docs', () => '')) : app

// Schemas of objects whose fields are not all named, and of values that need not be objects.
const open = {
  type: 'object',
  properties: { a: { type: 'string' } },
  additionalProperties: { type: 'integer' },
} as const
const untyped = { properties: { a: { type: 'string' } } } as const
export const opened = espalier()
  .addSchema({ ...open, $id: 'open' })
  .post('/body', { schema: { body: open } }, ({ body }) => body)
  .get('/query', { schema: { querystring: open } }, ({ query }) => query)
  .post('/shared', { schema: { body: t.Object({ a: t.Ref('open#') }) } }, ({ body }) => body)
  .post('/one', { schema: { body: { oneOf: [open, { type: 'null' }] } } }, ({ body }) => body)
  .post('/none', { schema: { body: { ...open, properties: { u: untyped } } } }, ({ body }) => body)
export const answered = async () => {
  const app = espalier().get('/', { schema: { response: { 200: open } } }, () => ({ b: 1 }))
  return (await app.inject('GET /')).json()
}
export const lists = (
  read: Output<typeof open>,
  given: Payload<typeof open>,
  any: Payload<{ type: 'object' }>,
  value: Output<typeof untyped>,
) => [[read], [given], [any], [value]] as const
