import type { LogLevel, LogSerializers } from '../http/logger.ts'
import type {
  AnyCtx,
  ChildCtx,
  Ctx,
  DerivePhase,
  HasCtx,
  PathBelow,
  KnownPrefix,
} from '../context/ctx.ts'
import type { RouteBeside, Seen } from './seen-route.ts'

/** The key under which shared plugins say which scope they were written for; in types only. */
export declare const shared: unique symbol
/** The key under which plugins and routes say what they need; in types only. */
export declare const needs: unique symbol
/** The key under which adopted plugins say what they add; in types only. */
export declare const adopted: unique symbol
/** The key under which plugins say what they make of the scope that they add to; in types only. */
export declare const adds: unique symbol
declare const promoted: unique symbol
declare const portable: unique symbol

/** The options of `register` that the framework reads itself. */
export interface PluginOptions {
  /** The path before all routes of the plugin. Shared plugins have none of their own. */
  readonly prefix?: string
  /** The level of the loggers of its requests. @default that of the server's logger */
  readonly logLevel?: LogLevel
  /** Added to the serializers of the scope around it. */
  readonly logSerializers?: LogSerializers
}

/** Ends a plugin of the callback form. */
export type Done = (error?: Error) => void

/** A plugin that adds to the scope it is registered in, instead of to a child of that scope. */
export interface Shared<in out Self, Options, Result> extends SharedIn<Self> {
  // The scope is judged by `Fit` alone: the options may have a prefix, which is not that of a child.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- see above
  (server: any, options: Options, done: Done): SharedResult<Result>
}

/** What is known of a shared plugin before it is typed: the scope that it will add to. */
export interface SharedIn<in out Self> {
  readonly [shared]: Self
}

/** The result of a shared plugin that was written for its scope. */
export interface SharedResult<Result> {
  readonly [shared]: Result
}

/** What a plugin or a route in a file of its own expects of the scope that it will be registered in. */
export interface Needs {
  readonly server?: object
  readonly request?: object
  readonly reply?: object
  readonly schemas?: object
  /** Of the request decorators those that a `derive` may add, each with the phase at which it is there at the
   *  latest: `{ user: 'preHandler' }`. */
  readonly derived?: object
}

/** The constraint of needs that are written as a type argument: with other parts, and with phases that there are not, they
 *  would ask for nothing, in silence. */
export type OnlyNeeds<Needed> = Needs & {
  readonly [Name in Exclude<keyof Needed, keyof Needs>]: `Needs have no part '${Name & string}'`
} & {
  readonly derived?: Needed extends { readonly derived: infer Names }
    ? { readonly [Name in keyof Names]: DerivePhase }
    : object
}

/** Says what is needed. A function of it: what needs less may stand where more is given, and not the other way. */
export type Needing<Needed> = (given: Needed) => void

/** What may say what it needs. */
export type MayNeed<Needed> = {
  readonly [needs]?: Needing<Needed>
}

/** The context that a plugin or a route with such needs sees. */
export type NeedsCtx<Needed> = Ctx<
  string,
  NeedOf<Needed, 'server'>,
  NeedOf<Needed, 'request'>,
  NeedOf<Needed, 'reply'>,
  NeedOf<Needed, 'schemas'>,
  NeedOf<Needed, 'derived'>
>

/** One kind of need. */
export type NeedOf<Needed, Name extends string> = Needed extends {
  readonly [Key in Name]: infer Value
}
  ? Value
  : {}

/** A plugin that was made with `plugin<Needs>()`. It fits every scope that meets its needs. */
export interface Plugin<Needed = Needs, Options = PluginOptions, Result = unknown> {
  // The scope is judged by `Fit` alone: a concrete server would fit one context exactly.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- see above
  (server: any, options: Options, done: Done): Result
  readonly [needs]: Needing<Needed>
}

/** A shared plugin that was made with `plugin<Needs>().shared(…)`. */
export interface PromotedPlugin<Needed, Options, Result> extends Plugin<
  Needed,
  Options,
  Promoted<Result>
> {
  readonly [adds]: Result
}

/** The result of a plugin whose additions go to the scope that it is registered in. */
export interface Promoted<Result> {
  readonly [promoted]: Result
}

/** The result of a plugin that was written without knowing its prefix. */
export interface Portable<Result> {
  readonly [portable]: Result
}

/** A scope after a plugin, and the routes that it has besides. `in out` tells those of several plugins from each other. */
export interface After<in out Context extends AnyCtx, in out Routes> extends Added {
  readonly context: Context
  readonly added: Routes
}

