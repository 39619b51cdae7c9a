import type {
  IncomingMessage,
  Server as HttpServer,
  ServerOptions,
  ServerResponse,
} from 'node:http'
import type { SecureServerOptions } from 'node:http2'
import type { ServerOptions as HttpsOptions } from 'node:https'
import type { Duplex } from 'node:stream'
import type { TrustProxy } from '../../lifecycle/proxied-request.ts'
import { countRequests, idFromHeader, type GenerateId } from '../../lifecycle/request-id.ts'
import { guardPromises } from '../../lifecycle/log/guard.ts'
import type { Server } from '../types/server.ts'
import {
  aBoolean,
  aCount,
  aFunction,
  anObject,
  aString,
  aTime,
  either,
  oneOf,
  type Rule,
  type Rules,
} from './rules.ts'

/** Answers requests of Node. */
export type Dispatch = (request: IncomingMessage, response: ServerResponse) => void

/** The options of the factory for sockets and requests. */
export interface TransportOptions {
  /** Options of Node for the server. */
  readonly http?: ServerOptions | null
  /** Options of Node for a server with TLS, or true. */
  readonly https?: HttpsOptions | SecureServerOptions | boolean | null
  /** Whether the server speaks HTTP/2, over TLS if `https` is set. With `https: { allowHTTP1: true
   *  }` it also speaks HTTP/1. @default false */
  readonly http2?: boolean
  /** The maximum idle time of an HTTP/2 session, in milliseconds. @default 72000 */
  readonly http2SessionTimeout?: number
  /** Makes the server of Node, which has to call the handler. */
  readonly serverFactory?: (handler: Dispatch, options: object) => HttpServer
  /** The maximum idle time of a connection with a request in flight, in milliseconds; 0 for no
   *  limit. After it, the onTimeout hooks run. @default 0 */
  readonly connectionTimeout?: number
  /** How long an idle connection is kept for the next request, in milliseconds. @default 72000 */
  readonly keepAliveTimeout?: number
  /** The maximum time to receive a request, in milliseconds; 0 for no limit. After it, the client
   *  gets the status 408. @default 0 */
  readonly requestTimeout?: number
  /** The maximum number of requests on a connection; 0 for no limit. @default 0 */
  readonly maxRequestsPerSocket?: number | null
  /** The connections that `close` closes: `'idle'` ones, all for true, none for false.
   *  @default 'idle' */
  readonly forceCloseConnections?: boolean | 'idle'
  /** Whether new requests to a closing server get the status 503. @default true */
  readonly return503OnClosing?: boolean
  /** Answers data that is no valid request. `this` is the server. */
  readonly clientErrorHandler?: (this: Server, error: Error, socket: Duplex) => void
  /** The proxies whose `X-Forwarded-*` headers are trusted. @default false */
  readonly trustProxy?: TrustProxy
  /** The header with the id of a request; true for `request-id`. @default false */
  readonly requestIdHeader?: string | boolean
  /** Makes the ids of requests. @default a counter */
  readonly genReqId?: GenerateId
}

/** The options of the transport with their defaults. */
export interface TransportSettings extends Required<
  Pick<
    TransportOptions,
    | 'http2'
    | 'http2SessionTimeout'
    | 'connectionTimeout'
    | 'keepAliveTimeout'
    | 'requestTimeout'
    | 'forceCloseConnections'
    | 'return503OnClosing'
    | 'trustProxy'
  >
> {
  readonly http: ServerOptions
  /** Undefined for a server without TLS. */
  readonly https: HttpsOptions | SecureServerOptions | undefined
  readonly serverFactory: ((handler: Dispatch) => HttpServer) | undefined
  readonly clientErrorHandler?: TransportOptions['clientErrorHandler']
  readonly maxRequestsPerSocket: number
}

const isList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')
const aList: Rule = [isList, 'a list of strings']
const none = oneOf(null)

export const transportRules: Rules<TransportOptions> = {
  http: either(anObject, none),
  https: either(anObject, aBoolean, none),
  http2: aBoolean,
  http2SessionTimeout: aTime,
  serverFactory: aFunction,
  connectionTimeout: aTime,
  keepAliveTimeout: aTime,
  requestTimeout: aTime,
  maxRequestsPerSocket: either(aCount, none),
  forceCloseConnections: oneOf(true, false, 'idle'),
  return503OnClosing: aBoolean,
  clientErrorHandler: aFunction,
  trustProxy: either(aBoolean, aCount, aString, aList, aFunction),
  requestIdHeader: either(aString, aBoolean),
  genReqId: aFunction,
}

/** The options that differ from their given values. */
export function normalizeTransport(
  options: TransportOptions,
): Pick<TransportSettings, 'http' | 'https' | 'serverFactory' | 'maxRequestsPerSocket'> {
  const { http, https, serverFactory, maxRequestsPerSocket } = options
  return {
    http: guardCallbacks(http ?? {}),
    https: https ? guardCallbacks(https === true ? {} : https) : undefined,
    serverFactory: serverFactory && ((handler) => serverFactory(handler, options)),
    maxRequestsPerSocket: maxRequestsPerSocket ?? 0,
  }
}

export interface RequestIds {
  /** The header with the id, in lower case. */
  readonly header: string | undefined
  readonly generate: GenerateId
}

export function readRequestIds({ requestIdHeader, genReqId }: TransportOptions): RequestIds {
  const named = requestIdHeader === true ? 'request-id' : requestIdHeader
  const header = typeof named === 'string' && named !== '' ? named.toLowerCase() : undefined
  return { header, generate: idFromHeader(header, genReqId ?? countRequests()) }
}

/** Node handles errors that callbacks such as `SNICallback` throw, but not rejected promises. */
function guardCallbacks<Options extends object>(options: Options): Options {
  const callbacks = Object.entries(options).filter(([name]) => name.endsWith('Callback'))
  const guarded = callbacks.map(([name, value]) => [name, guardPromises(name, value)] as const)
  return { ...options, ...Object.fromEntries(guarded) }
}
