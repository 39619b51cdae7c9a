import type { AnyCtx } from './ctx.ts'

/** The phases at which `derive` can add to a request. */
export type DerivePhase = 'onRequest' | 'preValidation' | 'preHandler'

/** The phases that have begun at each. */
export interface Begun {
  onRequest: 'onRequest'
  preValidation: 'onRequest' | 'preValidation'
  preHandler: DerivePhase
}

/** The decorators of requests that are there at a phase: all but those that are derived later.
 *  @example type Early = DecoratorsAt<C, 'onRequest'> // without what is derived in preHandler */
export type DecoratorsAt<Context extends AnyCtx, Phase extends DerivePhase> = [
  keyof Context['derived'],
] extends [never]
  ? Context['request']
  : BegunOf<Context['request'], Context['derived'], Begun[Phase]>

/** A parameter of its own for the decorators: so each member of a union is taken for itself. */
type BegunOf<Request, Derived, Phases> = {
  [
    Name in keyof Request as Name extends keyof Derived
      ? Derived[Name] extends Phases
        ? Name
        : never
      : Name
  ]: Request[Name]
}

/** The decorators of requests when a reply is on its way. It may have come early, so what is derived
 *  may be missing. */
export type DecoratorsOnReply<Context extends AnyCtx> = [keyof Context['derived']] extends [never]
  ? Context['request']
  : OnReply<Context['request'], Context['derived']>

type OnReply<Request, Derived> = Request extends unknown
  ? { [Name in keyof Request as Name extends keyof Derived ? never : Name]: Request[Name] } & {
      [Name in keyof Request as Name extends keyof Derived ? Name : never]?: Request[Name]
    }
  : never
