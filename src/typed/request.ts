import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { AnyCtx } from '../context/ctx.ts'
import type { Logger } from '../http/logger.ts'
import type { ValidatedMethod } from '../http/methods.ts'
import type { HttpPart, ValidationError } from '../schema/compiler-types.ts'
import type { StandardMark } from '../schema/infer/marks.ts'
import type { HasBody, HasHeaders, HasParams, HasQuery, HasQuerystring } from '../types/has-part.ts'
import type { BodyPart, Part } from '../schema/infer/part.ts'

/** Says whether a value is valid, and keeps what is wrong with it as `errors`. An object is coerced in
 *  place, and gets its defaults. */
export interface ValidationFunction {
  (input: unknown): boolean
  /** What the validator said of the last value; null where it was valid. */
  errors: unknown
}

/** What a request has in any scope. Without type parameters: the members of a generic interface are made anew for each
 *  route whose type has it beside others. */
export interface UnscopedRequest {
  readonly id: string
  /** The request of Node itself. */
  readonly raw: IncomingMessage
  readonly socket: Socket
  /** Is aborted when the client has left before the response was whole, and when the route's
   *  `handlerTimeout` has passed; then with ESP_ERR_HANDLER_TIMEOUT. */
  readonly signal: AbortSignal
  readonly method: string
  readonly url: string
  /** The URL as it came. */
  readonly originalUrl: string
  /** The host that the client asked for, with its port. */
  readonly host: string
  /** The host without its port. */
  readonly hostname: string
  /** The port that was asked for; null where the client named none. */
  readonly port: number | null
  /** The address of the client: of the peer, or of whom it speaks for where it is trusted. */
  readonly ip: string
  /** The peer and whom it speaks for, where `trustProxy` says so. */
  readonly ips: string[] | undefined
  readonly protocol: 'http' | 'https'
  /** The logger of this request, whose lines have its id. It may be replaced. */
  log: Logger
  readonly routeOptions: RouteOptionsFacts
  /** Whether no route was met. */
  readonly is404: boolean
  /** What is wrong with the request, where the route says `attachValidation`. */
  readonly validationError?: ValidationError
  /** The validator of a part of the route's schema, or of a schema that was compiled before. */
  getValidationFunction(source: HttpPart | object): ValidationFunction | undefined
  /** Compiles a schema with the route's own compiler, once for each schema object.
   *  @throws ESP_ERR_SCH_VALIDATION_BUILD, ESP_ERR_SCH_MISSING_REF */
  compileValidationSchema(schema: object, httpPart?: HttpPart): ValidationFunction
  /** Whether a value is valid for a part of the route's schema, or for a schema.
   *  @throws ESP_ERR_REQ_INVALID_VALIDATION_INVOCATION where the route has no schema for the part */
  validateInput(input: unknown, source: HttpPart | object, httpPart?: HttpPart): boolean
}

/** The part of a request that depends on no schema. */
export interface RawRequest<Self, Decorators = {}> extends UnscopedRequest {
  /** The server of the route's own context. */
  readonly server: Self
  /** The value of a decorator; a function is bound to this request.
   *  @throws ESP_ERR_DEC_UNDECLARED */
  getDecorator<Name extends keyof Decorators>(name: Name): Decorators[Name]
  /** Gives a decorator its value for this request; not one that has a getter only.
   *  @throws ESP_ERR_DEC_UNDECLARED */
  setDecorator<Name extends keyof Decorators>(
    name: Name extends ReadonlyKey<Decorators>
      ? `Request decorator '${Name & string}' has a getter only`
      : Name,
    value: Decorators[Name],
  ): void
}

/** The keys that cannot be assigned; "same" as the compiler sees it, to which modifiers matter. */
type ReadonlyKey<Type> = {
  [Key in keyof Type]-?: (<Other>() => Other extends Pick<Type, Key> ? 1 : 2) extends <
    Other,
  >() => Other extends Readonly<Pick<Type, Key>> ? 1 : 2
    ? Key
    : never
}[keyof Type]

/** A request whose parts, but for the body, are as they were sent. */
interface SentRequest<Self, Decorators, Params> extends RawRequest<Self, Decorators> {
  readonly params: Params
  readonly query: RawQuery
  readonly headers: IncomingHttpHeaders
}

/** A request before its body is parsed, as onRequest and preParsing hooks see it. */
export interface EarlyRequest<Self, Decorators = {}, Params = RawParams> extends SentRequest<
  Self,
  Decorators,
  Params
> {
  readonly body: undefined
}

/** A request before it is validated, as preValidation hooks see it. */
export interface ParsedRequest<Self, Decorators = {}, Params = RawParams> extends SentRequest<
  Self,
  Decorators,
  Params
