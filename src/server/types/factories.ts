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
import type { DefinedResult, DefinedRoute } from '../../route/apart/defined-route.ts'
import type { PrefixTrailingSlash } from '../../route/declaration.ts'
import type { RouteSchema } from '../../route/route-schema.ts'
import type { Sealed } from '../../types/sealed.ts'
import type { Named, Placed } from './route-options.ts'

/** Makes a plugin add to the scope it is registered in: what it decorates, and the schemas and
 *  routes it adds, are visible there afterwards.
 *  @example const db = shared(async (app) => app.decorate('db', await open()), { name: 'db' })
 *  @throws ESP_ERR_PLUGIN_FACTS for another name than a text, or an unknown key */
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

/** Where the parameters of a plugin are inferred. */
type Taking<Args extends readonly unknown[]> = [Args] extends [never]
  ? (...args: Args) => unknown
  : unknown

interface WithoutNeeds {
  readonly [needs]?: 'A plugin that says what it needs is shared by plugin<Needs>().shared(…)'
}

/** Makes a plugin that says what it needs, to be registered in any scope that has it. It is called
 *  twice, since a call gives either all of its type arguments or none. Its options are the second
 *  of them, or what the plugin says of its parameter.
 *  @example
 *  const db = plugin().shared(async (app) => app.decorate('db', await open()), { name: 'db' })
 *  const users = plugin<{ server: { db: Db } }>()(routes, { name: 'users', dependencies: ['db'] })
 *  @throws ESP_ERR_PLUGIN_FACTS for another name than a text, or an unknown key */
export type PluginFactory = <Needed extends OnlyNeeds<Needed> = {}, Options = never>(
  misplaced?: 'plugin<Needs>() is called first, and then with the plugin: plugin<Needs>()(…)',
) => {
  // The options stand by themselves: to read them off `Function` in its own constraint would settle
  // what that is.
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

/** A plugin for any scope that has what is needed. `none`: so `(...args)` does not name `done`. */
type Wrapped<Needed extends Needs, Options> = (
  server: Server<NeedsCtx<Needed>>,
  options: Options,
  done: Done,
  ...none: undefined[]
) => unknown

/** Options that may all be left out, with those of every plugin: the compiler refuses a plugin that
 *  takes them where one is expected whose options have no name in common with them, as in a
 *  list. */
type AmongOthers<Options> = {} extends Options
  ? string extends keyof Options
    ? Options
    : [keyof Options] extends [never]
      ? Options
      : Options & PluginOptions
  : Options

/** The options of a plugin: those that were given as a type argument, else those of its parameter.
 *  Until that is typed, and where it is not there, they are those of any plugin. `void` tells
 *  options without a type from others: unknown extends objects whose fields are all optional in a
 *  project without `strictNullChecks`. */
export type OwnOptions<Given, Function> = [Given] extends [never]
  ? Function extends (server: never, options: infer Own, ...rest: never) => unknown
    ? void extends Own
      ? PluginOptions
      : Exclude<Own, undefined>
    : PluginOptions
  : Given

/** Gives a plugin that was written for Fastify a scope in types: what it is said to add is visible
 *  where it is registered, afterwards. Its options are those that it declares where it is given in
 *  a call of its own, since a call gives either all of its type arguments or none.
 *  @example
 *  app.register(adopt<{ request: { cookies: Cookies } }>(cookie), { secret })
 *  app.register(adopt<{ request: { cookies: Cookies } }>()(cookie), { secret }) // options
 *  checked */
export interface AdoptFactory {
  <Added extends Additions = {}>(): <Foreign extends AnyPlugin>(
    plugin: Foreign & NotBuiltIn<Added>,
  ) => Adopted<Added, OptionsOf<Foreign>>
  <Added extends Additions = {}, Foreign extends AnyPlugin = AnyPlugin>(
    plugin: Foreign & NotBuiltIn<Added>,
  ): Adopted<Added, OptionsOf<Foreign>>
}

/** The names that every server, request and reply has. */
interface BuiltIn {
  server: ServerBase<RootCtx, {}>
  request: HookRequest<unknown>
  reply: TypedReply<RootCtx, unknown>
}

/** `unknown`, or a sentence about a name that is there without the plugin. */
type NotBuiltIn<Added> = [BuiltInName<Added>] extends [never]
  ? unknown
  : `The name '${BuiltInName<Added>}' is there in every scope`

type BuiltInName<Added> = {
  [Kind in keyof Added & keyof BuiltIn]: keyof Added[Kind] & keyof BuiltIn[Kind] & string
}[keyof Added & keyof BuiltIn]

/** Makes a route a value, to be declared with `app.route` in any scope: of its options, or called
 *  with the type of its needs first.
 *  @example defineRoute<{ server: { db: Db } }>()({ method: 'GET', url: '/', handler() { … } }) */
export interface RouteFactory extends DefineRoute<{}> {
  <Needed extends OnlyNeeds<Needed>>(): DefineRoute<Needed>
}

/** Makes a server. Its properties are what `require('espalier')` gives besides. */
export interface EspalierFactory {
  <const Http2 extends boolean = false, const Https extends HttpsFlag = false>(
    options?: OptionsOn<Http2, Https>,
  ): ServerOn<Http2, Https>
}

/** The options of a server, whose own words say which of Node's servers it has. */
export type OptionsOn<Http2, Https> = EspalierOptions & {
  readonly http2?: Http2
  readonly https?: Https | HttpsOptions | SecureServerOptions
}

/** What `https` may be by its type. The compiler infers all of it together from an object, which is
 *  none of it. */
export type HttpsFlag = boolean | null | AnObject

interface AnObject {
  readonly '~object': never
}

/** The server that such options make. Where they leave it open, it is as they say nothing: so it is
 *  for `ReturnType<typeof espalier>`. */
export type ServerOn<Http2, Https> = boolean extends Http2
  ? Server
  : Http2 extends true
    ? RootOn<IsSecure<Https> extends true ? Http2SecureServer : Http2Server>
    : IsSecure<Https> extends true
      ? RootOn<HttpsServer>
      : Server

type RootOn<Node> = Server<Ctx<'', OnNode<Node>>>

type IsSecure<Https> = HttpsFlag extends Https ? true : [Https] extends [true] ? true : false

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
