import { isDeepStrictEqual } from 'node:util'
import { errorCodes } from '../../errors/codes.ts'
import { describe } from '../../schema/values.ts'
import type { ServerContext } from '../context-objects.ts'
import type { AnnouncedRoute } from './announced-route.ts'
import type { Routes } from './routes.ts'

/** Declares routes, and shows each to the onRoute hooks of its scope: to those that are there at
 *  once, and to those that are added later when these catch up. */
export class Announcer {
  readonly #routes: Routes
  /** All routes, each with its number in the order of declaration. */
  readonly #numbers = new Map<AnnouncedRoute, number>()
  readonly #own = new Map<ServerContext, AnnouncedRoute[]>()
  /** The contexts with hooks that may have routes to catch up with. */
  readonly #late = new Set<ServerContext>()
  #isCatchingUp = false
  /** Whether the router does not have all routes in their places. */
  #isMoved = false
  /** Who added the hooks that have caught up since the routes were placed. */
  readonly #latecomers = new Set<string>()
  #failure: Error | undefined

  constructor(routes: Routes) {
    this.#routes = routes
  }

  /** Shows a new route to the hooks that are there, and places it in the router.
   *  @throws the errors of `AnnouncedRoute.announce`, `Routes.declare` and `catchUp` */
  declare(route: AnnouncedRoute): void {
    this.catchUp()
    route.announce()
    if (this.#isCatchingUp) this.#isMoved = true
    else this.#routes.declare(route)
    this.#numbers.set(route, this.#numbers.size)
    const own = this.#own.get(route.context)
    if (own === undefined) this.#own.set(route.context, [route])
    else own.push(route)
    // A hook may have added hooks.
    if (route.unseenBy.length > 0) this.expect(route.context)
  }

  /** Lets the new hooks of a context see the routes that were declared before them, at the next
   *  `catchUp`: what a hook uses may exist only after the hook was added. */
  expect(context: ServerContext): void {
    if (context.objects.dialect.boot.showsEarlierRoutes) this.#late.add(context)
  }

  /** Shows routes to the hooks that were added behind them, in the order of declaration. Routes
   *  that a hook declares meanwhile are shown at once, and placed at the end.
   *  @throws ESP_ERR_HOOK_FAILED; once it has failed, each call throws it */
  catchUp(): void {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#isCatchingUp) return
    this.#isCatchingUp = true
    try {
      while (this.#late.size > 0) this.#announceEarlier()
      if (this.#isMoved) this.#placeAll()
      this.#latecomers.clear()
    } finally {
      this.#isCatchingUp = false
    }
  }

  #announceEarlier(): void {
    const routes = new Set([...this.#late].flatMap((context) => this.#below(context)))
    this.#late.clear()
    const numberOf = (route: AnnouncedRoute): number => this.#numbers.get(route) ?? 0
    for (const route of [...routes].sort((one, other) => numberOf(one) - numberOf(other))) {
      const { place, unseenBy } = route
      const who = new Set(unseenBy.map((hook) => hook.place))
      for (const name of who) this.#latecomers.add(name)
      this.#blaming(who, route, () => {
        route.announce()
      })
      this.#isMoved ||= !isDeepStrictEqual(place, route.place)
    }
  }

  #placeAll(): void {
    this.#isMoved = false
    this.#routes.clear()
    for (const route of this.#numbers.keys()) {
      this.#blaming(this.#latecomers, route, () => {
        this.#routes.declare(route)
      })
    }
  }

  #below(context: ServerContext): AnnouncedRoute[] {
    const own = this.#own.get(context) ?? []
    return [...own, ...context.children.flatMap((child) => this.#below(child))]
  }

  /** Adds to an error which hooks were called, and for which route. */
  #blaming(who: ReadonlySet<string>, { declaration, context }: AnnouncedRoute, work: () => void) {
    try {
      work()
    } catch (error) {
      const route = `${declaration.methods.join(',')} ${declaration.path}`
      const at = `${[...who].join('; ')} for the earlier route '${route}' in ${context.path}`
      const what = error instanceof Error ? error.message : describe(error)
      this.#failure = new errorCodes.ESP_ERR_HOOK_FAILED('onRoute', at, what, error)
      throw this.#failure
    }
  }
}
