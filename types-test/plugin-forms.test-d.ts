// Plugins are sync or async, return the server or nothing, call `done`, or have no types at all.
import espalier, {
  plugin,
  t,
  shared,
  type Registered,
  type Server,
  type Ctx,
  type PluginOptions,
} from 'espalier'
import { expectAssignable, expectError, expectNotAssignable, expectType } from 'tsd'
import { isAny } from './support.js'

const root = espalier().decorateRequest('answer', 42)

// A sync plugin that returns the server adds its routes.
const sync = root.register((child) => child.get('/sync', () => 1))
expectType<number>((await sync.inject('GET /sync')).json())
expectError(sync.inject('GET /other'))

// So does an async one.
const later = root.register(async (child) => child.get('/async', () => 'x'))
expectType<string>((await later.inject('GET /async')).json())
expectError(later.inject('GET /other'))

// One that returns nothing adds none, and is typed inside as any other.
const nothing = root.register(async (child) => {
  expectType<false>(isAny(child))
  child.get('/nothing', (request) => {
    expectType<number>(request.answer)
    expectError(request.question)
    return 1
  })
})
expectType<''>(nothing.prefix)
expectError(nothing.inject('GET /nothing'))

// One that calls `done` too.
root.register((child, options, done) => {
  expectType<false>(isAny(child))
  expectType<{}>(options)
  expectType<(error?: Error) => void>(done)
  child.get('/done', (request) => request.answer)
  expectError(done('failed'))
  done(new Error('failed'))
})

// A plugin without parameters is a plugin; something else is none.
expectType<''>(root.register(() => {}).prefix)
expectError(root.register({}))
expectError(root.register('plugin'))
expectError(root.register())

// What `register` gives is chained at once.
const chained = root.register(async (child) => child.get('/a', () => 1)).get('/b', () => 2)
expectType<number>((await chained.inject('GET /a')).json())
expectType<number>((await chained.inject('GET /b')).json())
expectError(chained.inject('GET /c'))

// Or it is awaited, to the plain server, which is not thenable.
const loaded = await root.register(async (child) => child.get('/a', () => 1))
expectType<number>((await loaded.inject('GET /a')).json())
expectError(loaded.then)
expectError(root.then)
expectError(chained.then)

// The same goes for `after` and `ready`.
const waited = await root.after()
const booted = await root.ready()
expectType<Server<Ctx<'', {}, { answer: number }>>['prefix']>(waited.prefix)
expectError(waited.then)
expectError(booted.then)

// `Registered` is both: the server, and a promise of it.
expectAssignable<Registered<Server>>(espalier().register(() => {}))
expectAssignable<Server>(espalier().register(() => {}))
expectAssignable<PromiseLike<Server>>(espalier().register(() => {}))
expectNotAssignable<PromiseLike<unknown>>(espalier())
expectError<PromiseLike<unknown>>(espalier())

// A plugin may return what `register` gives, sync or async, at any depth.
const outer = root.register(
  (one) =>
    one.register(
      async (two) =>
        two.register((three) => three.get('/deep', () => 1), {
          prefix: '/c',
        }),
      { prefix: '/b' },
    ),
  { prefix: '/a' },
)
expectType<number>((await outer.inject('GET /a/b/c/deep')).json())
expectError(outer.inject('GET /deep'))

// It may await in between.
const between = root.register(async (one) => {
  await one.register(async (two) => {
    two.get('/lost', () => 1)
  })
  return one.get('/kept', () => 1)
})
expectType<number>((await between.inject('GET /kept')).json())
expectError(between.inject('GET /lost'))

// A server can be built and returned by an async function.
async function build() {
  return espalier().register(async (child) => child.get('/built', () => 'x'))
}
expectType<string>((await (await build()).inject('GET /built')).json())
expectError((await build()).inject('GET /other'))

