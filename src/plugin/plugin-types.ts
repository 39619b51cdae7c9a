import type { LogLevel, LogSerializers } from '../http/logger.ts'
import type {
  AnyCtx,
  ChildCtx,
  Ctx,
  DerivePhase,
  HasCtx,
  PathBelow,
  KnownPrefix,
  SchemasById,
  SchemasOfBoth,
  ScopeResponses,
} from '../context/ctx.ts'
import type { RouteBeside, Seen } from './seen-route.ts'

/** The key of the scope that a shared plugin was written for; in types only. */
export declare const shared: unique symbol
/** The key of the needs of a plugin or a route; in types only. */
export declare const needs: unique symbol
/** The key of the additions of an adopted plugin; in types only. */
export declare const adopted: unique symbol
/** The key of the scope that a shared plugin makes; in types only. */
export declare const adds: unique symbol
declare const promoted: unique symbol
declare const portable: unique symbol

/** The options of `register` for the framework itself. */
export interface PluginOptions {
  /** The path prefix of the plugin's routes. Shared plugins have no prefix of their own. */
  readonly prefix?: string
  /** Whether nothing is changed silently in the plugin's routes. @default that of the parent */
  readonly strict?: boolean
  /** The level of the loggers of the plugin's requests. @default that of the server's logger */
  readonly logLevel?: LogLevel
  /** Added to the serializers of the parent scope. */
  readonly logSerializers?: LogSerializers
}

/** Ends a plugin of the callback form. */
export type Done = (error?: Error) => void

/** The mark, in types, of a decorator that several plugins may add to one scope. */
export interface AddedAgain {
  readonly '~again': true
}

/** A plugin that adds to the scope it is registered in, instead of to a child of that scope. */
export interface Shared<in out Self, Options, Result> extends SharedIn<Self> {
  // Only `Fit` checks the scope. The options may have a prefix, which a child scope would need.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- see above
  (server: any, options: Options, done: Done): SharedResult<Result>
}

/** The known part of a shared plugin before it is typed: the scope that it adds to. */
export interface SharedIn<in out Self> {
  readonly [shared]: Self
}

/** The result of a shared plugin that was written for its scope. */
export interface SharedResult<Result> {
  readonly [shared]: Result
}

/** The needs of a plugin or a route in a file of its own: the required parts of its scope. */
export interface Needs {
  readonly server?: object
  readonly request?: object
  readonly reply?: object
  readonly schemas?: object
  /** The responses that the scope declares, by status: `{ 401: typeof Problem }`. */
  readonly responses?: object
  /** The names of required request decorators that a `derive` may add, each with the latest phase
   *  at which it must exist: `{ user: 'preHandler' }`. */
  readonly derived?: object
}

/** A shared plugin: one of `shared`, of `plugin().shared`, or an adopted one. */
type AnySharedPlugin = (...args: never) => Promoted<unknown> | SharedResult<unknown>

/** The needs that shared plugins meet: what a scope has after them, with what they need themselves.
 *  @template Plugins a plugin, or several as a union
 *  @example plugin<NeedsOf<typeof db | typeof auth>>()(async (app) => app.get('/', list)) */
export type NeedsOf<Plugins extends AnySharedPlugin> =
  // As parameters, the needs are intersected whole. A part of one may be a union.
  (Plugins extends unknown ? (given: GivenBy<ReturnType<Plugins>>) => void : never) extends (
    given: infer Given,
  ) => void
    ? Given
    : never

type GivenBy<Result> = Result extends Promoted<infer Inner> | SharedResult<infer Inner>
  ? Settled<Inner> extends HasCtx<infer Context extends AnyCtx, unknown>
    ? PartsOf<Context> &
        (Context['schemas'] extends ScopeResponses<infer Responses>
          ? { readonly responses: Responses }
          : unknown)
    : {}
  : {}

/** The parts of a context that have a name. */
type PartsOf<Context extends AnyCtx> = {
  readonly [
    Kind in Exclude<keyof AnyCtx, 'prefix'> as [keyof Context[Kind]] extends [never] ? never : Kind
  ]: Kind extends 'schemas' ? SchemasById<Context['schemas']> : Context[Kind]
}

