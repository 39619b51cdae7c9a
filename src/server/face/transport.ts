import type { AddressInfo } from 'node:net'
import type { Server as HttpServer } from 'node:http'
import type { InjectOptions, Response } from 'light-my-request'
import { errorCodes } from '../../errors/codes.ts'
import { tell } from '../../plugin/callbacks.ts'
import type { RouteInput } from '../../http/route-call.ts'
import { injectRequest } from '../transport/inject.ts'
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

  async inject(target: string | InjectOptions, input?: RouteInput): Promise<Response> {
    const { host } = seatOf(this)
    await host.compiled()
    if (host.isClosing) throw new errorCodes.ESP_ERR_REOPENED_CLOSE_SERVER('inject')
    return injectRequest((request, response) => host.dispatch(request, response), target, input)
  }

  close(callback?: Callback): Promise<void> | this {
    const closed = seatOf(this).host.close()
    if (callback === undefined) return closed
    tell(closed, callback)
    return plain(this)
  }
}
