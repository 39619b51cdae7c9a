import type { Dialect } from '../dialect/dialect.ts'
import { errorCodes } from '../errors/codes.ts'
import type { CompiledSchemas, CompileTime } from '../schema/compilation.ts'
import type { SchemaController, SchemaErrorFormatter } from '../schema/compiler-types.ts'
import { describe } from '../errors/describe.ts'
import { isObject } from '../types/objects.ts'
import { isDelay, longestDelay } from '../lifecycle/deadline.ts'
import {
  isPoisoningAction,
  poisoningActions,
  type PoisoningAction,
} from '../context/default-parsers.ts'
import type { FastJsonOptions } from '../serialization/fast-json-compiler.ts'
import type { AjvOptions } from '../validation/ajv.ts'
import { createInitialConfig, defaults, type InitialConfig } from './options/initial-config.ts'
import {
  loggingRules,
  normalizeLogging,
  type LoggingOptions,
  type NormalizedLogging,
} from './options/logging.ts'
import {
  readRouting,
  routingRules,
  type RouterOptions,
  type RoutingOptions,
} from './options/routing.ts'
import {
  aBoolean,
  aFunction,
  anObject,
  anything,
  aSize,
  assertFormatter,
  aTime,
  checkOptions,
  oneOf,
  ruleOf,
  type Rule,
  type Rules,
} from './options/rules.ts'
import {
  normalizeTransport,
  readRequestIds,
  transportRules,
  type RequestIds,
  type TransportOptions,
  type TransportSettings,
} from './options/transport.ts'

/** The options of `espalier()`. */
export interface EspalierOptions extends RoutingOptions, TransportOptions, LoggingOptions {
  /** Options and plugins of ajv, the default validator. The baseline is that of specification
   *  2.4. */
  readonly ajv?: AjvOptions
  /** Whether nothing is changed silently. The values of a request reach the handler as they were
   *  sent, with defaults and decoded text; a field that no schema names is a 400. A reply is sent
   *  if its fields are valid as they are, without those that no schema names; else it is a 500.
   *  Plugins and routes may say otherwise for themselves. @default false */
  readonly strict?: boolean
  /** Whether the log says, once for each place of a reply, which fields were left out or converted
   *  and which are not valid. Each reply is then serialized and validated several times, so it is
   *  for development. @default 'send' */
  readonly responses?: 'send' | 'report'
  /** The storage of shared schemas, and the factories of compilers. */
  readonly schemaController?: SchemaController
  /** When validators and serializers are compiled: each when it is first needed; the rest of them
   *  one by one while the server listens (`'idle'`); or all of them at boot (`'eager'`). Schemas
   *  are checked at boot in any case. @default 'lazy' */
  readonly compile?: CompileTime
  /** The validators and serializers that `espalier compile` has written. They are taken in place of
   *  those that the server would compile. */
  readonly compiled?: CompiledSchemas | undefined
  /** What is done about a schema that `compiled` lacks: the boot fails, or the schema is compiled
   *  and a warning logged. @default 'fail' */
  readonly whenStale?: 'fail' | 'warn'
  /** Whether a scope may replace its own error handler. @default true */
  readonly allowErrorHandlerOverride?: boolean
  /** Makes the error of a failed validation. `this` is the server. */
  readonly schemaErrorFormatter?: SchemaErrorFormatter
  /** The maximum size of a body in bytes. @default 1048576 (1 MiB) */
  readonly bodyLimit?: number
  /** The maximum time from the first hook of a request to the head of its response, in
   *  milliseconds; 0 for no limit. Routes may have another limit. After it, the error handlers get
   *  ESP_ERR_HANDLER_TIMEOUT (503), and `request.signal` is aborted. It does not apply to requests
   *  without a route. @default 0 */
  readonly handlerTimeout?: number
  /** The silence after which an event stream sends a comment, in milliseconds; 0 for none. So
   *  proxies keep its connection open, and a client that is gone is noticed. @default 15000 */
  readonly heartbeatInterval?: number
  /** How long `close` waits until clients have the end of what generators send, in milliseconds; 0
   *  for no limit. Afterwards their connections are cut. Event streams end at once.
   *  @default 10000 */
  readonly streamGracePeriod?: number
  /** The action for JSON with a key `__proto__`: an error, removing the key, or ignoring it.
   *  @default 'error' */
  readonly onProtoPoisoning?: PoisoningAction
  /** The action for a key `constructor` whose value has `prototype`. @default 'error' */
  readonly onConstructorPoisoning?: PoisoningAction
  /** The maximum loading time of a plugin, in milliseconds; 0 for no limit. @default 10000 */
  readonly pluginTimeout?: number
  /** Whether clients get the messages of unforeseen errors. @default false; true for the factory
   *  `fastify` */
  readonly exposeErrors?: boolean
  /** Whether the default answers of errors, also where no route is found, are problem details
   *  (`application/problem+json`, RFC 9457), with the issues of a failed validation.
   *  @default false */
  readonly problemDetails?: boolean
  /** Whether a part of a route's schema without keywords of JSON Schema is a short form: a list of
   *  an object's properties. It is false for custom compilers of another schema language, which get
   *  the given object. Types do not follow this option. `t.Unsafe<T>(schema)` states the type of
   *  such a schema, and is never a short form. @default true; false for `ajv: { mode: 'JTD' }` */
  readonly jsonShorthand?: boolean
  /** Options of fast-json-stringify, the default serializer: `{ rounding: 'ceil' }`. */
  readonly serializerOpts?: FastJsonOptions
}