/** The constraint of needs as a type argument. Without it, unknown parts and phases would require
 *  nothing, without an error. */
export type OnlyNeeds<Needed> = Needs & {
  readonly [Name in Exclude<keyof Needed, keyof Needs>]: `Needs have no part '${Name & string}'`
} & {
  readonly derived?: Needed extends { readonly derived: infer Names }
    ? { readonly [Name in keyof Names]: DerivePhase }
    : object
}

/** The needs as the parameter of a function, so that a value with fewer needs is assignable, and
 *  not the other way. */
export type Needing<Needed> = (given: Needed) => void

/** An object that may declare needs. */
export type MayNeed<Needed> = {
  readonly [needs]?: Needing<Needed>
}

/** The context of a plugin or a route with these needs. */
export type NeedsCtx<Needed> = Ctx<
  string,
  NeedOf<Needed, 'server'>,
  NeedOf<Needed, 'request'>,
  NeedOf<Needed, 'reply'>,
  NeededSchemas<Needed>,
  NeedOf<Needed, 'derived'>
>

/** The needed shared schemas, with the needed responses among them. */
export type NeededSchemas<Needed> = Needed extends { readonly responses: infer Responses }
  ? NeedOf<Needed, 'schemas'> & ScopeResponses<Responses>
  : NeedOf<Needed, 'schemas'>

/** One part of the needs. */
export type NeedOf<Needed, Name extends string> = Needed extends {
  readonly [Key in Name]: infer Value
}
  ? Value
  : {}

/** A plugin of `plugin<Needs>()`. It fits every scope that meets its needs. */
export interface Plugin<Needed = Needs, Options = PluginOptions, Result = unknown> {
  // Only `Fit` checks the scope. A concrete server would fit exactly one context.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- see above
  (server: any, options: Options, done: Done): Result
  readonly [needs]: Needing<Needed>
}

/** A shared plugin of `plugin<Needs>().shared(…)`. */
export interface PromotedPlugin<Needed, Options, Result> extends Plugin<
  Needed,
  Options,
  Promoted<Result>
> {
  readonly [adds]: Result
}

/** The result of a plugin that adds to the scope it is registered in. */
export interface Promoted<Result> {
  readonly [promoted]: Result
}

/** The result of a plugin that was written without its prefix. */
export interface Portable<Result> {
  readonly [portable]: Result
}

/** The context after a plugin, and the routes that it adds. `in out` keeps the results of several
 *  plugins apart. */
export interface After<in out Context extends AnyCtx, in out Routes> extends Added {
  readonly context: Context
  readonly added: Routes
}

/** The result of any plugin. */
export interface Added {
  readonly context: AnyCtx
  readonly added: unknown
}

/** The context after a plugin, and the routes that it adds. A plugin that returns nothing adds no
 *  routes. Several plugins give a union.
 *  @template Result the result of the plugin, without its promise
 *  @example
 *  type After = AfterPlugin<C, typeof users, '/v1'> // After<C, RoutesBelow<() => …>>
 *  type Apart = AfterPlugin<C, typeof portable, '/v1'> // After<C, PluginRoutes<…, '/v1'>> */
export type AfterPlugin<
  Context extends AnyCtx,
  Registered extends AnyPlugin,
  Prefix extends string,
  Result = Settled<ReturnType<Registered>>,
> =
  // The result of a plugin that only throws is `never`, and that of one without types is `any`.
  [Result] extends [never]
    ? After<Context, unknown>
    : 0 extends 1 & Result
      ? After<Context, unknown>
      : Result extends HasCtx<unknown, unknown>
        ? After<Context, ScopeRoutes<Context, Registered>>
        : Result extends Portable<infer Inner extends AnyPlugin>
          ? After<Context, PluginRoutes<Inner, KnownPrefix<ChildCtx<Context, Prefix>['prefix']>>>
          : Result extends SharedResult<infer Inner>
            ? AfterShared<Context, Settled<Inner>>
            : Result extends Promoted<infer Inner>
              ? AfterShared<Context, Settled<Inner>, KnownPrefix<Context['prefix']>>
              : After<Context, unknown>

/** The value of a promise. `Awaited` alone would look for the method `then` first, for which the
 *  compiler compares all routes. */
