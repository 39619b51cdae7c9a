// The options of a plugin in a file of its own: the second type argument of `plugin`, or what its parameter says.
import espalier, {
  plugin,
  shared,
  t,
  type AnyCtx,
  type Plugin,
  type PluginOptions,
  type Server,
} from 'espalier'
import { expectAssignable, expectError, expectType } from 'tsd'
import { isAny } from './support.js'

const app = espalier()
const supplied = app.decorate('db', new Map<string, number>())

// Said at the parameter, they are required where the plugin is registered.
const reader = plugin()(async (child, options: { url: string }) => {
  expectType<string>(child.prefix)
  expectType<{ url: string }>(options)
  return child.get('/read', () => options.url)
})
expectType<string>((await app.register(reader, { url: 'x' }).inject('GET /read')).json())
expectType<string>(
  (await app.register(reader, { url: 'x', prefix: '/v1' }).inject('GET /v1/read')).json(),
)
app.register(reader, () => ({ url: 'x' }))
expectError(app.register(reader))
expectError(app.register(reader, {}))
expectError(app.register(reader, { url: 1 }))
expectError(app.register(reader, { ulr: 'x' }))
expectError(app.register(reader, { prefix: '/v1' }))
expectError(app.register(reader, () => ({})))
expectAssignable<Plugin<{}, { url: string }>>(reader)

// What may be left out, may be.
const seeding = plugin().shared(async (scope, options: { seed?: boolean }) => {
  expectType<boolean | undefined>(options.seed)
  return scope.decorate('seeded', options.seed ?? false)
})
expectType<boolean>(app.register(seeding).seeded)
expectType<boolean>(app.register(seeding, { seed: true }).seeded)
expectType<boolean>(app.register(seeding, {}).seeded)
expectError(app.register(seeding, { seed: 1 }))
expectError(app.register(seeding, { sed: true }))
const optional = plugin()((child, options?: { size: number }) =>
  child.get('/size', () => options?.size ?? 0),
)
expectType<number>((await app.register(optional, { size: 1 }).inject('GET /size')).json())
expectError(app.register(optional, { size: 'x' }))
expectError(app.register(optional, { sise: 1 }))
const own = plugin<{}, { name?: string; prefix?: string; size?: number }>()(async () => {})
app.register(own, { name: 'x', prefix: '/own', size: 1 })
expectError(app.register(own, { name: 'x', sise: 1 }))
const chosen = plugin()((child, { size = 1 }: { size?: number }) => child.get('/size', () => size))
expectType<number>((await app.register(chosen).inject('GET /size')).json())
const either = plugin()(async (_child, _options: { file: string } | { url: string }) => {})
app.register(either, { file: 'x' }).register(either, { url: 'x' })
expectError(app.register(either))

// All forms of a plugin, with needs too, and those of a server that is named.
type Needs = { server: { db: Map<string, number> } }
const needing = plugin<Needs>()((child, { key }: { key: string }) =>
  child.get('/at', function () {
    return this.db.get(key) ?? 0
  }),
)
expectType<number>((await supplied.register(needing, { key: 'x' }).inject('GET /at')).json())
expectError(supplied.register(needing))
expectError(app.register(needing, { key: 'x' }))
const called = plugin()((_child, options: { url: string }, done) => {
  expectType<(error?: Error) => void>(done)
  done(options.url === '' ? new Error('no url') : undefined)
})
app.register(called, { url: 'x' })
expectError(app.register(called))
const sharedNeeding = plugin<Needs>().shared((scope, options: { more: number }) =>
  scope.decorateRequest('more', options.more),
)
supplied.register(sharedNeeding, { more: 1 }).get('/more', ({ more }) => {
  expectType<number>(more)
  return more
})
expectError(supplied.register(sharedNeeding))
expectError(supplied.register(sharedNeeding, { more: 1 }).register(sharedNeeding, { more: 1 }))
async function declared(_child: object, options: { url: string }) {
  await Promise.resolve(options.url)
}
app.register(plugin()(declared), { url: 'x' })
expectError(app.register(plugin()(declared)))

// Without a word they are those of any plugin.
const plain = plugin()(async (_child, options) => {
  expectType<PluginOptions>(options)
})
app.register(plain).register(plain, { prefix: '/x' })
plugin().shared((_scope, options) => {
  expectType<PluginOptions>(options)
})
const prefixed = plugin()(async (_child, options: PluginOptions) => void options.prefix)
app.register(prefixed).register(prefixed, { prefix: '/x' })
const leveled = plugin()(async (_child, options: { prefix?: string }) => void options.prefix)
app.register(leveled).register(leveled, { prefix: '/x' })
const loose = plugin()(async (_child, options: any) => void options)
app.register(loose).register(loose, { prefix: '/x' })
const unread = plugin()(async (_child, _options: unknown) => {})
app.register(unread).register(unread, { prefix: '/x' })
const empty = plugin()(async (_child, _options: {}) => {})
app.register(empty).register(empty, { prefix: '/x' })
const none = plugin()(async () => {})
app.register(none).register(none, { prefix: '/x' })

