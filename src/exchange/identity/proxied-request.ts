import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import { Request } from '../request.ts'

/** Which peers may speak for another, as `X-Forwarded-*` does: all, addresses or ranges of them (in a list,
 *  or in a text with commas), so many that stand one behind the other before the server, or what a
 *  function says of an address and its distance. A number says nothing of who they are: it is for
 *  servers that no client can reach but through them. */
export type TrustProxy =
  boolean | number | string | readonly string[] | ((address: string, hop: number) => boolean)

type Trusts = (address: string, hop: number) => boolean

/** The class of requests that may come through proxies.
 *  @throws what the package for addresses says of an address that is none */
export function createProxiedRequest(trust: TrustProxy): typeof Request {
  const trusts = compileTrust(trust)
  return class extends Request {
    override get ip(): string {
      return addresses(this.raw, trusts).at(-1) ?? ''
    }

    override get ips(): string[] | undefined {
      return addresses(this.raw, trusts)
    }

    override get host(): string {
      return forwarded(this.raw, 'x-forwarded-host', trusts) ?? super.host
    }

    override get protocol(): 'http' | 'https' {
      const protocol = forwarded(this.raw, 'x-forwarded-proto', trusts)?.toLowerCase()
      return protocol === 'http' || protocol === 'https' ? protocol : super.protocol
    }
  }
}

function compileTrust(trust: TrustProxy): Trusts {
  if (typeof trust === 'function') return trust
  if (typeof trust === 'boolean') return () => trust
  if (typeof trust === 'number') return (_address, hop) => hop < trust
  const list = typeof trust === 'string' ? trust.split(',') : trust
  return proxyAddr.compile(list.map((address) => address.trim()))
}

/** The peer first, then whom each speaks for, up to the first that is not trusted. A connection that is
 *  gone has no peer any more. */
function addresses(raw: IncomingMessage, trusts: Trusts): string[] {
  return peerOf(raw) === undefined ? [] : proxyAddr.all(raw, trusts)
}

/** What the nearest proxy has added to a header, which is the last of its values. */
function forwarded(raw: IncomingMessage, header: string, trusts: Trusts): string | undefined {
  const given = raw.headers[header]
  const peer = peerOf(raw)
  if (given === undefined || peer === undefined || !trusts(peer, 0)) return undefined
  const last = String(given).split(',').at(-1)?.trim()
  return last === '' ? undefined : last
}

function peerOf({ socket }: IncomingMessage): string | undefined {
  return socket.remoteAddress
}
