import { errorCodes } from '../../errors/codes.ts'
import type { Needing, Needs, needs } from '../../plugin/plugin-types.ts'
import { describe, isObject } from '../../schema/values.ts'
import type { GivenRoute, PrefixTrailingSlash } from '../declaration.ts'

/** A route as a value, to be declared with `app.route` in any scope that has what it needs. */
export interface DefinedRoute<
  Needed,
  Methods,
  Path extends string,
  Schema,
  Result,
  Slash extends PrefixTrailingSlash = 'both',
> {
  readonly method: Methods
  readonly url: Path
  readonly schema: Schema
  /** What its key depends on. */
  readonly prefixTrailingSlash?: Slash
  /** The handler with its parameters forgotten: those of a scope are its own, and whether they are
   *  enough is judged by the needs. */
  readonly handler: (request: unknown, reply: unknown) => Result
  readonly [needs]: Needing<Needed>
}

/** Any defined route that needs no more: for lists of routes. What they take and give is known where they are
 *  declared one by one.
 *  @example const routes: AnyRoute[] = [list, byId] // for (const route of routes) app.route(route) */
export type AnyRoute<Needed = Needs> = DefinedRoute<
  Needed,
  string | readonly string[],
  string,
  {},
  unknown,
  PrefixTrailingSlash
>

/** What the handler of a defined route returns, which was checked against its response schema where
 *  it was written. */
export type DefinedResult<Schema, Result> = Schema extends { readonly response: unknown }
  ? never
  : Result

/** Makes a value of the options of a route. They are checked where it is declared.
 *  @throws ESP_ERR_ROUTE_DEFINITION */
export function createRoute(given: unknown): GivenRoute {
  if (!isObject(given)) throw new errorCodes.ESP_ERR_ROUTE_DEFINITION(describe(given))
  const { path, url = path, schema = {}, ...others } = given
  return Object.freeze({ ...others, url, schema })
}
