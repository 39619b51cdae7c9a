import type { AddressInfo } from 'node:net'
import type { Server as HttpServer } from 'node:http'
import type { InjectOptions, Response } from 'light-my-request'
import { errorCodes } from '../../errors/codes.ts'
import { tell } from '../../plugin/callbacks.ts'
import type { RouteInput } from '../../http/route-call.ts'
import type { Host } from '../host.ts'
import { chainRequest, injectRequest } from '../transport/inject.ts'
import type { ListenOptions } from '../transport/listen.ts'
import { plain, seatOf } from '../seat.ts'
import { PluginFace } from './plugins.ts'

type Callback = (error: unknown, value?: unknown) => void

/** How requests come in. */
export class TransportFace extends PluginFace {
  /** Node's own server. */
  get server(): HttpServer {
    return seatOf(this).host.http
  }

  listen(options: ListenOptions = {}, callback?: Callback): Promise<string> | this {
    const { host } = seatOf(this)
    const listening = host.listen(options)
    if (callback === undefined) return listening
    tell(listening, callback)
    return plain(this)
  }

  addresses(): AddressInfo[] {
    const address = seatOf(this).host.http.address()
    return address === null || typeof address === 'string' ? [] : [address]
  }

  /** Sends a request without a socket. With a callback, that is called; without a target, gives what builds a
   *  request by calls, as light-my-request has it. */
  inject(target?: string | InjectOptions, input?: RouteInput | Callback): unknown {
    const { host } = seatOf(this)
    if (target === undefined)
      return chainRequest((...exchange) => host.dispatchWhenReady(...exchange))
    const answered = sendInjected(host, target, typeof input === 'function' ? undefined : input)
    if (typeof input !== 'function') return answered
    tell(answered, input)
    return undefined
  }

  close(callback?: Callback): Promise<void> | this {
    const closed = seatOf(this).host.close()
    if (callback === undefined) return closed
    tell(closed, callback)
    return plain(this)
  }
}

async function sendInjected(
  host: Host,
  target: string | InjectOptions,
  input?: RouteInput,
): Promise<Response> {
  await host.compiled()
  if (host.isClosing) throw new errorCodes.ESP_ERR_REOPENED_CLOSE_SERVER('inject')
  return injectRequest((request, response) => host.dispatch(request, response), target, input)
}
