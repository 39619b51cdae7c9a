import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorCodes } from '../../errors/codes.ts'
import type { Dispatch } from '../options/transport.ts'
import type { FetchFunction, FetchPlatform } from '../types/fetch.ts'
import { isObject } from '../../types/objects.ts'
import { FetchedRequest } from './fetched-request.ts'
import { FetchedResponse } from './fetched-response.ts'
import { refuseUpgrade } from './refusals.ts'

/** What answers requests that come through `fetch`. */
interface FetchServer {
  /** Resolves when requests can be answered. @throws the error of the boot */
  readonly whenReady: () => Promise<void>
  readonly dispatch: Dispatch
  /** Logs what a `Response` cannot carry. */
  readonly warn: (error: Error) => void
  readonly problemDetails: boolean
}

/** The requests of the Fetch standard to a server. */
export class Fetches {
  readonly #server: FetchServer
  /** How many have no whole response yet. */
  #count = 0
  #onIdle: (() => void) | undefined

  constructor(server: FetchServer) {
    this.#server = server
  }

  readonly fetch: FetchFunction = async (
    given: Request | string | URL,
    second?: unknown,
    context?: unknown,
  ) => {
    await this.#server.whenReady()
    if (typeof given !== 'string' && !(given instanceof URL))
      return this.#answer(given, toPlatform(context ?? second))
    // cast: the form of the type that takes a URL
    return this.#answer(new Request(given, second as RequestInit | undefined), {})
  }

  /** Answers a request. If its signal is aborted, the promise rejects with the reason, as that of
   *  the global `fetch`. */
  #answer(request: Request, platform: FetchPlatform): Promise<Response> {
    const { dispatch, warn, problemDetails } = this.#server
    const { method, url, bodyUsed, signal } = request
    signal.throwIfAborted()
    if (bodyUsed) throw new errorCodes.ESP_ERR_FETCH_BODY_USED(method, url)
    const raw = new FetchedRequest(request, addressOf(request, platform))
    const leave = (): void => {
      raw.abort()
      response.leave(signal.reason)
    }
    const response = new FetchedResponse(raw, {
      warn,
      waitUntil: (work) => platform.waitUntil?.(work),
      closed: () => {
        signal.removeEventListener('abort', leave)
        // What nobody has read of the body is not needed any more.
        raw.destroy()
        this.#count -= 1
        if (this.#count === 0) this.#onIdle?.()
      },
    })
    this.#count += 1
    const answered = response.toResponse()
    const isUpgrade = raw.headers.upgrade?.toLowerCase() === 'websocket'
    if (isUpgrade) refuseUpgrade(toNode(response), problemDetails)
    else dispatch(toNode(raw), toNode(response))
    // Most replies are whole by now, and to listen has its cost.
    const isWhole = response.writableEnded && response.writableLength === 0
    if (!isWhole) signal.addEventListener('abort', leave)
    return answered
  }

  /** Waits for the responses that are not whole. */
  async close(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve))
  }
}

function toPlatform(given: unknown): FetchPlatform {
  return isObject(given) ? given : {}
}

function toNode(request: FetchedRequest): IncomingMessage
function toNode(response: FetchedResponse): ServerResponse
function toNode(part: unknown): unknown {
  return part
}

/** The address of the client; empty if the platform does not say it. */
function addressOf(request: Request, platform: FetchPlatform): string {
  const { ip, remoteAddr } = platform
  if (typeof ip === 'string') return ip
  if (typeof platform.requestIP === 'function') return platform.requestIP(request)?.address ?? ''
  const { hostname } = (remoteAddr ?? {}) as { readonly hostname?: unknown }
  return typeof hostname === 'string' ? hostname : ''
}
