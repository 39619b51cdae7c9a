// What stands behind the path of a route.
import type { AnyCtx } from '../../../context/ctx.ts'
import type { CheckedSchema } from '../../../route/route-schema.ts'
import type { PrefixTrailingSlash } from '../../../route/declaration.ts'
import type { HandledRequest, OptionHandler } from '../../../route/handler.ts'
import type { Hook, OneOrMore, ReplyIn, CommonRouteOptions } from '../../../route/hook-types.ts'

/** What may stand in the place of options: a handler. Not once they have a schema: the compiler then compares them with
 *  one type, in the place of three. */
export type InTheirPlace<Schema, Handler> = {} extends Schema ? Handler | OptionsOrHandler : never

/** What stands behind a path, in a word, for messages. Nothing is of this type. Being older than those beside it, it is
 *  where the compiler looks which members they have in common: none, so it need not look at those of `VerbOptions`. It
 *  has no properties, which editors would offer. */
export interface OptionsOrHandler {
  new (none: never): never
  readonly [Symbol.hasInstance]: 'none'
}

/** What tells options from functions (`HandlerFunction`). */
interface Uncalled {
  readonly [Symbol.hasInstance]?: undefined
}

/** What is the same behind a path and among the options of `route`. No interface, for the reason that `CommonRouteOptions` gives. */
export type CheckedOptions<
  Context extends AnyCtx,
  Self,
  Path extends string,
  Schema,
  Method,
  Attach,
  Slash extends PrefixTrailingSlash,
> = {
  /** Whether `/` below a prefix is met with a slash behind the prefix, without, or both.
   *  @default 'both' */
  readonly prefixTrailingSlash?: Slash
  readonly schema?: CheckedSchema<Schema, Context, Path, Method>
  /** Hands a failed validation to the handler, as `request.validationError`. @default false */
  readonly attachValidation?: Attach
  /** Runs when the request is known to be valid. */
  readonly preHandler?: OneOrMore<
    Hook<
      NoInfer<HandledRequest<Context, Self, Path, Schema, Method, Attach>>,
      Self,
      ReplyIn<Context, Self>
    >
  >
}

export interface VerbOptions<
  in out Context extends AnyCtx,
  in out Self,
  in out Path extends string,
  in out Schema,
  in out Method,
  in out Result,
  in out Attach,
  in out Slash extends PrefixTrailingSlash = PrefixTrailingSlash,
  in out Taken = never,
>
  extends
    Uncalled,
    CommonRouteOptions<Context, Self>,
    CheckedOptions<Context, Self, Path, Schema, Method, Attach, Slash> {
  readonly handler?: OptionHandler<
    Context,
    Self,
    HandledRequest<Context, Self, Path, Schema, Method, Attach>,
    Schema,
    Result,
    Taken
  >
}
