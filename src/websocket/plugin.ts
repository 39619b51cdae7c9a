import type { IncomingMessage, ServerResponse } from 'node:http'
import publishedPlugin from '@fastify/websocket'
import { errorCodes } from '../errors/codes.ts'
import { guard } from '../lifecycle/log/guard.ts'
import type { Reply } from '../lifecycle/reply.ts'
import type { Request } from '../lifecycle/request.ts'
import { once } from '../packages/once.ts'
import type { Adopted } from '../plugin/plugin-types.ts'
import { whenRegistered, markFacts } from '../plugin/plugin.ts'
import type { RouteRegistration } from '../route/declaration.ts'
import { describe } from '../errors/describe.ts'
import { adopt } from '../server/factory.ts'
import type { Host } from '../server/host.ts'
import { writeFailure } from '../server/log.ts'
import { changeableNode, nodeOf } from '../server/node.ts'
import type { ServerInstance } from '../server/server.ts'
import { type MessageSchemas, Messages, type Refusal } from './messages.ts'
import { SocketChannel } from './socket-channel.ts'
import type { RawSocket } from './typed-socket.ts'
import type { DeclareWebsocket } from './types.ts'

/** What `websocket` adds to the server of its scope. */
export interface WebsocketDecorators {
  readonly server: {
    readonly websocket: DeclareWebsocket
  }
}

/** The plugin that `websocket` makes. */
export type WebsocketPlugin = Adopted<WebsocketDecorators>

/** Options of the WebSocket server of the package `ws`. */
export interface WebsocketPluginOptions {
  /** The largest message in bytes. A larger one closes the socket with 1009.
   *  @default the `bodyLimit` of the server */
  readonly maxPayload?: number
  /** Compression of messages. @default false */
  readonly perMessageDeflate?: boolean | object
  /** Chooses one of the subprotocols that a client names, or false. @default the first */
  readonly handleProtocols?: (protocols: Set<string>, request: IncomingMessage) => string | false
  /** How many milliseconds a client has to answer the close of a socket. @default 5000 */
  readonly closeTimeout?: number
}

/** The hosts that have the plugin, each with the path of its scope. */
const places = once('websocketPlaces', () => new WeakMap<Host, string>())

/** A plugin that adds `websocket` to the server of its scope and of all scopes below. It uses the
 *  published @fastify/websocket, which has to be installed. Register it once, in the scope around
 *  all routes for WebSockets. When the server closes, it closes all sockets with 1001.
 *  @example app.register(websocket()).websocket('/echo', (socket) => …)
 *  @throws ESP_ERR_WEBSOCKET_TWICE from `register` */
export function websocket(options: WebsocketPluginOptions = {}): WebsocketPlugin {
  const facts = { name: 'espalier/websocket' }
  const serve = (scope: ServerInstance): Promise<void> => addPublished(scope, options)
  const plugin = adopt<WebsocketDecorators>(markFacts(serve, facts))
  return Object.assign(plugin, { [whenRegistered]: addMethod })
}

function addMethod(scope: ServerInstance): void {
  const { host, context } = nodeOf(scope)
  const place = places.get(host)
  if (place !== undefined) throw new errorCodes.ESP_ERR_WEBSOCKET_TWICE(place, context.path)
  places.set(host, context.path)
  scope.decorate('websocket', declare)
}

interface SocketServer {
  readonly clients: Iterable<RawSocket>
}

/** The published plugin, as a method: it takes a server of Fastify's types, if these are known. */
interface Published {
  run(scope: object, options: object, done: (error?: Error) => void): void
}

/** Runs the published plugin in a scope. It gives upgrades to `routing`. */
async function addPublished(scope: ServerInstance, given: WebsocketPluginOptions): Promise<void> {
  const { host } = nodeOf(scope)
  // Before the hook of the published plugin, which gives no code.
  scope.addHook('preClose', function (this: { websocketServer: SocketServer }) {
    for (const socket of this.websocketServer.clients) socket.close(1001, 'The server is closing')
  })
  const routing = (request: IncomingMessage, response: ServerResponse): void => {
    // Node reads no further request from a connection that asked for an upgrade.
    const { socket } = response
    response.shouldKeepAlive = false
    response.once('finish', () => socket?.end(() => socket.destroy()))
    host.dispatch(request, response)
  }
  // Newer versions of Node ask this. Requests for other protocols, such as h2c, stay requests.
  const shouldUpgradeCallback = ({ headers }: IncomingMessage): boolean =>
    headers.upgrade?.toLowerCase() === 'websocket'
  Object.assign(scope.server, { shouldUpgradeCallback })
  const options = { maxPayload: host.options.bodyLimit, closeTimeout: 5000, ...given }
  const addHook = (name: string, hook: PublishedHook): void => {
    scope.addHook(name, name === 'onRoute' ? ofSockets(hook) : hook)
  }
  const members = { routing: { value: routing }, addHook: { value: addHook } }
  const view = Object.create(scope, members) as object
  await new Promise<void>((resolve, reject) => {
    const published: Published = { run: publishedPlugin }
    published.run(view, { options, errorHandler }, (error) => {
      if (error === undefined) resolve()
      else reject(error)
    })
  })
}

