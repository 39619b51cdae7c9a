import type { Dialect } from '../dialect/dialect.ts'
import { errorCodes } from '../errors/codes.ts'
import type { SchemaController, SchemaErrorFormatter } from '../schema/compiler-types.ts'
import { describe, isObject } from '../schema/values.ts'
import { isDelay, longestDelay } from '../lifecycle/deadline.ts'
import {
  isPoisoningAction,
  poisoningActions,
  type PoisoningAction,
} from '../context/content/default-parsers.ts'
import type { FastJsonOptions } from '../serialization/fast-json-compiler.ts'
import type { AjvOptions } from '../validation/ajv.ts'
import {
  loggingRules,
  normalizeLogging,
  type LoggingOptions,
  type NormalizedLogging,
} from './logging/options.ts'
import {
  normalizeRouting,
  routingRules,
  type NormalizedRouting,
  type RoutingOptions,
} from './options/routing.ts'
import { createInitialConfig, type InitialConfig } from './options/initial-config.ts'
import { assertFormatter } from './options/formatter.ts'
import {
  aBoolean,
  aFunction,
  anObject,
  anything,
  aTime,
  type Rule,
  type Rules,
} from './options/rules.ts'
import {
  normalizeTransport,
  transportRules,
  type NormalizedTransport,
  type TransportOptions,
} from './options/transport.ts'

/** The options of `espalier()`. */
export interface EspalierOptions extends RoutingOptions, TransportOptions, LoggingOptions {
  /** Options and plugins of the default validator. The baseline is that of the specification, 2.4. */
  readonly ajv?: AjvOptions
  /** How shared schemas are kept, and what makes validators and serializers of schemas. */
  readonly schemaController?: SchemaController
  /** Whether a scope may set its error handler twice; the later one holds. @default true */
  readonly allowErrorHandlerOverride?: boolean
  /** Makes the error of a failed validation; `this` is the server. */
  readonly schemaErrorFormatter?: SchemaErrorFormatter
  /** The most bytes a body may have. @default 1048576 (1 MiB) */
  readonly bodyLimit?: number
  /** The most milliseconds from the first hook of a request to the head of its response; 0 for any time. Routes may
   *  have another. What is too late is answered with ESP_ERR_HANDLER_TIMEOUT (503), by way of the error
   *  handlers, and `request.signal` is aborted. Not for requests that no route is found for. @default 0 */
  readonly handlerTimeout?: number
  /** What becomes of JSON with a key `__proto__`: it is refused, or loses it, or keeps it.
   *  @default 'error' */
  readonly onProtoPoisoning?: PoisoningAction
  /** The same for a key `constructor` whose value has `prototype`. @default 'error' */
  readonly onConstructorPoisoning?: PoisoningAction
  /** The time a plugin has to load, in milliseconds; 0 for no limit. @default 10000 */
  readonly pluginTimeout?: number
  /** Whether the messages of unforeseen errors are sent to clients. @default false; true for the factory `fastify` */
  readonly exposeErrors?: boolean
  /** Whether a part of a route's schema that has none of the keywords of a schema lists properties of an object. False
   *  where compilers of one's own read another language than JSON Schema: they are given what was written.
   *  Types do not follow: `t.Unsafe<T>(schema)` says what a schema of another language means, and
   *  is given as it is in either case. @default true, but for `ajv: { mode: 'JTD' }` */
  readonly jsonShorthand?: boolean
  /** Options of the default serializer, fast-json-stringify: `{ rounding: 'ceil' }`. */
  readonly serializerOpts?: FastJsonOptions
}

/** The options of a server, each with its value. */
export type NormalizedOptions = Required<
  Omit<EspalierOptions, GroupedOption | keyof LoggingOptions | OpenOption>
> &
  NormalizedRouting &
  NormalizedTransport &
  Pick<EspalierOptions, OpenOption> & {
    readonly initialConfig: InitialConfig
    readonly logging: NormalizedLogging
    readonly dialect: Dialect
  }

type GroupedOption = keyof RoutingOptions | keyof TransportOptions

/** The options that stay undefined where they are not given. */
type OpenOption = 'schemaErrorFormatter' | 'schemaController'

const anAction: Rule = [isPoisoningAction, poisoningActions]

