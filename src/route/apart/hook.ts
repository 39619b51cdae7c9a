import type { AnyCtx } from '../../context/ctx.ts'
import type { HookReply } from '../../typed/reply.ts'
import type { CoercedRequest } from '../../typed/request.ts'
import type { NeedOf, NeedsCtx, OnlyNeeds } from '../../plugin/plugin-types.ts'
import type { HandledError, LateRequest, RequestHookTypes, ScopeRequests } from '../hook-types.ts'
import type { ServerFor } from './server.ts'

/** A hook that is written apart from any scope, with what it needs of it. Behind validation (`preHandler`) headers that Node does
 *  not know by name are `unknown`, as the route may have coerced them; what the hook reads of them can be needed as well.
 *  @example
 *  const auth: HookFor<'onRequest', { request: { user: User | null } }> = async (request, reply) => … */
export type HookFor<
  Name extends keyof RequestHookTypes<ScopeRequests<NeedsCtx<{}>, unknown>, unknown, unknown>,
  Needed extends OnlyNeeds<Needed> = {},
> = RequestHookTypes<
  ApartRequests<NeedsCtx<Needed>, ServerFor<Needed>>,
  ServerFor<Needed>,
  HookReply & NeedOf<Needed, 'reply'>
>[Name]

/** The requests of any scope, and of any of its routes. */
interface ApartRequests<Context extends AnyCtx, Self> extends Omit<
  ScopeRequests<Context, Self>,
  'valid'
> {
  readonly valid: CoercedRequest<Self, Context['request']> & Context['request']
}

/** An error handler that is written apart from any scope, with what it needs of it.
 *  @example
 *  const failed: ErrorHandlerFor<{ server: { db: Db } }> = (error, request, reply) => reply.code(500).send({ … }) */
export type ErrorHandlerFor<Needed extends OnlyNeeds<Needed> = {}> = (
  this: ServerFor<Needed>,
  error: HandledError,
  request: LateRequest<NeedsCtx<Needed>, ServerFor<Needed>>,
  reply: HookReply & NeedOf<Needed, 'reply'>,
) => unknown

/** A not-found handler that is written apart from any scope, with what it needs of it. */
export type NotFoundHandlerFor<Needed extends OnlyNeeds<Needed> = {}> = (
  this: ServerFor<Needed>,
  request: LateRequest<NeedsCtx<Needed>, ServerFor<Needed>>,
  reply: HookReply & NeedOf<Needed, 'reply'>,
) => unknown
