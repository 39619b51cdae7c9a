import { errorCodes } from '../errors/codes.ts'
import type { NeededSchemas, Needing, Needs, needs } from '../plugin/plugin-types.ts'
import { describe } from '../errors/describe.ts'
import { isObject } from '../types/objects.ts'
import type { GivenRoute, PrefixTrailingSlash } from './declaration.ts'
import type { AnyCtx, HasCtx, NoResponses, ScopeResponses } from '../context/ctx.ts'
import type { MethodIn } from '../http/methods.ts'
import type { ContractedRoute, RouteFacts } from '../plugin/seen-route.ts'
import type { KeptResult } from './route-entry.ts'

/** A route as a value. `app.route` declares it in any scope that has what the route needs. */
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
  /** The key of the route depends on it. */
  readonly prefixTrailingSlash?: Slash
  /** The handler, without the types of its parameters. They depend on the scope; the needs say
   *  whether a scope is suitable. */
  readonly handler: (request: unknown, reply: unknown) => Result
  readonly [needs]: Needing<Needed>
}

/** Any defined route without further needs, for lists of routes. The types of a list's routes are
 *  lost, unless they are declared one by one.
 *  @example
 *  const routes: AnyRoute[] = [list, byId]
 *  for (const route of routes) app.route(route) */
export type AnyRoute<Needed = Needs> = DefinedRoute<
  Needed,
  string | readonly string[],
  string,
  {},
  unknown,
  PrefixTrailingSlash
>

/** The result of the handler of a defined route. With a response schema it was checked where the
 *  handler was written. */
export type DefinedResult<Schema, Result> = Schema extends { readonly response: unknown }
  ? never
  : Result

/** Makes a value from the options of a route. They are checked where the route is declared.
 *  @throws ESP_ERR_ROUTE_DEFINITION */
export function createRoute(given: unknown): GivenRoute {
  if (!isObject(given)) throw new errorCodes.ESP_ERR_ROUTE_DEFINITION(describe(given))
  const { path, url = path, schema = {}, ...others } = given
  return Object.freeze({ ...others, url, schema })
}

/** The type of any server that has these routes of `defineRoute`, by their keys with all prefixes.
 *  A client of it is cheap to compile: the compiler looks at a route of an interface only when it
 *  is called, but with `typeof app` it has to check all handlers. `satisfies` checks that a server
 *  has the routes. Clients cannot call routes that the contract omits.
 *  @example
 *  interface Routes { 'GET /v1/users/:id': typeof getUser; 'POST /v1/users': typeof addUser }
 *  app satisfies Contract<Routes>
 *  const api = client<Contract<Routes>>('https://example.org')
 *  @template Responses the responses that the server declares by `addResponses`, by status */
export interface Contract<Routes, Responses = never> extends HasCtx<
  ContractCtx<Responses>,
  ContractRoutes<Routes>
> {}

/** The context of a contract. A server that declares other responses does not satisfy it: clients
 *  would not know them. */
interface ContractCtx<Responses> extends AnyCtx {
  schemas: [Responses] extends [never] ? NoResponses : ScopeResponses<Responses>
}

/** The routes of a contract. A route under a wrong key cannot be called or served. It is not
 *  refused in the contract itself, since the compiler would have to look at all routes there. */
type ContractRoutes<Routes> = {
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
      ? ServedRoute<Schema, NeededSchemas<Needed>, KeptResult<Schema, Result>>
      : Mistaken<`The contract has '${MethodIn<Methods>} ${Path}' by another key`>
    : Mistaken<"The contract has no route here: 'typeof' names one that 'defineRoute' made">

/** A route whose body has the type of an error message. */
type Mistaken<Text> = RouteFacts<{ readonly body: { readonly const: Text } }, {}, never>

/** The end of a key for a path below any prefix. A prefix may replace the path `/`. */
type PathEnd<Path extends string> = Path extends '/' ? '' : Path

/** A route in the type of a server that has it. The members are, in order: the form that calls of a
 *  contract and plugins with needs read; a route of the scope itself; a route of a child scope with
 *  its own schemas, which met the needs of the route where it was declared. */
type ServedRoute<Schema, Schemas, Result> =
  | RouteFacts<Schema, Schemas, Result>
  | ContractedRoute<Schema, Result>
  | {
      readonly entry: readonly [ServedRoute<Schema, Schemas, Result>]
      readonly added: Schemas extends ScopeResponses<unknown> ? unknown : NoResponses
    }
