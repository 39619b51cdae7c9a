import { errorCodes } from '../errors/codes.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { DeprecationCode } from '../errors/deprecations.ts'
import type { Methods } from '../http/methods.ts'
import { snapshot } from '../schema/snapshot.ts'
import { describe, isObject, type JsonObject } from '../schema/values.ts'
import type {
  SchemaErrorFormatter,
  SerializerCompiler,
  ValidatorCompiler,
} from '../schema/compiler-types.ts'
import {
  type HookFunction,
  mapHooks,
  type PerHook,
  readHook,
  requestHooks,
} from '../context/hooks.ts'
import type { Context, ContextObjects, AnyErrorHandler } from '../context/context.ts'
import { hasTwoQueries, inFullForm } from './schemas/full-form.ts'
import { type LogOptions, readLogOptions } from '../lifecycle/log/log-options.ts'
import { isDelay, longestDelay } from '../lifecycle/deadline.ts'
import type { RouteOptionsFacts } from '../typed/request.ts'
import { nearMiss } from '../validation/near-miss.ts'
import type { Reply } from '../lifecycle/reply.ts'
import type { Request } from '../lifecycle/request.ts'

/** What a user gives for a route, before it is checked. */
export interface GivenRoute {
  readonly method?: unknown
  readonly url?: unknown
  readonly path?: unknown
  readonly handler?: unknown
  readonly schema?: unknown
  readonly [option: string]: unknown
}

/** Answers a request: `(request, reply)`. */
export type AnyHandler = (...args: never[]) => unknown

/** A route as it was declared, checked and with its defaults. */
export interface RouteDeclaration {
  readonly methods: readonly string[]
  /** The path without the prefix of its context. */
  readonly path: string
  readonly handler: AnyHandler
  readonly schema: JsonObject
  /** The schema as it was when the route was declared, for the framework's own compilers. */
  readonly fixedSchema: JsonObject
  readonly config: Readonly<Record<string, unknown>>
  readonly attachValidation: boolean
  readonly exposeHeadRoute: boolean | undefined
  /** What a request must be besides its method and path; empty for any. */
  readonly constraints: Readonly<Record<string, unknown>>
  readonly prefixTrailingSlash: PrefixTrailingSlash
  readonly bodyLimit: number | undefined
  readonly handlerTimeout: number | undefined
  readonly validatorCompiler: ValidatorCompiler | undefined
  readonly serializerCompiler: SerializerCompiler | undefined
  readonly errorHandler: AnyErrorHandler | undefined
  readonly schemaErrorFormatter: SchemaErrorFormatter | undefined
  readonly log: LogOptions
  readonly hooks: PerHook<readonly HookFunction[]>
  /** What a request shows of the route as it was given. */
  readonly shown: Pick<RouteOptionsFacts, 'logLevel' | 'prefixTrailingSlash' | 'version'>
  /** The options that routes do not have, each with what is wrong with it. */
  readonly unknown: ReadonlyMap<string, string>
}

/** How a route of `/` below a prefix is met: with a slash behind the prefix, without, or both. */
export type PrefixTrailingSlash = 'both' | 'slash' | 'no-slash'

/** What routes of Fastify may have and ours have not: to ignore one is worse. */
const unsupportedOptions = ['serializerOpts'] as const

/** Options that are read apart, and what onRoute hooks are shown besides: they may declare a copy of a route. */
const readApart = ['method', 'url', 'path', 'handler', 'schema', 'routePath', 'prefix'] as const

/** The parts of a schema, in all their names. */
const schemaParts: ReadonlySet<string> = new Set([
  ...['body', 'querystring', 'query', 'params', 'headers', 'response'],
])

/** Those whose wrong values are errors in Fastify too, false and null among them. */
const neverNone = new Set(['bodyLimit', 'handlerTimeout', 'errorHandler'])

/** What a route is read by. */
export interface RouteRules {
  /** The methods of the server. */
  readonly methods: Methods
  /** What the path stands behind, with a slash of its own or without. */
  readonly prefix: string
  /** Whether short forms of schemas become full ones. */
  readonly expands: boolean
  readonly dialect: Dialect
}

/** Checks what a user gave for a route.
 *  @param place what messages call the context
 *  @throws ESP_ERR_INVALID_URL, ESP_ERR_ROUTE_METHOD_NOT_SUPPORTED, ESP_ERR_ROUTE_MISSING_HANDLER, ESP_ERR_ROUTE_OPTION,
 *  ESP_ERR_ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED, ESP_ERR_SCH_NOT_OBJECT, ESP_ERR_SCH_DUPLICATE, ESP_ERR_HOOK_* */