// A plugin of another library, without types of ours, is accepted and changes nothing.
declare const untyped: any
declare const foreign: (instance: any, options: { verbose?: boolean }, done: () => void) => void
declare const foreignAsync: (instance: any, options: { verbose?: boolean }) => Promise<void>
declare const foreignAny: (instance: any, options: any, done: any) => any
for (const plugged of [
  root.register(untyped),
  root.register(untyped, { anything: 1 }),
  root.register(foreign, { verbose: true }),
  root.register(foreign, { verbose: true, prefix: '/x' }),
  root.register(foreignAsync, { verbose: true }),
  root.register(foreignAny, { anything: 1, prefix: '/x' }),
]) {
  expectType<false>(isAny(plugged))
  plugged.get('/', (request) => {
    expectType<false>(isAny(request))
    expectType<number>(request.answer)
    expectError(request.question)
    return 1
  })
}

// The options that such a plugin says it takes are checked.
expectType<''>(root.register(foreign, { verbose: true }).prefix)
expectError(root.register(foreign, { verbose: 'yes' }))

// An inline plugin says what options it takes.
root.register(
  (child, options: { size: number }) => {
    expectType<false>(isAny(child))
    return child.get('/size', () => options.size)
  },
  { size: 1, prefix: '/x' },
)
expectError(
  root.register((child, options: { size: number }) => child.get('/size', () => options.size), {
    size: 'large',
  }),
)

// Options that are required cannot be left out.
const sized = (child: typeof root, options: { size: number }) => child.get('/size', () => options)
expectType<''>(root.register(sized, { size: 1 }).prefix)
expectError(root.register(sized))

// A prefix is a string.
expectType<''>(root.register((child) => child, { prefix: '/x' }).prefix)
expectError(root.register((child) => child, { prefix: 1 }))

// A prefix whose value is not known makes keys that are not known, but no mistake.
declare const somewhere: string
const dynamic = root.register((child) => child.get('/a', (request) => request.answer), {
  prefix: somewhere,
})
expectType<''>(dynamic.prefix)
dynamic.get('/b', (request) => {
  expectType<number>(request.answer)
  expectError(request.question)
  return 1
})

// They may be a function of the server that registers it, also where they are required.
const settings = root.decorate('limit', 3)
const limited = plugin<{}, { size: number }>()((child, options) =>
  child.get('/limited', () => options.size),
)
const given = settings.register(limited, (parent) => {
  expectType<false>(isAny(parent))
  return { size: parent.limit }
})
expectType<number>((await given.inject('GET /limited')).json())
expectError(settings.register(limited, (parent) => ({ size: String(parent.limit) })))
expectError(settings.register(limited, (parent) => ({ sise: parent.limit })))
expectError(settings.register(limited, {}))
expectError(settings.register(limited))

// So may those of a shared plugin, which may have a prefix too, for itself to read.
const sharing = shared(async (scope: typeof settings, options: { size: number }) =>
  scope.decorate('size', options.size),
)
expectType<number>(settings.register(sharing, (parent) => ({ size: parent.limit })).size)
expectType<number>(settings.register(sharing, { size: 1, prefix: '/x' }).size)
expectType<''>(settings.register(sharing, { size: 1, prefix: '/x' }).prefix)
expectError(settings.register(sharing, (parent) => ({ size: String(parent.limit) })))
expectError(settings.register(sharing))
// Options of plugins: texts stay what they are, and functions know what they are given, by what the plugin declares.
interface ProxyOptions {
  hook?: 'onRequest' | 'preHandler'
  encodings?: ('gzip' | 'br')[]
  cache?: { mode: 'memory' | 'disk'; sizes?: number[] }
  keyOf?: (request: { ip: string }) => string
}
const proxy = shared(async (scope: Server, options: ProxyOptions) =>
  scope.decorate('proxy', options),
)
const proxied = espalier().register(proxy, {
  hook: 'preHandler',
  encodings: ['gzip'],
  cache: { mode: 'disk', sizes: [1] },
  keyOf: (request) => {
    expectType<string>(request.ip)
    return request.ip
  },
})
expectType<ProxyOptions>(proxied.proxy)
declare const proxyOptions: ProxyOptions
espalier().register(proxy, proxyOptions)
expectError(espalier().register(proxy, { hook: 'onClose' }))
expectError(espalier().register(proxy, { encodings: ['zip'] }))
expectError(espalier().register(proxy, { cache: { mode: 'tape' } }))
expectError(espalier().register(proxy, { keyOf: (request) => request.nothing }))
expectError(espalier().register(proxy, { keyOf: (request: { ip: number }) => String(request.ip) }))
// An inline plugin is given what was written.
espalier().register(
  async (child, options) => {
    expectType<'x'>(options.name)
    expectType<number>(options.size)
    return child
  },
  { name: 'x', size: 1 },
)
expectError(espalier().register(async (child) => child, 5))
expectError(espalier().register(proxy, 'preHandler'))

