import type { AnyCtx } from '../../context/ctx.ts'
import type { HookRequest } from '../../typed/request.ts'
import type { PrefixTrailingSlash } from '../declaration.ts'
import type { HookTypes, OneOrMore, ReplyIn, RouteOptions } from '../hook-types.ts'

type Changeable<Options> = { -readonly [Name in keyof Options]: Options[Name] | undefined }

/** A route that is being declared, as an onRoute hook is given it. What the hook changes or adds
 *  takes effect. */
export interface DeclaredRoute<Context extends AnyCtx, Self> extends Changeable<
  RouteOptions<Context, Self>
> {
  /** As it was given: one, or a list. It is `HEAD` for the route that stands beside a GET. */
  method: string | string[]
  /** The path with its prefix. */
  url: string
  /** The same as `url`. */
  path: string
  /** The path as it was given. */
  routePath: string
  prefix: string
  schema?: Record<string, unknown> | undefined
  /** Whether `/` below a prefix is met with a slash behind the prefix, without, or both. @default 'both' */
  prefixTrailingSlash?: PrefixTrailingSlash | undefined
  handler: (
    this: Self,
    request: HookRequest<Self, Context['request']> & Context['request'],
    reply: ReplyIn<Context, Self>,
  ) => unknown
  preHandler?: OneOrMore<HookTypes<Context, Self>['preHandler']> | undefined
  attachValidation: boolean
  /** Whatever else the route was given. */
  [option: string]: unknown
}
