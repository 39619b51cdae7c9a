import { lendDecorators } from '../context/lend.ts'
import type { CompiledRoute } from '../route/compiled-route.ts'

/** The prototypes that the request and the reply of a route have in the hands of a not-found handler
 *  of another context: a plugin without a prefix may answer for its parent. Undefined where they have
 *  all that it may read. */
export interface Lent {
  readonly request: object | undefined
  readonly reply: object | undefined
}

export function lend(route: CompiledRoute, to: CompiledRoute): Lent {
  return {
    request: lendDecorators(route.Request.prototype, to.Request.prototype),
    reply: lendDecorators(route.Reply.prototype, to.Reply.prototype),
  }
}
