// The options of a plugin in a file of its own: the second type argument of `plugin`, or what its parameter says.
import espalier, { plugin, t, type Plugin, type PluginOptions } from 'espalier'
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
