import createRouter from 'find-my-way'
import { errorCodes } from '../errors/codes.ts'
import type { Context } from '../context/context.ts'
import type { Reply } from '../lifecycle/reply.ts'
import type { Request } from '../lifecycle/request.ts'
import { Lifecycle, type RouteRunner, sendNotFound } from '../lifecycle/run.ts'
import { type CompileOptions, compileRoute } from '../route/compile.ts'
import {
  type ExchangeClasses,
  readRoute,
  type RouteDeclaration,
  type RouteRegistration,
} from '../route/declaration.ts'
import type { ServerContext } from './context-objects.ts'
import type { RouterOptions } from './options/routing.ts'
import { joinPath } from './routing/urls.ts'

/** A route that was found for a request. */
export interface NotFoundMatch {
  readonly run: RouteRunner
  readonly params: unknown
  readonly query: unknown
}

/** A handler for one prefix, which is given its lifecycle when the server becomes ready. */
class NotFoundSlot {
  readonly declaration: RouteDeclaration
  readonly context: ServerContext
  lifecycle: Lifecycle | undefined

  constructor(declaration: RouteDeclaration, context: ServerContext) {
    this.declaration = declaration
    this.context = context
  }
}

/** Stands for a handler where none is declared. */
const readable = {}

type Router = ReturnType<typeof createRouter>

/** What answers where no route is found: one handler for each prefix, that of the longest. */
export class NotFoundRoutes {
  readonly #byLevel = new Map<object, NotFoundSlot>()
  readonly #router: Router
  /** Reads the URLs that no handler is declared for. */
  readonly #others: Router
  #fallback: Lifecycle | undefined

  constructor(options: RouterOptions) {
    const { caseSensitive, ignoreTrailingSlash, ignoreDuplicateSlashes } = options
    const { useSemicolonDelimiter, querystringParser } = options
    const config = {
      onBadUrl: () => undefined,
      // However long a parameter of a prefix is, its handler answers.
      maxParamLength: Infinity,
      ...(caseSensitive !== undefined && { caseSensitive }),
      ...(ignoreTrailingSlash !== undefined && { ignoreTrailingSlash }),
      ...(ignoreDuplicateSlashes !== undefined && { ignoreDuplicateSlashes }),
      ...(useSemicolonDelimiter !== undefined && { useSemicolonDelimiter }),
      ...(querystringParser !== undefined && { querystringParser }),
    }
    this.#router = createRouter(config)
    this.#others = createRouter(config)
    this.#others.on('GET', '/*', () => undefined, readable)
  }

  /** @throws ESP_ERR_NOT_FOUND_HANDLER, ESP_ERR_ROUTE_PATH */
  declare(declaration: RouteDeclaration, context: ServerContext): void {
    const { prefix, path } = context
    const slot = new NotFoundSlot(declaration, context)
    const present = this.#route(slot, prefix === '' ? ['/*'] : [prefix, joinPath(prefix, '/*')])
    if (present !== undefined) {
      const [first, where] = [present.context.path, prefix === '' ? '/' : prefix]
      throw new errorCodes.ESP_ERR_NOT_FOUND_HANDLER(where, first, path)
    }
    this.#byLevel.set(levelOf(context), slot)
  }

  compile(root: ServerContext, options: CompileOptions): void {
    const fallback = fallbackRegistration(root, sendNotFound, options)
    const registration = { ...fallback, ignoresBody: !options.dialect.methods.readsUnrouted }
    this.#fallback = new Lifecycle(compileRoute(registration, options))
    for (const slot of this.#byLevel.values()) {
      const { declaration, context } = slot
      slot.lifecycle = new Lifecycle(compileRoute(toRegistration(declaration, context), options))
    }
  }

  /** The one that `callNotFound` leaves a request to: that of the context's level, else that of the
   *  nearest above. One of a sibling with the same prefix is none of them: what it sees, the request of
   *  this context has not. */
  of(context: Context<ExchangeClasses>): Lifecycle | undefined {
    const level = levelOf(context)
    const own = this.#byLevel.get(level)
    if (own !== undefined) return own.lifecycle
    return level.parent === undefined ? this.#fallback : this.of(level.parent)
  }

  /** The one that answers for a URL. */
  find(url: string): NotFoundMatch {
    const found = this.#search(url) ?? this.#search(withoutEscapes(url))
    const own = found?.store instanceof NotFoundSlot ? found.store.lifecycle : undefined
    const lifecycle = own ?? this.#fallback
    if (lifecycle === undefined) throw new Error('a request came before the routes were compiled')
    return { run: lifecycle.run, params: found?.params ?? {}, query: found?.searchParams ?? {} }
  }

  /** Undefined for a URL that cannot be read, of which the router has no store. */
  #search(url: string): ReturnType<Router['find']> | undefined {
    const found = this.#router.find('GET', url) ?? this.#others.find('GET', url)
    return (found?.store ?? null) === null ? undefined : found
  }

  /** Routes the paths of a prefix to a slot; gives the slot that has them already, if one does: names
   *  of parameters make no difference. One method stands for all: they are not told apart here. */
  #route(slot: NotFoundSlot, paths: readonly string[]): NotFoundSlot | undefined {
    for (const path of paths) {
      try {
        const present: unknown = this.#router.findRoute('GET', path)?.store
        if (present instanceof NotFoundSlot) return present
        this.#router.on('GET', path, () => undefined, slot)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        throw new errorCodes.ESP_ERR_ROUTE_PATH(path, slot.context.path, reason, error)
      }
    }
    return undefined
  }
}

/** A URL whose path can be read, though what it had was malformed. */
function withoutEscapes(url: string): string {
  return url.replace(/^[^?;]*/, (path) => path.replaceAll('%', ''))
}

/** The context that opened the prefix of a context: itself, or an ancestor. */
function levelOf(context: Context<ExchangeClasses>): Context<ExchangeClasses> {
  const { parent, prefix } = context
  return parent?.prefix === prefix ? levelOf(parent) : context
}

/** What stands in for a route where none was declared. It belongs to a context: so do its hooks and its
 *  error handler. */
export function fallbackRegistration(
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
