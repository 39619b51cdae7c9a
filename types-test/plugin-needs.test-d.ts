// A plugin in a file of its own says what it needs, and fits every scope that has it.
import espalier, {
  defineRoute,
  plugin,
  shared,
  t,
  type Ctx,
  type Needs,
  type Plugin,
  type Server,
} from 'espalier'
import { expectAssignable, expectError, expectType } from 'tsd'
import { isAny } from './support.js'

class Db {
  find(id: number): { id: number } {
    return { id }
  }
}
const User = t.Object({ id: t.Integer(), name: t.String() }, { $id: 'user' })

// A plugin sees what it needs, and nothing else.
const users = plugin<{
  server: { db: Db }
  request: { answer: number }
  reply: { fail: (message: string) => boolean }
  schemas: { user: typeof User }
}>()((scope, options, done) => {
  expectType<false>(isAny(scope))
  expectType<false>(isAny(options))
  expectType<(error?: Error) => void>(done)
  expectType<Db>(scope.db)
  expectError(scope.redis)
  return scope.get(
    '/users/:id',
    { schema: { params: { id: t.Integer() }, response: { 200: t.Ref('user#') } } },
    async function (request, reply) {
      expectType<false>(isAny(this))
      expectType<Db>(this.db)
      expectType<Db>(request.server.db)
      expectType<number>(request.answer)
      expectType<boolean>(reply.fail('x'))
      expectError(request.question)
      return { id: request.params.id, name: '' }
    },
  )
})

const scope = espalier()
  .addSchema(User)
  .decorate('db', new Db())
  .decorateRequest('answer', 42)
  .decorateReply('fail', (message: string) => message !== '')

// It fits a scope that has all of it, with its own options typed.
const app = scope.register(users, { prefix: '/api' })
app.inject('GET /api/users/:id', { params: { id: 1 } }).then((response) => {
  expectType<{ id: number; name: string }>(response.json())
})
expectError(scope.register(users, { prefix: 1 }))

// It does not fit a scope that lacks something: a decorator of either kind, or a schema.
expectType<Db>(scope.register(users).db)
expectError(espalier().register(users))
expectError(
  espalier()
    .addSchema(User)
    .decorateRequest('answer', 42)
    .decorateReply('fail', (message: string) => message !== '')
    .register(users),
)
expectError(
  espalier()
    .addSchema(User)
    .decorate('db', new Db())
    .decorateReply('fail', (message: string) => message !== '')
    .register(users),
)
expectError(
  espalier().addSchema(User).decorate('db', new Db()).decorateRequest('answer', 42).register(users),
)
expectError(
  espalier()
    .decorate('db', new Db())
    .decorateRequest('answer', 42)
    .decorateReply('fail', (message: string) => message !== '')
    .register(users),
)

// Nor one where it is something else.
const needsAnswer = plugin<{ request: { answer: number } }>()((child) => child.get('/n', () => 1))
expectType<number>(
  (await espalier().decorateRequest('answer', 1).register(needsAnswer).inject('GET /n')).json(),
)
expectError(espalier().decorateRequest('answer', '42').register(needsAnswer))

// A need may ask for less than what the scope has.
const needsFind = plugin<{ server: { db: { find(id: number): object } } }>()((child) => {
  expectType<object>(child.db.find(1))
  return child
})
expectType<Db>(scope.register(needsFind).db)
expectError(espalier().decorate('db', { find: 1 }).register(needsFind))

// Needs are met by ancestors and by shared plugins that were registered before.
const needsDb = plugin<{ server: { db: Db } }>()(async (child) => child.get('/db', () => 1))
const supplied = espalier().register(shared(async (same) => same.decorate('db', new Db())))
expectType<number>((await supplied.register(needsDb).inject('GET /db')).json())
supplied.register((child) => child.register((grandchild) => grandchild.register(needsDb)))
expectError(espalier().register((child) => child.register(needsDb)))
expectError(
  espalier()
    .register(async (child) => child.decorate('db', new Db()))
    .register(needsDb),
)

// The routes of a plugin come below the prefix it is registered with, as often as it is registered.
const twice = supplied.register(needsDb, { prefix: '/a' }).register(needsDb, { prefix: '/b' })
expectType<number>((await twice.inject('GET /a/db')).json())
expectType<number>((await twice.inject('GET /b/db')).json())
expectError(twice.inject('GET /db'))

// All prefixes above count, as at any other route.
const below = supplied.register((v1) => v1.register(needsDb, { prefix: '/x' }), { prefix: '/v1' })
expectType<number>((await below.inject('GET /v1/x/db')).json())
expectError(below.inject('GET /x/db'))

// `plugin().shared` adds to the scope that it is registered in.
const session = plugin<{ server: { db: Db } }>().shared(async (same) => {
  expectType<false>(isAny(same))
  expectType<Db>(same.db)
  return same.decorateRequest('session', { uid: 1 }).get('/session', () => 'x')
})
const withSession = supplied.register(session)
withSession.get('/s', (request) => {
  expectType<{ uid: number }>(request.session)
  expectError(request.cookie)
  return 1
})
expectType<string>((await withSession.inject('GET /session')).json())
expectError(espalier().register(session))

