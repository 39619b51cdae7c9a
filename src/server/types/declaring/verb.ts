import type { AnyCtx, HasCtx, JoinedPath, RootCtx } from '../../../context/ctx.ts'
import type { MethodIn, MethodName, MethodShortcut } from '../../../http/methods.ts'
import type { Met } from '../../../plugin/fit.ts'
import type { MayNeed, NeedsCtx } from '../../../plugin/plugin-types.ts'
import type { DefinedResult, DefinedRoute } from '../../../route/apart/defined-route.ts'
import type { PrefixTrailingSlash } from '../../../route/declaration.ts'
import type { HandledRequest, HandlerOf, OptionHandler } from '../../../route/handler.ts'
import type { RouteOptions } from '../../../route/hook-types.ts'
import type { KeptResult, RouteEntry } from '../../../route/route-entry.ts'
import type { RouteSchema } from '../../../route/route-schema.ts'
import type { Sealed } from '../../../types/sealed.ts'
import type { Server, ServerBase } from '../server.ts'
import type { KnownIn, ListedIn, ListedRoutes, MadeByDefineRoute } from './listed-routes.ts'
import type { Named, Placed, Text } from './method-and-path.ts'
import type { CheckedOptions, InTheirPlace, VerbOptions } from './verb-options.ts'

/** Declares routes of one method, or of several for a union. */
// One signature, though it lets a missing handler through to boot. Among overloads the compiler
// tries each call by the subtype relation first, which a handler fails that leaves out an optional
// key of its reply: 440 instantiations more a route, and "No overload matches this call".
//
// The routes so far are read off `this`, so that the signature is the same for all routes of a scope: were
// they an argument of the interface, then each call would instantiate it anew.
//
// `in out` keeps the compiler from comparing the routes that two servers could declare.
export interface Verb<in out Method extends string, in out Context extends AnyCtx, in out Self> {
  /** Declares a route. What the handler returns is sent; it may use `reply.send` instead. The handler
   *  may stand among the options. `options.schema` has the schemas of the request's `params`,
   *  `querystring`, `headers` and `body`, and of the `response` of each status.
   *  @example app.get('/users/:id', { schema: { response: { 200: User } } }, ({ params }) => find(params.id))
   *  @throws ESP_ERR_ROUTE_… or ESP_ERR_SCH_… at once or at boot, with the plugin and the route */
  <
    const Path extends string,
    Result,
    const Schema extends RouteSchema = {},
    const Attach extends boolean = false,
    OptionResult = never,
    This extends HasCtx<unknown, unknown> = Inferred,
    Slash extends PrefixTrailingSlash = 'both',
    Taken = never,
  >(
    this: This,
    path: Path,
    options:
      | VerbOptions<Context, Self, Path, Schema, Method, OptionResult, Attach, Slash, Taken>
      | InTheirPlace<
          Schema,
          HandlerOf<
            Context,
            Self,
            HandledRequest<Context, Self, Path, Schema, Method, Attach>,
            Schema,
            Result,
            Taken
          >
        >,
    handler?: HandlerOf<
      Context,
      Self,
      HandledRequest<Context, Self, Path, Schema, Method, Attach>,
      Schema,
      Result,
      Taken
    >,
  ): Server<
    Context,
    This['~context']['routes'] &
      RouteEntry<
        `${Method} ${JoinedPath<Context['prefix'], Path, Slash>}`,
        Schema,
        KeptResult<Schema, Result, OptionResult>
      >
  >
}

/** What a shortcut is called on if its type arguments are written: no server. They could say another schema than
 *  the one that is given, which nothing compares with what it was inferred from. */
export interface Inferred extends HasCtx<unknown, {}> {
  readonly 'the type arguments of a route are inferred': never
}

/** The shortcut that `addHttpMethod` adds to a server; none where that has one, or the name is not known. */
export type AddedVerbs<Method extends string, Context extends AnyCtx> = string extends Method
  ? {}
  : {
      readonly [
        Name in Exclude<Lowercase<Method>, keyof ServerBase<RootCtx, {}>>
      ]: AddedVerb<Context>
    }

/** Declares a route as a `Verb` does. It gives back the very server that it is called on, which may have been
 *  decorated since: so the route has no key in types. Its body is that of POST, since the boot refuses a schema of one
 *  where `hasBody` is not said. */
