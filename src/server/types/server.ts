import type {
  AnyCtx,
  ChildCtx,
  Ctx,
  HasCtx,
  JoinedPath,
  RootCtx,
  RoutesAt,
  SchemasById,
  Scope,
  ScopeResponses,
} from '../../context/ctx.ts'
import type {
  DecoratorContext,
  DecoratorEntry,
  FreshName,
  UnlessShared,
} from '../../context/decorator-types.ts'
import type { Chained } from '../../typed/sent.ts'
import type { TypedReply } from '../../typed/reply.ts'
import type { HookRequest } from '../../typed/request.ts'
import type { ChildLoggerFactory } from '../../http/logger.ts'
import type { MethodIn, MethodName, StandardMethod } from '../../http/methods.ts'
import type { Fit, Met } from '../../plugin/fit.ts'
import type { AddedAgain, AfterAny, AfterPlugin, Done, MayNeed } from '../../plugin/plugin-types.ts'
import type { ApplicationHookName, RequestHook } from '../../context/hooks.ts'
import type {
  DeriveHook,
  ErrorHandler,
  LateRequest,
  NotFoundHandler,
  NotFoundOptions,
} from '../../route/hook-types.ts'
import type {
  SchemaController,
  SchemaErrorFormatter,
  SerializerCompiler,
  ValidatorCompiler,
} from '../../schema/compiler-types.ts'
import type { AnyErrorClass } from '../../schema/http-error.ts'
import type { Inject } from '../transport/inject.ts'
import type { AddContentTypeParser, ParsedTypes } from './content-type-parser.ts'
import type {
  Clash,
  Derived,
  DerivedNames,
  EndedOnce,
  ErrorAnswered,
  HookTypes,
  KeyIn,
  NotFoundAnswered,
} from './hook.ts'
import type { GivenOptions, HostOf, OptionsIn, OptionsTo } from './register.ts'
import type { NodeServerOf, ServerTools } from './tools.ts'
import type { Answerable, AnswerableErrors, Answers } from './add-responses.ts'
import type { FreshId, NamedSchema, OwnId, SharedSchema, Sharing } from './add-schema.ts'
import type { PrefixTrailingSlash } from '../../route/declaration.ts'
import type { HandledRequest, HandlerOf, OptionHandler } from '../../route/handler.ts'
import type { KeptResult, RouteEntry } from '../../route/route-entry.ts'
import type { RouteSchema } from '../../route/route-schema.ts'
import type {
  CheckedOptions,
  CommonRouteOptions,
  InTheirPlace,
  KnownIn,
  ListedIn,
  ListedRoutes,
  MadeByDefineRoute,
  Named,
  Placed,
  Text,
  VerbOptions,
} from './route-options.ts'

/** The server of a scope, with its decorators. `Context` stays the same type from route to route,
 *  so the compiler finds computed types again; only `Routes` grows.
 *  @example const app: Server<Ctx<'', { db: Db }>> = espalier().decorate('db', new Db()) */
export type Server<Context extends AnyCtx = RootCtx, Routes = {}> = ServerBase<Context, Routes> &
  Context['server']

/** The result of `register` and `after`. It can be chained, or awaited to the plain server. The
 *  plain server is not thenable, since an async plugin that returned it would wait for itself. */
export type Registered<Self> = Self & PromiseLike<Self>

/** A server without decorators. `HasCtx` reads its context and routes. `in` and `out` state the
 *  variance, which the compiler would have to compute: a server with more routes is assignable to
 *  one with fewer. */
export interface ServerBase<in out Context extends AnyCtx, out Routes> extends ServerTools {
  /** The first name of all, by which the compiler refuses another server before it compares
   *  routes. */
  readonly '~context': Scope<Context, Routes>
  /** The server of Node: of HTTP/2 or TLS if the options of the factory say so. */
  readonly server: NodeServerOf<Context['server']>
  /** The path prefix of this scope's routes. */
  readonly prefix: Context['prefix']

