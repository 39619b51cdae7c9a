import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { errorCodes } from '../errors/codes.ts'
import { bootError } from '../errors/origin.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { hasTwoHosts } from '../http/headers.ts'
import { Methods } from '../http/methods.ts'
import { Context } from '../context/context.ts'
import { addDefaultParsers } from '../context/default-parsers.ts'
import { BootQueue } from '../plugin/boot.ts'
import { shownName, type NamedPlugin } from '../plugin/plugin.ts'
import type { CompileOptions } from '../route/compile.ts'
import type { RouteRules } from '../route/declaration.ts'
import { guard } from '../lifecycle/log/guard.ts'
import type { ServerLog } from '../lifecycle/log/route-log.ts'
import { ItemStreams } from '../lifecycle/item-stream.ts'
import { createProxiedRequest } from '../lifecycle/proxied-request.ts'
import { Request } from '../lifecycle/request.ts'
import { isObject } from '../types/objects.ts'
import { isThenable } from '../types/promises.ts'
import { Announcer } from './announcer.ts'
import { ApplicationHooks } from './application-hooks.ts'
import { createCompilers, type ServerCompilers, setController } from './compilers.ts'
import { type RootClasses, type ServerContext, ServerObjects } from './context-objects.ts'
import {
  applyLogOptions,
  createServerLog,
  logClientError,
  reportFailure,
  reportReply,
} from './log.ts'
import { OpenedContext } from './opened-context.ts'
import type { NormalizedOptions } from './options.ts'
import type { Dispatch } from './options/transport.ts'
import { Routes } from './routing/routes.ts'
import { readPrefix, rewriteUrl } from './routing/urls.ts'
import { Fetches } from './transport/fetch.ts'
import { adaptHttp2, noteQueued, Transport } from './transport/node-only.ts'
import {
  answerClientError,
  closeAfterReply,
  highestVersion,
  refuseClosing,
  refuseFailed,
  refuseHosts,
  refuseVersion,
} from './transport/refusals.ts'
import type { FetchFunction } from './types/fetch.ts'
import type { ListenOptions } from './types/tools.ts'

type OnLoaded = (error: unknown) => Promise<void>

