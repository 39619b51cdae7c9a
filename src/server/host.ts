import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { errorCodes } from '../errors/codes.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { Methods } from '../http/methods.ts'
import { Context } from '../context/context.ts'
import { addDefaultParsers } from '../context/default-parsers.ts'
import { type BootPorts, BootQueue, type NamedPlugin } from '../plugin/boot.ts'
import { isShared, nameOf, shownName } from '../plugin/plugin.ts'
import type { CompileOptions } from '../route/compile.ts'
import type { RouteRules } from '../route/declaration.ts'
import { guard } from '../lifecycle/log/guard.ts'
import type { ServerLog } from '../lifecycle/log/route-log.ts'
import { isThenable, withoutFalsy } from '../schema/values.ts'
import type { DefaultCompilers } from '../route/schemas/compiler.ts'
import { type RootClasses, type ServerContext, ServerObjects } from './context-objects.ts'
import type { NormalizedOptions } from './options.ts'
import { createServerLog } from './logging/create-logger.ts'
import {
  applyLogOptions,
  logClientErrors,
  reportFailure,
  writeFailure,
} from './logging/host-log.ts'
import { ApplicationHooks } from './boot/application-hooks.ts'
import { createCompilers, setController } from './boot/compilers.ts'
import { createProxiedRequest } from '../lifecycle/proxied-request.ts'
import { Request } from '../lifecycle/request.ts'
import {
  answerClientError,
  hasTwoHosts,
  highestVersion,
  refuseClosing,
  refuseFailed,
  refuseHosts,
  refuseVersion,
  tellClosing,
} from './transport/refusals.ts'
import { adaptHttp2 } from './transport/http2-exchange.ts'
import { noteQueued } from './transport/idle-connections.ts'
import type { ListenOptions } from './transport/listen.ts'
import { Transport } from './transport/transport.ts'
import { Routes } from './routes.ts'
import { readPrefix, rewriteUrl } from './routing/urls.ts'
import { checkMetadata, metadataOf } from '../plugin/metadata.ts'

type OnLoaded = (error: unknown) => Promise<void>

/** What all contexts of a server have in common: its options, its routes, its boot and its socket. */
export class Host {
  readonly options: NormalizedOptions
  readonly dialect: Dialect
  readonly log: ServerLog
  readonly routes: Routes
  readonly methods: Methods
  readonly root: ServerContext
  readonly boot: BootQueue<ServerContext>
  readonly transport: Transport
  readonly compilers: DefaultCompilers
  readonly hooks: ApplicationHooks = new ApplicationHooks()
  #ready: Promise<void> | undefined
  #closed: Promise<void> | undefined
  #loaded: Promise<void> | undefined
  /** Whether the plugins have had their turn. */
  #isLoaded = false
  #isBooted = false
  readonly #onLoaded: OnLoaded[] = []
  readonly #highestVersion: number
  /** Whether the onReady hooks are running: requests can be answered then. */
  #runsOnReady = false
  #listening: Promise<string> | undefined

  /** @param enter called with each new context and its server */
  constructor(
    rootServer: object,
    options: NormalizedOptions,
    classes: RootClasses,
    enter: (context: ServerContext, host: Host) => void,
  ) {
    this.options = options
    this.dialect = options.dialect
    this.methods = new Methods(options.dialect.methods)
    this.log = createServerLog(options.logging)
    this.#highestVersion = highestVersion(options.transport)
    this.routes = new Routes(options)
    this.root = Context.root(rootObjects(rootServer, options, classes), '')
    addDefaultParsers(this.root.parsers, options)
    this.compilers = createCompilers(options, this.methods)
    const { schemaController, schemaErrorFormatter } = options
    if (schemaController !== undefined) setController(this.root, schemaController)
    if (schemaErrorFormatter !== undefined) {
      this.root.settings.schemaErrorFormatter = schemaErrorFormatter
    }
    this.transport = new Transport(options.transport, (request, response) => {
      this.dispatch(request, response)
    })
    this.#answerClientErrors(rootServer)
    logClientErrors(this.http, this.log)
    const { childLoggerFactory } = options.logging
    if (childLoggerFactory !== undefined) this.root.settings.childLoggerFactory = childLoggerFactory
    this.boot = new BootQueue(this.root, options.pluginTimeout, this.#bootPorts(enter))
    enter(this.root, this)
  }

  /** Answers what is no HTTP, as the user's function does where there is one. */
  #answerClientErrors(server: object): void {
    const { clientErrorHandler } = this.options.transport
    this.http.on('clientError', (error, socket) => {
      const answer = (): unknown =>
        clientErrorHandler === undefined
          ? answerClientError(error, socket)
          : Reflect.apply(clientErrorHandler, server, [error, socket])
      guard(answer, (failure) => {
        reportFailure(this.log, 'error', failure)
        answerClientError(error, socket)
      })
    })
  }

