import type {
  AnyCtx,
  ChildCtx,
  Ctx,
  HasCtx,
  JoinedPath,
  RootCtx,
  RoutesAt,
  Scope,
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
import type { MethodIn, MethodName, MethodShortcut, StandardMethod } from '../../http/methods.ts'
import type { Fit, Met } from '../../plugin/fit.ts'
import type { AfterAny } from '../../plugin/of-each.ts'
import type { AfterPlugin, Done, MayNeed } from '../../plugin/plugin-types.ts'
import type { ApplicationHook, RequestHook } from '../../context/hooks.ts'
import type {
  DeriveHook,
  ErrorHandler,
  HookTypes,
  LateRequest,
  NotFoundHandler,
  NotFoundOptions,
  CommonRouteOptions,
} from '../../route/hook-types.ts'
import type {
  SchemaController,
  SchemaErrorFormatter,
  SerializerCompiler,
  ValidatorCompiler,
} from '../../schema/compiler-types.ts'
import type { Inject } from '../transport/inject.ts'
import type { AddContentTypeParser, ParsedTypes } from './content.ts'
import type { EndedOnce, ErrorAnswered, NotFoundAnswered } from './ending.ts'
import type { Clash, Derived, DerivedNames, KeyIn } from './deriving.ts'
import type { GivenOptions, HostOf, OptionsIn, OptionsTo } from './registering.ts'
import type { NodeServerOf } from './node-server.ts'
import type { FreshId, NamedSchema, OwnId, SharedSchema, Sharing } from './sharing.ts'
import type { ServerTools } from './tools.ts'
import type { PrefixTrailingSlash } from '../../route/declaration.ts'
import type { HandledRequest, HandlerOf, OptionHandler } from '../../route/handler.ts'
import type { KeptResult, RouteEntry } from '../../route/route-entry.ts'
import type { RouteSchema } from '../../route/route-schema.ts'
import type {
  KnownIn,
  ListedIn,
  ListedRoutes,
  MadeByDefineRoute,
} from './declaring/listed-routes.ts'
import type { Named, Placed, Text } from './declaring/method-and-path.ts'
import type { CheckedOptions, InTheirPlace, VerbOptions } from './declaring/verb-options.ts'

/** A server as one scope sees it: what the framework gives, and the scope's own decorators.
 *  `Context` stays the same type from route to route, so that what is computed from it is found
 *  again; only `Routes` grows.
 *  @example const app: Server<Ctx<'', { db: Db }>> = espalier().decorate('db', new Db()) */
export type Server<Context extends AnyCtx = RootCtx, Routes = {}> = ServerBase<Context, Routes> &
  Context['server']

/** What `register` and `after` give: chainable at once, or awaited to the plain server, which is
 *  never thenable itself, since an async plugin that returned it would wait for itself. */
export type Registered<Self> = Self & PromiseLike<Self>

/** A server without its decorators. Its context and routes are read back by `HasCtx`; The
 *  words `in` and `out` spare the compiler finding out by probing how it varies: one with more routes stands for one with fewer. */
export interface ServerBase<in out Context extends AnyCtx, out Routes> extends ServerTools {
  /** Having the first name of all, it tells an unfit server before the compiler compares routes. */
  readonly '~context': Scope<Context, Routes>
  /** Node's own server: that of HTTP/2 or TLS where the options of the factory say so. */
  readonly server: NodeServerOf<Context['server']>
  /** The path before all routes of this scope. */
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
  /** Lets routes have another method of HTTP, which `all` declares then too, and adds a shortcut by its
   *  name: `addHttpMethod('MKCOL').mkcol(path, handler)`. @throws ESP_ERR_ROUTE_METHOD_INVALID */
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

  /** Adds a shared schema, visible here and below. */
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
  /** Adds a shared schema whose type does not say its `$id`, as those of TypeBox's own builder. */
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
  /** The shared schema of an id, the very object that was added. */
  getSchema<Id extends keyof Context['schemas']>(id: Id): Context['schemas'][Id]
  /** Copies of the shared schemas that are visible here, by id. */
  getSchemas(): Context['schemas']

  // Written in full, as the other two: see `Ctx`.
  /** Gives this server and those below a property, or a getter and a setter.
   *  @param dependencies names of decorators that must be there
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
  /** Gives each request of this scope and below a property. What differs from request to request is set in a
   *  hook: an object would be shared by all of them, and is refused.
   *  @throws ESP_ERR_DEC_ALREADY_PRESENT, ESP_ERR_DEC_MISSING_DEPENDENCY, ESP_ERR_DEC_REFERENCE_TYPE */
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
  /** Gives each reply of this scope and below a property, as `decorateRequest` does for requests.
   *  @throws ESP_ERR_DEC_ALREADY_PRESENT, ESP_ERR_DEC_MISSING_DEPENDENCY, ESP_ERR_DEC_REFERENCE_TYPE */
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

  // The two signatures differ in the number of arguments, so that a call is judged by one of them
  // alone: among several the compiler tells of a mistake below "No overload matches this call".
  // `none`: so `(...args)` is of any number of parameters, and does not name `done`.
  // `Prefix` is always empty in the first: were its server known before the plugin is, then the
  // compiler would take that for the plugin, and lose its routes.
  /** Registers a plugin: a function that gets a server of its own, which sees what this one has. What
   *  it adds there stays there, unless it is `shared`. It runs at boot.
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
  // A function's options cannot have a prefix: the plugin's routes are typed before the function is.
  /** Registers a plugin with options, or with a function of this server that gives them. The option
   *  `prefix` stands before the paths of the plugin's routes. */
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
  /** Runs when all that was registered before has loaded. */
  after(callback?: (error: Error | null, done: Done) => void): Registered<Server<Context, Routes>>
  /** Loads all plugins and compiles all routes. */
  ready(): Promise<Server<Context, Routes>>
  ready(callback: (error: Error | null, done: Done) => void): void

  /** Adds a hook whose result becomes part of every request of this scope and below, for handlers and for hooks that are
   *  added behind it. Its members are assigned to the request.
   *  @throws ESP_ERR_DEC_ALREADY_PRESENT, as a 500, where the request has one of them; ESP_ERR_DERIVE_INSTANCE for a class's */
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
  // `NoInfer`: the compiler would compare all hooks. The names are a template, which messages spell out.
  /** Adds a hook to this scope and below, for routes that are declared before or behind it.
   *  @throws ESP_ERR_HOOK_…, as where the name or the function is none */
  addHook<
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-template-expression -- see above
    Name extends `${RequestHook | ApplicationHook}`,
    Args extends readonly unknown[] = never,
    Result = unknown,
  >(
    name: Name,
    hook: EndedOnce<Args, Result, Name> & NoInfer<HookTypes<Context, Server<Context>>[Name]>,
  ): Server<Context, Routes>
  /** The error handler of this scope or of the nearest around; without any, one that sends the error. */
  readonly errorHandler: ErrorHandler<Context, Server<Context>>
  /** Sets what answers the errors of this scope and below. What it throws goes to the handler around.
   *  @throws ESP_ERR_ERROR_HANDLER_ALREADY_SET where allowErrorHandlerOverride is false */
  setErrorHandler<Result, Known = {}, Taken = never>(
    handler: ErrorAnswered<Taken, Result, Known> &
      ErrorHandler<Context, Server<Context>, Result, Known>,
  ): Server<Context, Routes>
  /** Answers requests below this prefix that no route is found for; also what `callNotFound` leaves
   *  to it. @throws ESP_ERR_NOT_FOUND_HANDLER where the prefix has one */
  setNotFoundHandler<Result, Known = {}, Taken = never>(
    handler: NotFoundAnswered<Taken, Result, Known> &
      NotFoundHandler<Context, Server<Context>, Result, Known>,
  ): Server<Context, Routes>
  setNotFoundHandler<Result, Known = {}, Taken = never>(
    options: NotFoundOptions<Context, Server<Context>>,
    handler: NotFoundAnswered<Taken, Result, Known> &
      NotFoundHandler<Context, Server<Context>, Result, Known>,
  ): Server<Context, Routes>
  /** Serializes all replies of this scope, whatever their routes' schemas say. */
  setReplySerializer(
    serializer: (
      this: Server<Context>,
      payload: unknown,
      statusCode: number,
    ) => string | Uint8Array,
  ): Server<Context, Routes>
  /** Has the loggers of the requests of this scope made by a function.
   *  @throws ESP_ERR_LOG_INVALID_LOGGER, to the client as a 500, where it returns no logger */
  setChildLoggerFactory(factory: ChildLoggerFactory<Server<Context>>): Server<Context, Routes>
  /** Sets what makes the validators of this scope and below from its schemas, in the place of ajv. */
  setValidatorCompiler(compiler: ValidatorCompiler): Server<Context, Routes>
  /** Sets what makes the serializers of this scope and below, in the place of fast-json-stringify. */
  setSerializerCompiler(compiler: SerializerCompiler): Server<Context, Routes>
  /** Sets how the shared schemas of this scope are kept, and what makes its compilers.
   *  @throws ESP_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN */
  setSchemaController(controller: SchemaController): Server<Context, Routes>
  /** Sets what makes one error of the errors of a failed validation. */
  setSchemaErrorFormatter(formatter: SchemaErrorFormatter<Server<Context>>): Server<Context, Routes>

  /** Adds a parser for content of these types, here and below. Those for JSON and text may be replaced.
   *  @throws ESP_ERR_CTP_ALREADY_PRESENT, ESP_ERR_CTP_INVALID_TYPE, ESP_ERR_CTP_EMPTY_TYPE,
   *  ESP_ERR_CTP_INVALID_HANDLER, ESP_ERR_CTP_INVALID_PARSE_TYPE */
  addContentTypeParser: AddContentTypeParser<Context, Server<Context>, Server<Context, Routes>>
  /** Removes parsers, here and below. */
  removeContentTypeParser(types: ParsedTypes): Server<Context, Routes>
  /** Removes all parsers, here and below, also those for JSON and text. */
  removeAllContentTypeParsers(): Server<Context, Routes>

  /** The value of a decorator; a function is bound to this server.
   *  @throws ESP_ERR_DEC_UNDECLARED */
  getDecorator<Name extends keyof Context['server']>(name: Name): Context['server'][Name]
  /** Sends a request without a socket. */
  inject: Inject<RoutesAt<Context['prefix'], Routes>, Context['schemas']>
  /** Gives the same server: for programs of Fastify, where types come of type providers. */
  withTypeProvider<_Provider = unknown>(): Server<Context, Routes>
}

/** From the context and routes after a plugin to the server that has them. */
type RegisteredIn<After> = After extends [infer Context extends AnyCtx, infer Routes]
  ? Registered<Server<Context, Routes>>
  : never

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
