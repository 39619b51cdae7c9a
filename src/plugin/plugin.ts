import { errorCodes } from '../errors/codes.ts'
import type { Context } from '../context/context.ts'
import { describe } from '../errors/describe.ts'
import { isObject } from '../types/objects.ts'
import late from '../packages/late.cjs'
import { once } from '../packages/once.ts'

/** A plugin in any of its forms: async, callback `(instance, options, done)`, or plain. */
export type PluginFunction = (...args: never[]) => unknown

/** A plugin with the name that messages use. */
export interface NamedPlugin {
  readonly plugin: PluginFunction
  readonly name: string
}

const skipOverride: unique symbol = Symbol.for('skip-override')
const displayName: unique symbol = Symbol.for('fastify.display-name')
const pluginMeta: unique symbol = Symbol.for('plugin-meta')

/** The key of a function of a plugin that is called with the server when the plugin is registered,
 *  before it loads: for decorators that the next call of a chain uses. */
export const whenRegistered: unique symbol = Symbol.for('espalier.registered')

/** The properties that `fastify-plugin` and this module set on a plugin function. */
interface Marked {
  readonly [skipOverride]?: boolean
  readonly [displayName]?: string
  readonly [pluginMeta]?: PluginMetadata
  readonly default?: unknown
  readonly [whenRegistered]?: (server: object) => void
}

interface PluginMetadata {
  readonly name?: string
  /** The versions of Fastify that the plugin supports, as a semver range. */
  readonly fastify?: string
  /** The names of the plugins that have to be registered before. */
  readonly dependencies?: readonly string[]
  /** The decorators that have to exist. The key `fastify` means the server. */
  readonly decorators?: {
    readonly fastify?: readonly PropertyKey[]
    readonly request?: readonly PropertyKey[]
    readonly reply?: readonly PropertyKey[]
  }
}

/** The name and the dependencies of a plugin, given where the plugin is made. */
export interface PluginFacts {
  /** The name in messages, in `hasPlugin` and in the `dependencies` of other plugins.
   *  @default the name of the function */
  readonly name?: string
  /** The names of plugins that have to be registered before, in the same scope or in a parent. */
  readonly dependencies?: readonly string[]
}

/** The plugin function in the argument of `register`: a function, or the default export of a
 *  module.
 *  @param place the path of the context, for messages
 *  @param unnamed the name in messages for a plugin without a name
 *  @throws ESP_ERR_PLUGIN_NOT_VALID, ESP_ERR_PLUGIN_INVALID_ASYNC_HANDLER */
export function readPlugin(given: unknown, place: string, unnamed = 'plugin'): PluginFunction {
  const isModule = typeof given === 'object' && given !== null
  const plugin = isModule ? (given as Marked).default : given
  if (!isFunction(plugin)) {
    throw new errorCodes.ESP_ERR_PLUGIN_NOT_VALID(place, describe(given))
  }
  if (plugin.length >= 3 && plugin.constructor.name === 'AsyncFunction') {
    const name = `${place} > ${nameOf(plugin) ?? unnamed}`
    throw new errorCodes.ESP_ERR_PLUGIN_INVALID_ASYNC_HANDLER(name)
  }
  return plugin
}

/** Calls what a plugin wants to be called when it is registered. @throws its errors */
export function callWhenRegistered(plugin: PluginFunction, server: object): void {
  ;(plugin as Marked)[whenRegistered]?.(server)
}

/** The `name` of functions without a name of their own: default exports and bound functions. */
const noName = /^(bound )*(default)?$/

/** The name of a plugin: from its metadata, else from its function. Undefined for neither. */
export function nameOf(plugin: PluginFunction): string | undefined {
  const marked = plugin as Marked
  const given = marked[displayName] ?? marked[pluginMeta]?.name ?? plugin.name
  return noName.test(given) ? undefined : given
}

/** The name of a plugin in `pluginName` and in printed trees. Fastify shows a plugin without a name
 *  by the first two lines of its source.
 *  @param name the name in messages */
export function shownName(
  plugin: PluginFunction,
  name: string,
  rules: { readonly namesBySource: boolean },
): string {
  if (!rules.namesBySource || nameOf(plugin) !== undefined) return name
  if (plugin.name !== '') return plugin.name
  const lines = Function.prototype.toString.call(plugin).split('\n').slice(0, 2)
  return lines.map((line) => line.trim()).join(' -- ')
}

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
const endings: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' }

/** The name in messages of a plugin without a name: `2nd plugin`, counted within its scope. */
export function placeName(place: number): string {
  return `${place}${endings[ordinals.select(place)] ?? 'th'} plugin`
}

/** Whether a name is that of a plugin without one of its own. */
export function isPlaceName(name: string): boolean {
  return /^\d+[a-z]{2} plugin$/.test(name)
}

