import type { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import type { AnyCtx, DecoratorsAt, DecoratorsOnReply, DerivePhase } from '../context/ctx.ts'
import type { EspalierError } from '../errors/espalier-error.ts'
import type { UnlessAtFault } from '../typed/returned.ts'
import type { Sendable } from '../http/payload-kind.ts'
import type { Sent } from '../typed/sent.ts'
import type { TypedReply } from '../typed/reply.ts'
import type { EarlyRequest, HookRequest, ParsedRequest } from '../typed/request.ts'
import type { ValidationError } from '../schema/compiler-types.ts'

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

/** The hooks of the requests of any route of a scope. */
export type RequestHooksIn<Context extends AnyCtx, Self> = RequestHookTypes<
  ScopeRequests<Context, Self>,
  Self,
  ReplyIn<Context, Self>
>

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
  readonly issues?: undefined
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
  readonly issues?: unknown
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
