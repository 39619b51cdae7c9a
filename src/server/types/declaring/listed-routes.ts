// Routes that are declared as a list.
import type { AnyCtx, JoinedPath } from '../../../context/ctx.ts'
import type { MethodIn } from '../../../http/methods.ts'
import type { Met } from '../../../plugin/fit.ts'
import type { Route } from '../../../plugin/seen-route.ts'
import type { DefinedRoute } from '../../../route/apart/defined-route.ts'
import type { PrefixTrailingSlash } from '../../../route/declaration.ts'
import type { KeptResult } from '../../../route/route-entry.ts'

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
export type ListedIn<List extends readonly unknown[], Context extends AnyCtx> =
  unknown extends Met<'route', NeedsOf<List[number]>, Context>
    ? unknown
    : { readonly [Index in keyof List]: Met<'route', NeedsOf<List[Index]>, Context> }

/** What each of several routes needs, as a union. */
type NeedsOf<Each> =
  Each extends DefinedRoute<
    infer Needed,
    infer _Methods,
    infer _Path,
    infer _Schema,
    infer _Result,
    infer _Slash
  >
    ? Needed
    : never

/** What a list of routes adds to the routes of a server, as `RouteEntry` for one.
 *  @template One the routes, as a union */
export type ListedRoutes<One, Prefix extends string> = {
  [Each in One as ListedKey<Each, Prefix>]: ListedRoute<Each>
}

type ListedKey<Each, Prefix extends string> =
  Each extends DefinedRoute<
    infer _Needed,
    infer Methods,
    infer Path,
    infer _Schema,
    infer _Result,
    infer Slash
  >
    ? `${MethodIn<Methods>} ${JoinedPath<Prefix, Path, Slash>}`
    : never

type ListedRoute<Each> =
  Each extends DefinedRoute<
    infer _Needed,
    infer _Methods,
    infer _Path,
    infer Schema,
    infer Result,
    infer _Slash
  >
    ? Route<Schema, KeptResult<Schema, Result>>
    : never
