// The options of a route.
import type { AnyCtx, JoinedPath } from '../../context/ctx.ts'
import type { RequestHook } from '../../context/hooks.ts'
import type { ChildLoggerFactory, LogLevel, LogSerializers } from '../../http/logger.ts'
import type { AddedRouteOptions } from '../../route/added-options.ts'
import type { CheckedSchema, PartName } from '../../route/route-schema.ts'
import type { PrefixTrailingSlash } from '../../route/declaration.ts'
import type { HandledRequest, OptionHandler } from '../../route/handler.ts'
import type {
  ErrorHandler,
  Hook,
  OneOrMore,
  ReplyIn,
  RequestHooksIn,
} from '../../route/hook-types.ts'
import type {
  SchemaErrorFormatter,
  SerializerCompiler,
  ValidatorCompiler,
} from '../../schema/compiler-types.ts'
import type { HookRequest } from '../../typed/request.ts'
import type { MethodIn, RouteMethod } from '../../http/methods.ts'
import type { CheckResult } from '../../types/checks.ts'
import type { Met } from '../../plugin/fit.ts'
import type { Needing, needs } from '../../plugin/plugin-types.ts'
import type { Route } from '../../plugin/seen-route.ts'
import type { DefinedRoute } from '../../route/defined-route.ts'
import type { KeptResult } from '../../route/route-entry.ts'
import type { HasResponse } from '../../types/has-part.ts'

/** The hooks of a route whose types do not depend on its schema: all but `preHandler`. */
type OpenHooks<Context extends AnyCtx, Self> = {
  readonly [Name in Exclude<RequestHook, 'preHandler'>]?: OneOrMore<
    RequestHooksIn<Context, Self>[Name]
  >
}

/** The constraints of a route, by the names of strategies. A name without a strategy is an error at
 *  boot. */
export interface RouteConstraints {
  /** The host of the request, with its port if it has one; a RegExp for several hosts. */
  readonly host?: string | RegExp
  /** The version, like `1.2.0`. The header `accept-version` may be a range of versions. */
  readonly version?: string
  /** The value for a strategy of the option `constraints`, or of `addConstraintStrategy`. */
  readonly [strategy: string]: unknown
}

/** The options of a route that are the same for all routes of a scope. It is no interface: as a
 *  base, its members would be instantiated for each route. */
export type CommonRouteOptions<Context extends AnyCtx, Self> = OpenHooks<Context, Self> &
  ScopedOptions<Context, Self> &
  UnscopedOptions

type ScopedOptions<Context extends AnyCtx, Self> = {
  readonly schemaErrorFormatter?: SchemaErrorFormatter<Self>
  readonly errorHandler?: ErrorHandler<Context, Self>
  /** Makes the loggers of requests. @default that of the scope */
  readonly childLoggerFactory?: ChildLoggerFactory<Self>
}

/** Parts of a schema, given by mistake as options: they would not be validated. Editors offer what
 *  is deprecated last, and struck through. */
interface MisplacedParts {
  /** @deprecated It stands inside of the schema. */
  readonly params?: Misplaced<'params'>
  /** @deprecated It stands inside of the schema. */
  readonly querystring?: Misplaced<'querystring'>
  /** @deprecated It stands inside of the schema. */
  readonly query?: Misplaced<'query'>
  /** @deprecated It stands inside of the schema. */
  readonly headers?: Misplaced<'headers'>
  /** @deprecated It stands inside of the schema. */
  readonly body?: Misplaced<'body'>
  /** @deprecated It stands inside of the schema. */
  readonly response?: Misplaced<'response'>
}

type Misplaced<Part extends PartName> =
  `The part '${Part}' stands inside of the schema: { schema: { ${Part} } }`

/** The options that are the same in all scopes. It has no type parameters, for the reason that
 *  `UnscopedRequest` gives. */
interface UnscopedOptions extends AddedRouteOptions, MisplacedParts {
  /** Whether nothing is changed silently. @default that of the scope */
  readonly strict?: boolean
  readonly validatorCompiler?: ValidatorCompiler
  readonly serializerCompiler?: SerializerCompiler
  /** The level of the loggers of requests. @default that of the scope */
  readonly logLevel?: LogLevel
  /** Added to the serializers of the scope. */
  readonly logSerializers?: LogSerializers
  /** The largest body in bytes. @default that of the server */
  readonly bodyLimit?: number
  /** The time from the first hook to the head of the response, in milliseconds; 0 for no limit.
   *  After it, the error handlers receive ESP_ERR_HANDLER_TIMEOUT (503). @default that of the
   *  server */
  readonly handlerTimeout?: number
  /** Data for hooks and plugins. @default {} */
  readonly config?: Readonly<Record<string, unknown>>
  /** Whether a GET route answers HEAD too. @default that of the server */
  readonly exposeHeadRoute?: boolean
  /** Constraints of a request besides its method and path. */
  readonly constraints?: RouteConstraints
  /** @deprecated use `constraints: { version }` */
  readonly version?: string
}

/** The handler as an alternative to options. Options with a schema exclude it, so the compiler
 *  compares them with one type instead of three. */
export type InTheirPlace<Schema, Handler> = {} extends Schema ? Handler | OptionsOrHandler : never

/** The name of the arguments after a path, for messages. No value has this type. It is the oldest
 *  member of the union, so the compiler looks here first for common members. It finds none, and
 *  does not look at those of `VerbOptions`. It has no properties, which editors would offer. */
export interface OptionsOrHandler {
  new (none: never): never
  readonly [Symbol.hasInstance]: 'none'
}

/** Distinguishes options from functions (`HandlerFunction`). */
interface Uncalled {
  readonly [Symbol.hasInstance]?: undefined
}