> {
  body: unknown
}

/** A request of any route, as hooks behind validation and error handlers see it. Headers that the
 *  route's schema coerces are typed as they were sent. */
export interface HookRequest<Self, Decorators = {}> extends RawRequest<Self, Decorators> {
  readonly params: unknown
  readonly query: unknown
  readonly headers: IncomingHttpHeaders
  body: unknown
}

/** The same, as a hook sees it that is written apart from any route, and is compared with those that take it. Headers
 *  that Node knows by name are text to it, so that a route which coerces one of them is told; of others nothing is known. */
export interface CoercedRequest<Self, Decorators = {}> extends RawRequest<Self, Decorators> {
  readonly params: unknown
  readonly query: unknown
  readonly headers: Readonly<Pick<IncomingHttpHeaders, KnownHeader>> & {
    readonly [name: string]: unknown
  }
  body: unknown
}

/** A request that its route's schema refused, as a handler with `attachValidation` sees it: nothing can
 *  be taken for granted of the parts that have a schema. The others are as they were sent.
 *  @template Schema that of the route; by default one of all parts
 *  @template Params what the path has */
export interface RefusedRequest<
  Self,
  Decorators = {},
  Schema = Readonly<Record<HttpPart, unknown>>,
  Params = RawParams,
> extends RawRequest<Self, Decorators> {
  readonly params: Schema extends HasParams ? unknown : Params
  readonly query: Schema extends HasQuerystring | HasQuery ? unknown : RawQuery
  readonly headers: Schema extends HasHeaders
    ? Readonly<Record<string, unknown>>
    : IncomingHttpHeaders
  readonly body: unknown
  readonly validationError: ValidationError
}

/** Path parameters that no schema has coerced. */
export type RawParams = Readonly<Record<string, string | undefined>>

/** The parts of a request as the handler of one route sees them, but for `params`, which need the path.
 *
 *  They stand beside `RawRequest` and do not extend it: the compiler makes the many members of that base anew
 *  for each route. Members are conditional types that are resolved when they are read; nothing is computed
 *  for a handler that does not mention them. `in out` is a matter of life and death: finding the variances
 *  out by probing walks the schema types with `any` in them, to the limit of depth. */
export interface RequestParts<in out Context extends AnyCtx, in out Schema, in out Method> {
  /** The query string, as `schema.querystring` makes it; without that, texts and lists of texts. */
  readonly query: QueryIn<Schema, Context['schemas']>
  /** The headers, with lower-case names; those that `schema.headers` names are as that makes them. */
  readonly headers: HeadersIn<Schema, Context['schemas']>
  /** The body, as `schema.body` makes it; unknown without that. */
  readonly body: [Method] extends [ValidatedMethod] ? BodyIn<Schema, Context['schemas']> : unknown
}

/** A query string that no schema describes. */
export type RawQuery = Record<string, string | string[] | undefined>

/** The query string as a route's schema has it, under either of its two names. */
type QueryIn<Schema, Schemas> = Schema extends HasQuerystring
  ? Part<Schema['querystring'], Schemas, 'out'>
  : Schema extends HasQuery
    ? Part<Schema['query'], Schemas, 'out'>
    : RawQuery

/** The body as a route's schema has it. */
type BodyIn<Schema, Schemas> = Schema extends HasBody
  ? BodyPart<Schema['body'], Schemas, 'out'>
  : unknown

/** Headers that the schema does not name stay as Node gives them. Those that Node knows are listed by name, since an index
 *  signature has to hold for the coerced ones too. */
type HeadersIn<Schema, Schemas> = Schema extends HasHeaders
  ? DescribedHeaders<Schema['headers'], Schemas> extends infer Described
    ? Described extends object
      ? Described & OtherHeaders<Described>
      : Described
    : never
  : IncomingHttpHeaders

/** Node gives header names in lower case, whatever the schema's are. A Standard Schema gives what it makes of them any names,
 *  and may make no object of them. */
type DescribedHeaders<Headers, Schemas> = Headers extends StandardMark
  ? Part<Headers, Schemas, 'out'>
  : LowerCased<Part<Headers, Schemas, 'out'>>

type LowerCased<Headers> = {
  [Name in keyof Headers as Name extends string ? Lowercase<Name> : Name]: Headers[Name]
}

type OtherHeaders<Described> = {
  readonly [Name in Exclude<KnownHeader, keyof Described>]?: IncomingHttpHeaders[Name]
} & { readonly [name: string]: Described[keyof Described] | string | string[] | undefined }

type KnownHeader = keyof {
  [Name in keyof IncomingHttpHeaders as string extends Name ? never : Name]: unknown
}

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
