// What a client is told of a server without the type of that server.
import type { AnyCtx, HasCtx } from '../../context/ctx.ts'
import type { MethodIn } from '../../http/methods.ts'
import type { NeedOf } from '../../plugin/plugin-types.ts'
import type { DeclaredRoute, RouteFacts } from '../../plugin/seen-route.ts'
import type { KeptResult } from '../route-entry.ts'
import type { DefinedRoute } from './defined-route.ts'

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
