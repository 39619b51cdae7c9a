import type { Context, ContextObjects } from '../context/context.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { Reply } from '../lifecycle/reply.ts'
import type { Request } from '../lifecycle/request.ts'
import type { ExchangeClasses } from '../route/declaration.ts'

/** The classes that the root of a server is made of. */
export interface RootClasses {
  /** Makes the class of requests. @param Base the class of all requests */
  readonly createRequest: (Base: typeof Request) => typeof Request
  readonly Reply: typeof Reply
  readonly builtIn: ContextObjects['builtIn']
}

/** The server of a context, and the classes of its requests and replies. A child's inherit from
 *  its parent's, so that it sees what the parent is decorated with, now or later. */
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

/** One node of the tree, as the server room knows it. */
export type ServerContext = Context<ServerObjects>
