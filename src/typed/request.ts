import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { AnyCtx } from '../context/ctx.ts'
import type { Logger } from '../http/logger.ts'
import type { ValidatedMethod } from '../http/methods.ts'
import type { HttpPart, ValidationError } from '../schema/compiler-types.ts'
import type { StandardMark } from '../schema/infer/marks.ts'
import type { HasBody, HasHeaders, HasParams, HasQuery, HasQuerystring } from '../types/has-part.ts'
import type { BodyPart, Part } from '../schema/infer/part.ts'

/** Checks a value, and keeps the errors in `errors`. An object is coerced in place, and gets its
 *  defaults. */
export interface ValidationFunction {
  (input: unknown): boolean
  /** The errors of the last value; null if it was valid. */
  errors: unknown
}

/** The members that requests have in all scopes. It has no type parameters: the members of a
 *  generic interface would be instantiated for each route whose request is an intersection with
 *  it. */
export interface UnscopedRequest {
  readonly id: string
  /** The request of Node. */
  readonly raw: IncomingMessage
  readonly socket: Socket
  /** Is aborted if the client disconnects before the response is complete, and when
   *  `handlerTimeout` has passed; then with ESP_ERR_HANDLER_TIMEOUT. */
  readonly signal: AbortSignal
  readonly method: string
  readonly url: string
  /** The URL before rewriting. */
  readonly originalUrl: string
  /** The requested host, with its port. */
  readonly host: string
  /** The requested host, without its port. */
  readonly hostname: string
  /** The requested port; null if the client named none. */
  readonly port: number | null
  /** The address of the client: that of the peer, or the one that a trusted proxy reports. */
  readonly ip: string
  /** The address of the peer, and the addresses it reports, if `trustProxy` is set. */
  readonly ips: string[] | undefined
  readonly protocol: 'http' | 'https'
  /** The logger of this request, which adds the id to its lines. It may be replaced. */
  log: Logger
  readonly routeOptions: RouteOptionsFacts
  /** Whether no route was found. */
  readonly is404: boolean
  /** The validation error, if the route has `attachValidation`. */
  readonly validationError?: ValidationError
  /** The validator of a part of the route's schema, or of a schema that was compiled before. */
  getValidationFunction(source: HttpPart | object): ValidationFunction | undefined
  /** Compiles a schema with the route's own compiler, once for each schema object.
   *  @throws ESP_ERR_SCH_VALIDATION_BUILD, ESP_ERR_SCH_MISSING_REF */
  compileValidationSchema(schema: object, httpPart?: HttpPart): ValidationFunction
  /** Whether a value is valid for a part of the route's schema, or for a schema.
   *  @throws ESP_ERR_REQ_INVALID_VALIDATION_INVOCATION if the route has no schema for the part */
  validateInput(input: unknown, source: HttpPart | object, httpPart?: HttpPart): boolean
}

/** The members of a request that depend on no schema. */
export interface RawRequest<Self, Decorators = {}> extends UnscopedRequest {
  /** The server of the route's own context. */
  readonly server: Self
  /** The value of a decorator. A function is bound to this request.
   *  @throws ESP_ERR_DEC_UNDECLARED */
  getDecorator<Name extends keyof Decorators>(name: Name): Decorators[Name]
  /** Sets a decorator on this request. A decorator without setter is refused.
   *  @throws ESP_ERR_DEC_UNDECLARED */
  setDecorator<Name extends keyof Decorators>(
    name: Name extends ReadonlyKey<Decorators>
      ? `Request decorator '${Name & string}' has a getter only`
      : Name,
    value: Decorators[Name],
  ): void
}

/** The readonly keys. Only the comparison of two generic functions respects modifiers. */
type ReadonlyKey<Type> = {
  [Key in keyof Type]-?: (<Other>() => Other extends Pick<Type, Key> ? 1 : 2) extends <
    Other,
  >() => Other extends Readonly<Pick<Type, Key>> ? 1 : 2
    ? Key
    : never
}[keyof Type]

/** A request whose parts were not validated yet. */
interface SentRequest<Self, Decorators, Params> extends RawRequest<Self, Decorators> {
  readonly params: Params
  readonly query: RawQuery
  readonly headers: IncomingHttpHeaders
}

/** A request before its body is parsed, for onRequest and preParsing hooks. */
export interface EarlyRequest<Self, Decorators = {}, Params = RawParams> extends SentRequest<
  Self,
  Decorators,
  Params
