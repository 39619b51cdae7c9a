import type { Dialect } from '../dialect/dialect.ts'
import { espalierDialect } from '../dialect/espalier.ts'
import { fastifyDialect } from '../dialect/fastify.ts'
import { errorCodes } from '../errors/codes.ts'
import {
  adoptPlugin,
  markFacts,
  markShared,
  type PluginFacts,
  type PluginFunction,
} from '../plugin/plugin.ts'
import { announceServer } from '../lifecycle/channels.ts'
import { describe, isObject } from '../schema/values.ts'
import { createRoute } from '../route/defined-route.ts'
import { ServerInstance } from './server.ts'
import { espalierClasses } from './classes.ts'
import type { RootClasses } from './context-objects.ts'
import { fastifyClasses, FastifyInstance } from './fastify/classes.ts'
import { Host } from './host.ts'
import { normalizeOptions, withoutNone, type EspalierOptions } from './options.ts'
import { setNode } from './node.ts'
import type {
  AdoptFactory,
  EspalierFactory,
  PluginFactory,
  RouteFactory,
  SharedFactory,
} from './types/factories.ts'

// cast: the face of a server is typed by what its scope can see, which only `Server` says
const factories = { forEspalier, forFastify } as unknown as Readonly<
  Record<'forEspalier' | 'forFastify', EspalierFactory>
>

/** Makes a server: the root of a context tree. */
export const espalier: EspalierFactory = factories.forEspalier

/** Makes a server for an application that was written for Fastify: an error is answered with its message, and with
 *  the status that was set before, if one was; options that nobody knows are ignored. The server can be awaited. */
export const createFastify: EspalierFactory = factories.forFastify

/** Makes a plugin add to the scope it is registered in: what it decorates, and the schemas, hooks
 *  and routes it adds, are visible there afterwards (specification 2.1). Behind the function may stand what it is
 *  called and depends on, as behind that of `plugin`. */
// cast: what the wrapper returns is the plugin, marked; the brand on it exists in types only
export const shared: SharedFactory = markShared as unknown as SharedFactory

/** Makes a plugin for a file of its own, which says what it needs of the scope it is registered in:
 *  `plugin<Needs>()(fn)`, or `plugin<Needs>().shared(fn)`. Behind the function may stand what it is called and
 *  depends on: `{ name: 'users', dependencies: ['db'] }`. */
// cast: as above
export const plugin: PluginFactory = createPluginTool as unknown as PluginFactory

/** Makes a route a value, to be declared with `app.route` in whichever scope has what it needs:
 *  `defineRoute(options)`, or `defineRoute<Needs>()(options)`. */
export const defineRoute: RouteFactory = createRouteTool as RouteFactory

/** Says in types what a plugin written for Fastify adds: `adopt<Added>(plugin)`. At run time it is the
 *  plugin, shared. */
export const adopt: AdoptFactory = createAdopted as AdoptFactory

/** @throws ESP_ERR_PLUGIN_NOT_VALID */
function createAdopted(...plugin: readonly [] | readonly [unknown]): unknown {
  return plugin.length === 0 ? adoptPlugin : adoptPlugin(plugin[0])
}

function createRouteTool(...options: readonly [] | readonly [unknown]): unknown {
  return options.length === 0 ? createRoute : createRoute(options[0])
}

/** @throws ESP_ERR_PLUGIN_TOOL */
function createPluginTool(
  ...misplaced: readonly unknown[]
): (plugin: PluginFunction, facts?: PluginFacts) => PluginFunction {
  if (misplaced.length > 0) throw new errorCodes.ESP_ERR_PLUGIN_TOOL(describe(misplaced[0]))
  return Object.assign(
    (given: PluginFunction, facts?: PluginFacts) =>
      facts === undefined ? given : markFacts(given, facts),
    { shared: markShared },
  )
}

function forFastify(given?: EspalierOptions): ServerInstance {
  const options = given || {}
  const kept = isObject(options) ? withoutNone(options) : options
  return build(new FastifyInstance(), kept, { dialect: fastifyDialect, classes: fastifyClasses })
}

function forEspalier(options: EspalierOptions = {}): ServerInstance {
  const kind = { dialect: espalierDialect, classes: espalierClasses }
  return build(new ServerInstance(), options, kind)
}

function build(
  server: ServerInstance,
  options: EspalierOptions,
  { dialect, classes }: { readonly dialect: Dialect; readonly classes: RootClasses },
): ServerInstance {
  try {
    const host = new Host(server, normalizeOptions(options, dialect), classes, (context, self) => {
      setNode(context.objects.server, { host: self, context })
    })
    announceServer(server)
    return host.root.objects.server as ServerInstance
  } catch (error) {
    throw dialect.errors.show(error)
  }
}
