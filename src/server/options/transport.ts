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

/** The options of the factory about sockets and requests on them. */
export interface TransportOptions {
  /** Options of Node's own for the server. */
  readonly http?: ServerOptions | null
  /** Options of Node's own for a server with TLS; true for none. */
  readonly https?: HttpsOptions | SecureServerOptions | boolean | null
  /** Whether the server speaks HTTP/2: with `https` over TLS, else in clear text. With
   *  `https: { allowHTTP1: true }` it speaks HTTP/1 too. @default false */
  readonly http2?: boolean
  /** How long an HTTP/2 session may be idle, in milliseconds. @default 72000 */
  readonly http2SessionTimeout?: number
  /** Makes the server, whose requests the handler answers. */
  readonly serverFactory?: (handler: Dispatch, options: object) => HttpServer
  /** How long a connection may be idle with a request in flight, in milliseconds; 0 for no limit.
   *  The onTimeout hooks run when it is closed. @default 0 */
  readonly connectionTimeout?: number
  /** How long a connection is kept for another request, in milliseconds. @default 72000 */
  readonly keepAliveTimeout?: number
  /** How long a client may take to send a request, in milliseconds; 0 for no limit. What is not
   *  there then is answered with 408. @default 0 */
  readonly requestTimeout?: number
  /** How many requests a connection is kept for; 0 for any number. @default 0 */
  readonly maxRequestsPerSocket?: number | null
  /** What `close` does with connections: `'idle'` closes idle ones, true all, false none.
   *  @default 'idle' */
  readonly forceCloseConnections?: boolean | 'idle'
  /** Whether a request that comes while the server closes is answered with 503. @default true */
  readonly return503OnClosing?: boolean
  /** Answers what cannot be read as a request; `this` is the server. */
  readonly clientErrorHandler?: (this: Server, error: Error, socket: Duplex) => void
  /** Which peers may say, by `X-Forwarded-*`, whom they speak for. @default false */
  readonly trustProxy?: TrustProxy
  /** The header that the id of a request is taken of; true for `request-id`. @default false */
  readonly requestIdHeader?: string | boolean
  /** Makes the ids of requests. @default they are counted */
  readonly genReqId?: GenerateId
}

/** The same options with their defaults. */
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

/** The options that are more than given values with a default. */
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

/** How requests get their ids. */
export interface RequestIds {
  /** The header that the id is read from, in lower case. */
  readonly header: string | undefined
  readonly generate: GenerateId
}

export function readRequestIds({ requestIdHeader, genReqId }: TransportOptions): RequestIds {
  const named = requestIdHeader === true ? 'request-id' : requestIdHeader
  const header = typeof named === 'string' && named !== '' ? named.toLowerCase() : undefined
  return { header, generate: idFromHeader(header, genReqId ?? countRequests()) }
}

/** Node answers what callbacks such as `SNICallback` throw, but not what their promises reject
 *  with. */
function guardCallbacks<Options extends object>(options: Options): Options {
  const callbacks = Object.entries(options).filter(([name]) => name.endsWith('Callback'))
  const guarded = callbacks.map(([name, value]) => [name, guardPromises(name, value)] as const)
  return { ...options, ...Object.fromEntries(guarded) }
}
