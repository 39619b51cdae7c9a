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
import { createInitialConfig, type InitialConfig } from './options/initial-config.ts'
import { foreignRules } from './options/names.ts'
import { aBoolean, aFunction, aTime, type Rule, type Rules } from './options/rules.ts'
import {
  normalizeTransport,
  transportRules,
  type NormalizedTransport,
  type TransportOptions,
} from './options/transport.ts'

/** The options of `espalier()`. */
export interface EspalierOptions extends RoutingOptions, TransportOptions {
  /** Options and plugins of the default validator. The baseline is that of the specification, 2.4. */
  readonly ajv?: AjvOptions
  /** Makes the error of a failed validation; `this` is the server. */
  readonly schemaErrorFormatter?: SchemaErrorFormatter
  /** The most bytes a body may have. @default 1048576 (1 MiB) */
  readonly bodyLimit?: number
  /** The time a plugin has to load, in milliseconds; 0 for no limit. @default 10000 */
  readonly pluginTimeout?: number
  /** Whether the messages of unforeseen errors are sent to clients. @default false */
  readonly exposeErrors?: boolean
}

/** The options of a server, each with its value. */
export type NormalizedOptions = Required<
  Omit<EspalierOptions, keyof RoutingOptions | keyof TransportOptions | 'schemaErrorFormatter'>
> &
  NormalizedRouting &
  NormalizedTransport & { readonly initialConfig: InitialConfig } & Pick<
    EspalierOptions,
    'schemaErrorFormatter'
  >

const rules: Rules<EspalierOptions> = {
  ...routingRules,
  ...transportRules,
  ajv: [isAjvOptions, 'an object of customOptions, and plugins that are functions'],
  schemaErrorFormatter: aFunction,
  bodyLimit: [(value) => Number.isInteger(value) && Number(value) > 0, 'a positive integer'],
  pluginTimeout: aTime,
  exposeErrors: aBoolean,
}

/** Checks the factory's options and fills in the defaults.
 *  @throws ESP_ERR_INIT_OPTS_INVALID for an unknown option and a wrong value */
export function normalizeOptions(options: EspalierOptions): NormalizedOptions {
  for (const [name, value] of Object.entries(options)) {
    const known: Readonly<Record<string, Rule>> = { ...foreignRules, ...rules }
    const rule = Object.hasOwn(known, name) ? known[name] : undefined
    if (rule === undefined) {
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
  const { schemaErrorFormatter } = options
  return {
    ...normalizeRouting(options),
    ...normalizeTransport(options),
    initialConfig: createInitialConfig(options),
    ajv: options.ajv ?? {},
    bodyLimit: options.bodyLimit ?? 1_048_576,
    pluginTimeout: options.pluginTimeout ?? 10_000,
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