/** The parts that all contexts of a server share: options, routes, boot and transport. */
export class Host {
  readonly options: NormalizedOptions
  readonly dialect: Dialect
  readonly log: ServerLog
  readonly routes: Routes
  readonly announcer: Announcer
  readonly methods: Methods
  readonly root: ServerContext
  readonly boot: BootQueue<ServerContext>
  readonly transport: Transport
  readonly compilers: ServerCompilers
  readonly hooks: ApplicationHooks = new ApplicationHooks()
  /** The paths of documentation pages. */
  readonly pages: string[] = []
  readonly #enter: (context: ServerContext, host: Host) => void
  readonly #itemStreams: ItemStreams
  readonly #fetches: Fetches
  readonly #onLoaded: OnLoaded[] = []
  readonly #highestVersion: number
  readonly #dispatch: Dispatch = (request, response) => {
    this.dispatch(request, response)
  }
  #prepared: Promise<void> | undefined
  #ready: Promise<void> | undefined
  #closed: Promise<void> | undefined
  #loaded: Promise<void> | undefined
  #listening: Promise<string> | undefined
  /** Whether the loading of plugins has ended, with or without an error. */
  #isLoaded = false
  #isBooted = false
  /** Whether the onReady hooks are running. Requests can be answered by then. */
  #runsOnReady = false

  /** @param enter called with each new context */
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
    this.#highestVersion = highestVersion(options)
    this.routes = new Routes(options)
    this.announcer = new Announcer(this.routes)
    this.#itemStreams = new ItemStreams(options)
    this.root = Context.root(rootObjects(rootServer, options, classes), '')
    addDefaultParsers(this.root.parsers, options)
    const report = options.responses === 'report' ? reportReply(this.log) : undefined
    this.compilers = createCompilers(options, this.methods, report)
    const { schemaController, schemaErrorFormatter, logging, strict } = options
    if (schemaController !== undefined) setController(this.root, schemaController)
    const { childLoggerFactory } = logging
    Object.assign(
      this.root.settings,
      { strict },
      schemaErrorFormatter && { schemaErrorFormatter },
      childLoggerFactory && { childLoggerFactory },
    )
    this.transport = new Transport(options, this.#dispatch, (server) => {
      this.#answerClientErrors(server)
    })
    this.#fetches = this.#createFetches()
    this.#enter = enter
    this.boot = new BootQueue(this.root, options.pluginTimeout, {
      open: (...plugin) => this.#openChild(...plugin),
      loaded: () => this.announcer.catchUp(),
    })
    enter(this.root, this)
  }

  #createFetches(): Fetches {
    return new Fetches({
      whenReady: () => this.compiled(),
      dispatch: this.#dispatch,
      warn: (error) => {
        reportFailure(this.log, 'warn', this.dialect.errors.show(error))
      },
      problemDetails: this.options.problemDetails,
    })
  }

  /** Answers data that is not HTTP, by `clientErrorHandler` if there is one. */
  #answerClientErrors(http: Server): void {
    const { clientErrorHandler, problemDetails } = this.options
    const { server } = this.root.objects
    http.on('clientError', (error, socket) => {
      const answer = (): unknown =>
        clientErrorHandler === undefined
          ? answerClientError(error, socket, problemDetails)
          : Reflect.apply(clientErrorHandler, server, [error, socket])
      guard(answer, (failure) => {
        reportFailure(this.log, 'error', failure)
        answerClientError(error, socket, problemDetails)
      })
      logClientError(this.log, error)
    })
  }

  #openChild(
    parent: ServerContext,
    { plugin, name }: NamedPlugin,
    options: unknown,
  ): ServerContext {
    const { boot } = this.dialect
    const own = boot.falsyIsNone ? withoutFalsy(options) : options
    const place = `${parent.path} > ${name}`
    const prefix = readPrefix(parent.prefix, own, place)
    const child = parent.child(name, prefix, shownName(plugin, name, boot))
    applyLogOptions(child, own, place)
    // A plugin for Fastify may have an option of this name.
    const { strict } = isObject(own) ? own : {}
    if (boot.refusesUnknown && typeof strict === 'boolean') child.settings.strict = strict
    this.#enter(child, this)
    this.announcer.add(new OpenedContext(parent, child, options))
    return child
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

  /** Loads all plugins, compiles all routes and runs the onReady hooks; once.
   *  @param origin the call that wants it */
  ready(origin?: Error): Promise<void> {
    if (this.isClosing && !this.#isBooted) {
      const closed = new errorCodes.ESP_ERR_REOPENED_CLOSE_SERVER('ready')
      return Promise.reject(this.dialect.errors.show(closed))
    }
    this.#ready ??= this.#start().catch((error: unknown) => {
      throw this.dialect.errors.show(bootError(origin, error))
    })
    return this.#ready
  }

  /** Loads all plugins and compiles all routes, once. It runs no onReady hooks. */
  prepare(): Promise<void> {
    this.#prepared ??= this.#prepare()
    return this.#prepared
  }

  /** Waits until requests can be answered. This lets an onReady hook send requests. */
  async compiled(): Promise<void> {
    if (!this.#runsOnReady) await this.ready()
  }

  async listen(options: ListenOptions, origin?: Error): Promise<string> {
    const { show } = this.dialect.errors
    await this.ready(origin)
    if (this.isClosing) throw show(new errorCodes.ESP_ERR_REOPENED_CLOSE_SERVER('listen'))
    if (this.#listening !== undefined) {
      throw show(new errorCodes.ESP_ERR_REOPENED_SERVER(await this.#listening))
    }
    this.#listening = this.transport.listen(options)
    this.#listening.catch(() => (this.#listening = undefined))
    const address = await this.#listening
    this.compilers.compilation.compileWaiting()
    await this.hooks.runOnListen((error) => {
      reportFailure(this.log, 'warn', error)
    })
    return address
  }

  /** Answers a request of Node. An error before the request has a route is answered too, since it
   *  would end the process. */
  dispatch(request: IncomingMessage, response: ServerResponse): void {
    // Not by `guard`, which would cost each request two closures.
    try {
      const answered = this.#answer(request, response)
      if (answered !== undefined && isThenable(answered)) {
        answered.then(undefined, (error: unknown) => {
          this.#fail(request, response, error)
        })
      }
    } catch (error) {
      this.#fail(request, response, error)
    }
  }

  #answer(request: IncomingMessage, response: ServerResponse): unknown {
    // Over HTTP/2, reading `socket` makes a Proxy.
    if (request.httpVersionMajor === 2) adaptHttp2(request, response)
    else if (response.socket === null) watchQueued(request, response)
    const { problemDetails } = this.options
    if (this.#closed !== undefined) {
      closeAfterReply(request, response)
      if (this.options.return503OnClosing) {
        refuseClosing(response, this.log, this.root.objects.server, problemDetails)
        return undefined
      }
    }
    if (request.httpVersionMajor > this.#highestVersion) {
      refuseVersion(response, problemDetails)
      return undefined
    }
    if (hasTwoHosts(request)) {
      refuseHosts(request, response, problemDetails)
      return undefined
    }
    const { rewriteUrl: rewrite } = this.options
    if (rewrite !== undefined) rewriteUrl(rewrite, this.root.objects.server, request)
    return this.routes.answer(request, response)
  }

  /** Answers an error with the hooks and the error handler of the root. Reports it if that
   *  fails. */
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
      refuseFailed(response, this.options.problemDetails)
    }
  }

  /** The rules for reading routes without a prefix. */
  get routeRules(): RouteRules {
    const { dialect, methods } = this
    return { dialect, methods, prefix: '', expands: this.options.jsonShorthand }
  }

  /** Answers requests of the Fetch standard. */
  get fetch(): FetchFunction {
    return this.#fetches.fetch
  }

  /** The server of Node, which is made when it is first needed. */
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

  /** Whether onReady hooks may still change the server, except for its routes. */
  get isBecomingReady(): boolean {
    return this.#runsOnReady && !this.isClosing
  }

  get isClosing(): boolean {
    return this.#closed !== undefined
  }

  /** Runs the preClose hooks, ends event streams, stops listening, waits for requests in flight,
   *  and runs the onClose hooks, the last one first. */
  close(): Promise<void> {
    this.#closed ??= this.#stop()
    return this.#closed
  }

  /** Calls back when all plugins have loaded, before the onReady hooks run.
   *  @returns false if no plugin is loading; there is no call then */
  whenLoaded(callback: OnLoaded): boolean {
    const { isLoading } = this.boot
    if (isLoading) this.#onLoaded.push(callback)
    return isLoading
  }

  async #callOnLoaded(error: unknown): Promise<void> {
    for (const callback of this.#onLoaded) await callback(error)
  }

  #load(): Promise<void> {
    this.#loaded ??= this.boot.ready().finally(() => (this.#isLoaded = true))
    return this.#loaded
  }

  async #prepare(): Promise<void> {
    // As long as hooks can register plugins. An error stays.
    if (!this.boot.isLoading) this.announcer.catchUp()
    await this.#load().catch(async (error: unknown) => {
      await this.#callOnLoaded(error)
      throw error
    })
    await this.#callOnLoaded(null)
    const failure = this.announcer.end()
    if (failure !== undefined) throw failure
    this.#isBooted = true
    this.routes.compile(this.root, this.#compileOptions())
    const { staleCount } = this.compilers.compilation
    if (staleCount === 0) return
    const stale = new errorCodes.ESP_ERR_SCH_STALE(`${staleCount} schemas, compiled now`)
    reportFailure(this.log, 'warn', this.dialect.errors.show(stale))
  }

  async #start(): Promise<void> {
    await this.prepare()
    this.#runsOnReady = true
    try {
      await this.hooks.run('onReady')
    } finally {
      this.#runsOnReady = false
    }
  }

  #compileOptions(): CompileOptions {
    const { bodyLimit, handlerTimeout, exposeErrors, problemDetails, dialect, requestIds } =
      this.options
    return {
      dialect,
      log: this.log,
      generateId: requestIds.generate,
      bodyLimit,
      handlerTimeout,
      itemStreams: this.#itemStreams,
      exposeErrors,
      problemDetails,
      ...this.compilers,
    }
  }

  async #stop(): Promise<void> {
    if (this.dialect.reply.announcesClose) this.transport.announceClose()
    // Plugins have to load first: their onClose hooks close what they have opened.
    if (!this.#isLoaded) await this.#load().catch(() => undefined)
    await this.#listening?.catch(() => undefined)
    // Without hooks, nothing may delay the end of connections.
    if (this.hooks.has('preClose')) {
      await this.hooks.run('preClose', (error) => {
        reportFailure(this.log, 'error', error)
      })
    }
    this.#itemStreams.close()
    await Promise.all([this.transport.close(), this.#fetches.close()])
    await this.boot.close()
  }
}

/** Destroys a response whose client leaves while it waits for another response on its connection.
 *  It has no socket yet, so Node does not emit `close` on it. */
function watchQueued({ socket }: IncomingMessage, response: ServerResponse): void {
  noteQueued(socket, response)
  const abandon = (): void => {
    response.destroy()
    response.emit('close')
  }
  // A connection may have any number of waiting responses.
  socket.setMaxListeners(0).once('close', abandon)
  response.once('socket', () => socket.off('close', abandon))
}

function rootObjects(
  server: object,
  { dialect, trustProxy }: NormalizedOptions,
  { createRequest, Reply, builtIn }: RootClasses,
): ServerObjects {
  const Base = trustProxy === false ? Request : createProxiedRequest(trustProxy)
  return new ServerObjects({ server, Request: createRequest(Base), Reply, builtIn, dialect })
}

/** An object without its falsy properties; any other value as it is. */
function withoutFalsy(value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, each]) => Boolean(each)))
}
