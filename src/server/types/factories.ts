import type {
  Done,
  Needs,
  NeedsCtx,
  Plugin,
  PluginOptions,
  Portable,
  Promoted,
  Shared,
} from '../../plugin/plugin-types.ts'
import type { EspalierOptions } from '../options.ts'
import type { Server } from './server.ts'
import type { DefineRoute } from './verb.ts'

/** Makes a plugin add to the scope it is registered in: what it decorates, and the schemas and
 *  routes it adds, are visible there afterwards. */
export type SharedFactory = <Self extends object, Result, Options = PluginOptions>(
  plugin: (server: Self, options: Options, done: Done) => Result,
) => Shared<Self, Options, Result>

/** Makes a plugin that says what it needs, to be registered in any scope that has it. It is called
 *  twice, since a call gives either all of its type arguments or none. */
export type PluginFactory = <Needed extends Needs = {}, Options = PluginOptions>() => {
  <Function extends (server: Server<NeedsCtx<Needed>>, options: Options, done: Done) => unknown>(
    plugin: Function,
  ): Plugin<Needed, Options, Portable<Function>>
  /** The same for a shared plugin. */
  shared<Result>(
    plugin: (server: Server<NeedsCtx<Needed>>, options: Options, done: Done) => Result,
  ): Plugin<Needed, Options, Promoted<Result>>
}

/** Makes a route a value, to be declared with `app.route` in any scope: of its options, or called with
 *  the type of its needs first.
 *  @example defineRoute<{ server: { db: Db } }>()({ method: 'GET', url: '/', handler() { … } }) */
export interface RouteFactory extends DefineRoute<{}> {
  <Needed extends Needs>(): DefineRoute<Needed>
}

/** Makes a server. Its properties are what `require('espalier')` gives besides. */
export interface EspalierFactory {
  (options?: EspalierOptions): Server
}
