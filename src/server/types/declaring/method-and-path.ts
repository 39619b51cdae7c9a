// What the options of a route have to say in any case.
import type { AnyCtx } from '../../../context/ctx.ts'
import type { MethodIn, RouteMethod } from '../../../http/methods.ts'
import type { CheckResult } from '../../../types/checks.ts'

/** Any text until one is inferred. From options that lack what is required the compiler infers nothing, and would tell of the
 *  path then, in the place of what is misspelt. */
export type Text<Name extends string> = [Name] extends [never] ? string : Name

/** What a route without a path lacks, or one with two has too many. A condition, and no union of two forms of the options: to
 *  choose one the compiler would compare all of their properties. Of a path that is a type parameter it is undecided, and a
 *  route has to fit each end. Where options may be undefined without `exactOptionalPropertyTypes`, the boot finds that. */
export type Placed<Url, Path> = [Path] extends [never]
  ? [Url] extends [never]
    ? { readonly path: unknown } | { readonly url: unknown }
    : unknown
  : [Url] extends [never]
    ? unknown
    : { readonly "a route has a 'url' or a 'path', and not both": never }

/** What a route has besides whose method is misspelt: a sentence in its place. One that is known at run time only may be any.
 *  @template Beside a type parameter that is inferred together with the methods: until then nothing is decided, and then it is
 *  at once, for those too that are of a type parameter of the function around */
export type Named<Methods, Context extends AnyCtx, Beside> =
  CheckResult<unknown> extends Exclude<Beside, unknown> | CheckResult<IsNamed<Methods>>
    ? MethodError<UnknownMethod<MethodIn<Methods>, Context>>
    : unknown

/** Whether methods are those of every server, as a check for `CheckResult`. */
type IsNamed<Methods> = [Methods] extends [AnyCase | readonly AnyCase[]]
  ? true
  : {} extends Record<MethodIn<Methods>, unknown>
    ? true
    : unknown

type AnyCase = RouteMethod | Lowercase<RouteMethod>

/** The methods that a server has not, of those that are known. One that was added has a shortcut, which may be needed too. */
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
