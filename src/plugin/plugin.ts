import { errorCodes } from '../errors/codes.ts'
import { isInstalledAsFastify } from '../errors/dialect.ts'
import { describe } from '../schema/values.ts'

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

/** The plugin function in what was given to `register`: itself, or the default export of a module.
 *  @throws ESP_ERR_PLUGIN_NOT_VALID, ESP_ERR_PLUGIN_INVALID_ASYNC_HANDLER */
export function readPlugin(given: unknown, place: string): PluginFunction {
  const plugin = typeof given === 'function' ? given : defaultExport(given)
  if (!isFunction(plugin)) {
    throw new errorCodes.ESP_ERR_PLUGIN_NOT_VALID(place, describe(given))
  }
  if (plugin.length >= 3 && plugin.constructor.name === 'AsyncFunction') {
    throw new errorCodes.ESP_ERR_PLUGIN_INVALID_ASYNC_HANDLER(nameOf(plugin))
  }
  return plugin
}

/** What messages and printed trees call a plugin: the name it is marked with, that of its function,
 *  or the beginning of its source. */
export function nameOf(plugin: PluginFunction): string {
  const marked = plugin as Marked
  const given = marked[displayName] ?? marked[pluginMeta]?.name
  if (given !== undefined) return given
  if (plugin.name !== '') return plugin.name
  const source = Function.prototype.toString.call(plugin)
  if (isInstalledAsFastify) return beginningOf(source)
  return source.replaceAll(/\s+/g, ' ').slice(0, 48)
}

/** What Fastify shows of a source, as `pluginName` and in printed trees: its first two lines. */
function beginningOf(source: string): string {
  const lines = source.split('\n').slice(0, 2)
  return lines.map((line) => line.trim()).join(' -- ')
}

/** Whether what a plugin registers becomes visible in the context it is registered in: `shared`
 *  marks it so, and so do the wrappers of the ecosystem. */
export function isShared(plugin: PluginFunction): boolean {
  return (plugin as Marked)[skipOverride] === true
}

/** A plugin that breaks encapsulation: it runs in the context it is registered in. The function
 *  given is not marked itself, so that it can still be registered without sharing. */
export function markShared<Plugin extends PluginFunction>(plugin: Plugin): Plugin {
  const marked = plugin.bind(undefined) as Plugin
  Object.defineProperty(marked, 'name', { value: plugin.name })
  Object.defineProperty(marked, displayName, { value: nameOf(plugin) })
  return Object.defineProperty(marked, skipOverride, { value: true })
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
