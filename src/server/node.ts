import { once } from '../packages/once.ts'
import type { ServerContext } from './context-objects.ts'
import type { Host } from './host.ts'

/** The node of the tree behind a server. */
export interface ServerNode {
  readonly host: Host
  readonly context: ServerContext
}

const nodes = once('nodes', () => new WeakMap<object, ServerNode>())

export function setNode(server: object, node: ServerNode): void {
  nodes.set(server, node)
}

/** The node of a server, or of an object that inherits from a server, such as the result of
 *  `register`. */
export function nodeOf(server: object): ServerNode {
  const node = findNode(server)
  if (node === undefined) throw new TypeError('this method was called on what is no server')
  return node
}

/** The same, or undefined for what is no server. */
export function findNode(server: unknown): ServerNode | undefined {
  // Not by `instanceof`, which is slow on servers: their last prototype is a proxy.
  for (let at = server; typeof at === 'object' && at !== null; at = Object.getPrototypeOf(at)) {
    const node = nodes.get(at)
    if (node !== undefined) return node
  }
  return undefined
}

/** The node of a server that can still be changed. @throws the errors of `assertBooting` */
export function changeableNode(server: object, call: string): ServerNode {
  const node = nodeOf(server)
  node.host.assertBooting(call, node.context)
  return node
}

/** The same, also while the onReady hooks run. */
export function lateNode(server: object, call: string): ServerNode {
  return nodeOf(server).host.isBecomingReady ? nodeOf(server) : changeableNode(server, call)
}

/** The server itself, also for the thenable result of `register`. Methods return it, so that an
 *  async function can return their result. */
export function serverOf<Self extends object>(server: Self): Self {
  // cast: the node of a server has that server
  return nodeOf(server).context.objects.server as Self
}

/** The result of `register`: the server, which can be awaited until all plugins so far have loaded.
 *  In Fastify's dialect the server itself is thenable. */
export function awaitable<Self extends object>(server: Self): Self {
  return nodeOf(server).host.dialect.boot.isThenable ? serverOf(server) : promised(server)
}

/** An object that inherits from a server and has `then` and `catch`. */
export function promised<Self extends object>(server: Self): Self {
  const { host } = nodeOf(server)
  const itself = serverOf(server)
  const then = (
    fulfilled?: ((server: Self) => unknown) | null,
    rejected?: ((error: unknown) => unknown) | null,
  ): Promise<unknown> =>
    host.boot
      .loaded()
      .then(() => itself)
      .then(fulfilled, rejected)
  const caught = (rejected: (error: unknown) => unknown) => then(undefined, rejected)
  return Object.create(itself, { then: { value: then }, catch: { value: caught } }) as Self
}
