import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HTTPMethod } from 'find-my-way'
import { errorCodes } from '../../errors/codes.ts'
import { bootError } from '../../errors/origin.ts'
import { mapHooks } from '../../context/hooks.ts'
import type { ErrorStep } from '../../lifecycle/compiled-route.ts'
import type { Reply } from '../../lifecycle/reply.ts'
import { Lifecycle, openReply, type RouteRunner } from '../../lifecycle/run.ts'
import { type CompileOptions, compileRoute } from '../../route/compile.ts'
import { refuseUnknown, type RouteDeclaration } from '../../route/declaration.ts'
import type { RouteRegistration } from '../../route/declaration.ts'
import { describe } from '../../errors/describe.ts'
import type { ServerContext } from '../context-objects.ts'
import type { NormalizedOptions } from '../options.ts'
import type { RouterOptions } from '../options/routing.ts'
import type { FoundRoute, RouteQuery } from '../types/tools.ts'
import type { AnnouncedRoute } from './announced-route.ts'
import { builtIn, isAsync, constraintError, toRouterStrategy } from './constraints.ts'
import { createFailureAnswer, type FailureAnswer, notReady, NotFoundRoutes } from './not-found.ts'
import { metaOf, toRouterPrint, type PrintRoutesOptions } from './print.ts'
import { createRouter, type Router } from './router.ts'
import { toPattern, urlsOf } from './urls.ts'

type Constraints = Readonly<Record<string, unknown>>
type Strategy = ReturnType<typeof toRouterStrategy>

/** A route in the router. It gets its runner when the server becomes ready. */
interface RouteSlot {
  route: Pick<AnnouncedRoute, 'declaration' | 'context'> & { readonly origin?: Error | undefined }
  readonly method: string
  readonly url: string
  /** Whether it is a HEAD route that was added for a GET route. */
  readonly isAutomatic: boolean
  runner: RouteRunner
}

/** The routes of a server and the router that finds them. */
export class Routes {
  readonly #options: NormalizedOptions
  readonly #strategies = new Map<string, Strategy>()
  readonly #slots = new Set<RouteSlot>()
  readonly #notFound: NotFoundRoutes
  readonly #router: Router
  #answerFailure: FailureAnswer = notReady
  /** Whether a constraint strategy calls back. */
  #isAsync = false

  /** @throws ESP_ERR_CONSTRAINT_STRATEGY */
  constructor(options: NormalizedOptions) {
    this.#options = options
    this.#notFound = new NotFoundRoutes(options.routing)
    this.#router = this.#createRouter(options.routing)
    for (const strategy of Object.values(options.routing.constraints ?? {})) {
      this.addStrategy(strategy)
    }
  }

