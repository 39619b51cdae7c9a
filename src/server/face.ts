import { TransportFace } from './face/transport.ts'

/** The public face of a context, a subject a class: scope, hooks, routes, plugins, transport. It has no
 *  state of its own: each method finds its node and delegates. The types that users see are in `Server`. */
export class ServerFace extends TransportFace {}
