import type { ServerContext } from './context-objects.ts'
import type { Host } from './host.ts'

/** The node of the tree behind a server that a user holds. */
export interface ServerNode {
  readonly host: Host
  readonly context: ServerContext
}

const nodes = new WeakMap<object, ServerNode>()

/** Puts a server on its node. */
export function setNode(server: object, node: ServerNode): void {
  nodes.set(server, node)
}

/** The node of a server, or of an object that inherits from one, as what `register` returns does. */
export function nodeOf(server: object): ServerNode {
  for (
    let at: object | null = server;
    at !== null;
    at = Object.getPrototypeOf(at) as object | null
  ) {
    const node = nodes.get(at)
    if (node !== undefined) return node
  }
  throw new TypeError('this method was called on what is no server')
}

/** The node of a server that may still be changed. */
export function open(server: object, call: string): ServerNode {
  const node = nodeOf(server)
  node.host.assertBooting(call, node.context)
  return node
}

/** The node of a server that may still be changed, or is becoming ready. */
export function openLate(server: object, call: string): ServerNode {
  return nodeOf(server).host.isBecomingReady ? nodeOf(server) : open(server, call)
}

/** The server itself, where a method was called on what `register` returned: a method's result is
 *  never thenable, so that it can be returned from an async function. */
export function plain<Self extends object>(server: Self): Self {
  // cast: a node is taken by the server that it is for
  return nodeOf(server).context.objects.server as Self
}

/** The server as `register` returns it: chainable at once, or awaited until all that was registered
 *  so far has loaded. In Fastify's dialect it is the server itself. */
export function awaitable<Self extends object>(server: Self): Self {
  return nodeOf(server).host.dialect.boot.isThenable ? plain(server) : promised(server)
}

/** The server as a promise, which what wants one takes it for: it asks for `then` and `catch`. */
export function promised<Self extends object>(server: Self): Self {
  const { host } = nodeOf(server)
  const itself = plain(server)
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
