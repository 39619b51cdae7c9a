import { errorCodes } from '../errors/codes.ts'
import { EspalierError } from '../errors/espalier-error.ts'
import { bootError, dropForeignStack, originOfCall } from '../errors/origin.ts'
import type { Context } from '../context/context.ts'
import { describe } from '../errors/describe.ts'
import { isThenable } from '../types/promises.ts'
import { enterPlugin, isForeign, isShared, shownName, type NamedPlugin } from './plugin.ts'
import late from '../packages/late.cjs'

/** What happens around a plugin. */
interface Surroundings<Node> {
  /** Opens the child context for a plugin. It is not called for shared plugins. */
  readonly open: (parent: Node, plugin: NamedPlugin, options: unknown) => Node
  /** Called when a plugin or an `after` callback has ended, before the plugins that it has
   *  registered. The error that it returns is one of the plugin or callback. */
  readonly loaded: () => Error | undefined
}

interface Plan<Node> extends NamedPlugin {
  /** The context that the plugin is registered in. The plugin that loads now may have another. */
  readonly parent: Node
  readonly options: unknown
  /** Begins to fill the place of the plugin in the hook order. Returns the function that ends it.
   *  Shared plugins have it; in Fastify all plugins have it. */
  readonly begin: (() => () => void) | undefined
  /** The plugin that has registered it; undefined for the application. */
  readonly by: Plan<Node> | undefined
  /** Whether it was written for Fastify, or was registered by such a plugin. */
  readonly isForeign: boolean
  /** The call that registered it. */
  readonly origin: Error | undefined
}

/** The object that avvio decorates with its methods and with `then`. A carrier of its own keeps
 *  servers from being thenable, and from having members of avvio. */
interface Carrier<Node> {
  readonly node: Node
  readonly options: unknown
}

type Done = (error?: unknown) => void
type Load<Node> = (carrier: Carrier<Node>, options: unknown, done: Done) => void

/** The used part of avvio. The types of avvio describe the decorated object, without `after()`. */
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
export class BootQueue<Node extends Context> {
  readonly #root: Node
  readonly #around: Surroundings<Node>
  readonly #avvio: Queue<Node>
  readonly #plans = new WeakMap<object, Plan<Node>>()
  readonly #timeout: number
  /** The plugins that are loading, the innermost last. */
  readonly #loading: Plan<Node>[] = []
  /** The shared plugins that have not begun to load. */
  readonly #waiting = new Set<Plan<Node>>()

  /** @param timeout the time limit of a plugin, in milliseconds; 0 for no limit */
  constructor(root: Node, timeout: number, around: Surroundings<Node>) {
    this.#root = root
    this.#around = around
    this.#timeout = timeout
    const carrier: Carrier<Node> = { node: root, options: undefined }
    // cast: from the published types of avvio to the methods that it has at run time
    this.#avvio = late.avvio()(carrier, { autostart: false, timeout }) as unknown as Queue<Node>
    this.#avvio.override = (parent, load) => this.#enter(parent, load)
  }

  /** The name of the innermost plugin that is loading. */
  get loading(): string | undefined {
    const plan = this.#loading.at(-1)
    return plan && pathOf(plan)
  }

  get isLoading(): boolean {
    return this.#loading.length > 0
  }

  /** Whether the plugin that is loading was written for Fastify, or registered by such a plugin. */
  get isForeign(): boolean {
    return this.#loading.at(-1)?.isForeign === true
  }

