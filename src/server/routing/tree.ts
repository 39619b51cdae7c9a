import type { Constrained, ConstrainedRoutes, Derived } from './constrained-routes.ts'
import type { Params, Pattern } from './pattern.ts'

/** A URL that a tree is searched for. */
export interface Search {
  /** The path whose characters are compared, and the same path before its case was changed. */
  readonly path: string
  readonly origin: string
  readonly derived: Derived | undefined
  readonly maxParamLength: number
  /** Set where a parameter was too long. */
  isTooLong: boolean
}

/** What a search finds: a route, and the values of its parameters. */
export interface Hit<Route> {
  readonly route: Route
  readonly values: readonly string[]
}

/** A place in a tree of paths: what may follow the characters and parameters before it. */
export class Node<Route extends Constrained> {
  /** The routes that end here. */
  routes: ConstrainedRoutes<Route> | undefined
  readonly #texts = new Map<string, Node<Route>>()
  readonly #params: (Params & { readonly node: Node<Route> })[] = []
  #rest: Node<Route> | undefined

  /** Whether a path may end in this place with a wildcard. */
  get hasRest(): boolean {
    return this.#rest !== undefined
  }

  /** The place behind parts of a pattern, which is made if there is none. */
  grow(parts: Pattern['parts']): Node<Route> {
    return stepsOf(parts).reduce<Node<Route>>(
      (node, step) => node.#next(step) ?? node.#add(step),
      this,
    )
  }

  /** Searches from a character on. Text goes before parameters, and these before a wildcard. */
  find(search: Search, at: number, values: readonly string[]): Hit<Route> | undefined {
    const { path, origin, derived } = search
    const route = at === path.length ? this.routes?.choose(derived) : undefined
    if (route !== undefined) return { route, values }
    const byText = this.#texts.get(path.charAt(at))?.find(search, at + 1, values)
    if (byText !== undefined) return byText
    const slash = origin.indexOf('/', at)
    const end = slash === -1 ? path.length : slash
    for (const params of this.#params) {
      const own = valuesOf(params, decodeURIComponent(origin.slice(at, end)), search)
      const byParams = own && params.node.find(search, end, [...values, ...own])
      if (byParams !== undefined) return byParams
    }
    const rest = (): string => decodeURIComponent(origin.slice(at))
    return this.#rest?.find(search, path.length, [...values, rest()])
  }

  #next(step: Step): Node<Route> | undefined {
    if (step === '*') return this.#rest
    if ('text' in step) return this.#texts.get(step.text)
    return this.#params.find(({ regex }) => regex?.source === step.regex?.source)?.node
  }

  #add(step: Step): Node<Route> {
    const node = new Node<Route>()
    if (step === '*') this.#rest = node
    else if ('text' in step) this.#texts.set(step.text, node)
    else this.#params.push({ ...step, node })
    this.#params.sort((one, other) => (goesBefore(one, other) ? -1 : 1))
    return node
  }
}

type Step = '*' | { readonly text: string } | Params

/** The parts of a pattern with each character of its text. */
function stepsOf(parts: Pattern['parts']): Step[] {
  return parts.flatMap<Step>((part) => {
    if (typeof part !== 'string' || part === '*') return [part]
    return part.split('').map((text) => ({ text }))
  })
}

/** Parameters with a regular expression are tried first, of these the ones with the longer text
 *  at their end. */
function goesBefore(one: Params, other: Params): boolean {
  if (one.regex === undefined || other.regex === undefined) return one.regex !== undefined
  return one.suffix.endsWith(other.suffix) && !other.suffix.endsWith(one.suffix)
}

/** The values of parameters in a segment. Undefined if it does not match, or is too long. */
function valuesOf(
  { regex, count, fixed }: Params,
  segment: string,
  search: Search,
): readonly string[] | undefined {
  const { maxParamLength } = search
  if (segment.length > count * maxParamLength + fixed) {
    search.isTooLong = true
    return undefined
  }
  const found = regex === undefined ? ['', segment] : regex.exec(segment)
  // A group that took no part has no value.
  const values = found?.slice(1).map((value: string | undefined) => value ?? '')
  if (values?.some(({ length }) => length > maxParamLength) !== true) return values
  search.isTooLong = true
  return undefined
}