// Given as a type argument, they are these, whatever the parameter says besides.
const given = plugin<{}, { size: number }>()(async (_child, options) => {
  expectType<{ size: number }>(options)
})
app.register(given, { size: 1 })
app.register(
  plugin<{}, { size: number }>()(async (_child, _options: object) => {}),
  { size: 1 },
)
expectError(app.register(plugin<{}, { size: number }>()(async (_child, _options: object) => {})))
expectError(plugin<{}, { size: number }>()(async (_child, _options: { size: string }) => {}))
expectError(plugin<{}, { size: number }>().shared(async (_child, _o: { size: 1 }) => {}))
expectError(plugin<{}, PluginOptions>()(async (_child, _options: { size: number }) => {}))

// The server is typed beside annotated options, and only what is a server can be asked for.
plugin()(async (child, _options: { url: string }) => {
  expectType<false>(isAny(child))
  expectError(child.db)
  child.get('/:id', { schema: { params: { id: t.Integer() } } }, ({ params }) => params.id + 1)
})
expectError(plugin()(async (_child: number, _options: { url: string }) => {}))
expectError(plugin()('no plugin'))
expectError(plugin()(async (_child, _options: { url: string }, _done: string) => {}))

// What stands among them beside those is none of the plugin, nor of `register`: a misspelt one would be lost.
const inRoot = async (_child: Server, _options: { db: string }) => {}
const store = plugin()(async (_child, _options: { db: string; size?: number }) => {})
const sharedStore = shared(async (child: Server, options: { db: string }) =>
  child.decorate('store', options.db),
)
const inAny = async <C extends AnyCtx>(_child: Server<C>, _options: { db: string }) => {}
app.register(inRoot, { db: 'x', logLevel: 'warn' }).register(inAny, { db: 'x', prefix: '/v1' })
app.register(store, { db: 'x', size: 1, prefix: '/v1', name: 'store' })
expectType<string>(app.register(sharedStore, { db: 'x', name: 'store' }).store)
expectError(app.register(inRoot, { db: 'x', prefx: '/v1' }))
expectError(app.register(inAny, { db: 'x', prefx: '/v1' }))
expectError(app.register(store, { db: 'x', prefix: '/v1', sise: 1 }))
expectError(app.register(sharedStore, { db: 'x', prefx: '/v1' }))
expectError(supplied.register(sharedNeeding, { more: 1, less: 1 }))
expectError(app.register(async (_child, _options: { db: string }) => {}, { db: 'x', prefx: '/v1' }))
expectError(app.register(store, { db: 'x', prefix: 1 }))
// Those of a plugin that says no word of options, or takes all that `register` does.
expectError(app.register(plain, { prefix: '/x', size: 1 }))
expectError(app.register(prefixed, { prefix: '/x', size: 1 }))

// A variable may have more, as in any call. So may what is spread, or given by a function.
const config = { db: 'x', other: 1 }
app.register(inRoot, config).register(store, config).register(sharedStore, config)
app.register(store, { ...config, db: 'y', prefix: '/v1' })
app.register(store, () => ({ ...config, db: 'y', another: 1 }))
app.register(store, ({ prefix }) => ({ db: prefix }))
expectError(app.register(store, { ...config, sise: 1 }))
class Config {
  db = 'x'
  #other = 1
  other() {
    return this.#other
  }
}
app.register(store, new Config())
declare const exact: Readonly<Parameters<typeof store>[1]>
app.register(store, exact).register(store, { ...exact, prefix: '/v1' })
declare const maybe: { db: string } | undefined
app.register(store, maybe)
declare const ofBoth: { db: string } | (() => { db: string })
app.register(store, ofBoth)

