import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EspalierError } from '../../errors/espalier-error.ts'
import type { RootCtx } from '../../context/ctx.ts'
import type { TypedReply } from '../../typed/reply.ts'
import type { HookRequest } from '../../typed/request.ts'
import { refusePromise } from '../../errors/refuse-promise.ts'
import { describe } from '../../errors/describe.ts'
import { isObject } from '../../types/objects.ts'
import type { ConstraintStrategy } from '../routing/constraints.ts'
import type { Server } from '../types/server.ts'
import {
  aBoolean,
  aFunction,
  anObject,
  aSize,
  checkOptions,
  either,
  oneOf,
  type Rules,
} from './rules.ts'

/** Answers a request that fails before it has a route, with one of `ESP_ERR_BAD_URL`,
 *  `ESP_ERR_MAX_PARAM_LENGTH` and `ESP_ERR_ASYNC_CONSTRAINT`. */
export type FrameworkErrors = (
  this: Server,
  error: EspalierError,
  request: HookRequest<Server>,
  reply: TypedReply<RootCtx, Server>,
) => unknown

/** Answers a request with an invalid URL. */
export type RawAnswer = (path: string, request: IncomingMessage, response: ServerResponse) => void

/** The options of the router: in `routerOptions`, or with the other options of the server. */
export interface RouterOptions {
  /** Whether paths are case-sensitive. @default true */
  readonly caseSensitive?: boolean
  /** Whether a trailing slash of a path is ignored. @default false */
  readonly ignoreTrailingSlash?: boolean
  /** Whether several slashes in a row count as one. @default false */
  readonly ignoreDuplicateSlashes?: boolean
  /** The maximum length of a path parameter in characters. A longer one gets the status 414.
   *  @default 100 */
  readonly maxParamLength?: number
  /** Whether paths may have regular expressions that can take exponential time. @default false */
  readonly allowUnsafeRegex?: boolean
  /** Whether a semicolon starts the query string, as a question mark does. @default false */
  readonly useSemicolonDelimiter?: boolean
  /** Parses the text after the question mark, which may be empty. */
  readonly querystringParser?: (query: string) => unknown
  /** Custom strategies for the route option `constraints`. */
  readonly constraints?: Readonly<Record<string, ConstraintStrategy>>
  /** Replaces the not-found handlers. */
  readonly defaultRoute?: (request: IncomingMessage, response: ServerResponse) => void
  readonly onBadUrl?: RawAnswer
  readonly onMaxParamLength?: RawAnswer
  /** The metadata of a route in `printRoutes({ includeMeta })`. */
  readonly buildPrettyMeta?: (route: never) => object
  /** Whether the router generates code for its routes when the server is ready, unless the process
   *  forbids code from strings. @default false */
  readonly compile?: boolean
}

/** The options of the factory for routing. */
export interface RoutingOptions extends Omit<RouterOptions, 'compile'> {
  readonly routerOptions?: RouterOptions
  /** The deprecated form of a strategy for `version` in `constraints`. */
  readonly versioning?: Readonly<Record<'storage' | 'deriveVersion', unknown>>
  /** Whether each GET route also declares a HEAD route. @default true */
  readonly exposeHeadRoutes?: boolean
  /** Returns the URL for routing. `request.originalUrl` keeps the original one. `this` is the
   *  server. */
  readonly rewriteUrl?: (this: Server, request: IncomingMessage) => string
  /** Answers a malformed URL, a too long parameter and a failed constraint, instead of the error
   *  handler. */
  readonly frameworkErrors?: FrameworkErrors
}

const routerRules: Rules<RouterOptions> = {
  caseSensitive: aBoolean,
  ignoreTrailingSlash: aBoolean,
  ignoreDuplicateSlashes: aBoolean,
  maxParamLength: aSize,
  allowUnsafeRegex: aBoolean,
  useSemicolonDelimiter: aBoolean,
  querystringParser: aFunction,
  constraints: anObject,
  defaultRoute: aFunction,
  onBadUrl: aFunction,
  onMaxParamLength: aFunction,
  buildPrettyMeta: aFunction,
  compile: aBoolean,
}

const { compile: _compile, ...looseRules } = routerRules

export const routingRules: Rules<RoutingOptions> = {
  ...looseRules,
  routerOptions: anObject,
  versioning: anObject,
  exposeHeadRoutes: aBoolean,
  rewriteUrl: aFunction,
  frameworkErrors: either(aFunction, oneOf(null)),
}

/** The options of the router. Those in `routerOptions` win over those next to it.
 *  @throws ESP_ERR_INIT_OPTS_INVALID for an invalid `routerOptions` */
export function readRouting(options: RoutingOptions): RouterOptions {
  const { routerOptions = {}, versioning } = options
  checkOptions(routerOptions, routerRules, { parent: 'routerOptions' })
  const outside: Readonly<Record<string, unknown>> = { ...options }
  const inside: Readonly<Record<string, unknown>> = { ...routerOptions }
  const given = Object.keys(routerRules)
    .map((name) => [name, inside[name] ?? outside[name]] as const)
    .filter(([name, value]) => value !== undefined && (name !== 'compile' || name in routerOptions))
  const routing = guardRouting(Object.fromEntries(given))
  return versioning === undefined ? routing : withVersioning(routing, versioning)
}

/** Makes functions throw that return a promise, since the router does not wait. */
function guardRouting(routing: RouterOptions): RouterOptions {
  const { querystringParser, buildPrettyMeta } = routing
  return {
    ...routing,
    ...(querystringParser && {
      querystringParser: (query) => refusePromise('querystringParser', querystringParser(query)),
    }),
    ...(buildPrettyMeta && {
      buildPrettyMeta: (route) => refusePromise('buildPrettyMeta', buildPrettyMeta(route)),
    }),
  }
}

/** Turns `versioning` into a strategy for `version`. */
function withVersioning(
  routing: RouterOptions,
  { storage, deriveVersion }: NonNullable<RoutingOptions['versioning']>,
): RouterOptions {
  const version = {
    name: 'version',
    mustMatchWhenDerived: true,
    storage,
    deriveConstraint: deriveVersion,
    validate(value: unknown): void {
      if (typeof value !== 'string')
        throw new TypeError(`must be a string, but is ${describe(value)}`)
    },
  }
  const constraints = isObject(routing.constraints) ? routing.constraints : {}
  return { ...routing, constraints: { ...constraints, version: version as ConstraintStrategy } }
}
