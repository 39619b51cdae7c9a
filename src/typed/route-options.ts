/** What a request shows of its route. */
export interface RouteOptionsFacts {
  /** The path of the route with its prefix, or undefined where no route was found. */
  readonly url: string | undefined
  readonly method: string | readonly string[]
  readonly schema: unknown
  /** What the route was given, with its own url and method. */
  readonly config: Readonly<Record<string, unknown>>
  readonly attachValidation: boolean
  readonly bodyLimit: number
  /** The most milliseconds that a request may take; 0 for any time. */
  readonly handlerTimeout: number
  readonly handler: (...args: never[]) => unknown
  /** As the route was given it; undefined where it was not. */
  readonly exposeHeadRoute: boolean | undefined
  readonly logLevel: unknown
  readonly prefixTrailingSlash: unknown
  /** The version that the route is constrained to. */
  readonly version: unknown
}
