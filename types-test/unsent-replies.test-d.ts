// A reply of which something was set, and that was not sent, is no answer: nobody would send it.
import espalier, {
  defineRoute,
  t,
  type Handler,
  type HookReply,
  type HookRequest,
  type Output,
  type Server,
} from 'espalier'
import type { TObject } from '@sinclair/typebox'
import { expectError, expectType } from 'tsd'

const app = espalier().decorateReply('ok', () => true)

// Where no response is declared, in chains: each setter, in sync and async handlers, at times or always.
expectError(app.get('/a', (_request, reply) => reply.code(404)))
expectError(app.get('/a', (_request, reply) => reply.status(404)))
expectError(app.get('/a', (_request, reply) => reply.header('x-a', 'b')))
expectError(app.get('/a', (_request, reply) => reply.headers({ 'x-a': 'b' })))
expectError(app.get('/a', (_request, reply) => reply.removeHeader('x-a')))
expectError(app.get('/a', (_request, reply) => reply.type('text/plain')))
expectError(app.get('/a', (_request, reply) => reply.serializer(String)))
expectError(app.get('/a', (_request, reply) => reply.trailer('x-a', async () => 'b')))
expectError(app.get('/a', (_request, reply) => reply.removeTrailer('x-a')))
expectError(app.get('/a', async (_request, reply) => reply.writeEarlyHints({ link: '</a>' })))
expectError(app.get('/a', async (_request, reply) => reply.code(404)))
expectError(app.get('/a', async (_request, reply) => reply.header('x-a', 'b').type('text/plain')))
expectError(app.get('/a', (_request, reply) => reply.type('text/plain').code(404)))
expectError(app.get('/a', (request, reply) => (request.is404 ? reply.code(404) : { id: 1 })))
expectError(
  app.get('/a', async (request, reply) => {
    if (request.is404) return reply.code(404)
    return { id: 1 }
  }),
)
expectError(app.get('/a', { config: {} }, (_request, reply) => reply.code(404)))
expectError(app.get('/a', { handler: (_request, reply) => reply.code(404) }))
expectError(app.get('/a', { handler: async (_request, reply) => reply.code(404) }))
expectError(app.post('/a', { schema: { body: t.Integer() } }, (_request, reply) => reply.code(404)))

// As options, as a value, and written elsewhere.
expectError(app.route({ method: 'GET', url: '/a', handler: (_request, reply) => reply.code(404) }))
expectError(
  app.route({ method: 'GET', url: '/a', handler: async (_request, reply) => reply.type('x/y') }),
)
expectError(
  defineRoute({ method: 'GET', url: '/a', handler: (_request, reply) => reply.code(404) }),
)
expectError(
  defineRoute<{ request: { a: number } }>()({
    method: 'GET',
    url: '/a',
    handler: async ({ a }, reply) => (a === 1 ? reply.code(404) : a),
  }),
)
const apart = async (_request: HookRequest<unknown>, reply: HookReply) => reply.header('x-a', 'b')
expectError(app.get('/a', apart))
const hinting = async (_request: HookRequest<unknown>, reply: HookReply) =>
  reply.writeEarlyHints({ link: '</a>' })
expectError(app.get('/a', hinting))
expectError<Handler<{ schema: { response: { 200: { id: { type: 'integer' } } } } }>>(
  (_request, reply) => reply.header('x-a', 'b'),
)
expectError<Handler<{ schema: { response: { 200: { id: { type: 'integer' } } } } }>>(
  (_request, reply) => reply.type('application/json'),
)
expectError<Handler<{}, {}, string>>((_request, reply) => reply.code(404))

// Where one is declared.
const response = { 200: t.Integer(), 404: t.Null() }
expectError(app.get('/a', { schema: { response } }, (_request, reply) => reply.header('x-a', 'b')))
expectError(
  app.get('/a', { schema: { response } }, async (_request, reply) => reply.type('text/plain')),
)
app.get('/a', { schema: { response } }, (_request, reply) => reply.header('x-a', 'b').send(1))
expectError(
  app.get('/a', { schema: { response } }, (_request, reply) =>
    reply.trailer('x-a', async () => 'b'),
  ),
)
app.get('/a', { schema: { response } }, (_request, reply) => {
  const trailed = reply.writeEarlyHints({ link: '</a>' }).trailer('x-a', async (self) => {
    expectType<number>(self.statusCode)
    expectType<boolean>(self.ok())
    return 'b'
  })
  expectType<boolean>(trailed.ok())
  expectError(trailed.send('x'))
  return trailed.removeTrailer('x-a').code(200).send(1)
})