/** The common options of shortcuts and `route`. It is no interface, for the reason in
 *  `CommonRouteOptions`. */
export type CheckedOptions<
  Context extends AnyCtx,
  Self,
  Path extends string,
  Schema,
  Method,
  Attach,
  Slash extends PrefixTrailingSlash,
> = {
  /** Whether `/` below a prefix matches with a slash after the prefix, without, or both.
   *  @default 'both' */
  readonly prefixTrailingSlash?: Slash
  readonly schema?: CheckedSchema<Schema, Context, Path, Method>
  /** Passes a failed validation to the handler, as `request.validationError`. @default false */
  readonly attachValidation?: Attach
  /** Runs after the validation. */
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

type Changeable<Options> = { -readonly [Name in keyof Options]: Options[Name] | undefined }

/** A new route, as an onRoute hook receives it. Changes to it take effect. */
export interface DeclaredRoute<Context extends AnyCtx, Self> extends Changeable<
  CommonRouteOptions<Context, Self>
> {
  /** One method or a list, as it was given. It is `HEAD` for the route beside a GET route. */
  method: string | string[]
  /** The path with its prefix. */
  url: string
  /** The same as `url`. */
  path: string
  /** The path without the prefix. */
  routePath: string
  prefix: string
  schema?: Record<string, unknown> | undefined
  /** The URLs of `/` below a prefix: with a slash behind the prefix, without, or both.
   *  @default 'both' */
  prefixTrailingSlash?: PrefixTrailingSlash | undefined
  handler: (
    this: Self,
    request: HookRequest<Self, Context['request']> & Context['request'],
    reply: ReplyIn<Context, Self>,
  ) => unknown
  preHandler?: OneOrMore<RequestHooksIn<Context, Self>['preHandler']> | undefined
  attachValidation: boolean
  /** The other options of the route. */
  [option: string]: unknown
}

// The required options of a route: its method and its path.
/** The inferred text, or any text before. The compiler infers nothing from options without a
 *  required one, and would report the path instead of the misspelt name. */
export type Text<Name extends string> = [Name] extends [never] ? string : Name

/** The path that a route lacks, or a sentence for two paths. It is a conditional type: for a union
 *  of two forms the compiler would compare all of their properties. For a type parameter it is
 *  undecided, so a route has to fit both branches. Without `exactOptionalPropertyTypes` the boot
 *  reports a path that is undefined. */
export type Placed<Url, Path> = [Path] extends [never]
  ? [Url] extends [never]
    ? { readonly path: unknown } | { readonly url: unknown }
    : unknown
  : [Url] extends [never]
    ? unknown
    : { readonly "a route has a 'url' or a 'path', and not both": never }

/** A sentence in place of a misspelt method. A method that is known at run time only may be any.
 *  @template Beside a type parameter that is inferred together with the methods. It defers the
 *  decision until then, also for methods whose type is a parameter of an outer function. */
export type Named<Methods, Context extends AnyCtx, Beside> =
  CheckResult<unknown> extends Exclude<Beside, unknown> | CheckResult<IsNamed<Methods>>
    ? MethodError<UnknownMethod<MethodIn<Methods>, Context>>
    : unknown

/** Whether every server has the methods, as a check for `CheckResult`. */
type IsNamed<Methods> = [Methods] extends [AnyCase | readonly AnyCase[]]
  ? true
  : {} extends Record<MethodIn<Methods>, unknown>
    ? true
    : unknown

type AnyCase = RouteMethod | Lowercase<RouteMethod>

/** The known methods that a server does not have. An added method has a shortcut, which may also be
 *  a need. */
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

// The routes of a list.
/** Any route of `defineRoute`, or a copy of one. Messages show this name for other values. */
export interface MadeByDefineRoute extends DefinedRoute<
  never,
  string | readonly string[],
  string,
  unknown,
  unknown,
  PrefixTrailingSlash
> {}

/** `unknown` if a scope meets the needs of all routes, else a sentence for each route that needs
 *  more. It checks all routes at once first, since most lists fit, and have equal needs. */
export type ListedIn<List extends readonly MadeByDefineRoute[], Context extends AnyCtx> =
  unknown extends Met<'route', NeededBy<List[number][typeof needs]>, Context>
    ? unknown
    : { readonly [Index in keyof List]: Met<'route', NeededBy<List[Index][typeof needs]>, Context> }

/** The needs, as a union. */
type NeededBy<Says> = Says extends Needing<infer Needed> ? Needed : never

/** The routes that a list adds to a server, as `RouteEntry` for one route. It reads the parts of a
 *  route by name: to infer them, the compiler would compare the whole route.
 *  @template One the routes, as a union */
export type ListedRoutes<One extends MadeByDefineRoute, Prefix extends string> = {
  [
    Each in One as `${MethodIn<Each['method']>} ${JoinedPath<Prefix, Each['url'], SlashOf<Each>>}`
  ]: Route<Each['schema'], ListedResult<Each>>
}

/** The routes of a list, as a union. Nothing is known of a route of type `any`, or of a list that
 *  is made at run time. */
export type KnownIn<List extends readonly MadeByDefineRoute[]> = unknown extends List[number]
  ? MadeByDefineRoute
  : List[number]

type SlashOf<Each extends MadeByDefineRoute> = NonNullable<Each['prefixTrailingSlash']>

/** The result of the handler if no response schema states it, as `KeptResult`. */
type ListedResult<Each extends MadeByDefineRoute> = Each['schema'] extends HasResponse
  ? unknown
  : KeptResult<Each['schema'], ReturnType<Each['handler']>>
