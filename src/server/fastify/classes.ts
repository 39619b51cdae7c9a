import type { ErrorPolicy } from '../../dialect/dialect.ts'
import { fastifyDialect } from '../../dialect/fastify.ts'
import { callMethodsAtBoot } from '../../errors/origin.ts'
import { mediaTypeOf } from '../../http/media-type.ts'
import { exchangeOf } from '../../lifecycle/reply.ts'
import { SendingReply } from '../../lifecycle/sending-reply.ts'
import type { ReplySerializer } from '../../typed/reply.ts'
import type { Request } from '../../lifecycle/request.ts'
import { espalierClasses, type RootClasses } from '../context-objects.ts'
import { nodeOf, serverOf } from '../node.ts'
import { ServerInstance, shortcutFor } from '../server.ts'
import { kErrorHandler, kReplySerializer, kRouteContext } from './symbols.ts'

type Then = (
  fulfilled?: ((server: object) => unknown) | null,
  rejected?: ((error: unknown) => unknown) | null,
) => Promise<unknown>

/** The server that a promise resolves to now. Its `then` is undefined meanwhile. */
let resolvingTo: object | undefined

/** A server in Fastify's dialect. It is thenable, which loads the plugins that were registered so
 *  far. Its members can be set, as the types of Fastify say. */
export class FastifyServerInstance extends ServerInstance {
  query(...args: unknown[]): this {
    return Reflect.apply(shortcutFor('QUERY'), this, args)
  }
}

showErrors(FastifyServerInstance.prototype, fastifyDialect.errors)
callMethodsAtBoot(FastifyServerInstance.prototype)
// Before `then` is defined, which stays read-only.
makeWritable(FastifyServerInstance.prototype, readOnlyMembers(ServerInstance.prototype))
Object.defineProperty(FastifyServerInstance.prototype, 'then', {
  configurable: true,
  get(this: FastifyServerInstance): Then | undefined {
    const server = serverOf(this)
    const { host } = nodeOf(server)
    if (host.isBooted || resolvingTo === server) return undefined
    return (fulfilled, rejected) =>
      host.boot.loaded().then(() => resolveTo(server, fulfilled), rejected)
  },
})

Object.defineProperty(FastifyServerInstance.prototype, kErrorHandler, {
  configurable: true,
  get(this: FastifyServerInstance): { readonly func: unknown } {
    return { func: this.errorHandler }
  },
})

/** Calls a promise callback with a server. The promise reads `then` of the server at once. */
function resolveTo(server: object, fulfilled: Parameters<Then>[0]): unknown {
  resolvingTo = server
  try {
    return fulfilled?.(server)
  } finally {
    resolvingTo = undefined
  }
}

/** The class of requests in Fastify's dialect. */
function createRequest(Base: typeof Request): typeof Request {
  const FastifyRequest = class extends Base {
    /** The media type of the body in lower case, without parameters. */
    get mediaType(): string | undefined {
      const type = this.raw.headers['content-type']
      return type === undefined ? undefined : mediaTypeOf(type)
    }

    get [kRouteContext](): object {
      return routeContextOf(this)
    }
  }
  showErrors(FastifyRequest.prototype, fastifyDialect.errors)
  makeWritable(FastifyRequest.prototype, ['server'])
  // The logger is created first, so it keeps the original id.
  makeWritable(FastifyRequest.prototype, ['id'], (request) => {
    Reflect.get(request, 'log')
  })
  return FastifyRequest
}

class FastifyReply extends SendingReply {
  get [kReplySerializer](): ReplySerializer | null {
    return exchangeOf(this).serializer ?? null
  }

  get [kRouteContext](): object {
    return routeContextOf(this.request)
  }
}
showErrors(FastifyReply.prototype, fastifyDialect.errors)
makeWritable(FastifyReply.prototype, ['server', 'elapsedTime'])

function routeContextOf({ routeOptions, server }: Request): object {
  return { ...routeOptions, server, errorHandler: Reflect.get(server, kErrorHandler) as unknown }
}

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

/** Gives the errors of all methods the codes of a dialect, whether the methods throw or reject.
 *  @param prototype a class prototype. Its parents stay unchanged. */
function showErrors(prototype: object, { show }: ErrorPolicy): void {
  const fail = (error: unknown): never => {
    throw show(error)
  }
  for (const name of namesOf(prototype)) {
    const method: unknown = memberOf(prototype, name)?.value
    if (typeof method !== 'function' || name === 'constructor') continue
    const value = function (this: unknown, ...args: unknown[]): unknown {
      try {
        const result: unknown = Reflect.apply(method, this, args)
        return result instanceof Promise ? result.catch(fail) : result
      } catch (error) {
        return fail(error)
      }
    }
    Object.defineProperty(value, 'name', { value: name })
    Object.defineProperty(prototype, name, { configurable: true, writable: true, value })
  }
}

/** Adds setters to members that have only a getter. Setting defines a property of the one object.
 *  @param before called with the object before a member is set */
function makeWritable(
  prototype: object,
  names: readonly string[],
  before: (self: object) => void = () => undefined,
): void {
  for (const name of names) {
    Object.defineProperty(prototype, name, {
      ...memberOf(prototype, name),
      configurable: true,
      set(this: object, value: unknown) {
        before(this)
        const own = { configurable: true, enumerable: true, writable: true, value }
        Object.defineProperty(this, name, own)
      },
    })
  }
}

function readOnlyMembers(prototype: object): string[] {
  return namesOf(prototype).filter((name) => {
    const member = memberOf(prototype, name)
    return member?.get !== undefined && member.set === undefined
  })
}

/** The names of the members of a prototype and its parents, without those of every object. */
function namesOf(prototype: object | null): string[] {
  if (prototype === null || prototype === Object.prototype) return []
  const above = namesOf(Object.getPrototypeOf(prototype) as object | null)
  return [...new Set([...Object.getOwnPropertyNames(prototype), ...above])]
}

function memberOf(prototype: object | null, name: string): PropertyDescriptor | undefined {
  if (prototype === null) return undefined
  const own = Object.getOwnPropertyDescriptor(prototype, name)
  return own ?? memberOf(Object.getPrototypeOf(prototype) as object | null, name)
}
