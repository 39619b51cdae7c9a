import type { AnyHandler } from '../../route/declaration.ts'

/** What is asked of `hasRoute` and `findRoute`. */
export interface RouteQuery {
  /** In any case. */
  readonly method?: string
  /** The full path, with its prefix. */
  readonly url?: string
  /** Those of the route, value by value. */
  readonly constraints?: Readonly<Record<string, unknown>>
}

/** What `findRoute` gives. */
export interface FoundRoute {
  readonly handler: AnyHandler
  /** The parameters that the path of the query gives. */
  readonly params: Readonly<Record<string, string | undefined>>
  readonly searchParams: unknown
}
