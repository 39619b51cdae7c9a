import type { ServerResponse } from 'node:http'
import { hasHead } from '../http/headers.ts'
import type { CompiledRoute } from './compiled-route.ts'
import type { Exchange } from './exchange.ts'
import { runAll } from './hooks.ts'
import { noteEnd } from './log/lines.ts'
import { watchDeadline } from './timeout.ts'

/** Listens to the events of a response: for the hooks onResponse, onTimeout and onRequestAbort,
 *  for the log, and for the route's timeout. */
export type Watcher = (exchange: Exchange) => void

/** The watcher of a route. Undefined if the route has nothing to watch. */
export function createWatcher(route: CompiledRoute): Watcher | undefined {
  const { onResponse, onTimeout, onRequestAbort } = route.hooks
  const watchers = [
    ...(route.handlerTimeout > 0 ? [watchDeadline(route)] : []),
    ...(onTimeout.length > 0 ? [watchTimeout(route)] : []),
    // The hooks that say why a response ended run before onResponse.
    ...(onRequestAbort.length > 0 ? [watchAbort(route)] : []),
    ...(onResponse.length > 0 || route.log.logsRequests !== undefined ? [watchEnd(route)] : []),
  ]
  if (watchers.length === 0) return undefined
  return (exchange) => {
    for (const watch of watchers) watch(exchange)
  }
}

/** Runs onResponse once: when the response has left, or when its connection is gone. Then writes
 *  the log line. */
function watchEnd(route: CompiledRoute): Watcher {
  const { onResponse } = route.hooks
  const { logsRequests } = route.log
  return (exchange) => {
    const { response } = exchange
    const isLogged = logsRequests?.() === true
    if (!isLogged && onResponse.length === 0) return
    const ended = (): void => {
      response.off('finish', ended).off('close', ended)
      // The reply was hijacked and answered on the socket: there is no response.
      if (exchange.phase === 'hijacked' && !hasHead(response)) return
      const log = isLogged ? noteEnd(exchange) : undefined
      if (onResponse.length === 0) log?.()
      else keepAlive(response, runAll(onResponse, exchange).then(log))
    }
    response.on('finish', ended).on('close', ended)
  }
}

/** Runs onTimeout: the connection was idle longer than `connectionTimeout`. It is closed first,
 *  since Node leaves that to the listener of the response. */
function watchTimeout({ hooks: { onTimeout } }: CompiledRoute): Watcher {
  return (exchange) => {
    exchange.response.once('timeout', () => {
      exchange.isCut = true
      exchange.response.destroy()
      keepAlive(exchange.response, runAll(onTimeout, exchange))
    })
  }
}

/** Runs onRequestAbort: the client left before it had the whole response. An injected response is
 *  never `writableFinished`, but emits `finish`. */
function watchAbort({ hooks: { onRequestAbort } }: CompiledRoute): Watcher {
  return (exchange) => {
    const { response } = exchange
    const aborted = (): void => {
      if (!exchange.isCut) keepAlive(response, runAll(onRequestAbort, exchange))
    }
    response.once('close', aborted).once('finish', () => response.off('close', aborted))
  }
}

/** Lets a platform wait for what goes on behind a response, if it would end that. */
function keepAlive(response: ServerResponse & WaitingResponse, work: Promise<void>): void {
  response.waitUntil?.(work)
}

interface WaitingResponse {
  /** Responses that came through `fetch` have it. */
  readonly waitUntil?: (work: Promise<unknown>) => void
}
