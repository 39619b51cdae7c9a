import { isDeepStrictEqual } from 'node:util'
import type { AddedHook } from '../context/hooks.ts'
import { errorCodes } from '../errors/codes.ts'
import { describe } from '../schema/values.ts'
import type { ServerContext } from './context-objects.ts'
import { AnnouncedRoute } from './routing/announced-route.ts'
import type { Routes } from './routing/routes.ts'

/** A route or an opened context. */
interface Announcement {
  readonly hookName: 'onRoute' | 'onRegister'
  /** The name in error messages. */
  readonly title: string
  /** The context whose hooks see it, with those of the parents. */
  readonly context: ServerContext
  readonly unseenBy: readonly AddedHook[]
  /** What decides where a route stands in the router. */
  readonly place?: object
  /** Calls the hooks that have not seen it. @throws their errors */
  announce(): void
}

/** Shows routes and opened contexts to the hooks of their scope: at once to those that are there,
 *  and to those that are added later when these catch up. */
export class Announcer {
  readonly #routes: Routes
  /** All announcements, each with its number in the order of the calls. */
  readonly #numbers = new Map<Announcement, number>()
  readonly #own = new Map<ServerContext, Announcement[]>()
  /** The contexts with hooks that may have something to catch up with. */
  readonly #late = new Set<ServerContext>()
  /** Who added the hooks that have caught up since the routes were placed. */
  readonly #latecomers = new Set<string>()
  #isCatchingUp = false
  /** Whether the router does not have all routes in their places. */
  #isMoved = false
  #failure: Error | undefined

  constructor(routes: Routes) {
    this.#routes = routes
  }

  /** Shows a new route or context to the hooks that are there, and places a route in the router.
   *  @throws the errors of `announce`, `Routes.declare` and `catchUp` */
  add(announcement: Announcement): void {
    this.catchUp()
    announcement.announce()
    if (announcement instanceof AnnouncedRoute) {
      if (this.#isCatchingUp) this.#isMoved = true
      else this.#routes.declare(announcement)
    }
    const { context, unseenBy } = announcement
    this.#numbers.set(announcement, this.#numbers.size)
    const own = this.#own.get(context)
    if (own === undefined) this.#own.set(context, [announcement])
    else own.push(announcement)
    // A hook may have added hooks.
    if (unseenBy.length > 0) this.expect(context)
  }

  /** Lets the new hooks of a context see what was there before them, at the next `catchUp`: what a
   *  hook uses may exist only after the hook was added. */
  expect(context: ServerContext): void {
    if (context.objects.dialect.boot.hooksSeeEarlier) this.#late.add(context)
  }

  /** Shows routes and contexts to the hooks that were added behind them, in the order in which they
   *  were declared. Routes that a hook declares meanwhile are shown at once, and placed at the end.
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
    const earlier = new Set([...this.#late].flatMap((context) => this.#below(context)))
    this.#late.clear()
    const numberOf = (one: Announcement): number => this.#numbers.get(one) ?? 0
    for (const one of [...earlier].sort((a, b) => numberOf(a) - numberOf(b))) {
      const { place, unseenBy } = one
      const who = new Set(unseenBy.map((hook) => hook.place))
      for (const name of who) this.#latecomers.add(name)
      this.#blaming(who, one, () => {
        one.announce()
      })
      this.#isMoved ||= !isDeepStrictEqual(place, one.place)
    }
  }

  #placeAll(): void {
    this.#isMoved = false
    this.#routes.clear()
    for (const one of this.#numbers.keys()) {
      if (!(one instanceof AnnouncedRoute)) continue
      this.#blaming(this.#latecomers, one, () => {
        this.#routes.declare(one)
      })
    }
  }

  #below(context: ServerContext): Announcement[] {
    const own = this.#own.get(context) ?? []
    return [...own, ...context.children.flatMap((child) => this.#below(child))]
  }

  /** Adds to an error which hooks were called, and for what. */
  #blaming(who: ReadonlySet<string>, { hookName, title }: Announcement, work: () => void): void {
    try {
      work()
    } catch (error) {
      const at = `${[...who].join('; ')} for the earlier ${title}`
      const what = error instanceof Error ? error.message : describe(error)
      this.#failure = new errorCodes.ESP_ERR_HOOK_FAILED(hookName, at, what, error)
      throw this.#failure
    }
  }
}
