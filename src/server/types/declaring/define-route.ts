import type { MethodName } from '../../../http/methods.ts'
import type { NeedsCtx } from '../../../plugin/plugin-types.ts'
import type { DefinedResult, DefinedRoute } from '../../../route/defined-route.ts'
import type { PrefixTrailingSlash } from '../../../route/declaration.ts'
import type { RouteSchema } from '../../../route/route-schema.ts'
import type { Sealed } from '../../../types/checks.ts'
import type { RouteDefinition } from '../server.ts'
import type { Named, Placed } from './method-and-path.ts'

/** Makes a route a value, which says what it needs of the scope that it is declared in. */
export interface DefineRoute<in out Needed> {
  /** Makes a route a value: `app.route` and `app.addRoutes` declare it.
   *  @example const health = defineRoute({ method: 'GET', url: '/health', handler: () => 'up' }) */
  <
    const Methods extends MethodName | readonly MethodName[],
    const Url extends string = never,
    Result = never,
    const Schema extends RouteSchema = {},
    const Attach extends boolean = false,
    const Path extends string = never,
    Slash extends PrefixTrailingSlash = 'both',
    Taken = never,
  >(
    options: RouteDefinition<
      NeedsCtx<Needed>,
      Methods,
      Url,
      Path,
      Schema,
      Result,
      Attach,
      Slash,
      {},
      Taken
    > &
      Placed<Url, Path> &
      NoInfer<Named<Methods, NeedsCtx<Needed>, Attach>>,
  ): Sealed<
    Schema,
    DefinedRoute<Needed, Methods, Url | Path, Schema, DefinedResult<Schema, Result>, Slash>
  >
}
