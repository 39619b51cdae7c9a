import type { HTTPVersion, Instance } from 'find-my-way'
import { lazy } from '../../schema/lazy.ts'
import late from '../../packages/late.cjs'
import { OwnRouter, type RouterConfig } from './own-router.ts'

/** What a server needs of a router. `compile` is there where code may be made. */
export type Router = Pick<OwnRouter, keyof OwnRouter> &
  Partial<Pick<Instance<HTTPVersion.V1>, 'compile'>>

/** Makes a router: find-my-way, which makes functions from strings for each route. Where the
 *  process may not do that (`--disallow-code-generation-from-strings`), our own. A worker may, but
 *  only while it starts. */
export function createRouter(config: RouterConfig): Router {
  return mayGenerate() ? late.findMyWay()(config) : new OwnRouter(config)
}

const mayGenerate = lazy(() => {
  if (late.isForWorkers) return false
  try {
    Reflect.construct(Function, [''])
    return true
  } catch {
    return false
  }
})
