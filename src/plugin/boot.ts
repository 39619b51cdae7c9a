import avvio from 'avvio'
import { errorCodes } from '../errors/codes.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { EspalierError } from '../errors/espalier-error.ts'
import { describe, isThenable } from '../schema/values.ts'
import { isShared, shownName, type PluginFunction } from './plugin.ts'

/** How the queue works on the nodes of a tree, whose type it does not know. */
export interface BootPorts<Node> {
  readonly dialect: Dialect
  /** Opens the child that a plugin runs in. Not called for shared plugins. */
  open(parent: Node, plugin: NamedPlugin, options: unknown): Node
  /** Tells that a plugin begins to load in a node; throws where it may not. */
  enter(parent: Node, plugin: NamedPlugin): void
  /** Keeps the place of a shared plugin among what its node declares. Returns what is called when the
   *  plugin begins to load, which returns what is called when it has. */
  hold(node: Node): () => () => void
  /** The server that a plugin is given as its first argument. */
  server(node: Node): object
  /** The name of a node and a plugin in it, for messages. */
  place(node: Node): string
}

/** A plugin with what messages call it, which is its name or its place. */
export interface NamedPlugin {
  readonly plugin: PluginFunction
  readonly name: string
}

interface Plan<Node> extends NamedPlugin {
  /** The node that the plugin is registered in: not always that of the plugin now loading. */
  readonly parent: Node
  readonly options: unknown
  /** For a shared plugin, and in Fastify for any, what begins to fill its place. */
  readonly begin: (() => () => void) | undefined
}

/** avvio puts methods and a `then` on the object it is given. It is given carriers of nodes, so that
 *  no server is ever thenable, and none carries a name that a user did not put there. */
interface Carrier<Node> {
  readonly node: Node
  readonly options: unknown
}

type Done = (error?: unknown) => void
type Load<Node> = (carrier: Carrier<Node>, options: unknown, done: Done) => void

/** What is used of avvio. Its own types describe the object it decorates, and lack `after()`. */
interface Queue<Node> {
  override: (parent: Carrier<Node>, load: Load<Node>) => Carrier<Node>
  use(load: Load<Node>): unknown
  after(callback: (error: unknown, done: Done) => void): unknown
  after(): Promise<unknown>
  ready(): Promise<unknown>
  onClose(callback: () => Promise<void>): unknown
  close(): Promise<unknown>
  prettyPrint(): string
}

/** Loads plugins in the order of registration, depth first, each within a time limit. */
export class BootQueue<Node> {
  readonly #ports: BootPorts<Node>
  readonly #avvio: Queue<Node>
  readonly #plans = new WeakMap<object, Plan<Node>>()
  readonly #timeout: number
  /** The plugins that have begun and not ended, the innermost last: loading goes depth first. */
  readonly #loading: string[] = []

  /** @param timeout the time a plugin has to load, in milliseconds; 0 for no limit */
  constructor(root: Node, timeout: number, ports: BootPorts<Node>) {
    this.#ports = ports
    this.#timeout = timeout
    const carrier: Carrier<Node> = { node: root, options: undefined }
    // cast: to what is used of avvio, under the types that it has at run time
    this.#avvio = avvio(carrier, { autostart: false, timeout }) as unknown as Queue<Node>
    this.#avvio.override = (parent, load) => this.#enter(parent, load)
  }

  /** What messages call the plugin that is loading, the innermost of them. */
  get loading(): string | undefined {
    return this.#loading.at(-1)
  }

  /** Whether a plugin has begun to load, and not ended. */
  get isLoading(): boolean {
    return this.#loading.length > 0
  }

  /** Queues a plugin behind those that the plugin now loading has registered. */
  use(parent: Node, { plugin, name }: NamedPlugin, options: unknown): void {
    const { boot } = this.#ports.dialect
    const holds = isShared(plugin) || boot.ordersByLoading
    const begin = holds ? this.#ports.hold(parent) : undefined
    const plan = { parent, plugin, name, options, begin }
    const load: Load<Node> = (carrier, _options, done) => {
      this.#load(plan, carrier, done)
    }
    Object.defineProperty(load, 'name', { value: shownName(plugin, name, boot) })
    this.#plans.set(load, plan)
    this.#avvio.use(load)
  }

