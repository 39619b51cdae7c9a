// A shared plugin adds to the scope that it is registered in, instead of to a child of that scope.
import espalier, { type Ctx, plugin, type Server, shared, t } from 'espalier'
import { expectError, expectType } from 'tsd'
import { isAny } from './support.js'

const root = espalier().decorateRequest('answer', 42)

// The argument of an inline shared plugin is the scope itself.
root.register(
  shared((scope, options, done) => {
    expectType<false>(isAny(scope))
    expectType<false>(isAny(options))
    expectType<(error?: Error) => void>(done)
    expectError(scope.cache)
    scope.get('/inside', (request) => {
      expectType<number>(request.answer)
      expectError(request.question)
      return 1
    })
    done()
  }),
)

// What it adds is seen afterwards by the scope it was registered in.
const after = root.register(shared(async (scope) => scope.decorateRequest('bar', 'x')))
root.register(shared(async (scope) => scope.decorate('db', 1), { name: 'db', dependencies: ['a'] }))
expectError(shared(async (scope: Server) => scope.decorate('db', 1), { nmae: 'db' }))
after.get('/bar', (request) => {
  expectType<string>(request.bar)
  expectType<number>(request.answer)
  expectError(request.foo)
  return 1
})

// A plugin of the same content that is not shared keeps it to itself.
root
  .register(async (child) => child.decorateRequest('bar', 'x'))
  .get('/bar', (request) => {
    expectType<number>(request.answer)
    expectError(request.bar)
    return 1
  })

// Children that are registered later see it.
after.register((child) =>
  child.get('/bar', (request) => {
    expectType<string>(request.bar)
    expectError(request.foo)
    return 1
  }),
)

// Children that were registered before do not.
root
  .register((child) =>
    child.get('/early', (request) => {
      expectType<number>(request.answer)
      expectError(request.bar)
      return 1
    }),
  )
  .register(shared(async (scope) => scope.decorateRequest('bar', 'x')))

// It adds to the server and to replies too, at once in types and after `await` at run time.
const cached = await root.register(
  shared(async (scope) =>
    scope.decorate('cache', new Map<string, number>()).decorateReply('fail', () => true),
  ),
)
expectType<number | undefined>(cached.cache.get('x'))
expectError(cached.store)
cached.get('/fail', (_request, reply) => {
  expectType<boolean>(reply.fail())
  expectError(reply.succeed())
  return 1
})

// It adds schemas.
root
  .register(shared((scope) => scope.addSchema(t.Object({ id: t.Integer() }, { $id: 'user' }))))
  .post('/user', { schema: { body: t.Ref('user#') } }, ({ body }) => {
    expectType<{ id: number }>(body)
    return 1
  })
expectError(
  root
    .register((child) => child.addSchema(t.Object({ id: t.Integer() }, { $id: 'user' })))
    .post('/user', { schema: { body: t.Ref('user#') } }, () => 1),
)

// It adds routes.
const routed = root.register(shared(async (scope) => scope.get('/shared', () => ({ a: 1 }))))
routed.inject('GET /shared').then((response) => {
  expectType<{ a: number }>(response.json())
})
expectError(routed.inject('GET /unshared'))

// In a child it adds to that child alone.
root
  .register((child) =>
    child
      .register(shared((scope) => scope.decorateRequest('inner', 1)))
      .get('/child', (request) => {
        expectType<number>(request.inner)
        return 1
      }),
  )
  .get('/parent', (request) => {
    expectError(request.inner)
    return 1
  })

// A shared plugin within a shared plugin adds to the outermost scope.
root
  .register(
    shared((scope) =>
      scope
        .decorateRequest('outer', 1)
        .register(shared((same) => same.decorateRequest('inner', 'x'))),
    ),
  )
  .get('/both', (request) => {
    expectType<number>(request.outer)
    expectType<string>(request.inner)
    expectError(request.third)
    return 1
  })

// What a child of a shared plugin adds stays there; its routes count.
const nested = root.register(
  shared((scope) =>
    scope
      .decorateRequest('outer', 1)
      .register(async (child) => child.decorateRequest('hidden', 1).get('/deep', () => 'x'), {
        prefix: '/p',
      }),
  ),
)
nested.get('/outer', (request) => {
  expectType<number>(request.outer)
  expectError(request.hidden)
  return 1
})
nested.inject('GET /p/deep').then((response) => {
  expectType<string>(response.json())
})

// A shared plugin that returns nothing adds nothing to the type, and takes nothing away.
root
  .register(
    shared(async (scope) => {
      scope.decorateRequest('lost', 1)
    }),
  )
  .get('/lost', (request) => {
    expectType<number>(request.answer)
    expectError(request.lost)
    return 1
  })

// It cannot add what the scope has already.
root.register(
  shared(async (scope) => {
    expectError(scope.decorateRequest('answer', 1))
    return scope.decorateRequest('other', 1)
  }),
)
expectError(after.decorateRequest('bar', 1))

// Its options are those it says it takes.
const sized = shared(async (scope: typeof root, options: { size: number }) =>
  scope.decorate('size', options.size),
)
expectType<number>((await root.register(sized, { size: 1 })).size)
expectError(root.register(sized, { size: 'large' }))

