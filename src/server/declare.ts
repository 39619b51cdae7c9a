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

/** Reads the arguments of a shortcut such as `get`: `(path, handler)`, `(path, options, handler)`
 *  or `(path, options)`.
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

/** Reads the arguments of `setNotFoundHandler`: `(handler)` or `(options, handler)`. The options
 *  are hooks.
 *  @throws ESP_ERR_FUNCTION_EXPECTED, ESP_ERR_INIT_OPTS_INVALID, ESP_ERR_ROUTE_OPTION,
 *  ESP_ERR_HOOK_* */
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
    const what = `The options of setNotFoundHandler in ${place} must be an object`
    throw new errorCodes.ESP_ERR_INIT_OPTS_INVALID(`${what}, but are ${describe(options)}`)
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

/** A route after the onRoute hooks. */
interface AnnouncedRoute {
  readonly declaration: RouteDeclaration
  /** Makes the HEAD route for a GET route. The hooks see it too. */
  head(): RouteDeclaration
}

/** Calls the onRoute hooks of a context and its parents with a new route, and reads the route again
 *  afterwards. Hooks may change it. They see its schema in full form. An unknown option is accepted
 *  if a hook reads it.
 *  @throws the errors of `read` and of the hooks, and ESP_ERR_ROUTE_PATH */
export function announceRoute(
  given: GivenRoute,
  context: ServerContext,
  read: (given: GivenRoute) => RouteDeclaration,
  routing: RouterOptions,
): AnnouncedRoute {
  const declaration = read(given)
  const hooks = context.hooks.collect('onRoute')
  if (hooks.length === 0) return { declaration, head: () => declaration }
  let head: RouteDeclaration | undefined
  const used = new Set<PropertyKey>()
  const scope = { context, routing, used }
  const announced = read(announce(given, declaration, scope))
  // A hook knows the options that it has added.
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
  /** The options that a hook has read or set. */
  readonly used: Set<PropertyKey>
}

/** Calls the hooks with a copy of a route, and returns the changed copy. */
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
  const watched = watch(route, used)
  for (const hook of hooks.collect('onRoute')) {
    const returned: unknown = Reflect.apply(hook, objects.server, [watched])
    guard(() => returned, writeFailure)
  }
  const isMoved = route.url !== url
  const left = {
    ...route,
    logLevel: route.logLevel === '' ? undefined : route.logLevel,
    path: undefined,
    url: isMoved ? withoutPrefix(route.url, context) : path,
  }
  // A plugin may keep the object to document the route. Fastify leaves the last path in it.
  const last = urlsOf(prefix, declaration, { routing, dialect: objects.dialect }).at(-1)
  if (!isMoved && last !== url) Object.assign(route, { url: last, path: last, routePath: path })
  return left
}

/** A view of a route that records which options are read or set. */
function watch(route: GivenRoute, used: Set<PropertyKey>): GivenRoute {
  return new Proxy(route, {
    get(target, name) {
      used.add(name)
      return Reflect.get(target, name) as unknown
    },
    set(target, name, value) {
      used.add(name)
      return Reflect.set(target, name, value)
    },
  })
}

/** The new path of a route, without the prefix. @throws ESP_ERR_ROUTE_PATH for another prefix */
function withoutPrefix(url: unknown, { prefix, path }: ServerContext): unknown {
  if (typeof url !== 'string') return url
  if (url.startsWith(prefix)) return url.slice(prefix.length)
  const reason = `an onRoute hook took it out of its prefix '${prefix}'`
  throw new errorCodes.ESP_ERR_ROUTE_PATH(url, path, reason)
}
