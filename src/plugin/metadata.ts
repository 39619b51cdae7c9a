import intersects from 'semver/ranges/intersects.js'
import { errorCodes } from '../errors/codes.ts'
import type { Context } from '../context/context.ts'
import type { DecoratorKind } from '../context/decorators.ts'
import { isObject } from '../schema/values.ts'
import type { PluginFunction } from './plugin.ts'

const pluginMeta: unique symbol = Symbol.for('plugin-meta')

/** The lines of Fastify whose plugins run here. */
const supportedLines = '4.x || 5.x'

/** What a plugin says of itself, as the ecosystem's wrapper puts it on the function. */
export interface PluginMetadata {
  readonly name?: string
  /** The versions of Fastify that it is for, as a range. */
  readonly fastify?: string
  /** The names of the plugins that have to be registered before. */
  readonly dependencies?: readonly string[]
  /** The decorators that have to be there. `fastify` stands for the server. */
  readonly decorators?: {
    readonly fastify?: readonly PropertyKey[]
    readonly request?: readonly PropertyKey[]
    readonly reply?: readonly PropertyKey[]
  }
}

const kinds: readonly (readonly [
  keyof NonNullable<PluginMetadata['decorators']>,
  DecoratorKind,
])[] = [
  ['fastify', 'server'],
  ['request', 'request'],
  ['reply', 'reply'],
]
const calls: Readonly<Record<DecoratorKind, string>> = {
  server: 'decorate',
  request: 'decorateRequest',
  reply: 'decorateReply',
}

/** What a plugin says of itself; undefined where it says nothing. */
export function metadataOf(plugin: PluginFunction): PluginMetadata | undefined {
  const given = (plugin as { readonly [pluginMeta]?: unknown })[pluginMeta]
  return isObject(given) ? given : undefined
}

/** Checks what a plugin asks for, when its turn to load has come: what was registered before it is
 *  there then.
 *  @throws ESP_ERR_PLUGIN_VERSION_MISMATCH, ESP_ERR_PLUGIN_NOT_PRESENT_IN_INSTANCE,
 *  ESP_ERR_PLUGIN_DEPENDENCY_MISSING */
export function checkMetadata(plugin: PluginFunction, name: string, context: Context): void {
  const metadata = metadataOf(plugin)
  if (metadata === undefined) return
  const { fastify, decorators = {}, dependencies = [] } = metadata
  if (fastify !== undefined && !isSupported(fastify)) {
    throw new errorCodes.ESP_ERR_PLUGIN_VERSION_MISMATCH(name, context.path, fastify)
  }
  for (const [key, kind] of kinds) {
    const missing = decorators[key]?.find((each) => !context.decorators[kind].has(each))
    if (missing === undefined) continue
    const details = [name, context.path, kind, String(missing), calls[kind]]
    throw new errorCodes.ESP_ERR_PLUGIN_NOT_PRESENT_IN_INSTANCE(...details)
  }
  const missing = dependencies.find((dependency) => !context.hasPlugin(dependency))
  if (missing === undefined) return
  throw new errorCodes.ESP_ERR_PLUGIN_DEPENDENCY_MISSING(name, context.path, missing)
}

/** Whether some version of a supported line is in a range. What is no range has none. */
function isSupported(range: unknown): boolean {
  try {
    return typeof range === 'string' && intersects(range, supportedLines)
  } catch {
    return false
  }
}
