import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from '../http/logger.ts'
import { readDecorator, writeDecorator } from '../context/decorators.ts'
import type { HttpPart, ValidationError } from '../schema/compiler-types.ts'
import type { RouteOptionsFacts, ValidationFunction } from '../typed/request.ts'
import type { RouteInfo } from './route-info.ts'
import { findValidator } from './schema-functions.ts'
import { restoreSocket } from './unread-body.ts'

/** The part of an exchange that its request reads. */
export interface RequestExchange {
  readonly route: RouteInfo
  readonly response: ServerResponse
  /** Aborts `request.signal`. Undefined until the signal is read, or the timeout has fired. */
  abort: AbortController | undefined
}

/** Whether a connection is one of TLS. In Bun, others have the member too. */
export function isEncrypted(socket: Socket | null): boolean {
  return socket !== null && 'encrypted' in socket && socket.encrypted === true
}

/** One request, as hooks and handlers see it. Each context has a subclass whose prototype carries
 *  the context's request decorators. */
export class Request {
  /** Node's own request. */
  readonly raw: IncomingMessage
  /** The path parameters, after validation coerced and with defaults. */
  params: unknown
  /** The parsed query string, after validation coerced and with defaults. */
  query: unknown
  /** The parsed body; undefined before it is parsed, and where there is none. */
  body: unknown = undefined
  /** The error of a failed validation, on routes with `attachValidation`. */
  validationError: ValidationError | undefined = undefined
  readonly #exchange: RequestExchange
  #headers: unknown = undefined
  #id: string | undefined = undefined
  #log: Logger | undefined = undefined

  constructor(exchange: RequestExchange, raw: IncomingMessage, params: unknown, query: unknown) {
    this.#exchange = exchange
    this.raw = raw
    this.params = params
    this.query = query
  }

  /** The request headers, their names in lower case. Assigned when the route validates them. */
  get headers(): unknown {
    return this.#headers ?? this.raw.headers
  }

  set headers(headers: unknown) {
    this.#headers = headers
  }

  /** Identifies this request among those of the server. Made when it is read first. */
  get id(): string {
    this.#id ??= this.#exchange.route.generateId(this.raw)
    return this.#id
  }

  get method(): string {
    return this.raw.method ?? 'GET'
  }

  /** The path and the query string as they were sent. */
  get url(): string {
    return this.raw.url ?? '/'
  }

  /** The URL that the client sent, before `rewriteUrl` or a plugin changed it. */
  get originalUrl(): string {
    const { raw } = this
    return 'originalUrl' in raw && typeof raw.originalUrl === 'string' ? raw.originalUrl : this.url
  }

  /** The host of the request, with the port if one was given. Empty if the client named no host. */
  get host(): string {
    const { headers } = this.raw
    const authority = headers.host ?? headers[':authority']
    return typeof authority === 'string' ? authority : ''
  }

  /** The host of the request, without the port. */
  get hostname(): string {
    const { host } = this
    const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.indexOf(':')
    return end > 0 ? host.slice(0, end) : host
  }

  /** The address of the client; empty when its connection is gone. */
  get ip(): string {
    return this.socket?.remoteAddress ?? ''
  }

  /** The port of the request. Null if the client named none. */
  get port(): number | null {
    const { host, hostname } = this
    return host.length > hostname.length + 1 ? Number(host.slice(hostname.length + 1)) : null
  }

  /** The addresses from the peer to the client, if proxies are trusted. */
  get ips(): string[] | undefined {
    return undefined
  }

  get protocol(): 'http' | 'https' {
    return isEncrypted(this.socket) ? 'https' : 'http'
  }