type PublishedHook = (this: unknown, ...values: unknown[]) => unknown

/** Keeps the published onRoute hook from other routes: it would upgrade their requests too. */
function ofSockets(hook: PublishedHook): PublishedHook {
  return function (this: unknown, route) {
    const { websocket, wsHandler } = route as { websocket?: unknown; wsHandler?: unknown }
    if (websocket || wsHandler) hook.call(this, route)
  }
}

/** Gets the errors of sockets. `ws` closes them by itself. */
function errorHandler(error: unknown, _socket: RawSocket, { log }: Request): void {
  guard(() => {
    log.info({ err: error }, 'WebSocket failed')
  }, writeFailure)
}

type Handler = (socket: SocketChannel, request: Request) => unknown

interface GivenOptions extends MessageSchemas {
  readonly schema?: object
  readonly config?: object
  readonly onInvalidMessage?: (error: Error, socket: SocketChannel, request: Request) => unknown
}

/** The method `websocket` of servers: `(path, handler)` or `(path, options, handler)`. */
function declare(this: ServerInstance, path: unknown, ...rest: unknown[]): ServerInstance {
  const { host, context } = changeableNode(this, 'websocket')
  const handler = rest.at(-1)
  if (typeof handler !== 'function') {
    const problem = `the last one is the handler, a function, but is ${describe(handler)}`
    throw new errorCodes.ESP_ERR_ROUTE_ARGUMENTS('websocket', path, context.path, problem)
  }
  const given = rest.length > 1 ? (rest[0] as GivenOptions | undefined) : undefined
  const { receive, send, onInvalidMessage, ...options } = given ?? {}
  let messages: Messages | undefined
  const compiled = (): Messages =>
    (messages ??= new Messages({ receive, send }, registrationOf(wsHandler, host), host))
  this.addHook('onReady', () => void compiled())
  const wsHandler = function (this: unknown, raw: RawSocket, request: Request): void {
    const socket: SocketChannel = new SocketChannel(raw, compiled(), (refusal) =>
      refuse(refusal, socket, request, onInvalidMessage?.bind(this)),
    )
    const run = handler.bind(this) as Handler
    guard(
      async () => {
        await run(socket, request)
        socket.end()
      },
      (error) => {
        fail(error, socket, request)
      },
    )
  }
  const schema = { ...options.schema, hide: true }
  const config = { ...options.config, [declaredBy]: wsHandler }
  const own = { schema, config, exposeHeadRoute: false, handler: expectUpgrade, wsHandler }
  return this.route({ ...options, ...own, method: 'GET', url: path })
}

/** The key in the config of a route that finds its registration. */
const declaredBy: unique symbol = Symbol.for('espalier.websocket')

/** @throws ESP_ERR_HOOK_FAILED if an onRoute hook has replaced the config */
function registrationOf(wsHandler: object, { routes }: Host): RouteRegistration {
  const found = routes.registrations().find(({ declaration: { config } }) => {
    return Reflect.get(config, declaredBy) === wsHandler
  })
  if (found !== undefined) return found
  const what = 'it has replaced the config of the route. Add to it instead'
  throw new errorCodes.ESP_ERR_HOOK_FAILED('onRoute', 'a route for WebSockets', what)
}

/** Answers a request that asks for no upgrade (RFC 9110, section 15.5.22). */
function expectUpgrade(_request: Request, reply: Reply): never {
  reply.header('upgrade', 'websocket').header('connection', 'upgrade')
  throw new errorCodes.ESP_ERR_WEBSOCKET_EXPECTED()
}

/** @returns whether the socket was closed */
async function refuse(
  { error, closeCode }: Refusal,
  socket: SocketChannel,
  request: Request,
  onInvalidMessage: GivenOptions['onInvalidMessage'],
): Promise<boolean> {
  if (onInvalidMessage !== undefined) {
    await onInvalidMessage(error, socket, request)
    return false
  }
  guard(() => {
    request.log.info({ err: error }, 'WebSocket message refused')
  }, writeFailure)
  socket.close(closeCode, toReason(error.message))
  return true
}

/** Closes the socket of a handler that failed. */
function fail(error: unknown, socket: SocketChannel, request: Request): void {
  guard(() => {
    request.log.error({ err: error }, 'WebSocket handler failed')
  }, writeFailure)
  socket.end()
  socket.close(1011, 'Internal Server Error')
}

/** The text as the reason of a close frame: 123 bytes at most, of whole characters. */
function toReason(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= 123) return text
  return bytes.toString('utf8', 0, 123).replace(/\uFFFD+$/, '')
}
