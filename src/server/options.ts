import { errorCodes } from '../errors/codes.ts'
import type { SchemaErrorFormatter } from '../schema/compiler-types.ts'
import { describe, isObject } from '../schema/values.ts'
import type { AjvOptions } from '../validation/ajv-compiler.ts'
import {
  normalizeRouting,
  routingRules,
  type NormalizedRouting,
  type RoutingOptions,
} from './options/routing.ts'
import { aBoolean, aFunction, aTime, type Rules } from './options/rules.ts'

/** The options of `espalier()`. */
export interface EspalierOptions extends RoutingOptions {
  /** Options and plugins of the default validator. The baseline is that of the specification, 2.4. */
  readonly ajv?: AjvOptions
  /** Makes the error of a failed validation; `this` is the server. */
  readonly schemaErrorFormatter?: SchemaErrorFormatter
  /** The most bytes a body may have. @default 1048576 (1 MiB) */
  readonly bodyLimit?: number
  /** The time a plugin has to load, in milliseconds; 0 for no limit. @default 10000 */
  readonly pluginTimeout?: number
  /** How long a connection may be idle with a request in flight, in milliseconds; 0 for no limit. The
   *  onTimeout hooks run when it is closed. @default 0 */
  readonly connectionTimeout?: number
  /** Whether the messages of unforeseen errors are sent to clients. @default false */
  readonly exposeErrors?: boolean
}

/** The options of a server, each with its value. */
export type NormalizedOptions = Required<
  Omit<EspalierOptions, keyof RoutingOptions | 'schemaErrorFormatter'>
> &
  NormalizedRouting &
  Pick<EspalierOptions, 'schemaErrorFormatter'>

const rules: Rules<EspalierOptions> = {
  ...routingRules,
  ajv: [isAjvOptions, 'an object of customOptions, and plugins that are functions'],
  schemaErrorFormatter: aFunction,
  bodyLimit: [(value) => Number.isInteger(value) && Number(value) > 0, 'a positive integer'],
  pluginTimeout: aTime,
  connectionTimeout: aTime,
  exposeErrors: aBoolean,
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
  const { schemaErrorFormatter } = options
  return {
    ...normalizeRouting(options),
    ajv: options.ajv ?? {},
    bodyLimit: options.bodyLimit ?? 1_048_576,
    pluginTimeout: options.pluginTimeout ?? 10_000,
    connectionTimeout: options.connectionTimeout ?? 0,
    exposeErrors: options.exposeErrors ?? false,
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
