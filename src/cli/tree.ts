import { createHash } from 'node:crypto'
import { derivedBy } from '../context/derive.ts'
import { type HookFunction, mapHooks, type RequestHook } from '../context/hooks.ts'
import type { Context } from '../context/context.ts'
import type { RouteRegistration } from '../route/declaration.ts'
import { isObject } from '../types/objects.ts'
import type { Application } from './application.ts'
import { type Paint, printableCopy } from './terminal.ts'

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

export interface ShownContext {
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

export function showTree({ host }: Application): ShownContext {
  const all = routesOf(host.routes.registrations())
  const show = (context: Context): ShownContext => ({
    ...showContext(context),
    routes: all.filter((route) => route.context === context).map(showRoute),
    children: context.children.map(show),
  })
  return show(host.root)
}

function showContext(context: Context): Omit<ShownContext, 'routes' | 'children'> {
  return {
    name: context.name,
    plugins: context.pluginName.split(' -> ').slice(1),
    prefix: context.prefix,
    hooks: hookNames((name) => context.hooks.own(name)),
    schemas: context.schemas.names(),
  }
}

/** All routes. One for several methods is one. */
function routesOf(registrations: readonly RouteRegistration[]): RouteRegistration[] {
  const urls = new Map<object, Set<string>>()
  return registrations.filter(({ declaration, url }) => {
    const known = urls.get(declaration) ?? new Set()
    urls.set(declaration, known)
    const isFirst = !known.has(url)
    known.add(url)
    return isFirst
  })
}

function showRoute({ declaration, url }: RouteRegistration): ShownRoute {
  const { response, ...parts } = declaration.fixedSchema
  return {
    methods: declaration.methods,
    url,
    validates: requestParts.filter((part) => parts[part] !== undefined),
    responses: isObject(response) ? Object.keys(response) : [],
    hooks: hookNames((name) => declaration.hooks[name]),
  }
}

const requestParts = ['headers', 'params', 'querystring', 'body']

function hookNames(of: (name: RequestHook) => readonly HookFunction[]): HookNames {
  const nameOf = (hook: HookFunction): string => derivedBy(hook).name || 'anonymous'
  const all = Object.entries(mapHooks((name) => of(name).map(nameOf)))
  return Object.fromEntries(all.filter(([, names]) => names.length > 0))
}

/** The tree as text, which a terminal does not obey. */
export function treeText(tree: ShownContext, paint: Paint): string {
  return `${contextLines(printableCopy(tree), paint).join('\n')}\n`
}

/** The lines of a context, the first of which is its own. */
function contextLines(context: ShownContext, paint: Paint): string[] {
  const facts = [hooksText(context.hooks), listText('schemas:', context.schemas)]
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
  return [headText(context, paint), ...lines]
}

type Head = Pick<ShownContext, 'name' | 'plugins' | 'prefix'>

function headText({ name, plugins, prefix }: Head, paint: Paint): string {
  const shared = plugins.length === 0 ? '' : ` ${paint('dim', `(with ${plugins.join(', ')})`)}`
  return [paint('bold', name) + shared, prefix && paint('cyan', prefix)].filter(Boolean).join('  ')
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
    .map(([name, functions]) => `${name}: ${countedText(functions)}`)
    .join('; ')
}

/** Names, each once. */
function countedText(names: readonly string[]): string {
  const countOf = (name: string): number => names.filter((each) => each === name).length
  const times = (count: number): string => (count === 1 ? '' : ` (${count} times)`)
  return [...new Set(names)].map((name) => name + times(countOf(name))).join(', ')
}

/** A context or a route as one line. */
export interface Part {
  readonly text: string
  /** What else can change: its schemas, as text. */
  readonly schemas: string
}

/** All contexts and routes of an application, by names that stay when it changes. */
export type Parts = Readonly<Record<string, Part>>

export function partsOf({ host }: Application, paint: Paint): Parts {
  const parts: Record<string, Part> = {}
  const add = (name: string, text: string, schemas: unknown): void => {
    parts[name] = { text, schemas: digest(schemas) }
  }
  const visit = (context: Context): void => {
    const shown = printableCopy(showContext(context))
    const facts = [hooksText(shown.hooks), listText('schemas:', shown.schemas)]
    const text = [headText(shown, paint), ...facts].filter(Boolean).join('  ')
    const all = context.schemas.all()
    add(
      context.path,
      text,
      shown.schemas.map((id) => all[id]),
    )
    context.children.forEach(visit)
  }
  visit(host.root)
  for (const registration of routesOf(host.routes.registrations())) {
    const { constraints, fixedSchema } = registration.declaration
    const shown = printableCopy(showRoute(registration))
    // Routes of one method and URL differ by constraints.
    const name = `${methodsText(shown)} ${shown.url} ${JSON.stringify(constraints)}`
    add(name, routeText(shown, 0, paint), fixedSchema)
  }
  return parts
}

/** A short text that differs where schemas differ. Those of other libraries may be no JSON. */
function digest(schemas: unknown): string {
  try {
    return createHash('sha256').update(JSON.stringify(schemas)).digest('base64')
  } catch {
    return ''
  }
}
