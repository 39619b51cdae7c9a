import type { AnyCtx } from './ctx.ts'

/** The phases at which `derive` can add to a request. */
export type DerivePhase = 'onRequest' | 'preValidation' | 'preHandler'

/** The phases that have begun at each. */
interface Begun {
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
  : {
      [
        Name in keyof Context['request'] as Name extends keyof Context['derived']
          ? Context['derived'][Name] extends Begun[Phase]
            ? Name
            : never
          : Name
      ]: Context['request'][Name]
    }

/** The decorators of requests when a reply is on its way. It may have come early, so what is derived
 *  may be missing. */
export type DecoratorsOnReply<Context extends AnyCtx> = [keyof Context['derived']] extends [never]
  ? Context['request']
  : {
      [
        Name in keyof Context['request'] as Name extends keyof Context['derived'] ? never : Name
      ]: Context['request'][Name]
    } & {
      [
        Name in keyof Context['request'] as Name extends keyof Context['derived'] ? Name : never
      ]?: Context['request'][Name]
    }
