import type { HTTPMethod } from 'find-my-way'
import { mapHooks, requestHooks } from '../../context/hooks.ts'
import type { RouteSeat } from '../../route/compile.ts'

/** What `printRoutes` shows. */
export interface PrintRoutesOptions {
  /** Only the routes of this method. */
  readonly method?: string
  /** Whether paths are cut where they part; else each route is a line of its own. @default true */
  readonly commonPrefix?: boolean
  /** Whether what a route has is shown; a list of names shows only those. @default false */
  readonly includeMeta?: boolean | readonly (string | symbol)[]
  /** Whether the hooks of a route are shown. @default false */
  readonly includeHooks?: boolean
}

/** The same as the router takes it. */
interface RouterPrint {
  method?: HTTPMethod
  commonPrefix?: boolean
  includeMeta?: boolean | (string | symbol)[]
}

export function toRouterPrint(options: PrintRoutesOptions): RouterPrint {
  const { method, commonPrefix = true, includeMeta, includeHooks = false } = options
  const named = typeof includeMeta === 'object' ? [...includeMeta] : includeMeta
  const hooks = Object.keys(requestHooks)
  const both = typeof named === 'object' ? [...hooks, ...named] : (named ?? false) || hooks
  return {
    commonPrefix,
    includeMeta: includeHooks ? both : (named ?? false),
    ...(method !== undefined && { method: method.toUpperCase() as HTTPMethod }),
  }
}

/** What there is to show of a route: its hooks, those of its scope among them, and its error handler. */
export function metaOf({ declaration, context }: RouteSeat): Record<string, unknown> {
  const hooks = mapHooks((name) => {
    const all = [...context.hooks.collect(name), ...declaration.hooks[name]]
    return all.length === 0 ? undefined : all
  })
  const errorHandler = declaration.errorHandler ?? context.resolve('errorHandler')
  return { errorHandler, ...hooks }
}