type SharedOption = keyof LoggingOptions | keyof RoutingOptions | keyof TransportOptions

/** The options without a default. */
type OpenOption = 'compiled' | 'schemaController' | 'schemaErrorFormatter'

/** The options of a server with their defaults. */
export interface NormalizedOptions
  extends
    Required<Omit<EspalierOptions, OpenOption | SharedOption>>,
    Pick<EspalierOptions, OpenOption | 'frameworkErrors' | 'rewriteUrl'>,
    TransportSettings {
  readonly dialect: Dialect
  readonly exposeHeadRoutes: boolean
  readonly initialConfig: InitialConfig
  readonly logging: NormalizedLogging
  readonly requestIds: RequestIds
  readonly routing: RouterOptions
}

const compileTimes: readonly unknown[] = ['lazy', 'idle', 'eager'] satisfies CompileTime[]
const aDelay: Rule = [isDelay, `${aTime[1]}, ${longestDelay} at most`]
const anAction: Rule = [isPoisoningAction, poisoningActions]

export const optionRules: Rules<EspalierOptions> = {
  ...routingRules,
  ...transportRules,
  ajv: [
    isAjvOptions,
    "an object of customOptions, plugins that are functions, onCreate, and mode: 'JTD'",
  ],
  strict: aBoolean,
  responses: oneOf('send', 'report'),
  compile: [(value) => compileTimes.includes(value), "'lazy', 'idle' or 'eager'"],
  compiled: [isCompiled, 'a module that `espalier compile` has written'],
  whenStale: [(value) => value === 'fail' || value === 'warn', "'fail' or 'warn'"],
  schemaController: anObject,
  allowErrorHandlerOverride: aBoolean,
  schemaErrorFormatter: aFunction,
  bodyLimit: aSize,
  handlerTimeout: aDelay,
  heartbeatInterval: aDelay,
  streamGracePeriod: aDelay,
  onProtoPoisoning: anAction,
  onConstructorPoisoning: anAction,
  pluginTimeout: aTime,
  exposeErrors: aBoolean,
  problemDetails: aBoolean,
  ...loggingRules,
  jsonShorthand: aBoolean,
  serializerOpts: anObject,
}

/** Removes null, false, 0 and empty text where they are not valid values, as Fastify ignores them.
 *  A boolean option becomes false. A wrong `bodyLimit` stays, which is an error. */
export function withoutNone(options: EspalierOptions): EspalierOptions {
  const given = Object.entries(options).flatMap(([name, value]: [string, unknown]) => {
    const rule = ruleOf(optionRules, name)
    if (rule === undefined || Boolean(value) || name === 'bodyLimit') return [[name, value]]
    if (rule === aBoolean && value !== undefined) return [[name, false]]
    const isValue = (value === false || value === 0) && rule !== anything && rule[0](value)
    return isValue ? [[name, value]] : []
  })
  return Object.fromEntries(given) as EspalierOptions
}

