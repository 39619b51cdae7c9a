import { errorCodes } from '../errors/codes.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { Methods } from '../http/methods.ts'
import { snapshot } from '../schema/shared-schemas.ts'
import { describe } from '../errors/describe.ts'
import { isObject, type JsonObject } from '../types/objects.ts'
import type {
  SchemaErrorFormatter,
  SerializerCompiler,
  ValidatorCompiler,
} from '../schema/compiler-types.ts'
import { mapHooks, readHook, requestHooks } from '../context/hooks.ts'
import type { HookFunction, PerHook } from '../context/hooks.ts'
import type { AnyErrorHandler, Context, ContextObjects } from '../context/context.ts'
import { hasTwoQueries, inFullForm } from './schemas/full-form.ts'
import { type LogOptions, readLogOptions } from '../lifecycle/log/log-options.ts'
import { isDelay, longestDelay } from '../lifecycle/deadline.ts'
import type { RouteOptionsFacts } from '../typed/request.ts'
import { nearMiss } from '../errors/near-miss.ts'
import type { Reply } from '../lifecycle/reply.ts'
import type { Request } from '../lifecycle/request.ts'

/** The options of a route, before they are checked. */
export interface GivenRoute {
  readonly method?: unknown
  readonly url?: unknown
  readonly path?: unknown
  readonly handler?: unknown
  readonly schema?: unknown
  readonly [option: string]: unknown
}

/** The handler of any route: `(request, reply)`. */
export type AnyHandler = (...args: never[]) => unknown

/** A declared route: its options, checked and with their defaults. */
export interface RouteDeclaration {
  readonly methods: readonly string[]
  /** The path without the prefix of the context. */
  readonly path: string
  readonly handler: AnyHandler
  readonly schema: JsonObject
  /** A copy of the schema, made when the route was declared, for the framework's own compilers. */
  readonly fixedSchema: JsonObject
  readonly config: Readonly<Record<string, unknown>>
  readonly attachValidation: boolean
  readonly exposeHeadRoute: boolean | undefined
  /** Constraints of a request besides method and path. */
  readonly constraints: Readonly<Record<string, unknown>>
  readonly prefixTrailingSlash: PrefixTrailingSlash
  /** Whether the route is strict, if it says so itself. */
  readonly strict: boolean | undefined
  readonly bodyLimit: number | undefined
  readonly handlerTimeout: number | undefined
  readonly validatorCompiler: ValidatorCompiler | undefined
  readonly serializerCompiler: SerializerCompiler | undefined
  readonly errorHandler: AnyErrorHandler | undefined
  readonly schemaErrorFormatter: SchemaErrorFormatter | undefined
  readonly log: LogOptions
  readonly hooks: PerHook<readonly HookFunction[]>
  /** Options that requests show unchanged. */
  readonly shown: Pick<RouteOptionsFacts, 'logLevel' | 'prefixTrailingSlash' | 'version'>
  /** The unknown options, each with the reason why it is refused. */
  readonly unknown: ReadonlyMap<string, string>
}

/** The URLs of a route of `/` below a prefix: with a slash behind the prefix, without, or both. */
export type PrefixTrailingSlash = 'both' | 'slash' | 'no-slash'

/** The objects of a context with the classes of its requests and replies. */
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
  /** Whether the route answers requests that no other route was found for. */
  readonly is404: boolean
  /** Whether request bodies are left unread. @default false */
  readonly ignoresBody?: boolean
}

/** Options that `readRoute` reads itself, and the options that only `onRoute` hooks see: these
 *  hooks may declare a copy of a route. */
const otherOptions = ['method', 'url', 'path', 'handler', 'schema', 'routePath', 'prefix'] as const

/** The parts of a schema. */
const schemaParts: ReadonlySet<string> = new Set([
  ...['body', 'querystring', 'query', 'params', 'headers', 'response'],
])

/** Options for which Fastify refuses false and null too. */
const neverNone = new Set(['bodyLimit', 'handlerTimeout', 'errorHandler'])

/** The rules by which the options of a route are read. */
export interface RouteRules {
  /** The methods of the server. */
  readonly methods: Methods
  /** The prefix of the path. */
  readonly prefix: string
  /** Whether short forms of schemas are expanded. */
  readonly expands: boolean
  readonly dialect: Dialect
}

/** Checks the options of a route.
 *  @param place the name of the context in error messages
 *  @throws ESP_ERR_INVALID_URL, ESP_ERR_ROUTE_METHOD_NOT_SUPPORTED, ESP_ERR_ROUTE_MISSING_HANDLER,
 *  ESP_ERR_ROUTE_OPTION, ESP_ERR_ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED,
 *  ESP_ERR_SCH_NOT_OBJECT, ESP_ERR_SCH_DUPLICATE, ESP_ERR_HOOK_* */
