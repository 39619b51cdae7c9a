import type { AddressInfo } from 'node:net'
import type { Server as HttpServer } from 'node:http'
import type { InjectOptions, Response } from 'light-my-request'
import { errorCodes } from '../../errors/codes.ts'
import { tell } from '../../plugin/callbacks.ts'
import type { RouteInput } from '../../http/route-call.ts'
import { idFromHeader, type GenerateId } from '../../lifecycle/request-id.ts'
import { describe } from '../../schema/values.ts'
import type { Host } from '../host.ts'
import type { InitialConfig } from '../options/initial-config.ts'
import { guard } from '../../lifecycle/log/guard.ts'
import { writeFailure } from '../logging/host-log.ts'
import { listenUntil } from '../transport/abort.ts'
import { chainRequest, injectRequest } from '../transport/inject.ts'
import type { InjectCallOptions } from '../transport/inject-call-options.ts'
import { readListen } from '../transport/listen.ts'
import { open, plain, seatOf } from '../seat.ts'
import { PluginFace } from './plugins.ts'

type Callback = (error: unknown, value?: unknown) => void

/** How requests come in. */
export class TransportFace extends PluginFace {
  /** Node's own server. */
  get server(): HttpServer {
    return seatOf(this).host.http
  }

  listen(...args: unknown[]): Promise<string> | this {
    const { host } = seatOf(this)
    const [options, callback] = readListen<Callback>(args, host.dialect.errors)
    const { signal, listenTextResolver: toText = (at: string) => `Server listening at ${at}` } =
      options
    const listening = listenUntil(host, options).then((address) => {
      const { log } = this
      if (address !== undefined && signal?.aborted !== true) {
        guard(() => Reflect.apply(log.info, log, [toText(address)]), writeFailure)
      }
      return address
    })
    if (callback === undefined) return listening.then((address = '') => address)
    tell(listening, (error, address) => {
      const isOver = signal?.aborted === true || (error === null && address === undefined)
      if (!isOver) callback(error, address ?? null)
    })
    return plain(this)
  }

  addresses(): (AddressInfo | string)[] {
    return seatOf(this).host.transport.addresses()
  }

  get listeningOrigin(): string {
    return seatOf(this).host.transport.origin
  }

  get initialConfig(): InitialConfig {
    return seatOf(this).host.options.initialConfig
  }

  /** Makes the ids of requests of this scope. */
  get genReqId(): GenerateId {
    const { host, context } = seatOf(this)
    return context.resolve('genReqId') ?? host.options.requestIds.generate
  }

  setGenReqId(generate: unknown): this {
    const { host, context } = open(this, 'setGenReqId')
    if (!isGenerator(generate)) {
      throw new errorCodes.ESP_ERR_FUNCTION_EXPECTED('genReqId', context.path, describe(generate))
    }
    context.settings.genReqId = idFromHeader(host.options.requestIds.header, generate)
    return plain(this)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await seatOf(this).host.close()
  }

  /** Sends a request without a socket. With a callback, that is called; without a target, gives what builds a
   *  request by calls, as light-my-request has it. */
  inject(
    target?: string | InjectOptions,
    input?: RouteInput | Callback,
    options?: InjectCallOptions,
  ): unknown {
    const { host } = seatOf(this)
    if (target === undefined)
      return chainRequest((...exchange) => host.dispatchWhenReady(...exchange))
    if (typeof input !== 'function') return sendInjected(host, target, input, options)
    const answered = sendInjected(host, target).catch((error: unknown) => {
      throw host.dialect.errors.show(error)
    })
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
  options?: InjectCallOptions,
): Promise<Response> {
  await host.compiled()
  if (host.isClosing) throw new errorCodes.ESP_ERR_REOPENED_CLOSE_SERVER('inject')
  return injectRequest((...exchange) => host.dispatch(...exchange), target, input, options)
}

function isGenerator(value: unknown): value is GenerateId {
  return typeof value === 'function'
}