  /** Declares a route for each of its methods, and for HEAD in addition to GET.
   *  @throws ESP_ERR_DUPLICATED_ROUTE, ESP_ERR_ROUTE_PATH, ESP_ERR_CONSTRAINT, and the errors of
   *  `head` */
  declare(route: AnnouncedRoute): void {
    const { declaration, context } = route
    const { methods, exposeHeadRoute, constraints } = declaration
    for (const url of urlsOf(context.prefix, declaration, this.#options)) {
      for (const method of methods) {
        this.#add({ route, method, url, isAutomatic: false, runner: notReady })
      }
      const wantsHead =
        methods.includes('GET') && (exposeHeadRoute ?? this.#options.exposeHeadRoutes)
      if (wantsHead && this.#present('HEAD', url, constraints) === undefined) {
        const head = route.head()
        this.#add({ route: head, method: 'HEAD', url, isAutomatic: true, runner: notReady })
      }
    }
  }

  /** Forgets all declared routes. */
  clear(): void {
    this.#router.reset()
    this.#slots.clear()
  }

  /** Whether a route was declared for a path. Names of parameters may differ. */
  has({ method = '', url = '', constraints = {} }: RouteQuery): boolean {
    return this.#present(method.toUpperCase(), url, constraints) !== undefined
  }

  /** The route of a URL, or null. */
  find({ method = '', url = '', constraints }: RouteQuery): FoundRoute | null {
    const found = this.#router.find(method.toUpperCase() as HTTPMethod, url, constraints)
    const slot = found?.store as RouteSlot | null | undefined
    if (!found || !slot) return null
    const { params, searchParams } = found
    return { handler: slot.route.declaration.handler, params, searchParams }
  }

  /** The declared routes, without the HEAD routes that were added for GET routes. */
  registrations(): RouteRegistration[] {
    return [...this.#slots].filter((slot) => !slot.isAutomatic).map(registrationOf)
  }

  /** Sets the not-found handler of a context's prefix. @throws ESP_ERR_NOT_FOUND_HANDLER */
  declareNotFound(declaration: RouteDeclaration, context: ServerContext): void {
    this.#notFound.declare(declaration, context)
  }

  /** A reply for a response that no route answers: without hooks, and with the error handlers of a
   *  context. */
  openReply(context: ServerContext, request: IncomingMessage, response: ServerResponse): Reply {
    const { route } = this.#notFound.nearest(context) ?? notReady()
    // cast: an error handler is typed by its scope, which the reply belongs to
    const errorHandlers = context.errorHandlers() as ErrorStep[]
    return openReply({ ...route, hooks: mapHooks(() => []), errorHandlers }, request, response)
  }

  /** Adds a strategy for the route option `constraints`.
   *  @throws ESP_ERR_CONSTRAINT_STRATEGY, also if its name is taken */
  addStrategy(given: unknown): void {
    const strategy = toRouterStrategy(given)
    try {
      this.#router.addConstraintStrategy(strategy)
    } catch (error) {
      throw constraintError(`'${strategy.name}'`, 'one of this name is there, or in use', error)
    }
    this.#strategies.set(strategy.name, strategy)
  }

  /** Whether a strategy of this name was added, or a built-in one is in use. */
  hasStrategy(name: string): boolean {
    return this.#router.hasConstraintStrategy(name)
  }

  /** Compiles all routes. @throws the boot error of the first route that fails */
  compile(root: ServerContext, options: CompileOptions): void {
    this.#notFound.compile(root, options)
    for (const slot of this.#slots) this.#compile(slot, options)
    this.#answerFailure = createFailureAnswer(root, options, this.#options.frameworkErrors)
    this.#isAsync = [...this.#strategies.values()].some(isAsync)
    if (this.#options.routing.compile === true) this.#router.compile?.()
  }

  #compile(slot: RouteSlot, options: CompileOptions): void {
    const { declaration, context, origin } = slot.route
    try {
      refuseUnknown(declaration, context.path)
      const route = compileRoute(registrationOf(slot), options)
      slot.runner = new Lifecycle(route, this.#notFound.nearest(context)).run
      // Without what only the boot needs.
      slot.route = { declaration, context }
    } catch (error) {
      throw bootError(origin, error)
    }
  }

  /** Answers a request by its route, or with 404.
   *  @returns the result of a user function that replaces routes, such as `defaultRoute`, or a
   *  promise of it
   *  @throws the errors of user functions before the request has a route */
  answer(request: IncomingMessage, response: ServerResponse): unknown {
    if (!this.#isAsync) return this.#router.lookup(request, response)
    return new Promise((resolve, reject) => {
      this.#router.lookup(request, response, (error: unknown, answered: unknown) => {
        if (error === null) resolve(answered)
        else reject(error)
      })
    })
  }

  /** Answers a request by one route, unless the router finds another or none: a path with
   *  parameters may be that of another route.
   *  @returns whether it is answered */
  answerBy(
    declaration: RouteDeclaration,
    request: IncomingMessage,
    response: ServerResponse,
  ): boolean {
    const { method, url = '', headers } = request
    const isKnown = (name: string): boolean => {
      const strategy = this.#strategies.get(name)
      const isLate = strategy !== undefined && isAsync(strategy)
      return !isLate && this.#router.hasConstraintStrategy(name)
    }
    const known = ['version', 'host', ...this.#strategies.keys()].filter(isKnown)
    const valueOf = (name: string): unknown =>
      this.#strategies.get(name)?.deriveConstraint(request, undefined) ??
      headers[name === 'version' ? 'accept-version' : name]
    const derived = Object.fromEntries(known.map((name) => [name, valueOf(name)]))
    // cast: the router takes any value of a constraint
    const constraints = known.length === 0 ? undefined : (derived as Record<string, string>)
    const found = this.#router.find(method as HTTPMethod, url, constraints)
    // cast: all routes of the router have a slot
    const slot = found?.store as RouteSlot | null | undefined
    if (!found || slot?.route.declaration !== declaration) return false
    slot.runner(request, response, found.params, found.searchParams)
    return true
  }

  /** Answers a request that fails before it has a route. */
  fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    this.#answerFailure(request, response, error)
  }

  print(options: PrintRoutesOptions): string {
    return this.#router.prettyPrint(toRouterPrint(options))
  }

  #createRouter(options: RouterOptions): Router {
    // The constructor adds the constraint strategies one by one.
    const { constraints: _constraints, compile: _compile, ...others } = options
    return createRouter({
      buildPrettyMeta: ({ store }: { readonly store?: RouteSlot }) =>
        store === undefined ? {} : metaOf(registrationOf(store)),
      onBadUrl: (_path: string, request: IncomingMessage, response: ServerResponse) => {
        this.fail(request, response, new errorCodes.ESP_ERR_BAD_URL(request.url))
      },
      onMaxParamLength: (_path: string, request: IncomingMessage, response: ServerResponse) => {
        this.fail(request, response, new errorCodes.ESP_ERR_MAX_PARAM_LENGTH(request.url))
      },
      defaultRoute: (request: IncomingMessage, response: ServerResponse) => {
        this.#notFound.answer(request, response)
      },
      ...others,
    })
  }

  #add(slot: RouteSlot): void {
    const { method, url, route } = slot
    const { declaration, context } = route
    this.#assertConstraints(slot)
    const present = this.#present(method, url, declaration.constraints)
    if (present !== undefined && !present.isAutomatic) {
      const first = present.route.context.path
      throw new errorCodes.ESP_ERR_DUPLICATED_ROUTE(`${method} ${url}`, first, context.path)
    }
    if (present !== undefined) {
      this.#router.off(method as HTTPMethod, present.url, declaration.constraints)
      this.#slots.delete(present)
    }
    this.#route(slot)
    this.#slots.add(slot)
  }

  #assertConstraints({ method, url, route: { context, declaration } }: RouteSlot): void {
    for (const [name, value] of Object.entries(declaration.constraints)) {
      const wrong = this.#wrongConstraint(name, value)
      if (wrong === undefined) continue
      throw new errorCodes.ESP_ERR_CONSTRAINT(name, `${method} ${url}`, context.path, wrong)
    }
  }

  /** The problem of a constraint, or undefined. */
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

  /** A route that answers the same requests. Names of parameters may differ. */
  #present(method: string, url: string, constraints: Constraints): RouteSlot | undefined {
    try {
      const pattern = toPattern(url, this.#options.routing)
      const found = this.#router.findRoute(method as HTTPMethod, pattern, constraints)
      return found?.store as RouteSlot | undefined
    } catch {
      // The path is invalid. Declaring it throws the error.
      return undefined
    }
  }

  #route(slot: RouteSlot): void {
    const { method, url, route } = slot
    const { constraints } = route.declaration
    try {
      this.#router.on(method as HTTPMethod, url, { constraints }, runSlot, slot)
    } catch (error) {
      throw new errorCodes.ESP_ERR_ROUTE_PATH(url, route.context.path, messageOf(error), error)
    }
  }
}

function registrationOf({ route, method, url }: RouteSlot): RouteRegistration {
  return { declaration: route.declaration, context: route.context, method, url, is404: false }
}

// eslint-disable-next-line max-params -- the router calls it
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
