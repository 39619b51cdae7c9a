import { errorCodes } from '../errors/codes.ts'
import type { SchemaController, SchemaErrorFormatter } from '../schema/compiler-types.ts'
import { describe, isObject } from '../schema/values.ts'
import {
  isPoisoningAction,
  poisoningActions,
  type PoisoningAction,
} from '../context/content/default-parsers.ts'
import type { AjvOptions } from '../validation/ajv-compiler.ts'
import {
  loggingRules,
  normalizeLogging,
  type LoggingOptions,
  type NormalizedLogging,
} from './logging/options.ts'

/** The options of `espalier()`. */
export interface EspalierOptions extends LoggingOptions {
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
  /** What becomes of JSON with a key `__proto__`: it is refused, or loses it, or keeps it.
   *  @default 'error' */
  readonly onProtoPoisoning?: PoisoningAction
  /** The same for a key `constructor` whose value has `prototype`. @default 'error' */
  readonly onConstructorPoisoning?: PoisoningAction
  /** The time a plugin has to load, in milliseconds; 0 for no limit. @default 10000 */
  readonly pluginTimeout?: number
  /** How long a connection may be idle with a request in flight, in milliseconds; 0 for no limit. The
   *  onTimeout hooks run when it is closed. @default 0 */
  readonly connectionTimeout?: number
  /** Whether a HEAD route is declared with each GET route. @default true */
  readonly exposeHeadRoutes?: boolean
  /** Whether the messages of unforeseen errors are sent to clients. @default false */
  readonly exposeErrors?: boolean
  /** Whether an error that is thrown is answered with the status that was set before, if that is not 200, rather
   *  than with its own, else 500. @default false, as `exposeErrors`; both true for the factory `fastify` */
  readonly keepErrorStatus?: boolean
}

/** The options of a server, each with its value. */
export type NormalizedOptions = Required<Omit<EspalierOptions, OpenOption | keyof LoggingOptions>> &
  Pick<EspalierOptions, OpenOption> & { readonly logging: NormalizedLogging }

/** The options that stay undefined where they are not given. */
type OpenOption = 'schemaErrorFormatter' | 'schemaController'

type Rule = readonly [fits: (value: unknown) => boolean, expected: string]

const aBoolean: Rule = [(value) => typeof value === 'boolean', 'a boolean']
const anAction: Rule = [isPoisoningAction, poisoningActions]
const aTime: Rule = [
  (value) => Number.isInteger(value) && Number(value) >= 0,
  'a whole number of milliseconds',
]
const rules: Readonly<Record<keyof EspalierOptions, Rule>> = {
  ajv: [isAjvOptions, 'an object of customOptions, and plugins that are functions'],
  schemaController: [isObject, 'an object'],
  allowErrorHandlerOverride: aBoolean,
  schemaErrorFormatter: [(value) => typeof value === 'function', 'a function'],
  bodyLimit: [(value) => Number.isInteger(value) && Number(value) > 0, 'a positive integer'],
  onProtoPoisoning: anAction,
  onConstructorPoisoning: anAction,
  pluginTimeout: aTime,
  connectionTimeout: aTime,
  exposeHeadRoutes: aBoolean,
  exposeErrors: aBoolean,
  ...loggingRules,
  keepErrorStatus: aBoolean,
}

/** Checks the factory's options and fills in the defaults.
 *  @throws ESP_ERR_INIT_OPTS_INVALID for an unknown option and a wrong value */
export function normalizeOptions(options: EspalierOptions): NormalizedOptions {
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof EspalierOptions] : undefined
    if (rule === undefined) {
      const known = Object.keys(rules).join(', ')
      throw new errorCodes.ESP_ERR_INIT_OPTS_INVALID(
        `There is no option '${name}'. There are: ${known}`,
      )
    }
    const [fits, expected] = rule
    if (value !== undefined && !fits(value)) {
      const but = `must be ${expected}, but is ${describe(value)}`
      throw new errorCodes.ESP_ERR_INIT_OPTS_INVALID(`The option '${name}' ${but}`)
    }
  }
  const { schemaController, schemaErrorFormatter } = options
  return {
    ajv: options.ajv ?? {},
    bodyLimit: options.bodyLimit ?? 1_048_576,
    onProtoPoisoning: options.onProtoPoisoning ?? 'error',
    onConstructorPoisoning: options.onConstructorPoisoning ?? 'error',
    pluginTimeout: options.pluginTimeout ?? 10_000,
    connectionTimeout: options.connectionTimeout ?? 0,
    allowErrorHandlerOverride: options.allowErrorHandlerOverride ?? true,
    exposeHeadRoutes: options.exposeHeadRoutes ?? true,
    exposeErrors: options.exposeErrors ?? false,
    logging: normalizeLogging(options),
    keepErrorStatus: options.keepErrorStatus ?? false,
    ...(schemaController !== undefined && { schemaController }),
    ...(schemaErrorFormatter !== undefined && { schemaErrorFormatter }),
  }
}

function isAjvOptions(value: unknown): boolean {
  if (!isObject(value)) return false
  const { customOptions = {}, plugins = [], ...unknown } = value
  if (!isObject(customOptions) || !Array.isArray(plugins)) return false
  const isPlugin = (entry: unknown): boolean => {
    const plugin: unknown = Array.isArray(entry) ? entry[0] : entry
    return (
      typeof plugin === 'function' || (isObject(plugin) && typeof plugin['default'] === 'function')
    )
  }
  return Object.keys(unknown).length === 0 && plugins.every(isPlugin)
}
