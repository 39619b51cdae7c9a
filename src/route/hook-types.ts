import type { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import type { AnyCtx, DecoratorsAt, DecoratorsOnReply, DerivePhase } from '../context/ctx.ts'
import type { RequestHook } from '../context/hooks.ts'
import type { ChildLoggerFactory, LogLevel, LogSerializers } from '../http/logger.ts'
import type { PluginOptions } from '../plugin/plugin-types.ts'
import type { EspalierError } from '../errors/espalier-error.ts'
import type { UnlessAtFault } from '../typed/returned.ts'
import type { Sendable } from '../http/payload-kind.ts'
import type { Sent } from '../typed/sent.ts'
import type { TypedReply } from '../typed/reply.ts'
import type { EarlyRequest, HookRequest, ParsedRequest } from '../typed/request.ts'
import type { AddedRouteOptions } from './added-options.ts'
import type { PrefixTrailingSlash } from './declaration.ts'
import type {
  SchemaErrorFormatter,
  SerializerCompiler,
  ValidationError,
  ValidatorCompiler,
} from '../schema/compiler-types.ts'

/** The requests of a scope or a route by phase. */
export interface PhaseRequests {
  /** Before the body is parsed. */
  readonly early: unknown
  /** Before validation. */
  readonly parsed: unknown
  /** After validation. */
  readonly valid: unknown
  /** When a reply is on its way, which may have come early. */
  readonly late: unknown
}

/** The requests of a scope, which are those of any route. */
export interface ScopeRequests<Context extends AnyCtx, Self> extends PhaseRequests {
  readonly early: EarlyRequest<Self, DecoratorsAt<Context, 'onRequest'>> &
    DecoratorsAt<Context, 'onRequest'>
  readonly parsed: ParsedRequest<Self, DecoratorsAt<Context, 'preValidation'>> &
    DecoratorsAt<Context, 'preValidation'>
  readonly valid: HookRequest<Self, Context['request']> & Context['request']
  readonly late: LateRequest<Context, Self>
}

/** A request of any route when a reply is on its way, and as decorators see it. */
export type LateRequest<Context extends AnyCtx, Self> = HookRequest<
  Self,
  DecoratorsOnReply<Context>
> &
  DecoratorsOnReply<Context>

export type ReplyIn<Context extends AnyCtx, Self> = TypedReply<Context, Self> & Context['reply']

/** A hook: async, or sync with `done`. One that sends a reply returns it, any other nothing: what else it returned, as a
 *  guard's verdict, would be lost, and the request go on. */
export type Hook<Request, Self, Reply> = (
  this: Self,
  request: Request,
  reply: Reply,
  done: (error?: Error | null) => void,
) => void | Sent | Promise<void | Sent>

/** A hook behind which nothing goes on: what it returns is of no interest. */
type LastHook<Request, Self, Reply> = (
  this: Self,
  request: Request,
  reply: Reply,
  done: (error?: Error | null) => void,
) => void | Sent | Promise<unknown>

/** The body of a request as a stream. One that reads another says how many bytes it has read of it as
 *  `receivedEncodedLength`: those are what the limit and the content-length are compared with. */
export interface BodyStream extends Readable {
  receivedEncodedLength?: number
}

/** A hook that is given something of its phase besides the request and the reply. */
type PhaseHook<Request, Self, Reply, Given, Done, Result> = (
  this: Self,
  ...args: [request: Request, reply: Reply, given: Given, done: Done]
) => Result | Promise<Awaited<Result>>

type DoneWith<Payload> = (error?: Error | null, payload?: Payload) => void

/** Is given the body as a stream, and may return another to be parsed in its place. */
export type PreParsingHook<Request, Self, Reply> = PhaseHook<
  Request,
  Self,
  Reply,
  BodyStream,
  DoneWith<BodyStream | WebStream>,
  void | BodyStream | WebStream | Sent
>

/** Is given what is about to be serialized, and may return something else in its place. */
export type PreSerializationHook<Request, Self, Reply> = PhaseHook<
  Request,
  Self,
  Reply,
  unknown,
  DoneWith<unknown>,
  unknown
>

/** What is written to the socket; undefined and null stand for nothing. */
export type SentPayload = string | Uint8Array | Readable | null | undefined

/** Is given what is about to be written, and may return something else in its place. */
export type OnSendHook<Request, Self, Reply> = PhaseHook<
  Request,
  Self,
  Reply,
  SentPayload,
  DoneWith<SentPayload | Sendable>,
  void | SentPayload | Sendable
>

/** Learns of an error before the error handlers do. It cannot send a reply. */
export type OnErrorHook<Request, Self, Reply> = PhaseHook<
  Request,
  Self,
  Reply,
  HandledError,
  () => void,
  void
>

/** Learns that the client left before it had the whole response. */
export type OnRequestAbortHook<Request, Self> = (
  this: Self,
  request: Request,
  done: (error?: Error | null) => void,
) => void | Promise<unknown>

/** The hooks of a request by name, as `addHook` and routes take them. */
export interface RequestHookTypes<Requests extends PhaseRequests, Self, Reply> {
  onRequest: Hook<Requests['early'], Self, Reply>
  preParsing: PreParsingHook<Requests['early'], Self, Reply>
  preValidation: Hook<Requests['parsed'], Self, Reply>
  preHandler: Hook<Requests['valid'], Self, Reply>
  preSerialization: PreSerializationHook<Requests['late'], Self, Reply>
  onSend: OnSendHook<Requests['late'], Self, Reply>
  onResponse: LastHook<Requests['late'], Self, Reply>
  onError: OnErrorHook<Requests['late'], Self, Reply>
  onTimeout: LastHook<Requests['late'], Self, Reply>
  onRequestAbort: OnRequestAbortHook<Requests['late'], Self>
}

/** The options that a plugin was registered with. */
type GivenOptions = PluginOptions & { readonly [option: string]: unknown }

type ApplicationHookFunction<Self> = (
  this: Self,
  done: (error?: Error | null) => void,
) => void | Promise<unknown>

/** The hooks that `addHook` takes, by name. */
export interface HookTypes<Context extends AnyCtx, Self> extends RequestHookTypes<
  ScopeRequests<Context, Self>,
  Self,
  ReplyIn<Context, Self>
> {
  onReady: ApplicationHookFunction<Self>
  /** After listening. An error is reported, and stops nothing. */
  onListen: ApplicationHookFunction<Self>
  /** When the server is about to close, and still takes requests. An error is reported. */
  preClose: ApplicationHookFunction<Self>
  /** Sees each route that is declared here and below, and may change it. Called at once. */
  onRoute: (this: Self, route: DeclaredRoute<Context, Self>) => void
  /** Sees each context that is opened for a plugin, before the plugin runs. Called at once. */
  onRegister: (this: Self, server: Self, options: GivenOptions) => void
  onClose: (
    this: Self,
    server: Self,
    done: (error?: Error | null) => void,
  ) => void | Promise<unknown>
}

/** The requests that `derive` works on, by phase. */
interface DeriveRequests<Context extends AnyCtx, Self> {
  onRequest: ScopeRequests<Context, Self>['early']
  preValidation: ScopeRequests<Context, Self>['parsed']
  preHandler: ScopeRequests<Context, Self>['valid']
}

/** What `derive` takes: a hook whose result becomes part of the request. It may reply instead. */
export type DeriveHook<Context extends AnyCtx, Self, Phase extends DerivePhase, Result> = (
  this: Self,
  request: DeriveRequests<Context, Self>[Phase],
  reply: ReplyIn<Context, Self>,
) => Result

/** One of the framework's own errors. */
export interface CodedError extends EspalierError {
  readonly validation?: undefined
  readonly validationContext?: undefined
}

/** Anything else that was thrown: usually an Error, which `instanceof` tells; `typeof` tells text and
 *  numbers. Whatever it is, it can be asked for these. */
export type ThrownValue = Thrown | (ThrownPrimitive & Thrown)

type ThrownPrimitive = string | number | bigint | boolean | symbol

interface Thrown {
  readonly name?: unknown
  readonly message?: unknown
  readonly stack?: unknown
  readonly cause?: unknown
  readonly code?: unknown
  readonly statusCode?: unknown
  readonly validation?: undefined
  readonly validationContext?: undefined
}

/** An error as an error handler gets it, never null or undefined. `error.validation` tells a failed
 *  validation; `instanceof EspalierError`, or one of `errorCodes`, the framework's own errors;
 *  `instanceof Error` all other errors.
 *  @example if (error.validation) reply.code(422).send({ part: error.validationContext }) */
export type HandledError = ValidationError | CodedError | ThrownValue

/** Answers a request that failed; what it returns or sends is the reply. */
export type ErrorHandler<Context extends AnyCtx, Self, Result = unknown, Known = unknown> = (
  this: Self,
  error: HandledError,
  request: LateRequest<Context, Self>,
  reply: ReplyIn<Context, Self>,
) => UnlessAtFault<Result, Known> & Result

/** Answers a request that no route was found for. */
export type NotFoundHandler<Context extends AnyCtx, Self, Result = unknown, Known = unknown> = (
  this: Self,
  request: LateRequest<Context, Self>,
  reply: ReplyIn<Context, Self>,
) => UnlessAtFault<Result, Known> & Result

/** One hook, or several in their order. */
export type OneOrMore<Value> = Value | readonly Value[]

/** The hooks that `setNotFoundHandler` takes. As `callNotFound` may come at any time, what is derived may be
 *  missing. */
export interface NotFoundOptions<Context extends AnyCtx, Self> {
  readonly preValidation?: OneOrMore<Hook<LateRequest<Context, Self>, Self, ReplyIn<Context, Self>>>
  readonly preHandler?: OneOrMore<Hook<LateRequest<Context, Self>, Self, ReplyIn<Context, Self>>>
}

/** The hooks of a route that know nothing of its schema: all but one. */
type OpenHooks<Context extends AnyCtx, Self> = {
  readonly [Name in Exclude<RequestHook, 'preHandler'>]?: OneOrMore<HookTypes<Context, Self>[Name]>
}

/** What a route asks of a request, by the name of a strategy. A name that no strategy has is a boot
 *  error. */
export interface RouteConstraints {
  /** The host that is asked for, with its port where it has one; a RegExp is for several. */
  readonly host?: string | RegExp
  /** The version that the header `accept-version` asks for, which may be a range: `1.2.0`. */
  readonly version?: string
  /** The value for a strategy of the option `constraints`, or of `addConstraintStrategy`. */
  readonly [strategy: string]: unknown
}

/** The options of a route that are the same for all routes of a scope. No interface: as a base, its members would be made anew for
 *  each route. */
export type RouteOptions<Context extends AnyCtx, Self> = OpenHooks<Context, Self> &
  ScopedOptions<Context, Self> &
  UnscopedOptions

type ScopedOptions<Context extends AnyCtx, Self> = {
  readonly schemaErrorFormatter?: SchemaErrorFormatter<Self>
  readonly errorHandler?: ErrorHandler<Context, Self>
  /** Makes the loggers of its requests. @default that of the scope */
  readonly childLoggerFactory?: ChildLoggerFactory<Self>
}

/** A part that is no option of a route by itself: nothing would be validated. */
type BesideSchema<Part extends string> =
  `The part '${Part}' stands inside of the schema: { schema: { ${Part} } }`

/** Those that are the same in any scope. Without type parameters, as `UnscopedRequest` is, and why. */
export interface UnscopedOptions extends AddedRouteOptions {
  readonly body?: BesideSchema<'body'>
  readonly querystring?: BesideSchema<'querystring'>
  readonly query?: BesideSchema<'query'>
  readonly params?: BesideSchema<'params'>
  readonly headers?: BesideSchema<'headers'>
  readonly response?: BesideSchema<'response'>
  readonly validatorCompiler?: ValidatorCompiler
  readonly serializerCompiler?: SerializerCompiler
  /** The level of the loggers of its requests. @default that of the scope */
  readonly logLevel?: LogLevel
  /** Added to the serializers of the scope. */
  readonly logSerializers?: LogSerializers
  /** The largest body in bytes. @default that of the server */
  readonly bodyLimit?: number
  /** The most milliseconds from the first hook to the head of the response; 0 for any time. What is too late is
   *  answered with ESP_ERR_HANDLER_TIMEOUT (503), by way of the error handlers. @default that of the server */
  readonly handlerTimeout?: number
  /** Anything that hooks and plugins want to know of the route. @default {} */
  readonly config?: Readonly<Record<string, unknown>>
  /** Whether a GET route answers HEAD too. @default that of the server */
  readonly exposeHeadRoute?: boolean
  /** What a request must be besides its method and path. */
  readonly constraints?: RouteConstraints
  /** @deprecated use `constraints: { version }` */
  readonly version?: string
}

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
