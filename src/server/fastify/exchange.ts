import { fastifyDialect } from '../../dialect/fastify.ts'
import { mediaTypeOf } from '../../http/media-type.ts'
import { Reply } from '../../lifecycle/reply.ts'
import type { Request } from '../../lifecycle/request.ts'
import { showErrors } from './shown.ts'
import { makeWritable } from './writable.ts'

/** The class of requests in Fastify's dialect: the members that its types call writable can be set. */
export function createFastifyRequest(Base: typeof Request): typeof Request {
  const FastifyRequest = class extends Base {
    /** The media type of the body in lower case, without its parameters. */
    get mediaType(): string | undefined {
      const type = this.raw.headers['content-type']
      return type === undefined ? undefined : mediaTypeOf(type)
    }
  }
  showErrors(FastifyRequest.prototype, fastifyDialect.errors)
  makeWritable(FastifyRequest.prototype, ['server'])
  // The logger keeps the id that came first.
  makeWritable(FastifyRequest.prototype, ['id'], (request) => {
    Reflect.get(request, 'log')
  })
  return FastifyRequest
}

/** The class of replies, in the same way. */
export class FastifyReply extends Reply {}
showErrors(FastifyReply.prototype, fastifyDialect.errors)
makeWritable(FastifyReply.prototype, ['server', 'elapsedTime'])
