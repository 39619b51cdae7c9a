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
import type { PartName } from './route-schema.ts'
import type {
  SchemaErrorFormatter,
  SerializerCompiler,
  ValidationError,
  ValidatorCompiler,
} from '../schema/compiler-types.ts'

interface PhaseRequests {
  /** Before the body is parsed. */
  readonly early: unknown
  /** Before validation. */
  readonly parsed: unknown
  /** After validation. */
  readonly valid: unknown
  /** Once there is a reply, which may have been sent early. */
  readonly late: unknown
}

/** The requests of any route of a scope. */
export interface ScopeRequests<Context extends AnyCtx, Self> extends PhaseRequests {
  readonly early: EarlyRequest<Self, DecoratorsAt<Context, 'onRequest'>> &
    DecoratorsAt<Context, 'onRequest'>
  readonly parsed: ParsedRequest<Self, DecoratorsAt<Context, 'preValidation'>> &
    DecoratorsAt<Context, 'preValidation'>
  readonly valid: HookRequest<Self, Context['request']> & Context['request']
  readonly late: LateRequest<Context, Self>
}

/** A request of any route once there is a reply. */
export type LateRequest<Context extends AnyCtx, Self> = HookRequest<
  Self,
  DecoratorsOnReply<Context>
> &
  DecoratorsOnReply<Context>

export type ReplyIn<Context extends AnyCtx, Self> = TypedReply<Context, Self> & Context['reply']

/** A hook: async, or sync with `done`. It returns the reply if it has sent one, and nothing
 *  otherwise. Another result, like that of a guard, would be ignored. */
export type Hook<Request, Self, Reply> = (
  this: Self,
  request: Request,
  reply: Reply,
  done: (error?: Error | null) => void,
) => void | Sent | Promise<void | Sent>

/** A hook whose result is ignored, since nothing runs after it. */
type LastHook<Request, Self, Reply> = (
  this: Self,
  request: Request,
  reply: Reply,
  done: (error?: Error | null) => void,
) => void | Sent | Promise<unknown>

/** The body of a request as a stream. A stream that transforms another sets `receivedEncodedLength`
 *  to the bytes it has read of the other. The body limit and the content-length are compared with
 *  that number. */
export interface BodyStream extends Readable {
  receivedEncodedLength?: number
}

/** A hook that receives a value of its phase besides the request and the reply. */
type PhaseHook<Request, Self, Reply, Given, Done, Result> = (
  this: Self,
  ...args: [request: Request, reply: Reply, given: Given, done: Done]
) => Result | Promise<Awaited<Result>>

type DoneWith<Payload> = (error?: Error | null, payload?: Payload) => void

/** Receives the body as a stream. It may return another stream, which is parsed instead. */
export type PreParsingHook<Request, Self, Reply> = PhaseHook<
  Request,
  Self,
  Reply,
  BodyStream,
  DoneWith<BodyStream | WebStream>,
  void | BodyStream | WebStream | Sent
>

/** Receives the payload before it is serialized. It may return another payload. */
export type PreSerializationHook<Request, Self, Reply> = PhaseHook<
  Request,
  Self,
  Reply,
  unknown,
  DoneWith<unknown>,
  unknown
>

/** A payload as it is written to the socket. Undefined and null are an empty body. */
export type SentPayload = string | Uint8Array | Readable | null | undefined

/** Receives the payload before it is written. It may return another payload. */
export type OnSendHook<Request, Self, Reply> = PhaseHook<
  Request,
  Self,
  Reply,
  SentPayload,
  DoneWith<SentPayload | Sendable>,
  void | SentPayload | Sendable
>

/** Runs before the error handlers. It cannot send a reply. */
export type OnErrorHook<Request, Self, Reply> = PhaseHook<
  Request,
  Self,
  Reply,
  HandledError,
  () => void,
  void
>

/** Runs if the client disconnects before it has received the whole response. */
export type OnRequestAbortHook<Request, Self> = (
  this: Self,
  request: Request,
  done: (error?: Error | null) => void,
) => void | Promise<unknown>