  #bootPorts(enter: (context: ServerContext, host: Host) => void): BootPorts<ServerContext> {
    return {
      dialect: this.dialect,
      server: (context) => context.objects.server,
      place: (context) => context.path,
      hold: (context) => context.hooks.hold(),
      enter: enterPlugin,
      open: (parent, { plugin, name }, pluginOptions) => {
        const { boot } = this.dialect
        const own = boot.falsyIsNone ? withoutFalsy(pluginOptions) : pluginOptions
        const place = `${parent.path} > ${name}`
        const prefix = readPrefix(parent.prefix, own, place)
        const child = parent.child(name, prefix, shownName(plugin, name, boot))
        applyLogOptions(child, own, place)
        enter(child, this)
        announceContext(parent, child, pluginOptions)
        return child
      },
    }
  }

  /** @throws ESP_ERR_INSTANCE_ALREADY_LISTENING after boot, when the tree cannot change any more */
  assertBooting(call: string, context: ServerContext): void {
    if (this.isClosing && this.#isLoaded) throw new errorCodes.ESP_ERR_REOPENED_CLOSE_SERVER(call)
    if (!this.#isBooted) return
    if (this.dialect.boot.namesLateDecorations && call.startsWith('decorate')) {
      throw new errorCodes.ESP_ERR_DEC_AFTER_START(call, context.path)
    }
    throw new errorCodes.ESP_ERR_INSTANCE_ALREADY_LISTENING(call, context.path)
  }

  /** Loads all plugins, compiles all routes and runs the onReady hooks; once. */
  ready(): Promise<void> {
    if (this.isClosing && !this.#isBooted) {
      const closed = new errorCodes.ESP_ERR_REOPENED_CLOSE_SERVER('ready')
      return Promise.reject(this.dialect.errors.show(closed))
    }
    this.#ready ??= this.#start().catch((error: unknown) => {
      throw this.dialect.errors.show(error)
    })
    return this.#ready
  }

  /** Waits until requests can be answered. An onReady hook may send some: it does not wait for
   *  itself. */
  async compiled(): Promise<void> {
    if (!this.#runsOnReady) await this.ready()
  }

  async listen(options: ListenOptions): Promise<string> {
    const { show } = this.dialect.errors
    await this.ready()
    if (this.isClosing) throw show(new errorCodes.ESP_ERR_REOPENED_CLOSE_SERVER('listen'))
    if (this.#listening !== undefined) {
      throw show(new errorCodes.ESP_ERR_REOPENED_SERVER(await this.#listening))
    }
    this.#listening = this.transport.listen(options)
    this.#listening.catch(() => (this.#listening = undefined))
    const address = await this.#listening
    await this.hooks.runBehind('onListen', (error) => {
      reportFailure(this.log, 'warn', error)
    })
    return address
  }

  /** Answers a request of Node. What is thrown before a route takes it over is answered too: whoever
   *  calls this cannot, and the process would end. */
  dispatch(request: IncomingMessage, response: ServerResponse): void {
    try {
      const answered = this.#answer(request, response)
      if (isThenable(answered)) {
        answered.then(undefined, (error: unknown) => {
          this.#fail(request, response, error)
        })
      }
    } catch (error) {
      this.#fail(request, response, error)
    }
  }

  #answer(request: IncomingMessage, response: ServerResponse): unknown {
    if (request.httpVersionMajor === 2) adaptHttp2(request, response)
    if (response.socket === null) watchQueued(request, response)
    if (this.isClosing) {
      tellClosing(request, response)
      if (this.options.transport.return503OnClosing) {
        refuseClosing(response, this.log, this.root.objects.server)
        return undefined
      }
    }
    if (request.httpVersionMajor > this.#highestVersion) {
      refuseVersion(response)
      return undefined
    }
    if (hasTwoHosts(request)) {
      refuseHosts(request, response)
      return undefined
    }
    const { rewriteUrl: rewrite } = this.options
    if (rewrite !== undefined) rewriteUrl(rewrite, this.root.objects.server, request)
    return this.routes.answer(request, response)
  }

  /** Answers what was thrown with the hooks and the error handler of the root. What cannot be
   *  answered so is reported. */
  #fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    try {
      const isCut =
        this.dialect.errors.cutsFailedRewrite &&
        error instanceof errorCodes.ESP_ERR_ROUTE_REWRITE_NOT_STR
      if (isCut) response.destroy()
      if (isCut || response.headersSent) throw error
      this.routes.fail(request, response, error)
    } catch (failure) {
      reportFailure(this.log, 'error', failure)
      refuseFailed(response)
    }
  }

  /** What routes are read by, where they stand behind no prefix. */
  get routeRules(): RouteRules {
    const { dialect, methods } = this
    return { dialect, methods, prefix: '', expands: this.options.jsonShorthand }
  }

  /** Node's own server. */
  get http(): Server {
    return this.transport.server
  }

  /** Whether all plugins have loaded. */
  get isBooted(): boolean {
    return this.#isBooted
  }

  /** Dispatches a request as soon as requests can be answered. */
  dispatchWhenReady(request: IncomingMessage, response: ServerResponse): void {
    this.compiled().then(
      () => {
        this.dispatch(request, response)
      },
      (error: unknown) => response.emit('error', error),
    )
  }

  /** Whether the server, but no route, can be changed still: what onReady hooks open can be kept, and closed. */
  get isOpenStill(): boolean {
    return this.#runsOnReady && !this.isClosing
  }

  get isClosing(): boolean {
    return this.#closed !== undefined
  }

  /** Runs the preClose hooks, stops listening, lets requests in flight finish, then runs the onClose hooks, the last
   *  first. */
  close(): Promise<void> {
    this.#closed ??= this.#stop()
    return this.#closed
  }

  /** Calls back when all plugins have loaded, before the onReady hooks run, if some load now.
   *  @returns whether some do */
  whenLoaded(callback: OnLoaded): boolean {
    const { isLoading } = this.boot
    if (isLoading) this.#onLoaded.push(callback)
    return isLoading
  }

  async #tellLoaded(error: unknown): Promise<void> {
    for (const callback of this.#onLoaded) await callback(error)
  }

  #load(): Promise<void> {
    this.#loaded ??= this.boot.ready().finally(() => (this.#isLoaded = true))
    return this.#loaded
  }

  async #start(): Promise<void> {
    await this.#load().catch(async (error: unknown) => {
      await this.#tellLoaded(error)
      throw error
    })
    await this.#tellLoaded(null)
    this.#isBooted = true
    this.routes.compile(this.root, this.#compileOptions())
    this.#runsOnReady = true
    try {
      await this.hooks.run('onReady')
    } finally {
      this.#runsOnReady = false
    }
  }

  #compileOptions(): CompileOptions {
    const { bodyLimit, handlerTimeout, exposeErrors, dialect } = this.options
    return {
      dialect,
      log: this.log,
      generateId: this.options.requestIds.generate,
      bodyLimit,
      handlerTimeout,
      exposeErrors,
      ...this.compilers,
    }
  }

  async #stop(): Promise<void> {
    if (this.dialect.reply.announcesClose) this.transport.announceClose()
    // What plugins have opened is closed by their hooks: they are waited for.
    if (!this.#isLoaded) await this.#load().catch(() => undefined)
    await this.#listening?.catch(() => undefined)
    if (this.hooks.has('preClose')) {
      await this.hooks.runAll('preClose', (error) => {
        reportFailure(this.log, 'error', error)
      })
    }
    await this.transport.close()
    await this.boot.close()
  }
}

