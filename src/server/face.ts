import type { AddressInfo } from 'node:net'
import type { Server as HttpServer } from 'node:http'
import type { InjectOptions, Response } from 'light-my-request'
import { errorCodes } from '../errors/codes.ts'
import { silentLogger, type Logger } from '../http/logger.ts'
import { standardMethods } from '../http/methods.ts'
import { describe, isThenable } from '../schema/values.ts'
import type { Settings } from '../context/context.ts'
import { readDecorator } from '../context/decorated.ts'
import { isRequestHook, readHook } from '../context/hooks.ts'
import { markShared, readPlugin, type PluginFunction } from '../plugin/plugin.ts'
import { readRoute, type GivenRoute } from '../route/declaration.ts'
import { callAndWait, callHook, tell, type Callable } from '../plugin/callbacks.ts'
import type { RouteInput } from '../http/route-call.ts'
import { injectRequest } from './transport/inject.ts'
import type { ListenOptions } from './transport/listen.ts'
import { readNotFound, readShortcut } from './declare.ts'
import { deriving, derivePhases, isDerivePhase } from '../context/derive.ts'
import { printContexts } from './print.ts'
import { awaitable, open, plain, seatOf } from './seat.ts'

type Callback = (error: unknown, value?: unknown) => void

/** The public face of a context. It has no state of its own: each method finds its node and
 *  delegates. The types that users see are in `Server`. */
export class ServerFace {
  get prefix(): string {
    return seatOf(this).context.prefix
  }

  /** Node's own server. */
  get server(): HttpServer {
    return seatOf(this).host.http
  }

  get log(): Logger {
    return silentLogger
  }

