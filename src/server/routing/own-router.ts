import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
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
  buildPrettyMeta?(route: object): object
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
  readonly #strategies: Map<string, Strategy>
  readonly #added = new Set<string>()
  /** The strategies whose values a request has to have. */
  readonly #used = new Set<string>()
  readonly #trees = new Map<string, Node<Route>>()
  /** Routes of one method and key, which differ in their constraints. */
  readonly #routes = new Map<string, Route[]>()

  constructor(config: RouterConfig) {
    this.#config = config
    const { version, host } = late.routerStrategies()
    this.#strategies = new Map(
      Object.entries({
        version: derivedBy(version, (headers) => headers['accept-version']),
        host: derivedBy(host, (headers) => headers.host || headers[':authority']),
      }),
    )
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
    const left = [...this.#routes.values()].flat().filter((route) => !isMeant(route))
    this.reset()
    for (const route of left) this.#add(route)
  }

  reset(): void {
    this.#trees.clear()
    this.#routes.clear()
  }

  /** The route of a path in the form of `toPattern`. */
  findRoute(
    method: HTTPMethod,
    path: string,
    constraints: Derived = {},
  ): FindRouteResult<HTTPVersion.V1> | null {
    const { key, regexes } = readPattern(path, this.#config)
    const route = this.#routes
      .get(`${method} ${key}`)
      ?.find((one) => isEqual([one.pattern.regexes, one.constraints], [regexes, constraints]))
    return route === undefined ? null : { ...route, params: [...route.pattern.names] }
  }

  /** The route of a URL. */
  find(method: HTTPMethod, url: string, derived?: Derived): Found | null {
    const tree = this.#trees.get(method)
    if (tree === undefined) return null
    const { caseSensitive = true, maxParamLength = 100, useSemicolonDelimiter } = this.#config
    const read = readUrl(url, useSemicolonDelimiter === true)
    if (read.path === undefined) return this.#failed('onBadUrl', read.text)
    // The asterisk of `OPTIONS *` counts as the slash, unless there is a route for it.
    const origin = toPattern(read.path === '*' && !tree.hasRest ? '/' : read.path, this.#config)
    const path = caseSensitive ? origin : origin.toLowerCase()
    const search: Search = { path, origin, derived, maxParamLength, isTooLong: false }
    const hit = tree.find(search, 0, [])
    if (hit !== undefined) return this.#found(hit, read.query)
    return search.isTooLong ? this.#failed('onMaxParamLength', origin) : null
  }

  #found({ route, values }: Hit<Route>, query: string): Found {
    const { handler, store, pattern } = route
    const own = Object.fromEntries(pattern.names.map((name, index) => [name, values[index]]))
    const params = Object.assign(Object.create(null) as Found['params'], own)
    const { querystringParser = parseQuery } = this.#config
    // cast: the types say that each value is text
    const searchParams = querystringParser(query) as Found['searchParams']
    return { handler, store, params, searchParams }
  }

  /** Leaves a request to the option for it, if there is one. */
  #failed(name: 'onBadUrl' | 'onMaxParamLength', path: string): Found | null {
    if (this.#config[name] === undefined) return null
    const handler: Found['handler'] = (...args) => this.#config[name]?.(path, args[0], args[1])
    return { handler, params: {}, store: null, searchParams: {} }
  }

  /** Calls the handler of a request's route. With `done`, it waits for constraints. */
  lookup(request: IncomingMessage, response: ServerResponse, done?: Done): unknown {
    const used = [...this.#used].map((name) => this.#strategy(name))
    const now = used
      .filter((strategy) => !isAsync(strategy))
      .map((strategy) => [strategy.name, strategy.deriveConstraint(request)] as const)
    const derived = now.length === 0 ? undefined : Object.fromEntries(now)
    if (done === undefined) return this.#answer(request, response, derived)
    deriveLater(used.filter(isAsync), request, derived, (error, all) => {
      try {
        if (error === null) done(null, this.#answer(request, response, all))
        else done(error, undefined)
      } catch (thrown) {
        // cast: find-my-way names only errors, but user functions may throw anything
        done(thrown as Error, undefined)
      }
    })
    return undefined
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

  /** The routes as a list: each with its constraints and metadata as JSON. */
  prettyPrint({ method, includeMeta = false }: RouterPrint = {}): string {
    const isShown = (name: string): boolean =>
      typeof includeMeta === 'boolean' ? includeMeta : includeMeta.includes(name)
    const lineOf = (route: Route): string => {
      const meta = Object.entries(this.#config.buildPrettyMeta?.(route) ?? {}).filter(([name]) =>
        isShown(name),
      )
      const facts = { ...route.constraints, ...Object.fromEntries(meta) }
      const shown = Object.keys(facts).length === 0 ? '' : ` ${JSON.stringify(facts, shownAs)}`
      return `${route.path} (${route.method})${shown}\n`
    }
    const all = [...this.#routes.values()].flat()
    return all
      .filter((route) => (method ?? route.method) === route.method)
      .map(lineOf)
      .join('')
  }

  #strategy(name: string): Strategy {
    const strategy = this.#strategies.get(name)
    if (strategy === undefined) throw new Error(`No strategy registered for constraint key ${name}`)
    return strategy
  }

  /** @throws Error for a route that is there, and for invalid constraints */
  #add(route: Route): void {
    const { method, pattern, constraints } = route
    for (const [name, value] of Object.entries(constraints)) this.#strategy(name).validate?.(value)
    for (const name of Object.keys(constraints)) this.#used.add(name)
    const tree = this.#trees.get(method) ?? new Node<Route>()
    this.#trees.set(method, tree)
    // A route `*` answers what `/*` answers.
    const place = `${method} ${pattern.key === '*' ? '/*' : pattern.key}`
    const others = this.#routes.get(place) ?? []
    if (others.some((other) => isEqual(other.constraints, constraints)))
      throw new Error(
        `'${place}' is already declared with constraints ${JSON.stringify(constraints, shownAs)}`,
      )
    this.#routes.set(place, [...others, route])
    const node = tree.grow(pattern.parts)
    node.routes = node.routes?.with(route) ?? new ConstrainedRoutes(this.#strategies, [route])
  }
}

/** Reads a query as find-my-way does: a name that comes again has a list of values. */
function parseQuery(query: string): object {
  const found: Record<string, string | string[]> = Object.create(null) as typeof found
  for (const pair of query.split('&').filter(Boolean)) {
    const end = pair.indexOf('=')
    const name = decoded(end < 0 ? pair : pair.slice(0, end))
    const value = end < 0 ? '' : decoded(pair.slice(end + 1))
    const before = found[name]
    found[name] = before === undefined ? value : [before, value].flat()
  }
  return found
}

/** What is no escape stays as it is. */
function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

/** A built-in strategy, which find-my-way derives by code. */
function derivedBy(
  strategy: Strategy,
  derive: (headers: IncomingHttpHeaders) => unknown,
): Strategy {
  // cast: the types say that each header is text
  return { ...strategy, deriveConstraint: ({ headers }) => derive(headers) as string }
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

function isEqual(one: unknown, other: unknown): boolean {
  return late.ajvEqual().default(one, other)
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
  // cast: the types of find-my-way lack the third parameter
  const derive = strategy.deriveConstraint.bind(strategy) as (...args: unknown[]) => unknown
  derive(request, undefined, next)
}

function shownAs(_name: string, value: unknown): unknown {
  if (typeof value === 'function') return `${value.name || 'anonymous'}()`
  return value instanceof RegExp ? String(value) : value
}