/** A response that waits behind another on its connection has no socket yet: Node does not tell it that
 *  the client has left, and whatever it holds would be held for ever. */
function watchQueued({ socket }: IncomingMessage, response: ServerResponse): void {
  noteQueued(socket, response)
  const abandon = (): void => {
    response.destroy()
    response.emit('close')
  }
  // There may be any number of them.
  socket.setMaxListeners(0).once('close', abandon)
  response.once('socket', () => socket.off('close', abandon))
}

function rootObjects(
  server: object,
  { dialect, transport: { trustProxy } }: NormalizedOptions,
  { createRequest, Reply, builtIn }: RootClasses,
): ServerObjects {
  const Base = trustProxy === false ? Request : createProxiedRequest(trustProxy)
  return new ServerObjects({ server, Request: createRequest(Base), Reply, builtIn, dialect })
}

/** Tells a context of a plugin whose turn has come, and checks what the plugin asks of it.
 *  @throws what `checkMetadata` does */
function enterPlugin(context: ServerContext, { plugin, name }: NamedPlugin): void {
  for (const own of [nameOf(plugin), metadataOf(plugin)?.name]) {
    if (typeof own === 'string') context.addPlugin(own)
  }
  checkMetadata(plugin, name, context)
  if (isShared(plugin)) {
    context.addShared(shownName(plugin, name, context.objects.dialect.boot))
  }
}

/** Runs the onRegister hooks of a context and its ancestors for a child that was opened for a plugin,
 *  which has not run yet. Nothing waits for them. @throws what the hooks throw */
function announceContext(parent: ServerContext, child: ServerContext, options: unknown = {}): void {
  const { server } = parent.objects
  child.decorators.server.announce(() => {
    for (const hook of parent.hooks.collect('onRegister')) {
      const returned: unknown = Reflect.apply(hook, server, [child.objects.server, options])
      guard(() => returned, writeFailure)
    }
  })
}
