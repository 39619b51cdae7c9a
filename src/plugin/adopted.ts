import type { HasCtx } from '../context/ctx.ts'
import type { adopted, NeedsCtx, PluginOptions, Plugin, Promoted } from './plugin-types.ts'

/** What a plugin written for Fastify adds to the scope that it is registered in. */
export interface Additions {
  readonly server?: object
  readonly request?: object
  readonly reply?: object
}

/** A plugin written for Fastify, with what it adds. */
export type Adopted<Added, Options = PluginOptions> = Plugin<
  { readonly [adopted]: Added },
  Options,
  Promoted<HasCtx<NeedsCtx<Added>, {}>>
>

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
