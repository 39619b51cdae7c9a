import type { AnyCtx, Ctx } from '../context/ctx.ts'
import type { Added, After } from './plugin-types.ts'

/** The context and routes of a scope after a plugin; after one of several plugins, with what each adds. */
export type AfterAny<Routes, Given extends Added, All extends Added = Given> =
  Given extends After<infer Context, infer Own>
    ? [All] extends [Given]
      ? [Context, Routes & Own]
      : [ScopeOfEach<All['context']>, Routes & RoutesOfEach<All['added']>]
    : never

/** The routes that each of several plugins adds. */
export type RoutesOfEach<Added> = { [Key in keyof Added & string]: Added[Key] }

/** The scope after one of several plugins: what each adds, which may be of several types. */
export type ScopeOfEach<Context extends AnyCtx> = Ctx<
  Context['prefix'],
  OfEach<Context, 'server'>,
  OfEach<Context, 'request'>,
  OfEach<Context, 'reply'>,
  EqualIn<Context>,
  Context['derived']
>

/** What each of several scopes has of one kind. */
export type OfEach<Context extends AnyCtx, Name extends keyof AnyCtx> = {
  [Key in keyof Context[Name]]: Context[Name][Key]
}

/** The shared schemas that are the same in each of several scopes: what is sent has to be of the one that is there. */
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