// What sends, or has sent, or will, or leaves it to others.
app.get('/b', (_request, reply) => reply)
app.get('/b', async (_request, reply) => reply)
app.get('/b', (_request, reply) => reply.send())
app.get('/b', (_request, reply) => reply.code(404).send({ a: 1 }))
app.get('/b', async (_request, reply) => reply.code(404).header('x-a', 'b').send({ a: 1 }))
app.get('/b', async (_request, reply) => {
  await reply.code(404).send(1)
})
app.get('/b', async (_request, reply) => await reply.code(404).send(1))
app.get('/b', (_request, reply) => reply.code(302).redirect('/c'))
app.get('/b', (_request, reply) => reply.callNotFound())
app.get('/b', (_request, reply) => reply.hijack())
app.get('/b', (_request, reply) => {
  reply.hijack()
  return reply
})
app.get('/b', (_request, reply) => {
  reply.code(404)
  return reply.send({})
})
app.get('/b', async (_request, reply) => {
  reply.header('x-a', 'b').type('text/plain')
  return 'text'
})
app.get('/b', (_request, reply) => {
  reply.code(404)
  setImmediate(() => reply.send({}))
  return reply
})
app.get('/b', (_request, reply) => void reply.code(404).send())
app.route({ method: 'GET', url: '/b', handler: (_request, reply) => reply.code(404).send() })
app.route({ method: 'GET', url: '/b', handler: async (_request, reply) => reply })
app.route(defineRoute({ method: 'GET', url: '/b', handler: (_, reply) => reply.code(4).send() }))
const handler: Handler<{}> = (_request, reply) => reply.header('x-a', 'b').code(404).send({})
app.get('/b', handler)

// What is returned besides is as before: of any type, also one that is not known.
declare const anything: any
declare const unknown: unknown
declare const never: never
app.get('/c', () => anything)
app.get('/c', async () => anything)
app.get('/c', () => unknown)
app.get('/c', async () => unknown)
app.get('/c', () => never)
app.get('/c', ({ body }) => body)
app.get('/c', (request) => (request.is404 ? undefined : { id: 1 }))
function later<T, U extends object>(server: Server, get: () => T, load: () => Promise<U>) {
  server.get('/d', get)
  server.get('/e', load)
  server.get('/f', { handler: () => get() })
  server.get('/g', async (request) => (request.is404 ? null : get()))
  return server.get('/h', async () => ({ value: get() }))
}
later(espalier(), String, async () => ({}))
const typed = espalier()
  .get('/number', () => 1)
  .get('/object', async () => ({ role: 'admin' }))
  .get('/options', { handler: () => ({ role: 'admin' }) })
  .get('/later', { handler: async () => ({ role: 'admin' }) })
  .route({ method: 'GET', url: '/route', handler: async () => ({ id: 1 }) })
  .get('/maybe', (request) => (request.is404 ? null : { id: 1 }))
expectType<number>((await typed.inject('GET /number')).json())
expectType<{ role: string }>((await typed.inject('GET /object')).json())
expectType<{ role: 'admin' }>((await typed.inject('GET /options')).json())
expectType<{ role: 'admin' }>((await typed.inject('GET /later')).json())
expectType<{ id: 1 }>((await typed.inject('GET /route')).json())
expectType<{ id: number } | null>((await typed.inject('GET /maybe')).json())

// Handlers of errors, and of what is not found.
expectError(app.setErrorHandler((_error, _request, reply) => reply.code(500)))
expectError(app.setErrorHandler(async (_error, _request, reply) => reply.code(500)))
expectError(
  app.setErrorHandler((error, _request, reply) => {
    if (error.validation) return reply.code(422)
    return { message: error.message }
  }),
)
expectError(app.setNotFoundHandler((_request, reply) => reply.code(404)))
expectError(app.setNotFoundHandler(async (_request, reply) => reply.header('x-a', 'b')))
expectError(app.setNotFoundHandler({}, (_request, reply) => reply.code(404)))
app.setErrorHandler((_error, _request, reply) => reply.code(500).send({}))
app.setErrorHandler(async (_error, _request, reply) => {
  reply.code(500)
  return reply
})
app.setErrorHandler((_error, _request, reply) => {
  reply.code(500)
})
app.setErrorHandler((error) => error)
app.setErrorHandler(app.errorHandler)
app.setNotFoundHandler((_request, reply) => reply.code(404).send({}))
app.setNotFoundHandler({}, async (request, reply) => reply.code(404).send(request.url))
app.setNotFoundHandler(() => unknown)
function answering<T>(server: Server, get: () => T) {
  return server.setErrorHandler(get).setNotFoundHandler(async () => get())
}
answering(espalier(), String)

// What derives may reply, or give something.
expectError(app.derive('onRequest', (_request, reply) => reply.code(401)))
expectError(app.derive('onRequest', async (_request, reply) => reply.header('x-a', 'b')))
expectError(
  app.derive('preHandler', async ({ headers }, reply) => {
    if (headers.authorization === undefined) return reply.code(401)
    return { user: headers.authorization }
  }),
)
expectError(
  app.derive('preHandler', ({ headers }, reply) =>
    headers.authorization === undefined ? reply.code(401) : { user: headers.authorization },
  ),
)
app.derive('onRequest', (_request, reply) => reply.code(401).send())
app.derive('onRequest', async (_request, reply) => {
  reply.code(401).send()
  return reply
})

// A method that was added is as the others.
const more = espalier().addHttpMethod('MKCOL')
expectError(more.mkcol('/a', (_request, reply) => reply.code(404)))
more.mkcol('/a', (_request, reply) => reply.code(404).send())

// Handlers whose results wait for a type parameter of the function around are no less handlers.
export function waiting<S extends TObject, T>(server: Server, schema: S, get: () => Output<S>) {
  server.post('/body', { schema: { body: schema } }, (request) => request.body)
  server.get('/get', get)
  server.get('/options', { handler: () => get() })
  server.get('/awaited', () => undefined as Awaited<T>)
  server.get('/either', () => 1 as T extends string ? 1 : 2)
  server.setErrorHandler(() => get())
}
