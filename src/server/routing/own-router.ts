import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config, Done, FindResult, FindRouteResult, Handler, HTTPMethod } from 'find-my-way'
import type { HTTPVersion, RouteOptions } from 'find-my-way'
import late from '../../packages/late.cjs'
import { ConstrainedRoutes, type Derived, type Strategy } from './constrained-routes.ts'
import { isAsync } from './constraints.ts'
import { type Pattern, readPattern } from './pattern.ts'
import type { RouterPrint } from './print.ts'
import { type Hit, Node, type Search } from './tree.ts'
import { readUrl } from './request-url.ts'
import { toPattern } from './urls.ts'

type Found = FindResult<HTTPVersion.V1>

/** The options of find-my-way. Its types lack some. */
export interface RouterConfig extends Config<HTTPVersion.V1> {
  readonly useSemicolonDelimiter?: boolean
  readonly buildPrettyMeta?: (route: never) => object
}

/** What a router of find-my-way has, and its types lack. */
interface Defaults {
  readonly constrainer: { readonly strategies: Readonly<Record<'version' | 'host', Strategy>> }
  readonly querystringParser: (query: string) => Found['searchParams']
}

interface Route {
  readonly method: HTTPMethod
  readonly path: string
  readonly pattern: Pattern
  readonly constraints: Derived
  readonly handler: Handler<HTTPVersion.V1>
  readonly store: unknown
}

/** A router that makes no code. It finds what find-my-way finds, and is slower. */
export class OwnRouter {
  readonly #config: RouterConfig
  readonly #defaults: Defaults
  readonly #strategies: Map<string, Strategy>
  readonly #added = new Set<string>()
  /** The strategies whose values a request has to have. */
  readonly #used = new Set<string>()
  readonly #trees = new Map<string, Node<Route>>()
  #routes: Route[] = []