export type Settled<Result> = Result extends Promise<infer Value> ? Value : Awaited<Result>

/** A function that returns a plugin's result. */
export type AnyPlugin = (...args: never) => unknown

/** The routes of a plugin with needs, through the type of the plugin. The compiler looks into it
 *  only when a key is used. With the types of the routes here, each call of one route would visit
 *  all routes. */
export type PluginRoutes<Registered extends AnyPlugin, Prefix extends string> = {
  [Key in keyof ReturnedRoutes<Registered> as PrefixedKey<Key, Prefix>]: Seen<
    ReturnedRoutes<Registered>[Key],
    ReturnedSchemas<Registered>
  >
}

/** The routes of a plugin that was written for its scope. Shared schemas are not repeated. The
 *  routes are returned by functions, so the compiler does not look into them, and declaration files
 *  stay short.
 *  @template Added the shared schemas that the plugin adds to those of its scope */
type ScopeRoutes<
  Context extends AnyCtx,
  Registered extends AnyPlugin,
  Added = AddedTo<Context['schemas'], ReturnedSchemas<Registered>>,
> = unknown extends Added
  ? RoutesBelow<() => ReturnedRoutes<Registered>>
  : RoutesBeside<() => ReturnedRoutes<Registered>, Added>

/** The routes of a child scope. */
export type RoutesBelow<Given extends () => unknown> = {
  [Key in keyof ReturnType<Given>]: ReturnType<Given>[Key]
}

/** The routes of a child scope with additional shared schemas. */
export type RoutesBeside<Given extends () => unknown, Added> = {
  [Key in keyof ReturnType<Given>]: RouteBeside<ReturnType<Given>[Key], Added>
}

/** The additional shared schemas of a child scope; `unknown` for none. */
type AddedTo<Outer, Inner> = Outer extends Inner
  ? unknown
  : Inner extends Outer & infer Added
    ? Added
    : Inner

type ReturnedRoutes<Registered extends AnyPlugin> = RoutesOf<Settled<ReturnType<Registered>>>

type ReturnedSchemas<Registered extends AnyPlugin> =
  Settled<ReturnType<Registered>> extends HasCtx<infer Context extends AnyCtx, unknown>
    ? Context['schemas']
    : {}

type PrefixedKey<Key, Prefix extends string> = Prefix extends ''
  ? Key
  : Key extends `${infer Method} ${infer Path}`
    ? `${Method} ${PathBelow<Prefix, Path>}`
    : never

/** The context after a shared plugin.
 *  @template Prefix added to its routes, if it was written without its scope */
export type AfterShared<Context extends AnyCtx, Result, Prefix extends string = ''> =
  // The result of a plugin without types is `any`.
  0 extends 1 & Result
    ? After<Context, unknown>
    : [Result] extends [HasCtx<infer Other extends AnyCtx, infer Added>]
      ? After<
          // Written in full: the compiler would walk through an alias that grows with each plugin.
          Ctx<
            Context['prefix'],
            Context['server'] & LeastOf<Other, 'server'>,
            Context['request'] & LeastOf<Other, 'request'>,
            Context['reply'] & LeastOf<Other, 'reply'>,
            SchemasOfBoth<Context['schemas'], LeastOf<Other, 'schemas'>>,
            Context['derived'] & Other['derived']
          >,
          PrefixedRoutes<Least<Added>, Prefix>
        >
      : After<Context, unknown>

/** The members of one kind that each of several possible scopes has. This may be a union itself, of
 *  the results of a `derive`. */
type LeastOf<Other extends AnyCtx, Name extends keyof AnyCtx, All = Other[Name]> = [
  SureOf<Other, Name, All>,
] extends [never]
  ? {}
  : SureOf<Other, Name, All>

type SureOf<Other extends AnyCtx, Name extends keyof AnyCtx, All> = Other extends unknown
  ? [All] extends [Other[Name]]
    ? Other[Name]
    : never
  : never

/** The routes that each of several possible results has. */
type Least<Added, All = Added> = [Sure<Added, All>] extends [never] ? {} : Sure<Added, All>

type Sure<Added, All> = Added extends unknown ? ([All] extends [Added] ? Added : never) : never

