import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '../../http/logger.ts'
import type { Reply as AnyReply } from '../../lifecycle/reply.ts'
import { nodeOf } from '../node.ts'
import { fastifyClasses } from './classes.ts'
import { kRouteContext } from './symbols.ts'

/** What a reply is made from. A request of a server has these members. */
interface RequestOfReply {
  readonly raw: IncomingMessage
  readonly [kRouteContext]: { readonly server: object }
}

/** The class of all replies of servers of `fastify`. As in Fastify, it can make a reply for a
 *  response that no route answers. Such a reply runs no hooks. */
export function Reply(
  response: ServerResponse,
  { raw, [kRouteContext]: { server } }: RequestOfReply,
  log: Logger,
): AnyReply {
  const { host, context } = nodeOf(server)
  const reply = host.routes.openReply(context, raw, response)
  reply.log = log
  return reply
}
Object.defineProperty(Reply, 'prototype', { value: fastifyClasses.Reply.prototype })
