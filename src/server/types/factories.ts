import type { Http2SecureServer, Http2Server, SecureServerOptions } from 'node:http2'
import type { Server as HttpsServer, ServerOptions as HttpsOptions } from 'node:https'
import type {
  Additions,
  Adopted,
  AnyPlugin,
  Done,
  needs,
  Needs,
  NeedsCtx,
  OnlyNeeds,
  OptionsOf,
  Plugin,
  PluginOptions,
  Portable,
  PromotedPlugin,
  Shared,
  WithHooks,
} from '../../plugin/plugin-types.ts'
import type { EndsOnce } from '../../plugin/fit.ts'
import type { PluginFacts } from '../../plugin/plugin.ts'
import type { Ctx, RootCtx } from '../../context/ctx.ts'
import type { TypedReply } from '../../typed/reply.ts'
import type { HookRequest } from '../../typed/request.ts'
import type { OnNode } from './tools.ts'
import type { EspalierOptions } from '../options.ts'
import type { RouteDefinition, Server, ServerBase } from './server.ts'
import type { MethodName } from '../../http/methods.ts'
import type { DefinedResult, DefinedRoute } from '../../route/defined-route.ts'
import type { PrefixTrailingSlash } from '../../route/declaration.ts'
import type { RouteSchema } from '../../route/route-schema.ts'
import type { Sealed } from '../../types/checks.ts'
import type { Named, Placed } from './route-options.ts'

/** Makes a plugin add to the scope that it is registered in: its decorators, schemas and routes are
 *  visible there afterwards.
 *  @example
 *  const db = shared(async (app) => app.decorate('db', await open()), { name: 'db' })
 *  @throws ESP_ERR_PLUGIN_FACTS for a name that is no text, and for an unknown key */
export type SharedFactory = <
  Self extends object = Server,
  Result = unknown,
  Options = PluginOptions,
  Args extends readonly unknown[] = [],
>(
  plugin: ((server: Self, options: Options, done: Done, ...none: undefined[]) => Result) &
    NoInfer<EndsOnce<(...args: Args) => Result, Exclude<Args, unknown>>> &
    Taking<Args> &
    WithoutNeeds,
  facts?: PluginFacts,
) => Shared<Self, Options, Result>

/** Infers the parameters of a plugin. */
type Taking<Args extends readonly unknown[]> = [Args] extends [never]
  ? (...args: Args) => unknown
  : unknown

interface WithoutNeeds {
  readonly [needs]?: 'A plugin that says what it needs is shared by plugin<Needs>().shared(…)'
}

/** Makes a plugin with needs, for any scope that meets them. There are two calls, since a call
 *  gives either all of its type arguments or none. The second type argument is the type of its
 *  options, else the type of its parameter counts.
 *  @example
 *  const db = plugin().shared(async (app) => app.decorate('db', await open()), { name: 'db' })
 *  const users = plugin<{ server: { db: Db } }>()(routes, { dependencies: ['db'] })
 *  @throws ESP_ERR_PLUGIN_FACTS for a name that is no text, and for an unknown key */
export type PluginFactory = <Needed extends OnlyNeeds<Needed> = {}, Options = never>(
  misplaced?: 'plugin<Needs>() is called first, and then with the plugin: plugin<Needs>()(…)',
) => {
  // The options are a type parameter. Reading them from `Function` in its own constraint would fix
  // its type too early.
  <Function extends Wrapped<Needed, Own>, Own = OwnOptions<Options, Function>, Known = never>(
    plugin: Function & EndsOnce<Function, Known>,
    facts?: PluginFacts,
  ): Plugin<Needed, AmongOthers<Own>, Portable<Function>>
  /** The same for a shared plugin. */
  shared<Function extends Wrapped<Needed, Own>, Own = OwnOptions<Options, Function>, Known = never>(
    plugin: Function & EndsOnce<Function, Known>,
    facts?: PluginFacts,
  ): PromotedPlugin<Needed, AmongOthers<Own>, ReturnType<Function>>
}

/** A plugin for any scope that meets the needs. `none` keeps `(...args)` from including `done`. */
type Wrapped<Needed extends Needs, Options> = (
  server: Server<NeedsCtx<Needed>>,
  options: Options,
  done: Done,
  ...none: undefined[]
) => unknown

