import type { HTTPMethod } from 'find-my-way'
import { mapHooks, requestHooks } from '../../context/hooks.ts'
import type { RouteRegistration } from '../../route/declaration.ts'
import type { ServerContext } from '../context-objects.ts'

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
export function metaOf({ declaration, context }: RouteRegistration): Record<string, unknown> {
  const hooks = mapHooks((name) => {
    const all = [...context.hooks.collect(name), ...declaration.hooks[name]]
    return all.length === 0 ? undefined : all
  })
  const errorHandler = declaration.errorHandler ?? context.resolve('errorHandler')
  return { errorHandler, ...hooks }
}

/** The tree of contexts as text: each with its prefix, its request decorators, its shared schemas
 *  and its routes. */
export function printContexts(
  root: ServerContext,
  registrations: readonly RouteRegistration[],
): string {
  return `${printContext(root, registrations, '')}\n`
}

function printContext(
  context: ServerContext,
  registrations: readonly RouteRegistration[],
  indent: string,
): string {
  const routes = registrations
    .filter((registration) => registration.context === context)
    .map((registration) => `${registration.method} ${registration.url}`)
  const branches = [
    ...routes,
    ...context.children.map(
      (child) => (last: boolean) =>
        printContext(child, registrations, indent + (last ? '    ' : '│   ')),
    ),
  ]
  const lines = branches.map((branch, index) => {
    const last = index === branches.length - 1
    const text = typeof branch === 'string' ? branch : branch(last)
    return `${indent}${last ? '└── ' : '├── '}${text}`
  })
  return [label(context), ...lines].join('\n')
}

function label(context: ServerContext): string {
  const { name, prefix, parent, decorators, schemas } = context
  const own = prefix === (parent?.prefix ?? '') ? '' : ` ${prefix}`
  const { server, request, reply } = decorators
  const facts = [
    ['server', server.names()],
    ['request', request.names()],
    ['reply', reply.names()],
    ['schemas', schemas.names()],
  ] as const
  const shown = facts.filter(([, names]) => names.length > 0)
  const text = shown.map(([kind, names]) => `${kind}: ${names.join(', ')}`).join('; ')
  return `${name}${own}${text === '' ? '' : ` (${text})`}`
}