  /** Calls back when all that was registered before has loaded. */
  after(callback: (error: unknown, done: Done) => void): void {
    this.#avvio.after((error: unknown, done: Done) => {
      callback(this.#explain(error), done)
    })
  }

  /** Resolves when all that was registered so far has loaded. */
  async loaded(): Promise<void> {
    await this.#explained(this.#avvio.after())
  }

  /** Loads everything. */
  async ready(): Promise<void> {
    await this.#explained(this.#avvio.ready())
  }

  /** Adds what is done on close. The last added is called first. */
  onClose(callback: () => unknown): void {
    this.#avvio.onClose(async () => {
      await callback()
    })
  }

  async close(): Promise<void> {
    await this.#avvio.close()
  }

  /** The plugins as a tree, with the time that each took to load. */
  print(): string {
    return this.#avvio.prettyPrint()
  }

  #enter(parent: Carrier<Node>, load: Load<Node>): Carrier<Node> {
    const plan = this.#plans.get(load)
    if (plan === undefined) return parent
    const { plugin, parent: above } = plan
    const { optionsFromInside } = this.#ports.dialect.boot
    try {
      const early = optionsFromInside ? plan.options : this.#optionsOf(plan, above)
      this.#ports.enter(above, plan)
      const node = isShared(plugin) ? above : this.#ports.open(above, plan, early)
      const options = optionsFromInside ? this.#optionsOf(plan, node) : early
      return Object.assign(Object.create(parent) as Carrier<Node>, { node, options })
    } catch (error) {
      throw this.#blame(this.#nameIn(above, plan), error)
    }
  }

  #load(plan: Plan<Node>, carrier: Carrier<Node>, ended: Done): void {
    const { plugin, begin } = plan
    const { node, options } = carrier
    const name = isShared(plugin) ? this.#nameIn(node, plan) : this.#ports.place(node)
    this.#loading.push(name)
    const end = begin?.()
    const done = (error?: unknown): void => {
      const at = this.#loading.lastIndexOf(name)
      if (at >= 0) this.#loading.splice(at, 1)
      end?.()
      ended(error)
    }
    const fail = (error: unknown): void => {
      process.nextTick(done, this.#blame(name, error))
    }
    const finish = (error?: unknown): void => {
      if (error === undefined || error === null) done()
      else done(this.#blame(name, error))
    }
    try {
      const call = plugin as (...args: unknown[]) => unknown
      const result = call(this.#ports.server(node), options ?? {}, finish)
      if (isThenable(result)) result.then(() => process.nextTick(done), fail)
      else if (plugin.length < 3) done()
    } catch (error) {
      done(this.#blame(name, error))
    }
  }

  /** Options may be a function of a server. */
  #optionsOf({ options }: Plan<Node>, node: Node): unknown {
    if (typeof options !== 'function') return options
    const compute = options as (server: object) => unknown
    return compute(this.#ports.server(node))
  }

  /** An error of the boot names the plugin. Coded errors already do; any other value that a plugin
   *  throws or rejects with, undefined included, becomes the cause of one that does. */
  #blame(name: string, error: unknown): unknown {
    const { show, wrapsForeign } = this.#ports.dialect.errors
    if (error instanceof EspalierError) return show(error)
    if (!wrapsForeign && error instanceof Error) return error
    const what = error instanceof Error ? error.message : describe(error)
    return show(new errorCodes.ESP_ERR_PLUGIN_FAILED(name, what, error))
  }

  #nameIn(node: Node, { name }: NamedPlugin): string {
    return `${this.#ports.place(node)} > ${name}`
  }

  async #explained(work: Promise<unknown>): Promise<void> {
    try {
      await work
    } catch (error) {
      throw this.#explain(error)
    }
  }

  #explain(error: unknown): unknown {
    if (!(error instanceof Error) || !('fn' in error) || !('code' in error)) return error
    if (!String(error.code).startsWith('AVV_ERR_')) return error
    const plan = this.#plans.get(error.fn as object)
    const name =
      plan === undefined ? 'after' : (this.#loading.at(-1) ?? this.#nameIn(plan.parent, plan))
    const late = new errorCodes.ESP_ERR_PLUGIN_TIMEOUT(name, this.#timeout, error)
    return this.#ports.dialect.errors.show(late)
  }
}
