import { errorCodes } from '../../errors/codes.ts'
import { deriving, derivePhases, isDerivePhase } from '../../context/derive.ts'
import { isRequestHook, isScopeHook, readHook } from '../../context/hooks.ts'
import { callHook } from '../../plugin/callbacks.ts'
import { isHostHook } from '../boot/application-hooks.ts'
import { open, openLate, plain } from '../seat.ts'
import { ScopeFace } from './scope.ts'

/** What runs around the handlers of a scope. */
export class HookFace extends ScopeFace {
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
}
