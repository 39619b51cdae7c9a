import { derivedBy } from '../../context/derive.ts'
import { type HookFunction, mapHooks, type RequestHook } from '../../context/hooks.ts'
import type { Context } from '../../context/context.ts'
import type { RouteRegistration } from '../../route/declaration.ts'
import { isObject } from '../../types/objects.ts'
import { type Application, withApplication } from '../application.ts'
import type { Command, Result } from '../command.ts'
import { type Paint, printableCopy, printableJson } from '../terminal.ts'

/** The names of hook functions, by the names of hooks. */
type HookNames = Readonly<Partial<Record<RequestHook, readonly string[]>>>

interface ShownRoute {
  readonly methods: readonly string[]
  readonly url: string
  /** The parts of requests that a schema validates. */
  readonly validates: readonly string[]
  /** The statuses with a schema. */
  readonly responses: readonly string[]
  /** The hooks of the route itself. */
  readonly hooks: HookNames
}

interface ShownContext {
  readonly name: string
  /** The plugins that share this context. */
  readonly plugins: readonly string[]
  readonly prefix: string
  /** The hooks that were added in this context. */
  readonly hooks: HookNames
  /** The ids of the schemas that were added in this context. */
  readonly schemas: readonly string[]
  readonly routes: readonly ShownRoute[]
  readonly children: readonly ShownContext[]
}

export const routes: Command = {
  name: 'routes',
  positionals: ['MODULE'],
  summary: 'show the tree of contexts, with their routes, hooks and schemas',
  options: { json: { help: 'write the tree as JSON' } },
  run: ({ positionals: [module = ''], has, paint }): Promise<Result> =>
    withApplication(module, (application) => {
      const tree = showTree(application)
      const output = has('json') ? printableJson(tree) : toText(printableCopy(tree), paint)
      return { output, code: 0 }
    }),
}

function showTree({ host }: Application): ShownContext {
  const all = host.routes.registrations()
  const show = (context: Context): ShownContext => ({
    name: context.name,
    plugins: context.pluginName.split(' -> ').slice(1),
    prefix: context.prefix,
    hooks: hookNames((name) => context.hooks.own(name)),
    schemas: context.schemas.names(),
    routes: showRoutes(all.filter((route) => route.context === context)),
    children: context.children.map(show),
  })
  return show(host.root)
}

/** The routes of a context. One for several methods is one. */
function showRoutes(registrations: readonly RouteRegistration[]): ShownRoute[] {
  const isFirst = ({ declaration, url }: RouteRegistration, index: number): boolean =>
    index ===
    registrations.findIndex((each) => each.declaration === declaration && each.url === url)
  return registrations.filter(isFirst).map(({ declaration, url }) => {
    const { response, ...parts } = declaration.fixedSchema
    return {
      methods: declaration.methods,
      url,
      validates: requestParts.filter((part) => parts[part] !== undefined),
      responses: isObject(response) ? Object.keys(response) : [],
      hooks: hookNames((name) => declaration.hooks[name]),
    }
  })
}

const requestParts = ['headers', 'params', 'querystring', 'body']

function hookNames(of: (name: RequestHook) => readonly HookFunction[]): HookNames {
  const nameOf = (hook: HookFunction): string => derivedBy(hook).name || 'anonymous'
  const all = Object.entries(mapHooks((name) => of(name).map(nameOf)))
  return Object.fromEntries(all.filter(([, names]) => names.length > 0))
}

function toText(tree: ShownContext, paint: Paint): string {
  return `${contextLines(tree, paint).join('\n')}\n`
}

/** The lines of a context, the first of which is its own. */
function contextLines(context: ShownContext, paint: Paint): string[] {
  const { name, plugins, prefix, hooks, schemas } = context
  const shared = plugins.length === 0 ? '' : ` ${paint('dim', `(with ${plugins.join(', ')})`)}`
  const head = [paint('bold', name) + shared, prefix && paint('cyan', prefix)]
  const facts = [hooksText(hooks), listText('schemas:', schemas)]
  const width = Math.max(0, ...context.routes.map((route) => methodsText(route).length))
  const below = [
    ...facts.filter((fact) => fact !== '').map((fact) => [paint('dim', fact)]),
    ...context.routes.map((route) => [routeText(route, width, paint)]),
    ...context.children.map((child) => contextLines(child, paint)),
  ]
  const lines = below.flatMap(([first = '', ...rest], index) => {
    const isLast = index === below.length - 1
    const [branch, indent] = isLast ? ['└── ', '    '] : ['├── ', '│   ']
    return [branch + first, ...rest.map((line) => indent + line)]
  })
  return [head.filter(Boolean).join('  '), ...lines]
}

const methodsText = ({ methods }: ShownRoute): string => methods.join(',')

function routeText(route: ShownRoute, width: number, paint: Paint): string {
  const facts = [
    listText('validates', route.validates),
    listText('answers', route.responses),
    hooksText(route.hooks),
  ]
  const method = paint('green', methodsText(route).padEnd(width))
  const text = facts.filter(Boolean).join('; ')
  return `${method} ${route.url}${text === '' ? '' : `  ${paint('dim', text)}`}`
}

const listText = (word: string, list: readonly string[]): string =>
  list.length === 0 ? '' : `${word} ${list.join(', ')}`

function hooksText(hooks: HookNames): string {
  return Object.entries(hooks)
    .map(([name, functions]) => `${name}: ${functions.join(', ')}`)
    .join('; ')
}
