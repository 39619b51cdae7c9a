import type { Dialect } from '../dialect/dialect.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import createRouter, { type HTTPMethod, type HTTPVersion, type Instance } from 'find-my-way'
import { errorCodes } from '../errors/codes.ts'
import { describe } from '../schema/values.ts'
import type { Context } from '../context/context.ts'
import { Lifecycle, type RouteRunner } from '../lifecycle/run.ts'
import { type CompileOptions, compileRoute } from '../route/compile.ts'
import {
  refuseUnknown,
  type RouteDeclaration,
  type RouteRegistration,
} from '../route/declaration.ts'
import type { ServerObjects } from './context-objects.ts'
import { NotFoundRoutes } from './not-found.ts'
import type { NormalizedRouting, RouterOptions } from './options/routing.ts'
import { builtIn, isAsync, refusal, toRouterStrategy } from './routing/constraints.ts'
import { notReady, RoutingFailures } from './routing/failures.ts'
import type { FoundRoute, RouteQuery } from './routing/found-route.ts'
import { metaOf, type PrintRoutesOptions, toRouterPrint } from './routing/print.ts'
import { toPattern, urlsOf } from './routing/urls.ts'

type Constraints = Readonly<Record<string, unknown>>
type Strategy = ReturnType<typeof toRouterStrategy>

/** What the router finds: a route, which is given its runner when the server becomes ready. */
interface RouteSlot {
  readonly registration: RouteRegistration
  /** Whether it stands for HEAD only because a GET route does. */
  readonly isAutomatic: boolean
  runner: RouteRunner
}

/** The routes of a server and the router that finds them. */
export class Routes {
  readonly #options: NormalizedRouting & { readonly dialect: Dialect }
  readonly #strategies = new Map<string, Strategy>()
  readonly #slots = new Set<RouteSlot>()
  readonly #notFound: NotFoundRoutes
  readonly #failures = new RoutingFailures()
  readonly #router: Instance<HTTPVersion.V1>
  #isAsync = false

  /** @throws ESP_ERR_CONSTRAINT_STRATEGY */
  constructor(options: NormalizedRouting & { readonly dialect: Dialect }) {
    this.#options = options
    this.#notFound = new NotFoundRoutes(options.routing)
    this.#router = this.#createRouter(options.routing)
    for (const strategy of Object.values(options.routing.constraints ?? {})) {
      this.addStrategy(strategy)
    }
  }