// A scope that a shared plugin was written for by name must be that scope.
expectType<number>(root.register(sized, { size: 1 }).size)
expectError(espalier().register(sized, { size: 1 }))

// One that adds under a condition adds what is there in any case.
const sometimes = plugin<{}, { on: boolean }>().shared(async (scope, { on }) =>
  on ? scope.decorate('db', 1).decorate('metrics', { n: 1 }) : scope.decorate('db', 1),
)
const perhaps = espalier().register(sometimes, { on: true })
expectType<number>(perhaps.db)
expectError(perhaps.metrics)
expectType<number>(
  (await perhaps.register(async (child) => child.get('/y', () => 1)).inject('GET /y')).json(),
)
const early = plugin<{}, { on: boolean }>().shared(async (scope, { on }) => {
  if (on) return scope.decorate('metrics', { n: 1 })
  return undefined
})
const without = espalier()
  .register(early, { on: false })
  .get('/', ({ id }) => id)
expectType<string>((await without.inject('GET /')).json())
expectError(without.metrics)

// A plugin that says what it needs is shared by the form that keeps its needs.
const needing = plugin<{ server: { db: string } }>()(async (child) => child)
expectError(shared(needing))

// One that was written without knowing its scope cannot add what the scope has either. (It compiled, and every request
// failed, or the boot did.)
const auth = plugin().shared((scope) => scope.derive('onRequest', () => ({ user: { id: 1 } })))
const signedIn = espalier().register(auth)
signedIn.get('/', ({ user }) => user.id)
expectError(signedIn.register(auth))
expectError(signedIn.register(async (child) => child.register(auth).get('/', () => 1)))
expectError(espalier().decorateRequest('user', null).register(auth))
expectError(
  espalier()
    .derive('preHandler', () => ({ user: 1 }))
    .register(auth),
)
expectError(signedIn.register(plugin().shared(async (scope) => scope.register(auth))))
const store = plugin<{}, { size?: number }>().shared(async (scope) =>
  scope.decorate('db', new Map<string, string>()),
)
expectError(espalier().decorate('db', 'x').register(store))
expectError(espalier().register(store).register(store, { size: 1 }))
const failing = plugin().shared((scope) => scope.decorateReply('fail', () => true))
expectError(espalier().register(failing).register(failing))
const A = t.Object({ id: t.Integer() }, { $id: 'A' })
const schemas = plugin().shared(async (scope) => scope.addSchema(A))
expectError(espalier().register(schemas).register(schemas))
expectError(espalier().addSchema(A).register(schemas))

// Beside each other they may stand, and what a plugin needs it does not add; a method of HTTP may be added twice.
espalier()
  .register(async (child) => child.register(auth).get('/a', ({ user }) => user.id))
  .register(async (child) => child.register(auth).get('/b', ({ user }) => user.id))
const owned = plugin<{
  request: { user: { id: number } }
  derived: { user: 'onRequest' }
}>().shared((scope) => scope.derive('preHandler', ({ user }) => ({ owner: user.id })))
expectType<number>(
  (
    await signedIn
      .register(owned)
      .get('/', ({ owner }) => owner)
      .inject('GET /')
  ).json(),
)
const dav = plugin().shared(async (scope) => scope.addHttpMethod('MKCOL'))
espalier()
  .register(dav)
  .register(dav)
  .mkcol('/', () => 1)

// What may be missing may be added.
const shelf = plugin().shared(async (scope) => scope.decorate('shelf', 1))
plugin<{ server: { shelf?: number } }>()(async (scope) => {
  if (!scope.hasDecorator('shelf')) await scope.register(shelf)
})
expectError(
  plugin<{ server: { shelf: number } }>()(async (scope) => {
    await scope.register(shelf)
  }),
)

// A function may register it in a scope that is a type parameter: what that has is not known there, and not compared.
function withStore<Decorators>(scope: Server<Ctx<'', Decorators>>) {
  return scope.register(store)
}
expectType<Map<string, string>>(withStore(espalier()).db)
expectType<number>(withStore(espalier().decorate('rows', 1)).rows)

// What a hook gives may be one of two, in the scope or in the plugin. (All that was given to requests was forgotten then.)
const either = plugin().shared(async (scope) =>
  scope
    .decorateRequest('startedAt', 5)
    .derive('onRequest', async ({ headers }) =>
      headers.authorization ? { user: { name: 'Ada' } } : { user: null },
    ),
)
espalier()
  .register(either)
  .get('/', (request) => {
    expectType<{ name: string } | null>(request.user)
    expectType<number>(request.startedAt)
    return null
  })
espalier()
  .derive('onRequest', async ({ headers }) =>
    headers.authorization ? { user: { name: 'Ada' } } : { user: null },
  )
  .register(shared(async (scope) => scope.decorateRequest('startedAt', 5)))
  .get('/', (request) => {
    expectType<{ name: string } | null>(request.user)
    expectType<number>(request.startedAt)
    return null
  })

// One that stands by itself is for the root of a server, as long as nothing was added to that.
const standing = shared(async (scope) => scope.decorate('db', 1))
expectType<number>((await espalier().register(standing)).db)
expectError(espalier().decorate('other', 1).register(standing))