export interface AddedVerb<in out Context extends AnyCtx> extends MethodShortcut {
  /** Declares a route of a method that `addHttpMethod` has added, as `post` does. */
  <
    Self,
    const Path extends string,
    Result,
    const Schema extends RouteSchema = {},
    const Attach extends boolean = false,
    OptionResult = never,
    Taken = never,
  >(
    this: Self,
    path: Path,
    options:
      | VerbOptions<
          Context,
          Server<Context>,
          Path,
          Schema,
          'POST',
          OptionResult,
          Attach,
          PrefixTrailingSlash,
          Taken
        >
      | InTheirPlace<
          Schema,
          HandlerOf<
            Context,
            Server<Context>,
            HandledRequest<Context, Server<Context>, Path, Schema, 'POST', Attach>,
            Schema,
            Result,
            Taken
          >
        >,
    handler?: HandlerOf<
      Context,
      Server<Context>,
      HandledRequest<Context, Server<Context>, Path, Schema, 'POST', Attach>,
      Schema,
      Result,
      Taken
    >,
  ): Self
}

/** Declares a route of any methods, or one that `defineRoute` made. */
export interface FullRoute<in out Context extends AnyCtx> {
  /** Declares a route by its options alone, or one that `defineRoute` made. `method` may be a list;
   *  each is a route of its own.
   *  @example app.route({ method: 'GET', url: '/health', handler: () => 'up' })
   *  @throws ESP_ERR_ROUTE_… or ESP_ERR_SCH_… at once or at boot, with the plugin and the route */
  <
    const Methods extends MethodName | readonly MethodName[],
    const Url extends string = never,
    Result = never,
    const Schema extends RouteSchema = {},
    const Attach extends boolean = false,
    Needed = {},
    const Path extends string = never,
    This extends HasCtx<unknown, unknown> = Inferred,
    Slash extends PrefixTrailingSlash = 'both',
    Taken = never,
  >(
    this: This,
    options: RouteDefinition<
      Context,
      Methods,
      Url,
      Path,
      Schema,
      Result,
      Attach,
      Slash,
      Needed,
      Taken
    > &
      Placed<Url, Path> &
      NoInfer<Named<Methods, Context, Attach> & Met<'route', Needed, Context>>,
  ): Server<
    Context,
    This['~context']['routes'] &
      RouteEntry<
        `${MethodIn<Methods>} ${JoinedPath<Context['prefix'], Url | Path, Slash>}`,
        Schema,
        KeptResult<Schema, Result>
      >
  >
}

/** Declares routes that `defineRoute` made. They have been checked where they were defined, so that the compiler asks less of
 *  them than of the options of `route`. */
export interface AddRoutes<in out Context extends AnyCtx> {
  /** Declares the routes of a list that `defineRoute` made, in its order.
   *  @example app.addRoutes([list, byId])
   *  @throws ESP_ERR_ROUTE_LIST */
  <
    const List extends readonly MadeByDefineRoute[],
    This extends HasCtx<unknown, unknown> = Inferred,
  >(
    this: This,
    routes: List & NoInfer<ListedIn<List, Context>>,
  ): Server<Context, This['~context']['routes'] & ListedRoutes<KnownIn<List>, Context['prefix']>>
}

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

/** The options of a route, its methods and its path among them, which has two names. Where its path is wrong, any handler is
 *  right, of whose result nothing is inferred then: messages are to tell of the path. */
export interface RouteDefinition<
  in out Context extends AnyCtx,
  in out Methods extends string | readonly string[],
  in out Url extends string,
  in out Path extends string,
  in out Schema,
  in out Result,
  in out Attach,
  in out Slash extends PrefixTrailingSlash = PrefixTrailingSlash,
  in out Needed = {},
  in out Taken = never,
>
  extends
    RouteOptions<Context, Server<Context>>,
    CheckedOptions<Context, Server<Context>, Url | Path, Schema, MethodIn<Methods>, Attach, Slash>,
    MayNeed<Needed> {
  readonly method: Methods
  readonly handler:
    | OptionHandler<
        Context,
        Server<Context>,
        HandledRequest<Context, Server<Context>, Url | Path, Schema, MethodIn<Methods>, Attach>,
        Schema,
        Result,
        Taken
      >
    | (unknown extends Placed<Url, Path> ? never : object)
  readonly url?: Text<Url>
  readonly path?: Text<Path>
}