// One that is not shared keeps its additions to itself.
supplied
  .register(plugin()(async (child) => child.decorateRequest('mine', 1)))
  .get('/mine', (request) => {
    expectType<Db>(request.server.db)
    expectError(request.mine)
    return 1
  })

// A plugin without needs fits every scope, and sees nothing of it.
const anywhere = plugin()((child) => {
  expectType<false>(isAny(child))
  expectError(child.db)
  return child.get('/anywhere', () => 1)
})
expectType<number>((await espalier().register(anywhere).inject('GET /anywhere')).json())
expectType<Db>(scope.register(anywhere).db)

// Options of its own are required where they are.
const sized = plugin<{ server: { db: Db } }, { size: number }>()(async (child, options) => {
  expectType<{ size: number }>(options)
  return child.get('/size', () => options.size)
})
expectType<number>((await supplied.register(sized, { size: 1 }).inject('GET /size')).json())
expectError(supplied.register(sized, { size: 'large' }))
expectError(supplied.register(sized))
expectError(supplied.register(sized, {}))
expectError(supplied.register(sized, { prefix: '/x' }))
supplied.register(sized, { size: 1, prefix: '/x' }).register(sized, () => ({ size: 1 }))
expectError(supplied.register(sized, () => ({})))

// So are those of plugins of every other form.
const written = async (_child: object, options: { size: number }) => void options.size
const called = (_child: object, _options: { size: number }, done: () => void) => done()
const sharing = plugin<{}, { size: number }>().shared(async (child) => child)
const inPlace = shared(async (_child: object, _options: { size: number }) => {})
supplied.register(written, { size: 1 }).register(called, { size: 1 })
supplied.register(sharing, { size: 1 }).register(inPlace, { size: 1 })
expectError(supplied.register(written))
expectError(supplied.register(called))
expectError(supplied.register(sharing))
expectError(supplied.register(inPlace))
expectError(supplied.register(written, { prefix: '/x' }))
expectError(supplied.register(called, { siz: 1 }))
expectError(supplied.register(sharing, { size: 'x' }))
expectError(supplied.register(inPlace, {}))

// What may be left out, may be.
const sizable = plugin<{}, { size?: number }>()(async (child) => child)
supplied.register(sizable).register(sizable, {}).register(sizable, { size: 1 })
expectError(supplied.register(sizable, { size: 'x' }))

// Inside, a plugin may register what needs no more than it does itself.
plugin<{ server: { db: Db } }>()((child) => {
  expectType<Db>(child.register(needsDb).db)
  expectError(child.register(needsAnswer))
  return child
})

// The references of its routes are to the schemas that it needs.
plugin<{ schemas: { user: typeof User } }>()((child) => {
  child.post('/u', { schema: { body: t.Ref('user#') } }, ({ body }) => {
    expectType<{ id: number; name: string }>(body)
    return 1
  })
  expectError(child.post('/u', { schema: { body: t.Ref('usr#') } }, () => 1))
  return child
})

// Needs have four kinds: a misspelt one is a mistake.
expectAssignable<() => object>(plugin<{ server: { db: Db }; schemas: { user: typeof User } }>)
expectError(plugin<{ servers: { db: Db } }>())

// A plain function that names one server type fits a scope of exactly that context only.
const plain = (child: Server<Ctx<'', { db: Db }>>) => child.get('/plain', () => 1)
expectType<Db>(espalier().decorate('db', new Db()).register(plain).db)
expectError(espalier().register(plain))

// A prefix is no option of the plugin: one whose own options may all be left out takes it. (It was refused,
// since the two had no name in common.)
const prefixed = supplied
  .register(sizable, { prefix: '/a' })
  .register(sizable, { logLevel: 'warn' })
prefixed.register(sizable, { prefix: '/b', size: 1 })
for (const name of ['c', 'd']) prefixed.register(sizable, { prefix: `/${name}` })
prefixed.register(async (_child, _options: { size?: number }) => {}, { prefix: '/e' })
prefixed.register(async (_child, options: { prefix: string }) => void options.prefix, {
  prefix: '/f',
})
expectType<1>(
  supplied.register(
    plugin<{}, { size?: number }>().shared(async (child) => child.decorate('one', 1 as const)),
    { logLevel: 'warn' },
  ).one,
)
expectError(prefixed.register(sizable, { prefix: '/g', size: 'x' }))
expectError(prefixed.register(sizable, { prefix: '/g', sise: 1 }))
expectError(
  prefixed.register(
    plugin<{}, { size: number }>()(async (child) => child),
    { prefix: '/g' },
  ),
)

