import { ignoreRejection, isThenable } from '../../schema/values.ts'
import { callAndWait, callHook, tell, type Callable } from '../../plugin/callbacks.ts'
import {
  markShared,
  nameOf,
  placeName,
  readPlugin,
  type PluginFunction,
} from '../../plugin/plugin.ts'
import { awaitable, open, plain, promised, seatOf } from '../seat.ts'
import { RouteFace } from './routes.ts'

/** The plugins of a scope, and the boot that loads them. */
export class PluginFace extends RouteFace {
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
    const { host } = seatOf(this)
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
    const { host, context } = seatOf(this)
    const server = plain(this)
    host.boot.onClose(() => callHook({ name: 'onClose', context }, callback, [server]))
    return server
  }

  hasPlugin(name: string): boolean {
    return seatOf(this).context.hasPlugin(name)
  }

  /** The plugins as text: a tree, with the time that each took to load. */
  printPlugins(): string {
    return seatOf(this).host.boot.print()
  }
}

interface Registered {
  readonly plugin: unknown
  readonly options: unknown
  /** What messages call it where it has no name. */
  readonly place: string
}

function load<Face extends PluginFace>(server: Face, registered: Registered): Face {
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
  async function imported(server: PluginFace): Promise<PluginFace> {
    return load(server, { ...registered, plugin: await plugin })
  }
  return markShared(imported)
}

function isPresent(error: unknown): boolean {
  return error !== undefined && error !== null
}
