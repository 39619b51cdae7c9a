import { standardMethods } from '../../http/methods.ts'
import { readRoute, type GivenRoute } from '../../route/declaration.ts'
import { readNotFound, readShortcut } from '../declare.ts'
import { announceRoute } from '../boot/on-route.ts'
import { printContexts } from '../print.ts'
import { open, plain, seatOf } from '../seat.ts'
import { ContentFace } from './content.ts'

/** The routes of a scope. */
export class RouteFace extends ContentFace {
  get(...args: unknown[]): this {
    return declareShortcut(this, ['GET'], args)
  }
  head(...args: unknown[]): this {
    return declareShortcut(this, ['HEAD'], args)
  }
  post(...args: unknown[]): this {
    return declareShortcut(this, ['POST'], args)
  }
  put(...args: unknown[]): this {
    return declareShortcut(this, ['PUT'], args)
  }
  patch(...args: unknown[]): this {
    return declareShortcut(this, ['PATCH'], args)
  }
  delete(...args: unknown[]): this {
    return declareShortcut(this, ['DELETE'], args)
  }
  options(...args: unknown[]): this {
    return declareShortcut(this, ['OPTIONS'], args)
  }
  all(...args: unknown[]): this {
    return declareShortcut(this, standardMethods, args)
  }

  route(options: GivenRoute): this {
    const { host, context } = open(this, 'route')
    const route = announceRoute(options, context, (given) => readRoute(given, context.path))
    host.routes.declare(route.declaration, context, () => route.head())
    return plain(this)
  }

  hasRoute({ method, url }: { readonly method: string; readonly url: string }): boolean {
    return seatOf(this).host.routes.has(method.toUpperCase(), url)
  }

  setNotFoundHandler(...args: readonly [unknown] | readonly [unknown, unknown]): this {
    const { host, context } = open(this, 'setNotFoundHandler')
    host.routes.declareNotFound(readNotFound(args, context.path), context)
    return plain(this)
  }

  printRoutes(): string {
    return seatOf(this).host.routes.print()
  }

  printContexts(): string {
    const { context, host } = seatOf(this)
    return printContexts(context, host.routes.seats())
  }
}

function declareShortcut<Face extends RouteFace>(
  server: Face,
  method: readonly string[],
  args: readonly unknown[],
): Face {
  const name = method.length > 1 ? 'all' : String(method[0]).toLowerCase()
  const { context } = open(server, name)
  return server.route(readShortcut(name, method, args, context.path))
}
