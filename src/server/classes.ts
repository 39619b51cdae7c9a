import { Reply, replyProperties } from '../lifecycle/reply.ts'
import { requestProperties } from '../lifecycle/request.ts'
import type { RootClasses } from './context-objects.ts'

/** The classes of requests and replies in Espalier's own dialect. */
export const espalierClasses: RootClasses = {
  createRequest: (Base) => Base,
  Reply,
  builtIn: {
    // A server that had a `then` would be awaited wherever it is returned.
    server: new Set(['then']),
    request: requestProperties,
    reply: replyProperties,
  },
}
