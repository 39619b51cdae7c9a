import type { AddedHook } from '../../context/hooks.ts'
import { guard } from '../../lifecycle/log/guard.ts'
import { type GivenRoute, type RouteDeclaration, withKnown } from '../../route/declaration.ts'
import { errorCodes } from '../../errors/codes.ts'
import { originOfCall } from '../../errors/origin.ts'
import type { ServerContext } from '../context-objects.ts'
import { writeFailure } from '../log.ts'
import type { RouterOptions } from '../options/routing.ts'
import { joinPath, urlsOf } from './urls.ts'

interface Source {
  readonly given: GivenRoute
  readonly context: ServerContext
  /** Checks options. @throws the errors of `readRoute` */
  readonly read: (given: GivenRoute) => RouteDeclaration
  readonly routing: RouterOptions
}

/** A route and its HEAD route, which onRoute hooks see and may change. They see its schema in full
 *  form. An unknown option is accepted if a hook reads or sets it. */
export class AnnouncedRoute {
  readonly hookName = 'onRoute'
  readonly context: ServerContext
  /** The call that declared it. */
  readonly origin: Error | undefined
  readonly #source: Source
  /** The route as it was given. */
  readonly #first: RouteDeclaration
  /** The options that a hook has read or set. */
  readonly #used: Set<PropertyKey>
  #declaration: RouteDeclaration
  /** What hooks see: a copy of the given options. Plugins may keep it to document the route. */
  #shown: { readonly route: Record<string, unknown>; readonly watched: GivenRoute } | undefined
  #head: AnnouncedRoute | undefined
  /** What `Hooks.now` was when the route was announced. */
  #announced = 0

  /** @param get the GET route whose HEAD route this is
   *  @throws the errors of `read` */
  constructor(source: Source, get?: AnnouncedRoute) {
    this.context = source.context
    this.origin = get === undefined ? originOfCall() : get.origin
    this.#source = source
    this.#first = get === undefined ? source.read(source.given) : get.#first
    this.#used = get === undefined ? new Set() : get.#used
    this.#declaration = this.#first
  }

  /** The route as the hooks have left it. */
  get declaration(): RouteDeclaration {
    return this.#declaration
  }

  get title(): string {
    const { methods, path } = this.#declaration
    return `route '${methods.join(',')} ${path}' in ${this.context.path}`
  }

  /** What decides where the route and its HEAD route stand in the router. */
  get place(): object {
    const { methods, path, constraints, prefixTrailingSlash, exposeHeadRoute } = this.#declaration
    // Copies, since hooks may change the constraints themselves.
    const own = { methods, path, constraints: { ...constraints }, prefixTrailingSlash }
    return { ...own, exposeHeadRoute, head: { ...this.#head?.declaration.constraints } }
  }

  /** The onRoute hooks of the context and its parents that have not seen the route. */
  get unseenBy(): readonly AddedHook[] {
    return this.context.hooks.addedSince(this.#announced, this.hookName)
  }

  /** Calls the hooks that have not seen the route, and reads it again afterwards.
   *  @throws the errors of `read` and of the hooks, and ESP_ERR_ROUTE_PATH */
  announce(): void {
    const hooks = this.unseenBy
    this.#announced = this.context.hooks.now
    if (hooks.length > 0) {
      const announced = this.#source.read(this.#show(hooks))
      const { unknown } = this.#first
      // A hook knows the options that it has added.
      this.#declaration = withKnown(announced, (name) => this.#used.has(name) || !unknown.has(name))
    }
    if (announcesHead(this.#declaration)) this.#head?.announce()
  }

  /** The HEAD route of a GET route. The hooks see it too. */
  head(): AnnouncedRoute {
    if (this.#head !== undefined) return this.#head
    const given = { ...this.#source.given, method: 'HEAD' }
    const head = new AnnouncedRoute({ ...this.#source, given }, this)
    head.announce()
    this.#head = head
    return head
  }

  /** Calls hooks with a copy of the route. @returns the changed copy */
  #show(hooks: readonly AddedHook[]): GivenRoute {
    const { path, prefixTrailingSlash } = this.#declaration
    const { prefix, objects } = this.context
    const routePath = prefix !== '' && path === '/' && prefixTrailingSlash !== 'slash' ? '' : path
    const url = prefix === '' && path === '' ? '/' : joinPath(prefix, routePath)
    const { route, watched } = (this.#shown ??= this.#copy())
    Object.assign(route, { url, path: url, routePath })
    for (const { hook } of hooks) {
      const returned: unknown = Reflect.apply(hook, objects.server, [watched])
      guard(() => returned, writeFailure)
    }
    const isMoved = route['url'] !== url
    const left = {
      ...route,
      logLevel: route['logLevel'] === '' ? undefined : route['logLevel'],
      path: undefined,
      url: isMoved ? withoutPrefix(route['url'], this.context) : path,
    }
    if (!isMoved) this.#leaveLastPath(route, url)
    return left
  }

  #copy(): { readonly route: Record<string, unknown>; readonly watched: GivenRoute } {
    const { given, context } = this.#source
    const { schema, attachValidation } = this.#first
    const logLevel = given['logLevel'] ?? context.resolve('logLevel') ?? ''
    const own = { attachValidation, prefix: context.prefix, logLevel }
    const route = { ...given, ...(given.schema !== undefined && { schema }), ...own }
    return { route, watched: watch(route, this.#used) }
  }

  /** Fastify leaves the last path in the object that plugins may keep. */
  #leaveLastPath(route: Record<string, unknown>, url: string): void {
    const { prefix, objects } = this.context
    const { routing } = this.#source
    const { path } = this.#declaration
    const last = urlsOf(prefix, this.#declaration, { routing, dialect: objects.dialect }).at(-1)
    if (last !== url) Object.assign(route, { url: last, path: last, routePath: path })
  }
}

/** Whether hooks see the HEAD route, if there is one. */
function announcesHead({ methods, exposeHeadRoute }: RouteDeclaration): boolean {
  return methods.includes('GET') && exposeHeadRoute !== false
}

/** A view of a route that records which options are read or set. */
function watch(route: GivenRoute, used: Set<PropertyKey>): GivenRoute {
  return new Proxy(route, {
    get(target, name) {
      used.add(name)
      return Reflect.get(target, name) as unknown
    },
    set(target, name, value) {
      used.add(name)
      return Reflect.set(target, name, value)
    },
  })
}

/** The new path of a route, without the prefix. @throws ESP_ERR_ROUTE_PATH for another prefix */
function withoutPrefix(url: unknown, { prefix, path }: ServerContext): unknown {
  if (typeof url !== 'string') return url
  if (url.startsWith(prefix)) return url.slice(prefix.length)
  const reason = `an onRoute hook took it out of its prefix '${prefix}'`
  throw new errorCodes.ESP_ERR_ROUTE_PATH(url, path, reason)
}
