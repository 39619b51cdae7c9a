import type { HookReply } from '../../exchange/typed-reply.ts'
import type { NeedOf, Needs, NeedsCtx } from '../../plugin/plugin-types.ts'
import type { RequestHookTypes, ScopeRequests } from '../hook-types.ts'
import type { ServerFor } from './server.ts'

/** A hook that is written apart from any scope, with what it needs of it.
 *  @example
 *  const auth: HookFor<'onRequest', { request: { user: User | null } }> = async (request, reply) => … */
export type HookFor<
  Name extends keyof RequestHookTypes<ScopeRequests<NeedsCtx<{}>, unknown>, unknown, unknown>,
  Needed extends Needs = {},
> = RequestHookTypes<
  ScopeRequests<NeedsCtx<Needed>, ServerFor<Needed>>,
  ServerFor<Needed>,
  HookReply & NeedOf<Needed, 'reply'>
>[Name]
