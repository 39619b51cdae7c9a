import {
  type IncomingMessage,
  METHODS,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { InjectOptions } from 'light-my-request'
import { errorCodes } from '../errors/codes.ts'
import { suggestion } from '../errors/near-miss.ts'
import { callMethodsAtBoot, originOfCall } from '../errors/origin.ts'
import {
  createJsonParser,
  type PoisoningAction,
  textParser,
  type TextParser,
} from '../context/default-parsers.ts'
import { readParser, readTypes } from '../context/content-type-parsers.ts'
import type { AnyErrorHandler as ErrorHandler, Settings } from '../context/context.ts'
import { type DecoratorKind, readDecorator } from '../context/decorators.ts'
import { derivePhases, deriving, isDerivePhase } from '../context/derive.ts'
import { isRequestHook, isScopeHook, readHook } from '../context/hooks.ts'
import { type ChildLoggerFactory, defaultChildLoggerFactory, type Logger } from '../http/logger.ts'
import { standardMethods } from '../http/methods.ts'
import type { RouteInput } from '../http/route-call.ts'
import { guard } from '../lifecycle/log/guard.ts'
import type { SendingReply } from '../lifecycle/sending-reply.ts'
import type { Request } from '../lifecycle/request.ts'
import { type GenerateId, idFromHeader } from '../lifecycle/request-id.ts'
import {
  callWhenRegistered,
  markShared,
  nameOf,
  placeName,
  type PluginFunction,
  readPlugin,
} from '../plugin/plugin.ts'
import { type GivenRoute, readRoute } from '../route/declaration.ts'
import { nearestSerializerCompiler, nearestValidatorCompiler } from '../route/schemas/compiler.ts'
import { isErrorClass } from '../schema/http-error.ts'
import { inFullForm } from '../route/schemas/full-form.ts'
import type { SerializerCompiler, ValidatorCompiler } from '../schema/compiler-types.ts'
import { isGivenError } from '../errors/given-error.ts'
import { describe } from '../errors/describe.ts'
import { ignoreRejection, isThenable } from '../types/promises.ts'
import { type Callable, callAndWait, callHook, isHostHook, nodeify } from './application-hooks.ts'
import { setController } from './compilers.ts'
import { readNotFound, readShortcut } from './declare.ts'
import type { ServerContext } from './context-objects.ts'
import { earlyReads } from './early-reads.ts'
import type { Host } from './host.ts'
import { writeFailure } from './log.ts'
import {
  awaitable,
  changeableNode,
  lateNode,
  nodeOf,
  promised,
  serverOf,
  type ServerNode,
} from './node.ts'
import type { InitialConfig } from './options/initial-config.ts'
import { assertFormatter } from './options/rules.ts'
import { AnnouncedRoute } from './routing/announced-route.ts'
import { printContexts, type PrintRoutesOptions } from './routing/print.ts'
import type { InjectCallOptions } from './transport/inject.ts'
import { chainRequest, injectRequest, listenUntil, readListen } from './transport/node-only.ts'
import type { FetchFunction } from './types/fetch.ts'
import type { FoundRoute, RouteQuery } from './types/tools.ts'

/** The server of a context, as users hold it. It has no state: each method finds its node of the
 *  tree and delegates. `Server` is its type for users. */
export class ServerInstance {
  get prefix(): string {
    return nodeOf(this).context.prefix
  }

  get pluginName(): string {
    return nodeOf(this).context.pluginName
  }

  get log(): Logger {
    return nodeOf(this).host.log.logger
  }

  get childLoggerFactory(): ChildLoggerFactory {
    return nodeOf(this).context.resolve('childLoggerFactory') ?? defaultChildLoggerFactory
  }

  /** The version of Fastify whose plugins run here. */
  get version(): string {
    return '5.0.0'
  }

  /** For programs of Fastify. Here the types come from the schemas. */
  withTypeProvider(): this {
    return serverOf(this)
  }

  addSchema(...args: [unknown] | [string, unknown]): this {
    const { schemas } = changeableNode(this, 'addSchema').context
    if (args.length === 2) schemas.add(args[1], args[0])
    else schemas.add(args[0])
    return serverOf(this)
  }

  addResponses(...given: readonly unknown[]): this {
    const { host, context } = changeableNode(this, 'addResponses')
    for (const each of given) {
      const response = isErrorClass(each) ? { [each.statusCode]: each } : each
      const full = inFullForm({ response }, host.options.jsonShorthand)
      context.responses.add(full['response'], whoAdds(host, context))
    }
    return serverOf(this)
  }

  getSchema(id: string): unknown {
    return nodeOf(this).context.schemas.get(id)
  }

  getSchemas(): unknown {
    return nodeOf(this).context.schemas.shown()
  }

  setSchemaController(controller: unknown): this {
    setController(changeableNode(this, 'setSchemaController').context, controller)
    return serverOf(this)
  }

  decorate(...args: Decoration): this {
    addDecorator(lateNode(this, 'decorate'), 'server', args)
    return serverOf(this)
  }

  decorateRequest(...args: Decoration): this {
    addDecorator(changeableNode(this, 'decorateRequest'), 'request', args)
    return serverOf(this)
  }

  decorateReply(...args: Decoration): this {
    addDecorator(changeableNode(this, 'decorateReply'), 'reply', args)
    return serverOf(this)
  }

  hasDecorator(name: PropertyKey): boolean {
    return nodeOf(this).context.decorators.server.has(name)
  }

  hasRequestDecorator(name: PropertyKey): boolean {
    return nodeOf(this).context.decorators.request.has(name)
  }

  getDecorator(name: PropertyKey): unknown {
    return readDecorator(serverOf(this), 'server', name)
  }

  hasReplyDecorator(name: PropertyKey): boolean {
    return nodeOf(this).context.decorators.reply.has(name)
  }

  setValidatorCompiler(compiler: unknown): this {
    return set(this, 'validatorCompiler', compiler)
  }
  setSerializerCompiler(compiler: unknown): this {
    return set(this, 'serializerCompiler', compiler)
  }
  get validatorCompiler(): ValidatorCompiler | undefined {
    const { host, context } = nodeOf(this)
    const own = context.settingsWith('validatorCompiler', 'buildValidator').validatorCompiler
    return own ?? (host.isBooted ? nearestValidatorCompiler(context, host.compilers) : undefined)
  }
  get serializerCompiler(): SerializerCompiler | undefined {
    const { host, context } = nodeOf(this)
    const own = context.settingsWith('serializerCompiler', 'buildSerializer').serializerCompiler
    return (
      own ??
      (host.isBooted ? nearestSerializerCompiler(context, host.compilers, undefined) : undefined)
    )
  }
  setSchemaErrorFormatter(formatter: unknown): this {
    assertFormatter(formatter)
    return set(this, 'schemaErrorFormatter', formatter)
  }
  /** The error handler of this scope or of its nearest parent. The default one sends the error. */
  get errorHandler(): ErrorHandler {
    return nodeOf(this).context.resolve('errorHandler') ?? sendError
  }
  setErrorHandler(handler: unknown): this {
    const { host, context } = changeableNode(this, 'setErrorHandler')
    if (!host.options.allowErrorHandlerOverride && context.settings.errorHandler !== undefined) {
      throw new errorCodes.ESP_ERR_ERROR_HANDLER_ALREADY_SET(context.path)
    }
    return set(this, 'errorHandler', handler)
  }
  setChildLoggerFactory(factory: unknown): this {
    return set(this, 'childLoggerFactory', factory)
  }
  setReplySerializer(serializer: unknown): this {
    return set(this, 'replySerializer', serializer)
  }

  addHook(name: string, hook: unknown): this {
    const isOfRoutes = isRequestHook(name) || isScopeHook(name)
    const { host, context } = (isOfRoutes ? changeableNode : lateNode)(this, 'addHook')
    const checked = readHook(name, hook, context.path)
    const server = serverOf(this)
    const origin = originOfCall()
    if (isRequestHook(name) || isScopeHook(name)) {
      context.hooks.add(name, checked, whoAdds(host, context))
      if (isScopeHook(name)) host.announcer.expect(context)
    } else if (isHostHook(name)) {
      const timeout = host.options.pluginTimeout
      host.hooks.add(name, () => callHook({ name, context, timeout, origin }, checked, []))
    } else {
      host.boot.onClose(() => callHook({ name, context }, checked, [server]))
    }
    return server
  }

  derive(phase: string, hook: unknown): this {
    const { host, context } = changeableNode(this, 'derive')
    const checked = readHook(phase, hook, context.path)
    if (!isDerivePhase(phase)) {
      throw new errorCodes.ESP_ERR_DERIVE_PHASE(
        phase,
        context.path,
        suggestion(phase, derivePhases),
      )
    }
    if (checked.length > 2) throw new errorCodes.ESP_ERR_DERIVE_DONE(context.path)
    const place = whoAdds(host, context)
    context.hooks.add(phase, deriving(checked, context, place), place)
    return serverOf(this)
  }

  addContentTypeParser(types: unknown, ...rest: readonly unknown[]): this {
    const { path, parsers } = changeableNode(this, 'addContentTypeParser').context
    const server = serverOf(this)
    const [options, given] = typeof rest[0] === 'function' ? [undefined, rest[0]] : rest
    const parser = readParser(options, given, server, path)
    for (const type of listOf(types)) parsers.add(readTypes(type, path), parser)
    return server
  }

  hasContentTypeParser(type: unknown): boolean {
    const { path, parsers } = nodeOf(this).context
    return parsers.has(readTypes(type, path))
  }

  removeContentTypeParser(types: unknown): this {
    const { path, parsers } = changeableNode(this, 'removeContentTypeParser').context
    for (const type of listOf(types)) parsers.remove(readTypes(type, path))
    return serverOf(this)
  }

  removeAllContentTypeParsers(): this {
    changeableNode(this, 'removeAllContentTypeParsers').context.parsers.removeAll()
    return serverOf(this)
  }

  getDefaultJsonParser(
    onProtoPoisoning?: PoisoningAction,
    onConstructorPoisoning?: PoisoningAction,
  ): TextParser {
    return createJsonParser({ onProtoPoisoning, onConstructorPoisoning })
  }

  get defaultTextParser(): TextParser {
    return textParser
  }

  all(...args: unknown[]): this {
    return declareShortcut(this, nodeOf(this).host.methods.common(), args)
  }

  route(options: GivenRoute): this {
    const { host, context } = changeableNode(this, 'route')
    const { path, prefix } = context
    const rules = { ...host.routeRules, prefix }
    const read = (given: GivenRoute) => readRoute(given, path, rules)
    const { routing } = host.options
    // A copy, since the caller may change the options for its next route.
    const given = { ...options }
    host.announcer.add(new AnnouncedRoute({ given, context, read, routing }))
    return serverOf(this)
  }

  addRoutes(routes: readonly GivenRoute[]): this {
    const { context } = changeableNode(this, 'addRoutes')
    const isList: boolean = Array.isArray(routes)
    if (!isList) throw new errorCodes.ESP_ERR_ROUTE_LIST(context.path, describe(routes))
    for (const route of routes) this.route(route)
    return serverOf(this)
  }

  hasRoute(query: RouteQuery): boolean {
    return nodeOf(this).host.routes.has(query)
  }

  findRoute(query: RouteQuery): FoundRoute | null {
    return nodeOf(this).host.routes.find(query)
  }

  get supportedMethods(): string[] {
    return nodeOf(this).host.methods.all()
  }

  addHttpMethod(method: string, { hasBody = false }: { readonly hasBody?: boolean } = {}): this {
    const { host, context } = changeableNode(this, 'addHttpMethod')
    if (!METHODS.includes(method)) {
      throw new errorCodes.ESP_ERR_ROUTE_METHOD_INVALID(context.path, describe(method))
    }
    host.methods.add(method, hasBody)
    const name = method.toLowerCase()
    return name in this ? serverOf(this) : this.decorate(name, shortcutFor(method))
  }

  addConstraintStrategy(strategy: unknown): this {
    changeableNode(this, 'addConstraintStrategy').host.routes.addStrategy(strategy)
    return serverOf(this)
  }

  hasConstraintStrategy(name: string): boolean {
    return nodeOf(this).host.routes.hasStrategy(name)
  }

  /** A function that answers requests of Node. It does not need `this`. */
  get routing(): (request: IncomingMessage, response: ServerResponse) => void {
    const { host } = nodeOf(this)
    return (request, response) => {
      host.dispatch(request, response)
    }
  }

  /** A function that answers requests of the Fetch standard. It does not need `this`. */
  get fetch(): FetchFunction {
    return nodeOf(this).host.fetch
  }

  setNotFoundHandler(...args: readonly [unknown] | readonly [unknown, unknown]): this {
    const { host, context } = changeableNode(this, 'setNotFoundHandler')
    host.routes.declareNotFound(readNotFound(args, context.path, host.routeRules), context)
    return serverOf(this)
  }

  printRoutes(options: PrintRoutesOptions = {}): string {
    return nodeOf(this).host.routes.print(options)
  }

  printContexts(): string {
    const { context, host } = nodeOf(this)
    return printContexts(context, host.routes.registrations())
  }

  register(plugin: unknown, options?: unknown): this {
    const { host, context } = changeableNode(this, 'register')
    const given = host.dialect.boot.falsyIsNone ? options || undefined : options
    return load(this, { plugin, options: given, place: placeName(context.countPlugin()) })
  }

  after(callback?: Callable): this {
    const { host, context } = changeableNode(this, 'after')
    if (callback === undefined) return promised(this)
    const server = serverOf(this)
    host.boot.after((error, done) => {
      // A callback without parameters passes the error to the next callback.
      if (callback.length === 0) {
        const pass = (failure: unknown): void => {
          done(isGivenError(error) ? error : failure)
        }
        nodeify(callHook({ name: 'after', context }, callback, []), pass)
        return
      }
      const before = [error, server].slice(0, callback.length >= 3 ? 2 : 1)
      nodeify(callHook({ name: 'after', context }, callback, before), done)
    })
    return awaitable(this)
  }

  ready(callback?: Callable): Promise<this> | this {
    const server = serverOf(this)
    const { host } = nodeOf(this)
    if (callback === undefined) return host.ready(originOfCall()).then(() => server)
    const hasServer = host.dialect.boot.readyGivesServer || callback.length >= 3
    const call = (error: unknown): Promise<void> =>
      callAndWait(callback, hasServer ? [error, server] : [error], server)
    // While plugins are loading, the callback waits for them alone.
    if (!host.whenLoaded(call)) nodeify(host.ready(originOfCall()), (error) => void call(error))
    return server
  }

  /** Adds a function to call on close: `(server, done)`, or async. The last one is called first. */
  onClose(callback: Callable): this {
    const { host, context } = nodeOf(this)
    const server = serverOf(this)
    host.boot.onClose(() => callHook({ name: 'onClose', context }, callback, [server]))
    return server
  }

  hasPlugin(name: string): boolean {
    return nodeOf(this).context.hasPlugin(name)
  }

  printPlugins(): string {
    return nodeOf(this).host.boot.print()
  }

  get server(): HttpServer {
    return nodeOf(this).host.http
  }

  listen(...args: unknown[]): Promise<string> | this {
    const { host } = nodeOf(this)
    const [options, callback] = readListen<Callback>(args, host.dialect)
    const { signal, listenTextResolver: toText = (at: string) => `Server listening at ${at}` } =
      options
    const listening = listenUntil(host, options, originOfCall()).then((address) => {
      const { log } = this
      if (address === undefined || signal?.aborted === true) return address
      const tell = (toLine: () => string): void =>
        guard(() => Reflect.apply(log.info, log, [toLine()]), writeFailure)
      tell(() => toText(address))
      // A Unix socket has no URL.
      const pages = options.path === undefined ? host.pages : []
      for (const page of pages) tell(() => `Documentation at ${address}${page}`)
      return address
    })
    if (callback === undefined) return listening.then((address = '') => address)
    nodeify(listening, (error, address) => {
      const isOver = signal?.aborted === true || (error === null && address === undefined)
      if (!isOver) callback(error, address ?? null)
    })
    return serverOf(this)
  }

  addresses(): (AddressInfo | string)[] {
    return nodeOf(this).host.transport.addresses()
  }

  get listeningOrigin(): string {
    return nodeOf(this).host.transport.origin
  }

  get initialConfig(): InitialConfig {
    return nodeOf(this).host.options.initialConfig
  }

  get genReqId(): GenerateId {
    const { host, context } = nodeOf(this)
    return context.resolve('genReqId') ?? host.options.requestIds.generate
  }

  setGenReqId(generate: unknown): this {
    const { host, context } = changeableNode(this, 'setGenReqId')
    if (!isGenerator(generate)) {
      throw new errorCodes.ESP_ERR_FUNCTION_EXPECTED('genReqId', context.path, describe(generate))
    }
    context.settings.genReqId = idFromHeader(host.options.requestIds.header, generate)
    return serverOf(this)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await nodeOf(this).host.close()
  }

  /** Sends a request without a socket. It may call back. Without a target it returns the request
   *  builder of light-my-request. */
  inject(
    target?: string | InjectOptions,
    input?: RouteInput | Callback,
    options?: InjectCallOptions,
  ): unknown {
    const { host } = nodeOf(this)
    if (target === undefined)
      return chainRequest((...exchange) => host.dispatchWhenReady(...exchange))
    if (typeof input !== 'function') return sendInjected(host, target, input, options)
    const answered = sendInjected(host, target).catch((error: unknown) => {
      throw host.dialect.errors.show(error)
    })
    nodeify(answered, input)
    return undefined
  }

  close(callback?: Callback): Promise<void> | this {
    const closed = nodeOf(this).host.close()
    if (callback === undefined) return closed
    nodeify(closed, callback)
    return serverOf(this)
  }
}

function set<Self extends ServerInstance>(server: Self, key: keyof Settings, value: unknown): Self {
  const { context } = changeableNode(server, `set${key.charAt(0).toUpperCase()}${key.slice(1)}`)
  if (typeof value !== 'function') {
    throw new errorCodes.ESP_ERR_FUNCTION_EXPECTED(key, context.path, describe(value))
  }
  Object.assign(context.settings, { [key]: value })
  return serverOf(server)
}

/** The name of what adds to a context, for error messages. */
function whoAdds({ boot: { loading } }: Host, { path }: ServerContext): string {
  return loading === undefined || loading === path ? path : `${path}, by the plugin '${loading}'`
}

type Decoration = readonly [
  name: PropertyKey,
  value?: unknown,
  dependencies?: readonly PropertyKey[],
]

function addDecorator(
  { host, context }: ServerNode,
  kind: DecoratorKind,
  [name, value, dependencies]: Decoration,
): void {
  const { isForeign } = host.boot
  context.decorators[kind].add(name, value, { dependencies, isForeign })
}

/** Leaves an error to the next error handler, or to the default answer. */
function sendError(error: unknown, _request: Request, reply: SendingReply): SendingReply {
  return reply.send(error)
}

function listOf(types: unknown): readonly unknown[] {
  return Array.isArray(types) ? types : [types]
}

/** The method that declares a route of one HTTP method, such as `get`. */
export function shortcutFor(method: string) {
  return function <Self extends ServerInstance>(this: Self, ...args: unknown[]): Self {
    return declareShortcut(this, [method], args)
  }
}

Object.setPrototypeOf(ServerInstance.prototype, earlyReads)

for (const method of [...standardMethods, 'TRACE']) {
  const shortcut = { configurable: true, writable: true, value: shortcutFor(method) }
  Object.defineProperty(ServerInstance.prototype, method.toLowerCase(), shortcut)
}
callMethodsAtBoot(ServerInstance.prototype)

function declareShortcut<Self extends ServerInstance>(
  server: Self,
  method: readonly string[],
  args: readonly unknown[],
): Self {
  const name = method.length > 1 ? 'all' : String(method[0]).toLowerCase()
  const { context } = changeableNode(server, name)
  return server.route(readShortcut(name, method, args, context.path))
}

interface Registered {
  readonly plugin: unknown
  readonly options: unknown
  /** The name in messages for a plugin without a name. */
  readonly place: string
}

function load<Self extends ServerInstance>(server: Self, registered: Registered): Self {
  const { plugin: given, options, place } = registered
  const { host, context } = changeableNode(server, 'register')
  if (isThenable(given)) {
    host.boot.use(context, { plugin: deferred(given, registered), name: place }, undefined)
  } else {
    const plugin = readPlugin(given, context.path, place)
    callWhenRegistered(plugin, serverOf(server))
    host.boot.use(context, { plugin, name: nameOf(plugin) ?? place }, options)
  }
  return awaitable(server)
}

/** A plugin that registers another one when its import has ended. It is shared, so the imported
 *  plugin decides whether it is encapsulated. */
function deferred(plugin: PromiseLike<unknown>, registered: Registered): PluginFunction {
  ignoreRejection(plugin)
  async function imported(server: ServerInstance): Promise<ServerInstance> {
    return load(server, { ...registered, plugin: await plugin })
  }
  return markShared(imported)
}

type Callback = (error: unknown, value?: unknown) => void

async function sendInjected(
  host: Host,
  target: string | InjectOptions,
  input?: RouteInput,
  options?: InjectCallOptions,
): Promise<unknown> {
  await host.compiled()
  if (host.isClosing) throw new errorCodes.ESP_ERR_REOPENED_CLOSE_SERVER('inject')
  return injectRequest((...exchange) => host.dispatch(...exchange), target, input, options)
}

function isGenerator(value: unknown): value is GenerateId {
  return typeof value === 'function'
}