  get: Verb<'GET', Context, Server<Context>>
  head: Verb<'HEAD', Context, Server<Context>>
  post: Verb<'POST', Context, Server<Context>>
  put: Verb<'PUT', Context, Server<Context>>
  patch: Verb<'PATCH', Context, Server<Context>>
  delete: Verb<'DELETE', Context, Server<Context>>
  options: Verb<'OPTIONS', Context, Server<Context>>
  trace: Verb<'TRACE', Context, Server<Context>>
  all: Verb<StandardMethod, Context, Server<Context>>
  route: FullRoute<Context>
  addRoutes: AddRoutes<Context>
  /** Allows another HTTP method for routes and for `all`, and adds a shortcut of its name:
   *  `addHttpMethod('MKCOL').mkcol(path, handler)`. @throws ESP_ERR_ROUTE_METHOD_INVALID */
  addHttpMethod<const Method extends string>(
    method: Method,
    options?: { readonly hasBody?: boolean },
  ): Server<
    Ctx<
      Context['prefix'],
      Context['server'] & AddedVerbs<Method, Context>,
      Context['request'],
      Context['reply'],
      Context['schemas'],
      Context['derived']
    >,
    Routes
  >

  /** Adds a shared schema to this scope and below. */
  addSchema<const Schema extends Sharing>(
    schema: SharedSchema<Schema, Context['schemas']>,
  ): Server<
    Ctx<
      Context['prefix'],
      Context['server'],
      Context['request'],
      Context['reply'],
      Context['schemas'] & { [Id in OwnId<Schema>]: Schema },
      Context['derived']
    >,
    Routes
  >
  /** Adds a shared schema whose type does not state its `$id`, such as those of TypeBox's
   *  builder. */
  addSchema<const Id extends string, Schema extends object, Known = {}>(
    id: FreshId<Id, Context['schemas'], Known>,
    schema: NamedSchema<Schema, Known>,
  ): Server<
    Ctx<
      Context['prefix'],
      Context['server'],
      Context['request'],
      Context['reply'],
      Context['schemas'] & { [Key in Id]: Schema },
      Context['derived']
    >,
    Routes
  >
  /** The shared schema of an id, as the object that was added. */
  getSchema<Id extends keyof Context['schemas'] & string>(id: Id): Context['schemas'][Id]
  /** Copies of the visible shared schemas, by id. */
  getSchemas(): SchemasById<Context['schemas']>

  /** Declares what may be answered in this scope and below, by status (401) or class (`4xx`), or
   *  by errors of `httpError`: `addResponses(NotFound, Conflict)`. A route's own entry takes
   *  precedence; errors stand beside others. Successes (2xx) and `default` belong to routes.
   *  @example app.addResponses({ 401: t.Object({ title: t.String() }) })
   *  @throws ESP_ERR_SCOPE_RESPONSE_KEY, ESP_ERR_SCH_NOT_OBJECT; ESP_ERR_SCOPE_RESPONSE_PRESENT or
   *  ESP_ERR_SCOPE_ERROR_PRESENT if the scope, or one above or below, has another schema */
  addResponses<const Given extends object, const Errors extends readonly AnyErrorClass[] = []>(
    given: Given & NoInfer<Answerable<Given, Context>>,
    ...errors: AnswerableErrors<Errors, Context>
  ): Server<
    Ctx<
      Context['prefix'],
      Context['server'],
      Context['request'],
      Context['reply'],
      Context['schemas'] & ScopeResponses<Answers<Given, Errors>>,
      Context['derived']
    >,
    Routes
  >

