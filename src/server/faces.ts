import type { Dialect } from '../dialect/dialect.ts'
import type { Faces } from '../context/context.ts'
import { Reply, replyProperties } from '../lifecycle/reply.ts'
import { requestProperties, type Request } from '../lifecycle/request.ts'
import type { ExchangeFaces } from '../route/compile.ts'
import { createFastifyRequest, FastifyReply } from './fastify/exchange.ts'

type Classes = Pick<ServerFaces, 'server' | 'Request' | 'Reply'>

const properties: Faces['builtIn'] = {
  // A server that had a `then` would be awaited wherever it is returned.
  server: new Set(['then']),
  request: requestProperties,
  reply: replyProperties,
}

/** Those that requests and replies of Fastify have from their constructors. */
const fastifyProperties: Faces['builtIn'] = {
  server: properties.server,
  request: new Set([...requestProperties, 'id', 'log']),
  reply: new Set([...replyProperties, 'log']),
}

/** The server of a context, and the classes of its requests and replies. A child's inherit from
 *  its parent's, so that it sees what the parent is decorated with, now or later. */
export class ServerFaces implements ExchangeFaces {
  readonly builtIn: Faces['builtIn']
  readonly dialect: Dialect
  readonly server: object
  readonly Request: typeof Request
  readonly Reply: typeof Reply

  private constructor(
    { server, Request: RequestClass, Reply: ReplyClass }: Classes,
    dialect: Dialect,
  ) {
    this.server = server
    this.Request = RequestClass
    this.Reply = ReplyClass
    this.dialect = dialect
    this.builtIn = dialect.boot.isThenable ? fastifyProperties : properties
  }

  /** @param Base the class of all requests */
  static root(server: object, Base: typeof Request, dialect: Dialect): ServerFaces {
    const isFastify = dialect.boot.isThenable
    const Requests = isFastify ? createFastifyRequest(Base) : Base
    const Replies = isFastify ? FastifyReply : Reply
    const classes = { server, Request: class extends Requests {}, Reply: class extends Replies {} }
    return new ServerFaces(classes, dialect)
  }

  get request(): object {
    return this.Request.prototype
  }

  get reply(): object {
    return this.Reply.prototype
  }

  child(): this {
    const { Request: ParentRequest, Reply: ParentReply } = this
    const server = Object.create(this.server) as object
    const RequestClass = class extends ParentRequest {}
    const classes = { server, Request: RequestClass, Reply: class extends ParentReply {} }
    // cast: the class has no subclasses, which `this` allows for
    return new ServerFaces(classes, this.dialect) as this
  }
}
