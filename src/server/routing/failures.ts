import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorCodes } from '../../errors/codes.ts'
import { EspalierError } from '../../errors/espalier-error.ts'
import type { Context } from '../../context/context.ts'
import { mapHooks } from '../../context/hooks.ts'
import type { Reply } from '../../lifecycle/reply.ts'
import type { Request } from '../../lifecycle/request.ts'
import { Lifecycle, type RouteRunner } from '../../lifecycle/run.ts'
import { compileRoute, type CompileOptions } from '../../route/compile.ts'
import { fallbackRegistration } from '../not-found.ts'
import type { ServerObjects } from '../context-objects.ts'
import type { FrameworkErrors } from '../options/routing.ts'

/** Answers requests that fail before they have a route, with the hooks and the error handler of the
 *  root, or as `frameworkErrors` does where the error is one of the framework's own. */
export class RoutingFailures {
  #badUrl: RouteRunner = notReady
  #longParam: RouteRunner = notReady
  #thrown: RouteRunner = notReady
  readonly #errors = new WeakMap<IncomingMessage, unknown>()

  compile(
    root: Context<ServerObjects>,
    options: CompileOptions,
    frameworkErrors: FrameworkErrors | undefined,
  ): void {
    const compiled = (make: (request: Request) => unknown): RouteRunner => {
      const answer = (request: Request, reply: Reply): unknown => {
        const error = make(request)
        if (frameworkErrors === undefined || !(error instanceof EspalierError)) throw error
        return Reflect.apply(frameworkErrors, root.objects.server, [
          options.dialect.errors.show(error),
          request,
          reply,
        ])
      }
      const route = compileRoute(fallbackRegistration(root, answer, options), options)
      const bare = { ...route, hooks: mapHooks(() => []), errorHandlers: [] }
      return new Lifecycle(options.dialect.errors.runsHooksUnrouted ? route : bare).run
    }
    this.#badUrl = compiled(({ url }) => new errorCodes.ESP_ERR_BAD_URL(url))
    this.#longParam = compiled(({ url }) => new errorCodes.ESP_ERR_MAX_PARAM_LENGTH(url))
    this.#thrown = compiled(({ raw }) => this.#errors.get(raw))
  }

  badUrl(request: IncomingMessage, response: ServerResponse): void {
    this.#badUrl(request, response, {}, {})
  }

  longParam(request: IncomingMessage, response: ServerResponse): void {
    this.#longParam(request, response, {}, {})
  }

  /** Answers what a function of the user's has thrown. */
  thrown(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    this.#errors.set(request, error)
    this.#thrown(request, response, {}, {})
  }
}

/** Stands for a route until it is compiled. */
export function notReady(): never {
  throw new Error('a request came before the routes were compiled')
}
