import { errorCodes } from '../errors/codes.ts'
import { findNode } from './node.ts'

/** Names that are read of any value: by `await`, by `JSON.stringify`, and by Node's `inspect`; by
 *  Jest and Vitest, which compare and print values. */
const protocols =
  /^(then|toJSON|href|asymmetricMatch|\$\$typeof|nodeType|tagName|_isMockFunction|@@.*)$/

/** The prototype of the class of servers. Only names that a server lacks reach it. It throws for
 *  those that a shared plugin may still add: `app.register(db)`, and then `app.db` on the next
 *  line. All others are undefined, as on any object.
 *  @throws ESP_ERR_DEC_TOO_EARLY when such a name is read */
export const earlyReads: object = new Proxy(
  {},
  {
    get(target, name, server): unknown {
      if (typeof name === 'string' && !(name in target) && !protocols.test(name)) {
        assertLoaded(server, name)
      }
      return Reflect.get(target, name, server)
    },
  },
)

function assertLoaded(server: unknown, name: string): void {
  const node = findNode(server)
  if (node === undefined) return
  const { host, context } = node
  if (!host.dialect.boot.refusesEarlyReads) return
  const waiting = host.boot.waitingIn(context)
  if (waiting.length === 0) return
  throw new errorCodes.ESP_ERR_DEC_TOO_EARLY(context.path, name, waiting.join(', '))
}
