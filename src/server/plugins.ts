import { markShared, type PluginFunction } from '../plugin/plugin.ts'
import type { PluginFactory, SharedFactory } from './server-types.ts'

/** Makes a plugin add to the scope it is registered in: what it decorates, and the schemas, hooks
 *  and routes it adds, are visible there afterwards (specification 2.1). */
// cast: what the wrapper returns is the plugin, marked; the brand on it exists in types only
export const shared: SharedFactory = markShared as unknown as SharedFactory

/** Makes a plugin for a file of its own, which says what it needs of the scope it is registered in:
 *  `plugin<Needs>()(fn)`, or `plugin<Needs>().shared(fn)`. */
// cast: as above
export const plugin: PluginFactory = createPluginTool as unknown as PluginFactory

function createPluginTool(): (plugin: PluginFunction) => PluginFunction {
  return Object.assign((given: PluginFunction) => given, { shared: markShared })
}