export function readRoute(given: GivenRoute, place: string, rules: RouteRules): RouteDeclaration {
  const { methods: known, prefix, dialect } = rules
  const { refusesUnknown, falsyIsNone } = dialect.boot
  const path = readPath(given, place, prefix)
  const methods = readMethods(given.method, path, place, known)
  const name = `${methods.join(',')} ${path}`
  if (!isFunction(given.handler)) throw new errorCodes.ESP_ERR_ROUTE_MISSING_HANDLER(name, place)
  const option = new OptionReader(given, { name, place, dialect })
  refuseUnsupported(option)
  const schema = readSchema(
    {
      schema: falsyIsNone ? given.schema || undefined : given.schema,
      methods,
      route: `${name} in ${place}`,
    },
    rules,
  )
  return {
    methods,
    path,
    handler: given.handler,
    schema,
    fixedSchema: snapshot(schema),
    config: option.read('config', isObject, 'must be an object') ?? {},
    attachValidation: option.read('attachValidation', isBoolean, 'must be a boolean') ?? false,
    ...readPlace(option),
    ...readLimits(option),
    ...readFunctions(option),
    log: readLogOptions((...question) => option.read(...question)),
    hooks: readHooks(given, place),
    shown: readShown(given),
    // Behind all that is read.
    unknown: refusesUnknown ? option.unknown() : new Map(),
  }
}

/** A route without the unknown options that an onRoute hook knows. Parts of a schema stay unknown: nothing would be
 *  validated. */
export function withKnown(
  route: RouteDeclaration,
  isKnown: (option: string) => boolean,
): RouteDeclaration {
  const left = [...route.unknown].filter(([name]) => schemaParts.has(name) || !isKnown(name))
  return { ...route, unknown: new Map(left) }
}

/** Refuses options that nobody knows.
 *  @param place what messages call the context
 *  @throws ESP_ERR_ROUTE_OPTION */
export function refuseUnknown(route: RouteDeclaration, place: string): void {
  for (const [option, why] of route.unknown) {
    const name = `${route.methods.join(',')} ${route.path}`
    throw new errorCodes.ESP_ERR_ROUTE_OPTION(option, name, place, why)
  }
}

function readLimits(option: OptionReader): Pick<RouteDeclaration, 'bodyLimit' | 'handlerTimeout'> {
  const time = `must be a whole number of milliseconds, ${longestDelay} at most`
  return {
    bodyLimit: option.read('bodyLimit', isSize, 'must be a positive integer of bytes'),
    handlerTimeout: option.read('handlerTimeout', isDelay, time),
  }
}

function readFunctions(option: OptionReader) {
  const rule = 'must be a function'
  return {
    validatorCompiler: option.read('validatorCompiler', isFunction<ValidatorCompiler>, rule),
    serializerCompiler: option.read('serializerCompiler', isFunction<SerializerCompiler>, rule),
    errorHandler: option.read('errorHandler', isFunction<AnyErrorHandler>, rule),
    schemaErrorFormatter: option.read(
      'schemaErrorFormatter',
      isFunction<SchemaErrorFormatter>,
      rule,
    ),
  }
}

interface ReadFor {
  readonly name: string
  readonly place: string
  readonly dialect: Dialect
}

class OptionReader {
  readonly #given: GivenRoute
  readonly #route: ReadFor
  readonly #known = new Set([...readApart, ...Object.keys(requestHooks)])
  constructor(given: GivenRoute, route: ReadFor) {
    this.#given = given
    this.#route = route
  }
  read<Value>(
    name: string,
    fits: (value: unknown) => value is Value,
    rule: string,
  ): Value | undefined {
    this.#known.add(name)
    const value = this.#given[name]
    if (value === undefined || fits(value)) return value
    const { name: route, place, dialect } = this.#route
    if (dialect.boot.falsyIsNone && !value && !neverNone.has(name)) return undefined
    const but = `${rule}, but is ${describe(value)}`
    throw new errorCodes.ESP_ERR_ROUTE_OPTION(name, route, place, but)
  }

  deprecate(code: DeprecationCode): void {
    this.#route.dialect.errors.deprecate(code)
  }

