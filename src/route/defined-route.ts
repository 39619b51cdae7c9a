import { errorCodes } from '../errors/codes.ts'
import type { Needing, NeedOf, Needs, needs } from '../plugin/plugin-types.ts'
import { describe, isObject } from '../schema/values.ts'
import type { GivenRoute, PrefixTrailingSlash } from './declaration.ts'
import type { AnyCtx, HasCtx } from '../context/ctx.ts'
import type { MethodIn } from '../http/methods.ts'
import type { DeclaredRoute, RouteFacts } from '../plugin/seen-route.ts'
import type { KeptResult } from './route-entry.ts'

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

// What a client is told of a server without the type of that server.
/** The type of any server that has these routes of `defineRoute`, by their keys with all prefixes. Of an interface the compiler
 *  looks at a route when it is called, and at no other; of `typeof app` it has to check the handlers of all. `satisfies` asks
 *  whether a server has them. What a contract leaves out its clients cannot call.
 *  @example
 *  interface Routes { 'GET /v1/users/:id': typeof getUser; 'POST /v1/users': typeof addUser }
 *  app satisfies Contract<Routes>
 *  const api = client<Contract<Routes>>('https://example.org') */
export interface Contract<Routes> extends HasCtx<AnyCtx, ContractRoutes<Routes>> {}

/** The routes of a contract. One whose key is not its own nobody can call or serve: to refuse it where it stands, the compiler
 *  would look at all of them there. */
export type ContractRoutes<Routes> = {
  readonly [Key in keyof Routes]: ContractRoute<Key, Routes[Key]>
}

type ContractRoute<Key, Each> =
  Each extends DefinedRoute<
    infer Needed,
    infer Methods,
    infer Path,
    infer Schema,
    infer Result,
    infer _Slash
  >
    ? Key extends `${MethodIn<Methods>} ${string}${PathEnd<Path>}`
      ? ServedRoute<Schema, NeedOf<Needed, 'schemas'>, KeptResult<Schema, Result>>
      : Mistaken<`The contract has '${MethodIn<Methods>} ${Path}' by another key`>
    : Mistaken<"The contract has no route here: 'typeof' names one that 'defineRoute' made">

/** A route that takes a sentence for its body. */
type Mistaken<Text> = RouteFacts<{ readonly body: { readonly const: Text } }, {}, never>

/** What the path of a route is behind any prefix, which `/` may leave as it is. */
type PathEnd<Path extends string> = Path extends '/' ? '' : Path

/** A route in the type of a server that has it: as a plugin of needs keeps it, which is what calls read of a contract; of the
 *  scope itself, or of one below with schemas of its own, which have met what the route needs where it was declared. */
export type ServedRoute<Schema, Schemas, Result> =
  | RouteFacts<Schema, Schemas, Result>
  | DeclaredRoute<Schema, Result>
  | { readonly entry: readonly [ServedRoute<Schema, Schemas, Result>] }