  // Written in full, as the other two: see `Ctx`.
  /** Adds a property, or a getter and a setter, to this server and those below.
   *  @param dependencies the names of required decorators
   *  @throws ESP_ERR_DEC_ALREADY_PRESENT, ESP_ERR_DEC_MISSING_DEPENDENCY */
  decorate<const Name extends string | symbol, Value, Known = {}>(
    name: FreshName<
      Name,
      keyof Context['server'] | keyof ServerBase<RootCtx, {}> | 'then',
      'Server',
      Known
    >,
    value: Value | DecoratorContext<Server<Context>, Value>,
    dependencies?: readonly (string | symbol)[],
  ): Server<
    Ctx<
      Context['prefix'],
      Context['server'] & DecoratorEntry<Name, Value>,
      Context['request'],
      Context['reply'],
      Context['schemas'],
      Context['derived']
    >,
    Routes
  >
  /** Adds a property to the requests of this scope and below. An object is refused, since all
   *  requests would share it. A hook sets the values of single requests.
   *  @throws ESP_ERR_DEC_ALREADY_PRESENT, ESP_ERR_DEC_MISSING_DEPENDENCY,
   *  ESP_ERR_DEC_REFERENCE_TYPE */
  decorateRequest<const Name extends string | symbol, Value, Known = {}>(
    name: FreshName<Name, keyof Context['request'] | keyof HookRequest<unknown>, 'Request', Known> &
      UnlessShared<Value, Known, Context['prefix']>,
    value: Value | DecoratorContext<LateRequest<Context, Server<Context>>, Value>,
    dependencies?: readonly (string | symbol)[],
  ): Server<
    Ctx<
      Context['prefix'],
      Context['server'],
      Context['request'] & DecoratorEntry<Name, Value>,
      Context['reply'],
      Context['schemas'],
      Context['derived']
    >,
    Routes
  >
  /** Adds a property to the replies of this scope and below, as `decorateRequest` to requests.
   *  @throws ESP_ERR_DEC_ALREADY_PRESENT, ESP_ERR_DEC_MISSING_DEPENDENCY,
   *  ESP_ERR_DEC_REFERENCE_TYPE */
  decorateReply<const Name extends string | symbol, Value, Known = {}>(
    name: FreshName<
      Name,
      keyof Context['reply'] | keyof TypedReply<RootCtx, unknown> | 'then',
      'Reply',
      Known
    > &
      UnlessShared<Value, Known, Context['prefix']>,
    value: Value | DecoratorContext<TypedReply<Context, Server<Context>> & Context['reply'], Value>,
    dependencies?: readonly (string | symbol)[],
  ): Server<
    Ctx<
      Context['prefix'],
      Context['server'],
      Context['request'],
      Context['reply'] & DecoratorEntry<Name, Chained<Value>>,
      Context['schemas'],
      Context['derived']
    >,
    Routes
  >

  // The two signatures have different numbers of arguments, so only one of them judges a call.
  // Otherwise the compiler reports mistakes as "No overload matches this call". `none` keeps
  // `(...args)` from including `done`. `Prefix` is always empty in the first signature. If its
  // server were known before the plugin, the compiler would use that as the plugin and lose its
  // routes.
  /** Registers a plugin: a function that gets a child server. Its additions stay in that scope,
   *  unless the plugin is `shared`. It runs at boot.
   *  @example app.register(async (users) => { users.get('/', list) }, { prefix: '/users' })
   *  @throws ESP_ERR_PLUGIN_… at once or at boot */
  register<
    Registering extends (
      server: HostOf<Registering, Server<ChildCtx<Context, Prefix>>>,
      options: {},
      done: Done,
      ...none: undefined[]
    ) => unknown,
    Prefix extends '' = '',
  >(
    plugin: Fit<Registering, Context, Server<Context>, Server<ChildCtx<Context, Prefix>>>,
  ): RegisteredIn<AfterAny<Routes, AfterPlugin<Context, Registering, ''>>>
  // A function of options cannot give a prefix: the routes of the plugin are typed before it.
  /** Registers a plugin with options, or with a function of this server that returns options. The
   *  option `prefix` is added to the paths of the plugin's routes. */
  register<
    Registering extends (
      server: HostOf<Registering, Server<ChildCtx<Context, Prefix>>>,
      options: OptionsIn<Given, Registering>,
      done: Done,
      ...none: undefined[]
    ) => unknown,
    const Prefix extends string = '',
    Given extends GivenOptions<Text> = never,
    Text extends string = never,
  >(
    plugin: Fit<Registering, Context, Server<Context>, Server<ChildCtx<Context, Prefix>>>,
    options: OptionsTo<Registering, Given, Prefix, Server<Context>> | undefined,
  ): RegisteredIn<AfterAny<Routes, AfterPlugin<Context, Registering, Prefix>>>
  /** Runs when all plugins that were registered before have loaded. */
  after(callback?: (error: Error | null, done: Done) => void): Registered<Server<Context, Routes>>
  /** Loads all plugins and compiles all routes. */
  ready(): Promise<Server<Context, Routes>>
  ready(callback: (error: Error | null, done: Done) => void): void

