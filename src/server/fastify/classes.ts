import { fastifyDialect } from '../../dialect/fastify.ts'
import { mediaTypeOf } from '../../http/media-type.ts'
import { Reply } from '../../lifecycle/reply.ts'
import type { Request } from '../../lifecycle/request.ts'
import { espalierClasses } from '../classes.ts'
import type { RootClasses } from '../context-objects.ts'
import { nodeOf, plain } from '../node.ts'
import { declareShortcut, ServerInstance } from '../server.ts'
import { showErrors } from './shown.ts'
import { makeWritable, readOnlyMembers } from './writable.ts'

type Then = (
  fulfilled?: ((server: object) => unknown) | null,
  rejected?: ((error: unknown) => unknown) | null,
) => Promise<unknown>

/** The server that a promise is resolving to: it is no promise then. */
let resolvingTo: object | undefined

/** A server in Fastify's dialect. It can be awaited, which loads what was registered so far; its
 *  members can be set, as Fastify's types say. */
export class FastifyInstance extends ServerInstance {
  query(...args: unknown[]): this {
    return declareShortcut(this, ['QUERY'], args)
  }
}

showErrors(FastifyInstance.prototype, fastifyDialect.errors)
// Behind the members that can be set: `then` cannot.
makeWritable(FastifyInstance.prototype, readOnlyMembers(ServerInstance.prototype))
Object.defineProperty(FastifyInstance.prototype, 'then', {
  configurable: true,
  get(this: FastifyInstance): Then | undefined {
    const server = plain(this)
    const { host } = nodeOf(server)
    if (host.isBooted || resolvingTo === server) return undefined
    return (fulfilled, rejected) =>
      host.boot.loaded().then(() => resolveTo(server, fulfilled), rejected)
  },
})

/** A promise that resolves to a server asks at once whether that is a promise. */
function resolveTo(server: object, fulfilled: Parameters<Then>[0]): unknown {
  resolvingTo = server
  try {
    return fulfilled?.(server)
  } finally {
    resolvingTo = undefined
  }
}

/** The class of requests: the members that Fastify's types call writable can be set. */
function createRequest(Base: typeof Request): typeof Request {
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
class FastifyReply extends Reply {}
showErrors(FastifyReply.prototype, fastifyDialect.errors)
makeWritable(FastifyReply.prototype, ['server', 'elapsedTime'])

const { builtIn } = espalierClasses

export const fastifyClasses: RootClasses = {
  createRequest,
  Reply: FastifyReply,
  builtIn: {
    server: builtIn.server,
    request: new Set([...builtIn.request, 'id', 'log']),
    reply: new Set([...builtIn.reply, 'log']),
  },
}
