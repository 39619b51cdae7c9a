import createRouter from 'find-my-way'
import type { HTTPMethod } from 'find-my-way'
import { errorCodes } from '../errors/codes.ts'
import type { Context } from '../context/context.ts'
import { Lifecycle, type RouteRunner } from '../lifecycle/run.ts'
import { compileRoute, type CompileOptions, type RouteSeat } from '../route/compile.ts'
import type { RouteDeclaration } from '../route/declaration.ts'
import type { Request } from '../exchange/request.ts'
import type { ServerFaces } from './faces.ts'
import { fallbackSeat, NotFoundRoutes, type FoundRoute } from './not-found.ts'

/** What the router finds: a route, which is given its runner when the server becomes ready. */
interface Slot {
  readonly seat: RouteSeat
  /** Whether it stands for HEAD only because a GET route does. */
  readonly isAutomatic: boolean
  runner: RouteRunner | undefined
}

/** The routes of a server and the router that finds them. */
export class Routes {
  readonly #router = createRouter({ onBadUrl: () => undefined })
  readonly #slots = new Map<string, Slot>()
  readonly #exposesHead: boolean
  readonly #notFound: NotFoundRoutes
  #badUrl: RouteRunner = notReady

  constructor(exposesHead: boolean) {
    this.#exposesHead = exposesHead
    this.#notFound = new NotFoundRoutes()
  }

  /** Declares a route under each of its methods, and under HEAD where it answers GET.
   *  @param head the route for HEAD, asked for where there is none yet
   *  @throws ESP_ERR_DUPLICATED_ROUTE, ESP_ERR_ROUTE_PATH */
  declare(
    declaration: RouteDeclaration,
    context: Context<ServerFaces>,
    head: () => RouteDeclaration = () => declaration,
  ): void {
    const { methods, exposeHeadRoute } = declaration
    for (const url of urlsOf(context.prefix, declaration.path)) {
      for (const method of methods) {
        this.#add({ declaration, context, method, url, is404: false }, false)
      }
      const wantsHead = methods.includes('GET') && (exposeHeadRoute ?? this.#exposesHead)
      if (wantsHead && this.#present('HEAD', url) === undefined) {
        this.#add({ declaration: head(), context, method: 'HEAD', url, is404: false }, true)
      }
    }
  }

  has(method: string, url: string): boolean {
    return this.#slots.has(`${method} ${url}`)
  }

  /** The routes that were declared, those for HEAD that stand beside a GET left out. */
  seats(): RouteSeat[] {
    return [...this.#slots.values()].filter((slot) => !slot.isAutomatic).map((slot) => slot.seat)
  }

  /** Sets what answers where no route is found below a context's prefix.
   *  @throws ESP_ERR_NOT_FOUND_HANDLER */
  declareNotFound(declaration: RouteDeclaration, context: Context<ServerFaces>): void {
    this.#notFound.declare(declaration, context)
  }

  /** Compiles every route. @throws the boot error of the first that cannot be compiled */
  compile(root: Context<ServerFaces>, options: CompileOptions): void {
    this.#notFound.compile(root, options)
    for (const slot of this.#slots.values()) {
      const route = compileRoute(slot.seat, options)
      slot.runner = new Lifecycle(route, this.#notFound.of(slot.seat.context)).run
    }
    const badUrl = compileRoute(fallbackSeat(root, answerBadUrl), options)
    this.#badUrl = new Lifecycle(badUrl).run
  }

  /** The route that answers a request; one that answers 404 or 400 where none was declared. */
  find(method: string, url: string): FoundRoute {
    const found = this.#router.find(method as HTTPMethod, url)
    if (found === null) return this.#notFound.find(url)
    // The router has no slot for a path that is not a valid URL.
    const { runner } = (found.store as Slot | null) ?? { runner: this.#badUrl }
    return { run: runner ?? notReady, params: found.params, query: found.searchParams }
  }

  print(): string {
    return this.#router.prettyPrint({ commonPrefix: false })
  }

  #add(seat: RouteSeat, isAutomatic: boolean): void {
    const { method, url, context } = seat
    const key = `${method} ${url}`
    const present = this.#present(method, url)
    if (present !== undefined && !present.isAutomatic) {
      const first = present.seat.context.path
      throw new errorCodes.ESP_ERR_DUPLICATED_ROUTE(key, first, context.path)
    }
    const slot: Slot = { seat, isAutomatic, runner: undefined }
    if (present !== undefined) {
      this.#router.off(method as HTTPMethod, present.seat.url)
      this.#slots.delete(`${method} ${present.seat.url}`)
    }
    this.#route(slot)
    this.#slots.set(key, slot)
  }

  /** A route that answers the same requests: names of parameters make no difference. */
  #present(method: string, url: string): Slot | undefined {
    try {
      return this.#router.findRoute(method as HTTPMethod, url)?.store as Slot | undefined
    } catch {
      // The path is wrong, which declaring it will say.
      return undefined
    }
  }

  #route(slot: Slot): void {
    const { method, url, context } = slot.seat
    try {
      this.#router.on(method as HTTPMethod, url, () => undefined, slot)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new errorCodes.ESP_ERR_ROUTE_PATH(url, context.path, reason, error)
    }
  }
}

/** The full paths of a route. A `/` in a prefixed context answers with and without its slash. */
function urlsOf(prefix: string, path: string): string[] {
  if (prefix === '') return [path === '' ? '/' : path]
  if (path === '' || path === '/')
    return prefix.endsWith('/') || path === '' ? [prefix] : [prefix, `${prefix}/`]
  return [prefix.endsWith('/') && path.startsWith('/') ? prefix + path.slice(1) : prefix + path]
}

function answerBadUrl({ url }: Request): never {
  throw new errorCodes.ESP_ERR_BAD_URL(url)
}

function notReady(): never {
  throw new Error('a request came before the routes were compiled')
}
