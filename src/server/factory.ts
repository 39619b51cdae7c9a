import type { Dialect } from '../dialect/dialect.ts'
import { espalierDialect } from '../dialect/espalier.ts'
import { fastifyDialect } from '../dialect/fastify.ts'
import { errorCodes } from '../errors/codes.ts'
import { calledAtBoot } from '../errors/origin.ts'
import {
  adoptPlugin,
  markFacts,
  markShared,
  type PluginFacts,
  type PluginFunction,
} from '../plugin/plugin.ts'
import { announceServer } from '../lifecycle/channels.ts'
import { describe } from '../errors/describe.ts'
import { isObject } from '../types/objects.ts'
import { createRoute } from '../route/defined-route.ts'
import { ServerInstance } from './server.ts'
import { espalierClasses, type RootClasses } from './context-objects.ts'
import { fastifyClasses, FastifyServerInstance } from './fastify/classes.ts'
import { Host } from './host.ts'
import { type EspalierOptions, normalizeOptions, withoutNone } from './options.ts'
import { setNode } from './node.ts'
import type {
  AdoptFactory,
  EspalierFactory,
  PluginFactory,
  RouteFactory,
  SharedFactory,
} from './types/factories.ts'

// cast: `Server` has decorators and routes in its type only
const factory = calledAtBoot as unknown as (make: typeof forEspalier) => EspalierFactory

/** Makes a server: the root of a context tree. */
export const espalier: EspalierFactory = factory(forEspalier)

/** Makes a server for an application of Fastify. An error is answered with its message, and with
 *  the status that was set before. Unknown options are ignored. The server is thenable. */
export const createFastify: EspalierFactory = /* @__PURE__ */ factory(forFastify)

/** Makes a plugin add to the scope that it is registered in: its decorators, schemas, hooks and
 *  routes are visible there afterwards. The second argument is the name and the dependencies of the
 *  plugin. */
// cast: the function returns a marked copy; its brand exists in types only
export const shared: SharedFactory = calledAtBoot(markShared) as unknown as SharedFactory

/** Makes a plugin in a file of its own, which declares what it needs of its scope:
 *  `plugin<Needs>()(fn)`, or `plugin<Needs>().shared(fn)`. A second argument is the name and the
 *  dependencies of the plugin: `{ name: 'users', dependencies: ['db'] }`. */
// cast: as above
export const plugin: PluginFactory = calledAtBoot(createPluginTool) as unknown as PluginFactory

/** Makes a route as a value, for `app.route` in any scope that has what it needs:
 *  `defineRoute(options)`, or `defineRoute<Needs>()(options)`. */
export const defineRoute: RouteFactory = calledAtBoot(createRouteTool) as RouteFactory

/** Declares in types what a plugin of Fastify adds: `adopt<Added>(plugin)`. At run time it returns
 *  the shared plugin. */
export const adopt: AdoptFactory = calledAtBoot(createAdopted) as AdoptFactory

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

function forEspalier(options: EspalierOptions = {}): ServerInstance {
  return build(new ServerInstance(), options, espalierDialect, espalierClasses)
}

function forFastify(given?: EspalierOptions): ServerInstance {
  const options = given || {}
  const kept = isObject(options) ? withoutNone(options) : options
  return build(new FastifyServerInstance(), kept, fastifyDialect, fastifyClasses)
}

function build(
  server: ServerInstance,
  options: EspalierOptions,
  dialect: Dialect,
  classes: RootClasses,
): ServerInstance {
  try {
    new Host(server, normalizeOptions(options, dialect), classes, (context, host) => {
      setNode(context.objects.server, { host, context })
    })
    announceServer(server)
    return server
  } catch (error) {
    throw dialect.errors.show(error)
  }
}
