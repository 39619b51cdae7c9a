import type { HookReply } from '../../typed/reply.ts'
import type { NeedOf, NeedsCtx, OnlyNeeds } from '../../plugin/plugin-types.ts'
import type { HandledError, LateRequest } from '../hook-types.ts'
import type { ServerFor } from './server.ts'

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
