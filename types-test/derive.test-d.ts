// What a hook derives is there, typed, for what comes later and for the subtree: not before, not beside.
import espalier, { t } from 'espalier'
import { expectError, expectType } from 'tsd'
import { isAny } from './support.js'

interface User {
  readonly id: number
}
declare const findUser: (token: string) => Promise<User | undefined>

const app = espalier()
  .decorate('db', { name: 'x' })
  .derive('onRequest', (request) => ({ token: request.headers.authorization ?? '' }))
  .derive('preHandler', async function (request, reply) {
    expectType<string>(request.token)
    expectType<{ name: string }>(this.db)
    const user = await findUser(request.token)
    if (user === undefined) return reply.code(401).send()
    return { user }
  })
  .derive('preHandler', ({ user }) => ({ isAdmin: user.id === 1 }))

// Handlers have it, with the rest of the request.
app.get('/:id', { schema: { params: { id: t.Integer() } } }, (request) => {
  expectType<false>(isAny(request.user))
  expectType<User>(request.user)
  expectType<boolean>(request.isAdmin)
  expectType<number>(request.params.id)
  expectError(request.other)
  return request.token
})

// Hooks have what is derived until then.
app.addHook('preHandler', async (request) => {
  expectType<User>(request.user)
})
app.addHook('preValidation', async (request) => {
  expectType<string>(request.token)
  expectError(request.user)
})
app.addHook('onRequest', async (request) => {
  expectType<string>(request.token)
  expectError(request.isAdmin)
})
app.get('/hooked', { preHandler: async ({ user }) => expectType<User>(user) }, () => 1)
app.get('/early', { onRequest: async (request) => expectError(request.user) }, () => 1)

// A reply may have come early: what it sees may be missing.
app.addHook('onSend', async (request) => {
  expectType<User | undefined>(request.user)
  expectType<string | undefined>(request.token)
})
app.setErrorHandler((_error, request) => {
  expectType<User | undefined>(request.user)
  return {}
})
app.setNotFoundHandler((request) => {
  expectType<boolean | undefined>(request.isAdmin)
  return {}
})

// Children have it; parents and siblings have not.
app.register((child) => child.get('/child', ({ user }, _reply) => expectType<User>(user)))
espalier()
  .register((child) => child.derive('onRequest', () => ({ mine: 1 })))
  .get('/x', (request, _reply) => expectError(request.mine))

// A hook that may return nothing leaves its members out at times.
espalier()
  .derive('onRequest', (request) => {
    if (request.is404) return undefined
    return { found: true }
  })
  .get('/x', (request, _reply) => expectType<boolean | undefined>(request.found))

// Two that give different things on different ways.
espalier()
  .derive('onRequest', ({ ip }) => (ip === '' ? { a: 1 } : { b: 'x' }))
  .get('/x', (request) => {
    if ('a' in request) expectType<number>(request.a as number)
    return 1
  })

// No other phases, no values, no names that are taken.
expectError(app.derive('onSend', () => ({ a: 1 })))
expectError(app.derive('onRequest', () => 1))
expectError(app.derive('onRequest', { a: 1 }))
expectError(app.derive('onRequest', () => ({ body: 1 })))
expectError(app.derive('onRequest', async () => ({ user: 1 })))
expectError(app.derive('preHandler', (request) => ({ token: request.user.id })))

// Each member of a union is derived for itself, in hooks too.
type Auth = { kind: 'user'; user: User } | { kind: 'nobody' }
declare const auth: () => Auth
espalier()
  .derive('onRequest', auth)
  .addHook('preValidation', async (request) => {
    if (request.kind === 'user') expectType<User>(request.user)
    else expectError(request.user)
  })
  .setErrorHandler((_error, request) => {
    expectType<'user' | 'nobody' | undefined>(request.kind)
    if (request.kind === 'user') expectType<User | undefined>(request.user)
    return null
  })
  .get('/', (request) => (request.kind === 'user' ? request.user.id : 0))
declare const one: () => { a: number } | { b: string }
expectError(
  espalier()
    .derive('preHandler', one)
    .addHook('onRequest', async (request) => request.a),
)
expectError(
  espalier()
    .derive('onRequest', one)
    .derive('preHandler', () => ({ a: 1 })),
)

// One that only replies, or gives nothing, adds nothing.
for (const nothing of [
  espalier().derive('onRequest', (request, reply) => {
    if (request.headers['x-down'] === '1') return reply.code(503).send()
    return undefined
  }),
  espalier().derive('onRequest', async () => {}),
  espalier().derive('preHandler', () => {
    throw new Error('x')
  }),
]) {
  nothing.get('/', (request) => {
    expectType<string>(request.id)
    return 1
  })
}

// A reply may be early, and a decorator may be read early: to both what is derived may be missing.
app.addHook('onRequest', async (_request, reply) => {
  expectType<User | undefined>(reply.request.user)
})
app.decorateRequest('userId', {
  getter() {
    expectType<User | undefined>(this.user)
    return this.user?.id
  },
})
app.decorateReply('whose', function () {
  return this.request.user?.id
})
app.setNotFoundHandler(
  {
    preValidation: async (request) => expectType<string | undefined>(request.token),
    preHandler: async (request) => expectType<User | undefined>(request.user),
  },
  () => 'none',
)

// It can be asked for by name, as other decorators.
app.get('/named', (request) => {
  expectType<User>(request.getDecorator('user'))
  request.setDecorator('isAdmin', false)
  return 1
})

// Null gives nothing, as undefined does.
espalier()
  .derive('onRequest', async (request) => (request.is404 ? null : { tenant: 'a' }))
  .get('/tenant', (request) => {
    expectType<string | undefined>(request.tenant)
    return null
  })

// What has no names for requests cannot be given.
expectError(espalier().derive('onRequest', async () => ['a']))
expectError(espalier().derive('onRequest', async () => 5))
expectError(espalier().derive('onRequest', async () => false))
expectError(espalier().derive('onRequest', async ({ is404 }) => is404 || { a: 1 }))
expectError(espalier().derive('onRequest', () => new Map([['a', 1]])))
expectError(espalier().derive('onRequest', (request) => (request.is404 ? { a: 1 } : new Set([1]))))

// What is of any type may be given.
espalier().derive('onRequest', async () => JSON.parse('{}'))
espalier().derive('onRequest', () => JSON.parse('{}'))