  /** Null once Node has removed it, after a body that was not read to its end. */
  get socket(): Socket | null {
    return restoreSocket(this.raw, this.#exchange.response)
  }

  /** Aborted when the client leaves before the response is whole, and when the route's
   *  `handlerTimeout` has passed. Then `reason` is ESP_ERR_HANDLER_TIMEOUT. Made when it is read
   *  first. */
  get signal(): AbortSignal {
    const exchange = this.#exchange
    exchange.abort ??= createSignal(exchange.response)
    return exchange.abort.signal
  }

  /** The server of the context that the route was declared in. */
  get server(): object {
    return this.#exchange.route.server
  }

  /** The logger of this request. Its lines have the request's id. Made when it is read first. */
  get log(): Logger {
    return this.#log ?? this.#createLog()
  }

  set log(log: Logger) {
    this.#log = log
  }

  /** @throws what a `childLoggerFactory` throws, once: the server's logger is taken afterwards */
  #createLog(): Logger {
    const { base, child } = this.#exchange.route.log
    this.#log = base
    if (child !== undefined) this.#log = child(this.id, this.raw)
    return this.#log
  }

  get routeOptions(): RouteOptionsFacts {
    return this.#exchange.route.routeOptions
  }

  /** The names of Fastify 4 for parts of `routeOptions`. Deprecated. */
  get context(): Pick<RouteOptionsFacts, 'config'> {
    this.#exchange.route.dialect.errors.deprecate('ESP_DEP_REQUEST_CONTEXT')
    return this.#exchange.route.routeOptions
  }
  get routeConfig(): RouteOptionsFacts['config'] {
    this.#exchange.route.dialect.errors.deprecate('ESP_DEP_ROUTE_CONFIG')
    return this.#exchange.route.routeOptions.config
  }
  get routeSchema(): unknown {
    this.#exchange.route.dialect.errors.deprecate('ESP_DEP_ROUTE_SCHEMA')
    return this.#exchange.route.routeOptions.schema
  }
  get routerPath(): string | undefined {
    this.#exchange.route.dialect.errors.deprecate('ESP_DEP_ROUTER_PATH')
    return this.#exchange.route.routeOptions.url
  }
  get routerMethod(): string | readonly string[] {
    this.#exchange.route.dialect.errors.deprecate('ESP_DEP_ROUTER_METHOD')
    return this.#exchange.route.routeOptions.method
  }

  /** Whether no route was found for this request. */
  get is404(): boolean {
    return this.#exchange.route.is404
  }

  /** The value of a request decorator; a function is bound to this request.
   *  @throws ESP_ERR_DEC_UNDECLARED */
  getDecorator(name: PropertyKey): unknown {
    return readDecorator(this, 'request', name)
  }

  /** Gives a request decorator its value for this request. @throws ESP_ERR_DEC_UNDECLARED */
  setDecorator(name: PropertyKey, value: unknown): void {
    writeDecorator(this, 'request', name, value)
  }

  /** The validator of a part of the route's schema, or of a schema that was compiled before.
   *  Undefined where there is none. */
  getValidationFunction(source: HttpPart | object): ValidationFunction | undefined {
    return this.#exchange.route.schemas.validator(source)
  }

  /** Compiles a schema with the route's own compiler, once for each schema object.
   *  @throws ESP_ERR_SCH_VALIDATION_BUILD, ESP_ERR_SCH_MISSING_REF */
  compileValidationSchema(schema: object, httpPart?: HttpPart): ValidationFunction {
    return this.#exchange.route.schemas.compileValidator(schema, httpPart)
  }

  /** Whether a value is valid for a part of the route's schema, or for a schema. If both are
   *  given, the route's own schema of the part is used, if it has one.
   *  @throws ESP_ERR_REQ_INVALID_VALIDATION_INVOCATION, and what compiling throws */
  validateInput(input: unknown, source: HttpPart | object, httpPart?: HttpPart): boolean {
    return findValidator(this.#exchange.route.schemas, source, httpPart)(input)
  }
}

/** Properties that every request has from its constructor. */
export const requestProperties: ReadonlySet<string> = new Set([
  'raw',
  'params',
  'query',
  'body',
  'validationError',
])

/** Makes the controller of a request's signal. It aborts when the connection is gone before the
 *  response is whole. */
function createSignal(response: ServerResponse): AbortController {
  const controller = new AbortController()
  if (response.writableEnded) return controller
  const abort = (): void => {
    controller.abort()
  }
  if (response.destroyed) abort()
  // An injected response is never `writableFinished`, but it does finish.
  else response.once('close', abort).once('finish', () => response.off('close', abort))
  return controller
}
