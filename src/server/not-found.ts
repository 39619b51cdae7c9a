import createRouter from 'find-my-way'
import { errorCodes } from '../errors/codes.ts'
import type { Context } from '../context/context.ts'
import type { Reply } from '../exchange/reply.ts'
import type { Request } from '../exchange/request.ts'
import { Lifecycle, sendNotFound, type RouteRunner } from '../lifecycle/run.ts'
import {
  compileRoute,
  type CompileOptions,
  type ExchangeFaces,
  type RouteSeat,
} from '../route/compile.ts'
import { readRoute, type RouteDeclaration } from '../route/declaration.ts'
import type { ServerFaces } from './faces.ts'

type ServerContext = Context<ServerFaces>

/** A route that was found for a request. */
export interface FoundRoute {
  readonly run: RouteRunner
  readonly params: unknown
  readonly query: unknown
}

interface Declared {
  readonly declaration: RouteDeclaration
  readonly context: ServerContext
}

/** What answers where no route is found: one handler for each prefix, that of the longest. */
export class NotFoundRoutes {
  readonly #declared = new Map<string, Declared>()
  readonly #lifecycles = new Map<object, Lifecycle>()
  readonly #router = createRouter({ onBadUrl: () => undefined })
  #fallback: Lifecycle | undefined

  /** @throws ESP_ERR_NOT_FOUND_HANDLER */
  declare(declaration: RouteDeclaration, context: ServerContext): void {
    const { prefix, path } = context
    const present = this.#declared.get(prefix)
    if (present !== undefined) {
      const [first, where] = [present.context.path, prefix === '' ? '/' : prefix]
      throw new errorCodes.ESP_ERR_NOT_FOUND_HANDLER(where, first, path)
    }
    this.#declared.set(prefix, { declaration, context })
  }

  compile(root: ServerContext, options: CompileOptions): void {
    this.#fallback = new Lifecycle(compileRoute(fallbackSeat(root, sendNotFound), options))
    for (const [prefix, { declaration, context }] of this.#declared) {
      const lifecycle = new Lifecycle(compileRoute(toSeat(declaration, context), options))
      this.#lifecycles.set(context, lifecycle)
      const paths = prefix === '' ? ['*'] : [prefix, `${prefix}/*`]
      // One method stands for all: they are not told apart here.
      for (const path of paths) this.#router.on('GET', path, () => undefined, lifecycle)
    }
  }

  /** The one that `callNotFound` leaves a request to: that of the nearest context which has one. */
  of(context: Context<ExchangeFaces>): Lifecycle | undefined {
    const own = this.#lifecycles.get(context)
    if (own !== undefined) return own
    return context.parent === undefined ? this.#fallback : this.of(context.parent)
  }

  /** The one that answers for a URL. */
  find(url: string): FoundRoute {
    const found = this.#router.find('GET', url)
    const lifecycle = (found?.store as Lifecycle | null | undefined) ?? this.#fallback
    if (lifecycle === undefined) throw new Error('a request came before the routes were compiled')
    return { run: lifecycle.run, params: {}, query: found?.searchParams ?? {} }
  }
}

/** What stands in for a route where none was declared. It belongs to a context: so do its hooks and its
 *  error handler. */
export function fallbackSeat(
  context: ServerContext,
  handler: (request: Request, reply: Reply) => unknown,
): RouteSeat {
  return toSeat(readRoute({ method: 'GET', path: '*', handler }, context.path), context)
}

function toSeat(declaration: RouteDeclaration, context: ServerContext): RouteSeat {
  return { declaration, context, method: 'GET', url: '*', is404: true }
}
