import { errorCodes } from '../errors/codes.ts'
import { describe, isObject } from '../schema/values.ts'

/** A plugin in any of its forms: async, callback `(instance, options, done)`, or plain. */
export type PluginFunction = (...args: never[]) => unknown

const skipOverride: unique symbol = Symbol.for('skip-override')
const displayName: unique symbol = Symbol.for('fastify.display-name')
const pluginMeta: unique symbol = Symbol.for('plugin-meta')

interface Marked {
  readonly [skipOverride]?: boolean
  readonly [displayName]?: string
  readonly [pluginMeta]?: { readonly name?: string }
  readonly default?: unknown
}

/** What a plugin says of itself where it is made. */
export interface PluginFacts {
  /** What messages, `hasPlugin` and `dependencies` of others call it. @default the name of its function */
  readonly name?: string
  /** The names of the plugins that have to be registered before it, in its scope or in one around. */
  readonly dependencies?: readonly string[]
}

/** The plugin function in what was given to `register`: itself, or the default export of a module.
 *  @param place what messages call the context
 *  @param unnamed what they call a plugin without a name
 *  @throws ESP_ERR_PLUGIN_NOT_VALID, ESP_ERR_PLUGIN_INVALID_ASYNC_HANDLER */
export function readPlugin(given: unknown, place: string, unnamed = 'plugin'): PluginFunction {
  const plugin = typeof given === 'function' ? given : defaultExport(given)
  if (!isFunction(plugin)) {
    throw new errorCodes.ESP_ERR_PLUGIN_NOT_VALID(place, describe(given))
  }
  if (plugin.length >= 3 && plugin.constructor.name === 'AsyncFunction') {
    const name = `${place} > ${nameOf(plugin) ?? unnamed}`
    throw new errorCodes.ESP_ERR_PLUGIN_INVALID_ASYNC_HANDLER(name)
  }
  return plugin
}

/** The names of functions that have none: those that modules export by default, and bound ones. */
const noName = /^(bound )*(default)?$/

/** The name of a plugin: the one it is marked with, or that of its function. Undefined where it has none. */
export function nameOf(plugin: PluginFunction): string | undefined {
  const marked = plugin as Marked
  const given = marked[displayName] ?? marked[pluginMeta]?.name ?? plugin.name
  return noName.test(given) ? undefined : given
}

/** What `pluginName` and printed trees call a plugin. One without a name may be called by the first
 *  two lines of its source.
 *  @param name what messages call it */
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

/** What messages call a plugin without a name: `2nd plugin`, of those that were registered in its scope. */
export function placeName(place: number): string {
  return `${place}${endings[ordinals.select(place)] ?? 'th'} plugin`
}

/** Whether what a plugin registers becomes visible in the context it is registered in: `shared`
 *  marks it so, and so do the wrappers of the ecosystem. */
export function isShared(plugin: PluginFunction): boolean {
  return (plugin as Marked)[skipOverride] === true
}

/** A plugin that breaks encapsulation: it runs in the context it is registered in.
 *  @throws ESP_ERR_PLUGIN_FACTS */
export function markShared(plugin: PluginFunction, facts?: PluginFacts): PluginFunction {
  return Object.assign(markFacts(plugin, facts), { [skipOverride]: true })
}

/** A copy of a plugin that says of itself what it is told to. The function given is not marked, so that it can
 *  still be registered as it is.
 *  @throws ESP_ERR_PLUGIN_FACTS */
export function markFacts(plugin: PluginFunction, facts: PluginFacts = {}): PluginFunction {
  if (!isFacts(facts)) throw new errorCodes.ESP_ERR_PLUGIN_FACTS(describe(facts))
  const { [displayName]: shown, [pluginMeta]: known, [skipOverride]: isShared } = plugin as Marked
  const name = facts.name ?? shown
  const meta = { ...known, ...facts }
  const marked = Object.defineProperty(plugin.bind(undefined), 'name', { value: plugin.name })
  return Object.assign(marked, {
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

/** A plugin that was written elsewhere: itself where it is marked shared already, else marked.
 *  @throws ESP_ERR_PLUGIN_NOT_VALID, ESP_ERR_PLUGIN_INVALID_ASYNC_HANDLER */
export function adoptPlugin(given: unknown): PluginFunction {
  const plugin = readPlugin(given, 'adopt')
  return isShared(plugin) ? plugin : markShared(plugin)
}

function defaultExport(module: unknown): unknown {
  return typeof module === 'object' && module !== null ? (module as Marked).default : undefined
}

function isFunction(value: unknown): value is PluginFunction {
  return typeof value === 'function'
}
