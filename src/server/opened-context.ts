import type { AddedHook } from '../context/hooks.ts'
import { guard } from '../lifecycle/log/guard.ts'
import type { ServerContext } from './context-objects.ts'
import { writeFailure } from './log.ts'

/** The child context of a plugin, which the onRegister hooks of its parents see. */
export class OpenedContext {
  readonly hookName = 'onRegister'
  /** The parent. */
  readonly context: ServerContext
  readonly #child: ServerContext
  /** The options of the plugin. */
  readonly #options: unknown
  /** What `Hooks.now` was when the context was announced. */
  #announced = 0

  constructor(parent: ServerContext, child: ServerContext, options: unknown = {}) {
    this.context = parent
    this.#child = child
    this.#options = options
  }

  get title(): string {
    return `context ${this.#child.path}`
  }

  /** The hooks that have not seen the context. */
  get unseenBy(): readonly AddedHook[] {
    return this.context.hooks.addedSince(this.#announced, this.hookName)
  }

  /** Calls the hooks that have not seen the context. It does not wait for promises.
   *  @throws the errors of the hooks */
  announce(): void {
    const { hooks, objects } = this.context
    const { decorators, objects: own } = this.#child
    const unseen = this.unseenBy
    this.#announced = hooks.now
    decorators.server.whileReplacing(() => {
      for (const { hook } of unseen) {
        const returned: unknown = Reflect.apply(hook, objects.server, [own.server, this.#options])
        guard(() => returned, writeFailure)
      }
    })
  }
}