  /** The options that were not read, each with what is wrong with it. */
  unknown(): ReadonlyMap<string, string> {
    const names = Object.keys(this.#given).filter((name) => this.#given[name] !== undefined)
    const others = names.filter((name) => !this.#known.has(name))
    return new Map(others.map((name) => [name, explainUnknown(name, this.#known)]))
  }
}

function explainUnknown(name: string, known: Iterable<string>): string {
  if (schemaParts.has(name)) {
    return `has no effect there: it is a part of the schema. Write { schema: { ${name}: … } }`
  }
  const near = nearMiss(name, known)
  const meant = near === undefined ? '' : `Is '${near}' meant? `
  return `is unknown to routes, and no onRoute hook reads it. ${meant}A plugin that reads it is registered before the route; other facts of a route go into 'config'`
}

function refuseUnsupported(option: OptionReader): void {
  for (const name of unsupportedOptions) option.read(name, isUndefined, 'is not supported')
}

/** Where a route is found. */
function readPlace(
  option: OptionReader,
): Pick<RouteDeclaration, 'constraints' | 'prefixTrailingSlash' | 'exposeHeadRoute'> {
  return {
    constraints: readConstraints(option),
    prefixTrailingSlash:
      option.read('prefixTrailingSlash', isSlash, "must be 'both', 'slash' or 'no-slash'") ??
      'both',
    exposeHeadRoute: option.read('exposeHeadRoute', isBoolean, 'must be a boolean'),
  }
}

/** The constraints of a route. `version` was an option of its own once. */
function readConstraints(option: OptionReader): RouteDeclaration['constraints'] {
  const constraints = option.read('constraints', isObject, 'must be an object') ?? {}
  const version = option.read('version', isString, 'must be a string')
  if (version === undefined) return constraints
  option.deprecate('ESP_DEP_VERSION')
  return { ...constraints, version }
}

function readPath({ url, path }: GivenRoute, place: string, prefix: string): string {
  const given = url ?? path
  const isPath = typeof given === 'string' && (given === '' || /^[/*]/.test(prefix + given))
  if (!isPath) throw new errorCodes.ESP_ERR_INVALID_URL(place, describe(given))
  return given
}

function readMethods(given: unknown, path: string, place: string, known: Methods): string[] {
  const list: unknown[] = Array.isArray(given) ? given : [given]
  const methods = list.map((method) => (typeof method === 'string' ? method.toUpperCase() : method))
  for (const method of methods) {
    if (typeof method !== 'string' || !known.has(method)) {
      throw new errorCodes.ESP_ERR_ROUTE_METHOD_NOT_SUPPORTED(path, place, describe(method))
    }
  }
  if (methods.length === 0)
    throw new errorCodes.ESP_ERR_ROUTE_METHOD_NOT_SUPPORTED(path, place, 'none')
  return methods as string[]
}

interface SchemaOf {
  readonly schema: unknown
  readonly methods: readonly string[]
  readonly route: string
}

function readSchema(
  { schema, methods, route }: SchemaOf,
  { methods: known, expands, dialect }: RouteRules,
): JsonObject {
  if (schema === undefined) return {}
  if (!isObject(schema)) {
    throw new errorCodes.ESP_ERR_SCH_NOT_OBJECT(`The schema of ${route}`, describe(schema))
  }
  if (hasTwoQueries(schema) && dialect.boot.checksEarly) {
    throw new errorCodes.ESP_ERR_SCH_DUPLICATE(`The schema of ${route}`, 'querystring', 'query')
  }
  const bodyless = methods.find((method) => !known.hasBody(method))
  if (schema['body'] !== undefined && bodyless !== undefined) {
    throw new errorCodes.ESP_ERR_ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED(route, bodyless)
  }
  return inFullForm(schema, expands, dialect.validation)
}

function readHooks(given: GivenRoute, place: string): RouteDeclaration['hooks'] {
  return mapHooks((name) => [given[name] ?? []].flat().map((hook) => readHook(name, hook, place)))
}

function readShown(given: GivenRoute): RouteDeclaration['shown'] {
  const { logLevel, prefixTrailingSlash, constraints, version } = given
  const constrained = isObject(constraints) ? constraints['version'] : undefined
  return { logLevel, prefixTrailingSlash, version: constrained ?? version }
}

function isFunction<Shape extends AnyHandler>(value: unknown): value is Shape {
  return typeof value === 'function'
}

function isUndefined(value: unknown): value is undefined {
  return value === undefined
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isSlash(value: unknown): value is PrefixTrailingSlash {
  return value === 'both' || value === 'slash' || value === 'no-slash'
}

function isSize(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0
}

/** The objects of a context whose requests and replies are made by these classes. */
export interface ExchangeClasses extends ContextObjects {
  readonly Request: typeof Request
  readonly Reply: typeof Reply
}

/** A declared route under one method and full path. */
export interface RouteRegistration {
  readonly declaration: RouteDeclaration
  readonly context: Context<ExchangeClasses>
  readonly method: string
  readonly url: string
  /** Whether it answers requests that no route was found for. */
  readonly is404: boolean
  /** Whether the bodies of its requests are left unread. @default false */
  readonly ignoresBody?: boolean
}
