import type { Context, ContextObjects } from '../context/context.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { type Reply, replyProperties } from '../lifecycle/reply.ts'
import { type Request, requestProperties } from '../lifecycle/request.ts'
import { SendingReply } from '../lifecycle/sending-reply.ts'
import type { ExchangeClasses } from '../route/declaration.ts'

/** The classes of requests and replies in one dialect. */
export interface RootClasses {
  /** Makes the class of requests. @param Base the class of all requests */
  readonly createRequest: (Base: typeof Request) => typeof Request
  readonly Reply: typeof Reply
  readonly builtIn: ContextObjects['builtIn']
}

export const espalierClasses: RootClasses = {
  createRequest: (Base) => Base,
  Reply: SendingReply,
  builtIn: {
    // A server with a member `then` would be awaited wherever it is returned.
    server: new Set(['then']),
    request: requestProperties,
    reply: replyProperties,
  },
}

/** The server of a context, and its classes of requests and replies. Those of a child inherit from
 *  those of its parent, so a child sees decorators that its parent gets later. */
export class ServerObjects implements ExchangeClasses {
  readonly server: object
  readonly Request: typeof Request
  readonly Reply: typeof Reply
  readonly builtIn: ContextObjects['builtIn']
  readonly dialect: Dialect

  constructor(objects: Omit<ExchangeClasses, 'request' | 'reply' | 'child'>) {
    this.server = objects.server
    this.Request = class extends objects.Request {}
    this.Reply = class extends objects.Reply {}
    this.builtIn = objects.builtIn
    this.dialect = objects.dialect
  }

  get request(): object {
    return this.Request.prototype
  }

  get reply(): object {
    return this.Reply.prototype
  }

  child(): this {
    const { Request: RequestClass, Reply: ReplyClass, builtIn, dialect } = this
    const server = Object.create(this.server) as object
    const own = { server, Request: RequestClass, Reply: ReplyClass, builtIn, dialect }
    // cast: the class has no subclasses, which `this` allows for
    return new ServerObjects(own) as this
  }
}

export type ServerContext = Context<ServerObjects>
