import { hasHead } from '../http/headers.ts'
import { stateOf, type Reply } from '../exchange/reply.ts'
import type { Request } from '../exchange/request.ts'
import type { CompiledRoute } from '../route/compiled-route.ts'
import { runAll } from './hooks.ts'
import { noteEnd } from './observe/tell.ts'
import { watchDeadline } from './stages/deadline.ts'

/** Listens to what happens to a response, for the hooks onResponse, onTimeout and onRequestAbort, for
 *  the log, and for what happens too late. */
export type Watcher = (request: Request, reply: Reply) => void

/** The watcher of a route; undefined for a route without such hooks, whose requests cost nothing. */
export function createWatcher(route: CompiledRoute): Watcher | undefined {
  const { onResponse, onTimeout, onRequestAbort } = route.hooks
  const watchers = [
    ...(route.handlerTimeout > 0 ? [watchDeadline(route)] : []),
    ...(onTimeout.length > 0 ? [watchTimeout(route)] : []),
    // Why a response ended comes before that it did.
    ...(onRequestAbort.length > 0 ? [watchAbort(route)] : []),
    ...(onResponse.length > 0 || route.log.tells !== undefined ? [watchEnd(route)] : []),
  ]
  if (watchers.length === 0) return undefined
  return (request, reply) => {
    for (const watch of watchers) watch(request, reply)
  }
}

/** The response has left, or its connection is gone: onResponse runs once in either case, and the log
 *  tells of it afterwards. */
function watchEnd(route: CompiledRoute): Watcher {
  const { onResponse } = route.hooks
  const { tells } = route.log
  return (request, reply) => {
    const { raw } = reply
    const isTold = tells?.() === true
    if (!isTold && onResponse.length === 0) return
    const ended = (): void => {
      raw.off('finish', ended).off('close', ended)
      // Whoever took it over has answered on the socket itself: there is no response.
      if (stateOf(reply).isHijacked && !hasHead(raw)) return
      const tell = isTold ? noteEnd(route, reply) : undefined
      if (onResponse.length === 0) tell?.()
      else void runAll(route, onResponse, [request, reply]).then(tell)
    }
    raw.on('finish', ended).on('close', ended)
  }
}

/** The connection was idle for longer than `connectionTimeout`. It is closed first: with a listener
 *  on the response, Node leaves that to the listener. */
function watchTimeout(route: CompiledRoute): Watcher {
  return (request, reply) => {
    reply.raw.once('timeout', () => {
      stateOf(reply).isCut = true
      reply.raw.destroy()
      void runAll(route, route.hooks.onTimeout, [request, reply])
    })
  }
}

/** The client left before it had the whole response. An injected response is never `writableFinished`,
 *  but it does finish. */
function watchAbort(route: CompiledRoute): Watcher {
  return (request, reply) => {
    const { raw } = reply
    const aborted = (): void => {
      if (stateOf(reply).isCut) return
      void runAll(route, route.hooks.onRequestAbort, [request, reply])
    }
    raw.once('close', aborted).once('finish', () => raw.off('close', aborted))
  }
}
