import { fastifyDialect } from '../../dialect/fastify.ts'
import { ServerFace } from '../face.ts'
import { declareShortcut } from '../face/routes.ts'
import { plain, seatOf } from '../seat.ts'
import { showErrors } from './shown.ts'
import { makeWritable, readOnlyMembers } from './writable.ts'

type Then = (
  fulfilled?: ((server: object) => unknown) | null,
  rejected?: ((error: unknown) => unknown) | null,
) => Promise<unknown>

/** The server that a promise is resolving to: it is no promise then. */
let resolvingTo: object | undefined

/** The face of a server in Fastify's dialect. It can be awaited, which loads what was registered so far; its members
 *  can be set, as Fastify's types say. */
export class FastifyFace extends ServerFace {
  query(...args: unknown[]): this {
    return declareShortcut(this, ['QUERY'], args)
  }
}

showErrors(FastifyFace.prototype, fastifyDialect.errors)
// Behind the members that can be set: `then` cannot.
makeWritable(FastifyFace.prototype, readOnlyMembers(ServerFace.prototype))
Object.defineProperty(FastifyFace.prototype, 'then', {
  configurable: true,
  get(this: FastifyFace): Then | undefined {
    const server = plain(this)
    const { host } = seatOf(server)
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