  /** Declares a route under each of its methods, and under HEAD where it answers GET.
   *  @param head the route for HEAD, asked for where there is none yet
   *  @throws ESP_ERR_DUPLICATED_ROUTE, ESP_ERR_ROUTE_PATH, ESP_ERR_CONSTRAINT */
  declare(
    declaration: RouteDeclaration,
    context: Context<ServerObjects>,
    head: () => RouteDeclaration = () => declaration,
  ): void {
    const { methods, exposeHeadRoute, constraints } = declaration
    for (const url of urlsOf(context.prefix, declaration, this.#options)) {
      for (const method of methods) {
        this.#add({ declaration, context, method, url, is404: false }, false)
      }
      const wantsHead =
        methods.includes('GET') && (exposeHeadRoute ?? this.#options.exposeHeadRoutes)
      if (wantsHead && this.#present('HEAD', url, constraints) === undefined) {
        this.#add({ declaration: head(), context, method: 'HEAD', url, is404: false }, true)
      }
    }
  }

  /** Whether a route was declared for a path; names of parameters make no difference. */
  has({ method = '', url = '', constraints = {} }: RouteQuery): boolean {
    return this.#present(method.toUpperCase(), url, constraints) !== undefined
  }

  /** The route that a URL would have; null where there is none. */
  find({ method = '', url = '', constraints }: RouteQuery): FoundRoute | null {
    const found = this.#router.find(method.toUpperCase() as HTTPMethod, url, constraints)
    const slot = found?.store as RouteSlot | null | undefined
    if (!found || !slot) return null
    const { params, searchParams } = found
    return { handler: slot.registration.declaration.handler, params, searchParams }
  }

  /** The routes that were declared, those for HEAD that stand beside a GET left out. */
  registrations(): RouteRegistration[] {
    return [...this.#slots].filter((slot) => !slot.isAutomatic).map((slot) => slot.registration)
  }

  /** Sets what answers where no route is found below a context's prefix.
   *  @throws ESP_ERR_NOT_FOUND_HANDLER */
  declareNotFound(declaration: RouteDeclaration, context: Context<ServerObjects>): void {
    this.#notFound.declare(declaration, context)
  }

  /** Adds a strategy for the route option `constraints`.
   *  @throws ESP_ERR_CONSTRAINT_STRATEGY, also where one of its name is there or in use */
  addStrategy(given: unknown): void {
    const strategy = toRouterStrategy(given)
    try {
      this.#router.addConstraintStrategy(strategy)
    } catch (error) {
      throw refusal(`'${strategy.name}'`, 'one of this name is there, or in use', error)
    }
    this.#strategies.set(strategy.name, strategy)
  }

  /** Whether there is a strategy of one's own with this name, or a built-in one that is in use. */
  hasStrategy(name: string): boolean {
    return this.#router.hasConstraintStrategy(name)
  }

  /** Compiles every route. @throws the boot error of the first that cannot be compiled */
  compile(root: Context<ServerObjects>, options: CompileOptions): void {
    this.#notFound.compile(root, options)
    for (const slot of this.#slots) {
      refuseUnknown(slot.registration.declaration, slot.registration.context.path)
      const route = compileRoute(slot.registration, options)
      slot.runner = new Lifecycle(route, this.#notFound.of(slot.registration.context)).run
    }
    this.#failures.compile(root, options, this.#options.frameworkErrors)
    this.#isAsync = [...this.#strategies.values()].some(isAsync)
    if (this.#options.routing.compile === true) this.#router.compile()
  }

  /** Answers a request by the route that it has, with 404 where it has none.
   *  @returns what a function of the user's returned that answers in the place of a route, or a promise
   *  of that
   *  @throws what functions of the user's throw before the request has a route */
  answer(request: IncomingMessage, response: ServerResponse): unknown {
    if (!this.#isAsync) return this.#router.lookup(request, response)
    return new Promise((resolve, reject) => {
      this.#router.lookup(request, response, (error: unknown, answered: unknown) => {
        if (error === null) resolve(answered)
        else reject(error)
      })
    })
  }

  /** Answers a request that has failed before it has a route. */
  fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    this.#failures.thrown(request, response, error)
  }

  print(options: PrintRoutesOptions): string {
    return this.#router.prettyPrint(toRouterPrint(options))
  }

  #createRouter(options: RouterOptions): Instance<HTTPVersion.V1> {
    // They are added one by one, as those of `addConstraintStrategy` are.
    const { constraints: _constraints, compile: _compile, ...others } = options
    const config = {
      buildPrettyMeta: ({ store }: { readonly store?: RouteSlot }) =>
        store === undefined ? {} : metaOf(store.registration),
      onBadUrl: (_path: string, request: IncomingMessage, response: ServerResponse) => {
        this.#failures.badUrl(request, response)
      },
      onMaxParamLength: (_path: string, request: IncomingMessage, response: ServerResponse) => {
        this.#failures.longParam(request, response)
      },
      defaultRoute: (request: IncomingMessage, response: ServerResponse) => {
        const { run, params, query } = this.#notFound.find(request.url ?? '/')
        run(request, response, params, query)
      },
      ...others,
    }
    return createRouter(config)
  }

  #add(registration: RouteRegistration, isAutomatic: boolean): void {
    const { method, url, context, declaration } = registration
    this.#assertConstraints(registration)
    const present = this.#present(method, url, declaration.constraints)
    if (present !== undefined && !present.isAutomatic) {
      const first = present.registration.context.path
      throw new errorCodes.ESP_ERR_DUPLICATED_ROUTE(`${method} ${url}`, first, context.path)
    }
    const slot: RouteSlot = { registration, isAutomatic, runner: notReady }
    if (present !== undefined) {
      this.#router.off(method as HTTPMethod, present.registration.url, declaration.constraints)
      this.#slots.delete(present)
    }
    this.#route(slot)
    this.#slots.add(slot)
  }

  #assertConstraints({ method, url, context, declaration }: RouteRegistration): void {
    for (const [name, value] of Object.entries(declaration.constraints)) {
      const wrong = this.#wrongConstraint(name, value)
      if (wrong === undefined) continue
      throw new errorCodes.ESP_ERR_CONSTRAINT(name, `${method} ${url}`, context.path, wrong)
    }
  }

  /** What is wrong with a constraint. */
  #wrongConstraint(name: string, value: unknown): string | undefined {
    const strategy = this.#strategies.get(name)
    const own = Object.hasOwn(builtIn, name) ? builtIn[name] : undefined
    if (strategy === undefined && own === undefined) {
      const known = [...new Set([...Object.keys(builtIn), ...this.#strategies.keys()])]
      return `has no strategy. There are: ${known.join(', ')}`
    }
    if (value === undefined) return 'is undefined'
    if (strategy === undefined) {
      const wrong = own?.(value)
      return wrong === undefined ? undefined : `${wrong}, but is ${describe(value)}`
    }
    try {
      strategy.validate?.(value)
    } catch (error) {
      return `is refused: ${messageOf(error)}`
    }
    return undefined
  }

  /** A route that answers the same requests: names of parameters make no difference. */
  #present(method: string, url: string, constraints: Constraints): RouteSlot | undefined {
    try {
      const pattern = toPattern(url, this.#options.routing)
      const found = this.#router.findRoute(method as HTTPMethod, pattern, constraints)
      return found?.store as RouteSlot | undefined
    } catch {
      // The path is wrong, which declaring it will say.
      return undefined
    }
  }

  #route(slot: RouteSlot): void {
    const { method, url, context, declaration } = slot.registration
    const { constraints } = declaration
    try {
      this.#router.on(method as HTTPMethod, url, { constraints }, runSlot, slot)
    } catch (error) {
      throw new errorCodes.ESP_ERR_ROUTE_PATH(url, context.path, messageOf(error), error)
    }
  }
}

// eslint-disable-next-line max-params -- it is called by the router
function runSlot(
  request: IncomingMessage,
  response: ServerResponse,
  params: unknown,
  slot: RouteSlot,
  query: unknown,
): void {
  slot.runner(request, response, params, query)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
