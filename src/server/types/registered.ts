import type { AnyCtx, Ctx } from '../../context/ctx.ts'
import type { Added, After } from '../../plugin/plugin-types.ts'
import type { Server } from './server.ts'

/** What `register` and `after` give: chainable at once, or awaited to the plain server, which is
 *  never thenable itself, since an async plugin that returned it would wait for itself. */
export type Registered<Self> = Self & PromiseLike<Self>

/** From what a scope is after a plugin to the server of it; after one of several plugins, with what each adds. */
export type RegisteredIn<Routes, Given extends Added, All extends Added = Given> =
  Given extends After<infer Context, infer Own>
    ? [All] extends [Given]
      ? Registered<Server<Context, Routes & Own>>
      : Registered<Server<ScopeOfEach<All['context']>, Routes & RoutesOfEach<All['added']>>>
    : never

/** The routes that each of several plugins adds. */
export type RoutesOfEach<Added> = { [Key in keyof Added & string]: Added[Key] }

/** The scope after one of several plugins: what each adds, which may be of several types. */
export type ScopeOfEach<Context extends AnyCtx> = Ctx<
  Context['prefix'],
  OfEach<Context, 'server'>,
  OfEach<Context, 'request'>,
  OfEach<Context, 'reply'>,
  OfEach<Context, 'schemas'>,
  Context['derived']
>

/** What each of several scopes has of one kind. */
export type OfEach<Context extends AnyCtx, Name extends keyof AnyCtx> = {
  [Key in keyof Context[Name]]: Context[Name][Key]
}
