import { METHODS, type IncomingMessage, type ServerResponse } from 'node:http'
import { errorCodes } from '../../errors/codes.ts'
import { describe } from '../../schema/values.ts'
import { readRoute, type GivenRoute } from '../../route/declaration.ts'
import { readNotFound, readShortcut } from '../declare.ts'
import { announceRoute } from '../boot/on-route.ts'
import { printContexts } from '../print.ts'
import type { FoundRoute, RouteQuery } from '../routing/found-route.ts'
import type { PrintRoutesOptions } from '../routing/print.ts'
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
  trace(...args: unknown[]): this {
    return declareShortcut(this, ['TRACE'], args)
  }
  all(...args: unknown[]): this {
    return declareShortcut(this, seatOf(this).host.methods.common(), args)
  }

  route(options: GivenRoute): this {
    const { host, context } = open(this, 'route')
    const { path, prefix } = context
    const rules = { ...host.routeRules, prefix }
    const read = (given: GivenRoute) => readRoute(given, path, rules)
    const route = announceRoute(options, context, read, host.options.routing)
    host.routes.declare(route.declaration, context, () => route.head())
    return plain(this)
  }

  addRoutes(routes: readonly GivenRoute[]): this {
    const { context } = open(this, 'addRoutes')
    const isList: boolean = Array.isArray(routes)
    if (!isList) throw new errorCodes.ESP_ERR_ROUTE_LIST(context.path, describe(routes))
    for (const route of routes) this.route(route)
    return plain(this)
  }

  hasRoute(query: RouteQuery): boolean {
    return seatOf(this).host.routes.has(query)
  }

  findRoute(query: RouteQuery): FoundRoute | null {
    return seatOf(this).host.routes.find(query)
  }

  get supportedMethods(): string[] {
    return seatOf(this).host.methods.all()
  }

  addHttpMethod(method: string, { hasBody = false }: { readonly hasBody?: boolean } = {}): this {
    const { host, context } = open(this, 'addHttpMethod')
    if (!METHODS.includes(method)) {
      throw new errorCodes.ESP_ERR_ROUTE_METHOD_INVALID(context.path, describe(method))
    }
    host.methods.add(method, hasBody)
    const name = method.toLowerCase()
    if (name in this) return plain(this)
    return this.decorate(name, function (this: RouteFace, ...args: unknown[]) {
      return declareShortcut(this, [method], args)
    })
  }

  addConstraintStrategy(strategy: unknown): this {
    open(this, 'addConstraintStrategy').host.routes.addStrategy(strategy)
    return plain(this)
  }

  hasConstraintStrategy(name: string): boolean {
    return seatOf(this).host.routes.hasStrategy(name)
  }

  /** Answers a request of Node as the server itself does. It can be handed on without its server. */
  get routing(): (request: IncomingMessage, response: ServerResponse) => void {
    const { host } = seatOf(this)
    return (request, response) => {
      host.dispatch(request, response)
    }
  }

  setNotFoundHandler(...args: readonly [unknown] | readonly [unknown, unknown]): this {
    const { host, context } = open(this, 'setNotFoundHandler')
    host.routes.declareNotFound(readNotFound(args, context.path, host.routeRules), context)
    return plain(this)
  }

  printRoutes(options: PrintRoutesOptions = {}): string {
    return seatOf(this).host.routes.print(options)
  }

  printContexts(): string {
    const { context, host } = seatOf(this)
    return printContexts(context, host.routes.seats())
  }
}

export function declareShortcut<Face extends RouteFace>(
  server: Face,
  method: readonly string[],
  args: readonly unknown[],
): Face {
  const name = method.length > 1 ? 'all' : String(method[0]).toLowerCase()
  const { context } = open(server, name)
  return server.route(readShortcut(name, method, args, context.path))
}