// An optional need may be missing; where it is there it has to fit.
const greets = plugin<{ request: { user?: { name: string } } }>()((child) =>
  child.get('/greet', ({ user }) => {
    expectType<{ name: string } | undefined>(user)
    return user?.name
  }),
)
espalier().register(greets)
espalier()
  .decorateRequest('user', { name: 'x' } as { name: string } | undefined)
  .register(greets)
expectError(espalier().decorateRequest('user', 5).register(greets))

// What a scope derives is not there from the start: needs say at which phase they want it at the latest.
const user = { name: 'x' }
const early = plugin<{ request: { user: typeof user } }>()((child) =>
  child.addHook('onRequest', async (request) => void request.user.name),
)
const late = plugin<{ request: { user: typeof user }; derived: { user: 'preHandler' } }>()((
  child,
) => {
  expectError(child.addHook('onRequest', async (request) => request.user))
  child.setErrorHandler((_error, request) => {
    expectType<typeof user | undefined>(request.user)
    return null
  })
  child.addHook('preHandler', async (request) => void request.user.name)
  return child.get('/late', (request) => request.user.name)
})
espalier()
  .decorateRequest('user', { getter: () => user })
  .register(early)
expectError(
  espalier()
    .derive('onRequest', () => ({ user }))
    .register(early),
)
espalier()
  .derive('onRequest', () => ({ user }))
  .register(late)
espalier()
  .derive('preHandler', () => ({ user }))
  .register(late)
expectError(
  espalier()
    .derive('preHandler', () => ({ user }))
    .register(
      plugin<{ request: { user: typeof user }; derived: { user: 'onRequest' } }>()(
        (child) => child,
      ),
    ),
)
const shown = defineRoute<{ request: { user: typeof user } }>()({
  method: 'GET',
  url: '/shown',
  handler: (request) => request.user.name,
})
espalier()
  .decorateRequest('user', { getter: () => user })
  .route(shown)
expectError(
  espalier()
    .derive('preHandler', () => ({ user }))
    .route(shown),
)

// Of several plugins, whichever is chosen, each must fit.
declare const flag: boolean
const free = plugin()(async (child) => child)
supplied.register(flag ? needsDb : free)
expectError(espalier().register(flag ? needsDb : free))
for (const each of [needsDb, free]) {
  supplied.register(each)
  expectError(espalier().register(each))
}

// A list of plugins holds those that need no more than it says.
const listed = plugin()((child) => child.get('/free', () => 1))
const keyed = plugin<{ server: { key: string } }>()((child) => child.get('/keyed', () => child.key))
const plugins: Plugin<{ server: { key: string } }, {}, unknown>[] = [listed, keyed]
expectError<Plugin<Needs, {}, unknown>[]>([listed, keyed])
for (const each of plugins) {
  espalier().decorate('key', 'x').register(each)
  expectError(espalier().register(each))
  expectError(espalier().decorate('key', 1).register(each))
}

// It does not know where it will be registered: its prefix is some text, of which it knows the end below a prefix of its
// own. (It was said to be empty.)
const placed = plugin()(async (child) => {
  expectType<string>(child.prefix)
  if (child.prefix === '/v1') child.log.info('the first')
  const inside = child.get('/in/:id', function (request) {
    expectType<string>(this.prefix)
    expectType<string>(request.server.prefix)
    expectType<string>(request.params.id)
    return 1
  })
  // So its keys are not those of its routes, which are called by URL.
  expectError(inside.inject('GET /in/:id', { params: { id: '1' } }))
  expectType<number>((await inside.inject('/v1/in/1')).statusCode)
  return inside.register(
    async (deeper) => {
      expectType<`${string}/deeper`>(deeper.prefix)
      expectError(deeper.get('/', () => 1).inject('GET /deeper'))
      return deeper.get('/:name', ({ params }) => params.name)
    },
    { prefix: '/deeper' },
  )
})
plugin().shared((same) => {
  expectType<string>(same.prefix)
  return same
})
const outside = espalier().register(
  plugin()(async (child) => child.register(placed, { prefix: '/v2' })),
  { prefix: '/v1' },
)
expectType<number>((await outside.inject('GET /v1/v2/in/:id', { params: { id: '1' } })).json())
expectType<string>(
  (await outside.inject('GET /v1/v2/deeper/:name', { params: { name: 'x' } })).json(),
)
expectError(outside.inject('GET /in/:id', { params: { id: '1' } }))

// A function that such plugins call names a scope whose prefix is some text.
function mount<Routes>(child: Server<Ctx<string, { db: Db }>, Routes>) {
  return child.get('/mounted', () => 1)
}
const mounting = plugin<{ server: { db: Db } }>()(async (child) => mount(child))
expectType<number>(
  (await supplied.register(mounting, { prefix: '/m' }).inject('GET /m/mounted')).json(),
)

// `plugin` is called twice.
expectError(plugin<{ server: { db: string } }>(async () => {}))
expectError(plugin(async () => {}))
expectError(plugin('adds'))