  /** Adds a hook whose result is assigned to the requests of this scope and below. Handlers and
   *  later hooks see its members.
   *  @throws ESP_ERR_DEC_ALREADY_PRESENT, as a 500, if a request has one of the members;
   *  ESP_ERR_DERIVE_INSTANCE for an instance of a class */
  derive<
    const Phase extends 'onRequest' | 'preValidation' | 'preHandler',
    Result extends object | void,
    Known = {},
  >(
    phase: Phase,
    hook: NoInfer<Clash<Result, KeyIn<Context['request']> | keyof HookRequest<unknown>, Known>> &
      DeriveHook<Context, Server<Context>, Phase, Result>,
  ): Server<
    Ctx<
      Context['prefix'],
      Context['server'],
      Context['request'] & Derived<Result>,
      Context['reply'],
      Context['schemas'],
      Context['derived'] & DerivedNames<Result, Phase>
    >,
    Routes
  >
  // Without `NoInfer` the compiler would compare all hooks. The names are a template type, which
  // messages list.
  /** Adds a hook to this scope and below, also for routes that were declared before.
   *  @throws ESP_ERR_HOOK_… for an unknown name or an invalid function */
  addHook<
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-template-expression -- see above
    Name extends `${RequestHook | ApplicationHookName}`,
    Args extends readonly unknown[] = never,
    Result = unknown,
  >(
    name: Name,
    hook: EndedOnce<Args, Result, Name> & NoInfer<HookTypes<Context, Server<Context>>[Name]>,
  ): Server<Context, Routes>
  /** The error handler of this scope or of its nearest parent. The default one sends the error. */
  readonly errorHandler: ErrorHandler<Context, Server<Context>>
  /** Sets the error handler of this scope and below. The handler of the parent gets the errors that
   *  it throws.
   *  @throws ESP_ERR_ERROR_HANDLER_ALREADY_SET if allowErrorHandlerOverride is false */
  setErrorHandler<Result, Known = {}, Taken = never>(
    handler: ErrorAnswered<Taken, Result, Known> &
      ErrorHandler<Context, Server<Context>, Result, Known>,
  ): Server<Context, Routes>
  /** Sets the handler for requests below this prefix without a route, and for `callNotFound`.
   *  @throws ESP_ERR_NOT_FOUND_HANDLER if the prefix has a handler */
  setNotFoundHandler<Result, Known = {}, Taken = never>(
    handler: NotFoundAnswered<Taken, Result, Known> &
      NotFoundHandler<Context, Server<Context>, Result, Known>,
  ): Server<Context, Routes>
  setNotFoundHandler<Result, Known = {}, Taken = never>(
    options: NotFoundOptions<Context, Server<Context>>,
    handler: NotFoundAnswered<Taken, Result, Known> &
      NotFoundHandler<Context, Server<Context>, Result, Known>,
  ): Server<Context, Routes>
  /** Sets the serializer of all replies of this scope, which ignores the schemas of routes. */
  setReplySerializer(
    serializer: (
      this: Server<Context>,
      payload: unknown,
      statusCode: number,
    ) => string | Uint8Array,
  ): Server<Context, Routes>
  /** Sets the function that makes the loggers of this scope's requests.
   *  @throws ESP_ERR_LOG_INVALID_LOGGER, as a 500, if it returns no logger */
  setChildLoggerFactory(factory: ChildLoggerFactory<Server<Context>>): Server<Context, Routes>
  /** Sets the compiler for the validators of this scope and below, instead of ajv. */
  setValidatorCompiler(compiler: ValidatorCompiler): Server<Context, Routes>
  /** Sets the compiler for the serializers of this scope and below, instead of
   *  fast-json-stringify. */
  setSerializerCompiler(compiler: SerializerCompiler): Server<Context, Routes>
  /** Sets the schema controller of this scope: its storage of shared schemas and its compilers.
   *  @throws ESP_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN */
  setSchemaController(controller: SchemaController): Server<Context, Routes>
  /** Sets the function that makes one error from the errors of a failed validation. */
  setSchemaErrorFormatter(formatter: SchemaErrorFormatter<Server<Context>>): Server<Context, Routes>

  /** Adds a content-type parser to this scope and below. It may replace the ones for JSON and text.
   *  @throws ESP_ERR_CTP_ALREADY_PRESENT, ESP_ERR_CTP_INVALID_TYPE, ESP_ERR_CTP_EMPTY_TYPE,
   *  ESP_ERR_CTP_INVALID_HANDLER, ESP_ERR_CTP_INVALID_PARSE_TYPE */
  addContentTypeParser: AddContentTypeParser<Context, Server<Context>, Server<Context, Routes>>
  /** Removes parsers from this scope and below. */
  removeContentTypeParser(types: ParsedTypes): Server<Context, Routes>
  /** Removes all parsers from this scope and below, including those for JSON and text. */
  removeAllContentTypeParsers(): Server<Context, Routes>

