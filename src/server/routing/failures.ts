import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorCodes } from '../../errors/codes.ts'
import type { EspalierError } from '../../errors/espalier-error.ts'
import type { Context } from '../../context/context.ts'
import { mapHooks } from '../../context/hooks.ts'
import type { Reply } from '../../exchange/reply.ts'
import type { Request } from '../../exchange/request.ts'
import { Lifecycle, type RouteRunner } from '../../lifecycle/run.ts'
import { compileRoute, type CompileOptions } from '../../route/compile.ts'
import { fallbackSeat } from '../not-found.ts'
import type { ServerFaces } from '../faces.ts'
import type { FrameworkErrors } from '../options/routing.ts'

/** Answers requests that fail before they have a route, with the hooks and the error handler of the
 *  root, or as `frameworkErrors` does. In Fastify's dialect neither hooks nor error handlers run. */
export class RoutingFailures {
  #badUrl: RouteRunner = notReady
  #longParam: RouteRunner = notReady
  #constraint: RouteRunner = notReady
  readonly #causes = new WeakMap<IncomingMessage, unknown>()

  compile(
    root: Context<ServerFaces>,
    options: CompileOptions,
    frameworkErrors: FrameworkErrors | undefined,
  ): void {
    const compiled = (make: (request: Request) => EspalierError): RouteRunner => {
      const answer = (request: Request, reply: Reply): unknown => {
        const error = make(request)
        if (frameworkErrors === undefined) throw error
        return Reflect.apply(frameworkErrors, root.faces.server, [error, request, reply])
      }
      const route = compileRoute(fallbackSeat(root, answer), options)
      const bare = { ...route, hooks: mapHooks(() => []), errorHandlers: [] }
      return new Lifecycle(options.isFastify ? bare : route).run
    }
    this.#badUrl = compiled(({ url }) => new errorCodes.ESP_ERR_BAD_URL(url))
    this.#longParam = compiled(({ url }) => new errorCodes.ESP_ERR_MAX_PARAM_LENGTH(url))
    this.#constraint = compiled(
      ({ url, raw }) => new errorCodes.ESP_ERR_ASYNC_CONSTRAINT(url, this.#causes.get(raw)),
    )
  }

  badUrl(request: IncomingMessage, response: ServerResponse): void {
    this.#badUrl(request, response, {}, {})
  }

  longParam(request: IncomingMessage, response: ServerResponse): void {
    this.#longParam(request, response, {}, {})
  }

  constraint(request: IncomingMessage, response: ServerResponse, cause: unknown): void {
    this.#causes.set(request, cause)
    this.#constraint(request, response, {}, {})
  }
}

/** Stands for a route until it is compiled. */
export function notReady(): never {
  throw new Error('a request came before the routes were compiled')
}