/** The same, of any plugin. */
export interface Added {
  readonly context: AnyCtx
  readonly added: unknown
}

/** What a scope is after a plugin was registered in it, with the routes that it has besides: its context as it was, with
 *  those of the plugin; a plugin that returns nothing contributes none. For one of several plugins, a union.
 *  @template Result what the plugin returned, without its promise
 *  @example
 *  type After = AfterPlugin<C, typeof users, '/v1'> // After<C, RoutesBelow<() => …>>, of its very scope
 *  type Apart = AfterPlugin<C, typeof portable, '/v1'> // After<C, PluginRoutes<…, '/v1'>> */
export type AfterPlugin<
  Context extends AnyCtx,
  Registered extends AnyPlugin,
  Prefix extends string,
  Result = Settled<ReturnType<Registered>>,
> =
  // What a plugin without types returns says nothing.
  0 extends 1 & Result
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

/** What a plugin returned, without its promise. `Awaited` alone would look for the method `then` of
 *  that promise, for which the compiler compares all routes. */
export type Settled<Result> = Result extends Promise<infer Value> ? Value : Awaited<Result>

/** Any function that returns what a plugin does. */
export type AnyPlugin = (...args: never) => unknown

/** The routes of a plugin that knows its needs alone, by the plugin's own type: the compiler looks at those when a key is asked
 *  for, and until then no further than at the name of a function. Would their types stand here, then
 *  each call of one route would visit all routes. */
export type PluginRoutes<Registered extends AnyPlugin, Prefix extends string> = {
  [Key in keyof ReturnedRoutes<Registered> as PrefixedKey<Key, Prefix>]: Seen<
    ReturnedRoutes<Registered>[Key],
    ReturnedSchemas<Registered>
  >
}

/** The routes of a plugin that was written for its very scope, whose shared schemas are not repeated. Functions that return
 *  the routes have the compiler look no further, as the plugin itself would, and in declarations are less: a plugin is written
 *  with its scope, twice.
 *  @template Added the shared schemas that the plugin has besides those of its scope */
type ScopeRoutes<
  Context extends AnyCtx,
  Registered extends AnyPlugin,
  Added = AddedTo<Context['schemas'], ReturnedSchemas<Registered>>,
> = unknown extends Added
  ? RoutesBelow<() => ReturnedRoutes<Registered>>
  : RoutesBeside<() => ReturnedRoutes<Registered>, Added>

/** The routes of a scope below, as they are. */
export type RoutesBelow<Given extends () => unknown> = {
  [Key in keyof ReturnType<Given>]: ReturnType<Given>[Key]
}

/** The same where the scope below has added shared schemas. */
export type RoutesBeside<Given extends () => unknown, Added> = {
  [Key in keyof ReturnType<Given>]: RouteBeside<ReturnType<Given>[Key], Added>
}

/** The shared schemas that a scope below has besides; `unknown` where it has none. */
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

/** What a scope is after a shared plugin: what the plugin made of it.
 *  @template Prefix what its routes lack, where it was written without knowing its scope */
export type AfterShared<Context extends AnyCtx, Result, Prefix extends string = ''> =
  // What a plugin without types returns says nothing.
  0 extends 1 & Result
    ? After<Context, unknown>
    : [Result] extends [HasCtx<infer Other extends AnyCtx, infer Added>]
      ? After<
          // Written out: an alias that grows along a chain of plugins would be walked at each step.
          Ctx<
            Context['prefix'],
            Context['server'] & LeastOf<Other, 'server'>,
            Context['request'] & LeastOf<Other, 'request'>,
            Context['reply'] & LeastOf<Other, 'reply'>,
            Context['schemas'] & LeastOf<Other, 'schemas'>,
            Context['derived'] & Other['derived']
          >,
          PrefixedRoutes<Least<Added>, Prefix>
        >
      : After<Context, unknown>

/** Of several scopes that a plugin may have made, what each has of one kind. That may be a union itself, of what a hook derives at times. */
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

/** Of the routes of several, those that are there in any case. */
type Least<Added, All = Added> = [Sure<Added, All>] extends [never] ? {} : Sure<Added, All>

type Sure<Added, All> = Added extends unknown ? ([All] extends [Added] ? Added : never) : never

type RoutesOf<Result> = Result extends HasCtx<infer _Context, infer Routes> ? Routes : {}

type PrefixedRoutes<Routes, Prefix extends string> = Prefix extends ''
  ? Routes
  : { [Key in keyof Routes as PrefixedKey<Key, Prefix>]: Routes[Key] }
