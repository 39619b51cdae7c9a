import type { HTTPMethod } from 'find-my-way'
import { mapHooks, requestHooks } from '../../context/hooks.ts'
import type { RouteRegistration } from '../../route/declaration.ts'
import type { ServerContext } from '../context-objects.ts'

/** The options of `printRoutes`. */
export interface PrintRoutesOptions {
  /** Only the routes of this method. */
  readonly method?: string
  /** Whether paths with a common prefix form a tree; else each route is one line. @default true */
  readonly commonPrefix?: boolean
  /** Whether the metadata of routes is shown; a list selects names. @default false */
  readonly includeMeta?: boolean | readonly (string | symbol)[]
  /** Whether the hooks of a route are shown. @default false */
  readonly includeHooks?: boolean
}

/** The options of the router. */
export interface RouterPrint {
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

/** The metadata of a route: its error handler and its hooks, including those of its scope. */
export function metaOf({ declaration, context }: RouteRegistration): Record<string, unknown> {
  const hooks = mapHooks((name) => {
    const all = [...context.hooks.collect(name), ...declaration.hooks[name]]
    return all.length === 0 ? undefined : all
  })
  const errorHandler = declaration.errorHandler ?? context.resolve('errorHandler')
  return { errorHandler, ...hooks }
}

/** The tree of contexts as text, each with its prefix, decorators, shared schemas and routes. */
export function printContexts(
  root: ServerContext,
  registrations: readonly RouteRegistration[],
): string {
  const print = (context: ServerContext, indent: string): string => {
    const routes = registrations
      .filter((registration) => registration.context === context)
      .map(({ method, url }) => `${method} ${url}`)
    const branches = [...routes, ...context.children]
    const lines = branches.map((branch, index) => {
      const isLast = index === branches.length - 1
      const text =
        typeof branch === 'string' ? branch : print(branch, indent + (isLast ? '    ' : '│   '))
      return `${indent}${isLast ? '└── ' : '├── '}${text}`
    })
    return [label(context), ...lines].join('\n')
  }
  return `${print(root, '')}\n`
}

function label({ name, prefix, parent, decorators, schemas }: ServerContext): string {
  const own = prefix === (parent?.prefix ?? '') ? '' : ` ${prefix}`
  const facts = Object.entries({ ...decorators, schemas })
    .map(([kind, table]) => [kind, table.names()] as const)
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `${kind}: ${names.join(', ')}`)
  return `${name}${own}${facts.length === 0 ? '' : ` (${facts.join('; ')})`}`
}