// Options that a plugin would not get, having no parameter for them, are none but those of `register`.
const plain = espalier()
plain.register(async (child) => child.get('/x', () => 1), { prefix: '/v1', logLevel: 'warn' })
plain.register(async (child, options) => child.get('/x', () => options.size), { size: 1 })
plain.register((...all: unknown[]) => all.length, { size: 1 })
expectError(plain.register(async (child) => child.get('/x', () => 1), { perfix: '/v1' }))
expectError(plain.register((child) => void child.get('/x', () => 1), { prefix: '/v1', size: 1 }))
const noOptions = (child: typeof plain) => child.get('/x', () => 1)
plain.register(noOptions, { logLevel: 'warn' })
expectError(plain.register(noOptions, { logLevl: 'warn' }))

// A plugin ends once: by the promise that it returns, or by `done`.
const endedApp = espalier()
expectError(endedApp.register(async (_child, _options, done) => done()))
expectError(endedApp.register(async (_child, _options, done) => done(), { prefix: '/v1' }))
async function endedTwice(child: typeof endedApp, _options: object, _done: () => void) {
  await child.register(async () => {})
}
expectError(endedApp.register(endedTwice))
endedApp.register(async (child, _options) => child.get('/x', () => 1))
endedApp.register((_child, _options, done) => done())
endedApp.register((child, _options, done) => child.after(() => done()))
endedApp.register(async (...args) => {
  expectType<''>(args[0].prefix)
})
const endedScope = espalier().decorate('db', 1)
expectError(plugin()(async (_child, _options, done) => done()))
expectError(plugin<{ server: { db: number } }>().shared(async (_same, _options, done) => done()))
expectError(shared(async (_same: typeof endedScope, _options, done) => done()))
expectError(endedScope.register(shared(async (_same, _options, done) => done())))
expectError(plugin()(endedTwice))
endedScope
  .register(plugin()((_child, _options, done) => done()))
  .register(plugin<{ server: { db: number } }>().shared((_same, _options, done) => done()))
  .register(shared((_same, _options, done) => done()))
  .register(shared(async (...args) => void expectType<number>(args[0].db)))
  .register(plugin()(async (...args) => void expectType<string>(args[0].prefix)))
// So does one that is generic: of a type parameter nothing is known.
export const sharedWith = <Result>(
  fill: (scope: typeof endedScope, options: object, done: () => void) => Result,
) => shared(fill)
export const pluginOf = <Given extends (scope: object) => Promise<unknown>>(given: Given) =>
  plugin()(given)

// A plugin with rest parameters keeps its routes.
const rest = espalier()
  .register(async (scope, ...others) => scope.get('/one', () => others.length))
  .register(plugin()(async (scope, ...others) => scope.get('/two', () => others.length)))
  .register(async (...all) => all[0].get('/three', () => 1), { prefix: '/x' })
expectType<number>((await rest.inject('GET /one')).json())
expectType<number>((await rest.inject('GET /two')).json())
expectType<number>((await rest.inject('GET /x/three')).json())