type RoutesOf<Result> = [Result] extends [never]
  ? {}
  : Result extends HasCtx<infer _Context, infer Routes>
    ? Routes
    : {}

type PrefixedRoutes<Routes, Prefix extends string> = Prefix extends ''
  ? Routes
  : { [Key in keyof Routes as PrefixedKey<Key, Prefix>]: Routes[Key] }

/** The context and the routes after a plugin. After one of several plugins, the parts that each
 *  adds. */
export type AfterAny<Routes, Given extends Added, All extends Added = Given> =
  Given extends After<infer Context, infer Own>
    ? [All] extends [Given]
      ? [Context, Routes & Own]
      : [ScopeOfEach<All['context']>, Routes & RoutesOfEach<All['added']>]
    : never

/** The routes that each of several plugins adds. */
export type RoutesOfEach<Added> = { [Key in keyof Added & string]: Added[Key] }

/** The scope after one of several plugins: the parts that each adds. */
export type ScopeOfEach<Context extends AnyCtx> = Ctx<
  Context['prefix'],
  OfEach<Context, 'server'>,
  OfEach<Context, 'request'>,
  OfEach<Context, 'reply'>,
  EqualIn<Context>,
  Context['derived']
>

/** The members of one kind that each of several scopes has. */
export type OfEach<Context extends AnyCtx, Name extends keyof AnyCtx> = {
  [Key in keyof Context[Name]]: Context[Name][Key]
}

/** The shared schemas that are equal in all of several scopes. */
export type EqualIn<Context extends AnyCtx> = {
  [
    Id in keyof Context['schemas'] as [DiffersIn<Context, Id, Context['schemas'][Id]>] extends [
      never,
    ]
      ? Id
      : never
  ]: Context['schemas'][Id]
}

type DiffersIn<Context extends AnyCtx, Id, Any> = Context extends unknown
  ? [Any] extends [Context['schemas'][Id & keyof Context['schemas']]]
    ? never
    : Id
  : never

/** The additions of a plugin for Fastify to the scope that it is registered in. */
export interface Additions {
  readonly server?: object
  readonly request?: object
  readonly reply?: object
}

/** A plugin for Fastify, with its additions. */
export type Adopted<Added, Options = PluginOptions> = Plugin<
  { readonly [adopted]: Added },
  Options,
  Promoted<HasCtx<NeedsCtx<Added>, {}>>
>

/** Additions whose hooks, and methods that make a hook, fit the routes of any scope: Fastify's
 *  types of requests and servers have no scope. */
export type WithHooks<Added> = {
  [Kind in keyof Added]: Kind extends 'server'
    ? { [Name in keyof Added[Kind]]: HookOrMaker<Added[Kind][Name]> }
    : Added[Kind]
}

type HookOrMaker<Member> = [HookInAny<Member>] extends [never]
  ? Member extends (...args: never) => infer Made
    ? [HookInAny<Made>] extends [never]
      ? Member
      : Member extends (...args: infer Args) => unknown
        ? (...args: Args) => HookInAny<Made>
        : never
    : Member
  : HookInAny<Member>

/** A hook of Fastify's types as one for any scope, which ignores its result; never for all else.
 *  The first parameter is looked at alone: all of those of a generic method may be too deep. */
type HookInAny<Hook> = 0 extends 1 & Hook
  ? never
  : Hook extends (request: infer Request, ...rest: never) => unknown
    ? // The keys of `any` and `never` are all names.
      [string extends keyof Request ? unknown : Request] extends [OfFastify]
      ? Hook extends (request: never, reply: infer Reply, ...rest: infer Rest) => infer Result
        ? [Reply] extends [OfFastify]
          ? (
              request: object,
              reply: object,
              ...rest: Rest
            ) => Result extends Promise<unknown> ? Promise<void> : void
          : never
        : never
      : never
    : never

/** A request or a reply of Fastify's types, whose servers have no scope. */
interface OfFastify {
  readonly server: { readonly withTypeProvider: unknown; readonly '~context'?: never }
}

/** The options that a plugin declares. */
export type OptionsOf<Foreign> = Foreign extends (
  server: never,
  options: infer Options,
  ...rest: never
) => unknown
  ? [Options] extends [never]
    ? object
    : Options
  : object
