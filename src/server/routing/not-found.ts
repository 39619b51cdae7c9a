import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorCodes } from '../../errors/codes.ts'
import { EspalierError } from '../../errors/espalier-error.ts'
import type { Context } from '../../context/context.ts'
import { mapHooks } from '../../context/hooks.ts'
import type { Reply } from '../../lifecycle/reply.ts'
import type { Request } from '../../lifecycle/request.ts'
import { Lifecycle, sendNotFound } from '../../lifecycle/run.ts'
import { type CompileOptions, compileRoute } from '../../route/compile.ts'
import { readRoute, type RouteDeclaration } from '../../route/declaration.ts'
import type { ExchangeClasses, RouteRegistration } from '../../route/declaration.ts'
import type { ServerContext } from '../context-objects.ts'
import type { FrameworkErrors, RouterOptions } from '../options/routing.ts'
import { joinPath } from './urls.ts'
import { createRouter, type Router } from './router.ts'

/** A not-found handler. It gets its lifecycle when the server becomes ready. */
interface NotFoundSlot {
  readonly declaration: RouteDeclaration
  readonly context: ServerContext
  lifecycle: Lifecycle | undefined
}

/** The part of a slot that answers. The default handler has nothing else. */
type Answering = Pick<NotFoundSlot, 'lifecycle'>

/** The not-found handlers: one for each prefix. The longest matching prefix answers a request. */
export class NotFoundRoutes {
  readonly #slots = new Map<object, NotFoundSlot>()
  readonly #router: Router
  /** The default handler. */
  #fallback: Lifecycle | undefined

  constructor(options: RouterOptions) {
    const { compile: _compile, ...config } = options
    this.#router = createRouter({
      ...config,
      constraints: {},
      onBadUrl: () => undefined,
      // A parameter in a prefix may be longer than the parameters of routes.
      maxParamLength: Infinity,
    })
  }

  /** @throws ESP_ERR_NOT_FOUND_HANDLER, ESP_ERR_ROUTE_PATH */
  declare(declaration: RouteDeclaration, context: ServerContext): void {
    const { prefix } = context
    const slot = { declaration, context, lifecycle: undefined }
    for (const path of prefix === '' ? ['/*'] : [prefix, joinPath(prefix, '/*')]) {
      this.#route(path, slot)
    }
    this.#slots.set(levelOf(context), slot)
  }

  compile(root: ServerContext, options: CompileOptions): void {
    const fallback = fallbackRegistration(root, sendNotFound, options)
    const registration = { ...fallback, ignoresBody: !options.dialect.methods.readsUnrouted }
    const lifecycle = new Lifecycle(compileRoute(registration, options))
    this.#fallback = lifecycle
    if (this.#router.findRoute('GET', '/*') === null) {
      this.#router.on('GET', '/*', {}, () => undefined, { lifecycle })
    }
    for (const slot of this.#slots.values()) {
      const { declaration, context } = slot
      slot.lifecycle = new Lifecycle(compileRoute(toRegistration(declaration, context), options))
    }
  }

  /** The lifecycle for `callNotFound` in a context: that of its level, or of the nearest parent. A
   *  sibling with the same prefix does not count, since its requests have other decorators. */
  nearest(context: Context<ExchangeClasses>): Lifecycle | undefined {
    const level = levelOf(context)
    const own = this.#slots.get(level)
    if (own !== undefined) return own.lifecycle
    return level.parent === undefined ? this.#fallback : this.nearest(level.parent)
  }

  /** Answers a request that has no route. */
  answer(request: IncomingMessage, response: ServerResponse): void {
    const { url = '/' } = request
    const found = this.#find(url) ?? this.#find(withoutEscapes(url))
    const { lifecycle = this.#fallback } = (found?.store ?? {}) as Partial<Answering>
    if (lifecycle === undefined) notReady()
    lifecycle.run(request, response, found?.params ?? {}, found?.searchParams ?? {})
  }

  /** Undefined for a malformed URL, for which the router finds no store. */
  #find(url: string): ReturnType<Router['find']> | undefined {
    const found = this.#router.find('GET', url)
    return (found?.store ?? null) === null ? undefined : found
  }

  /** Routes a path to a slot. All are of one method: the router does not distinguish methods
   *  here. */
  #route(path: string, slot: NotFoundSlot): void {
    const { prefix, path: place } = slot.context
    try {
      const present = this.#router.findRoute('GET', path)?.store as NotFoundSlot | undefined
      if (present !== undefined) {
        const [first, where] = [present.context.path, prefix === '' ? '/' : prefix]
        throw new errorCodes.ESP_ERR_NOT_FOUND_HANDLER(where, first, place)
      }
      this.#router.on('GET', path, {}, () => undefined, slot)
    } catch (error) {
      if (error instanceof EspalierError) throw error
      const reason = error instanceof Error ? error.message : String(error)
      throw new errorCodes.ESP_ERR_ROUTE_PATH(path, place, reason, error)
    }
  }
}

/** A URL whose path can be decoded, made from a malformed one. */
function withoutEscapes(url: string): string {
  return url.replace(/^[^?;]*/, (path) => path.replaceAll('%', ''))
}

/** The context that opened the prefix of a context: the context itself, or an ancestor. */
function levelOf(context: Context<ExchangeClasses>): Context<ExchangeClasses> {
  const { parent, prefix } = context
  return parent?.prefix === prefix ? levelOf(parent) : context
}

/** A registration for requests without a route. It has the hooks and the error handler of a
 *  context. */
function fallbackRegistration(
  context: ServerContext,
  handler: (request: Request, reply: Reply) => unknown,
  { methods, dialect }: CompileOptions,
): RouteRegistration {
  const rules = { methods, dialect, prefix: '', expands: true }
  const declaration = readRoute({ method: 'GET', path: '*', handler }, context.path, rules)
  return { ...toRegistration(declaration, context), ignoresBody: true }
}

function toRegistration(declaration: RouteDeclaration, context: ServerContext): RouteRegistration {
  return { declaration, context, method: 'GET', url: '*', is404: true }
}

/** Answers a request that fails before it has a route. */
export type FailureAnswer = (
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
) => void

/** Makes the answer to requests that fail before they have a route: by the hooks and the error
 *  handler of the root, or by `frameworkErrors` for errors of the framework. */
export function createFailureAnswer(
  root: ServerContext,
  options: CompileOptions,
  frameworkErrors: FrameworkErrors | undefined,
): FailureAnswer {
  const { show, runsHooksUnrouted } = options.dialect.errors
  const errors = new WeakMap<IncomingMessage, unknown>()
  const handler = (request: Request, reply: Reply): unknown => {
    const error = errors.get(request.raw)
    if (frameworkErrors === undefined || !(error instanceof EspalierError)) throw error
    return Reflect.apply(frameworkErrors, root.objects.server, [show(error), request, reply])
  }
  const route = compileRoute(fallbackRegistration(root, handler, options), options)
  const bare = { ...route, hooks: mapHooks(() => []), errorHandlers: [] }
  const { run } = new Lifecycle(runsHooksUnrouted ? route : bare)
  return (request, response, error) => {
    errors.set(request, error)
    run(request, response, {}, {})
  }
}

/** Takes the place of compiled routes before boot. */
export function notReady(): never {
  throw new Error('a request came before the routes were compiled')
}
