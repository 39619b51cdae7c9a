// A handler that returns nothing sends by hand. One that takes no reply cannot, and its requests would wait in vain.
import espalier, {
  defineRoute,
  plugin,
  t,
  type Handler,
  type HookReply,
  type Server,
} from 'espalier'
import { expectError, expectType } from 'tsd'

const app = espalier().decorateRequest('user', '').addHttpMethod('MKCOL')

// In chains, in options and in definitions; sync, where the request hangs, and async, where it is a 500.
expectError(app.get('/a', () => {}))
expectError(app.get('/a', (request) => void request.id))
expectError(app.get('/a', () => undefined))
expectError(app.get('/a', async () => {}))
expectError(app.get('/a', async (request) => void request.id))
expectError(
  app.get('/a', function () {
    this.log.info('seen')
  }),
)
expectError(
  app.get('/a', { schema: { querystring: { q: t.String() } } }, ({ query }) => void query.q),
)
expectError(app.get('/a', { handler: () => {} }))
expectError(app.get('/a', { handler: () => undefined }))
expectError(app.get('/a', async () => undefined))
expectError(app.get('/a', {}, (request) => (request.is404 ? undefined : void 0)))
app.get('/a', { handler: (request) => (request.is404 ? undefined : 1) })
app.get('/a', { handler: (_request, _reply) => undefined })
expectError(app.get('/a', { handler: (request) => void request.user }))
expectError(app.all('/a', (request) => void request.user))
expectError(app.mkcol('/a', (request) => void request.user))
expectError(app.route({ method: 'GET', url: '/a', handler: () => {} }))
expectError(app.route({ method: ['GET', 'PUT'], url: '/a', handler: (request) => void request.id }))
expectError(defineRoute({ method: 'GET', url: '/a', handler: async (request) => void request.id }))
expectError(plugin<{ request: { user: string } }>()((scope) => scope.get('/a', (r) => void r.user)))

// Written elsewhere it is the same.
const noted = (request: { readonly id: string }): void => void request.id
const later = async (): Promise<void> => {}
expectError(app.get('/a', noted))
expectError(app.get('/a', { handler: noted }))
expectError(app.get('/a', later))

// With the reply, in whatever form, it is at liberty.
app.get('/b', (_request, reply) => void reply.send(1))
app.get('/b', (_request, { send }) => void send)
app.get('/b', async (_request, reply) => {
  await reply.send(1)
})
app.get('/b', (_request, reply) => {
  setImmediate(() => reply.send(1))
})
app.get('/b', (...given) => void given[1].send(1))
app.get('/b', (_request, ...rest) => void rest[0].send(1))
app.get('/b', { handler: (_request, reply) => void reply.send(1) })
app.mkcol('/b', (_request, reply) => void reply.send(1))
app.route({ method: 'GET', url: '/b', handler: (_request, reply) => void reply.send(1) })
defineRoute({ method: 'GET', url: '/b', handler: (_request, reply) => void reply.send(1) })
const sending = (_request: { readonly id: string }, reply: HookReply): void => void reply.send(1)
app.get('/b', sending)
const apart: Handler<{}> = (_request, reply) => void reply.send(1)
app.get('/b', apart)
declare const anything: any
app.get('/b', anything)

// What always throws, may give something, or gives what has no type, is no mistake.
app.get('/c', () => {
  throw new Error('not yet')
})
app.get('/c', async () => {
  throw new Error('not yet')
})
app.get('/c', (request): string | undefined => request.query['q']?.toString())
app.get('/c', () => null)
app.get('/c', () => anything as unknown)
app.get('/c', () => anything)
app.get('/c', async () => anything)
app.get('/c', (request) => {
  if (request.is404) return 'none'
  return undefined
})

// So is not what waits for a type parameter of the function around.
export function waiting<T>(server: Server, get: () => T, load: () => Promise<T>) {
  server.get('/get', get)
  server.get('/load', load)
  server.get('/options', { handler: () => get() })
  server.route({ method: 'GET', url: '/route', handler: async () => load() })
}

// It still is of the reply of its route: one that needs another is refused.
const viewing = (_request: unknown, reply: HookReply & { view: () => void }): void => reply.view()
expectError(app.get('/d', viewing))
app.decorateReply('view', () => {}).get('/d', viewing)
const listing = (_request: unknown, all?: boolean) => ({ all })
expectError(app.get('/d', listing))
expectError(app.get('/d', { handler: listing }))
expectError(app.mkcol('/d', listing))
expectError(app.route({ method: 'GET', url: '/d', handler: listing }))
expectError(defineRoute({ method: 'GET', url: '/d', handler: listing }))

// The result goes on to clients as before.
const sent = espalier()
  .get('/one', () => ({ one: 1 }))
  .get('/hand', (_request, reply) => void reply.send(1))
expectType<{ one: number }>((await sent.inject('GET /one')).json())
expectType<unknown>((await sent.inject('GET /hand')).json())
