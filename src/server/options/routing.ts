import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EspalierError } from '../../errors/espalier-error.ts'
import type { RootCtx } from '../../context/ctx.ts'
import type { TypedReply } from '../../typed/reply.ts'
import type { HookRequest } from '../../typed/request.ts'
import { atOnce, describe, isObject } from '../../schema/values.ts'
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

/** Answers what is wrong with a request before it has a route: `ESP_ERR_BAD_URL`,
 *  `ESP_ERR_MAX_PARAM_LENGTH`, `ESP_ERR_ASYNC_CONSTRAINT`. */
export type FrameworkErrors = (
  this: Server,
  error: EspalierError,
  request: HookRequest<Server>,
  reply: TypedReply<RootCtx, Server>,
) => unknown

/** Answers by itself a request whose URL has something wrong with it. */
export type RawAnswer = (path: string, request: IncomingMessage, response: ServerResponse) => void

/** How routes are found: these may stand beside the other options, or in `routerOptions`. */
export interface RouterOptions {
  /** Whether `/A` is another path than `/a`. @default true */
  readonly caseSensitive?: boolean
  /** Whether a slash behind a path makes no difference. @default false */
  readonly ignoreTrailingSlash?: boolean
  /** Whether several slashes in a row are one. @default false */
  readonly ignoreDuplicateSlashes?: boolean
  /** The most characters that a path parameter may have; a longer one is answered with 414.
   *  @default 100 */
  readonly maxParamLength?: number
  /** Whether paths may have regular expressions that can take exponential time. @default false */
  readonly allowUnsafeRegex?: boolean
  /** Whether a semicolon begins the query string, as a question mark does. @default false */
  readonly useSemicolonDelimiter?: boolean
  /** Parses the text behind the question mark, which may be empty. */
  readonly querystringParser?: (query: string) => unknown
  /** Strategies of one's own for the route option `constraints`. */
  readonly constraints?: Readonly<Record<string, ConstraintStrategy>>
  /** Takes the place of the not-found handlers. */
  readonly defaultRoute?: (request: IncomingMessage, response: ServerResponse) => void
  readonly onBadUrl?: RawAnswer
  readonly onMaxParamLength?: RawAnswer
  /** What `printRoutes({ includeMeta })` shows of a route. */
  readonly buildPrettyMeta?: (route: never) => object
  /** Whether the routes are compiled into code of their own when the server is ready. @default
   *  false */
  readonly compile?: boolean
}

/** The options of the factory about routing. */
export interface RoutingOptions extends Omit<RouterOptions, 'compile'> {
  readonly routerOptions?: RouterOptions
  /** What a strategy for `version` in `constraints` was once. */
  readonly versioning?: Readonly<Record<'storage' | 'deriveVersion', unknown>>
  /** Whether a HEAD route is declared with each GET route. @default true */
  readonly exposeHeadRoutes?: boolean
  /** Gives the URL that is routed; `request.originalUrl` keeps the one that came. `this` is the
   *  server. */
  readonly rewriteUrl?: (this: Server, request: IncomingMessage) => string
  /** Answers a malformed URL, an over-long parameter and a failed constraint, instead of the error
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

/** The options of the router: those in `routerOptions`, and those beside it which it does not set.
 *  @throws ESP_ERR_INIT_OPTS_INVALID for a wrong value in `routerOptions` */
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

/** The router waits for nothing. */
function guardRouting(routing: RouterOptions): RouterOptions {
  const { querystringParser, buildPrettyMeta } = routing
  return {
    ...routing,
    ...(querystringParser && {
      querystringParser: (query) => atOnce('querystringParser', querystringParser(query)),
    }),
    ...(buildPrettyMeta && {
      buildPrettyMeta: (route) => atOnce('buildPrettyMeta', buildPrettyMeta(route)),
    }),
  }
}

/** What `versioning` was is a strategy for versions now. */
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
