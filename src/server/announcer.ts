import { isDeepStrictEqual } from 'node:util'
import type { AddedHook } from '../context/hooks.ts'
import { errorCodes } from '../errors/codes.ts'
import { describe } from '../errors/describe.ts'
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
  /** All announcements, in the order of the calls. */
  readonly #all: Announcement[] = []
  /** The contexts with hooks that may have something to catch up with. */
  readonly #late = new Set<ServerContext>()
  /** All contexts that were ever late. */
  readonly #everLate = new Set<ServerContext>()
  /** Who added the hooks that have caught up since the routes were placed. */
  readonly #latecomers = new Set<string>()
  #isCatchingUp = false
  #isEnding = false
  /** Whether the router does not have all routes in their places. */
  #isMoved = false
  #failure: Error | undefined

  constructor(routes: Routes) {
    this.#routes = routes
  }

  /** Shows a new route or context to the hooks that are there, and places a route in the router.
   *  @throws what `catchUp` returns, and the errors of `announce` and `Routes.declare` */
  add(announcement: Announcement): void {
    const failure = this.catchUp()
    if (failure !== undefined) throw failure
    announcement.announce()
    if (announcement instanceof AnnouncedRoute) {
      if (this.#isCatchingUp) this.#isMoved = true
      else this.#routes.declare(announcement)
    }
    this.#all.push(announcement)
    // A hook may have added hooks.
    if (announcement.unseenBy.length > 0) this.expect(announcement.context)
  }

  /** Lets the new hooks of a context see what was there before them, at the next `catchUp`: what a
   *  hook uses may exist only after the hook was added. */
  expect(context: ServerContext): void {
    if (!context.objects.dialect.boot.hooksSeeEarlier) return
    this.#late.add(context)
    this.#everLate.add(context)
  }

  /** Shows routes to the hooks that were added behind them, in the order in which they were
   *  declared. Routes that a hook declares meanwhile are shown at once, and placed at the end.
   *  @returns ESP_ERR_HOOK_FAILED if it fails, or has failed before */
  catchUp(): Error | undefined {
    if (this.#isCatchingUp) return undefined
    this.#isCatchingUp = true
    while (this.#late.size > 0) this.#announceEarlier()
    if (this.#isMoved) this.#placeAll()
    this.#latecomers.clear()
    this.#isCatchingUp = false
    return this.#failure
  }

  /** The last `catchUp`: it shows contexts, too. Then it lets go of what only hooks need. */
  end(): Error | undefined {
    this.#isEnding = true
    for (const context of this.#everLate) this.#late.add(context)
    const failure = this.catchUp()
    this.#all.length = 0
    return failure
  }

  #announceEarlier(): void {
    const late = new Set(this.#late)
    this.#late.clear()
    // @fastify/middie copies what a context inherits. That has to be complete.
    const shown = this.#all.filter((one) => one instanceof AnnouncedRoute || this.#isEnding)
    for (const one of shown.filter(({ context }) => isWithin(context, late))) {
      const who = new Set(one.unseenBy.map((hook) => hook.place))
      if (who.size === 0) continue
      for (const name of who) this.#latecomers.add(name)
      this.#blaming(who, one, () => {
        const { place } = one
        one.announce()
        this.#isMoved ||= !isDeepStrictEqual(place, one.place)
      })
    }
  }

  #placeAll(): void {
    this.#isMoved = false
    this.#routes.clear()
    for (const one of this.#all) {
      if (!(one instanceof AnnouncedRoute)) continue
      this.#blaming(this.#latecomers, one, () => {
        this.#routes.declare(one)
      })
    }
  }

  /** Adds to an error which hooks were called, and for what. After that error it does nothing. */
  #blaming(who: ReadonlySet<string>, { hookName, title }: Announcement, work: () => void): void {
    if (this.#failure !== undefined) return
    try {
      work()
    } catch (error) {
      const at = `${[...who].join('; ')} for the earlier ${title}`
      const what = error instanceof Error ? error.message : describe(error)
      this.#failure = new errorCodes.ESP_ERR_HOOK_FAILED(hookName, at, what, error)
    }
  }
}

/** Whether a context is one of these, or below one. */
function isWithin(context: ServerContext | undefined, these: ReadonlySet<ServerContext>): boolean {
  return context !== undefined && (these.has(context) || isWithin(context.parent, these))
}
