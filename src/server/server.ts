import { errorCodes } from '../errors/codes.ts'
import { type ChildLoggerFactory, defaultChildLoggerFactory, type Logger } from '../http/logger.ts'
import { describe, ignoreRejection, isThenable } from '../schema/values.ts'
import type { AnyErrorHandler, Settings } from '../context/context.ts'
import { readDecorator } from '../context/decorators.ts'
import type { Reply } from '../lifecycle/reply.ts'
import type { Request } from '../lifecycle/request.ts'
import { nearestSerializerCompiler, nearestValidatorCompiler } from '../route/schemas/compiler.ts'
import type { SerializerCompiler, ValidatorCompiler } from '../schema/compiler-types.ts'
import { assertFormatter } from './options/formatter.ts'
import { setController } from './boot/compilers.ts'
import { awaitable, nodeOf, open, openLate, plain, promised } from './node.ts'
import { derivePhases, deriving, isDerivePhase } from '../context/derive.ts'
import { isRequestHook, isScopeHook, readHook } from '../context/hooks.ts'
import { type Callable, callAndWait, callHook, tell } from '../plugin/callbacks.ts'
import { isHostHook } from './boot/application-hooks.ts'
import {
  createJsonParser,
  type PoisoningAction,
  textParser,
  type TextParser,
} from '../context/default-parsers.ts'
import { readParser, readTypes } from '../context/content-type-parsers.ts'
import {
  type IncomingMessage,
  METHODS,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http'
import { type GivenRoute, readRoute } from '../route/declaration.ts'
import { readNotFound, readShortcut } from './declare.ts'
import { announceRoute } from './boot/on-route.ts'
import { printContexts, type PrintRoutesOptions } from './routing/print.ts'
import type { FoundRoute, RouteQuery } from './routing/found-route.ts'
import { markShared, nameOf, placeName, type PluginFunction, readPlugin } from '../plugin/plugin.ts'
import type { AddressInfo } from 'node:net'
import type { InjectOptions, Response } from 'light-my-request'
import type { RouteInput } from '../http/route-call.ts'
import { type GenerateId, idFromHeader } from '../lifecycle/request-id.ts'
import type { Host } from './host.ts'
import type { InitialConfig } from './options/initial-config.ts'
import { guard } from '../lifecycle/log/guard.ts'
import { writeFailure } from './logging/host-log.ts'
import { listenUntil, readListen } from './transport/listen.ts'
import { chainRequest, injectRequest } from './transport/inject.ts'
import type { InjectCallOptions } from './transport/inject-call-options.ts'

/** The server of a context: what a plugin, and who made the root, holds. It has no state of its own:
 *  each method finds its node of the tree and delegates. What users see of it is typed by `Server`. */
export class ServerInstance {
  get prefix(): string {
    return nodeOf(this).context.prefix
  }

  /** The plugin that this scope was opened for, and the shared plugins that ran in it. */
  get pluginName(): string {
    return nodeOf(this).context.pluginName
  }

  get log(): Logger {
    return nodeOf(this).host.log.logger
  }

  /** What makes the loggers of this scope's requests. */
  get childLoggerFactory(): ChildLoggerFactory {
    return nodeOf(this).context.resolve('childLoggerFactory') ?? defaultChildLoggerFactory
  }

  /** The version of Fastify whose plugins run here. */
  get version(): string {
    return '5.0.0'
  }

  /** For programs of Fastify: types come of the schemas here. */
  withTypeProvider(): this {
    return plain(this)
  }

  addSchema(...args: [unknown] | [string, unknown]): this {
    const { schemas } = open(this, 'addSchema').context
    if (args.length === 2) schemas.add(args[1], args[0])
    else schemas.add(args[0])
    return plain(this)
  }

  getSchema(id: string): unknown {
    return nodeOf(this).context.schemas.get(id)
  }

  getSchemas(): unknown {
    return nodeOf(this).context.schemas.shown()
  }

  setSchemaController(controller: unknown): this {
    setController(open(this, 'setSchemaController').context, controller)
    return plain(this)
  }

  decorate(name: PropertyKey, value?: unknown, dependencies?: readonly PropertyKey[]): this {
    openLate(this, 'decorate').context.decorators.server.add(name, value, dependencies)
    return plain(this)
  }

  decorateRequest(name: PropertyKey, value?: unknown, dependencies?: readonly PropertyKey[]): this {
    open(this, 'decorateRequest').context.decorators.request.add(name, value, dependencies)
    return plain(this)
  }

  decorateReply(name: PropertyKey, value?: unknown, dependencies?: readonly PropertyKey[]): this {
    open(this, 'decorateReply').context.decorators.reply.add(name, value, dependencies)
    return plain(this)
  }

  hasDecorator(name: PropertyKey): boolean {
    return nodeOf(this).context.decorators.server.has(name)
  }

  hasRequestDecorator(name: PropertyKey): boolean {
    return nodeOf(this).context.decorators.request.has(name)
  }

  getDecorator(name: PropertyKey): unknown {
    return readDecorator(plain(this), 'server', name)
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
  /** The compiler of this scope: undefined until all plugins have loaded, unless one is set. */
  get validatorCompiler(): ValidatorCompiler | undefined {
    const { host, context } = nodeOf(this)
    const own = context.settingsWith('validatorCompiler', 'buildValidator').validatorCompiler
    return own ?? (host.isBooted ? nearestValidatorCompiler(context, host.compilers) : undefined)
  }
  get serializerCompiler(): SerializerCompiler | undefined {
    const { host, context } = nodeOf(this)
    const own = context.settingsWith('serializerCompiler', 'buildSerializer').serializerCompiler
    return own ?? (host.isBooted ? nearestSerializerCompiler(context, host.compilers) : undefined)
  }
  setSchemaErrorFormatter(formatter: unknown): this {
    assertFormatter(formatter)
    return set(this, 'schemaErrorFormatter', formatter)
  }
  /** The error handler of this scope, or of the nearest around; where none is set, one that leaves the
   *  error to the reply. */
  get errorHandler(): AnyErrorHandler {
    return nodeOf(this).context.resolve('errorHandler') ?? sendError
  }
  setErrorHandler(handler: unknown): this {
    const { host, context } = open(this, 'setErrorHandler')
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
    const { host, context } = (isOfRoutes ? open : openLate)(this, 'addHook')
    const checked = readHook(name, hook, context.path)
    const server = plain(this)
    if (isRequestHook(name) || isScopeHook(name)) {
      context.hooks.add(name, checked)
    } else if (isHostHook(name)) {
      const timeout = host.options.pluginTimeout
      host.hooks.add(name, () => callHook({ name, context, timeout }, checked, []))
    } else {
      host.boot.onClose(() => callHook({ name, context }, checked, [server]))
    }
    return server
  }

  derive(phase: string, hook: unknown): this {
    const { host, context } = open(this, 'derive')
    const checked = readHook(phase, hook, context.path)
    if (!isDerivePhase(phase)) {
      throw new errorCodes.ESP_ERR_DERIVE_PHASE(phase, context.path, derivePhases.join(', '))
    }
    if (checked.length > 2) throw new errorCodes.ESP_ERR_DERIVE_DONE(context.path)
    const plugin = host.boot.loading
    const isOwn = plugin === undefined || plugin === context.path
    const place = isOwn ? context.path : `${context.path}, by the plugin '${plugin}'`
    context.hooks.add(phase, deriving(checked, context, place))
    return plain(this)
  }

  addContentTypeParser(types: unknown, ...rest: readonly unknown[]): this {
    const { path, parsers } = open(this, 'addContentTypeParser').context
    const server = plain(this)
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
    const { path, parsers } = open(this, 'removeContentTypeParser').context
    for (const type of listOf(types)) parsers.remove(readTypes(type, path))
    return plain(this)
  }

  removeAllContentTypeParsers(): this {
    open(this, 'removeAllContentTypeParsers').context.parsers.removeAll()
    return plain(this)
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

  get(...args: unknown[]): this {
    return declareShortcut(this, ['GET'], args)
  }
  head(...args: unknown[]): this {
    return declareShortcut(this, ['HEAD'], args)
  }
  post(...args: unknown[]): this {
    return declareShortcut(this, ['POST'], args)
  }
  put(...args: unknown[]): this {
    return declareShortcut(this, ['PUT'], args)
  }
  patch(...args: unknown[]): this {
    return declareShortcut(this, ['PATCH'], args)
  }
  delete(...args: unknown[]): this {
    return declareShortcut(this, ['DELETE'], args)
  }
  options(...args: unknown[]): this {
    return declareShortcut(this, ['OPTIONS'], args)
  }
  trace(...args: unknown[]): this {
    return declareShortcut(this, ['TRACE'], args)
  }
  all(...args: unknown[]): this {
    return declareShortcut(this, nodeOf(this).host.methods.common(), args)
  }

  route(options: GivenRoute): this {
    const { host, context } = open(this, 'route')
    const { path, prefix } = context
    const rules = { ...host.routeRules, prefix }
    const read = (given: GivenRoute) => readRoute(given, path, rules)
    const route = announceRoute(options, context, read, host.options.routing)
    host.routes.declare(route.declaration, context, () => route.head())
    return plain(this)
  }

  addRoutes(routes: readonly GivenRoute[]): this {
    const { context } = open(this, 'addRoutes')
    const isList: boolean = Array.isArray(routes)
    if (!isList) throw new errorCodes.ESP_ERR_ROUTE_LIST(context.path, describe(routes))
    for (const route of routes) this.route(route)
    return plain(this)
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
    const { host, context } = open(this, 'addHttpMethod')
    if (!METHODS.includes(method)) {
      throw new errorCodes.ESP_ERR_ROUTE_METHOD_INVALID(context.path, describe(method))
    }
    host.methods.add(method, hasBody)
    const name = method.toLowerCase()
    if (name in this) return plain(this)
    return this.decorate(name, function (this: ServerInstance, ...args: unknown[]) {
      return declareShortcut(this, [method], args)
    })
  }

  addConstraintStrategy(strategy: unknown): this {
    open(this, 'addConstraintStrategy').host.routes.addStrategy(strategy)
    return plain(this)
  }

  hasConstraintStrategy(name: string): boolean {
    return nodeOf(this).host.routes.hasStrategy(name)
  }

  /** Answers a request of Node as the server itself does. It can be handed on without its server. */
  get routing(): (request: IncomingMessage, response: ServerResponse) => void {
    const { host } = nodeOf(this)
    return (request, response) => {
      host.dispatch(request, response)
    }
  }

  setNotFoundHandler(...args: readonly [unknown] | readonly [unknown, unknown]): this {
    const { host, context } = open(this, 'setNotFoundHandler')
    host.routes.declareNotFound(readNotFound(args, context.path, host.routeRules), context)
    return plain(this)
  }

  printRoutes(options: PrintRoutesOptions = {}): string {
    return nodeOf(this).host.routes.print(options)
  }

  printContexts(): string {
    const { context, host } = nodeOf(this)
    return printContexts(context, host.routes.registrations())
  }

  register(plugin: unknown, options?: unknown): this {
    const { host, context } = open(this, 'register')
    const given = host.dialect.boot.falsyIsNone ? options || undefined : options
    return load(this, { plugin, options: given, place: placeName(context.countPlugin()) })
  }

  after(callback?: Callable): this {
    const { host, context } = open(this, 'after')
    if (callback === undefined) return promised(this)
    const server = plain(this)
    host.boot.after((error, done) => {
      // A callback that takes no error leaves it to the next that does.
      if (callback.length === 0) {
        const pass = (failure: unknown): void => {
          done(isPresent(error) ? error : failure)
        }
        tell(callHook({ name: 'after', context }, callback, []), pass)
        return
      }
      const before = [error, server].slice(0, callback.length >= 3 ? 2 : 1)
      tell(callHook({ name: 'after', context }, callback, before), done)
    })
    return awaitable(this)
  }

  ready(callback?: Callable): Promise<this> | this {
    const server = plain(this)
    const { host } = nodeOf(this)
    if (callback === undefined) return host.ready().then(() => server)
    const hasServer = host.dialect.boot.readyGivesServer || callback.length >= 3
    const call = (error: unknown): Promise<void> =>
      callAndWait(callback, hasServer ? [error, server] : [error], server)
    // While plugins load, it asks for their end.
    if (!host.whenLoaded(call)) tell(host.ready(), (error) => void call(error))
    return server
  }

  /** Adds what is done on close: `(server, done)`, or async. The last added is called first. */
  onClose(callback: Callable): this {
    const { host, context } = nodeOf(this)
    const server = plain(this)
    host.boot.onClose(() => callHook({ name: 'onClose', context }, callback, [server]))
    return server
  }

  hasPlugin(name: string): boolean {
    return nodeOf(this).context.hasPlugin(name)
  }

  /** The plugins as text: a tree, with the time that each took to load. */
  printPlugins(): string {
    return nodeOf(this).host.boot.print()
  }

  /** Node's own server. */
  get server(): HttpServer {
    return nodeOf(this).host.http
  }

  listen(...args: unknown[]): Promise<string> | this {
    const { host } = nodeOf(this)
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
    return nodeOf(this).host.transport.addresses()
  }

  get listeningOrigin(): string {
    return nodeOf(this).host.transport.origin
  }

  get initialConfig(): InitialConfig {
    return nodeOf(this).host.options.initialConfig
  }

  /** Makes the ids of requests of this scope. */
  get genReqId(): GenerateId {
    const { host, context } = nodeOf(this)
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
    await nodeOf(this).host.close()
  }

  /** Sends a request without a socket. With a callback, that is called; without a target, gives what builds a
   *  request by calls, as light-my-request has it. */
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
    tell(answered, input)
    return undefined
  }

  close(callback?: Callback): Promise<void> | this {
    const closed = nodeOf(this).host.close()
    if (callback === undefined) return closed
    tell(closed, callback)
    return plain(this)
  }
}

function set<Self extends ServerInstance>(server: Self, key: keyof Settings, value: unknown): Self {
  const { context } = open(server, `set${key.charAt(0).toUpperCase()}${key.slice(1)}`)
  if (typeof value !== 'function') {
    throw new errorCodes.ESP_ERR_FUNCTION_EXPECTED(key, context.path, describe(value))
  }
  Object.assign(context.settings, { [key]: value })
  return plain(server)
}

/** Leaves an error to what answers one that is sent: the next error handler, or the default answer. */
function sendError(error: unknown, _request: Request, reply: Reply): Reply {
  return reply.send(error)
}

function listOf(types: unknown): readonly unknown[] {
  return Array.isArray(types) ? types : [types]
}

export function declareShortcut<Self extends ServerInstance>(
  server: Self,
  method: readonly string[],
  args: readonly unknown[],
): Self {
  const name = method.length > 1 ? 'all' : String(method[0]).toLowerCase()
  const { context } = open(server, name)
  return server.route(readShortcut(name, method, args, context.path))
}

interface Registered {
  readonly plugin: unknown
  readonly options: unknown
  /** What messages call it where it has no name. */
  readonly place: string
}

function load<Self extends ServerInstance>(server: Self, registered: Registered): Self {
  const { plugin: given, options, place } = registered
  const { host, context } = open(server, 'register')
  if (isThenable(given)) {
    host.boot.use(context, { plugin: deferred(given, registered), name: place }, undefined)
  } else {
    const plugin = readPlugin(given, context.path, place)
    host.boot.use(context, { plugin, name: nameOf(plugin) ?? place }, options)
  }
  return awaitable(server)
}

/** A plugin that is still being imported. It is shared, so that the plugin it stands for decides
 *  whether it is encapsulated. */
function deferred(plugin: PromiseLike<unknown>, registered: Registered): PluginFunction {
  ignoreRejection(plugin)
  async function imported(server: ServerInstance): Promise<ServerInstance> {
    return load(server, { ...registered, plugin: await plugin })
  }
  return markShared(imported)
}

function isPresent(error: unknown): boolean {
  return error !== undefined && error !== null
}

type Callback = (error: unknown, value?: unknown) => void

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