  /** The value of a decorator. A function is bound to this server.
   *  @throws ESP_ERR_DEC_UNDECLARED */
  getDecorator<Name extends keyof Context['server']>(name: Name): Context['server'][Name]
  /** Sends a request without a socket. */
  inject: Inject<RoutesAt<Context['prefix'], Routes>, Context['schemas']>
  /** Returns the same server. It is for programs of Fastify, whose types come from type
   *  providers. */
  withTypeProvider<_Provider = unknown>(): Server<Context, Routes>
}

/** The server for the context and the routes after a plugin. */
type RegisteredIn<After> = After extends [infer Context extends AnyCtx, infer Routes]
  ? Registered<Server<Context, Routes>>
  : never

/** Declares routes of one method, or of a union of methods. */
// There is one signature, although it accepts a missing handler until boot. With overloads the
// compiler first compares each call by the subtype relation. A handler that omits an optional key
// of its reply fails there, which costs 440 instantiations for each route and gives the message "No
// overload matches this call". The routes so far come from `this`, so the signature is the same for
// all routes of a scope. As an argument of the interface, each call would instantiate it anew. `in
// out` keeps the compiler from comparing the routes that two servers could declare.
export interface Verb<in out Method extends string, in out Context extends AnyCtx, in out Self> {
  /** Declares a route. The result of the handler is sent, or the argument of `reply.send`. The
   *  handler may be an option. `options.schema` has the schemas of the request's `params`,
   *  `querystring`, `headers` and `body`, and of the `response` by status.
   *  @example
   *  app.get('/users/:id', { schema: { params: UserId } }, ({ params }) => find(params.id))
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
          VerbHandler<Context, Self, Path, Schema, Method, Attach, Result, Taken>
        >,
    handler?: VerbHandler<Context, Self, Path, Schema, Method, Attach, Result, Taken>,
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

/** The handler of a shortcut. */
type VerbHandler<
  Context extends AnyCtx,
  Self,
  Path extends string,
  Schema,
  Method,
  Attach,
  Result,
  Taken,
> = HandlerOf<
  Context,
  Self,
  HandledRequest<Context, Self, Path, Schema, Method, Attach>,
  Schema,
  Result,
  Taken
>

/** The type of `this` for a shortcut with explicit type arguments, which no server has. Explicit
 *  arguments could state another schema than the given one, and nothing compares the two. */
export interface Inferred extends HasCtx<unknown, {}> {
  readonly 'the type arguments of a route are inferred': never
}

/** The shortcut of `addHttpMethod`. There is none if the server has one, or the method is not
 *  known. */
export type AddedVerbs<Method extends string, Context extends AnyCtx> = string extends Method
  ? {}
  : {
      readonly [
        Name in Exclude<Lowercase<Method>, keyof ServerBase<RootCtx, {}>>
      ]: AddedVerb<Context>
    }

/** Declares a route as `Verb` does, and returns the same server. That server may have been
 *  decorated since, so the route has no key in types. The body is typed as for POST; without
 *  `hasBody` the boot refuses a body schema. */
export interface AddedVerb<in out Context extends AnyCtx> extends AddedAgain {
  /** Declares a route of an added method, as `post` does. */
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
          VerbHandler<Context, Server<Context>, Path, Schema, 'POST', Attach, Result, Taken>
        >,
    handler?: VerbHandler<Context, Server<Context>, Path, Schema, 'POST', Attach, Result, Taken>,
  ): Self
}

/** Declares a route of any methods, or a route of `defineRoute`. */
export interface FullRoute<in out Context extends AnyCtx> {
  /** Declares a route by its options, or a route of `defineRoute`. A list of methods declares one
   *  route for each.
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

/** Declares routes of `defineRoute`. The compiler has checked them where they were defined, so it
 *  checks less here than for the options of `route`. */
export interface AddRoutes<in out Context extends AnyCtx> {
  /** Declares the routes of a list, in its order. `defineRoute` makes them.
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

/** The options of a route with its methods and its path, which has two names. With a wrong path any
 *  handler is accepted, and nothing is inferred from it, so that messages report the path. */
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
    CommonRouteOptions<Context, Server<Context>>,
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