const rules: Rules<EspalierOptions> = {
  ...routingRules,
  ...transportRules,
  ajv: [
    isAjvOptions,
    "an object of customOptions, plugins that are functions, onCreate, and mode: 'JTD'",
  ],
  schemaController: [isObject, 'an object'],
  allowErrorHandlerOverride: aBoolean,
  schemaErrorFormatter: aFunction,
  bodyLimit: [(value) => Number.isInteger(value) && Number(value) > 0, 'a positive integer'],
  handlerTimeout: [isDelay, `${aTime[1]}, ${longestDelay} at most`],
  onProtoPoisoning: anAction,
  onConstructorPoisoning: anAction,
  pluginTimeout: aTime,
  exposeErrors: aBoolean,
  ...loggingRules,
  jsonShorthand: aBoolean,
  serializerOpts: anObject,
}

/** The options of a server in Fastify's dialect: a value that is null, false, 0 or empty text, and no value of its option,
 *  is none; for a boolean it is false. A wrong `bodyLimit` stays an error. */
export function withoutNone(options: EspalierOptions): EspalierOptions {
  const known: Readonly<Record<string, Rule>> = rules
  const given = Object.entries(options).flatMap(([name, value]: [string, unknown]) => {
    const rule = Object.hasOwn(known, name) ? known[name] : undefined
    if (rule === undefined || Boolean(value) || name === 'bodyLimit') return [[name, value]]
    if (rule === aBoolean && value !== undefined) return [[name, false]]
    const isValue = (value === false || value === 0) && rule[0] !== anything[0] && rule[0](value)
    return isValue ? [[name, value]] : []
  })
  return Object.fromEntries(given) as EspalierOptions
}

/** Checks the factory's options and fills in the defaults.
 *  @throws ESP_ERR_INIT_OPTS_INVALID for an unknown option and a wrong value */
export function normalizeOptions(options: EspalierOptions, dialect: Dialect): NormalizedOptions {
  const { refusesUnknown } = dialect.boot
  checkOptions(options, refusesUnknown)
  const { schemaController, schemaErrorFormatter } = options
  return {
    ...normalizeRouting(options),
    ...normalizeTransport(options),
    initialConfig: createInitialConfig(options),
    ajv: options.ajv ?? {},
    bodyLimit: options.bodyLimit ?? 1_048_576,
    handlerTimeout: options.handlerTimeout ?? 0,
    onProtoPoisoning: options.onProtoPoisoning ?? 'error',
    onConstructorPoisoning: options.onConstructorPoisoning ?? 'error',
    pluginTimeout: options.pluginTimeout ?? 10_000,
    allowErrorHandlerOverride: options.allowErrorHandlerOverride ?? true,
    exposeErrors: options.exposeErrors ?? dialect.errors.exposesMessages,
    logging: normalizeLogging(options, !refusesUnknown),
    dialect,
    jsonShorthand: options.jsonShorthand ?? options.ajv?.mode !== 'JTD',
    serializerOpts: options.serializerOpts ?? {},
    ...(schemaController !== undefined && { schemaController }),
    ...(schemaErrorFormatter !== undefined && { schemaErrorFormatter }),
  }
}

function checkOptions(options: EspalierOptions, refusesUnknown: boolean): void {
  if (!isObject(options)) {
    throw new errorCodes.ESP_ERR_OPTIONS_NOT_OBJ(describe(options))
  }
  const formatter: unknown = options.schemaErrorFormatter
  if (formatter !== undefined) assertFormatter(formatter)
  for (const [name, value] of Object.entries(options)) {
    const known: Readonly<Record<string, Rule>> = rules
    const rule = Object.hasOwn(known, name) ? known[name] : undefined
    if (rule === undefined) {
      if (!refusesUnknown) continue
      throw new errorCodes.ESP_ERR_INIT_OPTS_INVALID(
        `There is no option '${name}'. There are: ${Object.keys(rules).join(', ')}`,
      )
    }
    const [fits, expected] = rule
    if (value !== undefined && !fits(value)) {
      const but = `must be ${expected}, but is ${describe(value)}`
      throw new errorCodes.ESP_ERR_INIT_OPTS_INVALID(`The option '${name}' ${but}`)
    }
  }
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
