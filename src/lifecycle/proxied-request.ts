import { errorCodes } from '../errors/codes.ts'
import { refusePromise } from '../errors/refuse-promise.ts'
import { Request } from './request.ts'
import late from '../packages/late.cjs'

/** Which peers are trusted proxies, whose `X-Forwarded-*` headers are used: all (`true`),
 *  addresses or ranges of addresses (a list, or a text with commas), or a function of an address
 *  and its distance. */
export type TrustProxy =
  boolean | string | readonly string[] | ((address: string, hop: number) => boolean)

type Trusts = (address: string, hop: number) => boolean

/** Makes the class of requests that may come through proxies. A number trusts nobody: a count of
 *  proxies does not say who connects, so any client could name its own address.
 *  @throws the error of `@fastify/proxy-addr` for an invalid address, and ESP_ERR_FOR_WORKERS */
export function createProxiedRequest(trust: TrustProxy | number): typeof Request {
  if (late.isForWorkers) {
    const remedy = 'Give the address of the client to `app.fetch`, as `ip`'
    throw new errorCodes.ESP_ERR_FOR_WORKERS(
      '@fastify/proxy-addr',
      "the option 'trustProxy'",
      remedy,
    )
  }
  const trusts = compileTrust(trust)
  return class extends Request {
    override get ip(): string {
      return addresses(this, trusts).at(-1) ?? ''
    }

    override get ips(): string[] | undefined {
      return addresses(this, trusts)
    }

    override get host(): string {
      return forwarded(this, 'x-forwarded-host', trusts) ?? super.host
    }

    override get protocol(): 'http' | 'https' {
      const protocol = forwarded(this, 'x-forwarded-proto', trusts)?.toLowerCase()
      return protocol === 'http' || protocol === 'https' ? protocol : super.protocol
    }
  }
}

function compileTrust(trust: TrustProxy | number): Trusts {
  if (typeof trust === 'function') return (...peer) => refusePromise('trustProxy', trust(...peer))
  if (typeof trust === 'boolean') return () => trust
  if (typeof trust === 'number') {
    if (trust > 0) process.emitWarning(countWarning(trust), 'SecurityWarning')
    return () => false
  }
  const list = typeof trust === 'string' ? trust.split(',') : trust
  return late.proxyAddr().compile(list.map((address) => address.trim()))
}

const countWarning = (trust: number) =>
  `trustProxy: ${trust} trusts nobody, since a number does not say which peers are proxies. ` +
  "Write their addresses or ranges (trustProxy: '10.0.0.0/8') or a function of the address"

/** The addresses from the peer to the first that is not trusted. A connection that is gone has no
 *  peer. */
function addresses(request: Request, trusts: Trusts): string[] {
  return peerOf(request) === undefined ? [] : late.proxyAddr().all(request.raw, trusts)
}

/** The last value of a header, which the nearest proxy has added. */
function forwarded(request: Request, header: string, trusts: Trusts): string | undefined {
  const given = request.raw.headers[header]
  const peer = peerOf(request)
  if (given === undefined || peer === undefined || !trusts(peer, 0)) return undefined
  const last = String(given).split(',').at(-1)?.trim()
  return last === '' ? undefined : last
}

function peerOf({ socket }: Request): string | undefined {
  return socket?.remoteAddress
}