// Of one of several plugins that a condition decides, a scope has what each adds. (Nothing could be called on such a server.)
declare const flag: boolean
const [listed, counted] = [
  plugin()(async (scope) => scope.get('/all', () => [1]).get('/one', () => 1)),
  plugin()(async (scope) => scope.get('/one', () => 1).get('/count', () => 1)),
]
const picked = rest.register(flag ? listed : counted, { prefix: '/p' })
expectType<number>((await picked.inject('GET /p/one')).json())
expectType<number>((await picked.inject('GET /two')).json())
expectError(picked.inject('GET /p/all'))
expectError(picked.inject('GET /p/count'))
const perhaps = rest.register(flag ? listed : async () => {}).get('/four', () => 1)
expectType<number>((await perhaps.inject('GET /four')).json())
expectError(perhaps.inject('GET /all'))

class Disk {
  read = (key: string) => key.length
  readonly path = ''
}
class Memory {
  read = (key: string) => key.length
}
const [onDisk, inMemory] = [
  plugin().shared(async (scope) => scope.decorate('store', new Disk()).decorate('disk', 1)),
  plugin().shared(async (scope) =>
    scope
      .decorate('store', new Memory())
      .decorateRequest('at', 1)
      .get('/memory', () => 1),
  ),
]
const stored = rest.register(flag ? onDisk : inMemory).get('/stored', function (request) {
  expectType<Disk | Memory>(this.store)
  expectError(this.store.path)
  expectError(this.disk)
  expectError(request.at)
  return this.store.read('a')
})
expectType<number>((await stored.inject('GET /stored')).json())
expectType<number>((await stored.inject('GET /one')).json())
expectError(stored.inject('GET /memory'))

// A shared schema is there where both add the same.
const [first, second] = [t.Object({ id: t.Integer() }), t.Object({ id: t.Integer() })]
const withUsers = plugin().shared(async (scope) =>
  scope.addSchema('user', first).addSchema('tag', t.String()),
)
const withOthers = plugin().shared(async (scope) =>
  scope.addSchema('user', second).addSchema('tag', t.Integer()),
)
espalier()
  .register(flag ? withUsers : withOthers)
  .post('/users', { schema: { body: t.Ref('user') } }, (request) => request.body.id.toFixed())
const schemed = espalier().register(flag ? withUsers : withOthers)
expectError(schemed.post('/tags', { schema: { body: t.Ref('tag') } }, () => 1))

// A plugin may say its name, and what it depends on.
const facts = { name: 'users', dependencies: ['db'] }
const named = espalier()
  .register(plugin().shared(async (scope) => scope.decorate('db', 1), { name: 'db' }))
  .register(
    plugin<{ server: { db: number } }>()(
      async (scope, options: { max: number }) => scope.get('/max', () => options.max),
      facts,
    ),
    { max: 1 },
  )
expectType<number>((await named.inject('GET /max')).json())
expectType<number>(named.db)
expectError(plugin()(async () => {}, { nam: 'users' }))
expectError(plugin()(async () => {}, { name: 1 }))
expectError(plugin().shared(async () => {}, { dependencies: 'db' }))

// A plugin that only throws leaves the server what it is, in every form.
const throws = (): never => {
  throw new Error('no connection')
}
const unfinished = root
  .register(async () => throws())
  .register(() => throws())
  .register((child, options, done) => throws())
  .register(async (child, options: { level: string }) => throws(), { level: '', prefix: '/v1' })
  .register(plugin()(async () => throws()))
  .register(
    plugin()(() => throws()),
    { prefix: '/v1' },
  )
  .register(shared(async () => throws()))
  .register(shared(() => throws()))
  .register(plugin().shared(async () => throws()))
  .register(plugin().shared(() => throws()))
  .register(
    plugin()(async (child) =>
      child.register(async (inner) => inner.register(async () => throws()).get('/b', () => 'b')),
    ),
    { prefix: '/v1' },
  )
  .get('/a', (request) => request.answer)
expectType<number>((await unfinished.inject('GET /a')).json())
expectType<string>((await unfinished.inject('GET /v1/b')).json())
expectError(unfinished.inject('GET /b'))
expectType<'GET /a' | 'GET /v1/b'>(routesOf(unfinished))
declare function routesOf<Key extends string>(server: {
  readonly '~context': { readonly routes: { readonly [Each in Key]: unknown } }
}): Key