> {
  readonly body: undefined
}

/** A request before it is validated, for preValidation hooks. */
export interface ParsedRequest<Self, Decorators = {}, Params = RawParams> extends SentRequest<
  Self,
  Decorators,
  Params
> {
  body: unknown
}

/** A request of any route, for hooks after validation and for error handlers. Coerced headers keep
 *  the types that they were sent with. */
export interface HookRequest<Self, Decorators = {}> extends RawRequest<Self, Decorators> {
  readonly params: unknown
  readonly query: unknown
  readonly headers: IncomingHttpHeaders
  body: unknown
}

/** A request of any route, for hooks after validation that are written outside of any scope. Such
 *  hooks are compared with the requests of routes. The headers that
 *  Node lists by name are strings, so that a route that coerces one of them is reported. Other
 *  headers are unknown. */
export interface CoercedRequest<Self, Decorators = {}> extends RawRequest<Self, Decorators> {
  readonly params: unknown
  readonly query: unknown
  readonly headers: Readonly<Pick<IncomingHttpHeaders, KnownHeader>> & {
    readonly [name: string]: unknown
  }
  body: unknown
}

/** A request that the route's schema has refused, for a handler with `attachValidation`. The parts
 *  with a schema are unknown. The others are as they were sent.
 *  @template Schema the schema of the route; by default one with all parts
 *  @template Params the parameters of the path */
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

/** Path parameters without a schema. */
export type RawParams = Readonly<Record<string, string | undefined>>

/** The parts of a request of one route, except `params`, which depend on the path.
 *
 *  It stands beside `RawRequest` and does not extend it: the many members of that base would be
 *  instantiated for each route. The members are conditional types, which are resolved when they are
 *  read; a handler that does not read them costs nothing. `in out` is essential: to find the
 *  variances, the compiler would walk the schema types with `any` in them, up to its limit of
 *  depth. */
export interface RequestParts<in out Context extends AnyCtx, in out Schema, in out Method> {
  /** The query string, as `schema.querystring` types it; without a schema, strings and lists of
   *  strings. */
  readonly query: QueryIn<Schema, Context['schemas']>
  /** The headers, with lowercase names. `schema.headers` types those that it names. */
  readonly headers: HeadersIn<Schema, Context['schemas']>
  /** The body, as `schema.body` types it; unknown without a schema. */
  readonly body: [Method] extends [ValidatedMethod] ? BodyIn<Schema, Context['schemas']> : unknown
}

/** A query string without a schema. */
export type RawQuery = Record<string, string | string[] | undefined>

/** The query string, under either name of the schema. */
type QueryIn<Schema, Schemas> = Schema extends HasQuerystring
  ? Part<Schema['querystring'], Schemas, 'out'>
  : Schema extends HasQuery
    ? Part<Schema['query'], Schemas, 'out'>
    : RawQuery

type BodyIn<Schema, Schemas> = Schema extends HasBody
  ? BodyPart<Schema['body'], Schemas, 'out'>
  : unknown

/** Headers that the schema does not name keep the types of Node. Those that Node lists are listed
 *  by name here: the types of coerced headers would have to match an index signature. */
type HeadersIn<Schema, Schemas> = Schema extends HasHeaders
  ? DescribedHeaders<Schema['headers'], Schemas> extends infer Described
    ? Described extends object
      ? Described & OtherHeaders<Described>
      : Described
    : never
  : IncomingHttpHeaders

/** Node lowercases header names. The result of a Standard Schema may have any names, and need not
 *  be an object. */
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

/** The route of a request, as the request shows it. */
export interface RouteOptionsFacts {
  /** The path of the route with its prefix; undefined if no route was found. */
  readonly url: string | undefined
  readonly method: string | readonly string[]
  readonly schema: unknown
  /** The option `config` of the route, with its url and method. */
  readonly config: Readonly<Record<string, unknown>>
  readonly attachValidation: boolean
  readonly bodyLimit: number
  /** The time limit of a request in milliseconds; 0 for no limit. */
  readonly handlerTimeout: number
  readonly handler: (...args: never[]) => unknown
  /** The option of the route; undefined if it was not given. */
  readonly exposeHeadRoute: boolean | undefined
  readonly logLevel: unknown
  readonly prefixTrailingSlash: unknown
  /** The version constraint of the route. */
  readonly version: unknown
}