  /** The version of Fastify whose plugins run here. */
  get version(): string {
    return '5.0.0'
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
  all(...args: unknown[]): this {
    return declareShortcut(this, standardMethods, args)
  }

  route(options: GivenRoute): this {
    const { host, context } = open(this, 'route')
    host.routes.declare(readRoute(options, context.path), context)
    return plain(this)
  }

  hasRoute({ method, url }: { readonly method: string; readonly url: string }): boolean {
    return seatOf(this).host.routes.has(method.toUpperCase(), url)
  }

  addSchema(...args: [unknown] | [string, unknown]): this {
    const { schemas } = open(this, 'addSchema').context
    if (args.length === 2) schemas.add(args[1], args[0])
    else schemas.add(args[0])
    return plain(this)
  }

  getSchema(id: string): unknown {
    return seatOf(this).context.schemas.get(id)
  }

  getSchemas(): Readonly<Record<string, unknown>> {
    return seatOf(this).context.schemas.all()
  }

  decorate(name: PropertyKey, value?: unknown, dependencies?: readonly string[]): this {
    open(this, 'decorate').context.decorators.server.add(name, value, dependencies)
    return plain(this)
  }

  decorateRequest(name: PropertyKey, value?: unknown, dependencies?: readonly string[]): this {
    open(this, 'decorateRequest').context.decorators.request.add(name, value, dependencies)
    return plain(this)
  }

  decorateReply(name: PropertyKey, value?: unknown, dependencies?: readonly string[]): this {
    open(this, 'decorateReply').context.decorators.reply.add(name, value, dependencies)
    return plain(this)
  }

  hasDecorator(name: PropertyKey): boolean {
    return seatOf(this).context.decorators.server.has(name)
  }

  hasRequestDecorator(name: PropertyKey): boolean {
    return seatOf(this).context.decorators.request.has(name)
  }

  getDecorator(name: PropertyKey): unknown {
    return readDecorator(plain(this), 'server', name)
  }

  hasReplyDecorator(name: PropertyKey): boolean {
    return seatOf(this).context.decorators.reply.has(name)
  }

  addHook(name: string, hook: unknown): this {
    const { host, context } = open(this, 'addHook')
    const checked = readHook(name, hook, context.path)
    const server = plain(this)
    if (isRequestHook(name)) {
      context.hooks.add(name, checked)
    } else if (name === 'onReady') {
      const timeout = host.options.pluginTimeout
      host.onReadyHooks.push(() => callHook({ name, context, timeout }, checked, []))
    } else {
      host.boot.onClose(() => callHook({ name, context }, checked, [server]))
    }
    return server
  }

  derive(phase: string, hook: unknown): this {
    const { context } = open(this, 'derive')
    const checked = readHook(phase, hook, context.path)
    if (!isDerivePhase(phase)) {
      throw new errorCodes.ESP_ERR_DERIVE_PHASE(phase, context.path, derivePhases.join(', '))
    }
    if (checked.length > 2) throw new errorCodes.ESP_ERR_DERIVE_DONE(context.path)
    context.hooks.add(phase, deriving(checked, context.path))
    return plain(this)
  }

  setValidatorCompiler(compiler: unknown): this {
    return set(this, 'validatorCompiler', compiler)
  }
  setSerializerCompiler(compiler: unknown): this {
    return set(this, 'serializerCompiler', compiler)
  }
  setSchemaErrorFormatter(formatter: unknown): this {
    return set(this, 'schemaErrorFormatter', formatter)
  }
  setErrorHandler(handler: unknown): this {
    return set(this, 'errorHandler', handler)
  }
  setReplySerializer(serializer: unknown): this {
    return set(this, 'replySerializer', serializer)
  }

  setNotFoundHandler(...args: readonly [unknown] | readonly [unknown, unknown]): this {
    const { host, context } = open(this, 'setNotFoundHandler')
    host.routes.declareNotFound(readNotFound(args, context.path), context)
    return plain(this)
  }

  register(plugin: unknown, options?: unknown): this {
    const { host, context } = open(this, 'register')
    const load = isThenable(plugin) ? deferred(plugin, options) : readPlugin(plugin, context.path)
    host.boot.use(context, load, isThenable(plugin) ? undefined : options)
    return awaitable(this)
  }

  after(callback?: Callable): this {
    const { host, context } = open(this, 'after')
    if (callback !== undefined) {
      const server = plain(this)
      host.boot.after((error, done) => {
        // A callback that takes no error leaves it to the next that does.
        if (callback.length === 0 && isPresent(error)) {
          done(error)
          return
        }
        const before = [error, server].slice(0, callback.length >= 3 ? 2 : 1)
        tell(callHook({ name: 'after', context }, callback, before), done)
      })
    }
    return awaitable(this)
  }

  ready(callback?: Callable): Promise<this> | this {
    const server = plain(this)
    const ready = seatOf(this)
      .host.ready()
      .then(() => server)
    if (callback === undefined) return ready
    tell(ready, (error) => void callAndWait(callback, [error], server))
    return server
  }

  listen(options: ListenOptions = {}, callback?: Callback): Promise<string> | this {
    const { host } = seatOf(this)
    const listening = host.listen(options)
    if (callback === undefined) return listening
    tell(listening, callback)
    return plain(this)
  }

  addresses(): AddressInfo[] {
    const address = seatOf(this).host.http.address()
    return address === null || typeof address === 'string' ? [] : [address]
  }

  async inject(target: string | InjectOptions, input?: RouteInput): Promise<Response> {
    const { host } = seatOf(this)
    await host.compiled()
    if (host.isClosing) throw new errorCodes.ESP_ERR_REOPENED_CLOSE_SERVER('inject')
    return injectRequest((request, response) => host.dispatch(request, response), target, input)
  }

  close(callback?: Callback): Promise<void> | this {
    const closed = seatOf(this).host.close()
    if (callback === undefined) return closed
    tell(closed, callback)
    return plain(this)
  }

  printRoutes(): string {
    return seatOf(this).host.routes.print()
  }

  hasPlugin(name: string): boolean {
    return seatOf(this).context.hasPlugin(name)
  }

  /** The plugins as text: a tree, with the time that each took to load. */
  printPlugins(): string {
    return seatOf(this).host.boot.print()
  }

  printContexts(): string {
    const { context, host } = seatOf(this)
    return printContexts(context, host.routes.seats())
  }
}

function declareShortcut<Face extends ServerFace>(
  server: Face,
  method: readonly string[],
  args: readonly unknown[],
): Face {
  const name = method.length > 1 ? 'all' : String(method[0]).toLowerCase()
  const { context } = open(server, name)
  return server.route(readShortcut(name, method, args, context.path))
}

function set<Face extends ServerFace>(server: Face, key: keyof Settings, value: unknown): Face {
  const { context } = open(server, `set${key.charAt(0).toUpperCase()}${key.slice(1)}`)
  if (typeof value !== 'function') {
    throw new errorCodes.ESP_ERR_FUNCTION_EXPECTED(key, context.path, describe(value))
  }
  Object.assign(context.settings, { [key]: value })
  return plain(server)
}

/** A plugin that is still being imported. It is shared, so that the plugin it stands for decides
 *  whether it is encapsulated. */
function deferred(plugin: PromiseLike<unknown>, options: unknown): PluginFunction {
  // A rejection before its turn comes is no unhandled one.
  plugin.then(undefined, () => undefined)
  async function imported(server: ServerFace): Promise<ServerFace> {
    const loaded = await plugin
    return server.register(loaded, options)
  }
  return markShared(imported as PluginFunction)
}

function isPresent(error: unknown): boolean {
  return error !== undefined && error !== null
}
