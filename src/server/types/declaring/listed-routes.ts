// Routes that are declared as a list.
import type { AnyCtx, JoinedPath } from '../../../context/ctx.ts'
import type { MethodIn } from '../../../http/methods.ts'
import type { Met } from '../../../plugin/fit.ts'
import type { Needing, needs } from '../../../plugin/plugin-types.ts'
import type { Route } from '../../../plugin/seen-route.ts'
import type { DefinedRoute } from '../../../route/defined-route.ts'
import type { PrefixTrailingSlash } from '../../../route/declaration.ts'
import type { KeptResult } from '../../../route/route-entry.ts'
import type { HasResponse } from '../../../types/has-part.ts'

/** Any route that `defineRoute` made, or a copy of one. Its name is what messages say of other values. */
export interface MadeByDefineRoute extends DefinedRoute<
  never,
  string | readonly string[],
  string,
  unknown,
  unknown,
  PrefixTrailingSlash
> {}

/** What a list of routes is for a scope that has what they need; for another, a sentence in the place of each that needs more. All
 *  are asked at once, since most lists fit, and need the same. */
export type ListedIn<List extends readonly MadeByDefineRoute[], Context extends AnyCtx> =
  unknown extends Met<'route', NeededBy<List[number][typeof needs]>, Context>
    ? unknown
    : { readonly [Index in keyof List]: Met<'route', NeededBy<List[Index][typeof needs]>, Context> }

/** What is needed, as a union where several things say so. */
type NeededBy<Says> = Says extends Needing<infer Needed> ? Needed : never

/** What a list of routes adds to the routes of a server, as `RouteEntry` for one. The parts of a route are read by their names: to
 *  have them inferred, the compiler compares the route as a whole.
 *  @template One the routes, as a union */
export type ListedRoutes<One extends MadeByDefineRoute, Prefix extends string> = {
  [
    Each in One as `${MethodIn<Each['method']>} ${JoinedPath<Prefix, Each['url'], SlashOf<Each>>}`
  ]: Route<Each['schema'], ListedResult<Each>>
}

/** The routes of a list, as a union. Of one that is `any` nothing is known, as of those made at run time. */
export type KnownIn<List extends readonly MadeByDefineRoute[]> = unknown extends List[number]
  ? MadeByDefineRoute
  : List[number]

type SlashOf<Each extends MadeByDefineRoute> = NonNullable<Each['prefixTrailingSlash']>

/** As `KeptResult`: what the handler returns, where no response schema says it. */
type ListedResult<Each extends MadeByDefineRoute> = Each['schema'] extends HasResponse
  ? unknown
  : KeptResult<Each['schema'], ReturnType<Each['handler']>>
