import type { RouteSeat } from '../route/compile.ts'
import type { ServerContext } from './host.ts'

/** The tree of contexts as text: each with its prefix, its request decorators, its shared schemas
 *  and its routes. */
export function printContexts(root: ServerContext, seats: readonly RouteSeat[]): string {
  return `${printContext(root, seats, '')}\n`
}

function printContext(context: ServerContext, seats: readonly RouteSeat[], indent: string): string {
  const routes = seats
    .filter((seat) => seat.context === context)
    .map((seat) => `${seat.method} ${seat.url}`)
  const branches = [
    ...routes,
    ...context.children.map(
      (child) => (last: boolean) => printContext(child, seats, indent + (last ? '    ' : '│   ')),
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