export function readRoute(given: GivenRoute, place: string, rules: RouteRules): RouteDeclaration {
  const { refusesUnknown } = rules.dialect.boot
  const path = readPath(given, place, rules.prefix)
  const methods = readMethods(given.method, path, place, rules.methods)
  const name = `${methods.join(',')} ${path}`
  if (!isFunction(given.handler)) throw new errorCodes.ESP_ERR_ROUTE_MISSING_HANDLER(name, place)
  const option = new OptionReader(given, name, place, rules.dialect)
  // Fastify has this option: to ignore it would be worse.
  option.read('serializerOpts', isUndefined, 'is not supported')
  const schema = readSchema(given.schema, methods, `${name} in ${place}`, rules)
  return {
    methods,
    path,
    handler: given.handler,
    schema,
    fixedSchema: snapshot(schema),
    config: option.read('config', isObject, 'must be an object') ?? {},
    attachValidation: option.read('attachValidation', isBoolean, 'must be a boolean') ?? false,
    constraints: readConstraints(option),
    prefixTrailingSlash:
      option.read('prefixTrailingSlash', isSlash, "must be 'both', 'slash' or 'no-slash'") ??
      'both',
    exposeHeadRoute: option.read('exposeHeadRoute', isBoolean, 'must be a boolean'),
    strict: option.read('strict', isBoolean, 'must be a boolean'),
    bodyLimit: option.read('bodyLimit', isSize, 'must be a positive integer of bytes'),
    handlerTimeout: option.read('handlerTimeout', isDelay, delayRule),
    validatorCompiler: option.function<ValidatorCompiler>('validatorCompiler'),
    serializerCompiler: option.function<SerializerCompiler>('serializerCompiler'),
    errorHandler: option.function<AnyErrorHandler>('errorHandler'),
    schemaErrorFormatter: option.function<SchemaErrorFormatter>('schemaErrorFormatter'),
    log: readLogOptions((...question) => option.read(...question)),
    hooks: readHooks(given, place),
    shown: readShown(given),
    // This has to come after all options that are read.
    unknown: refusesUnknown ? option.unknown() : new Map(),
  }
}

const delayRule = `must be a whole number of milliseconds, ${longestDelay} at most`

/** The route without those unknown options that an `onRoute` hook reads. Parts of a schema stay
 *  unknown: otherwise they would not be validated. */
export function withKnown(
  route: RouteDeclaration,
  isKnown: (option: string) => boolean,
): RouteDeclaration {
  const left = [...route.unknown].filter(([name]) => schemaParts.has(name) || !isKnown(name))
  return { ...route, unknown: new Map(left) }
}

/** Refuses unknown options.
 *  @param place the name of the context in error messages
 *  @throws ESP_ERR_ROUTE_OPTION */
export function refuseUnknown(route: RouteDeclaration, place: string): void {
  for (const [option, why] of route.unknown) {
    const name = `${route.methods.join(',')} ${route.path}`
    throw new errorCodes.ESP_ERR_ROUTE_OPTION(option, name, place, why)
  }
}

/** Reads the options of one route, and remembers which options it has read. */
class OptionReader {
  readonly #given: GivenRoute
  readonly #route: string
  readonly #place: string
  readonly dialect: Dialect
  readonly #known = new Set([...otherOptions, ...Object.keys(requestHooks)])

  constructor(given: GivenRoute, route: string, place: string, dialect: Dialect) {
    this.#given = given
    this.#route = route
    this.#place = place
    this.dialect = dialect
  }

  /** @throws ESP_ERR_ROUTE_OPTION if the value does not fit */
  read<Value>(
    name: string,
    fits: (value: unknown) => value is Value,
    rule: string,
  ): Value | undefined {
    this.#known.add(name)
    const value = this.#given[name]
    if (value === undefined || fits(value)) return value
    if (this.dialect.boot.falsyIsNone && !value && !neverNone.has(name)) return undefined
    const but = `${rule}, but is ${describe(value)}`
    throw new errorCodes.ESP_ERR_ROUTE_OPTION(name, this.#route, this.#place, but)
  }

  function<Shape extends AnyHandler>(name: string): Shape | undefined {
    return this.read(name, isFunction<Shape>, 'must be a function')
  }

  /** The options that were not read, each with the reason why it is refused. */
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
  const meant = near === undefined ? '' : `Did you mean '${near}'? Otherwise `
  const remedy = near === undefined ? 'Register' : 'register'
  return `is unknown to routes, and no onRoute hook of its scope reads it. ${meant}${remedy} the plugin that reads it in the context of the route, or above; other facts of a route go into 'config'`
}

/** The constraints of a route. Fastify 2 had `version` as an option of its own. */
function readConstraints(option: OptionReader): RouteDeclaration['constraints'] {
  const constraints = option.read('constraints', isObject, 'must be an object') ?? {}
  const version = option.read('version', isString, 'must be a string')
  if (version === undefined) return constraints
  option.dialect.errors.deprecate('ESP_DEP_VERSION')
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
  if (methods.length === 0) {
    throw new errorCodes.ESP_ERR_ROUTE_METHOD_NOT_SUPPORTED(path, place, 'none')
  }
  return methods as string[]
}

function readSchema(
  given: unknown,
  methods: readonly string[],
  route: string,
  { methods: known, expands, dialect }: RouteRules,
): JsonObject {
  const schema = dialect.boot.falsyIsNone ? given || undefined : given
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
  return inFullForm(schema, expands)
}

/** One list for all routes: a route has few of the hooks. */
const none: readonly HookFunction[] = []

function readHooks(given: GivenRoute, place: string): RouteDeclaration['hooks'] {
  return mapHooks((name) => {
    const hooks = given[name] ?? none
    return hooks === none ? none : [hooks].flat().map((hook) => readHook(name, hook, place))
  })
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