// Of several types of options the names of each are known. Which of them go together is not asked.
const source = plugin()(async (_child, _o: { file: string } | { url: string; port?: number }) => {})
declare const isLarge: boolean
declare const oneSource: { file: string } | { url: string }
app.register(source, { file: 'x', prefix: '/v1' }).register(source, { url: 'x', port: 1 })
app.register(source, oneSource).register(source, isLarge ? { file: 'x' } : { url: 'x' })
expectError(app.register(source, { file: 'x', prot: 1 }))
app.register(isLarge ? inRoot : store, { db: 'x', size: 1 })
expectError(app.register(isLarge ? inRoot : store, { db: 'x', sise: 1 }))
interface Cached {
  readonly cache?: { mode: 'memory' | 'disk' }
  readonly keyOf?: (request: { ip: string }) => string
}
const cached = plugin()(async (_child, _options: Cached) => {})
declare const caching: Cached
app.register(cached, caching).register(cached, {}).register(cached, undefined)
app.register(cached, { cache: { mode: 'disk' } }).register(cached, { prefix: '/v1' })
app.register(cached, {
  keyOf: (request) => {
    expectType<string>(request.ip)
    return request.ip
  },
})
expectError(app.register(cached, { cache: { mode: 'disk' }, keysOf: () => 'x' }))
app.register(cached, isLarge ? { cache: { mode: 'disk' } } : { prefix: '/v1' })
app.register(cached, isLarge ? { prefix: '/v1' } : { keyOf: (request) => request.ip })
expectError(app.register(cached, { cahce: { mode: 'disk' } }))

// Nothing is refused where a plugin does not say which it takes.
const anyNames = async (_child: Server, _o: { db: string; [name: string]: unknown }) => {}
const someNames = async (_child: Server, _o: { db: string; [name: `x-${string}`]: unknown }) => {}
const anyObject = async (_child: Server, _o: object) => {}
const anyValue = async (_child: Server, _o: unknown) => {}
const nothingSaid = async (_child: Server, _o: {}) => {}
const untyped = async (_child: Server, _o: any) => {}
const generic = async <O extends object>(_child: Server, _o: O) => {}
const isRecord = plugin<{}, Record<string, unknown>>()(async (_child, _options) => {})
const anyRecord = plugin<{}, Record<string, any>>()(async (_child, _options) => {})
app.register(anyNames, { db: 'x', other: 1 }).register(someNames, { db: 'x', 'x-other': 1 })
app.register(anyObject, { other: 1 }).register(anyValue, { other: 1 })
app.register(nothingSaid, { other: 1 }).register(untyped, { other: 1 })
app.register(generic, { other: 1 }).register(isRecord, { other: 1 })
app.register(untyped as any, { other: 1 })
app
  .register(anyObject, oneSource)
  .register(isRecord, {})
  .register(anyRecord, caching)
  .register(anyNames, exact)
expectError(app.register(someNames, { db: 'x', 'y-other': 1 }))
declare function overloaded(child: Server, options: { file: string }): void
declare function overloaded(child: Server, options: { url: string; port?: number }): Promise<void>
app.register(overloaded, { file: 'x' }).register(overloaded, { url: 'x', port: 1 })
declare function promised(child: Server, options: { file: string }): void
declare function promised(child: Server, options: { url: string }): Promise<void>
declare function promised(child: Server, options: { url: string }, done: () => void): void
app.register(promised, { file: 'x' }).register(promised, { url: 'x' })

// Functions around `register` may pass options through.
export const mounted = <O>(of: (child: Server, options: { value: O }) => void, value: O) =>
  app.register(of, { value }).register(of, { value, logLevel: 'warn' })
export const inScope = <C extends AnyCtx>(scope: Server<C>, db: string) =>
  scope.register(store, { db }).register(store, { db, prefix: '/v1' })
expectError(<O>(of: (child: Server, options: { value: O }) => void, value: O) =>
  app.register(of, { value, prefx: '/v1' }),
)

// A list, or a choice, of plugins may have some whose options may all be left out, and none that require any.
const bare = plugin()(async (child) => child.get('/bare', () => 1))
const choosy = plugin()(async (child, options: { max?: number }) =>
  child.get('/choosy', () => options.max ?? 0),
)
const strict = plugin()(async (child, options: { max: number }) =>
  child.get('/strict', () => options.max),
)
expectAssignable<Plugin[]>([bare, choosy])
for (const each of [bare, choosy]) espalier().register(each, { prefix: '/each' })
espalier().register(Math.random() > 0.5 ? bare : choosy, { prefix: '/one' })
expectError<Plugin[]>([bare, strict])
expectError([bare, strict].map((each) => espalier().register(each, { prefix: '/each' })))

// Options that may be a function as well, as those of @fastify/cors: the names are those of the object.
declare const delegating: (
  server: never,
  options: { origin?: boolean } | ((request: object) => Promise<{ origin?: boolean }>),
) => void
app.register(delegating, { origin: true, prefix: '/x' })
expectError(app.register(delegating, { origin: true, orign: true }))
expectError(app.register(delegating, { orign: true }))