  /** The names of the shared plugins that the loading plugin, or else the application, has
   *  registered in a context, and that have not begun to load. There are none for plugins of
   *  Fastify, which may ask for members that nobody adds. */
  waitingIn(node: Node): string[] {
    if (this.isForeign) return []
    const loading = this.#loading.at(-1)
    return [...this.#waiting]
      .filter(({ parent, by }) => parent === node && by === loading)
      .map(({ name }) => `'${name}'`)
  }

  /** Queues a plugin after the plugins that the currently loading plugin has registered. */
  use(parent: Node, { plugin, name }: NamedPlugin, options: unknown): void {
    const { boot } = this.#root.objects.dialect
    const holds = isShared(plugin) || boot.ordersByLoading
    const begin = holds ? parent.hooks.hold() : undefined
    const by = this.#loading.at(-1)
    const foreign = this.isForeign || isForeign(plugin)
    const origin = originOfCall()
    const plan = { parent, plugin, name, options, begin, by, isForeign: foreign, origin }
    if (isShared(plugin)) this.#waiting.add(plan)
    const load: Load<Node> = (carrier, _options, done) => {
      this.#load(plan, carrier, done)
    }
    Object.defineProperty(load, 'name', { value: shownName(plugin, name, boot) })
    this.#plans.set(load, plan)
    this.#avvio.use(load)
  }

  /** Calls back when all plugins that were registered before have loaded. */
  after(callback: (error: unknown, done: Done) => void): void {
    this.#avvio.after((error: unknown, done: Done) => {
      callback(this.#explain(error), (failure) => {
        done(failure ?? this.#around.loaded())
      })
    })
  }

  /** Resolves when all plugins that were registered so far have loaded. */
  async loaded(): Promise<void> {
    await this.#explained(this.#avvio.after())
  }

  async ready(): Promise<void> {
    await this.#explained(this.#avvio.ready()).finally(() => {
      // After an error some have not loaded.
      this.#waiting.clear()
    })
  }

  /** Adds a function to call on close. The last one is called first. */
  onClose(callback: () => unknown): void {
    this.#avvio.onClose(async () => {
      await callback()
    })
  }

  async close(): Promise<void> {
    await this.#avvio.close()
  }

  /** The tree of plugins as text, with the loading time of each. */
  print(): string {
    return this.#avvio.prettyPrint()
  }

  #enter(parent: Carrier<Node>, load: Load<Node>): Carrier<Node> {
    const plan = this.#plans.get(load)
    if (plan === undefined) return parent
    const { plugin, parent: above } = plan
    const { optionsFromInside } = this.#root.objects.dialect.boot
    try {
      const early = optionsFromInside ? plan.options : optionsOf(plan, above)
      enterPlugin(above, plan)
      const node = isShared(plugin) ? above : this.#around.open(above, plan, early)
      const options = optionsFromInside ? optionsOf(plan, node) : early
      return Object.assign(Object.create(parent) as Carrier<Node>, { node, options })
    } catch (error) {
      throw this.#blame(plan, error)
    }
  }

  #load(plan: Plan<Node>, carrier: Carrier<Node>, ended: Done): void {
    const { plugin, begin } = plan
    const { node, options } = carrier
    this.#waiting.delete(plan)
    this.#loading.push(plan)
    const end = begin?.()
    const done = (failure?: unknown): void => {
      const error = failure ?? this.#around.loaded()
      const at = this.#loading.lastIndexOf(plan)
      if (at >= 0) this.#loading.splice(at, 1)
      end?.()
      ended(error)
    }
    const fail = (error: unknown): void => {
      process.nextTick(done, this.#blame(plan, error))
    }
    const finish = (error?: unknown): void => {
      if (error === undefined || error === null) done()
      else done(this.#blame(plan, error))
    }
    try {
      const call = plugin as (...args: unknown[]) => unknown
      const result = call(node.objects.server, options ?? {}, finish)
      if (isThenable(result)) result.then(() => process.nextTick(done), fail)
      else if (plugin.length < 3) done()
    } catch (error) {
      done(this.#blame(plan, error))
    }
  }

  /** The error that names the plugin. Coded errors name it already. Any other value, undefined
   *  included, becomes the cause of an ESP_ERR_PLUGIN_FAILED. */
  #blame(plan: Plan<Node>, error: unknown): unknown {
    const { show, wrapsForeign } = this.#root.objects.dialect.errors
    if (error instanceof EspalierError) return show(bootError(plan.origin, error))
    if (!wrapsForeign && error instanceof Error) return error
    const what = error instanceof Error ? error.message : describe(error)
    const failed = new errorCodes.ESP_ERR_PLUGIN_FAILED(pathOf(plan), what, error)
    return show(bootError(plan.origin, failed))
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
    dropForeignStack(error)
    Reflect.deleteProperty(error, 'statusCode')
    const plan = this.#plans.get(error.fn as object)
    const name = plan === undefined ? 'after' : (this.loading ?? pathOf(plan))
    const late = new errorCodes.ESP_ERR_PLUGIN_TIMEOUT(name, this.#timeout, error)
    return this.#root.objects.dialect.errors.show(bootError(plan?.origin, late))
  }
}

function pathOf({ parent, name }: Plan<Context>): string {
  return `${parent.path} > ${name}`
}

/** The options of a plugin. They may be a function of the server. */
function optionsOf({ options }: { readonly options: unknown }, node: Context): unknown {
  if (typeof options !== 'function') return options
  const compute = options as (server: object) => unknown
  return compute(node.objects.server)
}