/** All-optional options, combined with those of every plugin. Otherwise the compiler refuses the
 *  plugin where one with other options is expected, as in a list, because the two types share no
 *  name. */
type AmongOthers<Options> = {} extends Options
  ? string extends keyof Options
    ? Options
    : [keyof Options] extends [never]
      ? Options
      : Options & PluginOptions
  : Options

/** The options of a plugin: the given type argument, else the type of its parameter. Before that is
 *  known, and without a parameter, those of any plugin. The test with `void` finds options without
 *  a type: without `strictNullChecks`, unknown extends objects with only optional fields. */
export type OwnOptions<Given, Function> = [Given] extends [never]
  ? Function extends (server: never, options: infer Own, ...rest: never) => unknown
    ? void extends Own
      ? PluginOptions
      : Exclude<Own, undefined>
    : PluginOptions
  : Given

/** Declares in types what a plugin for Fastify adds to the scope that it is registered in. Its
 *  options are checked if the plugin is given in a second call, since a call gives either all of
 *  its type arguments or none.
 *  @example
 *  app.register(adopt<{ request: { cookies: Cookies } }>(cookie), { secret })
 *  app.register(adopt<{ request: { cookies: Cookies } }>()(cookie), { secret }) // options
 *  checked */
export interface AdoptFactory {
  <Added extends Additions = {}>(): <Foreign extends AnyPlugin>(
    plugin: Foreign & NotBuiltIn<Added>,
  ) => Adopted<WithHooks<Added>, OptionsOf<Foreign>>
  <Added extends Additions = {}, Foreign extends AnyPlugin = AnyPlugin>(
    plugin: Foreign & NotBuiltIn<Added>,
  ): Adopted<WithHooks<Added>, OptionsOf<Foreign>>
}

/** The names that every server, request and reply has. */
interface BuiltIn {
  server: ServerBase<RootCtx, {}>
  request: HookRequest<unknown>
  reply: TypedReply<RootCtx, unknown>
}

/** `unknown`, or a sentence for a built-in name. */
type NotBuiltIn<Added> = [BuiltInName<Added>] extends [never]
  ? unknown
  : `The name '${BuiltInName<Added>}' is there in every scope`

type BuiltInName<Added> = {
  [Kind in keyof Added & keyof BuiltIn]: keyof Added[Kind] & keyof BuiltIn[Kind] & string
}[keyof Added & keyof BuiltIn]

/** Makes a route as a value, for `app.route` in any scope: from its options, or by a first call
 *  with the type of its needs.
 *  @example
 *  defineRoute<{ server: { db: Db } }>()({ method: 'GET', url: '/', handler() { … } }) */
export interface RouteFactory extends DefineRoute<{}> {
  <Needed extends OnlyNeeds<Needed>>(): DefineRoute<Needed>
}

/** Makes a server. */
export interface EspalierFactory {
  <const Http2 extends boolean = false, const Https extends HttpsFlag = false>(
    options?: OptionsOn<Http2, Https>,
  ): ServerOn<Http2, Https>
}

/** The options of a server. `http2` and `https` decide the type of the server of Node. */
export type OptionsOn<Http2, Https> = EspalierOptions & {
  readonly http2?: Http2
  readonly https?: Https | HttpsOptions | SecureServerOptions
}

/** The possible types of `https`. `AnObject` keeps the compiler from inferring the whole type of an
 *  object. */
export type HttpsFlag = boolean | null | AnObject

interface AnObject {
  readonly '~object': never
}

/** The server for these options. Options of type `boolean` give the default server, as in
 *  `ReturnType<typeof espalier>`. */
export type ServerOn<Http2, Https> = boolean extends Http2
  ? Server
  : Http2 extends true
    ? RootOn<IsSecure<Https> extends true ? Http2SecureServer : Http2Server>
    : IsSecure<Https> extends true
      ? RootOn<HttpsServer>
      : Server

type RootOn<Node> = Server<Ctx<'', OnNode<Node>>>

type IsSecure<Https> = HttpsFlag extends Https ? true : [Https] extends [true] ? true : false

/** Makes a route as a value, with needs of its scope. */
export interface DefineRoute<in out Needed> {
  /** Makes a route as a value, for `app.route` and `app.addRoutes`.
   *  @example
   *  const health = defineRoute({ method: 'GET', url: '/health', handler: () => 'up' }) */
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