/** Checks the options of the factory and fills in the defaults.
 *  @throws ESP_ERR_OPTIONS_NOT_OBJ
 *  @throws ESP_ERR_INIT_OPTS_INVALID for an unknown option and for a wrong value */
export function normalizeOptions(options: EspalierOptions, dialect: Dialect): NormalizedOptions {
  const isGiven: boolean = isObject(options)
  if (!isGiven) throw new errorCodes.ESP_ERR_OPTIONS_NOT_OBJ(describe(options))
  const ignoresUnknown = !dialect.boot.refusesUnknown
  const formatter: unknown = options.schemaErrorFormatter
  if (formatter !== undefined) assertFormatter(formatter)
  checkOptions(options, optionRules, { ignoresUnknown })
  assertStrict(options, dialect)
  return {
    ...defaults,
    ajv: {},
    compile: 'lazy',
    whenStale: 'fail',
    exposeErrors: dialect.errors.exposesMessages,
    problemDetails: false,
    forceCloseConnections: 'idle',
    handlerTimeout: 0,
    heartbeatInterval: 15_000,
    streamGracePeriod: 10_000,
    http2: false,
    jsonShorthand: options.ajv?.mode !== 'JTD',
    return503OnClosing: true,
    serializerOpts: {},
    responses: 'send',
    strict: false,
    trustProxy: false,
    ...withoutNullish(options),
    ...normalizeTransport(options),
    dialect,
    initialConfig: createInitialConfig(options),
    logging: normalizeLogging(options, ignoresUnknown),
    requestIds: readRequestIds(options),
    routing: readRouting(options),
  }
}

/** Strict mode decides itself what ajv may convert and remove. It is no part of Fastify, and nor
 *  are reports.
 *  @throws ESP_ERR_INIT_OPTS_INVALID */
function assertStrict({ ajv = {}, responses, strict }: EspalierOptions, dialect: Dialect): void {
  const refuse = (why: string, option = 'strict'): never => {
    throw new errorCodes.ESP_ERR_INIT_OPTS_INVALID(`The option '${option}' ${why}`)
  }
  if (!dialect.boot.refusesUnknown) {
    const option = [strict === true && 'strict', responses === 'report' && 'responses'].find(
      Boolean,
    )
    if (option) refuse('is for servers of espalier(), not of fastify()', option)
  }
  if (strict !== true) return
  if (ajv.mode === 'JTD') refuse("has no effect beside ajv: { mode: 'JTD' }. Leave one out")
  const own = ['coerceTypes', 'removeAdditional'].find((name) => name in (ajv.customOptions ?? {}))
  if (own !== undefined) refuse(`decides what is converted and removed. Leave out ajv's '${own}'`)
}

function withoutNullish<Options extends object>(options: Options): Options {
  const given: Record<string, unknown> = {}
  // An object of options may inherit from another.
  for (const name in options) {
    const value = options[name] ?? undefined
    if (value !== undefined) given[name] = value
  }
  return given as Options
}

function isCompiled(value: unknown): boolean {
  return isObject(value) && isObject(value['functions']) && Array.isArray(value['others'])
}

function isAjvOptions(value: unknown): boolean {
  if (!isObject(value)) return false
  const { customOptions = {}, plugins = [], onCreate, mode, ...unknown } = value
  if (!isObject(customOptions) || !Array.isArray(plugins)) return false
  if (onCreate !== undefined && typeof onCreate !== 'function') return false
  if (mode !== undefined && mode !== 'JTD') return false
  const isPlugin = (entry: unknown): boolean => {
    const plugin: unknown = Array.isArray(entry) ? entry[0] : entry
    return (
      typeof plugin === 'function' || (isObject(plugin) && typeof plugin['default'] === 'function')
    )
  }
  return Object.keys(unknown).length === 0 && plugins.every(isPlugin)
}
