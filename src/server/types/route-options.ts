// What stands behind the path of a route.
import type { AnyCtx, JoinedPath } from '../../context/ctx.ts'
import type { CheckedSchema } from '../../route/check-schema.ts'
import type { PrefixTrailingSlash } from '../../route/declaration.ts'
import type { HandledRequest, OptionHandler } from '../../route/handler.ts'
import type { Hook, OneOrMore, ReplyIn, RouteOptions } from '../../route/hook-types.ts'
import type { MethodIn, RouteMethod } from '../../http/methods.ts'
import type { Verdict } from '../../types/verdict.ts'
import type { Met } from '../../plugin/fit.ts'
import type { Needing, needs } from '../../plugin/plugin-types.ts'
import type { Route } from '../../plugin/seen-route.ts'
import type { DefinedRoute } from '../../route/apart/defined-route.ts'
import type { KeptResult } from '../../route/route-entry.ts'
import type { HasResponse } from '../../types/has-part.ts'

/** What may stand in the place of options: a handler. Not once they have a schema: the compiler
 *  then compares them with one type, in the place of three. */
export type InTheirPlace<Schema, Handler> = {} extends Schema ? Handler | OptionsOrHandler : never

/** What stands behind a path, in a word, for messages. Nothing is of this type. Being older than
 *  those beside it, it is where the compiler looks which members they have in common: none, so it
 *  need not look at those of `VerbOptions`. It has no properties, which editors would offer. */
export interface OptionsOrHandler {
  new (none: never): never
  readonly [Symbol.hasInstance]: 'none'
}

/** What tells options from functions (`HandlerFunction`). */
interface Uncalled {
  readonly [Symbol.hasInstance]?: undefined
}

/** What is the same behind a path and among the options of `route`. No interface, for the reason
 *  that `RouteOptions` gives. */
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
    RouteOptions<Context, Self>,
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

// What the options of a route have to say in any case.
/** Any text until one is inferred. From options that lack what is required the compiler infers
 *  nothing, and would tell of the path then, in the place of what is misspelt. */
export type Text<Name extends string> = [Name] extends [never] ? string : Name

/** What a route without a path lacks, or one with two has too many. A condition, and no union of
 *  two forms of the options: to choose one the compiler would compare all of their properties. Of a
 *  path that is a type parameter it is undecided, and a route has to fit each end. Where options
 *  may be undefined without `exactOptionalPropertyTypes`, the boot finds that. */
export type Placed<Url, Path> = [Path] extends [never]
  ? [Url] extends [never]
    ? { readonly path: unknown } | { readonly url: unknown }
    : unknown
  : [Url] extends [never]
    ? unknown
    : { readonly "a route has a 'url' or a 'path', and not both": never }

/** What a route has besides whose method is misspelt: a sentence in its place. One that is known at
 *  run time only may be any.
 *  @template Beside a type parameter that is inferred together with the methods: until then nothing
 *  is decided, and then it is at once, for those too that are of a type parameter of the function
 *  around */
export type Named<Methods, Context extends AnyCtx, Beside> =
  Verdict<unknown> extends Exclude<Beside, unknown> | Verdict<IsNamed<Methods>>
    ? MethodError<UnknownMethod<MethodIn<Methods>, Context>>
    : unknown

/** Whether methods are those of every server, as a check for `Verdict`. */
type IsNamed<Methods> = [Methods] extends [AnyCase | readonly AnyCase[]]
  ? true
  : {} extends Record<MethodIn<Methods>, unknown>
    ? true
    : unknown

type AnyCase = RouteMethod | Lowercase<RouteMethod>

/** The methods that a server has not, of those that are known. One that was added has a shortcut,
 *  which may be needed too. */
type UnknownMethod<Name extends string, Context extends AnyCtx> = Name extends RouteMethod
  ? never
  : {} extends Record<Name, unknown>
    ? never
    : Exclude<Name, Uppercase<keyof Context['server'] & string>>

type MethodError<Name extends string> = [Name] extends [never]
  ? unknown
  : {
      readonly method: { [Text in `'${Name}' is no method, unless 'addHttpMethod' adds it`]: never }
    }

// Routes that are declared as a list.
/** Any route that `defineRoute` made, or a copy of one. Its name is what messages say of other
 *  values. */
export interface MadeByDefineRoute extends DefinedRoute<
  never,
  string | readonly string[],
  string,
  unknown,
  unknown,
  PrefixTrailingSlash
> {}

/** What a list of routes is for a scope that has what they need; for another, a sentence in the
 *  place of each that needs more. All are asked at once, since most lists fit, and need the
 *  same. */
export type ListedIn<List extends readonly MadeByDefineRoute[], Context extends AnyCtx> =
  unknown extends Met<'route', NeededBy<List[number][typeof needs]>, Context>
    ? unknown
    : { readonly [Index in keyof List]: Met<'route', NeededBy<List[Index][typeof needs]>, Context> }

/** What is needed, as a union where several things say so. */
type NeededBy<Says> = Says extends Needing<infer Needed> ? Needed : never

/** What a list of routes adds to the routes of a server, as `RouteEntry` for one. The parts of a
 *  route are read by their names: to have them inferred, the compiler compares the route as a
 *  whole.
 *  @template One the routes, as a union */
export type ListedRoutes<One extends MadeByDefineRoute, Prefix extends string> = {
  [
    Each in One as `${MethodIn<Each['method']>} ${JoinedPath<Prefix, Each['url'], SlashOf<Each>>}`
  ]: Route<Each['schema'], ListedResult<Each>>
}

/** The routes of a list, as a union. Of one that is `any` nothing is known, as of those made at run
 *  time. */
export type KnownIn<List extends readonly MadeByDefineRoute[]> = unknown extends List[number]
  ? MadeByDefineRoute
  : List[number]

type SlashOf<Each extends MadeByDefineRoute> = NonNullable<Each['prefixTrailingSlash']>

/** As `KeptResult`: what the handler returns, where no response schema says it. */
type ListedResult<Each extends MadeByDefineRoute> = Each['schema'] extends HasResponse
  ? unknown
  : KeptResult<Each['schema'], ReturnType<Each['handler']>>
