import { snapshot } from '../../schema/shared-schemas.ts'
import { isObject, isPlainObject } from '../../types/objects.ts'
import { isLineWriter } from '../../lifecycle/log/line-writer.ts'

/** The options of a server as plain values, with defaults. It is a frozen copy. */
export interface InitialConfig {
  readonly bodyLimit: number
  readonly caseSensitive: boolean
  readonly connectionTimeout: number
  readonly exposeHeadRoutes: boolean
  readonly ignoreDuplicateSlashes: boolean
  readonly ignoreTrailingSlash: boolean
  readonly keepAliveTimeout: number
  readonly maxParamLength: number
  readonly maxRequestsPerSocket: number
  readonly pluginTimeout: number
  readonly requestIdHeader: string | false
  readonly requestIdLogLabel: string
  readonly requestTimeout: number
  readonly http2SessionTimeout: number
  readonly [option: string]: unknown
}

/** The defaults of options. Those of the router are the defaults of find-my-way. */
export const defaults = {
  connectionTimeout: 0,
  keepAliveTimeout: 72_000,
  maxRequestsPerSocket: 0,
  requestTimeout: 0,
  bodyLimit: 1_048_576,
  caseSensitive: true,
  allowUnsafeRegex: false,
  disableRequestLogging: false,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 100,
  onProtoPoisoning: 'error',
  onConstructorPoisoning: 'error',
  pluginTimeout: 10_000,
  requestIdHeader: false,
  requestIdLogLabel: 'reqId',
  http2SessionTimeout: 72_000,
  exposeHeadRoutes: true,
  useSemicolonDelimiter: false,
  allowErrorHandlerOverride: true,
} as const

/** Options without a default. */
const others = [
  'forceCloseConnections',
  'http2',
  'constraints',
  'versioning',
  'ajv',
  'trustProxy',
  'handlerTimeout',
  'jsonShorthand',
]

/** Copies the options. Functions and instances of classes are shared. `https` shows no secrets: it
 *  is a boolean, or has `allowHTTP1`. */
export function createInitialConfig(options: object): InitialConfig {
  const given: Readonly<Record<string, unknown>> = { ...options, ...ofController(options) }
  const { routerOptions, https, requestIdHeader } = given
  const inner = isObject(routerOptions) ? routerOptions : {}
  const shown = [...Object.keys(defaults), ...others]
    .map((name) => [name, inner[name] ?? given[name]] as const)
    .filter(([, value]) => value !== undefined && value !== null)
  return freeze({
    ...defaults,
    ...Object.fromEntries(shown.map(([name, value]) => [name, snapshot(value)])),
    ...(requestIdHeader === true && { requestIdHeader: 'request-id' }),
    ...(https !== undefined && https !== null && { https: showHttps(https) }),
  })
}

/** The options of a log controller. */
function ofController({ logController }: { readonly logController?: unknown }): object {
  if (!isLineWriter(logController)) return {}
  const { disableRequestLogging, requestIdLogLabel } = logController
  return { disableRequestLogging, requestIdLogLabel }
}

function showHttps(https: unknown): unknown {
  const allowHTTP1 = isObject(https) ? https['allowHTTP1'] : undefined
  return allowHTTP1 === undefined ? https !== false : { allowHTTP1 }
}

function freeze<Value>(value: Value): Value {
  const isCopied = Array.isArray(value) || isPlainObject(value)
  if (!isCopied || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const each of Object.values<unknown>(value)) freeze(each)
  return value
}
