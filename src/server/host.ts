import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { errorCodes } from '../errors/codes.ts'
import { describe, isObject } from '../schema/values.ts'
import { Context } from '../context/context.ts'
import { addDefaultParsers } from '../context/content/default-parsers.ts'
import { BootQueue } from '../plugin/boot.ts'
import type { CompileOptions } from '../route/compile.ts'
import type { ServerLog } from '../route/logging/route-log.ts'
import type { DefaultCompilers } from '../route/schemas/nearest.ts'
import { ServerFaces } from './faces.ts'
import type { NormalizedOptions } from './options.ts'
import { createServerLog } from './logging/create-logger.ts'
import { applyLogOptions, logClientErrors } from './logging/host-log.ts'
import { answerClientError } from './transport/client-error.ts'
import { listen, type ListenOptions } from './transport/listen.ts'
import { ApplicationHooks } from './boot/application-hooks.ts'
import { createCompilers, setController } from './boot/compilers.ts'
import { announceContext, enterPlugin } from './boot/plugins.ts'
import { Routes } from './routes.ts'

/** One node of the tree, as the server room knows it. */
export type ServerContext = Context<ServerFaces>

/** What all contexts of a server have in common: its options, its routes, its boot and its socket. */
export class Host {
  readonly options: NormalizedOptions
  readonly log: ServerLog
  readonly routes: Routes
  readonly root: ServerContext
  readonly boot: BootQueue<ServerContext>
  readonly http: Server
  readonly compilers: DefaultCompilers
  readonly hooks: ApplicationHooks = new ApplicationHooks()
  #ready: Promise<void> | undefined
  #closed: Promise<void> | undefined
  #isBooted = false
  /** Whether the onReady hooks are running: requests can be answered then. */
  #runsOnReady = false
  #listening: Promise<string> | undefined

  /** @param enter called with each new context and its server */
  constructor(
    rootServer: object,
    options: NormalizedOptions,
    enter: (context: ServerContext, host: Host) => void,
  ) {
    this.options = options
    this.log = createServerLog(options.logging)
    this.routes = new Routes(options.exposeHeadRoutes)
    this.root = Context.root(ServerFaces.root(rootServer), '')
    addDefaultParsers(this.root.parsers, options)
    this.compilers = createCompilers(options.ajv)
    const { schemaController, schemaErrorFormatter } = options
    if (schemaController !== undefined) setController(this.root, schemaController)
    if (schemaErrorFormatter !== undefined) {
      this.root.settings.schemaErrorFormatter = schemaErrorFormatter
    }
    this.http = createServer((request, response) => {
      this.dispatch(request, response)
    })
    this.http.setTimeout(options.connectionTimeout).on('clientError', answerClientError)
    logClientErrors(this.http, this.log)
    const { childLoggerFactory } = options.logging
    if (childLoggerFactory !== undefined) this.root.settings.childLoggerFactory = childLoggerFactory
    this.boot = new BootQueue(this.root, options.pluginTimeout, {
      server: (context) => context.faces.server,
      place: (context) => context.path,
      hold: (context) => context.hooks.hold(),
      enter: enterPlugin,
      open: (parent, name, pluginOptions) => {
        const child = parent.child(name, parent.prefix + readPrefix(pluginOptions, name))
        applyLogOptions(child, pluginOptions, name)
        enter(child, this)
        announceContext(parent, child, pluginOptions)
        return child
      },
    })
    enter(this.root, this)
  }

  /** @throws ESP_ERR_INSTANCE_ALREADY_LISTENING after boot, when the tree cannot change any more */
  assertBooting(call: string, context: ServerContext): void {
    if (this.isClosing) throw new errorCodes.ESP_ERR_REOPENED_CLOSE_SERVER(call)
    if (this.#isBooted) throw new errorCodes.ESP_ERR_INSTANCE_ALREADY_LISTENING(call, context.path)
  }

  /** Loads all plugins, compiles all routes and runs the onReady hooks; once. */
  ready(): Promise<void> {
    if (this.isClosing && !this.#isBooted) {
      return Promise.reject(new errorCodes.ESP_ERR_REOPENED_CLOSE_SERVER('ready'))
    }
    this.#ready ??= this.#start()
    return this.#ready
  }

  /** Waits until requests can be answered. An onReady hook may send some: it does not wait for
   *  itself. */
  async compiled(): Promise<void> {
    if (!this.#runsOnReady) await this.ready()
  }

  async listen(options: ListenOptions): Promise<string> {
    await this.ready()
    if (this.isClosing) throw new errorCodes.ESP_ERR_REOPENED_CLOSE_SERVER('listen')
    if (this.#listening !== undefined) {
      throw new errorCodes.ESP_ERR_REOPENED_SERVER(await this.#listening)
    }
    this.#listening = listen(this.http, options)
    this.#listening.catch(() => (this.#listening = undefined))
    const address = await this.#listening
    this.log.logger.info(`Server listening at ${address}`)
    await this.hooks.runBehind('onListen')
    return address
  }

  dispatch(request: IncomingMessage, response: ServerResponse): void {
    if (this.isClosing) response.setHeader('connection', 'close')
    if (response.socket === null) watchQueued(request, response)
    const { run, params, query } = this.routes.find(request.method ?? 'GET', request.url ?? '/')
    run(request, response, params, query)
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

  get isClosing(): boolean {
    return this.#closed !== undefined
  }

  /** Runs the preClose hooks, stops listening, lets requests in flight finish, then runs the onClose hooks, the last first. */
  close(): Promise<void> {
    this.#closed ??= this.#stop()
    return this.#closed
  }

  async #start(): Promise<void> {
    await this.boot.ready()
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
    const { bodyLimit, exposeErrors, keepErrorStatus } = this.options
    return {
      log: this.log,
      bodyLimit,
      exposeErrors,
      keepErrorStatus,
      ...this.compilers,
    }
  }

  async #stop(): Promise<void> {
    await this.#listening?.catch(() => undefined)
    if (this.hooks.has('preClose')) await this.hooks.runAll('preClose')
    if (this.http.listening) {
      await new Promise<void>((resolve) => {
        this.http.close(() => {
          resolve()
        })
        this.http.closeIdleConnections()
        // A connection whose request is in flight is idle after its reply: it is not kept then.
        Object.assign(this.http, { keepAliveTimeout: 1, keepAliveTimeoutBuffer: 0 })
      })
    }
    await this.boot.close()
  }
}

/** A response that waits behind another on its connection has no socket yet: Node does not tell it that
 *  the client has left, and whatever it holds would be held for ever. */
function watchQueued({ socket }: IncomingMessage, response: ServerResponse): void {
  const abandon = (): void => {
    response.destroy()
    response.emit('close')
  }
  // There may be any number of them.
  socket.setMaxListeners(0).once('close', abandon)
  response.once('socket', () => socket.off('close', abandon))
}

function readPrefix(options: unknown, plugin: string): string {
  const prefix = isObject(options) ? options['prefix'] : undefined
  if (prefix === undefined || prefix === '') return ''
  if (typeof prefix !== 'string' || !prefix.startsWith('/')) {
    throw new errorCodes.ESP_ERR_PLUGIN_PREFIX(plugin, describe(prefix))
  }
  return prefix.endsWith('/') ? prefix.slice(0, -1) : prefix
}