/** The hooks of a request by name, for `addHook` and for routes. */
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

type RegisterOptions = PluginOptions & { readonly [option: string]: unknown }

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
  /** Runs after listening. An error is logged, and stops nothing. */
  onListen: ApplicationHookFunction<Self>
  /** Runs before the server closes, while it still accepts requests. An error is logged. */
  preClose: ApplicationHookFunction<Self>
  /** Receives the options of each route of this scope and its children, and may change them. It is
   *  called synchronously, for routes that were declared before it as soon as plugins load on. */
  onRoute: (this: Self, route: DeclaredRoute<Context, Self>) => void
  /** Receives the context of each plugin: a new one before the plugin runs, one that was opened
   *  before the hook when all plugins have loaded. It is called synchronously. */
  onRegister: (this: Self, server: Self, options: RegisterOptions) => void
  onClose: (
    this: Self,
    server: Self,
    done: (error?: Error | null) => void,
  ) => void | Promise<unknown>
}

interface DeriveRequests<Context extends AnyCtx, Self> {
  onRequest: ScopeRequests<Context, Self>['early']
  preValidation: ScopeRequests<Context, Self>['parsed']
  preHandler: ScopeRequests<Context, Self>['valid']
}

/** The hook of `derive`. Its result becomes part of the request, unless it sends a reply. */
export type DeriveHook<Context extends AnyCtx, Self, Phase extends DerivePhase, Result> = (
  this: Self,
  request: DeriveRequests<Context, Self>[Phase],
  reply: ReplyIn<Context, Self>,
) => Result

/** An error of the framework. */
export interface CodedError extends EspalierError {
  readonly validation?: undefined
  readonly validationContext?: undefined
}

/** Any other thrown value, usually an Error. `instanceof` tells errors apart, and `typeof` strings
 *  and numbers. These properties can be read of all of them. */
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

/** The error that an error handler receives, never null or undefined. A failed validation has
 *  `error.validation`. Use `instanceof EspalierError` or one of `errorCodes` for errors of the
 *  framework, and `instanceof Error` for other errors.
 *  @example if (error.validation) reply.code(422).send({ part: error.validationContext }) */
export type HandledError = ValidationError | CodedError | ThrownValue

/** Answers a request that failed. The reply is what it returns or sends. */
export type ErrorHandler<Context extends AnyCtx, Self, Result = unknown, Known = unknown> = (
  this: Self,
  error: HandledError,
  request: LateRequest<Context, Self>,
  reply: ReplyIn<Context, Self>,
) => UnlessAtFault<Result, Known> & Result

/** Answers a request that no route answers. */
export type NotFoundHandler<Context extends AnyCtx, Self, Result = unknown, Known = unknown> = (
  this: Self,
  request: LateRequest<Context, Self>,
  reply: ReplyIn<Context, Self>,
) => UnlessAtFault<Result, Known> & Result

export type OneOrMore<Value> = Value | readonly Value[]

/** The hooks of `setNotFoundHandler`. Since `callNotFound` may be called at any time, derived names
 *  are optional. */
export interface NotFoundOptions<Context extends AnyCtx, Self> {
  readonly preValidation?: OneOrMore<Hook<LateRequest<Context, Self>, Self, ReplyIn<Context, Self>>>
  readonly preHandler?: OneOrMore<Hook<LateRequest<Context, Self>, Self, ReplyIn<Context, Self>>>
}

/** The hooks of a route whose types do not depend on its schema: all but `preHandler`. */
type OpenHooks<Context extends AnyCtx, Self> = {
  readonly [Name in Exclude<RequestHook, 'preHandler'>]?: OneOrMore<HookTypes<Context, Self>[Name]>
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
  preHandler?: OneOrMore<HookTypes<Context, Self>['preHandler']> | undefined
  attachValidation: boolean
  /** The other options of the route. */
  [option: string]: unknown
}