/** Whether a plugin runs in the context that it is registered in, without encapsulation. */
export function isShared(plugin: PluginFunction): boolean {
  return (plugin as Marked)[skipOverride] === true
}

/** The plugins that this module has marked. */
const marked = once('marked', () => new WeakSet<PluginFunction>())

/** Whether another package has marked a plugin, as `fastify-plugin` does. */
export function isForeign(plugin: PluginFunction): boolean {
  return (isShared(plugin) || pluginMeta in plugin) && !marked.has(plugin)
}

/** A copy of a plugin that runs in the context that it is registered in.
 *  @throws ESP_ERR_PLUGIN_FACTS */
export function markShared(plugin: PluginFunction, facts?: PluginFacts): PluginFunction {
  return Object.assign(markFacts(plugin, facts), { [skipOverride]: true })
}

/** A copy of a plugin with a name and dependencies. The given function stays unmarked, so it can
 *  still be registered as it is.
 *  @throws ESP_ERR_PLUGIN_FACTS */
export function markFacts(plugin: PluginFunction, facts: PluginFacts = {}): PluginFunction {
  if (!isFacts(facts)) throw new errorCodes.ESP_ERR_PLUGIN_FACTS(describe(facts))
  const { [displayName]: shown, [pluginMeta]: known, [skipOverride]: isShared } = plugin as Marked
  const name = facts.name ?? shown
  const meta = { ...known, ...facts }
  const copy = Object.defineProperty(plugin.bind(undefined), 'name', { value: plugin.name })
  marked.add(copy)
  return Object.assign(copy, {
    ...(name !== undefined && { [displayName]: name }),
    ...(Object.keys(meta).length > 0 && { [pluginMeta]: meta }),
    ...(isShared !== undefined && { [skipOverride]: isShared }),
  })
}

function isFacts(given: unknown): boolean {
  if (!isObject(given)) return false
  const { name, dependencies = [], ...unknown } = given
  const isNamed = name === undefined || (typeof name === 'string' && name !== '')
  const isList =
    Array.isArray(dependencies) && dependencies.every((each) => typeof each === 'string')
  return isNamed && isList && Object.keys(unknown).length === 0
}

/** A plugin that was written for Fastify, marked as shared.
 *  @throws ESP_ERR_PLUGIN_NOT_VALID, ESP_ERR_PLUGIN_INVALID_ASYNC_HANDLER */
export function adoptPlugin(given: unknown): PluginFunction {
  const plugin = readPlugin(given, 'adopt')
  return isShared(plugin) ? plugin : markShared(plugin)
}

function isFunction(value: unknown): value is PluginFunction {
  return typeof value === 'function'
}

/** The major versions of Fastify whose plugins run here. */
const supportedVersions = '4.x || 5.x'

/** The keys of `decorators` in the metadata, the decorators that they mean, and their methods. */
const decoratorKinds = [
  ['fastify', 'server', 'decorate'],
  ['request', 'request', 'decorateRequest'],
  ['reply', 'reply', 'decorateReply'],
] as const

/** Adds a plugin that begins to load to its context, and checks what its metadata requires. Plugins
 *  that were registered before it have loaded by then.
 *  @throws ESP_ERR_PLUGIN_VERSION_MISMATCH, ESP_ERR_PLUGIN_NOT_PRESENT_IN_INSTANCE,
 *  ESP_ERR_PLUGIN_DEPENDENCY_MISSING */
export function enterPlugin(context: Context, { plugin, name }: NamedPlugin): void {
  const given: unknown = (plugin as Marked)[pluginMeta]
  const metadata: PluginMetadata = isObject(given) ? given : {}
  for (const own of [nameOf(plugin), metadata.name]) {
    if (typeof own === 'string') context.addPlugin(own)
  }
  const { fastify, decorators = {}, dependencies = [] } = metadata
  if (fastify !== undefined && !isSupported(fastify)) {
    throw new errorCodes.ESP_ERR_PLUGIN_VERSION_MISMATCH(name, context.path, fastify)
  }
  for (const [key, kind, call] of decoratorKinds) {
    const missing = decorators[key]?.find((each) => !context.decorators[kind].has(each))
    if (missing === undefined) continue
    const details = [name, context.path, kind, String(missing), call]
    throw new errorCodes.ESP_ERR_PLUGIN_NOT_PRESENT_IN_INSTANCE(...details)
  }
  const missing = dependencies.find((dependency) => !context.hasPlugin(dependency))
  if (missing !== undefined) {
    throw new errorCodes.ESP_ERR_PLUGIN_DEPENDENCY_MISSING(name, context.path, missing)
  }
  if (isShared(plugin)) context.addShared(shownName(plugin, name, context.objects.dialect.boot))
}

/** Whether a semver range includes a supported version. An invalid range includes none. */
function isSupported(range: unknown): boolean {
  try {
    return typeof range === 'string' && late.intersects()(range, supportedVersions)
  } catch {
    return false
  }
}
