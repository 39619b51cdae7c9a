import type { IncomingMessage } from 'node:http'
import { errorCodes } from '../../errors/codes.ts'
import type { Dialect } from '../../dialect/dialect.ts'
import { describe } from '../../errors/describe.ts'
import { ignoreRejection } from '../../types/promises.ts'
import { isObject } from '../../types/objects.ts'
import type { PrefixTrailingSlash, RouteDeclaration } from '../../route/declaration.ts'
import type { RouterOptions, RoutingOptions } from '../options/routing.ts'

/** Joins a prefix and a path, without a double slash between them. */
export function joinPath(prefix: string, path: string): string {
  return prefix.endsWith('/') && path.startsWith('/') ? prefix + path.slice(1) : prefix + path
}

/** The full prefix of a plugin.
 *  @throws ESP_ERR_PLUGIN_PREFIX */
export function readPrefix(above: string, options: unknown, plugin: string): string {
  const prefix = isObject(options) ? options['prefix'] : undefined
  if (prefix === undefined || prefix === null || prefix === '') return above
  if (typeof prefix !== 'string') {
    throw new errorCodes.ESP_ERR_PLUGIN_PREFIX(plugin, describe(prefix))
  }
  return joinPath(above, prefix.startsWith('/') ? prefix : `/${prefix}`)
}

interface UrlRules {
  readonly routing: RouterOptions
  readonly dialect: Dialect
}

/** The full paths of a route. The path `/` below a prefix matches with and without its slash,
 *  unless `prefixTrailingSlash` says otherwise. */
export function urlsOf(
  prefix: string,
  { path, prefixTrailingSlash }: Pick<RouteDeclaration, 'path' | 'prefixTrailingSlash'>,
  { routing: { ignoreTrailingSlash = false }, dialect }: UrlRules,
): string[] {
  // The router refuses an empty path.
  if (prefix === '') return [path === '' && !dialect.boot.refusesEmptyPath ? '/' : path]
  if (path !== '/') return [joinPath(prefix, path)]
  const slashed = joinPath(prefix, path)
  const paths: Readonly<Record<PrefixTrailingSlash, readonly string[]>> = {
    slash: [slashed],
    'no-slash': [prefix],
    both: ignoreTrailingSlash ? [prefix] : [prefix, slashed],
  }
  return [...new Set(paths[prefixTrailingSlash])]
}

/** A path in the router's own form. */
export function toPattern(url: string, options: RouterOptions): string {
  const single = options.ignoreDuplicateSlashes === true ? url.replaceAll(/\/{2,}/g, '/') : url
  return options.ignoreTrailingSlash === true ? single.replace(/(?<=.)\/$/, '') : single
}

/** Gives a request the URL that `rewriteUrl` returns. `originalUrl` keeps the original one.
 *  @throws ESP_ERR_ROUTE_REWRITE_NOT_STR, and the errors of `rewriteUrl` */
export function rewriteUrl(
  rewrite: NonNullable<RoutingOptions['rewriteUrl']>,
  server: object,
  request: IncomingMessage,
): void {
  const { url = '/' } = request
  Object.assign(request, { originalUrl: url })
  const rewritten: unknown = Reflect.apply(rewrite, server, [request])
  if (typeof rewritten !== 'string') {
    ignoreRejection(rewritten)
    throw new errorCodes.ESP_ERR_ROUTE_REWRITE_NOT_STR(url, describe(rewritten))
  }
  request.url = rewritten
}
