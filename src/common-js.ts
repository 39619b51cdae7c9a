import { errorCodePrefix, errorCodes } from './errors/codes.ts'
import { EspalierError } from './errors/espalier-error.ts'
import { fastify } from './fastify/index.ts'
import type { FastifyFactory } from './fastify/factory.ts'
import { event } from './http/stream-event.ts'
import { LogController } from './lifecycle/log/log-controller.ts'
import { t } from './schema/builder.ts'
import type { Builder } from './schema/builder.ts'
import { adopt, defineRoute, espalier, plugin, shared } from './server/factory.ts'
import type {
  AdoptFactory,
  EspalierFactory,
  HttpsFlag,
  OptionsOn,
  PluginFactory,
  RouteFactory,
  SharedFactory,
} from './server/types/factories.ts'
import { version } from './version.ts'

/** What `require('espalier')` gives: the factory, with everything else as its properties. */
export type EspalierModule = EspalierFactory & EspalierExports

/** The properties of the factory in CommonJS: all named exports. */
export interface EspalierExports {
  readonly default: EspalierFactory
  readonly espalier: EspalierFactory
  readonly fastify: FastifyFactory
  readonly t: Builder
  readonly shared: SharedFactory
  readonly plugin: PluginFactory
  readonly defineRoute: RouteFactory
  readonly adopt: AdoptFactory
  readonly event: typeof event
  readonly errorCodes: typeof errorCodes
  readonly errorCodePrefix: typeof errorCodePrefix
  readonly EspalierError: typeof EspalierError
  readonly LogController: typeof LogController
  readonly version: string
}

// A function of its own, since the default export of an ES module has no properties.
export const commonJs: EspalierModule = Object.assign(
  function <const Http2 extends boolean = false, const Https extends HttpsFlag = false>(
    options?: OptionsOn<Http2, Https>,
  ) {
    return espalier(options)
  },
  {
    t,
    shared,
    plugin,
    defineRoute,
    adopt,
    event,
    errorCodes,
    errorCodePrefix,
    EspalierError,
    version,
  },
  // Filled in below, with the function itself.
  { LogController, default: espalier, espalier, fastify },
)
Object.assign(commonJs, { default: commonJs, espalier: commonJs })
