import { errorCodes } from '../errors/codes.ts'
import { describe, isObject } from '../schema/values.ts'
import {
  type GivenRoute,
  readRoute,
  type RouteDeclaration,
  type RouteRules,
  withKnown,
} from '../route/declaration.ts'
import { guard } from '../lifecycle/log/guard.ts'
import { writeFailure } from './log.ts'
import type { ServerContext } from './context-objects.ts'
import type { RouterOptions } from './options/routing.ts'
import { joinPath, urlsOf } from './routing/urls.ts'

/** The route in the arguments of a shortcut: `(path, handler)`, `(path, options, handler)`, or
 *  `(path, options)`.
 *  @throws ESP_ERR_ROUTE_ARGUMENTS */
export function readShortcut(
  name: string,
  method: readonly string[],
  [url, options, handler]: readonly unknown[],
  place: string,
): GivenRoute {
  const wrong = (what: string): Error =>
    new errorCodes.ESP_ERR_ROUTE_ARGUMENTS(name, url, place, what)
  if (typeof options !== 'function' && !isObject(options)) {
    throw wrong(`options are an object or the handler, not ${describe(options)}`)
  }
  if (isObject(options) && options['handler'] !== undefined && handler !== undefined) {
    throw wrong('there are two handlers')
  }
  const given =
    typeof options === 'function'
      ? { handler: options }
      : { ...options, handler: options['handler'] ?? handler }
  return { ...given, method: method.length === 1 ? method[0] : method, url }
}

/** The not-found handler in the arguments of `setNotFoundHandler`: `(handler)` or `(options, handler)`,
 *  whose options are hooks.
 *  @throws ESP_ERR_FUNCTION_EXPECTED, ESP_ERR_INIT_OPTS_INVALID, ESP_ERR_ROUTE_OPTION, ESP_ERR_HOOK_* */
export function readNotFound(
  args: readonly unknown[],
  place: string,
  rules: RouteRules,
): RouteDeclaration {
  const [options, handler] = args.length > 1 ? args : [{}, args[0]]
  if (typeof handler !== 'function') {
    throw new errorCodes.ESP_ERR_FUNCTION_EXPECTED('setNotFoundHandler', place, describe(handler))
  }
  if (options !== undefined && !isObject(options)) {
    const what = `must be an object, but are ${describe(options)}`
    throw new errorCodes.ESP_ERR_INIT_OPTS_INVALID(
      `The options of setNotFoundHandler in ${place} ${what}`,
    )
  }
  const { preValidation, preHandler, ...others } = options ?? {}
  const [unknown] = Object.keys(others)
  if (unknown !== undefined && rules.dialect.boot.refusesUnknown) {
    const rule = 'is not supported: there are preValidation and preHandler'
    throw new errorCodes.ESP_ERR_ROUTE_OPTION(unknown, 'setNotFoundHandler', place, rule)
  }
  const own = { method: 'GET', path: '*', url: '*', handler, preValidation, preHandler }
  return readRoute({ ...others, ...own }, place, rules)
}

/** A route as the onRoute hooks have left it. */
export interface AnnouncedRoute {
  readonly declaration: RouteDeclaration
  /** The route that stands beside it for HEAD, where it wants one: the hooks see that one too. */
  head(): RouteDeclaration
}

type Read = (given: GivenRoute) => RouteDeclaration

/** Shows a route that is being declared to the onRoute hooks of its context and those above, which may
 *  change it, and reads what they leave of it. They see its schema without short forms. An option that
 *  routes do not have is known where a hook reads it.
 *  @throws what `read` throws, ESP_ERR_ROUTE_PATH, and what the hooks throw */
export function announceRoute(
  given: GivenRoute,
  context: ServerContext,
  read: Read,
  routing: RouterOptions,
): AnnouncedRoute {
  const declaration = read(given)
  const hooks = context.hooks.collect('onRoute')
  if (hooks.length === 0) return { declaration, head: () => declaration }
  let head: RouteDeclaration | undefined
  const used = new Set<string>()
  const scope = { context, routing, used }
  const announced = read(announce(given, declaration, scope))
  // What a hook has added it knows.
  const isKnown = (name: string): boolean => used.has(name) || !declaration.unknown.has(name)
  return {
    declaration: withKnown(announced, isKnown),
    head: () => {
      head ??= read(announce({ ...given, method: 'HEAD' }, declaration, scope))
      return withKnown(head, isKnown)
    },
  }
}

interface Scope {
  readonly context: ServerContext
  readonly routing: RouterOptions
  /** The options that routes do not have and a hook has read or set. */
  readonly used: Set<string>
}

/** Calls the hooks with an object of their own, and gives what it has become. */
function announce(
  given: GivenRoute,
  declaration: RouteDeclaration,
  { context, routing, used }: Scope,
): GivenRoute {
  const { path, schema, attachValidation } = declaration
  const { prefix, hooks, objects } = context
  const routePath =
    prefix !== '' && path === '/' && given.prefixTrailingSlash !== 'slash' ? '' : path
  const url = prefix === '' && path === '' ? '/' : joinPath(prefix, routePath)
  const logLevel = given['logLevel'] ?? context.resolve('logLevel') ?? ''
  const own = { attachValidation, url, path: url, routePath, prefix, logLevel }
  const route = { ...given, ...(given.schema !== undefined && { schema }), ...own }
  const unwatch = watch(route, [...declaration.unknown.keys()], used)
  for (const hook of hooks.collect('onRoute')) {
    const returned: unknown = Reflect.apply(hook, objects.server, [route])
    guard(() => returned, writeFailure)
  }
  unwatch()
  const isMoved = route.url !== url
  const level = route.logLevel === '' ? undefined : route.logLevel
  const left = {
    ...route,
    logLevel: level,
    path: undefined,
    url: isMoved ? withoutPrefix(route.url, context) : path,
  }
  // Who keeps the route to document it later finds the last of its paths, as Fastify leaves it.
  const last = urlsOf(prefix, declaration, { routing, dialect: objects.dialect }).at(-1)
  if (!isMoved && last !== url) Object.assign(route, { url: last, path: last, routePath: path })
  return left
}

/** Notes which of some properties are read or set, until the function is called that it returns. */
function watch(route: GivenRoute, names: readonly string[], used: Set<string>): () => void {
  const kept = { ...route }
  const shown = { configurable: true, enumerable: true }
  for (const name of names) {
    Object.defineProperty(route, name, {
      ...shown,
      get(): unknown {
        used.add(name)
        return kept[name]
      },
      set(value: unknown) {
        used.add(name)
        Object.assign(kept, { [name]: value })
      },
    })
  }
  return () => {
    for (const name of names.filter((each) => Object.hasOwn(route, each))) {
      Object.defineProperty(route, name, { ...shown, writable: true, value: kept[name] })
    }
  }
}

/** A hook may change the path of a route, but not take it out of its prefix. */
function withoutPrefix(url: unknown, { prefix, path }: ServerContext): unknown {
  if (typeof url !== 'string') return url
  if (url.startsWith(prefix)) return url.slice(prefix.length)
  const reason = `an onRoute hook took it out of its prefix '${prefix}'`
  throw new errorCodes.ESP_ERR_ROUTE_PATH(url, path, reason)
}
