import type { Faces } from '../context/context.ts'
import { Reply, replyProperties } from '../exchange/reply.ts'
import { Request, requestProperties } from '../exchange/request.ts'
import type { ExchangeFaces } from '../route/compile.ts'

/** The server of a context, and the classes of its requests and replies. A child's inherit from
 *  its parent's, so that it sees what the parent is decorated with, now or later. */
export class ServerFaces implements ExchangeFaces {
  readonly builtIn: Faces['builtIn'] = {
    // A server that had a `then` would be awaited wherever it is returned.
    server: new Set(['then']),
    request: requestProperties,
    reply: replyProperties,
  }
  readonly server: object
  readonly Request: typeof Request
  readonly Reply: typeof Reply

  private constructor(server: object, RequestClass: typeof Request, ReplyClass: typeof Reply) {
    this.server = server
    this.Request = RequestClass
    this.Reply = ReplyClass
  }

  /** @param Base the class of all requests */
  static root(server: object, Base: typeof Request = Request): ServerFaces {
    return new ServerFaces(server, class extends Base {}, class extends Reply {})
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
    // cast: the class has no subclasses, which `this` allows for
    return new ServerFaces(server, RequestClass, class extends ParentReply {}) as this
  }
}
