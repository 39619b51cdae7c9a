import { errorCodes } from '../../errors/codes.ts'
import { isPlainObject } from '../../schema/values.ts'
import type { GivenRoute, RouteDeclaration } from '../../route/declaration.ts'
import { inFullForm } from '../../route/schemas/full-form.ts'
import type { Context } from '../../context/context.ts'
import type { ServerFaces } from '../faces.ts'

type ServerContext = Context<ServerFaces>

/** A route as the onRoute hooks have left it. */
export interface AnnouncedRoute {
  readonly declaration: RouteDeclaration
  /** The route that stands beside it for HEAD, where it wants one: the hooks see that one too. */
  head(): RouteDeclaration
}

/** How a given route is read. */
interface Reading {
  readonly read: (given: GivenRoute) => RouteDeclaration
  /** Whether short forms of its schema become full ones. */
  readonly expands: boolean
}

/** Shows a route that is being declared to the onRoute hooks of its context and those above, which may
 *  change it, and reads what they leave of it. They see its schema without short forms.
 *  @throws what `read` throws, ESP_ERR_ROUTE_PATH, and what the hooks throw */
export function announceRoute(
  given: GivenRoute,
  context: ServerContext,
  { read, expands }: Reading,
): AnnouncedRoute {
  const declaration = read(given)
  const hooks = context.hooks.collect('onRoute')
  if (hooks.length === 0) return { declaration, head: () => declaration }
  let head: RouteDeclaration | undefined
  const shown = (route: GivenRoute): GivenRoute => {
    const schema = nameQuerystring(route.schema)
    return schema === undefined
      ? route
      : { ...route, schema: expands ? inFullForm(schema) : schema }
  }
  const announced = read(announce(shown(given), declaration, context))
  return {
    declaration: announced,
    head: () => {
      head ??= read(announce({ ...shown(given), method: 'HEAD' }, declaration, context))
      return head
    },
  }
}

/** Calls the hooks with an object of their own, and gives what it has become. */
function announce(
  given: GivenRoute,
  { path, attachValidation }: RouteDeclaration,
  context: ServerContext,
): GivenRoute {
  const { prefix, hooks, faces } = context
  const routePath =
    prefix !== '' && path === '/' && given.prefixTrailingSlash !== 'slash' ? '' : path
  const url = prefix === '' && path === '' ? '/' : joined(prefix, routePath)
  const logLevel = given['logLevel'] ?? context.resolve('logLevel') ?? ''
  const own = { attachValidation, url, path: url, routePath, prefix, logLevel }
  const route = { ...given, ...own }
  for (const hook of hooks.collect('onRoute')) Reflect.apply(hook, faces.server, [route])
  const isMoved = route.url !== url
  const level = route.logLevel === '' ? undefined : route.logLevel
  return {
    ...route,
    logLevel: level,
    path: undefined,
    url: isMoved ? withoutPrefix(route.url, context) : path,
  }
}

/** Hooks read the schema of the query under one of its two names. */
function nameQuerystring(schema: unknown): unknown {
  if (!isPlainObject(schema) || schema['query'] === undefined) return schema
  if (schema['querystring'] !== undefined) return schema
  const { query: querystring, ...others } = schema
  return { ...others, querystring }
}

function joined(prefix: string, path: string): string {
  return prefix.endsWith('/') && path.startsWith('/') ? prefix + path.slice(1) : prefix + path
}

/** A hook may change the path of a route, but not take it out of its prefix. */
function withoutPrefix(url: unknown, { prefix, path }: ServerContext): unknown {
  if (typeof url !== 'string') return url
  if (url.startsWith(prefix)) return url.slice(prefix.length)
  const reason = `an onRoute hook took it out of its prefix '${prefix}'`
  throw new errorCodes.ESP_ERR_ROUTE_PATH(url, path, reason)
}
