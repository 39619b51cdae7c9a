// A plugin written for Fastify, with a scope in types: what it is said to add is seen after it, and nowhere else.
import espalier, { adopt, shared, t, type HookReply, type HookRequest } from 'espalier'
import type {
  FastifyPluginAsync,
  FastifyPluginCallback,
  preHandlerAsyncHookHandler,
  preHandlerHookHandler,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
} from 'espalier/fastify'
import { expectError, expectType } from 'tsd'
import { isAny } from './support.js'

interface CookieOptions {
  secret?: string
}
declare const cookie: FastifyPluginCallback<CookieOptions>
declare const database: FastifyPluginAsync<{ url: string }>
interface Cookies {
  request: { cookies: Record<string, string> }
  reply: { setCookie: (name: string, value: string) => unknown }
}

const root = espalier().decorateRequest('answer', 42)

// Visible afterwards.
const after = root.register(adopt<Cookies>(cookie), { secret: 'x' })
after.get('/', (request, reply) => {
  expectType<Record<string, string>>(request.cookies)
  expectType<number>(request.answer)
  expectType<(name: string, value: string) => unknown>(reply.setCookie)
  expectError(request.cookie)
  return 1
})
after.register(async (child) => child.get('/child', (request) => request.cookies))

// Not before.
root.get('/', (request) => {
  expectError(request.cookies)
  return 1
})

// Not beside: what a child registers is the child's.
root
  .register(async (child) => child.register(adopt<Cookies>(cookie)))
  .get('/beside', (request) => {
    expectError(request.cookies)
    return 1
  })

// Above it, where a shared plugin registers it.
root
  .register(shared(async (scope) => scope.register(adopt<Cookies>(cookie))))
  .get('/above', (request) => {
    expectType<Record<string, string>>(request.cookies)
    return 1
  })

// To the server, too.
const connected = root.register(adopt<{ server: { db: { find(): number } } }>()(database), {
  url: 'db:',
})
expectType<number>(connected.db.find())
expectError(root.db)

// A name that is taken is an error: by another plugin, or by the framework.
expectError(after.register(adopt<Cookies>(cookie)))
expectError(root.register(adopt<{ request: { answer: number } }>(cookie)))
expectError(adopt<{ request: { body: string } }>(cookie))
expectError(adopt<{ reply: { send: string } }>()(cookie))
expectError(adopt<{ server: { get: string } }>(cookie))

// Its options are those it declares, where the call can see them.
root.register(adopt<Cookies>()(cookie), { secret: 'x', prefix: '/v1' })
expectError(root.register(adopt<Cookies>()(cookie), { secret: 1 }))
root.register(adopt(database), { url: 'db:' })
expectError(root.register(adopt(database), { url: 1 }))
root.register(adopt<Cookies, typeof cookie>(cookie), { secret: 'x' })
expectError(root.register(adopt<Cookies, typeof cookie>(cookie), { secret: 1 }))
expectError(adopt(1))

// Without it such a plugin is accepted, and adds nothing.
root.register(cookie).get('/plain/:id', (request) => {
  expectType<string>(request.params.id)
  expectError(request.cookies)
  return 1
})
const plain = root.register(database, { url: 'db:' })
plain.get('/plain/:id', (request) => {
  expectType<string>(request.params.id)
  return 1
})
root.register(database, () => ({ url: 'db:' }))
expectError(root.register(database, { url: 1 }))
root.register((child) => {
  expectType<false>(isAny(child))
  return child.get('/inline', (request) => {
    expectType<number>(request.answer)
    return 1
  })
})

// Hooks with Fastify's types, and methods that make one, fit routes and hooks of any scope.
interface Limits {
  server: {
    guard: preHandlerHookHandler
    rateLimit: <Route extends RouteGenericInterface>(options?: {
      max: number
    }) => preHandlerAsyncHookHandler<
      RawServerDefault,
      RawRequestDefaultExpression,
      RawReplyDefaultExpression,
      Route
    >
    pick: (a: any, b: any) => number
    own: (request: HookRequest<unknown>, reply: HookReply) => string
  }
}
const limited = root.register(adopt<Limits>(cookie))
limited
  .addHook('onRequest', limited.rateLimit())
  .addHook('preHandler', limited.guard)
  .get(
    '/limited',
    {
      schema: { querystring: { page: t.Integer() } },
      onRequest: limited.rateLimit({ max: 1 }),
      preHandler: [limited.guard, limited.rateLimit()],
    },
    (request) => request.query.page,
  )
expectError(limited.rateLimit({ most: 1 }))
// What is no such hook stays as it is.
expectType<number>(limited.pick(1, 2))
expectType<(request: HookRequest<unknown>, reply: HookReply) => string>(limited.own)
expectError(limited.get('/own', { preHandler: limited.own }, () => 1))