  constructor(config: RouterConfig) {
    this.#config = config
    // cast: its types are those of its methods only
    this.#defaults = late.findMyWay()(config) as unknown as Defaults
    const { version, host } = this.#defaults.constrainer.strategies
    this.#strategies = new Map([
      ['version', { ...version, deriveConstraint: ({ headers }) => headers['accept-version'] }],
      [
        'host',
        { ...host, deriveConstraint: ({ headers }) => headers.host || headers[':authority'] },
      ],
    ] as [string, Strategy][])
  }

  // eslint-disable-next-line max-params -- as find-my-way has it
  on(
    method: HTTPMethod,
    path: string,
    { constraints = {} }: RouteOptions,
    handler: Handler<HTTPVersion.V1>,
    store: unknown,
  ): void {
    for (const variant of variantsOf(path)) {
      const own = toPattern(variant, this.#config)
      const pattern = readPattern(own, this.#config)
      this.#add({ method, path: own, pattern, constraints, handler, store })
    }
  }

  off(method: HTTPMethod, path: string, constraints: Derived): void {
    const paths = new Set(variantsOf(path).map((variant) => toPattern(variant, this.#config)))
    const isMeant = (route: Route): boolean =>
      route.method === method && paths.has(route.path) && isEqual(route.constraints, constraints)
    const left = this.#routes.filter((route) => !isMeant(route))
    this.reset()
    for (const route of left) this.#add(route)
  }

  reset(): void {
    this.#trees.clear()
    this.#routes = []
  }

  /** The route of a pattern. */
  findRoute(
    method: HTTPMethod,
    path: string,
    constraints: Derived = {},
  ): FindRouteResult<HTTPVersion.V1> | null {
    // `/*` stands in the way of a route `*`, but is not found by it.
    if (path === '*') return null
    const { parts } = readPattern(toPattern(path, this.#config), this.#config)
    const route = this.#trees.get(method)?.at(parts)?.routes?.of(constraints, isEqual)
    return route === undefined ? null : { ...route, params: [...route.pattern.names] }
  }

  /** The route of a URL. */
  find(method: HTTPMethod, url: string, derived?: Derived): Found | null {
    const tree = this.#trees.get(method)
    if (tree === undefined) return null
    const { onBadUrl, onMaxParamLength, caseSensitive = true } = this.#config
    const { maxParamLength = 100, useSemicolonDelimiter = false } = this.#config
    const read = readUrl(url, useSemicolonDelimiter)
    if (read.path === undefined) return failed(onBadUrl, read.text)
    // The asterisk of `OPTIONS *` counts as the slash, unless there is a route for it.
    const origin = toPattern(read.path === '*' && !tree.hasRest ? '/' : read.path, this.#config)
    const path = caseSensitive ? origin : origin.toLowerCase()
    const search: Search = { path, origin, derived, maxParamLength, isTooLong: false }
    const hit = tree.find(search, 0, [])
    if (hit !== undefined) return this.#found(hit, read.query)
    return search.isTooLong ? failed(onMaxParamLength, origin) : null
  }

  #found({ route, values }: Hit<Route>, query: string): Found {
    const { handler, store, pattern } = route
    const own = Object.fromEntries(pattern.names.map((name, index) => [name, values[index]]))
    const params: Found['params'] = Object.assign(Object.create(null), own)
    const { querystringParser } = this.#defaults
    return { handler, store, params, searchParams: querystringParser(query) }
  }

  /** Calls the handler of a request's route. With `done`, it waits for constraints. */
  lookup(request: IncomingMessage, response: ServerResponse, done?: Done): unknown {
    const used = [...this.#used].map((name) => this.#strategies.get(name) as Strategy)
    const now = used
      .filter((strategy) => !isAsync(strategy))
      .map((strategy) => [strategy.name, strategy.deriveConstraint(request)])
    const derived: Derived | undefined = now.length === 0 ? undefined : Object.fromEntries(now)
    if (done === undefined) return this.#answer(request, response, derived)
    const end = (error: Error | null, all?: Derived): void => {
      if (error !== null) {
        done(error, undefined)
        return
      }
      let answered: unknown
      try {
        answered = this.#answer(request, response, all)
      } catch (thrown) {
        // cast: what user functions throw
        done(thrown as Error, undefined)
        return
      }
      done(null, answered)
    }
    deriveLater(used.filter(isAsync), request, derived, end)
  }

  #answer(
    request: IncomingMessage,
    response: ServerResponse,
    derived: Derived | undefined,
  ): unknown {
    // cast: a request of a server has both
    const { method, url } = request as { method: HTTPMethod; url: string }
    const found = this.find(method, url, derived)
    if (found === null) return this.#config.defaultRoute?.(request, response)
    return found.handler(request, response, found.params, found.store, found.searchParams)
  }

  /** @throws Error if there is one of this name, or a route has such a constraint */
  addConstraintStrategy(strategy: Strategy): void {
    const { name, mustMatchWhenDerived = false } = strategy
    if (this.hasConstraintStrategy(name))
      throw new Error(`There already exists a ${name} constraint`)
    this.#strategies.set(name, strategy)
    this.#added.add(name)
    if (mustMatchWhenDerived) this.#used.add(name)
  }

  hasConstraintStrategy(name: string): boolean {
    return this.#added.has(name) || this.#used.has(name)
  }

  /** The routes as a list. */
  prettyPrint({ method, includeMeta = false }: RouterPrint = {}): string {
    const { buildPrettyMeta = () => ({}) } = this.#config
    const isShown = ([name, value]: [string, unknown]): boolean =>
      (value ?? null) !== null &&
      (typeof includeMeta === 'boolean' ? includeMeta : includeMeta.includes(name))
    const linesOf = (route: Route): string[] => {
      const { path, method: own, constraints } = route
      const more = Object.keys(constraints).length === 0 ? '' : ` ${textOf(constraints)}`
      const meta = Object.entries(buildPrettyMeta(route as never)).filter(isShown)
      return [`${path} (${own})${more}`, ...meta.map(([name, all]) => `• (${name}) ${textOf(all)}`)]
    }
    const printed = this.#routes.filter((route) => method === undefined || route.method === method)
    return printed
      .flatMap(linesOf)
      .map((line) => `${line}\n`)
      .join('')
  }

  /** @throws Error for a route that is there */
  #add(route: Route): void {
    const { method, pattern, constraints } = route
    for (const name of Object.keys(constraints)) this.#used.add(name)
    const tree = this.#trees.get(method) ?? new Node<Route>()
    this.#trees.set(method, tree)
    if (this.#routes.some((other) => standsInTheWay(other, route))) {
      const named = `with constraints '${JSON.stringify(constraints)}'`
      throw new Error(`Method '${method}' already declared for route '${pattern.key}' ${named}`)
    }
    this.#routes.push(route)
    const node = tree.grow(pattern.parts)
    node.routes = node.routes?.with(route) ?? new ConstrainedRoutes(this.#strategies, [route])
  }
}

/** Two paths for one that ends in an optional parameter. */
function variantsOf(path: string): string[] {
  if (path === '') throw new Error('The path could not be empty')
  if (!/^[/*]/.test(path)) throw new Error('The first character of a path should be `/` or `*`')
  const optional = /(\/:[^/()]*?)\?(\/?)/.exec(path)
  if (optional === null) return [path]
  const [all, param = '', slash = ''] = optional
  if (optional.index + all.length !== path.length)
    throw new Error('Optional Parameter needs to be the last parameter of the path')
  const before = path.slice(0, optional.index)
  return [before + param + slash, before + slash || '/'].flatMap(variantsOf)
}

/** Whether two routes answer the same requests. `*` and `/*` do. */
function standsInTheWay(one: Route, other: Route): boolean {
  const [key, otherKey] = [one, other].map(({ pattern }) => pattern.key.replace(/^\*$/, '/*'))
  return (
    one.method === other.method && key === otherKey && isEqual(one.constraints, other.constraints)
  )
}

function isEqual(one: unknown, other: unknown): boolean {
  return late.ajvEqual().default(one, other)
}

/** Leaves a request to a function for URLs that have no route, if there is one. */
function failed(answer: RouterConfig['onBadUrl'], path: string): Found | null {
  if (answer === undefined) return null
  return {
    handler: (...args) => answer(path, args[0], args[1]),
    params: {},
    store: null,
    searchParams: {},
  }
}

/** Adds the values of strategies that call back, one after the other. */
function deriveLater(
  [strategy, ...others]: readonly Strategy[],
  request: IncomingMessage,
  derived: Derived | undefined,
  done: (error: Error | null, derived?: Derived) => void,
): void {
  if (strategy === undefined) {
    done(null, derived)
    return
  }
  const next = (error: Error | null, value: unknown): void => {
    if (error !== null) done(error)
    else deriveLater(others, request, { ...derived, [strategy.name]: value }, done)
  }
  Reflect.apply(strategy.deriveConstraint, strategy, [request, undefined, next])
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part === 'function') return `${part.name || 'anonymous'}()`
    return part instanceof RegExp ? String(part) : part
  })
}
