import { errorCodePrefix, errorCodes } from './errors/codes.ts'
import { EspalierError } from './errors/espalier-error.ts'
import { runAtBoot } from './errors/origin.ts'
import { fastify } from './fastify/index.ts'
import { event } from './http/stream-event.ts'
import { LogController } from './lifecycle/log/log-controller.ts'
import { t } from './schema/builder.ts'
import { httpError } from './schema/http-error.ts'
import { adopt, defineRoute, espalier, plugin, shared } from './server/factory.ts'
import type { HttpsFlag, OptionsOn, ServerOn } from './server/types/factories.ts'
import { version } from './version.ts'

/** What `require('espalier')` gives: the factory, with everything else as its properties. It is a
 *  function of its own, since the default export of an ES module has no properties. */
export function commonJs<
  const Http2 extends boolean = false,
  const Https extends HttpsFlag = false,
>(options?: OptionsOn<Http2, Https>): ServerOn<Http2, Https> {
  return runAtBoot(commonJs, () => espalier(options))
}
Object.assign(commonJs, { default: commonJs, espalier: commonJs, fastify, t, shared, plugin })
Object.assign(commonJs, { defineRoute, adopt, event, EspalierError, LogController, version })
Object.assign(commonJs, { errorCodes, errorCodePrefix, httpError })

/** What `require('espalier')` gives: the factory, with everything else as its properties. */
export type EspalierModule = typeof commonJs

// The build adds the exported types.
// eslint-disable-next-line @typescript-eslint/no-namespace -- no other form merges with a function
export declare namespace commonJs {
  export { commonJs as default, commonJs as espalier, fastify, t, shared, plugin, defineRoute }
  export {
    adopt,
    event,
    EspalierError,
    LogController,
    version,
    errorCodes,
    errorCodePrefix,
    httpError,
  }
}
