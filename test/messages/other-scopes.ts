// A decorator of a child or of a sibling is read.
import { app } from './scope.js'

app
  .register(async (child) => child.decorateRequest('foo', 'x').get('/one', () => 1))
  .register(async (child) => child.get('/two', (request) => request.foo)) // <- Property 'foo' does not exist on type 'RouteRequest<"GET", "/two"
  .get('/three', (request) => {
    return request.foo // <- Property 'foo' does not exist on type 'RouteRequest<"GET", "/three"
  })
  .get('/four', async (request, reply) => reply.view('x')) // <- Property 'view' does not exist on type 'TypedReply<
app.get('/five', (request) => request.server.redis) // <- Property 'redis' does not exist on type 'Server<
app.redis.get('x') // <- Property 'redis' does not exist on type 'Server<
app.register(async (child) => child.redis) // <- Property 'redis' does not exist on type 'Server<
app.addHook('preHandler', async (request) => request.foo) // <- Property 'foo' does not exist on type 'HookRequest<
