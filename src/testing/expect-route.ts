import { AssertionError } from 'node:assert'
import type { Routed } from '../route/route-entry.ts'
import type { RouteTests } from './claims.ts'

/** A server that `expectRoute` can ask. */
export interface Bootable {
  ready(): PromiseLike<unknown>
  hasRoute(route: { readonly method: string; readonly url: string }): boolean
}

/** Claims about one route of a server. The compiler checks them: a claim that does not hold is an
 *  error on its line, which names the difference. At run time they do nothing, but for `exists`.
 *  @example
 *  expectRoute(app, 'GET /users/:id').replies(200).toEqualTypeOf<{ name: string }>() */
export function expectRoute<
  App extends Routed & Bootable,
  // With `RouteKey<App>`, compiler messages would show that alias instead of the keys.
  Key extends keyof App['~context']['routes'] & string,
>(app: App, key: Key): RouteTests<App, Key>
export function expectRoute(app: Bootable, key: string): unknown {
  const claim = { toEqualTypeOf: () => undefined, toExtend: () => undefined }
  return {
    ...{ takes: () => claim, reads: () => claim, replies: () => claim, rejects: () => undefined },
    async exists() {
      await app.ready()
      const [method = '', ...url] = key.split(' ')
      if (app.hasRoute({ method, url: url.join(' ') })) return
      throw new AssertionError({ message: `The server has no route '${key}'`, operator: 'exists' })
    },
  }
}
